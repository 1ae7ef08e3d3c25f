"""`auditor simulate`, as it is called: to files, to stdout and to Kafka."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard
from kafka import KafkaConsumer, TopicPartition
from typer.testing import CliRunner, Result

from auditor.cli.main import app
from auditor.events import TOPICS, topic_of
from auditor.simulate import Truth, play
from auditor.simulate.files import open_lines
from auditor.simulate.pace import paced
from auditor.wire import parse


def _run(*words: object) -> Result:
    return CliRunner().invoke(app, ["simulate", *map(str, words)])


def test_events_and_truth_go_to_their_files(tmp_path: Path) -> None:
    out, truth = tmp_path / "room.jsonl", tmp_path / "truth.jsonl"
    result = _run("--tables", 2, "--hands", 20, "--mistakes", 0.5, "--seed", 3, "--out", out, "--truth", truth)
    truths: list[Truth] = []
    expected = list(play(2, 20, mistakes=0.5, seed=3, tell=truths.append))
    assert result.exit_code == 0
    assert result.stdout == ""
    assert out.read_bytes().splitlines() == expected
    assert truth.read_bytes().splitlines() == [told.line() for told in truths]


def test_events_go_to_stdout_and_words_to_stderr() -> None:
    result = _run("--hands", 3)
    assert result.stdout_bytes.splitlines() == list(play(1, 3))
    assert "3 hands" in result.stderr


@pytest.mark.parametrize("name", ["room.jsonl.gz", "room.jsonl.zst"])
def test_the_name_says_how_the_file_is_compressed(tmp_path: Path, name: str) -> None:
    files = [tmp_path / "one" / name, tmp_path / "other" / name]
    for file in files:
        file.parent.mkdir()
        assert _run("--hands", 5, "--out", file).exit_code == 0
    with gzip.open(files[0]) if name.endswith("gz") else zstandard.open(files[0], "rb") as plain:
        assert plain.read().splitlines() == list(play(1, 5))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_kinds_players_and_betting_are_chosen(tmp_path: Path) -> None:
    truth = tmp_path / "truth.jsonl"
    words = ("--kinds", "dck107,DEAL105", "--players", "4", "--betting", "limit", "--mistakes", 1, "--truth", truth)
    result = _run("--hands", 10, *words)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert rows[0]["betting"] == "limit"
    assert {len(row["seats"]) for row in rows if row["type"] == "hand_started"} == {4}
    assert {json.loads(line)["rule"] for line in truth.read_text().splitlines()} == {"DCK107", "DEAL105"}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--kinds", "XYZ1"), 2, "no such kind"),
        (("--players", "many"), 2, "such as 2-10"),
        (("--players", "1-3"), 2, "2 to 10"),
        (("--out", "a", "--bootstrap", "b:1"), 2, "one of them"),
        (("--truth", "-"), 2, "cannot both"),
        (("--out", "/no/such/folder/room"), 2, "cannot write"),
        (("--bootstrap", "127.0.0.1:1"), 4, "no Kafka broker"),
    ],
)
def test_what_cannot_be_done_is_said(words: tuple[str, ...], code: int, said: str) -> None:
    result = _run("--hands", 1, *words)
    assert result.exit_code == code
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_a_rate_of_zero_waits_for_nothing_and_any_rate_loses_nothing() -> None:
    assert list(paced(range(50), 0)) == list(paced(range(50), 5_000)) == list(range(50))


def test_a_file_that_cannot_be_written_is_an_error_of_the_system() -> None:
    with pytest.raises(OSError, match="No such file"), open_lines("/no/such/folder/room"):
        pass


@pytest.mark.kafka
def test_events_go_to_their_topics_under_their_table(kafka: str) -> None:
    topics = {"poker.dealing": "simulated-dealing", "poker.betting": "simulated-betting"}
    words = ("--dealing-topic", topics["poker.dealing"], "--betting-topic", topics["poker.betting"])
    result = _run("--tables", 3, "--hands", 10, "--bootstrap", kafka, "--partitions", 2, *words)
    assert result.exit_code == 0, result.stderr
    expected = [(topics[topic_of(parse(raw))], raw) for raw in play(3, 10)]
    consumer = KafkaConsumer(bootstrap_servers=kafka, auto_offset_reset="earliest", enable_auto_commit=False)
    partitions = [TopicPartition(topics[topic], number) for topic in TOPICS for number in range(2)]
    consumer.assign(partitions)
    consumer.seek_to_beginning()
    records: list[Any] = []
    while len(records) < len(expected) and (batches := consumer.poll(timeout_ms=10_000)):
        records += [record for batch in batches.values() for record in batch]
    consumer.close()
    assert sorted((record.topic, record.value) for record in records) == sorted(expected)
    homes = {(record.topic, record.key): set[int]() for record in records}
    for record in records:
        homes[record.topic, record.key].add(record.partition)
        assert json.loads(record.value)["table_id"].encode() == record.key
    assert all(len(partitions) == 1 for partitions in homes.values())


def test_the_room_opens_when_it_is_told_to() -> None:
    # given a room that opens at another time than usual
    done = _run("--hands", "1", "--opens", "2027-05-06T20:00:00+02:00")
    # then its events are of that evening
    assert done.exit_code == 0
    assert '"at":"2027-05-06T18:0' in done.stdout
    # and what is no time is refused
    assert _run("--opens", "soon").exit_code == 2
