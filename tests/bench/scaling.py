"""How the service grows: with partitions, with processes, and with tables.

The processes are started and wait for their share of the partitions. The events lie in the topics by then, in a
transaction that is not committed, so that nobody sees them; when it is, all begin at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import psutil

from tests.bench.measures import Measure
from tests.bench.service import Place, apache_kafka, ready

if TYPE_CHECKING:
    from live_kit import Topics

EVENTS: Final = 200_000
ROUNDS: Final = 3
GRID: Final = ((1, 1), (2, 1), (4, 1), (2, 2), (4, 2))  # partitions of each topic, processes
FEW, MANY = 1_000, 4_000  # tables
_EVENTS_OF_A_TABLE: Final = 60  # its second hand is under way then
_TRANSACTION_MS: Final = 600_000
_PATIENCE: Final = 300.0  # seconds for a run


def throughput() -> list[Measure]:
    """Events a second from Kafka to DuckDB, by partitions and processes."""
    try:
        with apache_kafka() as place:
            return [_throughput(place, partitions, processes) for partitions, processes in GRID]
    except RuntimeError as missing:
        return [Measure("Kafka to DuckDB, by partitions and processes", f"skipped: {missing}", "–", None)]


def tables() -> list[Measure]:
    """Memory of one process, by the tables that it follows, each with a hand under way."""
    what = "memory of one process"
    try:
        with apache_kafka() as place:
            few, many = (_memory(place, count) for count in (FEW, MANY))
    except RuntimeError as missing:
        return [Measure(what, f"skipped: {missing}", "–", None)]
    each = (many - few) / (MANY - FEW) * 1_000
    figure = f"{(few - each * FEW / 1_000) / 2**20:.0f} MiB, and {each / 2**20:.0f} MiB for each thousand open tables"
    return [Measure(what, f"{figure} ({few >> 20} MiB with {FEW:,}, {many >> 20} MiB with {MANY:,})", "–", None)]


# --- throughput ---------------------------------------------------------------------------------------------------


def _throughput(place: Place, partitions: int, processes: int) -> Measure:
    # The fastest of the rounds: whatever else goes on in the machine can only slow them down.
    fastest = max(_run(place, partitions, processes, number) for number in range(ROUNDS))
    figure = f"{fastest.rate:,.0f} events/s, {fastest.processor * 1e6:.0f} µs of a core each"
    return Measure(_named(partitions, processes), figure, "–", None)


class Run(NamedTuple):
    """What a run came to."""

    rate: float  # events a second
    processor: float  # seconds of the services' processor for an event


def _named(partitions: int, processes: int) -> str:
    grid = f"{partitions} partition{'s' if partitions > 1 else ''}, {processes} process{'es' if processes > 1 else ''}"
    return f"Kafka to DuckDB, {grid}, all cores"


def _run(place: Place, partitions: int, processes: int, number: int) -> Run:
    """From the first commit that was seen to the last one of the last process."""
    from live_kit import new_topics

    topics = new_topics(place.bootstrap, partitions)
    stores = [f"{partitions}-{processes}-{number}-{which}" for which in range(processes)]
    with _hidden(topics, _room()) as show, _services(place, topics, stores) as services:
        show()
        before = _until_stored(services, 1)
        after = _until_stored(services, EVENTS)
    events = after.events - before.events
    return Run(events / (after.at - before.at), (after.processor - before.processor) / events)


class Service(NamedTuple):
    """One `auditor run` that has its share of the partitions."""

    process: Any
    port: int


@contextmanager
def _services(place: Place, topics: Topics, stores: Sequence[str]) -> Iterator[list[Service]]:
    from live_kit import free_port, running, wait_until

    with ExitStack() as stack:
        services = []
        for name in stores:
            port = free_port()
            options = ("--group", topics.dealing, "--metrics-port", str(port), "--no-progress")
            path = place.folder / f"{name}.duckdb"
            services.append(Service(stack.enter_context(running(topics, path, *options)), port))
        for service in services:
            wait_until(lambda port=service.port: ready(port), service.process)  # type: ignore[misc]
        yield services


class Reached(NamedTuple):
    """What the processes have stored together, and when the last of them committed."""

    events: float
    at: float
    processor: float  # seconds that they have used


def _until_stored(services: Sequence[Service], events: int) -> Reached:
    from live_kit import scrape

    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        time.sleep(0.2)  # a look at the metrics costs the service a little, too
        shown = [scrape(service.port) for service in services]
        stored = sum(each.get("auditor_events_total", 0) for each in shown)
        if stored >= events:
            at = max(each.get("auditor_last_commit_timestamp_seconds", 0) for each in shown)
            return Reached(stored, at, sum(_processor(service) for service in services))
    raise RuntimeError(f"not all of {events:,} events were stored in {_PATIENCE:.0f} s")


def _processor(service: Service) -> float:
    times = psutil.Process(service.process.pid).cpu_times()
    return float(times.user + times.system)


@contextmanager
def _hidden(topics: Topics, raws: Iterable[bytes]) -> Iterator[Any]:
    """Events that nobody can read yet; gives what shows them."""
    from kafka import KafkaProducer
    from live_kit import messages

    producer = KafkaProducer(
        bootstrap_servers=topics.bootstrap, acks="all", linger_ms=50, compression_type="lz4",
        transactional_id=topics.dealing, transaction_timeout_ms=_TRANSACTION_MS,
    )  # fmt: skip
    try:
        producer.init_transactions()
        producer.begin_transaction()
        for message in messages(topics, raws):
            producer.send(message.topic, key=message.key, value=message.value)
        producer.flush()
        yield producer.commit_transaction
    finally:
        producer.close()


@cache
def _room() -> tuple[bytes, ...]:
    """Events of a room of many tables, every one of which is taken."""
    from auditor.simulate import MISTAKES, play

    kinds = [kind for kind in MISTAKES if not kind.startswith("FEED")]
    return tuple(islice(play(tables=64, hands=1_000, mistakes=0.02, seed=1, kinds=kinds), EVENTS))


# --- memory -------------------------------------------------------------------------------------------------------


def _memory(place: Place, count: int) -> int:
    """Bytes of a process that follows so many tables."""
    from live_kit import messages, new_topics, send

    topics = new_topics(place.bootstrap, 4)
    room = list(_second_hands(count))
    send(topics, messages(topics, room))
    with _services(place, topics, [f"{count}-tables"]) as [service]:
        _until_stored([service], len(room))
        return int(psutil.Process(service.process.pid).memory_info().rss)


def _second_hands(count: int) -> Iterator[bytes]:
    """The first events of each of so many tables, a table's after the other's, as a restart would meet them."""
    from auditor.simulate import play

    for number in range(count):
        events = play(tables=1, hands=3, seed=number)
        for raw in islice(events, _EVENTS_OF_A_TABLE):
            yield raw.replace(b'"T001', b'"T%05d' % number)
