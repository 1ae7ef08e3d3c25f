"""Logs of PokerNow (CSV, the newest row first) as events; a log is one table, from its first hand to its last."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator

from auditor.feeds.pokernow.room import Broken, Room
from auditor.feeds.pokernow.rows import HEADER, logs
from auditor.feeds.streams import Stream
from auditor.findings import Reject
from auditor.intake import Record, record_of
from auditor.wire import dump

#: What tells such a file by its content: the columns' names, or rows of a log that has lost them.
HINT = re.compile(rb"^(?:" + HEADER.pattern + rb'\r?$|"-- (?:starting|ending) hand #\d)', re.MULTILINE | re.IGNORECASE)


def read(stream: Stream, source: str) -> Iterator[Record | Reject]:
    """The logs of one file as records of events, in one numbering with the rejects.

    A hand that contradicts itself or is not understood is a reject with its rows, and costs no other. A log that is
    there again, perhaps grown since, adds only what was not told before.
    """
    number = 0
    told_before: defaultdict[str, _Told] = defaultdict(_Told)
    for rows in logs(stream):
        room = Room(rows)
        known = told_before[room.table_id]
        for told in room.tell():
            if isinstance(told, Broken):
                if known.again(-1, told.raw):
                    continue
                number += 1
                yield Reject(source=source, offset=number, raw=told.raw, reason=f"line {told.line:,}: {told.reason}")
            else:
                raw = dump(told)
                if known.again(told.seq - 1, raw):
                    continue
                number += 1
                yield record_of(raw, source, number)


class _Told:
    """What one log has told, eight bytes for each event."""

    __slots__ = ("_broken", "_events")

    def __init__(self) -> None:
        self._events: array[int] = array("q")
        self._broken: set[int] = set()

    def again(self, place: int, raw: bytes) -> bool:
        """Whether the very same was told before; a refused hand has no place among the events."""
        mark = hash(raw)
        if place < 0:
            known = mark in self._broken
            self._broken.add(mark)
            return known
        if place == len(self._events):
            self._events.append(mark)
            return False
        return self._events[place] == mark
