"""What happens in a simulated hand, before it has a place in the table's sequence and on the clock.

A hand is written as a script of beats. Mistakes are edits of that script; only then is it numbered and timed, so
that a script with a mistake in it is as consistent as one without.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from auditor import events
from auditor.cards import UNREAD
from auditor.events import Envelope, TableEvent
from auditor.simulate.deck import PlayingCard
from auditor.simulate.plan import HandPlan, Pot
from auditor.simulate.truth import Fault

#: sent: as it should be. lost: it takes its number and never arrives. twin: it arrives under the number of the beat
#: before it. spoilt: it arrives as bytes that are no event, and takes no number. late: it takes its number and arrives
#: when the hand is over and its place has been given up.
Fate = Literal["sent", "lost", "twin", "spoilt", "late"]


Ending = Literal["played", "misdeal", "void", "carried"]


@dataclass(slots=True, eq=False)
class Beat:
    """One event to be: its model, its fields, and the seconds since the beat before it."""

    model: type[Envelope]
    fields: dict[str, Any]
    wait: float
    cards: tuple[PlayingCard, ...] = ()  # the physical cards that it moves or shows
    fate: Fate = "sent"
    spoil: Callable[[bytes], bytes] | None = None
    seq: int = 0  # given when the beat is numbered

    @property
    def seat(self) -> int:
        seat: int = self.fields["seat"]
        return seat

    @property
    def amount(self) -> int:
        amount: int = self.fields.get("amount", 0)
        return amount

    @property
    def unread(self) -> bool:
        """Its card lay face down and no reader caught it."""
        return self.fields.get("card") == UNREAD

    def copy(self, **changes: Any) -> Beat:
        return Beat(self.model, {**self.fields, **changes}, self.wait, self.cards)


@dataclass(slots=True)
class RaiseMade:
    """A bet raised: what it was before and behind, and to what it had to go at least."""

    beat: Beat
    high: int
    to: int
    least: int


@dataclass(slots=True)
class Sequel:
    """What a mistake does to the hand after it, or to its redeal: before the deal, and once its script is written.

    `make` returns the faults that are in that script then.
    """

    make: Callable[[Script], list[Fault]] = lambda _: []
    plan: Callable[[HandPlan], object] = lambda _: None


@dataclass(slots=True)
class Script:
    """A hand from its shuffle to its end, and what is left of the deck."""

    plan: HandPlan
    beats: list[Beat] = field(default_factory=list)
    stub: list[PlayingCard] = field(default_factory=list)
    raises: list[RaiseMade] = field(default_factory=list)
    ending: Ending = "played"
    bets: list[RaiseMade] = field(default_factory=list)  # the first bets of their streets
    pots: list[Pot] = field(default_factory=list)  # of a showdown
    board_cards: list[PlayingCard] = field(default_factory=list)  # of the first board
    holes: dict[int, list[PlayingCard]] = field(default_factory=dict)
    chips_moved: dict[int, int] = field(default_factory=dict)  # what came to a stack or left it with no event
    sequel: Sequel | None = None  # for the next hand
    redeal: Sequel | None = None  # for the hand that is dealt in the place of this one
    newcomer: int | None = None  # the seat that a new player takes behind the hand, from one who left

    def say(self, model: type[Envelope], wait: float, cards: tuple[PlayingCard, ...] = (), /, **fields: Any) -> Beat:
        """Write the next beat."""
        beat = self.beat(model, wait, cards, **fields)
        self.beats.append(beat)
        return beat

    def beat(self, model: type[Envelope], wait: float, cards: tuple[PlayingCard, ...] = (), /, **fields: Any) -> Beat:
        """A beat of this hand that is written nowhere yet."""
        if not issubclass(model, TableEvent):
            fields.setdefault("hand_id", self.plan.hand_id)
        return Beat(model, fields, wait, cards)

    def spare_card(self) -> PlayingCard:
        """A card from the bottom of the stub: it would never have come out, so nothing else changes."""
        return self.stub.pop()

    def all_of(self, *models: type[Envelope]) -> list[int]:
        """Where the beats of these models are."""
        return [i for i, beat in enumerate(self.beats) if beat.model in models]

    def first_of(self, *models: type[Envelope]) -> int:
        """Where the first beat of these models is; raises `ValueError` where there is none."""
        for i, beat in enumerate(self.beats):
            if beat.model in models:
                return i
        raise ValueError(f"no {' or '.join(model.__name__ for model in models)} in hand {self.plan.hand_id}")

    @property
    def start(self) -> int:
        """Where the hand is started."""
        return self.first_of(events.HandStarted)

    @property
    def deal(self) -> list[int]:
        """Where the cards of the starting hands are dealt."""
        return self.all_of(events.CardDealt)

    @property
    def after_deal(self) -> int:
        """Where the deal is over, and reported what was exposed in it."""
        index = self.deal[-1] + 1
        while self.beats[index].model is events.CardExposed:
            index += 1
        return index

    @property
    def actions(self) -> list[int]:
        return self.all_of(events.PlayerActed)

    @property
    def end_of_play(self) -> int:
        """Where the pot begins to be paid out."""
        return self.first_of(events.RakeTaken, events.PotAwarded)


def wagered(beats: Iterable[Beat]) -> dict[int, int]:
    """Chips that each seat has in the pot and has not got back."""
    chips: defaultdict[int, int] = defaultdict(int)
    for beat in _real(beats):
        if beat.model in (events.ForcedBetPosted, events.PlayerActed):
            chips[beat.seat] += beat.amount
        elif beat.model is events.ChipsReturned:
            chips[beat.seat] -= beat.amount
    return chips


def won_and_lost(beats: list[Beat]) -> dict[int, int]:
    """What the hand did to each seat's stack, and what was bought and cashed in it."""
    net: defaultdict[int, int] = defaultdict(int)
    for seat, chips in wagered(beats).items():
        net[seat] -= chips
    for beat in _real(beats):
        if beat.model in (events.PotAwarded, events.ChipsBought):
            net[beat.seat] += beat.amount
        elif beat.model is events.ChipsCashed:
            net[beat.seat] -= beat.amount
    return net


def _real(beats: Iterable[Beat]) -> Iterator[Beat]:
    return (beat for beat in beats if beat.fate in ("sent", "lost", "late"))
