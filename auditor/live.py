"""The running service: poll, audit, commit, and again.

One checkpoint is one transaction of the store: events, findings, hands, tables, rejects and the next offsets
together. Whatever was taken in and not committed is read again by the next start, so the process may be killed at
any moment; the same events in give the same rows out.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import FrameType
from typing import NamedTuple, Protocol

from auditor import __version__
from auditor.audit import Audit
from auditor.feeds.kafka import FeedFailed, KafkaFeed, KafkaSettings
from auditor.findings import Finding, Reject
from auditor.health import Health, HealthServer
from auditor.intake import Outcomes, Record
from auditor.metrics import Metrics
from auditor.store.resume import resume
from auditor.store.writer import Store

log = logging.getLogger(__name__)

Offsets = Mapping[tuple[str, int], int]


class Feed(Protocol):
    """Where the records come from: `auditor.feeds.kafka.KafkaFeed`, or a script in a test."""

    @property
    def positions(self) -> Offsets: ...
    @property
    def assigned(self) -> bool: ...
    @property
    def caught_up(self) -> bool: ...
    def poll(self, seconds: float) -> Sequence[Record | Reject]: ...
    def lag(self) -> Offsets: ...
    def acknowledge(self, offsets: Offsets) -> None: ...


class Keeper(Protocol):
    """Where a checkpoint goes: `auditor.store.writer.Store`."""

    def commit(self, outcomes: Outcomes, offsets: Offsets) -> None: ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How often to commit, and when to end."""

    batch_rows: int = 2_000  # records after which a checkpoint is due
    batch_seconds: float = 0.25  # the longest that a record waits for one
    until_idle: float | None = None  # seconds without a record after which the run ends; None: it never does


class PortTaken(OSError):
    """The port for metrics cannot be listened on."""


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
    audit: Audit
    store: Keeper
    pace: Pace
    watchers: Sequence[Watcher] = ()
    on_round: Callable[[bool], None] | None = None  # called each round: whether there are partitions to read
    totals: Totals = field(default_factory=Totals)
    _news: News = field(default_factory=lambda: News())
    _waiting: int = 0  # records taken since the last checkpoint
    _last_checkpoint: float = field(default_factory=time.monotonic)
    _last_record: float = field(default_factory=time.monotonic)

    def run(self, stop: threading.Event) -> Totals:
        """Go round until `stop` is set, which a signal's handler may do, or until nothing comes for long enough."""
        try:
            self._go_round(stop)
        except FeedFailed as failed:
            if not stop.is_set():
                raise
            log.warning("%s; leaving all the same", failed)
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
        now = time.monotonic()
        self.audit.take_all(items)
        self.audit.expire_gaps(now)
        self._waiting += len(items)
        if items or not self.feed.assigned:  # a group's slow welcome is no idleness
            self._last_record = now
        if self._waiting >= self.pace.batch_rows or now - self._last_checkpoint >= self.pace.batch_seconds:
            self._checkpoint()
        if self.on_round is not None:
            self.on_round(self.feed.assigned)

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
        began = time.perf_counter()
        self.store.commit(outcomes, offsets)
        seconds = time.perf_counter() - began
        self.feed.acknowledge(offsets)
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


# --- the composition root -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a run is told."""

    kafka: KafkaSettings
    pace: Pace = Pace()
    metrics_port: int | None = None


def serve(settings: Settings, store: Store, watchers: Iterable[Watcher] = ()) -> Totals:
    """Run the service until SIGTERM or SIGINT, or until it is idle. Call it from the main thread.

    Raises `StoreError` and its kin when the store cannot be written, `FeedFailed` when the events cannot be read,
    and `PortTaken`. Nothing is lost by any of them: the next start goes on from the last checkpoint.
    """
    with ExitStack() as stack:
        watching = list(watchers)
        health, metrics = Health(), Metrics(__version__)
        if settings.metrics_port is not None:
            stack.enter_context(closing(_health_server(settings.metrics_port, metrics, health)))
            watching.append(_measuring(metrics))
        audit = Audit(keep_events=True)
        resume(audit, store)
        if audit.open_tables:
            log.info("going on with %d open tables and %d open hands", audit.open_tables, audit.open_hands)
        metrics.open(audit.open_hands, audit.open_tables)
        feed = stack.enter_context(closing(KafkaFeed(settings.kafka, store.offsets())))
        stop = stack.enter_context(stopped_by_signals())
        return Loop(feed, audit, store, settings.pace, watching, health.round).run(stop)


@contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """An event that SIGTERM and SIGINT set, so that a batch is finished and committed before the process leaves."""
    stop = threading.Event()

    def ask(number: int, _: FrameType | None) -> None:
        log.info("%s: committing and leaving", signal.Signals(number).name)
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _health_server(port: int, metrics: Metrics, health: Health) -> HealthServer:
    try:
        return HealthServer(port, metrics.registry, health)
    except OSError as error:
        raise PortTaken(f"port {port} for metrics cannot be listened on: {error.strerror}") from error


def _measuring(metrics: Metrics) -> Watcher:
    def watch(checkpoint: Checkpoint) -> None:
        metrics.committed(checkpoint.outcomes, checkpoint.new_findings, checkpoint.seconds, checkpoint.at)
        metrics.open(checkpoint.open_hands, checkpoint.open_tables)
        metrics.lagging(checkpoint.lag)

    return watch
