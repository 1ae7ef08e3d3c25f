"""A table: what outlives its hands. Seats, button, decks, dealer; and the one open hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pydantic import TypeAdapter

from auditor.events import Stakes
from auditor.games import GAMES, Game
from auditor.house import BOOK, HouseRules
from auditor.table.button import ButtonMemory
from auditor.table.hand import Hand

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
    button: ButtonMemory | None = None
    last_hand_id: str | None = None
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

    def dump(self) -> bytes:
        """The memory as JSON, for a snapshot between two hands."""
        return _MEMORY.dump_json(self.memory)

    @classmethod
    def load(cls, table_id: str, memory: bytes) -> Table:
        """The table that `dump` wrote."""
        return cls(table_id, _MEMORY.validate_json(memory, strict=False))
