"""A file cut into hands, one at a time: a hand goes from its first line to the next one's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.feeds.streams import Stream, lines
from auditor.feeds.telling import BrokenHandError

#: Longest text that is read as one hand, and longest line of one that makes sense.
LONGEST_HAND = 1 << 20
LONGEST_LINE = 2000

#: The first line of a hand, up to its number. "Poker Hand" is what GGPoker writes.
FIRST_LINE = (
    rb"(?:PokerStars|POKERSTARS|Full Tilt|Run It Once Poker|PokerMaster|PokerBros|MPLPoker|SupremaPoker|Hive Poker"
    rb"|Poker)(?: [A-Za-z]{1,10}){0,3} (?:Hand|Game|HAND|GAME) ?#[A-Z]{0,4}[0-9]+:"
)
#: Tells the format: the first line of a hand, at the start of a line.
HINT = re.compile(rb"^[ \t]?" + FIRST_LINE, re.MULTILINE)

# Files that were put together without a line break between them have a first line behind the last one of another
# hand; a date makes sure that nobody only spoke of a hand.
_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)*[ \t]?(?=" + FIRST_LINE + rb")")
_BEGINS_WITHIN = re.compile(rb"(?=" + FIRST_LINE + rb".* - [0-9]{4}/[0-9]{1,2}/)")
# What archives and transcripts put between hands: a title, and a line of stars with a number.
# A line that only a hand has: one of these without a first line above it is of a hand that lost its beginning.
_OF_A_HAND = re.compile(
    rb"[ \t]?(?:\*\*\* [A-Z]|Dealt to |Seat [0-9]+: .* in chips"
    rb"|.*: (?:folds|checks|calls|bets|raises|posts|shows|mucks)\b)"
)
_BETWEEN = re.compile(rb"[ \t]*(?:\*{5,}.*|Transcript for .*|Hand [Hh]istory .*|\xef\xbb\xbf)?[ \t]*")


@dataclass(frozen=True, slots=True)
class HandText:
    """One hand's text, as far as it could be had."""

    line: int  # the number of its first line in the file
    text: bytes
    broken: str | None = None  # why this is not the whole text

    def lines(self) -> list[str]:
        """The lines, without the space around them. Raises `BrokenHandError` where this is no hand."""
        if self.broken is not None:
            raise BrokenHandError(self.broken)
        try:
            text = self.text.decode()
        except UnicodeDecodeError:
            text = self.text.decode("cp1252", errors="replace")  # as older programs write
        lines = [line.strip() for line in text.replace("\xa0", " ").split("\n")]
        while lines and not lines[-1]:
            lines.pop()
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE:
                raise BrokenHandError(f"a line of {len(line):,} characters", number)
        return lines


def hand_texts(stream: Stream) -> Iterator[HandText]:
    """The hands of a file in order; a hand that lost its first line, and a file without any, as a broken one."""
    gathered = _Gathered(1, begun=False)
    number = 0
    for batch in lines(stream):
        for line in _parted(batch.whole):
            number += 1
            begins = _begins(line) if b"#" in line else None
            if begins is not None:
                if begins.start():
                    gathered.add(line[: begins.start()])
                yield from gathered.text()
                gathered = _Gathered(number, begun=True)
                line = line[begins.end() :]
            elif gathered.over and _OF_A_HAND.match(line):
                yield from gathered.text()
                gathered = _Gathered(number, begun=False)
            gathered.add(line)
        if batch.then is not None:
            number += 1
            gathered.add(batch.then.kept)
            gathered.broken = gathered.broken or batch.then.reason
    yield from gathered.text(alone=number == gathered.lines)


def _parted(whole: list[bytes]) -> Iterator[bytes]:
    """The lines, also where old programs for another system ended them with a carriage return alone."""
    for line in whole:
        if b"\r" in line:
            yield from line.rstrip(b"\r").split(b"\r")
        else:
            yield line


def _begins(line: bytes) -> re.Match[bytes] | None:
    """Where a hand begins in a line, if one does; never in what a player says."""
    found = _BEGINS.match(line)
    if found is None and len(line) <= 2 * LONGEST_LINE and b'"' not in line:
        found = _BEGINS_WITHIN.search(line)
    return found


class _Gathered:
    """The lines of a hand as they come, up to a bound."""

    def __init__(self, line: int, *, begun: bool) -> None:
        self.broken = None if begun else "no hand begins here: the first line of a hand is missing"
        self.lines = 0  # that were added
        self.over = False  # the summary has come to its end: what follows is no part of it
        self._begun = begun
        self._line = line
        self._kept: list[bytes] = []
        self._size = 0
        self._in_summary = False

    def add(self, line: bytes) -> None:
        self.lines += 1
        self._in_summary = self._in_summary or line.strip() == b"*** SUMMARY ***"
        self.over = self.over or (self._in_summary and not line.strip())
        if not self._begun and not self._kept and _BETWEEN.fullmatch(line):
            self._line += 1
            return
        self._size += len(line) + 1
        if self._size <= LONGEST_HAND:
            self._kept.append(line)
            return
        self._kept = self._kept or [line[:LONGEST_LINE]]
        self.broken = self.broken or f"longer than a hand may be: at most {LONGEST_HAND:,} bytes are read"

    def text(self, *, alone: bool = False) -> Iterator[HandText]:
        """The hand, if there is one. Words above the first hand say nothing, unless they are all there is."""
        while self._kept and _BETWEEN.fullmatch(self._kept[-1]):
            self._kept.pop()
        if self._kept and (self._begun or alone or any(map(_OF_A_HAND.match, self._kept))):
            yield HandText(self._line, b"\n".join(self._kept), self.broken)
