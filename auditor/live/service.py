"""The running service: everything wired together, for as long as nobody asks it to stop."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import Final

from auditor import __version__
from auditor.audit import Audit
from auditor.feeds.connection import AccessRefused, FeedFailed, KafkaSettings, OffsetsLost
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


#: A service that is being watched waits so long for its broker and its topics, alive and not ready; whoever has just
#: typed the command is told at once.
_START_SECONDS: Final = 300.0
_AGAIN_SECONDS: Final = 2.0


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
    and `PortTaken`. Nothing is lost by any of them: the next start goes on from the last checkpoint. With a port for
    metrics it waits some minutes for a broker and its topics. Findings and rejects also go to the publishers and to
    the dead letters, at least once; whoever made these closes them.
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
            keeper = posting = stack.enter_context(closing(Posting(store, publishers, dead_letters)))
            metrics.watch_delivery(lambda: posting.waiting, posting.outlets)
        waits = _START_SECONDS if settings.metrics_port is not None else 0.0
        feed = _once_there(partial(_feed, settings, store), stop, waits)
        if feed is None:
            return Totals()
        stack.enter_context(closing(feed))
        if isinstance(feed, GroupFeed):
            loop = _in_group(settings, feed, store, keeper, stack, stop, partial(health.round, False))
        else:
            loop = _alone(settings, feed, store, keeper)
        metrics.open(loop.audit.open_hands, loop.audit.open_tables)
        loop.watchers, loop.on_round = watching, health.round
        return loop.run(stop)


def _feed(settings: Settings, store: Store) -> KafkaFeed:
    return KafkaFeed(settings.kafka, store.offsets()) if settings.kafka.group is None else GroupFeed(settings.kafka)


def _once_there(connect: Callable[[], KafkaFeed], stop: threading.Event, seconds: float) -> KafkaFeed | None:
    """The feed, as soon as there are a broker and the topics, if that takes no longer; None when asked to stop."""
    until = time.monotonic() + seconds
    while not stop.is_set():
        try:
            return connect()
        except (AccessRefused, OffsetsLost):
            raise
        except FeedFailed as failed:
            if time.monotonic() >= until:
                raise
            log.warning("%s; trying again", failed)
            stop.wait(_AGAIN_SECONDS)
    return None


def _alone(settings: Settings, feed: KafkaFeed, store: Store, keeper: Keeper) -> Loop:
    """All partitions by one process: the store is the truth of how far it has come."""
    audit = Audit(keep_events=True)
    resume(audit, store)
    if audit.open_tables:
        log.info("going on with %d open tables and %d open hands", audit.open_tables, audit.open_hands)
    return Loop(feed, audit, keeper, settings.pace)


def _in_group(
    settings: Settings,
    feed: GroupFeed,
    store: Store,
    keeper: Keeper,
    stack: ExitStack,
    stop: threading.Event,
    on_step: Callable[[], None],
) -> Loop:
    """The partitions that the group gives, with the tables that come with them."""
    shards = Shards()
    group = Group(settings.kafka, feed, store, keeper, shards, stop, rebuild=settings.rebuild, on_step=on_step)
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
