"""A hand in the few words that every format has: who sits where, what they do in which order, what they end with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from auditor.events import (
    BoardDealt,
    CardDealt,
    CardsReleased,
    CardsShown,
    ChipsReturned,
    Event,
    ForcedBetPosted,
    HandEnded,
    HandStarted,
    PlayerActed,
    PotAwarded,
    TableOpened,
    face,
)  # fmt: skip

STREETS = {3: "flop", 4: "turn", 5: "river"}


class Seat(NamedTuple):
    seat: int
    name: str
    stack: int


class Step(NamedTuple):
    """One thing that happens. `verb`: an action, a forced bet, `board`, `return`, `show`, `muck` or `win`."""

    verb: str
    seat: int = 0
    amount: int = 0  # chips that it moves
    to: int = 0  # what the seat has in on the street then
    over: int = 0  # of a bet or raise: what it is more than the highest bet before it
    all_in: bool = False
    cards: tuple[str, ...] = ()
    pot: int = 0


@dataclass(slots=True)
class Hand:
    """One hand, in chips."""

    number: int
    at: datetime
    small: int
    big: int
    button: int
    seats: tuple[Seat, ...]  # those who play
    max_seats: int
    holes: dict[int, tuple[str, ...]] = field(default_factory=dict)  # in the order of the deal
    steps: list[Step] = field(default_factory=list)
    board: list[str] = field(default_factory=list)
    pot: int = 0
    ends: Counter[int] = field(default_factory=Counter)

    @property
    def name(self) -> dict[int, str]:
        return {each.seat: each.name for each in self.seats}

    @property
    def folded(self) -> set[int]:
        return {step.seat for step in self.steps if step.verb == "fold"}


def hands_of(events: Iterable[Event]) -> Iterator[Hand]:
    """The hands of one table, numbered from 1."""
    opened: TableOpened | None = None
    number = 0
    hand: list[Event] = []
    for event in events:
        if isinstance(event, TableOpened):
            opened = event
        elif isinstance(event, HandStarted) or (hand and event.hand_id is not None):
            hand.append(event)
        if isinstance(event, HandEnded):
            assert opened is not None
            number += 1
            yield hand_of(opened, hand, number)
            hand = []


def hand_of(opened: TableOpened, events: Sequence[Event], number: int) -> Hand:
    """One hand, from its start to its end."""
    start = events[0]
    assert isinstance(start, HandStarted)
    assert start.button_seat is not None
    seats = tuple(Seat(s.seat, s.player_id or "", s.stack or 0) for s in start.seats if s.entitled)
    stakes = opened.stakes
    hand = Hand(number, start.at, stakes.small_blind, stakes.big_blind, start.button_seat, seats, opened.max_seats)
    hand.ends.update({each.seat: each.stack for each in seats})
    _tell(hand, events)
    return hand


def _tell(hand: Hand, events: Iterable[Event]) -> None:
    street: Counter[int] = Counter()
    for event in events:
        match event:
            case CardDealt():
                hand.holes[event.seat] = (*hand.holes.get(event.seat, ()), event.card)
            case ForcedBetPosted() | PlayerActed():
                hand.steps.append(_wager(hand, street, event))
            case BoardDealt(rabbit=False):
                street.clear()
                cards = tuple(map(face, event.cards))
                hand.board += cards
                hand.steps.append(Step("board", cards=cards))
            case ChipsReturned():
                _move(hand, event.seat, -event.amount)
                hand.steps.append(Step("return", event.seat, event.amount))
            case CardsShown():
                hand.steps.append(Step("show", event.seat, cards=hand.holes[event.seat]))
            case CardsReleased():
                hand.steps.append(Step("muck", event.seat, cards=hand.holes[event.seat]))
            case PotAwarded():
                hand.ends[event.seat] += event.amount
                hand.steps.append(Step("win", event.seat, event.amount, pot=event.pot))


def _wager(hand: Hand, street: Counter[int], event: ForcedBetPosted | PlayerActed) -> Step:
    highest = max(street.values(), default=0)
    street[event.seat] += event.amount
    _move(hand, event.seat, event.amount)
    verb = event.kind if isinstance(event, ForcedBetPosted) else event.action
    to = street[event.seat]
    return Step(verb, event.seat, event.amount, to, to - highest, event.all_in)


def _move(hand: Hand, seat: int, amount: int) -> None:
    hand.pot += amount
    hand.ends[seat] -= amount


def money(chips: int) -> str:
    """Chips of a hundredth as an amount: 1250 is 12.50."""
    return f"{chips // 100}.{chips % 100:02}"


def clockwise(hand: Hand) -> list[Seat]:
    """The seats from the button on."""
    return sorted(hand.seats, key=lambda each: (each.seat < hand.button, each.seat))
