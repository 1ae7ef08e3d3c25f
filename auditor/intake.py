"""What goes into an audit and what comes out of it: the words between the core and its shell.

A feed hands over `Record`s. The audit hands back `Outcomes`, all that one checkpoint of a store has to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count, repeat
from typing import Any, Literal, NamedTuple, Protocol

from auditor.findings import Finding, HandSummary, Reject

Disposition = Literal["accepted", "late", "duplicate", "conflict", "astray"]


#: Events of one table that may wait behind a gap. Two topics of one table run a few events apart, seldom a hand;
#: with this many waiting, what is missing is not coming.
MOST_WAITING = 256

#: With so many waiting, the feed is asked to bring the table's other half first, as long as there is more of it.
MANY_WAITING = 64

#: By how much a number may be beyond the next one of its table: what is further is no number of this table.
FARTHEST = 1_000_000

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
    key: bytes | None = None  # in Kafka, where it must be the table's id; empty for a record without one
    headers: tuple[tuple[str, bytes | None], ...] = ()  # in Kafka
    stamp: int | None = None  # Kafka's own time for it, in milliseconds since the epoch


_record: Callable[[tuple[Any, ...]], Record] = partial(tuple.__new__, Record)


def record_of(raw: bytes, source: str, number: int) -> Record:
    """A record of a file."""
    return _record((raw, source, 0, number, None, (), None))


def records_of(raws: Iterable[bytes], source: str, first: int) -> Iterator[Record]:
    """Records of a file, numbered from `first`. Made with no step of Python for each: there is one for every event."""
    nothing = repeat(None)
    return map(_record, zip(raws, repeat(source), repeat(0), count(first), nothing, repeat(()), nothing, strict=False))


class Gone(NamedTuple):
    """Records that a topic held no longer when they were to be read."""

    source: str
    partition: int
    first: int  # offset of the first of them
    records: int  # how many


def reject_of(item: Record, reason: str, kind: Literal["unreadable", "conflict"] = "unreadable") -> Reject:
    """A record that goes to quarantine, and why."""
    at = None if item.stamp is None or item.stamp < 0 else datetime.fromtimestamp(item.stamp / 1000, UTC)
    return Reject(
        source=item.source, partition=item.partition, offset=item.offset, raw=item.raw, reason=reason, kind=kind, at=at,
        key=item.key or None, headers=item.headers,
    )  # fmt: skip


#: What a feed yields: records, rejects for what it could not even cut into records, and word of what it never got.
Item = Record | Reject | Gone
Feed = Iterable[Record | Reject]


#: One stored event, as the columns of `events` have it. A plain tuple: there is one for every event. `observer` is the
#: contract's `source`, `topic` a topic or a file's name, `disposition` is `accepted` or `late`.
EventRow = tuple[str, int, str | None, str, datetime, str | None, Disposition, str, int, int, str]
EVENT_COLUMNS = (
    "table_id", "seq", "hand_id", "type", "at", "observer", "disposition", "topic", "partition", "offset", "raw",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableRecord:
    """What a restart needs to go on with a table, and what one wants to know of it: a row of `tables`.

    State is the fold of `memory` (the table as it was after event `boundary_seq`, between two hands) and of the
    stored events after it, those in `late` among them. Events from `next_seq` on have arrived but wait for a gap to
    fill.
    """

    table_id: str
    partition: int  # of the topics, that its events come over
    location: str | None
    game: str
    betting: str
    open: bool
    boundary_seq: int
    next_seq: int
    duplicates: int  # identical copies dropped
    late: tuple[int, ...]  # numbers after `boundary_seq` that came late and took their place after all
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


class Letter(NamedTuple):
    """One version of a finding, or a reject, on its way out of the store. Numbers rise, and outlast a restart."""

    number: int
    what: Finding | Reject


class PublishFailed(Exception):
    """What was to go out did not, or nobody knows. Its text says why; it is tried again later, whole."""


class Publisher(Protocol):
    """Where findings go besides the store. Called from a thread of its own, one call at a time."""

    @property
    def to(self) -> str:
        """What the metrics call it: one of a few names, the same for every address."""
        ...

    @property
    def refused(self) -> int:
        """How many the other side refused for good; they are not sent again. Asked from any thread."""
        ...

    def publish(self, findings: Sequence[Finding]) -> None:
        """Return when all are acknowledged; raise `PublishFailed` when some may not be. Each may come again."""
        ...

    def close(self) -> None:
        """Let go, within a second or two."""
        ...


class DeadLetters(Protocol):
    """Where rejects go besides the store, under the same terms as `Publisher`."""

    @property
    def to(self) -> str: ...
    @property
    def refused(self) -> int: ...
    def send(self, rejects: Sequence[Reject]) -> None: ...
    def close(self) -> None: ...
