"""Real hands in PHH: every one is read, its chips add up to the stacks that the file gives, and pokerkit agrees."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import pytest
from pokerkit import Automation, HandHistory

from auditor.events import Event
from auditor.feeds.files import open_feed
from auditor.findings import Reject
from auditor.wire import parse

pytestmark = pytest.mark.realhands

#: Hands that pokerkit replays beside us: of the commonest game taken evenly, and of the others together.
COMPARED = 300


class Told(NamedTuple):
    """A hand as its events tell it; chips by player, in the units of its file."""

    table_id: str
    common: bool  # no-limit hold'em, as nearly all are
    observes: frozenset[str]
    last: str  # the type of the hand's last event
    put_in: list[Decimal]
    end_stacks: list[Decimal]


@pytest.fixture(scope="module")
def read(real_hands: Path) -> tuple[dict[str, Told], dict[str, str]]:
    """By file: what the hand's events tell, once they were parsed back from their bytes, or why there are none."""
    told, refused = {}, {}
    for source, group in groupby(open_feed([real_hands]), key=attrgetter("source")):
        items = list(group)
        if isinstance(items[0], Reject):
            assert len(items) == 1, f"{source} is told whole or not at all"
            refused[source] = items[0].reason
        else:
            told[source] = tell([parse(item.raw) for item in items])
    return told, refused


def tell(events: list[Event]) -> Told:
    opened, started, *rest = events
    assert (opened.type, started.type) == ("table_opened", "hand_started")
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert {event.table_id for event in events} == {opened.table_id}
    put_in = {seat.seat: 0 for seat in started.seats}
    stacks = {seat.seat: seat.stack for seat in started.seats}
    for event in rest:
        if event.type in ("forced_bet_posted", "player_acted"):
            put_in[event.seat] += event.amount
            stacks[event.seat] -= event.amount
        elif event.type in ("chips_returned", "pot_awarded"):
            stacks[event.seat] += event.amount
    unit = Decimal(10) ** opened.scale
    return Told(
        opened.table_id,
        (opened.game, opened.betting) == ("holdem", "no_limit"),
        frozenset(opened.observes),
        [event.type for event in rest if event.hand_id is not None][-1],
        [chips / unit for chips in put_in.values()],
        [chips / unit for chips in stacks.values()],
    )


def test_every_hand_is_told_or_is_of_a_game_without_a_name(
    real_hands: Path, read: tuple[dict[str, Told], dict[str, str]]
) -> None:
    told, refused = read
    assert len(told) + len(refused) == sum(path.is_file() for path in real_hands.rglob("*.phh*"))
    assert set(refused.values()) <= {
        f"line 1: variant {code} has no game in the event contract" for code in ("F2L3D", "FB")
    }
    assert len({hand.table_id for hand in told.values()}) == len(told)


def test_the_stacks_at_the_end_are_those_of_the_file(
    real_hands: Path, read: tuple[dict[str, Told], dict[str, str]]
) -> None:
    told, _ = read
    checked = 0
    for source, hand in told.items():
        fields = tomllib.loads((real_hands / source).read_text(), parse_float=Decimal)
        if "finishing_stacks" in fields:
            assert hand.end_stacks == fields["finishing_stacks"], source
            assert "awards" in hand.observes, source
            assert hand.last == "hand_ended", source
            checked += 1
    assert checked


def test_pokerkit_sees_the_same_chips_go_in(real_hands: Path, read: tuple[dict[str, Told], dict[str, str]]) -> None:
    told, _ = read
    common = [source for source, hand in told.items() if hand.common]
    rare = [source for source, hand in told.items() if not hand.common]
    compared = rare[:COMPARED] + common[:: max(1, len(common) // COMPARED)]
    refused = []
    for source in compared:
        try:
            contributed = contributions(real_hands / source)
        except ValueError:  # a hand that is shown down twice, before and after the last card
            refused.append(source)
            continue
        assert told[source].put_in == contributed, source
    assert len(refused) <= max(1, len(compared) // 100), f"pokerkit cannot replay {refused}"


def contributions(path: Path) -> list[Decimal | int]:
    """What each player put into the pot, as pokerkit replays the hand: the least that was left behind says it."""
    giving_out = (Automation.CHIPS_PUSHING, Automation.CHIPS_PULLING)
    automations = tuple(each for each in HandHistory.automations if each not in giving_out)
    with path.open("rb") as file:
        history = HandHistory.load(file, automations=automations)
    least = list(history.starting_stacks)
    for state in history:
        least = [min(before, now) for before, now in zip(least, state.stacks, strict=True)]
    return [start - left for start, left in zip(history.starting_stacks, least, strict=True)]
