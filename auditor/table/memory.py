"""What outlives a hand at its table, as plain data: between hands, this is the whole state, and it goes to JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pydantic import TypeAdapter

from auditor.events import Stakes
from auditor.findings import Finding
from auditor.house import BOOK, HouseRules
from auditor.table.preparation import Preparation

NO_STAKES = Stakes()


@dataclass(slots=True)
class ButtonMemory:
    """The button of the last hand, and what the next one depends on."""

    seat: int  # where it was
    correct: int  # where it belonged
    small_blind: int | None
    big_blind: int | None
    players: tuple[int, ...]  # entitled seats of that hand, in the order of their numbers
    hand_id: str
    misdealt: bool = False
    voided: bool = False  # or a bomb pot: nobody was in a blind
    attention: bool = False  # it was called to the button of that hand
    refused: bool = False  # attention was called in time for a misdeal, and the hand was played on
    incident: Finding | None = None  # a wrong button on that hand, which this one may correct

    @property
    def unsettled(self) -> bool:
        """The hand was not played, or its button was wrong: the blinds of the next one do not follow from it."""
        return self.misdealt or self.voided or self.seat != self.correct


@dataclass(slots=True)
class Missed:
    """The blinds that went past a player who sits out."""

    big: bool = False
    small: bool = False


@dataclass(slots=True)
class SeatStack:
    """Chips in front of a seat: at the start of the open hand, or between hands now; purchases are added as they come.

    A seat is in the table's memory only while its stack follows from what was reported.
    """

    player_id: str | None
    chips: int


@dataclass(slots=True)
class Session:
    """What a player bought since sitting down; it ends when the player leaves the table."""

    player_id: str | None = None
    buy_ins: int = 0
    short: int = 0  # buy-ins that were less than a full one
    bought: int = 0  # the last buy-in, until its player is in a hand: it may come in parts


@dataclass(slots=True)
class TableMemory:
    """All of a table that a later hand depends on."""

    opened: bool = False
    closed: bool = False
    game: str = "holdem"
    betting: str = "no_limit"
    stakes: Stakes = NO_STAKES
    max_seats: int = 10
    observes: tuple[str, ...] = ()
    backs: dict[str, str] = field(default_factory=dict)  # deck_id → back
    jokers: int = 0
    house: HouseRules = BOOK
    location: str | None = None
    seated: dict[int, str | None] = field(default_factory=dict)  # seat → player
    dealer_id: str | None = None
    deck_id: str | None = None
    misdeal_incident: str | None = None  # of the last hand, where it was a misdeal: the finding behind it
    deck_order: tuple[str, ...] = ()  # from the top as it was cut, where the feed knows it; until a hand is dealt
    button: ButtonMemory | None = None
    tags: dict[str, tuple[str, ...]] = field(default_factory=dict)  # a physical card's own id → faces it was read with
    last_hand_id: str | None = None
    decks: int = 0  # decks that the table has
    preparation: Preparation = field(default_factory=Preparation)
    stacks: dict[int, SeatStack] = field(default_factory=dict)
    sessions: dict[int, Session] = field(default_factory=dict)
    #: Purchases may have been missed: a buy-in need not be the first of its player.
    sessions_lost: bool = False
    away: dict[int, Missed] = field(default_factory=dict)  # seats that sit out
    #: Who was dealt in when the pot that is carried over was forfeited; None where that is not known.
    carry: dict[int, str | None] | None = None
    #: Chips that wait for the pot of the next hand, by a ruling; 0 where nobody said so, or it is not known how many.
    carried: int = 0
    clock: datetime | None = None  # of the last event
    clock_told: bool = False  # of this hand: that the clock went back
    #: A gap came, and the hand it may have hidden has not been met yet.
    lost_track: bool = False
    #: The hand of which it was told already that an event strayed.
    told_stray: str | None = None


_MEMORY: TypeAdapter[TableMemory] = TypeAdapter(TableMemory)


def dump(memory: TableMemory) -> bytes:
    """The memory as JSON."""
    return _MEMORY.dump_json(memory)


def load(memory: bytes) -> TableMemory:
    """What `dump` wrote."""
    return _MEMORY.validate_json(memory, strict=False)
