"""The rows of a log, oldest first: the file holds the newest first, and a row may have several lines.

A log has to be turned round, so it is held whole, one at a time; a file may hold several, one behind the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from auditor.feeds.streams import Stream, lines

#: Longest log that is read, in bytes: a night of poker is a hundredth of it.
LONGEST_LOG = 32 << 20

#: The columns' names, by which a log begins.
HEADER = re.compile(rb'[ \t]*"?entry"?,"?at"?(?:,"?order"?)?[ \t]*', re.IGNORECASE)

_QUOTED = re.compile(r'"(?P<entry>(?:[^"]|"")*)",(?P<at>[^,"]*)(?:,"?(?P<order>[^,"]*)"?)?\s*', re.DOTALL)
_BARE = re.compile(r'(?P<entry>[^",]+),(?P<at>\d{4}-[^,"]*)(?:,(?P<order>[^,"]*))?\s*')
_MOST_DIGITS = 20
_MOST_LINES = 200  # of a row: one that lists all settings of a table has thirty
_BOM = "\ufeff"

# The signs of the suits as they come out where a program took the file's UTF-8 for Windows-1252 or Latin-1.
_MISREAD = re.compile("\xe2[\u2122\x99]([\xa0 \xa5\xa6\xa3])")
_SUITS = {"\xa0": "♠", " ": "♠", "\xa5": "♥", "\xa6": "♦", "\xa3": "♣"}


class Row(NamedTuple):
    """One entry of a log, or a line that is none."""

    line: int  # of the file, from 1
    raw: bytes
    text: str = ""
    at: datetime | None = None
    order: str = ""  # its number in the log, as written
    broken: str | None = None  # why it is none
    cut: bool = False  # the newest of a log that has lost its first line: perhaps not all of it


def logs(stream: Stream) -> Iterator[list[Row]]:
    """The logs of a file in order, the rows of each from the oldest on."""
    reading = _Reading()
    number = 0
    for batch in lines(stream):
        for raw in batch.whole:
            number += 1
            if HEADER.fullmatch(raw.removeprefix(_BOM.encode())):
                yield from reading.log()
                reading = _Reading(headed=True)
            else:
                reading.add(number, raw)
        if batch.then is not None:
            number += 1
            reading.add_unread(number, batch.then.kept, batch.then.reason)
    yield from reading.log()


class _Reading:
    """A log as its lines come."""

    def __init__(self, *, headed: bool = False) -> None:
        self._headed = headed
        self._rows: list[Row] = []
        self._open: list[tuple[int, bytes]] = []  # the lines of a row that is not whole
        self._size = 0

    def add(self, number: int, raw: bytes) -> None:
        self._size += len(raw) + 1
        if self._size > LONGEST_LOG:
            if self._size - len(raw) - 1 <= LONGEST_LOG:
                self.add_unread(number, raw, f"longer than a log may be: at most {LONGEST_LOG:,} bytes are read")
            return
        whole = self._row(number, raw)
        if whole is not None:
            self._give_up()
            self._rows.append(whole._replace(cut=not self._rows and not self._headed))
        elif self._open:
            self._go_on(number, raw)
        elif raw.strip():
            self._open = [(number, raw)]

    def add_unread(self, number: int, kept: bytes, reason: str) -> None:
        self._give_up()
        self._rows.append(Row(number, kept, broken=reason))

    def log(self) -> Iterator[list[Row]]:
        """The log, if there is one: without the row that it breaks off in."""
        if not (self._open and self._open[0][1].startswith(b'"')):
            self._give_up()
        if self._rows:
            yield _in_order(self._rows)

    def _go_on(self, number: int, raw: bytes) -> None:
        self._open.append((number, raw))
        text = b"\n".join(each for _, each in self._open)
        first = self._open[0][0]
        if (whole := self._row(first, text)) is not None:
            self._open = []
            self._rows.append(whole)
        elif len(self._open) > _MOST_LINES:
            self._give_up()

    def _give_up(self) -> None:
        """Lines that were to be a row and are none. A log that has lost its first line may begin within a row."""
        for number, raw in self._open:
            if raw.strip() and (self._rows or self._headed):
                self._rows.append(Row(number, raw, broken="not a row of the log"))
        self._open = []

    def _row(self, number: int, raw: bytes) -> Row | None:
        text = raw.decode("utf-8", "replace")
        found = _QUOTED.fullmatch(text) or _BARE.fullmatch(text)
        if found is None:
            return None
        entry = _MISREAD.sub(lambda sign: _SUITS[sign[1]], found["entry"]).replace('""', '"').strip()
        return Row(number, raw, entry, _instant(found["at"]), (found["order"] or "").strip())


def _instant(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if not 1 < at.year < 9999:
        return None
    return at.astimezone(UTC) if at.tzinfo is not None else at.replace(tzinfo=UTC)


def _in_order(rows: list[Row]) -> list[Row]:
    """Oldest first, each once: by the log's own numbers, and where it has none, as the file has them turned round."""
    if any(row.order.isdecimal() for row in rows) or not _oldest_first(rows):
        rows = rows[::-1]
    keyed: list[tuple[int, Row]] = []
    key = -1
    for row in rows:
        # A row without a number stays with its neighbours.
        key = int(row.order) if row.order.isdecimal() and len(row.order) <= _MOST_DIGITS else key
        keyed.append((key, row))
    keyed.sort(key=lambda each: each[0])
    kept: list[Row] = []
    seen: set[tuple[int, str]] = set()
    for key, row in keyed:
        # Twice in a log that was put together; a spreadsheet leaves of the numbers but 1.76E+14, of every row.
        if row.order.isdecimal() and (key, row.text) in seen:
            continue
        seen.add((key, row.text))
        kept.append(row)
    return kept


def _oldest_first(rows: list[Row]) -> bool:
    times = [row.at for row in rows if row.at is not None]
    return bool(times) and times[0] < times[-1]
