"""The formats that files come in: how each is told by its content, and who reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from auditor.feeds import bovada, jsonl, ohh, phh, pokergfx, pokernow, pokerstars
from auditor.feeds.streams import KEPT, LONGEST_LINE, Stream
from auditor.findings import Reject
from auditor.intake import Record


@dataclass(frozen=True, slots=True)
class Format:
    """One format. `hint` is searched for in what a file begins with; the first to be found there tells the format."""

    name: str  # as `--from` takes it
    title: str
    hint: re.Pattern[bytes]
    read: Callable[[Stream, str], Iterator[Record | Reject]]
    #: Each hand is a table of its own: such files are read in any order, and by several processes.
    hands: bool = True


#: In the order in which they are tried: where two hints are found at one place, the first wins.
FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        # Formats in JSON before events, which are any objects of one line.
        Format("ohh", "Open Hand History", ohh.HINT, ohh.read),
        Format("pokergfx", "PokerGFX", pokergfx.HINT, pokergfx.read),
        Format(
            "jsonl", "events as JSON Lines", re.compile(rb"^[ \t]*\{[ \t]*\S", re.MULTILINE), jsonl.read, hands=False
        ),
        Format("phh", "PHH", re.compile(rb"^[ \t]*(?:variant|actions)[ \t]*=", re.MULTILINE), phh.read),
        Format("bovada", "Bovada and Ignition text", bovada.HINT, bovada.read),
        Format("pokernow", "PokerNow CSV", pokernow.HINT, pokernow.read, hands=False),
        Format("pokerstars", "PokerStars text", pokerstars.HINT, pokerstars.read),
    )
}

# The longest line must fit, or one long line of rubbish at the top would cost the file.
_LOOKED_AT = LONGEST_LINE + KEPT
_SHOWS_BY = 1 << 10
# A hint fits in here, what the writers of JSON put before it included.
_TOP = 8 << 10


def format_of(stream: Stream) -> Format | None:
    """What the content looks like; the stream is as it was afterwards."""
    head = bytearray()
    looked = 0
    found = None
    for block in stream:
        head += block
        found = _first(head, looked)
        if found is not None or len(head) > _LOOKED_AT:
            break
        line = head.rfind(b"\n") + 1
        # A line that shows nothing at its beginning shows nothing at all: long ones are not gone over again.
        looked = line if len(head) - line < _SHOWS_BY else len(head)
    stream.push_back(bytes(head))
    return found


def _first(head: bytearray, looked: int) -> Format | None:
    """The format whose hint comes first. Nearly always it is at the very top: a little is looked at before the rest."""
    for end in (looked + _TOP, len(head)):
        places = [(match.start(), each) for each in FORMATS.values() if (match := each.hint.search(head, looked, end))]
        if places:
            return min(places, key=lambda place: place[0])[1]
    return None
