"""Several files of events that belong together, one a topic for instance: merged by time, and by what is awaited.

A table's order is that of its numbers, and is put right further on, in a buffer with a bound. Times only say which file
to read first. Where they mislead, because a clock is wrong or each file begins anew with every table, that buffer tells
which files have run ahead: those are read no further until the others have come as far.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from heapq import heappop, heappush
from typing import Final, NamedTuple

from auditor.findings import Reject
from auditor.intake import Record

#: So many files are open at once because of their times; others, once one of these is done or all of them are ahead.
MOST_MERGED: Final = 64
#: So many in all, those held back among them. Some systems let a process open no more than 256.
_MOST_OPEN: Final = 3 * MOST_MERGED

_AT = re.compile(rb'"at"\s*:\s*"([0-9TtZz:.+\- ]{10,40})"')
_BEGINNING = datetime.min.replace(tzinfo=UTC)

_Item = Record | Reject
#: A file that is open: the time of its next record, its place among the files as they were given, its name, that
#: record, and the rest. No two have the same place, so that no more than these two are compared.
_Open = tuple[datetime, int, str, _Item, Iterator[_Item]]


class Part(NamedTuple):
    """A file that is not open yet."""

    source: str  # as its records name it
    begins: datetime | None  # the time of its first event, as far as one could tell
    read: Callable[[], Iterable[_Item]]


class Merge:
    """All records of the files, by instant, but for those of files that are held back; gone through once.

    Where instants are equal, the earlier file goes first. A file is opened when its time has come, and each keeps its
    own order: a record whose time cannot be read stays right behind the one before it.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        coming = [(part.begins or _BEGINNING, place, part) for place, part in enumerate(parts)]
        self._coming = deque(sorted(coming, key=lambda each: each[:2]))
        self._open: list[_Open] = []  # a heap
        self._held: list[_Open] = []
        self._ahead: frozenset[str] = frozenset()

    def hold_back(self, ahead: Collection[str]) -> None:
        """These files have run ahead of the others, whatever their times say: the others go first."""
        if self._ahead != ahead:
            self._ahead = frozenset(ahead)
            self._let_go()

    def __iter__(self) -> Iterator[_Item]:
        while (first := self._first()) is not None:
            at, place, source, item, rest = first
            yield item
            following = next(rest, None)
            if following is not None:
                heappush(self._open, (instant(following.raw) or at, place, source, following, rest))

    def _first(self) -> _Open | None:
        """The file whose turn it is, taken out."""
        while True:
            if self._coming and self._is_due():
                self._open_next()
            elif self._open:
                first = heappop(self._open)
                if first[2] not in self._ahead:
                    return first
                self._held.append(first)
            elif self._held:
                self._ahead = frozenset()  # what they wait for is in those that are ahead themselves, or lost
                self._let_go()
            else:
                return None

    def _is_due(self) -> bool:
        """Whether another file is to be opened now."""
        if not self._open:  # what the others wait for may be in it
            return len(self._held) < _MOST_OPEN
        return self._coming[0][0] <= self._open[0][0] and len(self._open) + len(self._held) < MOST_MERGED

    def _open_next(self) -> None:
        begins, place, part = self._coming.popleft()
        rest = iter(part.read())
        item = next(rest, None)
        if item is not None:
            heappush(self._open, (instant(item.raw) or begins, place, part.source, item, rest))

    def _let_go(self) -> None:
        for each in self._held:
            heappush(self._open, each)
        self._held.clear()


def instant(raw: bytes) -> datetime | None:
    """The event's time off its bytes, without reading the event; None where there is none with an offset."""
    found = _AT.search(raw)
    if found is None:
        return None
    try:
        at = datetime.fromisoformat(found[1].decode().upper())
        return at.astimezone(UTC) if at.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None  # no time, such as the 30th of February: the audit rejects the event itself
