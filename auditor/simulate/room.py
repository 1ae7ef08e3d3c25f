"""The card room: many tables at once, their events in the order of time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from heapq import merge

from auditor.events import Betting
from auditor.simulate.mistakes import MISTAKES
from auditor.simulate.table import CardTable, Line, Order
from auditor.simulate.truth import Truth

#: When the room opens, unless told otherwise. It is always the same evening: the same seed gives the same bytes.
OPENS = datetime(2026, 1, 1, 18, tzinfo=UTC)

_LEAST_PLAYERS, _MOST_PLAYERS = 2, 10


def _unheard(_truth: Truth) -> None:
    """Nobody wants to know."""


def open_room(
    tables: int,
    hands: int,
    mistakes: float = 0.0,
    seed: int = 0,
    kinds: Collection[str] | None = None,
    players: tuple[int, int] = (2, 10),
    betting: Betting | None = None,
    tell: Callable[[Truth], object] = _unheard,
    opens: datetime = OPENS,
) -> Iterator[Line]:
    """The feed of a card room: `hands` hands at each of `tables` tables, redeals of misdealt hands besides.

    `mistakes` is the chance of a hand to have one, of one of `kinds` (rule codes; all where None). `tell` hears the
    truth of each mistake, when the last line of its hand has been taken. `betting` is drawn for each table where None.

    Raises `ValueError` for a number or a kind that makes no sense.
    """
    unknown = sorted(set(kinds or ()) - MISTAKES.keys())
    if unknown:
        raise ValueError(f"no such kind of mistake: {', '.join(unknown)}; there are {', '.join(MISTAKES)}")
    if not _LEAST_PLAYERS <= players[0] <= players[1] <= _MOST_PLAYERS:
        raise ValueError(f"{players[0]} to {players[1]} players: a table has {_LEAST_PLAYERS} to {_MOST_PLAYERS}")
    if not 0 <= mistakes <= 1:
        raise ValueError(f"mistakes {mistakes}: a rate lies between 0 and 1")
    if tables < 1 or hands < 1:
        raise ValueError("a card room has one table at least, and plays one hand at least")
    order = Order(hands, mistakes, seed, tuple(MISTAKES if kinds is None else sorted(kinds)), players, betting)
    feeds = [CardTable(number, opens, order, tell).lines() for number in range(1, tables + 1)]
    return merge(*feeds, key=lambda line: (line.at, line.table_id))


def play(
    tables: int,
    hands: int,
    mistakes: float = 0.0,
    seed: int = 0,
    kinds: Collection[str] | None = None,
    players: tuple[int, int] = (2, 10),
    betting: Betting | None = None,
    tell: Callable[[Truth], object] = _unheard,
) -> Iterator[bytes]:
    """The lines of `open_room`, as JSON Lines without their line ends."""
    for line in open_room(tables, hands, mistakes, seed, kinds, players, betting, tell):
        yield line.raw
