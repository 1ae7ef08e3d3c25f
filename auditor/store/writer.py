"""The writing side of the store: one checkpoint is one DuckDB transaction.

Raw events, rejects, findings, hands, tables and the next offsets are committed together or not at all, so a process
killed at any moment goes on from its last commit with the same events and the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from importlib import resources
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

import duckdb

from auditor import __version__
from auditor.findings import Finding, HandSummary, Reject
from auditor.intake import EVENT_COLUMNS, AuditedFile, Outcomes, TableRecord
from auditor.store.opening import SCHEMA_VERSION, StoreError, check_schema, connect, plain_errors

# The columns of each further table that the writer fills, in order: the names of the model's own fields.
REJECT_COLUMNS = tuple(Reject.model_fields)
FINDING_COLUMNS = tuple(Finding.model_fields)
HAND_COLUMNS = tuple(HandSummary.model_fields)
TABLE_COLUMNS = tuple(field.name for field in fields(TableRecord))
FILE_COLUMNS = tuple(field.name for field in fields(AuditedFile))

_reject_row = attrgetter(*REJECT_COLUMNS)
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
_OPEN_TABLES = """
    SELECT tables.*, events.raw FROM tables
    LEFT JOIN events
        ON events.table_id = tables.table_id AND events.seq > tables.boundary_seq AND events.disposition = 'accepted'
    WHERE tables.open
    ORDER BY tables.table_id, events.seq
"""
_FETCH_ROWS = 10_000
_SETTINGS = (
    # A checkpoint's batch is small: a second thread costs more than it brings, and the core needs its processor.
    "SET threads = 1",
    # Rewriting half-filled blocks every 16 MB (the default) costs a tenth of the speed. Not more than this, because the
    # log is replayed on the start after a crash.
    "SET checkpoint_threshold = '64MB'",
)


class AlreadyStored(StoreError):
    """A commit would move an offset back: what it holds is in the store, and would be stored twice."""


class Store:
    """The one writer of a store. Open it with `Store.open`; it is its own context manager."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._offsets: dict[tuple[str, int], int] = self._stored_offsets()

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
            self._connection.close()

    def offsets(self) -> dict[tuple[str, int], int]:
        """The next offset to read, by (source, partition)."""
        return dict(self._offsets)

    def commit(
        self, outcomes: Outcomes, offsets: Mapping[tuple[str, int], int], files: Sequence[AuditedFile] = ()
    ) -> None:
        """Store all of `outcomes` and the next offsets in one transaction; on any error, none of it.

        `files`: those that are done with it.

        Findings, hands and tables replace their earlier versions. Raises `AlreadyStored` when an offset would go
        back, `StoreDamaged` or `StoreError` when the file cannot be written.
        """
        for key, offset in offsets.items():
            if offset < self._offsets.get(key, 0):
                source, partition = key
                raise AlreadyStored(
                    f"{source}, partition {partition}, is stored up to offset {self._offsets[key]:,}; "
                    f"a commit up to {offset:,} would store events twice"
                )
        with self._transaction():
            self._append("events", EVENT_COLUMNS, outcomes.events)
            self._append("rejects", REJECT_COLUMNS, [_reject_row(reject) for reject in outcomes.rejects])
            self._replace_findings(list(outcomes.findings.values()))
            self._replace_hands(list(outcomes.hands.values()))
            self._replace_tables(list(outcomes.tables.values()))
            self._append("files", FILE_COLUMNS, [_file_row(file) for file in files])
            self._advance(offsets)
        self._offsets.update(offsets)

    def open_tables(self) -> Iterator[tuple[TableRecord, list[bytes]]]:
        """For a restart: each open table with its accepted events after `boundary_seq`, raw, in order of `seq`."""
        with plain_errors(self._path), self._connection.cursor() as cursor:
            cursor.execute(_OPEN_TABLES)
            rows = iter(lambda: cursor.fetchmany(_FETCH_ROWS), [])
            flat = (row for batch in rows for row in batch)
            for record, group in groupby(flat, key=lambda row: TableRecord(*row[:-1])):
                yield record, [raw.encode() for *_, raw in group if raw is not None]

    def closed_tables(self) -> list[tuple[str, int]]:
        """Every closed table with the number at which its order goes on, should it open again."""
        with plain_errors(self._path):
            return self._connection.execute("SELECT table_id, next_seq FROM tables WHERE NOT open").fetchall()

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
                self._connection.commit()
            except BaseException:
                # The first error is the one to tell; after some of them DuckDB has rolled back already.
                with suppress(duckdb.Error):
                    self._connection.rollback()
                raise

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
            self._connection.execute(_FORGET_TABLES, [[table.table_id for table in tables]])
            self._append("tables", TABLE_COLUMNS, [_table_row(table) for table in tables])

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


def _is_empty(connection: duckdb.DuckDBPyConnection) -> bool:
    return connection.execute("SELECT 1 FROM duckdb_tables() LIMIT 1").fetchone() is None


def _create(connection: duckdb.DuckDBPyConnection) -> None:
    schema = resources.files("auditor.store").joinpath("schema.sql").read_text(encoding="utf-8")
    connection.begin()
    connection.execute(schema)
    connection.execute("INSERT INTO meta VALUES ($1, $2, now())", [SCHEMA_VERSION, __version__])
    connection.commit()
