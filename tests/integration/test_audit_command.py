"""`auditor audit` and `auditor explain` as processes: what goes to stdout, the exit codes, a store in between."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import zstandard

from auditor.events import Envelope, Event, topic_of
from auditor.rules.scene import Scene
from auditor.wire import dump


def auditor(*words: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    call = [sys.executable, "-m", "auditor.cli.main", *words]
    return subprocess.run(
        call, input=stdin, capture_output=True, timeout=60, check=False, env={**os.environ, **environment}
    )


def lines(events: list[Event | bytes]) -> bytes:
    return b"".join((event if isinstance(event, bytes) else dump(event)) + b"\n" for event in events)


def findings(run: subprocess.CompletedProcess[bytes]) -> list[dict[str, object]]:
    return [json.loads(line) for line in run.stdout.splitlines()]


FOULED = lines(
    Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").checks_around().win(1).script()
)
SOUND = lines(Scene().opened().walk().script())


@pytest.fixture
def fouled(tmp_path: Path) -> Path:
    path = tmp_path / "fouled.jsonl"
    path.write_bytes(FOULED)
    return path


def test_findings_go_to_stdout_and_words_to_stderr(fouled: Path) -> None:
    run = auditor("audit", str(fouled), "--format", "jsonl")
    assert run.returncode == 0
    assert [finding["rule"] for finding in findings(run)] == ["DCK101", "RUL103"]
    assert b"findings: 2 critical" in run.stderr


def test_the_fields_are_those_of_the_contract(fouled: Path) -> None:
    found = findings(auditor("audit", str(fouled), "--format", "jsonl"))[0]
    assert set(found) == {
        "finding_id", "rule", "name", "severity", "table_id", "hand_id", "seq", "at", "street", "seats", "cards",
        "message", "prescribed", "handled", "degraded", "confidence", "incident", "dealer_id", "evidence",
        "source_rule",
    }  # fmt: skip
    assert found["prescribed"] == "void_action"
    assert found["handled"] == "contrary"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.ZstdCompressor().compress])
def test_plain_gzip_and_zstd_by_file_and_by_pipe_are_one(tmp_path: Path, pack: object) -> None:
    path = tmp_path / "events"
    path.write_bytes(pack(FOULED))  # type: ignore[operator]
    by_file = auditor("audit", str(path), "--format", "jsonl")
    by_pipe = auditor("audit", "-", "--format", "jsonl", stdin=path.read_bytes())
    assert by_file.stdout == by_pipe.stdout
    assert len(findings(by_file)) == 2


def test_json_is_one_array(fouled: Path) -> None:
    assert [f["rule"] for f in json.loads(auditor("audit", str(fouled), "--format", "json").stdout)] == [
        "DCK101",
        "RUL103",
    ]
    assert json.loads(auditor("audit", "-", "--format", "json", stdin=SOUND).stdout) == []


@pytest.mark.parametrize(
    ("events", "threshold", "code"),
    [(FOULED, None, 0), (FOULED, "critical", 1), (FOULED, "minor", 1), (SOUND, "info", 0)],
)
def test_findings_fail_the_command_only_where_that_is_asked(events: bytes, threshold: str | None, code: int) -> None:
    options = ["--fail-on", threshold] if threshold else []
    assert auditor("audit", "-", *options, stdin=events).returncode == code


@pytest.mark.parametrize(
    "words",
    [
        ("audit",),
        ("audit", ""),
        ("audit", "nowhere.jsonl"),
        ("audit", "-", "--from", "smoke"),
        ("audit", "-", "--fail-on", "x"),
    ],
)
def test_a_wrong_call_is_2_and_prints_nothing(words: tuple[str, ...]) -> None:
    run = auditor(*words)
    assert run.returncode == 2
    assert run.stdout == b""
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize(
    "words", [("audit", "-", "--format", "jsonl"), ("rules",), ("query", "overview"), ("--version",)]
)
def test_a_full_disk_under_stdout_is_4_and_told(fouled: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    store = str(tmp_path / "audit.duckdb")
    auditor("audit", str(fouled), "--store", store)
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run(
            [sys.executable, "-m", "auditor.cli.main", *words],
            input=FOULED, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False,
            env={**os.environ, "AUDITOR_STORE": store},
        )  # fmt: skip
    assert run.returncode == 4
    assert run.stderr.endswith(b"auditor: the output cannot be written: [Errno 28] No space left on device\n")


def test_damaged_data_is_3_and_what_came_before_the_damage_is_audited(tmp_path: Path) -> None:
    path = tmp_path / "torn.gz"
    path.write_bytes(gzip.compress(FOULED + SOUND * 200)[:-40])
    run = auditor("audit", str(path), "--format", "jsonl")
    assert run.returncode == 3
    assert {"DCK101", "RUL103", "FEED108"} <= {str(f["rule"]) for f in findings(run)}


def test_every_kind_of_bad_line_costs_only_itself() -> None:
    # given a hand with every kind of bad input between its events
    bad = [
        b"not json", b'{"type":"card_eaten","table_id":"T1"}', b'{"type":"\xff\xfe"}', b"null", b"[]", b'"x"', b"{}",
        b'{"type":"card_dealt","table_id":"T1","hand_id":"H1","seq":"7","at":"2026-01-01T20:00:00Z","seat":1}',
        b'{"type":"card_dealt","table_id":"T1","hand_id":"H1","seq":7,"at":1767297600,"seat":1}',
        b'{"type":"hand_ended","table_id":"' + b"x" * 65 + b'","hand_id":"H1","seq":7,"at":"2026-01-01T20:00:00Z"}',
        b'{"a":' + b"[" * 5000, b"x" * (10 << 20),
    ]  # fmt: skip
    good = SOUND.splitlines()
    mixed = b"\n".join(line for pair in zip(good, [*bad, *bad][: len(good)], strict=False) for line in pair)
    rest = b"\n".join(good[len(bad) * 2 :])
    # when it is audited
    run = auditor("audit", "-", "--from", "jsonl", "--format", "jsonl", stdin=mixed + b"\n" + rest)
    # then each bad line is one finding with a plain reason, and the hand is whole
    assert run.returncode == 0
    assert [finding["rule"] for finding in findings(run)] == ["FEED108"] * min(len(good), 2 * len(bad))
    assert b"Traceback" not in run.stderr


def test_a_table_never_opened_and_an_event_after_the_end_are_flagged() -> None:
    strayed = lines(Scene().opened().walk().show(2, "As Ad").script())
    assert [f["rule"] for f in findings(auditor("audit", "-", "--format", "jsonl", stdin=strayed))] == ["FEED106"]
    headless = SOUND.split(b"\n", 1)[1]
    assert [f["rule"] for f in findings(auditor("audit", "-", "--format", "jsonl", stdin=headless))] == ["FEED101"]


def test_a_store_is_filled_once_and_explains_its_findings(fouled: Path, tmp_path: Path) -> None:
    # given an audit into a store, and the same audit again
    store = str(tmp_path / "audit.duckdb")
    first = auditor("audit", str(fouled), "--store", store, "--format", "jsonl")
    again = auditor("audit", str(fouled), "--store", store, "--format", "jsonl")
    assert (first.returncode, again.returncode) == (0, 0)
    assert again.stdout == b""
    assert b"already in the store" in again.stderr
    # then each event is there once
    (overview,) = json.loads(auditor("query", "overview", "--store", store, "--format", "json").stdout)
    assert (overview["events"], overview["hands"], overview["findings"]) == (FOULED.count(b"\n"), 1, 2)
    # and the file is one feed, whatever it has been read for
    (feed,) = json.loads(auditor("query", "feed-health", "--store", store, "--format", "json").stdout)
    lines_of_it = FOULED.count(b"\n")
    assert (feed["source"], feed["events"], feed["next_offset"]) == (fouled.name, lines_of_it, lines_of_it + 1)
    # and a finding can be told, by its first digits
    identity = str(findings(first)[0]["finding_id"])
    told = auditor("explain", identity[:8], AUDITOR_STORE=store).stdout.decode()
    assert "The ace of spades is in this hand twice: at seat 1 and on the board." in told
    assert "void action" in told
    assert "did otherwise" in told
    assert "RUL103 refund-missing" in told
    assert ">>>>  DCK101" in told


def test_a_hand_that_goes_on_in_the_next_file_is_one_hand(tmp_path: Path) -> None:
    # given a hand that is cut between two files
    store, events = str(tmp_path / "audit.duckdb"), FOULED.splitlines(keepends=True)
    for name, part in (("1.jsonl", events[:12]), ("2.jsonl", events[12:])):
        (tmp_path / name).write_bytes(b"".join(part))
    # when the files are audited one after the other
    first = auditor("audit", str(tmp_path / "1.jsonl"), "--store", store, "--format", "jsonl")
    second = auditor("audit", str(tmp_path / "2.jsonl"), "--store", store, "--format", "jsonl")
    # then the second audit knows the cards of the first
    assert first.stdout == b""
    assert [finding["rule"] for finding in findings(second)] == ["DCK101", "RUL103"]


def test_two_topic_dumps_are_one_order(tmp_path: Path) -> None:
    dealing = [e for e in FOULED.splitlines(keepends=True) if b"player_acted" not in e and b"forced_bet" not in e]
    betting = [e for e in FOULED.splitlines(keepends=True) if e not in dealing]
    for name, part in (("dealing", dealing), ("betting", betting)):
        (tmp_path / name).write_bytes(b"".join(part))
    run = auditor("audit", str(tmp_path / "dealing"), str(tmp_path / "betting"), "--format", "jsonl")
    assert [finding["rule"] for finding in findings(run)] == ["DCK101", "RUL103"]


@pytest.mark.parametrize("slow", [0, 3_600])
def test_two_topics_in_one_folder_are_one_order_whatever_their_clocks_say(tmp_path: Path, slow: int) -> None:
    # given the events of two tables on two topics, one of which has a clock that is an hour slow
    for table_id in ("T1", "T2"):
        scene = Scene()
        for button in (3, 1, 2) * 20:
            scene.opened(button=button).walk()
        for event in scene.script():
            assert isinstance(event, Envelope)
            late = timedelta(seconds=slow if topic_of(event) == "poker.betting" else 0)
            with (tmp_path / f"{topic_of(event)}.jsonl").open("ab") as file:
                file.write(dump(replace(event, table_id=table_id, at=event.at - late)) + b"\n")
    # when they are audited, named as a folder and one by one
    named = sorted(map(str, tmp_path.iterdir()))
    for words in ([str(tmp_path)], named, named[::-1]):
        found = findings(auditor("audit", *words, "--format", "jsonl"))
        # then nothing is missing, nothing is late; that a clock is slow is told
        assert {each["rule"] for each in found} == ({"FEED104"} if slow else set())


def test_no_colour_and_no_progress_where_nobody_looks(fouled: Path) -> None:
    run = auditor("audit", str(fouled), NO_COLOR="1")
    assert b"\x1b[" not in run.stdout + run.stderr
