"""Files, folders and standard input as one feed."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import pytest
import zstandard

from auditor.feeds.files import open_feed
from auditor.findings import Reject
from auditor.intake import Record

EVENT = b'{"type":"hand_ended","table_id":"t","hand_id":"1","seq":1,"at":"2026-03-01T20:00:00Z"}'
HAND = b"""variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 AsKs", "d dh p2 QhQd", "p2 f"]
"""


def places(items: list[Record | Reject]) -> list[str]:
    return [f"{item.source}:{item.offset}" for item in items]


@pytest.mark.parametrize("name", ["events.jsonl", "events.gz", "events.phh", "events"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"])
def test_content_decides_not_the_name(tmp_path: Path, name: str, pack: type) -> None:
    (tmp_path / name).write_bytes(pack(b"\xef\xbb\xbf" + EVENT + b"\r\n"))
    feed = open_feed([tmp_path / name])
    assert list(feed) == [Record(EVENT, name, 0, 1)]
    assert not feed.damaged


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(HAND, id="plain"),
        pytest.param(HAND.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(b"\xef\xbb\xbf" + HAND, id="with a byte order mark"),
        pytest.param(b"# a comment\n\n" + HAND, id="comment first"),
        pytest.param(b"[1]\n" + HAND, id="section"),
    ],
)
def test_a_hand_history_is_told_by_its_content(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "events.jsonl").write_bytes(text)
    items = list(open_feed([tmp_path / "events.jsonl"]))
    assert not any(isinstance(item, Reject) for item in items)
    assert b'"table_opened"' in items[0].raw
    assert [item.offset for item in items] == list(range(1, len(items) + 1))


def test_a_file_of_another_kind_is_one_reject_that_says_what_is_expected(tmp_path: Path) -> None:
    (tmp_path / "holiday.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(5000))
    feed = open_feed([tmp_path / "holiday.png"])
    (reject,) = feed
    assert isinstance(reject, Reject)
    assert "JSON Lines" in reject.reason
    assert "PHH" in reject.reason
    assert feed.damaged


def test_a_stray_file_in_a_folder_is_a_reject_but_no_damage(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_bytes(EVENT)
    (tmp_path / "README").write_bytes(b"These are my events.\n")
    feed = open_feed([tmp_path])
    assert {type(item) for item in feed} == {Record, Reject}
    assert not feed.damaged


def test_an_empty_file_holds_nothing_and_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"\n\n")
    feed = open_feed([tmp_path / "empty.jsonl"])
    assert list(feed) == []
    assert not feed.damaged


def test_rubbish_at_the_top_does_not_hide_the_events_below(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_bytes(b"x" * (10 << 20) + b"\n" + EVENT + b"\n")
    assert places(list(open_feed([tmp_path / "events.jsonl"]))) == ["events.jsonl:1", "events.jsonl:2"]


def test_the_format_can_be_given(tmp_path: Path) -> None:
    (tmp_path / "odd").write_bytes(b"no event\n")
    assert list(open_feed([tmp_path / "odd"], "jsonl")) == [Record(b"no event", "odd", 0, 1)]
    (reject,) = open_feed([tmp_path / "odd"], "phh")
    assert isinstance(reject, Reject)
    assert reject.reason.startswith("line 1: not TOML")


def test_a_format_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="jsonl or phh"):
        open_feed([tmp_path], "xml")


def test_a_path_that_is_not_there_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_feed([tmp_path / "nowhere"])


def test_a_folder_is_walked_in_natural_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("hands/10.jsonl", "hands/9.jsonl", "hands/b2/1.jsonl", "hands/b10/1.jsonl", ".git/x", "hands/.x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(EVENT)
    assert places(list(open_feed([tmp_path]))) == [
        "hands/9.jsonl:1",
        "hands/10.jsonl:1",
        "hands/b2/1.jsonl:1",
        "hands/b10/1.jsonl:1",
    ]


def test_pipes_in_a_folder_are_left_alone_and_dead_links_are_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    feed = open_feed([tmp_path])
    (reject,) = feed
    assert isinstance(reject, Reject)
    assert (reject.source, reject.reason) == ("link", "cannot be read: No such file or directory")
    assert feed.damaged


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("monday", "tuesday"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.jsonl").write_bytes(EVENT)
    feed = open_feed([tmp_path / "monday", tmp_path / "tuesday"])
    assert places(list(feed)) == [f"{tmp_path}/monday/1.jsonl:1", f"{tmp_path}/tuesday/1.jsonl:1"]


def test_a_name_that_is_no_text_can_still_be_stored(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))
    path.write_bytes(EVENT)
    (record,) = open_feed([path])
    assert record.source.encode().decode() == "caf\N{REPLACEMENT CHARACTER}.jsonl"


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_cut_off_file_gives_its_records_a_reject_and_the_flag(tmp_path: Path, pack: type) -> None:
    packed = pack(b"\n".join([EVENT] * 50_000))
    (tmp_path / "night").write_bytes(packed[:-1])
    (tmp_path / "other").write_bytes(EVENT)
    feed = open_feed([tmp_path])
    *records, broken, other = feed
    assert all(isinstance(record, Record) for record in records)
    assert isinstance(broken, Reject)
    assert broken.reason.startswith("cut off")
    assert other == Record(EVENT, "other", 0, 1)
    assert feed.damaged


def test_standard_input_is_read_as_a_file_called_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(EVENT + b"\n" + EVENT))))
    feed = open_feed(["-"])
    assert places(list(feed)) == ["-:1", "-:2"]
    assert feed.total is None


def test_progress_is_bytes_on_disk(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(EVENT))
    (tmp_path / "b.jsonl").write_bytes(EVENT)
    feed = open_feed([tmp_path])
    assert (feed.done, feed.total) == (0, sum(each.stat().st_size for each in tmp_path.iterdir()))
    list(feed)
    assert feed.done == feed.total


def identities(*paths: Path) -> list[str]:
    feed = open_feed(paths)
    return [feed.identity(item.source) for item in feed]


def test_a_file_that_grows_stays_the_same_and_one_that_is_replaced_is_another(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"\n".join([EVENT] * 1000))
    before = identities(path)[0]
    path.write_bytes(b"\n".join([EVENT] * 1001))
    assert identities(path)[-1] == before
    path.write_bytes(b"\n".join([at(1)] * 1000))
    assert identities(path)[0] != before


def test_two_hands_of_one_file_name_are_two_files(tmp_path: Path) -> None:
    for night, hand in (("1", HAND), ("2", HAND.replace(b"AsKs", b"2c7d"))):
        (tmp_path / night).mkdir()
        (tmp_path / night / "1.phh").write_bytes(hand)
    assert identities(tmp_path / "1")[0] != identities(tmp_path / "2")[0]


def at(second: int) -> bytes:
    return EVENT.replace(b"20:00:00", b"20:00:%02d" % second)


def test_event_files_given_one_by_one_are_merged_by_time(tmp_path: Path) -> None:
    (tmp_path / "dealing.jsonl").write_bytes(at(0) + b"\n" + at(2))
    (tmp_path / "betting.jsonl").write_bytes(at(1) + b"\n" + at(3))
    feed = open_feed([tmp_path / "dealing.jsonl", tmp_path / "betting.jsonl"])
    assert places(list(feed)) == ["dealing.jsonl:1", "betting.jsonl:1", "dealing.jsonl:2", "betting.jsonl:2"]


def test_event_files_of_a_folder_are_merged_as_those_given_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_bytes(at(5) + b"\n" + at(7))
    (tmp_path / "2.jsonl").write_bytes(at(1) + b"\n" + at(6))
    assert places(list(open_feed([tmp_path]))) == ["2.jsonl:1", "1.jsonl:1", "2.jsonl:2", "1.jsonl:2"]


def test_a_file_is_held_back_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_bytes(at(1) + b"\n" + at(2))
    (tmp_path / "2.jsonl").write_bytes(at(3))
    feed = open_feed([tmp_path])
    coming = iter(feed)
    first = next(coming)
    feed.hold_back({first.source})
    assert places([first, *coming]) == ["1.jsonl:1", "2.jsonl:1", "1.jsonl:2"]


def test_hand_histories_given_one_by_one_are_read_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "late.phh").write_bytes(HAND + b"year = 2024\n")
    (tmp_path / "early.jsonl").write_bytes(at(0).replace(b"2026", b"2001"))
    sources = [item.source for item in open_feed([tmp_path / "late.phh", tmp_path / "early.jsonl"])]
    assert sources[-1] == "early.jsonl"
    assert set(sources[:-1]) == {"late.phh"}
