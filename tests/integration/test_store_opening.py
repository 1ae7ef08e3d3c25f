"""What can be wrong with the file: held by another process, damaged, another kind of file. Each in plain words."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from store_kit import evening, rows

from auditor.store.opening import StoreDamaged, StoreError, StoreForeign, StoreLocked, StoreMissing
from auditor.store.reader import Reader
from auditor.store.writer import Store

_HEADERS, _BLOCK = 3 * 4096, 256 * 1024  # of a DuckDB file, in bytes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "room.duckdb"
    with Store.open(path) as store:
        store.commit(evening(), {("poker.dealing", 0): 8})
    return path


_WRITES = "from auditor.store.writer import Store as Opened"
_READS = "from auditor.store.reader import Reader as Opened"


@contextmanager
def _held(path: Path, how: str) -> Iterator[int]:
    """Another process holds the file; its id."""
    code = f"import sys; {how}; opened = Opened.open(sys.argv[1]); print('open', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield process.pid
        process.communicate(b"\n")


@pytest.mark.parametrize("open_", [Store.open, Reader.open])
def test_a_store_that_another_process_writes_is_locked(path: Path, open_: Callable[[Path], object]) -> None:
    # Given a process that writes the store
    # When it is opened, to write or to read, then the error names the process and says what to do
    with _held(path, _WRITES) as pid, pytest.raises(StoreLocked, match="Ask the process that holds it") as caught:
        open_(path)
    assert f"in use by process {pid} (" in str(caught.value)
    assert caught.value.pid == pid
    assert "python" in (caught.value.command or "")


def test_two_processes_may_read(path: Path) -> None:
    # Given a process that reads the store
    with _held(path, _READS):
        # When another reads it, then it can, and one that wants to write is told who reads
        assert rows(path, "SELECT count(*) FROM events") == [(10,)]
        with pytest.raises(StoreLocked):
            Store.open(path)


def _random(offset: int, length: int) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(offset)
            file.write(b"\x5a" * length)

    return damage


@pytest.mark.parametrize("open_", [Store.open, Reader.open])
@pytest.mark.parametrize(
    "damage",
    [
        _random(0, 4096),
        _random(4096, 8192),
        lambda path: os.truncate(path, path.stat().st_size // 2),
        lambda path: os.truncate(path, 100),
        lambda path: os.truncate(path, 0),
        lambda path: path.write_text("a shopping list\n" * 1000),
    ],
    ids=["first header", "other headers", "half", "a hundred bytes", "nothing", "a text"],
)
def test_a_damaged_file_is_told_as_such(
    path: Path, damage: Callable[[Path], None], open_: Callable[[Path], object]
) -> None:
    # Given a store whose file was damaged
    damage(path)
    # When it is opened, then the error says so, and the file is left as it is
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match="is damaged"):
        open_(path)
    assert path.read_bytes() == before


def test_a_broken_block_gives_an_error_and_never_a_wrong_answer(tmp_path: Path) -> None:
    # Given a store of several blocks, and its answer to a question that reads all of its data
    path = tmp_path / "big.duckdb"
    Store.open(path).close()
    with duckdb.connect(str(path)) as connection:
        columns = 'source, partition, "offset", raw, reason, kind, headers, ingested'
        fake = "'s', 0, i, encode(sha256(i::VARCHAR)), 'r', 'unreadable', [], i"
        connection.execute(f"INSERT INTO rejects ({columns}) SELECT {fake} FROM range(9000) t(i)")
    question = 'SELECT min(raw), max(reason), sum("offset"), sum(ingested) FROM rejects'
    answer = rows(path, question)
    sound = path.read_bytes()
    told = 0
    # When one block after the other is broken
    for start in range(_HEADERS, len(sound), _BLOCK):
        path.write_bytes(sound)
        _random(start + 5000, 20_000)(path)
        # Then the damage is told when the store is opened or read, or it is in a block that nothing uses
        try:
            assert rows(path, question) == answer
        except StoreDamaged:
            told += 1
    assert told


def test_another_kind_of_duckdb_file_is_refused(tmp_path: Path) -> None:
    # Given a DuckDB file with somebody's own tables
    path = tmp_path / "mine.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE recipes (name VARCHAR)")
    # When it is opened as a store, then it is refused and nothing is added to it
    for open_ in (Store.open, Reader.open):
        with pytest.raises(StoreForeign, match="not a store of this product"):
            open_(path)
    with duckdb.connect(str(path)) as connection:
        assert connection.execute("SHOW TABLES").fetchall() == [("recipes",)]


@pytest.mark.parametrize("name", ["hands.json", "hands.jsonl", "hands.csv", "hands.jsonl.gz", "notes.txt"])
def test_a_file_of_another_kind_is_refused_and_stays_as_it_is(tmp_path: Path, name: str) -> None:
    # Given a file of data, some of which DuckDB would open as a database in memory
    path = tmp_path / name
    path.write_bytes(b'{"seq":1}\n')
    # When it is named as the store, then it is refused, and nothing is written, beside it either
    for open_ in (Store.open, Reader.open):
        with pytest.raises(StoreError):
            open_(path)
    assert path.read_bytes() == b'{"seq":1}\n'
    assert list(tmp_path.iterdir()) == [path]


def test_a_store_may_have_any_name(tmp_path: Path) -> None:
    # Given a store whose name looks like data
    path = tmp_path / "room.json"
    with Store.open(path) as store:
        store.commit(evening(), {("poker.dealing", 0): 8})
    # When it is opened again, then it holds what was stored
    with Store.open(path) as store:
        assert store.offsets() == {("poker.dealing", 0): 8}


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreForeign, match="is a folder"):
        Store.open(tmp_path)


def test_a_store_of_a_later_version_is_refused(path: Path) -> None:
    # Given a store that a later version of the product wrote
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE meta SET schema_version = 99, product_version = '9.9'")
    # When it is opened, then the error names the versions
    for open_ in (Store.open, Reader.open):
        with pytest.raises(StoreForeign, match=r"schema version 99, written by version 9\.9"):
            open_(path)


def test_a_store_that_is_not_there_is_missing_to_a_reader(tmp_path: Path) -> None:
    # When a store is opened to read that does not exist, then it is missing, and is not created
    with pytest.raises(StoreMissing, match="there is no store at"):
        Reader.open(tmp_path / "room.duckdb")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    # When a store is to be created where there is no folder, then the error says what cannot be opened
    with pytest.raises(StoreError, match="No such file or directory"):
        Store.open(tmp_path / "nowhere" / "room.duckdb")
