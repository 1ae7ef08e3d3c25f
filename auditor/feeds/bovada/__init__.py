"""Hand histories of Bovada, Ignition and Bodog as events; each hand becomes a table of its own.

One network under several names. Seats are named by their position, and every seat's hole cards are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.events import Event
from auditor.feeds.bovada.convert import convert
from auditor.feeds.bovada.cut import HEADER, HandText, hands
from auditor.feeds.bovada.head import head_of
from auditor.feeds.pieces import told
from auditor.feeds.streams import Stream
from auditor.feeds.telling import table_of
from auditor.findings import Reject
from auditor.intake import Record

#: What tells such a file by its content.
HINT = re.compile(rb"^" + HEADER.pattern, re.MULTILINE)


def read(stream: Stream, source: str) -> Iterator[Record | Reject]:
    """The hands of one file as records of events; rejects for those that are broken or not understood."""
    return told(hands(stream), events_of, source)


def events_of(hand: HandText) -> list[Event]:
    """The events of one hand, none where it breaks off before it began. Raises `BrokenHandError`, plainly worded."""
    read = head_of(hand)
    if read is None:
        return []
    head, lines = read
    return convert(head, lines, table_of("bovada", head.hand_id, hand.text))
