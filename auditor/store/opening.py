"""Opening a DuckDB file, and what can be wrong with it, in plain words."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from auditor.store.mark import MarkUnreadable, mark_of, marked

#: The layout that this product writes and reads. It rises when schema.sql changes.
SCHEMA_VERSION = 2


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


class StoreFull(StoreError):
    """There is no room on the disk. What was committed is safe; the next start goes on from it."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(
            f"there is no room for {path}: {text}. Nothing that was committed is lost. Make room and start again; "
            "it goes on from the last checkpoint."
        )


class StoreForeign(StoreError):
    """A sound DuckDB file, but not one that this version of the product can use."""


def connect(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    """A connection whose times are UTC and which never takes a Python variable for a table.

    Raises `StoreLocked`, `StoreDamaged` for a file that is broken or holds less than its mark says, or `StoreError`
    for what else keeps the file from opening.
    """
    if path.is_dir():
        raise StoreForeign(f"{path} is a folder. Name a file in it for the store.")
    promised = _promised(path)
    if promised is not None and not read_only:
        # To write means to replay the log into the file and to drop it. A reader sees what is missing, and leaves the
        # damage as it is.
        connect(path, read_only=True).close()
    connection = _connected(path, read_only)
    if promised is not None and read_only:
        try:
            _check_whole(connection, path, promised)
        except BaseException:
            connection.close()
            raise
    return connection


def _connected(path: Path, read_only: bool) -> duckdb.DuckDBPyConnection:
    new = not path.exists()
    try:
        with plain_errors(path):
            if not new:
                _check_begins_well(path)
            connection = duckdb.connect(
                str(path),
                read_only=read_only,
                config={"python_enable_replacements": "false", "autoinstall_known_extensions": "false"},
            )
            connection.execute("SET TimeZone = 'UTC'")
    except StoreFull:
        if new:  # what there was no room for would be taken for a damaged store by the next start
            path.unlink(missing_ok=True)
        raise
    return connection


def _check_begins_well(path: Path) -> None:
    """Raises unless the file begins as DuckDB's do, or is empty. What is named like data, it would open in memory."""
    with path.open("rb") as file:
        head = file.read(_MAGIC.stop)
    if head and head[_MAGIC.start :] != b"DUCK":
        raise StoreDamaged(f"{path} is damaged, or no store at all: it does not begin as a DuckDB file does")


def _promised(path: Path) -> int | None:
    with plain_errors(path):
        try:
            promised = marked(path)
        except MarkUnreadable as error:
            raise StoreDamaged(f"whether {path} is whole cannot be told: {error}") from None
    if promised is not None and not path.exists():
        raise StoreDamaged(
            f"{path} is damaged: the file is gone, and {promised:,} checkpoints with it. If you have removed it on "
            f"purpose, remove {mark_of(path)}, too."
        )
    return promised


def _check_whole(connection: duckdb.DuckDBPyConnection, path: Path, promised: int) -> None:
    with plain_errors(path):
        known = connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'meta'").fetchone()
        row = connection.execute("SELECT checkpoint FROM meta").fetchone() if known else None
    held = row[0] if row else 0
    if row is None or held < promised:
        raise StoreDamaged(
            f"{path} is damaged: it holds {held:,} of the {promised:,} checkpoints that were committed to it. The "
            f"others are lost, with its log perhaps ({path.name}.wal). If this is an older copy that you have put "
            f"there on purpose, remove {mark_of(path)}."
        )


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
    """Turn what DuckDB and the disk say of the file into the errors of this module; errors of SQL pass as they are."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise StoreFull(path, str(error)) from error
        raise StoreError(f"{path} cannot be used: {error}") from error
    except duckdb.Error as error:
        text = str(error)
        if "Could not set lock on file" in text:
            raise _locked(path, text) from None
        if _FULL.search(text):  # before damage: a commit that finds no room to clean up behind it is "fatal", too
            raise StoreFull(path, text) from error
        if _DAMAGE.search(text) or isinstance(error, _BROKEN):
            raise StoreDamaged(f"{path} is damaged: {text}") from error
        if isinstance(error, duckdb.IOException):
            raise StoreError(f"{path} cannot be used: {text}") from error
        raise


# DuckDB has no classes of its own for these; the texts are pinned by tests.
_DAMAGE = re.compile(
    r"not a valid DuckDB database file|Could not read enough bytes|Corrupt database file|Corrupt WAL file"
)
_BROKEN = (duckdb.FatalException, duckdb.InternalException, duckdb.SerializationException)
_MAGIC = range(8, 12)  # of a DuckDB file
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FULL = re.compile("|".join(os.strerror(number) for number in _NO_ROOM))
_HOLDER = re.compile(r"lock is held in (?P<command>.+?) \(PID (?P<pid>\d+)\)")


def _locked(path: Path, text: str) -> StoreLocked:
    holder = _HOLDER.search(text)
    if holder is None:
        return StoreLocked(path, None, None)
    return StoreLocked(path, int(holder["pid"]), holder["command"])
