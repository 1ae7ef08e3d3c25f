"""What goes into an audit and what comes out of it: the words between the core and its shell.

A feed hands over `Record`s. The audit hands back `Outcomes`, all that one checkpoint of a store has to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Literal, NamedTuple

from auditor.findings import Finding, HandSummary, Reject

Disposition = Literal["accepted", "late", "duplicate", "conflict"]


#: Events of one table that may wait behind a gap. Two topics of one table run a few events apart, seldom a hand;
#: with this many waiting, what is missing is not coming.
MOST_WAITING = 256

#: Seconds that a gap may stay open in a live feed, by the clock of the process. A broker's redelivery takes less.
LONGEST_WAIT = 10.0

#: By how much an event may be older than the one before it: two topics, two clocks, and readers that take their time.
CLOCK_SKEW = timedelta(seconds=5)


class Record(NamedTuple):
    """Raw bytes of one event and where they came from."""

    raw: bytes
    source: str  # a topic, or a file's name
    partition: int  # of the topic; 0 for a file
    offset: int  # of the record in its partition; the line's number, from 1, in a file


#: A record of its four parts, at a third of the cost of calling the class: a feed makes one for every event.
record_of: Callable[[tuple[bytes, str, int, int]], Record] = partial(tuple.__new__, Record)

#: A feed yields records, or rejects for what it could not even cut into records.
Feed = Iterable[Record | Reject]


#: One stored event, as the columns of `events` have it. A plain tuple: there is one for every event, and the store's
#: appender reads a named one a third slower. `observer` is the contract's `source`, `topic` a topic or a file's name,
#: `disposition` is `accepted` or `late`.
EventRow = tuple[str, int, str | None, str, datetime, str | None, Disposition, str, int, int, str]
EVENT_COLUMNS = (
    "table_id", "seq", "hand_id", "type", "at", "observer", "disposition", "topic", "partition", "offset", "raw",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableRecord:
    """What a restart needs to go on with a table, and what one wants to know of it: a row of `tables`.

    State is the fold of `memory` (the table as it was after event `boundary_seq`, between two hands) and of the
    stored events after it. Events from `next_seq` on have arrived but wait for a gap to fill.
    """

    table_id: str
    location: str | None
    game: str
    betting: str
    open: bool
    boundary_seq: int
    next_seq: int
    duplicates: int  # identical copies dropped
    memory: bytes  # JSON


@dataclass(frozen=True, slots=True)
class AuditedFile:
    """A row of `files`."""

    digest: str  # BLAKE2b of the bytes on disk, 128 bits
    name: str
    bytes: int
    hands: int  # closed hands; copies of hands that were stored before are left out
    rejects: int
    damaged: bool  # it broke off
    finished_at: datetime


@dataclass(slots=True)
class Outcomes:
    """All that happened since the last drain. Findings and hands are their latest version, keyed by identity."""

    events: list[EventRow] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    findings: dict[str, Finding] = field(default_factory=dict)
    hands: dict[tuple[str, str, int], HandSummary] = field(default_factory=dict)  # (table, hand, started_seq)
    tables: dict[str, TableRecord] = field(default_factory=dict)
    taken: int = 0  # records taken in, of every kind
    duplicates: int = 0  # of them, identical copies that were dropped
    hands_closed: int = 0

    def __bool__(self) -> bool:
        return self.taken > 0 or bool(self.findings) or bool(self.hands)
