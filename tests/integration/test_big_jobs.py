"""Folders of hand histories: every hand once, on any number of processes, whatever stops the job in between."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import duckdb
import psutil
import pytest

from auditor.jobs.seen import Seen

HAND = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 AsKd", "d dh p2 {twice}Qd", "d dh p3 ????", "p3 f", "p1 f"]
finishing_stacks = [99, 101, 100]
hand = {number}
"""
SEED = 7

#: What a row of each table says, apart from the order in which it came in and the time of day.
ROWS = {
    "events": "* EXCLUDE (ingested)",
    "hands": "*",
    "findings": "*",
    "rejects": "* EXCLUDE (ingested)",
    "tables": "*",
    "files": "* EXCLUDE (finished_at)",
}


def folder_of_hands(folder: Path, files: int, hands: int) -> Path:
    """Files of hands; in one hand of ten the same card is dealt twice, and one hand a file is broken."""
    folder.mkdir()
    for file in range(files):
        texts = []
        for each in range(hands):
            number = file * hands + each
            text = HAND.format(number=number, twice="As" if number % 10 == 0 else "Qs")
            texts.append(f"[{each + 1}]\n" + (text if each != hands // 2 else text.replace("p1 f", "p9 f")))
        (folder / f"{file}.phhs").write_text("".join(texts))
    return folder


def command(*args: object) -> list[str]:
    return [sys.executable, "-m", "auditor.cli.main", "audit", "--format", "jsonl", *map(str, args)]


def audit(*args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*args), capture_output=True, text=True, check=False)


def rows(store: Path) -> dict[str, list[str]]:
    with duckdb.connect(str(store), read_only=True) as connection:
        return {
            table: sorted(map(repr, connection.execute(f"SELECT {columns} FROM {table}").fetchall()))
            for table, columns in ROWS.items()
        }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of_hands(tmp_path_factory.mktemp("job") / "hands", files=6, hands=120)


@pytest.fixture(scope="module")
def undisturbed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, list[str]]]:
    """What one process prints and stores of the folder, with nothing in its way."""
    store = tmp_path_factory.mktemp("one") / "one.duckdb"
    done = audit(folder, "--jobs", 1, "--store", store)
    assert done.returncode == 0
    return done.stdout, rows(store)


def test_any_number_of_processes_gives_the_same(
    folder: Path, undisturbed: tuple[str, dict[str, list[str]]], tmp_path: Path
) -> None:
    # given what one process prints and stores
    printed, stored = undisturbed
    assert len(stored["hands"]) == 6 * 119
    assert len(stored["rejects"]) == 6
    # when three do it
    done = audit(folder, "--jobs", 3, "--store", tmp_path / "three.duckdb")
    # then they print the same in the same order, and store the same
    assert done.stdout == printed
    assert rows(tmp_path / "three.duckdb") == stored


def test_a_file_that_was_audited_is_skipped_under_any_name(folder: Path, tmp_path: Path) -> None:
    # given a store that holds one file
    store = tmp_path / "store.duckdb"
    assert audit(folder / "0.phhs", "--store", store).returncode == 0
    before = rows(store)
    # when it comes again under another name, and then again with a hand more
    again = tmp_path / "again.phhs"
    again.write_bytes((folder / "0.phhs").read_bytes())
    skipped = audit(again, "--store", store)
    assert rows(store) == before
    assert "1 of 1 files were audited before" in skipped.stderr
    again.write_text(again.read_text() + "[200]\n" + HAND.format(number=200, twice="Qs"))
    assert audit(again, "--store", store).returncode == 0
    # then only that hand is new
    assert len(rows(store)["hands"]) == len(before["hands"]) + 1


def test_a_hand_in_two_files_is_stored_once(folder: Path, tmp_path: Path) -> None:
    # given two files that overlap
    text = (folder / "0.phhs").read_text()
    (tmp_path / "a.phhs").write_text(text)
    (tmp_path / "b.phhs").write_text(text.replace("hand = 7\n", "hand = 7000\n"))
    # when both are audited
    done = audit(tmp_path / "a.phhs", tmp_path / "b.phhs", "--store", tmp_path / "store.duckdb")
    # then the hands that both hold are there once, and no finding comes of their being there twice
    stored = rows(tmp_path / "store.duckdb")
    assert len(stored["hands"]) == 120
    assert "identical copies dropped" in done.stderr
    assert "FEED103" not in done.stdout


def test_a_job_that_is_killed_again_and_again_stores_what_one_run_does(
    folder: Path, undisturbed: tuple[str, dict[str, list[str]]], tmp_path: Path
) -> None:
    # given a job that is killed at random moments
    store, rng, kills = tmp_path / "store.duckdb", random.Random(SEED), 0
    while kills < 10:
        running = subprocess.Popen(
            command(folder, "--jobs", 2, "--store", store),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "AUDITOR_TEST_JOB": str(store)},
        )
        time.sleep(rng.uniform(0.3, 4.0))
        if running.poll() is None:
            os.kill(running.pid, signal.SIGKILL)
        running.wait()
        kills += 1
    # and leaves no process behind
    assert eventually(lambda: not at_work_on(store))
    # when it is let be at last
    assert audit(folder, "--jobs", 2, "--store", store).returncode == 0
    # then the store holds what one undisturbed run stores
    _, stored = undisturbed
    assert rows(store) == stored


def test_a_worker_that_dies_is_told_and_nothing_is_lost(
    folder: Path, undisturbed: tuple[str, dict[str, list[str]]], tmp_path: Path
) -> None:
    # given a job whose first worker is killed
    store = tmp_path / "store.duckdb"
    running = subprocess.Popen(
        command(folder, "--jobs", 2, "--store", store), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    worker = first_worker(running)
    worker.kill()
    _, words = running.communicate(timeout=60)
    # then the command says which file it was at work on, and the next start does the rest
    assert running.returncode == 4
    assert "the process at work on it died" in words
    assert ".phhs" in words
    assert audit(folder, "--store", store).returncode == 0
    assert rows(store) == undisturbed[1]


def eventually(true: Callable[[], bool], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while not (held := true()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return held


def at_work_on(store: Path) -> list[psutil.Process]:
    """Workers of this test's jobs whose job is gone."""
    return [
        each
        for each in psutil.process_iter(["ppid", "cmdline", "environ"])
        if "spawn_main" in " ".join(each.info["cmdline"] or ())
        and (each.info["environ"] or {}).get("AUDITOR_TEST_JOB") == str(store)
    ]


def first_worker(job: subprocess.Popen[str]) -> psutil.Process:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for child in psutil.Process(job.pid).children():
            if "spawn_main" in " ".join(child.cmdline()):
                return child
        time.sleep(0.01)
    raise AssertionError("no worker was started")


def test_what_was_seen_is_told_from_what_was_not() -> None:
    # given a filter so small that it takes new names for old ones
    asked: Counter[str] = Counter()
    stored = {f"table-{number}" for number in range(100)}

    def known(names: object) -> set[str]:
        asked.update(names)  # type: ignore[call-overload]
        return stored & set(names)  # type: ignore[call-overload]

    seen = Seen(known, bits=1 << 9)
    for name in stored:
        seen.add(name)
    # when it is asked for old and new ones
    names = [f"table-{number}" for number in range(200)]
    # then the answer is exact, for what it is in doubt of is looked up
    assert seen.among(names) == stored
    assert stored < set(asked)
