"""The loop: poll, audit, commit, and again.

One checkpoint is one transaction of the store: events, findings, hands, tables, rejects and the next offsets
together. Whatever was taken in and not committed is read again by the next start, so the process may be killed at
any moment; the same events in give the same rows out.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple, Protocol

from auditor.feeds.connection import FeedFailed
from auditor.findings import Finding
from auditor.intake import Item, Outcomes

log = logging.getLogger(__name__)

Offsets = Mapping[tuple[str, int], int]

_GAPS_SECONDS: Final = 0.25  # from one look at the age of gaps to the next
_LONGEST_ROUND: Final = 1.0  # what counts of a round for the age of gaps: a process that was stopped has not waited
#: While there is known to be more to read, a gap may be in it, and ages so much more slowly.
_AGES_WITH_MORE_TO_COME: Final = 1 / 6


class Feed(Protocol):
    """Where the records come from: `auditor.feeds.kafka.KafkaFeed`, or a script in a test."""

    @property
    def positions(self) -> Offsets: ...
    @property
    def assigned(self) -> bool: ...
    @property
    def reading(self) -> bool: ...
    @property
    def awaits_more(self) -> bool: ...
    @property
    def caught_up(self) -> bool: ...
    def poll(self, seconds: float) -> Sequence[Item]: ...
    def hold_back(self, ahead: Collection[tuple[str, int]]) -> None: ...
    def lag(self) -> Offsets: ...


class Auditing(Protocol):
    """What audits them: `auditor.audit.Audit`, or several of them as `auditor.live.shards.Shards`."""

    @property
    def ahead(self) -> Collection[tuple[str, int]]: ...
    @property
    def open_tables(self) -> int: ...
    @property
    def open_hands(self) -> int: ...
    def take_all(self, items: Iterable[Item]) -> None: ...
    def expire_gaps(self, now: float) -> None: ...
    def finish(self) -> None: ...
    def drain(self) -> Outcomes: ...


class Keeper(Protocol):
    """Where a checkpoint goes: `auditor.store.writer.Store`, or `auditor.live.delivery.Posting` before it."""

    def commit(self, outcomes: Outcomes, offsets: Offsets) -> None: ...


class Membership(Protocol):
    """What it takes to share the topics with other processes: `auditor.live.group.Group`."""

    def heed(self) -> None:
        """The group may have given or taken partitions in the last poll. What was not committed of them is dropped."""
        ...

    def claim(self, outcomes: Outcomes, offsets: Offsets) -> bool:
        """Whether a batch is ours to commit. Where it is not, all of it is dropped."""
        ...

    def committed(self, outcomes: Outcomes, offsets: Offsets) -> None:
        """The batch is in the store."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How often to commit, and when to end."""

    batch_rows: int = 2_000  # records after which a checkpoint is due
    batch_seconds: float = 0.25  # the longest that a record waits for one
    until_idle: float | None = None  # seconds without a record after which the run ends; None: it never does


class Checkpoint(NamedTuple):
    """One commit, as whoever watches the run sees it."""

    outcomes: Outcomes
    new_findings: list[Finding]  # those that became known with it
    lag: Offsets
    open_hands: int
    open_tables: int
    seconds: float  # that the store took
    at: datetime


Watcher = Callable[[Checkpoint], None]


@dataclass(slots=True)
class Totals:
    """What a run came to."""

    records: int = 0
    events: int = 0
    findings: int = 0
    rejects: int = 0
    checkpoints: int = 0


@dataclass(slots=True)
class Loop:
    """The loop itself. Errors of the feed and of the store leave it as they are; nothing that failed is committed."""

    feed: Feed
    audit: Auditing
    store: Keeper
    pace: Pace
    watchers: Sequence[Watcher] = ()
    on_round: Callable[[bool], None] | None = None  # called each round: whether events can be read
    group: Membership | None = None  # None: all partitions are ours alone
    totals: Totals = field(default_factory=Totals)
    _news: News = field(default_factory=lambda: News())
    _gaps: GapClock = field(default_factory=lambda: GapClock(time.monotonic()))
    _waiting: int = 0  # records taken since the last checkpoint
    _last_checkpoint: float = field(default_factory=time.monotonic)
    _last_record: float = field(default_factory=time.monotonic)

    def run(self, stop: threading.Event) -> Totals:
        """Go round until `stop` is set, which a signal's handler may do, or until nothing comes for long enough."""
        with _unless_stopped(stop):
            self._go_round(stop)
        with _unless_stopped(stop):
            self._checkpoint()
        return self.totals

    def _go_round(self, stop: threading.Event) -> None:
        while not stop.is_set():
            self._round()
            if self._idle():
                self.audit.finish()
                break

    def _round(self) -> None:
        items = self.feed.poll(self._patience())
        if self.group is not None:
            self.group.heed()
        now = time.monotonic()
        self.audit.take_all(items)
        self.feed.hold_back(self.audit.ahead)
        if self._gaps.due(now, self.feed):
            self.audit.expire_gaps(self._gaps.time)
        self._waiting += len(items)
        if items or not self.feed.assigned:  # a group's slow welcome is no idleness
            self._last_record = now
        if self._waiting >= self.pace.batch_rows or now - self._last_checkpoint >= self.pace.batch_seconds:
            self._checkpoint()
        if self.on_round is not None:
            self.on_round(self.feed.reading)

    def _patience(self) -> float:
        """How long a poll may wait: with records at hand, until their checkpoint is due."""
        if not self._waiting:
            return self.pace.batch_seconds
        return max(0.0, self._last_checkpoint + self.pace.batch_seconds - time.monotonic())

    def _idle(self) -> bool:
        limit = self.pace.until_idle
        return limit is not None and time.monotonic() - self._last_record >= limit and self.feed.caught_up

    def _checkpoint(self) -> None:
        outcomes = self.audit.drain()
        self._waiting = 0
        self._last_checkpoint = time.monotonic()
        if not outcomes:
            return
        offsets = dict(self.feed.positions)
        if self.group is not None and not self.group.claim(outcomes, offsets):
            return
        began = time.perf_counter()
        self.store.commit(outcomes, offsets)
        seconds = time.perf_counter() - began
        if self.group is not None:
            self.group.committed(outcomes, offsets)
        self._tell(outcomes, seconds)

    def _tell(self, outcomes: Outcomes, seconds: float) -> None:
        open_hands, open_tables = self.audit.open_hands, self.audit.open_tables
        checkpoint = Checkpoint(
            outcomes, self._news.of(outcomes), self.feed.lag(), open_hands, open_tables, seconds, datetime.now(UTC)
        )
        totals = self.totals
        totals.records += checkpoint.outcomes.taken
        totals.events += len(checkpoint.outcomes.events)
        totals.findings += len(checkpoint.new_findings)
        totals.rejects += len(checkpoint.outcomes.rejects)
        totals.checkpoints += 1
        for watch in self.watchers:
            watch(checkpoint)


@contextmanager
def _unless_stopped(stop: threading.Event) -> Iterator[None]:
    """A feed that fails ends the run, but does not keep one that is to leave from its last checkpoint."""
    try:
        yield
    except FeedFailed as failed:
        if not stop.is_set():
            raise
        log.warning("%s; leaving all the same", failed)


class GapClock:
    """The clock by which gaps grow old. It runs while the process waits for their events, and only then at full speed.

    What is missing behind a backlog is most likely in it, and a process that was stopped for an hour has waited for
    nothing.
    """

    def __init__(self, now: float) -> None:
        self.time = 0.0
        self._looked = now
        self._round = now

    def due(self, now: float, feed: Feed) -> bool:
        """One more round. Whether it is time to look at the gaps."""
        passed = min(now - self._round, _LONGEST_ROUND)
        self._round = now
        self.time += passed * (_AGES_WITH_MORE_TO_COME if feed.awaits_more else 1)
        if now - self._looked < _GAPS_SECONDS:
            return False
        self._looked = now
        return True


class News:
    """Tells a finding that has just become known from one that has only changed."""

    def __init__(self) -> None:
        self._open: set[str] = set()  # findings that may still change; settled ones are forgotten, so it stays small

    def of(self, outcomes: Outcomes) -> list[Finding]:
        """The findings of a checkpoint that no earlier one held."""
        fresh = [finding for finding in outcomes.findings.values() if finding.finding_id not in self._open]
        for finding in outcomes.findings.values():
            (self._open.discard if finding.settled else self._open.add)(finding.finding_id)
        return fresh
