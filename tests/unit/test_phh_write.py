"""Events back to PHH: what the format can hold comes back as it was, and what it cannot is counted."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from pokerkit import HandHistory

from auditor.events import Event, TableOpened
from auditor.feeds.files import open_feed
from auditor.feeds.phh.write import Hands, NotInPhhError, Written, sections
from auditor.intake import Record
from auditor.simulate import play
from auditor.wire import parse, said

HAND = """[1]
variant = "NT"
antes = [0, 0.5, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 80.25, inf]
actions = ["d dh p1 AsKd", "d dh p2 ????", "d dh p3 7c7d", "p3 cbr 6", "p1 cc", "p2 f", "d db 2c3c4c", "p1 cc",
 "p3 cbr 10", "p1 f", "p3 sm 7c7d"]
winnings = [0, 0, 14.5]
players = ["Ada", "Bram \\"the\\" boat", ""]
seats = [2, 5, 9]
hand = "no 7"
venue = "The Mill"
currency = "EUR"
"""


def whole(events: list[Event]) -> Iterator[tuple[TableOpened, list[Event]]]:
    hands = Hands()
    for event in events:
        yield from hands.take(event)
    yield from hands.rest()


def told(path: Path) -> list[Event]:
    return [parse(item.raw) for item in open_feed([path]) if isinstance(item, Record)]


def essence(events: list[Event]) -> list[object]:
    return [said(event, without={"table_id"}) for event in events]


def test_a_hand_comes_back_as_it_was(tmp_path: Path) -> None:
    # given the events of a hand
    before = tmp_path / "before.phhs"
    before.write_text(HAND)
    events = told(before)
    # when they are written as PHH and read again
    (written,) = sections(whole(events))
    assert isinstance(written, Written)
    after = tmp_path / "after.phhs"
    after.write_text(written.text)
    # then they are what they were, the table's name apart, and nothing is said to be lost
    assert essence(told(after)) == essence(events)
    assert not written.lost


def test_what_phh_has_no_word_for_is_counted() -> None:
    # given a room with burns, backs and shuffles
    events = [parse(raw) for raw in play(tables=1, hands=3, mistakes=0, seed=4, players=(3, 6))]
    # when its hands are written
    written = [each for each in sections(whole(events)) if isinstance(each, Written)]
    # then the burns are counted as lost, the actions are not, and pokerkit reads what was written
    assert len(written) == 3
    assert sum(each.lost["card_burned"] for each in written) == sum(e.type == "card_burned" for e in events)
    assert sum(each.lost["card_dealt.back"] for each in written) == sum(e.type == "card_dealt" for e in events)
    assert not any(kind.startswith("player_acted") for each in written for kind in each.lost)
    text = "\n".join(each.text for each in written).encode()
    assert len([state for history in HandHistory.load_all(BytesIO(text)) for state in [list(history)]]) == 3


def test_a_game_that_phh_has_no_variant_for_is_refused() -> None:
    # given a hand of five-card draw
    opened = parse(b'{"type":"table_opened","table_id":"T","seq":1,"at":"2026-01-01T00:00:00Z","game":"draw_high"}')
    assert isinstance(opened, TableOpened)
    raw = b'{"type":"hand_started","table_id":"T","hand_id":"1","seq":2,"at":"2026-01-01T00:00:00Z","seats":[]}'
    # when it is written, it is refused in plain words
    (refused,) = sections([(opened, [parse(raw)])])
    assert isinstance(refused, NotInPhhError)
    assert "no variant for draw_high" in str(refused)
