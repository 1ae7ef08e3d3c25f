"""Opening a DuckDB file, and what can be wrong with it, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

#: The layout that this product writes and reads. It rises when schema.sql changes.
SCHEMA_VERSION = 1


class StoreError(Exception):
    """The store cannot be used. Its text says why and what to do."""


class StoreMissing(StoreError):
    """There is no such file."""


class StoreLocked(StoreError):
    """Another process has the file open. `pid` and `command` name it, where DuckDB could tell."""

    def __init__(self, path: Path, pid: int | None, command: str | None) -> None:
        holder = f"process {pid} ({command})" if pid else "another process"
        super().__init__(
            f"{path} is in use by {holder}. While one process writes a store, no other can open it, not even to read. "
            "Ask the process that holds it, copy the file once it has stopped, or stop it and try again."
        )
        self.pid = pid
        self.command = command


class StoreDamaged(StoreError):
    """The file is no store, or its content is broken."""


class StoreForeign(StoreError):
    """A sound DuckDB file, but not one that this version of the product can use."""


def connect(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    """A connection whose times are UTC and which never takes a Python variable for a table.

    Raises `StoreLocked`, `StoreDamaged`, or `StoreError` for what else keeps the file from opening.
    """
    with plain_errors(path):
        connection = duckdb.connect(
            str(path),
            read_only=read_only,
            config={"python_enable_replacements": "false", "autoinstall_known_extensions": "false"},
        )
        connection.execute("SET TimeZone = 'UTC'")
    return connection


def check_schema(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Raises `StoreForeign` unless the file is a store of the schema version that this product knows."""
    with plain_errors(path):
        known = connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'meta'").fetchone()
        row = connection.execute("SELECT schema_version, product_version FROM meta").fetchone() if known else None
    if row is None:
        raise StoreForeign(f"{path} is a DuckDB file, but not a store of this product")
    version, product = row
    if version != SCHEMA_VERSION:
        raise StoreForeign(
            f"{path} has schema version {version}, written by version {product} of this product; "
            f"this version knows {SCHEMA_VERSION}. Use the version that wrote it, or a later one."
        )


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn what DuckDB says of the file itself into the errors of this module; errors of SQL pass as they are."""
    try:
        yield
    except duckdb.Error as error:
        text = str(error)
        if "Could not set lock on file" in text:
            raise _locked(path, text) from None
        if _DAMAGE.search(text) or isinstance(error, _BROKEN):
            raise StoreDamaged(f"{path} is damaged: {text}") from error
        if isinstance(error, duckdb.IOException):
            raise StoreError(f"{path} cannot be used: {text}") from error
        raise


# DuckDB has no classes of its own for these; the texts are pinned by tests.
_DAMAGE = re.compile(r"not a valid DuckDB database file|Could not read enough bytes|Corrupt database file")
_BROKEN = (duckdb.FatalException, duckdb.InternalException, duckdb.SerializationException)
_HOLDER = re.compile(r"lock is held in (?P<command>.+?) \(PID (?P<pid>\d+)\)")


def _locked(path: Path, text: str) -> StoreLocked:
    holder = _HOLDER.search(text)
    if holder is None:
        return StoreLocked(path, None, None)
    return StoreLocked(path, int(holder["pid"]), holder["command"])
