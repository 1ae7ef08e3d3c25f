"""PokerGFX session exports (JSON, version 3.2) as events; each hand becomes a table of its own.

PokerGFX runs the graphics of a feature table: antennas in the table read the cards, an operator enters the chips. A
file is one session, `{..., "Hands": [...]}`, read hand by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.events import Event
from auditor.feeds.objects import Found, Layout, objects
from auditor.feeds.pieces import told
from auditor.feeds.pokergfx.convert import convert
from auditor.feeds.pokergfx.hand import hand_of
from auditor.feeds.streams import Stream
from auditor.feeds.telling import table_of
from auditor.findings import Reject
from auditor.intake import Record

#: What a file begins with.
HINT = re.compile(
    rb'^[ \t]*(?:\[\s*)?\{(?:[^{}]*"Hands"\s*:\s*\[|\s*"(?:AnteAmt|HandNum|CreatedDateTimeUTC)"\s*:)', re.MULTILINE
)

_LAYOUT = Layout(
    envelope=re.compile(r'\{[^{}]*"Hands"\s*:\s*\['),
    restart=re.compile(r'\{\s*"(?:AnteAmt|HandNum)"\s*:|\{[^{}]*"Hands"\s*:\s*\['),
    inside=re.compile(r'\{\s*"(?:AnteAmt|HandNum)"\s*:'),
)


def read(stream: Stream, source: str) -> Iterator[Record | Reject]:
    """The hands of one file as records of events; rejects for what is broken, or of no game of the contract."""
    return told(objects(stream, _LAYOUT), events_of, source)


def events_of(found: Found) -> list[Event]:
    """The events of one hand. The table is named after its text, so that the same hand read twice is the same table.

    Raises `BrokenHandError` with a plain reason.
    """
    fields, whole = found.parsed()
    hand = hand_of(fields, whole=whole)
    return convert(hand, table_of("gfx", hand.hand_id, found.text))
