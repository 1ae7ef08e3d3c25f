"""A table: what outlives its hands. Seats, button, decks, dealer; and the one open hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pydantic import TypeAdapter

from auditor.events import Stakes
from auditor.games import GAMES, Game
from auditor.house import BOOK, HouseRules
from auditor.table.blinds import Missed
from auditor.table.button import ButtonMemory
from auditor.table.hand import Hand
from auditor.table.preparation import Preparation
from auditor.table.stacks import SeatStack, Session

NO_STAKES = Stakes()

#: No hand is open. Nothing ever changes it: evolve touches open hands only.
NO_HAND = Hand("", GAMES["holdem"], "no_limit", NO_STAKES, 0, datetime.min)
NO_HAND.open = False


@dataclass(slots=True)
class TableMemory:
    """All of a table that a later hand depends on. Plain data: between hands, this is the whole state."""

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
    #: Told already that the table was never opened, and of which hand an event strayed.
    told_never_opened: bool = False
    told_stray: str | None = None


_MEMORY: TypeAdapter[TableMemory] = TypeAdapter(TableMemory)


class Table:
    """A table's memory and its open hand."""

    __slots__ = ("hand", "memory", "table_id")

    def __init__(self, table_id: str, memory: TableMemory | None = None) -> None:
        self.table_id = table_id
        self.memory = memory if memory is not None else TableMemory()
        self.hand = NO_HAND

    @property
    def game(self) -> Game:
        return GAMES[self.memory.game]

    def has_chips(self, seat: int) -> bool:
        """Whether a seat is known to have chips left: in the open hand, or between hands."""
        hand = self.hand
        if hand.open and seat in hand.stack:
            return hand.stack[seat] + hand.awarded.get(seat, 0) > 0
        known = self.memory.stacks.get(seat)
        return known is not None and known.chips > 0

    def dump(self) -> bytes:
        """The memory as JSON, for a snapshot between two hands."""
        return _MEMORY.dump_json(self.memory)

    @classmethod
    def load(cls, table_id: str, memory: bytes) -> Table:
        """The table that `dump` wrote."""
        return cls(table_id, _MEMORY.validate_json(memory, strict=False))
