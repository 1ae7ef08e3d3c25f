"""`auditor convert`: histories in, events out, and back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

GOOD = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 AsKd", "d dh p2 ????", "p2 f"]
finishing_stacks = [101, 99]
players = ["Ada", "Bram"]
"""
BROKEN = GOOD.replace("p2 f", "p3 f")


def convert(*args: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "auditor.cli.main", "convert", *map(str, args)],
        input=stdin,
        capture_output=True,
        check=False,
    )


def test_a_history_becomes_events_and_a_bad_hand_costs_no_other(tmp_path: Path) -> None:
    # given a file of three hands, of which the second is broken
    path = tmp_path / "three.phhs"
    path.write_text(f"[1]\n{GOOD}[2]\n{BROKEN}[3]\n{GOOD}")
    # when it is converted
    done = convert(path, "--rejects", tmp_path / "bad.jsonl")
    # then stdout holds the events of two hands, and the third is said on stderr and kept
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["type"] for event in events].count("hand_started") == 2
    assert b"three.phhs, line 10: action 3" in done.stderr
    assert b"2 hands, 26 events; 1 could not be read" in done.stderr
    (reject,) = map(json.loads, (tmp_path / "bad.jsonl").read_text().splitlines())
    assert "p3 f" in reject["raw"]
    assert done.returncode == 0


def test_there_and_back(tmp_path: Path) -> None:
    # given a hand converted to events
    (tmp_path / "one.phh").write_text(GOOD)
    events = convert(tmp_path / "one.phh").stdout
    # when the events are converted to PHH, and that to events again
    phh = convert("-", "--to", "phh", stdin=events)
    (tmp_path / "two.phhs").write_bytes(phh.stdout)
    again = convert(tmp_path / "two.phhs").stdout
    # then they are the same, the table's name apart
    assert phh.stderr == b"1 hands\n"
    assert [{**json.loads(a), "table_id": ""} for a in again.splitlines()] == [
        {**json.loads(a), "table_id": ""} for a in events.splitlines()
    ]


def test_names_are_replaced_where_asked(tmp_path: Path) -> None:
    (tmp_path / "one.phh").write_text(GOOD)
    assert convert("--new-key", tmp_path / "names.key").returncode == 0
    done = convert(tmp_path / "one.phh", "--pseudonymise", tmp_path / "names.key")
    assert b"Ada" not in done.stdout + done.stderr
    assert b'"player_id":"p-' in done.stdout


def test_a_wrong_call_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "names.key").write_text("short")
    for args in ([tmp_path / "missing"], [], [tmp_path, "--pseudonymise", tmp_path / "names.key"]):
        done = convert(*args)
        assert done.returncode == 2
        assert done.stderr.startswith(b"auditor: ")
        assert not done.stdout


def test_a_file_of_no_known_format_is_damage(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of poker\n")
    done = convert(tmp_path / "notes.txt")
    assert done.returncode == 3
    assert b"neither events nor hand histories" in done.stderr
