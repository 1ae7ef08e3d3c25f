"""What DuckDB does not tell: a log that lost transactions. And a full disk, told from damage."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
import typer
from store_kit import evening, event, outcomes, rows

from auditor.cli.exits import DAMAGED, UNAVAILABLE
from auditor.cli.stores import open_live_store
from auditor.store.damage import set_aside
from auditor.store.mark import Mark, mark_of, marked
from auditor.store.opening import StoreDamaged
from auditor.store.reader import Reader
from auditor.store.writer import AlreadyStored, Store

BATCH, BATCHES = 50, 20  # events, commits

# Commits batches to a store until it has all of them, or no room; then it is killed, as by kill -9. Its log stays.
_COMMITTER = f"""
import os, resource, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from store_kit import event, outcomes
from auditor.store.opening import StoreFull
from auditor.store.writer import Store

path, room, batches, threshold = sys.argv[1], *map(int, sys.argv[2:])
store = Store.open(path)
store._connection.execute(f"SET checkpoint_threshold = '{{threshold}}KB'")  # to get there with less to write
resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))  # of each file: what a full disk does
try:
    for first in range(0, batches * {BATCH}, {BATCH}):
        events = [event(first + i + 1, offset=first + i, pad=os.urandom(100).hex()) for i in range({BATCH})]
        store.commit(outcomes(events=events), {{("poker.dealing", 0): first + {BATCH}}})
        print(first + {BATCH}, flush=True)
except StoreFull as full:
    print(full, file=sys.stderr, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
PLENTY = 1 << 40  # bytes


def _committed(path: Path, room: int = PLENTY, batches: int = BATCHES, log: int = 64_000) -> tuple[int, str]:
    """Let a process commit and be killed: how many events it has committed, and what it said in the end.

    `room`: bytes for each file; `log`: kilobytes from which on the log is put into the file.
    """
    call = [sys.executable, "-c", _COMMITTER, path, str(room), str(batches), str(log)]
    ended = subprocess.run(call, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode < 0, ended.stderr
    return int(ended.stdout.split()[-1]), ended.stderr


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store whose process was killed: all its transactions are in the log."""
    folder = tmp_path_factory.mktemp("killed")
    assert _committed(folder / "room.duckdb") == (BATCH * BATCHES, "")
    return folder


@pytest.fixture
def path(killed: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(killed, tmp_path, dirs_exist_ok=True)
    return tmp_path / "room.duckdb"


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}.wal")


def _cut(share: float) -> Callable[[Path], None]:
    return lambda path: os.truncate(_log(path), int(_log(path).stat().st_size * share))


def _flip(offset: int) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        with _log(path).open("r+b") as file:
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes([byte ^ 1]))

    return damage


def _all_bytes(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


@pytest.mark.parametrize("open_", [Store.open, Reader.open])
@pytest.mark.parametrize(
    "damage",
    [
        _cut(0.9),
        _cut(0.2),
        _cut(0.0),
        lambda path: _log(path).unlink(),
        _flip(100),
        _flip(60_000),
    ],
    ids=["end cut off", "most cut off", "emptied", "gone", "first entries broken", "a later entry broken"],
)
def test_a_log_that_lost_transactions_is_told(
    path: Path, damage: Callable[[Path], None], open_: Callable[[Path], object]
) -> None:
    # Given a store whose log was damaged, most of which DuckDB takes without a word
    damage(path)
    before = _all_bytes(path)
    # When it is opened, to write or to read, then that is refused, and every byte stays where it was
    with pytest.raises(StoreDamaged, match="is damaged"):
        open_(path)
    assert _all_bytes(path) == before


def test_a_log_that_is_whole_is_replayed(path: Path) -> None:
    # When a store whose process was killed is opened again, then it holds all that was committed, and goes on
    with Store.open(path) as store:
        assert store.offsets() == {("poker.dealing", 0): BATCH * BATCHES}
    assert rows(path, "SELECT count(*) FROM events") == [(BATCH * BATCHES,)]
    assert marked(path) == BATCHES


def test_a_half_written_transaction_is_no_damage(path: Path) -> None:
    # Given a process that died in the midst of a commit: its last entry is torn, and it was not noted
    size = _log(path).stat().st_size
    os.truncate(_log(path), size - 100)
    mark_of(path).write_text(f"{BATCHES - 1:020}\n")
    # When the store is opened, then it holds what was committed before, and takes the lost batch again
    last = BATCH * (BATCHES - 1)
    with Store.open(path) as store:
        assert store.offsets() == {("poker.dealing", 0): last}
        again = outcomes(events=[event(last + i + 1, offset=last + i) for i in range(BATCH)])
        store.commit(again, {("poker.dealing", 0): last + BATCH})
    assert rows(path, "SELECT count(*), count(DISTINCT seq) FROM events") == [(BATCH * BATCHES, BATCH * BATCHES)]


def test_a_file_that_is_gone_is_not_made_anew(path: Path) -> None:
    # Given a store whose file was removed, and its mark was not
    path.unlink()
    # When it is opened, then nobody takes an empty store for it
    with pytest.raises(StoreDamaged, match=r"the file is gone.+remove .+room\.duckdb\.mark"):
        Store.open(path)
    assert not path.exists()


def test_an_older_copy_is_told_and_can_be_meant(tmp_path: Path) -> None:
    # Given a store with a copy of its first commit put in its place
    path = tmp_path / "room.duckdb"
    with Store.open(path) as store:
        store.commit(evening(), {("poker.dealing", 0): 8})
    copy = path.read_bytes()
    with Store.open(path) as store:
        store.commit(outcomes(events=[event(7)]), {("poker.dealing", 0): 9})
    path.write_bytes(copy)
    # When it is opened, then it is told how much is missing, and what to do if that was meant
    with pytest.raises(StoreDamaged, match=r"holds 1 of the 2 checkpoints.+older copy.+remove .+\.mark"):
        Store.open(path)
    # And when that is done, then it opens, and has a mark again
    mark_of(path).unlink()
    Store.open(path).close()
    assert marked(path) == 1


def test_a_mark_that_cannot_be_read_is_told(path: Path) -> None:
    mark_of(path).write_bytes(b"\x00" * 21)
    with pytest.raises(StoreDamaged, match=r"room\.duckdb\.mark holds no number"):
        Store.open(path)


def test_a_commit_that_failed_is_not_noted(tmp_path: Path) -> None:
    # Given a store with one commit
    path = tmp_path / "room.duckdb"
    with Store.open(path) as store:
        store.commit(evening(), {("poker.dealing", 0): 8})
        # When two more are refused, one by us and one by DuckDB
        with pytest.raises(AlreadyStored):
            store.commit(outcomes(events=[event(8)]), {("poker.dealing", 0): 5})
        with pytest.raises(duckdb.Error):
            store.commit(outcomes(events=[(*event(8)[:-1], None)]), {("poker.dealing", 0): 9})
        # Then the mark stands at one, and at two after the next that succeeds
        assert marked(path) == 1
        store.commit(outcomes(events=[event(8)]), {("poker.dealing", 0): 9})
        assert marked(path) == 2


@pytest.mark.parametrize(
    ("room", "log", "when"),
    [(300_000, 64_000, "Failed to commit"), (1_500_000, 500, "autocheckpoint failed")],
    ids=["in a commit", "behind a commit"],
)
def test_a_full_disk_is_no_damage_and_costs_nothing(tmp_path: Path, room: int, log: int, when: str) -> None:
    # Given a store on a disk that is full in the end
    path = tmp_path / "room.duckdb"
    committed, words = _committed(path, room, 1_000, log)
    assert "there is no room for" in words
    assert "Make room and start again" in words
    assert when in words
    # When there is room again, then it holds all that was committed, whole batches, and goes on
    with Store.open(path) as store:
        after = store.offsets()["poker.dealing", 0]
        assert committed <= after <= committed + BATCH
        store.commit(outcomes(events=[event(after + 1, offset=after)]), {("poker.dealing", 0): after + 1})
    assert rows(path, "SELECT count(*), count(DISTINCT seq) FROM events") == [(after + 1, after + 1)]


def test_a_store_that_there_was_no_room_to_make_can_be_made_later(tmp_path: Path) -> None:
    # Given a disk so full that a new store does not fit
    path = tmp_path / "room.duckdb"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))"
    code = f"{limit}; from auditor.store.writer import Store; Store.open({str(path)!r})"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "StoreFull: there is no room for" in ended.stderr
    # When there is room, then what was begun is no obstacle
    Store.open(path).close()
    assert rows(path, "SELECT count(*) FROM events") == [(0,)]


def test_a_store_is_set_aside_with_all_that_belongs_to_it(path: Path) -> None:
    # Given a store with its log and its mark, and one that was set aside before
    first = set_aside(path)
    _committed(path, batches=3)
    before = {name.removeprefix(path.name): content for name, content in _all_bytes(path).items()
              if not name.startswith(first.name)}  # fmt: skip
    # When it is set aside, too
    aside = set_aside(path)
    # Then nothing is left in its place, nothing was overwritten, and both can be opened under their new names
    assert aside != first
    after = {name.removeprefix(aside.name): content for name, content in _all_bytes(path).items()
             if name.startswith(aside.name)}  # fmt: skip
    assert after == before
    assert set(before) == {"", ".wal", ".mark"}
    assert not any(each.exists() for each in (path, _log(path), mark_of(path)))
    for file, batches in ((first, BATCHES), (aside, 3)):
        assert rows(file, "SELECT count(*) FROM events") == [(batches * BATCH,)]


def test_what_a_crash_left_half_set_aside_is_still_damaged(path: Path) -> None:
    # Given a process that died while it set a store aside: log and file are away, the mark is not
    set_aside(path)
    Mark(path).note(BATCHES)
    # When a store is opened there, then it is not taken for a new one; and the rest can be set aside
    with pytest.raises(StoreDamaged):
        Store.open(path)
    set_aside(path)
    Store.open(path).close()


def test_a_damaged_store_is_left_alone_unless_told_otherwise(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Given a store that lost transactions
    _cut(0.5)(path)
    before = _all_bytes(path)
    # When the service opens it, then it leaves with the word on how to build it anew, and changes nothing
    with pytest.raises(typer.Exit) as left, open_live_store(path, rebuild=False):
        pass
    assert left.value.exit_code == DAMAGED
    assert "auditor run --rebuild" in capsys.readouterr().err
    assert _all_bytes(path) == before
    # And when it is told to rebuild, then it begins with an empty one, and the damaged one is beside it
    with open_live_store(path, rebuild=True) as store:
        assert store.offsets() == {}
    (aside,) = path.parent.glob("room.duckdb.damaged-*Z")
    assert aside.read_bytes() == before[path.name]


@pytest.mark.parametrize(("rebuild", "code"), [(False, DAMAGED), (True, UNAVAILABLE)])
def test_damage_that_shows_while_it_works_ends_the_service(path: Path, rebuild: bool, code: int) -> None:
    # Given a service at work
    # When it meets a broken block
    with pytest.raises(typer.Exit) as left, open_live_store(path, rebuild=rebuild):
        raise StoreDamaged(f"{path} is damaged: a block's checksum is wrong")
    # Then it ends; what it worked on is out of the way if that was asked for, so that the next start begins anew
    assert left.value.exit_code == code
    assert path.exists() is not rebuild
