"""The running service: everything wired together, for as long as nobody asks it to stop."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from types import FrameType

from auditor import __version__
from auditor.audit import Audit
from auditor.feeds.connection import KafkaSettings
from auditor.feeds.group import GroupFeed
from auditor.feeds.kafka import KafkaFeed
from auditor.health import Health, HealthServer
from auditor.intake import DeadLetters, Publisher
from auditor.live.delivery import Posting
from auditor.live.group import Group
from auditor.live.loop import Checkpoint, Keeper, Loop, Pace, Totals, Watcher
from auditor.live.shards import Shards
from auditor.metrics import Metrics
from auditor.store.resume import resume
from auditor.store.writer import Store

log = logging.getLogger(__name__)


class PortTaken(OSError):
    """The port for metrics cannot be listened on."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a run is told."""

    kafka: KafkaSettings
    pace: Pace = field(default_factory=Pace)
    metrics_port: int | None = None
    #: In a group: a store that holds nothing yet is to hold all that the topics have, whatever other stores hold.
    rebuild: bool = False


def serve(
    settings: Settings,
    store: Store,
    watchers: Iterable[Watcher] = (),
    publishers: Sequence[Publisher] = (),
    dead_letters: DeadLetters | None = None,
) -> Totals:
    """Run the service until SIGTERM or SIGINT, or until it is idle. Call it from the main thread.

    Raises `StoreError` and its kin when the store cannot be written, `FeedFailed` when the events cannot be read,
    and `PortTaken`. Nothing is lost by any of them: the next start goes on from the last checkpoint. Findings and
    rejects also go to the publishers and to the dead letters, at least once; whoever made these closes them.
    """
    with ExitStack() as stack:
        watching = list(watchers)
        health, metrics = Health(), Metrics(__version__)
        metrics.watch(lambda: health.not_ready() is None, store.path)
        if settings.metrics_port is not None:
            stack.enter_context(closing(_health_server(settings.metrics_port, metrics, health)))
            watching.append(_measuring(metrics))
        stop = stack.enter_context(stopped_by_signals())
        keeper: Keeper = store
        if publishers or dead_letters is not None:
            keeper = stack.enter_context(closing(Posting(store, publishers, dead_letters)))
        if settings.kafka.group is None:
            loop = _alone(settings, store, keeper, stack)
        else:
            loop = _in_group(settings, store, keeper, stack, stop)
        metrics.open(loop.audit.open_hands, loop.audit.open_tables)
        loop.watchers, loop.on_round = watching, health.round
        return loop.run(stop)


def _alone(settings: Settings, store: Store, keeper: Keeper, stack: ExitStack) -> Loop:
    """All partitions by one process: the store is the truth of how far it has come."""
    audit = Audit(keep_events=True)
    resume(audit, store)
    if audit.open_tables:
        log.info("going on with %d open tables and %d open hands", audit.open_tables, audit.open_hands)
    feed = stack.enter_context(closing(KafkaFeed(settings.kafka, store.offsets())))
    return Loop(feed, audit, keeper, settings.pace)


def _in_group(settings: Settings, store: Store, keeper: Keeper, stack: ExitStack, stop: threading.Event) -> Loop:
    """The partitions that the group gives, with the tables that come with them."""
    feed = stack.enter_context(closing(GroupFeed(settings.kafka)))
    shards = Shards()
    group = Group(settings.kafka, feed, store, keeper, shards, stop, rebuild=settings.rebuild)
    stack.enter_context(closing(group))
    return Loop(feed, shards, keeper, settings.pace, group=group)


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
