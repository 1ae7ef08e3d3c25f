"""A file cut into hands, one at a time: a hand begins with a line that names the room and the hand's number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.feeds.streams import Stream, lines

#: Longest text that is read as one hand.
LONGEST_HAND = 1 << 20

ROOMS = r"(?:Ignition|Bovada|Bodog(?:\.com|\.eu| UK| Canada|88)?)"

_BOM = b"\xef\xbb\xbf"  # one in the middle is of files that were put together

#: A hand's first line. Not always at the beginning of a line: exports are known to lose a line's end before it.
HEADER = re.compile(rf"{ROOMS}(?: Casino| Poker)? Hand #".encode())

_SUMMARY = b"*** SUMMARY ***"
# What no summary holds: the hand below it lost its first line, and perhaps more.
_OF_ANOTHER_HAND = re.compile(
    rb"\s*(?:Seat [0-9]+: ?.*\(.* in chips\)|\*\*\* |.* : (?:Set dealer|Card dealt to a spot)\b)"
)


@dataclass(frozen=True, slots=True)
class HandText:
    """One hand's text, as far as it could be had."""

    line: int  # the number of its first line in the file
    text: bytes
    broken: str | None = None  # why this is not the whole text


def hands(stream: Stream) -> Iterator[HandText]:
    """The hands of a file in order. Text above the first one is a piece of its own."""
    gathered = _Gathered(1)
    number = 0
    for batch in lines(stream):
        for line in batch.whole:
            number += 1
            begins = HEADER.search(line)
            if begins is None:
                if gathered.summed_up and _OF_ANOTHER_HAND.match(line):
                    yield from gathered.hand()
                    gathered = _Gathered(number, broken="no hand begins here: the first line of a hand is missing")
                gathered.add(line)
                continue
            gathered.add(line[: begins.start()].replace(_BOM, b""))
            yield from gathered.hand()
            gathered = _Gathered(number)
            gathered.add(line[begins.start() :])
        if batch.then is not None:
            number += 1
            gathered.add(batch.then.kept)
            gathered.broken = gathered.broken or batch.then.reason
    yield from gathered.hand()


class _Gathered:
    """The lines of a hand as they come, up to a bound."""

    def __init__(self, line: int, *, broken: str | None = None) -> None:
        self.broken = broken
        self.summed_up = False  # the summary has begun: nothing but it belongs to the hand
        self._line = line
        self._lines: list[bytes] = []
        self._size = 0

    def add(self, line: bytes) -> None:
        self._size += len(line) + 1
        self.summed_up = self.summed_up or line.strip() == _SUMMARY
        if self._size <= LONGEST_HAND:
            self._lines.append(line)
        elif self.broken is None:
            self.broken = f"longer than a hand may be: at most {LONGEST_HAND:,} bytes are read"

    def hand(self) -> Iterator[HandText]:
        """The hand, unless there is nothing."""
        text = b"\n".join(self._lines).rstrip()
        if self.broken is not None or text:
            yield HandText(self._line, text, self.broken)
