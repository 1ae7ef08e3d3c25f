"""Several files of events that belong together, one a topic for instance, merged by the time of their events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from heapq import merge
from operator import itemgetter

from auditor.findings import Reject
from auditor.intake import Record

_AT = re.compile(rb'"at"\s*:\s*"([0-9TtZz:.+\- ]{10,40})"')
_BEGINNING = datetime.min.replace(tzinfo=UTC)


def by_time(feeds: Sequence[Iterable[Record | Reject]]) -> Iterator[Record | Reject]:
    """All records of the feeds, by instant; where instants are equal, the earlier feed goes first.

    Each feed keeps its own order: a record whose time cannot be read stays right behind the one before it.
    """
    for _, item in merge(*map(_timed, feeds), key=itemgetter(0)):
        yield item


def _timed(feed: Iterable[Record | Reject]) -> Iterator[tuple[datetime, Record | Reject]]:
    last = _BEGINNING
    for item in feed:
        last = _instant(item.raw) or last
        yield last, item


def _instant(raw: bytes) -> datetime | None:
    """The event's time off its bytes, without reading the event; None where there is none with an offset."""
    found = _AT.search(raw)
    if found is None:
        return None
    try:
        at = datetime.fromisoformat(found[1].decode().upper())
        return at.astimezone(UTC) if at.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None  # no time, such as the 30th of February: the audit rejects the event itself
