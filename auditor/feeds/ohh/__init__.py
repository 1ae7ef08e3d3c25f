"""Open Hand History (JSON) as events; each hand becomes a table of its own.

The format: https://hh-specs.handhistory.org. Hands are objects `{"ohh": {...}}` one after the other, as the
specification has it, or in an array, or bare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.events import Event
from auditor.feeds.objects import Found, Layout, objects
from auditor.feeds.ohh.convert import convert
from auditor.feeds.ohh.hand import hand_of
from auditor.feeds.pieces import told
from auditor.feeds.streams import Stream
from auditor.feeds.telling import table_of
from auditor.findings import Reject
from auditor.intake import Record

#: What a file begins with: a hand in its wrapping, a bare one, or a list of them.
HINT = re.compile(
    rb'^[ \t]*(?:\[\s*)?(?:\{[^{}]*"[a-zA-Z]+"\s*:\s*\[\s*)?\{[^{}]*'
    rb'"(?:ohh"\s*:\s*\{|(?:spec|internal)_version"\s*:|bet_limit"\s*:|dealer_seat"\s*:)',
    re.MULTILINE,
)

_LAYOUT = Layout(
    envelope=re.compile(r'\{[^{}]*"(?:hands"\s*:\s*\[|[a-zA-Z]+"\s*:\s*\[\s*(?=\{\s*"ohh"\s*:))', re.IGNORECASE),
    restart=re.compile(r'\{[^{}]*"ohh"\s*:\s*\{|^\{', re.MULTILINE),
    inside=re.compile(r'\{[^{}]*"ohh"\s*:\s*\{'),
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
    return convert(hand, table_of("ohh", hand.hand_id, found.text))
