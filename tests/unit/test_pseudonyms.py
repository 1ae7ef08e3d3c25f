"""Names of players replaced on the way in: stable under one key, and nothing left of them anywhere."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from auditor.feeds.files import open_feed
from auditor.feeds.pseudonyms import KeyRefusedError, Pseudonyms, new_key
from auditor.findings import Reject
from auditor.intake import Record

KEY = b"sixteen bytes or more"

PHH = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 AsKd", "d dh p2 ????", "p2 f"]
players = ["Ada Lovelace", "Bram"]
hand = {hand}
"""


def names(raws: list[bytes]) -> list[str]:
    started = next(event for event in map(json.loads, raws) if event["type"] == "hand_started")
    return [seat["player_id"] for seat in started["seats"]]


def read(path: Path, key: bytes = KEY) -> list[Record | Reject]:
    return list(open_feed([path], pseudonyms=Pseudonyms(key)))


def test_a_name_has_one_pseudonym_in_every_file(tmp_path: Path) -> None:
    # given two files with the same players
    for number in (1, 2):
        (tmp_path / f"{number}.phh").write_text(PHH.format(hand=number))
    # when each is read by itself
    first, second = (names([item.raw for item in read(tmp_path / f"{number}.phh")]) for number in (1, 2))
    # then the players have one name, which is none of theirs
    assert first == second
    assert len(set(first)) == 2
    assert all(name.startswith("p-") and len(name) == 34 for name in first)


def test_another_key_gives_other_pseudonyms() -> None:
    assert Pseudonyms(KEY).of("Ada") != Pseudonyms(KEY + b"!").of("Ada")


def test_a_name_is_the_same_however_its_letters_are_composed() -> None:
    assert Pseudonyms(KEY).of("Zo\u00eb") == Pseudonyms(KEY).of("Zoe\u0308")


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"player_seated","table_id":"T","seq":1,"at":"2026-01-01T00:00:00Z","seat":1,"player_id":"Ada","n":"Ada"}',
        '{"type":"player_seated","table_id":"T","seq":1,"at":"2026-01-01T00:00:00Z","seat":1,"player_id":["Ada"]}',
        '{"type":"ruling_made","table_id":"T","seq":1,"at":"2026-01-01T00:00:00Z","ruling":"none","reason":"Ada"}',
        "Ada raises to 20",
    ],
)
def test_no_name_gets_through(tmp_path: Path, line: str) -> None:
    # given a line of events that holds a name, in its place or elsewhere
    (tmp_path / "events.jsonl").write_text('{"type":"table_closed"}\n' + line)
    # when it is read with pseudonyms
    items = read(tmp_path / "events.jsonl")
    # then the name is nowhere, and no line is lost
    assert len(items) == 2
    assert "Ada" not in repr(items)


def test_a_hand_that_cannot_be_read_is_withheld_but_found(tmp_path: Path) -> None:
    # given a file whose second hand is broken
    broken = PHH.format(hand=2).replace("[100, 100]", '["Ada Lovelace", 100]')
    (tmp_path / "two.phhs").write_text(f"[1]\n{PHH.format(hand=1)}[2]\n{broken}")
    # when it is read with pseudonyms
    *_, reject = read(tmp_path / "two.phhs")
    # then the reject says where it is, and nothing of what it says
    assert isinstance(reject, Reject)
    assert reject.reason.startswith("line 10: ")
    assert b"blake2b" in reject.raw
    assert "Ada" not in repr(reject)


def test_a_new_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "names.key"
    new_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Pseudonyms.from_file(path).of("Ada").startswith("p-")
    with pytest.raises(FileExistsError):
        new_key(path)


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [(b"short", 0o600, "too short"), (KEY, 0o644, "open to others"), (None, 0o600, "cannot be read")],
)
def test_what_is_no_key_is_refused(tmp_path: Path, content: bytes | None, mode: int, said: str) -> None:
    path = tmp_path / "names.key"
    if content is not None:
        path.write_bytes(content)
        path.chmod(mode)
    with pytest.raises(KeyRefusedError, match=said):
        Pseudonyms.from_file(path)
