"""The writing side of the store: one checkpoint is one DuckDB transaction.

Raw events, rejects, findings, hands, tables and the next offsets are committed together or not at all, so a process
killed at any moment goes on from its last commit with the same events and the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from importlib import resources
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from secrets import token_hex
from typing import Any, Self

import duckdb

from auditor import __version__
from auditor.findings import Finding, HandSummary, Reject
from auditor.intake import AuditedFile, Letter, Outcomes, TableRecord
from auditor.store import bulk
from auditor.store.mark import Mark
from auditor.store.opening import SCHEMA_VERSION, StoreError, check_schema, connect, plain_errors

# The columns of each further table that the writer fills, in order: the names of the model's own fields.
REJECT_COLUMNS = tuple(Reject.model_fields)
FINDING_COLUMNS = tuple(Finding.model_fields)
HAND_COLUMNS = tuple(HandSummary.model_fields)
TABLE_COLUMNS = tuple(field.name for field in fields(TableRecord))
FILE_COLUMNS = tuple(field.name for field in fields(AuditedFile))

_finding_row = attrgetter(*FINDING_COLUMNS)
_hand_row = attrgetter(*HAND_COLUMNS)
_table_row = attrgetter(*TABLE_COLUMNS)
_file_row = attrgetter(*FILE_COLUMNS)

_FORGET_FINDINGS = "DELETE FROM findings WHERE finding_id IN (SELECT unnest($1::VARCHAR[]))"
_FORGET_TABLES = "DELETE FROM tables WHERE table_id IN (SELECT unnest($1::VARCHAR[]))"
# A hand's start never changes, so it may stand in the key; hands are stored about in order of time, and DuckDB then
# looks only at the blocks of that time instead of at all hands ever played.
_FORGET_HANDS = """
    DELETE FROM hands WHERE (table_id, hand_id, started_seq, started_at) IN
        (SELECT unnest($1::VARCHAR[]), unnest($2::VARCHAR[]), unnest($3::BIGINT[]), unnest($4::TIMESTAMPTZ[]))
"""
# Rows are in the order of their last change, so that the last of the closed tables are those that were closed last.
_TABLES = """
    WITH wanted AS (
        SELECT tables.*, tables.rowid AS place FROM tables WHERE (tables.partition = $1 OR $1 IS NULL) AND (
            open OR tables.rowid IN (
                SELECT rowid FROM tables WHERE NOT open AND (partition = $1 OR $1 IS NULL) ORDER BY rowid DESC LIMIT $2
            )
        )
    ), known AS (
        SELECT table_id, seq, raw FROM events JOIN wanted USING (table_id)
        WHERE seq > boundary_seq AND (disposition = 'accepted' OR list_contains(late, seq))
        UNION
        SELECT table_id, seq, raw FROM carried JOIN wanted USING (table_id) WHERE seq > boundary_seq
    )
    SELECT wanted.* EXCLUDE (place), known.raw FROM wanted LEFT JOIN known USING (table_id)
    ORDER BY wanted.place, known.seq
"""
_CLOSED_TABLES = """
    SELECT table_id, next_seq FROM tables WHERE NOT open AND (partition = $1 OR $1 IS NULL) ORDER BY rowid
"""
_LETTERS = """
    SELECT number, findings.* FROM outbox JOIN findings USING (finding_id) WHERE number > $1 ORDER BY number LIMIT $2
"""
_REJECTED_LETTERS = """
    SELECT number, rejects.* EXCLUDE (ingested) FROM outbox JOIN rejects USING (source, partition, "offset")
    WHERE number > $1 ORDER BY number LIMIT $2
"""
_FORGET_CARRIED = "DELETE FROM carried WHERE table_id IN (SELECT table_id FROM tables WHERE partition = $1)"
_DROP_CARRIED = """
    DELETE FROM carried USING (SELECT unnest($1::VARCHAR[]) AS name, unnest($2::BIGINT[]) AS boundary) AS now
    WHERE carried.table_id = now.name AND carried.seq <= now.boundary
"""
_OUTBOX_COLUMNS = ("number", "finding_id", "source", "partition", "offset")
_COUNT = "UPDATE meta SET checkpoint = $1"
_FETCH_ROWS = 10_000
_SETTINGS = (
    # A checkpoint's batch is small: a second thread costs more than it brings, and the core needs its processor.
    "SET threads = 1",
    # Rewriting half-filled blocks every 16 MB (the default) costs a tenth of the speed. Not more than this, because the
    # log is replayed on the start after a crash.
    "SET checkpoint_threshold = '64MB'",
    # What was written stays in memory as long as there is room, by default four fifths of the machine. Nothing here
    # reads it again.
    "SET memory_limit = '512MB'",
    bulk.SETTING,
)


class AlreadyStored(StoreError):
    """A commit would move an offset back: what it holds is in the store, and would be stored twice."""


class Store:
    """The one writer of a store. Open it with `Store.open`; it is its own context manager."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._offsets: dict[tuple[str, int], int] = self._stored_offsets()
        self._checkpoint = self._stored_checkpoint()
        self._carries = self._stored_carried()  # whether there is anything to drop from `carried`
        with plain_errors(path):
            self._mark = Mark(path)
            self._mark.note(self._checkpoint)

    @property
    def path(self) -> Path:
        """The DuckDB file."""
        return self._path

    @property
    def store_id(self) -> str:
        """What names this store for ever, wherever its file goes."""
        with plain_errors(self._path):
            [(name,)] = self._connection.execute("SELECT store_id FROM meta").fetchall()
        return str(name)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open the store in `path`, or create it.

        Raises `StoreLocked` while another process has it open, `StoreDamaged`, `StoreForeign` when it is another
        kind of file or of a later version, and `StoreError` when it cannot be created.
        """
        path = Path(path)
        connection = connect(path, read_only=False)
        try:
            with plain_errors(path):
                for setting in _SETTINGS:
                    connection.execute(setting)
                if _is_empty(connection):
                    _create(connection)
            check_schema(connection, path)
            return cls(connection, path)
        except BaseException:
            connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        with plain_errors(self._path):
            self._mark.close()
            self._connection.close()

    def offsets(self) -> dict[tuple[str, int], int]:
        """The next offset to read, by (source, partition)."""
        return dict(self._offsets)

    def commit(
        self,
        outcomes: Outcomes,
        offsets: Mapping[tuple[str, int], int],
        *,
        letters: Sequence[Letter] = (),
        delivered: int = 0,
        files: Sequence[AuditedFile] = (),
    ) -> None:
        """Store all of `outcomes` and the next offsets in one transaction; on any error, none of it.

        Findings, hands and tables replace their earlier versions. `letters` go into the outbox, and those up to the
        number `delivered` out of it. `files`: those that a job is done with. Raises `AlreadyStored` when an offset
        would go back, `StoreDamaged` or `StoreError` when the file cannot be written.
        """
        self._refuse_to_go_back(offsets)
        with self._transaction():
            if outcomes.events:
                bulk.insert_events(self._connection, outcomes.events)
            self._append("rejects", REJECT_COLUMNS, [_reject_row(reject) for reject in outcomes.rejects])
            self._replace_findings(list(outcomes.findings.values()))
            self._replace_hands(list(outcomes.hands.values()))
            self._replace_tables(list(outcomes.tables.values()))
            self._append("outbox", _OUTBOX_COLUMNS, [_outbox_row(letter) for letter in letters])
            self._forget_letters(delivered)
            self._append("files", FILE_COLUMNS, [_file_row(file) for file in files])
            self._advance(offsets)
        self._offsets.update(offsets)

    def adopt(
        self,
        partition: int,
        offsets: Mapping[tuple[str, int], int],
        tables: Iterable[tuple[TableRecord, Sequence[tuple[int, bytes]]]],
    ) -> None:
        """Take over the tables of one partition as they are at `offsets`, with their events after the boundary.

        Another store holds what is before. What this one knew of the partition's tables is replaced. Raises as
        `commit` does.
        """
        self._refuse_to_go_back(offsets)
        known = list(tables)
        with self._transaction():
            self._connection.execute(_FORGET_CARRIED, [partition])
            self._connection.execute("DELETE FROM tables WHERE partition = $1", [partition])
            self._replace_tables([record for record, _ in known])
            carried = [(record.table_id, seq, raw.decode()) for record, tail in known for seq, raw in tail]
            self._append("carried", ("table_id", "seq", "raw"), carried)
            self._advance(offsets)
        self._carries = self._carries or bool(carried)
        self._offsets.update(offsets)

    def _refuse_to_go_back(self, offsets: Mapping[tuple[str, int], int]) -> None:
        for key, offset in offsets.items():
            if offset < self._offsets.get(key, 0):
                source, partition = key
                raise AlreadyStored(
                    f"{source}, partition {partition}, is stored up to offset {self._offsets[key]:,}; "
                    f"a commit up to {offset:,} would store events twice"
                )

    def tables(self, closed: int, partition: int | None = None) -> Iterator[tuple[TableRecord, list[bytes]]]:
        """For a restart: each open table, and of the closed ones so many that were closed last, in that order.

        Each with its events after `boundary_seq` that took their place, raw, in order of `seq`. `partition`: only the
        tables whose events come over it.
        """
        with plain_errors(self._path), self._connection.cursor() as cursor:
            cursor.execute(_TABLES, [partition, closed])
            rows = iter(lambda: cursor.fetchmany(_FETCH_ROWS), [])
            flat = (row for batch in rows for row in batch)
            for _, group in groupby(flat, key=itemgetter(0)):
                of_table = list(group)
                yield _table_record(of_table[0][:-1]), [raw.encode() for *_, raw in of_table if raw is not None]

    def closed_tables(self, partition: int | None = None) -> list[tuple[str, int]]:
        """Every closed table with the number at which its order goes on, should it open again."""
        with plain_errors(self._path):
            return self._connection.execute(_CLOSED_TABLES, [partition]).fetchall()

    def letters(self, after: int, most: int) -> list[Letter]:
        """What is still in the outbox behind a number, in order; of a finding, its newest version."""
        with plain_errors(self._path):
            findings = self._connection.execute(_LETTERS, [after, most]).fetchall()
            rejects = self._connection.execute(_REJECTED_LETTERS, [after, most]).fetchall()
        letters = [Letter(number, Finding(**dict(zip(FINDING_COLUMNS, row, strict=True)))) for number, *row in findings]
        letters += [Letter(number, _reject(row)) for number, *row in rejects]
        return sorted(letters, key=itemgetter(0))[:most]

    def forget_letters(self, delivered: int) -> None:
        """Take the letters up to a number out of the outbox."""
        with self._transaction():
            self._forget_letters(delivered)

    @property
    def last_letter(self) -> int:
        """The highest number in the outbox, or 0."""
        with plain_errors(self._path):
            [(number,)] = self._connection.execute("SELECT coalesce(max(number), 0) FROM outbox").fetchall()
        return int(number)

    def rows(self, query: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, a few thousand at a time."""
        with plain_errors(self._path), self._connection.cursor() as cursor:
            cursor.execute(query, list(parameters))
            while batch := cursor.fetchmany(_FETCH_ROWS):
                yield from batch

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with plain_errors(self._path):
            self._connection.begin()
            try:
                yield
                self._connection.execute(_COUNT, [self._checkpoint + 1])
                self._connection.commit()
            except BaseException:
                # The first error is the one to tell; after some of them DuckDB has rolled back already.
                with suppress(duckdb.Error):
                    self._connection.rollback()
                raise
            self._checkpoint += 1
            self._mark.note(self._checkpoint)

    def _append(self, table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            with self._connection.appender(table, columns=list(columns)) as appender:
                appender.append_rows(rows)

    def _replace_findings(self, findings: Sequence[Finding]) -> None:
        if findings:
            self._connection.execute(_FORGET_FINDINGS, [[finding.finding_id for finding in findings]])
            self._append("findings", FINDING_COLUMNS, [_finding_row(finding) for finding in findings])

    def _replace_hands(self, hands: Sequence[HandSummary]) -> None:
        if hands:
            keys = [(hand.table_id, hand.hand_id, hand.started_seq, hand.started_at) for hand in hands]
            self._connection.execute(_FORGET_HANDS, [list(column) for column in zip(*keys, strict=True)])
            self._append("hands", HAND_COLUMNS, [_hand_row(hand) for hand in hands])

    def _replace_tables(self, tables: Sequence[TableRecord]) -> None:
        if tables:
            names = [table.table_id for table in tables]
            self._connection.execute(_FORGET_TABLES, [names])
            if self._carries:
                self._connection.execute(_DROP_CARRIED, [names, [table.boundary_seq for table in tables]])
            self._append("tables", TABLE_COLUMNS, [_table_row(table) for table in tables])

    def _forget_letters(self, delivered: int) -> None:
        if delivered:
            self._connection.execute("DELETE FROM outbox WHERE number <= $1", [delivered])

    def _advance(self, offsets: Mapping[tuple[str, int], int]) -> None:
        for (source, partition), offset in offsets.items():
            known = self._offsets.get((source, partition))
            if known is None:
                statement = "INSERT INTO offsets (next_offset, source, partition) VALUES ($1, $2, $3)"
            elif known != offset:
                statement = "UPDATE offsets SET next_offset = $1 WHERE source = $2 AND partition = $3"
            else:
                continue
            self._connection.execute(statement, [offset, source, partition])

    def _stored_offsets(self) -> dict[tuple[str, int], int]:
        with plain_errors(self._path):
            rows = self._connection.execute("SELECT source, partition, next_offset FROM offsets").fetchall()
        return {(source, partition): offset for source, partition, offset in rows}

    def _stored_carried(self) -> bool:
        with plain_errors(self._path):
            return self._connection.execute("SELECT 1 FROM carried LIMIT 1").fetchone() is not None

    def _stored_checkpoint(self) -> int:
        with plain_errors(self._path):
            [(checkpoint,)] = self._connection.execute("SELECT checkpoint FROM meta").fetchall()
        return int(checkpoint)


def _is_empty(connection: duckdb.DuckDBPyConnection) -> bool:
    return connection.execute("SELECT 1 FROM duckdb_tables() LIMIT 1").fetchone() is None


def _create(connection: duckdb.DuckDBPyConnection) -> None:
    schema = resources.files("auditor.store").joinpath("schema.sql").read_text(encoding="utf-8")
    connection.begin()
    connection.execute(schema)
    connection.execute("INSERT INTO meta VALUES ($1, $2, now(), $3, 0)", [SCHEMA_VERSION, __version__, token_hex(5)])
    connection.commit()


def _reject_row(reject: Reject) -> tuple[Any, ...]:
    values = dict(reject)
    values["headers"] = [{"name": name, "value": value} for name, value in reject.headers]
    return tuple(values[column] for column in REJECT_COLUMNS)


def _reject(row: Sequence[Any]) -> Reject:
    values = dict(zip(REJECT_COLUMNS, row, strict=True))
    values["headers"] = tuple((header["name"], header["value"]) for header in values["headers"])
    return Reject(**values)


def _table_record(row: Sequence[Any]) -> TableRecord:
    values = dict(zip(TABLE_COLUMNS, row, strict=True))
    return TableRecord(**{**values, "late": tuple(values["late"])})


def _outbox_row(letter: Letter) -> tuple[Any, ...]:
    number, what = letter
    if isinstance(what, Finding):
        return number, what.finding_id, None, None, None
    return number, None, what.source, what.partition, what.offset
