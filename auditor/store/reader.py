"""The reading side of the store: named queries, free SQL that can do no harm, and what `explain` asks for.

"Only SELECT" would be no protection: in DuckDB a CTE can INSERT or COPY, and a table function reads any file. What
protects is the connection: the file is open read-only, nothing outside of it can be reached, and the settings that say
so are locked before the first query runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import Any, Self

import duckdb

from auditor.findings import Finding
from auditor.store.opening import StoreMissing, check_schema, connect, plain_errors

# The order matters: once the configuration is locked, nothing can be shut any more, nor opened. The first lock alone
# leaves the store's own file, its logs and its folder for temporary files within reach of COPY and ATTACH; the second
# takes these too. The file itself is open already.
_LOCKS = (
    "SET enable_external_access = false",
    "SET disabled_filesystems = 'LocalFileSystem'",
    "SET lock_configuration = true",
)
_FETCH_ROWS = 10_000
_FINDING_FIELDS = tuple(Finding.model_fields)
_FINDING_COLUMNS = ", ".join(f'f."{name}"' for name in _FINDING_FIELDS)


class QueryRefused(Exception):
    """The query cannot be run; its text is the reason, mostly in DuckDB's own words."""


class QueryTimeout(Exception):
    """The query took longer than it may."""


class FindingUnknown(LookupError):
    """No finding, or more than one, begins with these digits."""


class Answer:
    """The rows of a query, read as they are asked for.

    `columns` are their names, each once; `types` are DuckDB's. After the last row `more` says whether the limit cut
    the answer short.
    """

    def __init__(self, reader: Reader, deadline: float | None, limit: int | None) -> None:
        description = reader.connection.description or []
        self.columns = _each_once([name for name, *_ in description])
        self.types = [str(type_) for _, type_, *_ in description]
        self.more = False
        self._reader = reader
        self._deadline = deadline
        self._limit = limit

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Raises `QueryTimeout`, `QueryRefused`, or `StoreDamaged` when a broken block comes up."""
        given = 0
        while rows := self._fetch():
            for row in rows:
                if given == self._limit:
                    self.more = True
                    return
                given += 1
                yield row

    def _fetch(self) -> list[tuple[Any, ...]]:
        with self._reader.guarded(self._deadline):
            return self._reader.connection.fetchmany(_FETCH_ROWS)


class Reader:
    """A store to be asked. Open it with `Reader.open`; it is its own context manager. One query at a time."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self.connection = connection
        self._path = path

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open the store in `path` for queries only.

        Raises `StoreMissing`, `StoreLocked` while another process writes it, `StoreDamaged`, and `StoreForeign`.
        """
        path = Path(path)
        if not path.is_file():
            raise StoreMissing(f"there is no store at {path}")
        connection = connect(path, read_only=True)
        try:
            check_schema(connection, path)
            for setting in _LOCKS:
                connection.execute(setting)
        except BaseException:
            connection.close()
            raise
        return cls(connection, path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def run(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        *,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """Ask in SQL: one statement, `parameters` bound to its `$names`, at most `limit` rows, `timeout` in seconds.

        Raises `QueryRefused` when it is wrong or may not be run, `QueryTimeout`, and `StoreDamaged`.
        """
        deadline = None if timeout is None else monotonic() + timeout
        with self.guarded(deadline):
            statements = self.connection.extract_statements(sql)
            if len(statements) != 1:
                raise QueryRefused(f"one SQL statement is expected, not {len(statements)}")
            self.connection.execute(statements[0], dict(parameters) if parameters else None)
        return Answer(self, deadline, limit)

    @contextmanager
    def guarded(self, deadline: float | None) -> Iterator[None]:
        """Interrupt what runs inside at the deadline (of `time.monotonic`), and put DuckDB's errors plainly."""
        late = QueryTimeout("the query took longer than its timeout; ask for less, or give it more time")
        timer = None
        if deadline is not None:
            if monotonic() >= deadline:
                raise late
            timer = Timer(deadline - monotonic(), self.connection.interrupt)
            timer.daemon = True
            timer.start()
        try:
            with plain_errors(self._path):
                yield
        except duckdb.InterruptException:
            raise late from None
        except duckdb.Error as error:
            raise QueryRefused(_with_hint(str(error))) from error
        finally:
            if timer is not None:
                timer.cancel()

    def finding(self, beginning: str) -> Finding:
        """The finding whose id begins with these digits. Raises `FindingUnknown` unless there is exactly one."""
        found = self._findings("starts_with(f.finding_id, $beginning) LIMIT 4", {"beginning": beginning})
        if not found:
            raise FindingUnknown(f"no finding has an id that begins with {beginning!r}")
        if len(found) > 1:
            some = ", ".join(finding.finding_id for finding in found)
            raise FindingUnknown(f"more than one finding has an id that begins with {beginning!r}: {some}")
        return found[0]

    def findings_of_hand(self, table_id: str, hand_id: str) -> list[Finding]:
        """What was found in a hand, in the order of the events that proved it."""
        return self._findings(
            "f.table_id = $table AND f.hand_id = $hand ORDER BY f.seq, f.rule, f.finding_id",
            {"table": table_id, "hand": hand_id},
        )

    def events_of_hand(self, table_id: str, hand_id: str) -> list[bytes]:
        """A hand's accepted events, raw, in order of `seq`; a hand recorded twice under one number gives both."""
        return self._raws(
            "e.table_id = $table AND e.hand_id = $hand AND e.disposition = 'accepted' ORDER BY e.seq",
            {"table": table_id, "hand": hand_id},
        )

    def table_opened_before(self, table_id: str, seq: int) -> list[bytes]:
        """The table's accepted `table_opened` events before `seq`, raw, in order: the rules of its hands."""
        return self._raws(
            "e.table_id = $table AND e.seq < $seq AND e.type = 'table_opened' AND e.disposition = 'accepted' "
            "ORDER BY e.seq",
            {"table": table_id, "seq": seq},
        )

    def _findings(self, condition: str, parameters: Mapping[str, object]) -> list[Finding]:
        rows = self.run(f"SELECT {_FINDING_COLUMNS} FROM findings AS f WHERE {condition}", parameters)
        return [_finding(row) for row in rows]

    def _raws(self, condition: str, parameters: Mapping[str, object]) -> list[bytes]:
        rows = self.run(f"SELECT e.raw FROM events AS e WHERE {condition}", parameters)
        return [raw.encode() for (raw,) in rows]


def _finding(row: tuple[Any, ...]) -> Finding:
    values = dict(zip(_FINDING_FIELDS, row, strict=True))
    if not isinstance(values["at"], datetime):
        values["at"] = None  # a moment before year 1 or after year 9999 in UTC, which DuckDB gives as text
    return Finding(**values)


def _each_once(names: list[str]) -> list[str]:
    """The names, a repeated one numbered: an object and a Parquet file can hold each only once."""
    seen: dict[str, int] = {}
    result = []
    for name in names:
        count = seen[name.lower()] = seen.get(name.lower(), 0) + 1
        result.append(name if count == 1 else f"{name}_{count}")
    return result


def _with_hint(text: str) -> str:
    if re.search(r"syntax error", text) and re.search(r"\b(at|offset)\b", text):
        return f'{text}\n\n"at" and "offset" are reserved words: write them in double quotes, or as findings.at'
    return text
