"""What the running service counts, for Prometheus.

Names follow the Prometheus conventions: base units, `_total` for counters. No label has more values than there are
topics, partitions or rules: never a table, a hand or a card.
"""

from __future__ import annotations

import platform
import shutil
import time
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import nan
from pathlib import Path
from typing import Final, Literal, NamedTuple, Protocol, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from auditor.findings import Finding, Reject
from auditor.intake import Outcomes
from auditor.rules.registry import RULES


class Described(NamedTuple):
    """A metric as it is documented."""

    name: str
    kind: Literal["counter", "gauge", "histogram", "info"]
    labels: tuple[str, ...]
    help: str


EVENTS: Final = Described(
    "auditor_events_total", "counter", ("topic",), "Events audited and stored, by the topic that brought them."
)
FINDINGS: Final = Described(
    "auditor_findings_total", "counter", ("rule", "severity"), "Findings that became known, by rule and severity."
)
REJECTS: Final = Described(
    "auditor_rejects_total", "counter", ("kind",), "Records put in quarantine, by the kind of reason."
)
DUPLICATES: Final = Described(
    "auditor_duplicates_total", "counter", (), "Identical copies of events that were dropped."
)
LAG: Final = Described(
    "auditor_lag_records", "gauge", ("topic", "partition"), "Records in the topic that are not audited yet."
)
EVENT_AGE: Final = Described(
    "auditor_event_age_seconds", "gauge", (), "From when the newest stored event happened to when it was stored."
)
OPEN_HANDS: Final = Described("auditor_open_hands", "gauge", (), "Hands that have begun and not ended.")
OPEN_TABLES: Final = Described("auditor_open_tables", "gauge", (), "Tables that were opened and not closed.")
COMMIT_DURATION: Final = Described(
    "auditor_commit_duration_seconds", "histogram", (), "How long the store took to commit one checkpoint."
)
LAST_COMMIT: Final = Described(
    "auditor_last_commit_timestamp_seconds", "gauge", (), "When the last checkpoint was committed, since the epoch."
)
OUTBOX_LETTERS: Final = Described(
    "auditor_outbox_letters", "gauge", (), "Findings and rejects in the outbox that not every outlet has taken."
)
PUBLISH_FAILURES: Final = Described(
    "auditor_publish_failures_total", "counter", ("to",), "Failed attempts to send, which are made again, by where to."
)
PUBLISH_REFUSED: Final = Described(
    "auditor_publish_refused_total", "counter", ("to",), "Findings and rejects that were refused for good, by where to."
)
READY: Final = Described("auditor_ready", "gauge", (), "1 while events are being read, else 0; as /readyz says.")
STARTED: Final = Described("auditor_start_timestamp_seconds", "gauge", (), "When the process started, since the epoch.")
STORE_BYTES: Final = Described("auditor_store_bytes", "gauge", (), "Size of the store: its file and its log.")
STORE_FREE_BYTES: Final = Described(
    "auditor_store_free_bytes", "gauge", (), "Room that is left on the volume that holds the store."
)
BUILD: Final = Described("auditor_build_info", "info", ("version", "python"), "What runs: the product and its Python.")

_COMMIT_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


def described() -> tuple[Described, ...]:
    """Every metric that the service exposes, as the documentation must have it."""
    return (
        EVENTS, FINDINGS, REJECTS, DUPLICATES, LAG, EVENT_AGE, OPEN_HANDS, OPEN_TABLES, COMMIT_DURATION, LAST_COMMIT,
        OUTBOX_LETTERS, PUBLISH_FAILURES, PUBLISH_REFUSED, READY, STARTED, STORE_BYTES, STORE_FREE_BYTES, BUILD,
    )  # fmt: skip


class Outlet(Protocol):
    """What an outlet counts itself: `auditor.live.delivery.Outlet`."""

    @property
    def to(self) -> str: ...
    @property
    def failures(self) -> int: ...
    @property
    def refused(self) -> int: ...


class Metrics:
    """The service's metrics, in a registry of their own."""

    def __init__(self, version: str) -> None:
        self.registry = CollectorRegistry()
        self._events = _Children(self._counter(EVENTS))
        self._findings = _Children(self._counter(FINDINGS))
        self._rejects = _Children(self._counter(REJECTS))
        # An increase is seen only of a series that was there before: what may come is shown as 0 from the start.
        self._findings.add(Tally({(rule.code, rule.severity): 0 for rule in RULES.values()}))
        self._rejects.add(Tally({(kind,): 0 for kind in get_args(Reject.model_fields["kind"].annotation)}))
        self._duplicates = self._counter(DUPLICATES)
        self._lag = self._gauge(LAG)
        self._lagging: set[tuple[str, int]] = set()
        self._event_age = self._gauge(EVENT_AGE)
        self._open_hands = self._gauge(OPEN_HANDS)
        self._open_tables = self._gauge(OPEN_TABLES)
        self._commit_duration = Histogram(
            COMMIT_DURATION.name, COMMIT_DURATION.help, buckets=_COMMIT_BUCKETS, registry=self.registry
        )
        self._last_commit = self._gauge(LAST_COMMIT)
        self._outbox_letters = self._gauge(OUTBOX_LETTERS)
        self._outlets = _Outlets()
        self.registry.register(self._outlets)
        self._ready = self._gauge(READY)
        self._gauge(STARTED).set(time.time())
        self._store_bytes = self._gauge(STORE_BYTES)
        self._store_free_bytes = self._gauge(STORE_FREE_BYTES)
        build = Info(BUILD.name.removesuffix("_info"), BUILD.help, registry=self.registry)
        build.info({"version": version, "python": platform.python_version()})

    def watch(self, ready: Callable[[], bool], store: Path) -> None:
        """Show at each scrape whether the service is `ready`, and how large the `store` and how full its volume is."""
        self._ready.set_function(lambda: float(ready()))
        self._store_bytes.set_function(lambda: _or_nan(lambda: _store_bytes(store)))
        self._store_free_bytes.set_function(lambda: _or_nan(lambda: shutil.disk_usage(store.parent).free))

    def watch_delivery(self, waiting: Callable[[], int], outlets: Sequence[Outlet]) -> None:
        """Show at each scrape how many letters are `waiting` in the outbox, and what the `outlets` have counted."""
        self._outbox_letters.set_function(waiting)
        self._outlets.watched = outlets

    def committed(self, outcomes: Outcomes, new_findings: Iterable[Finding], seconds: float, at: datetime) -> None:
        """One checkpoint went into the store at `at`, in `seconds`. `new_findings` became known with it."""
        self._events.add(Tally((topic,) for *_, topic, _, _, _ in outcomes.events))
        self._findings.add(Tally((finding.rule, finding.severity) for finding in new_findings))
        self._rejects.add(Tally((reject.kind,) for reject in outcomes.rejects))
        self._duplicates.inc(outcomes.duplicates)
        if outcomes.events:
            newest = max(at for _, _, _, _, at, *_ in outcomes.events)
            self._event_age.set((at - newest.astimezone(UTC)).total_seconds())
        self._commit_duration.observe(seconds)
        self._last_commit.set(at.timestamp())

    def open(self, hands: int, tables: int) -> None:
        """How much is under way."""
        self._open_hands.set(hands)
        self._open_tables.set(tables)

    def lagging(self, lag: Mapping[tuple[str, int], int]) -> None:
        """How far behind each partition is; one that went to another process is no longer shown."""
        for topic, partition in self._lagging - lag.keys():
            self._lag.remove(topic, str(partition))
        for (topic, partition), records in lag.items():
            self._lag.labels(topic, str(partition)).set(records)
        self._lagging = set(lag)

    def _counter(self, what: Described) -> Counter:
        return Counter(what.name, what.help, what.labels, registry=self.registry)

    def _gauge(self, what: Described) -> Gauge:
        return Gauge(what.name, what.help, what.labels, registry=self.registry)


def _store_bytes(store: Path) -> int:
    log = store.with_name(store.name + ".wal")
    return store.stat().st_size + (log.stat().st_size if log.exists() else 0)


def _or_nan(read: Callable[[], int]) -> float:
    """What cannot be told is shown as no number: a file that goes away must not cost the rest of the scrape."""
    try:
        return float(read())
    except OSError:
        return nan


class _Outlets(Collector):
    """The counters that outlets keep themselves."""

    def __init__(self) -> None:
        self.watched: Sequence[Outlet] = ()

    def collect(self) -> Iterator[CounterMetricFamily]:
        """One series of each counter for each outlet."""
        failures, refused = _family(PUBLISH_FAILURES), _family(PUBLISH_REFUSED)
        for outlet in self.watched:
            failures.add_metric([outlet.to], outlet.failures)
            refused.add_metric([outlet.to], outlet.refused)
        yield failures
        yield refused


def _family(what: Described) -> CounterMetricFamily:
    return CounterMetricFamily(what.name, what.help, labels=what.labels)


class _Children:
    """A counter's children, looked up once: `labels()` costs four times the counting itself."""

    def __init__(self, parent: Counter) -> None:
        self._parent = parent
        self._known: dict[tuple[str, ...], Counter] = {}

    def add(self, tally: Mapping[tuple[str, ...], int]) -> None:
        for labels, count in tally.items():
            child = self._known.get(labels)
            if child is None:
                child = self._known[labels] = self._parent.labels(*labels)
            child.inc(count)
