"""Plain tables of the simulated card room: what every format has words for, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import count, islice
from typing import NamedTuple

from auditor.cards import UNREAD
from auditor.events import BoardDealt, CardDealt, Event, ForcedBetPosted, TableOpened
from auditor.simulate.room import OPENS
from auditor.simulate.table import CardTable, Order
from auditor.wire import parse

_PLAYERS = (2, 9)  # as many as a table of the smallest rooms seats


class Table(NamedTuple):
    """All that happened at one table: the lines, and the same as events."""

    lines: list[bytes]
    events: list[Event]


def plain_tables(tables: int, hands: int, seed: int = 1, opens: datetime = OPENS) -> list[Table]:
    """Tables of no-limit hold'em with so many hands each: two blinds, no antes, straddles or rake, one board."""
    order = Order(hands, 0.0, seed, (), _PLAYERS, "no_limit")
    tried = (_plain(CardTable(number, opens, order, lambda _truth: None)) for number in count(1))
    return list(islice((table for table in tried if table is not None), tables))


def _plain(table: CardTable) -> Table | None:
    """The table to its end; None as soon as anything is not plain."""
    lines, events = [], []
    for line in table.lines():
        event = parse(line.raw)
        if not _is_plain(event):
            return None
        lines.append(line.raw)
        events.append(event)
    return Table(lines, events)


def _is_plain(event: Event) -> bool:
    match event:
        case TableOpened():
            return event.game == "holdem" and not event.stakes.ante and not _rake(event)
        case ForcedBetPosted():
            return event.kind in ("small_blind", "big_blind")
        case BoardDealt():
            return event.board == 1
        case CardDealt():
            return event.card != UNREAD
        case _:
            return True


def _rake(event: TableOpened) -> float:
    rake = event.house_rules.rake
    return 0.0 if rake is None else rake.percent


def events_of(tables: Iterable[Table]) -> Iterator[Event]:
    for table in tables:
        yield from table.events
