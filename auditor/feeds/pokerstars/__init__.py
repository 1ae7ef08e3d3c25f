"""PokerStars hand histories (text) as events; each hand becomes a table of its own.

Other rooms and tools write the same format with another name in the first line; those are read as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from auditor.events import Event
from auditor.feeds.pieces import told
from auditor.feeds.pokerstars.convert import convert
from auditor.feeds.pokerstars.hand import hand_of
from auditor.feeds.pokerstars.text import HINT, HandText, hand_texts
from auditor.feeds.streams import Stream
from auditor.feeds.telling import table_of
from auditor.findings import Reject
from auditor.intake import Record

__all__ = ["HINT", "events_of", "read"]


def read(stream: Stream, source: str) -> Iterator[Record | Reject]:
    """The hands of one file as records of events; rejects for those that are broken or of no game of the contract."""
    return told(hand_texts(stream), events_of, source)


def events_of(text: HandText) -> list[Event]:
    """The events of one hand. The table is named after the hand's text, so that a copy of the hand is the same table.

    Raises `BrokenHandError` with a plain reason.
    """
    lines = text.lines()
    hand = hand_of(lines)
    return convert(hand, table_of("stars", hand.header.hand_id, "\n".join(filter(None, lines)).encode()))
