"""A table: what outlives its hands. Seats, button, decks, dealer; and the one open hand."""

from __future__ import annotations

from datetime import datetime

from auditor.games import GAMES, Game
from auditor.table.hand import Hand
from auditor.table.memory import NO_STAKES, TableMemory, dump, load

#: No hand is open. Nothing ever changes it: evolve touches open hands only.
NO_HAND = Hand("", GAMES["holdem"], "no_limit", NO_STAKES, 0, datetime.min)
NO_HAND.open = False


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

    def has_seat(self, seat: int) -> bool:
        """Whether the table has that seat, as far as is known: how many it has is told when it opens."""
        return seat <= self.memory.max_seats or not self.memory.opened

    def has_chips(self, seat: int) -> bool:
        """Whether a seat is known to have chips left: in the open hand, or between hands."""
        hand = self.hand
        if hand.open and seat in hand.stack:
            return hand.stack[seat] + hand.awarded.get(seat, 0) > 0
        known = self.memory.stacks.get(seat)
        return known is not None and known.chips > 0

    def dump(self) -> bytes:
        """The memory as JSON, for a snapshot between two hands."""
        return dump(self.memory)

    @classmethod
    def load(cls, table_id: str, memory: bytes) -> Table:
        """The table that `dump` wrote."""
        return cls(table_id, load(memory))
