"""How long it takes from an event's production to a finding in the store.

A card room plays at a steady rate into Apache Kafka; `auditor run`, a process as anybody would start it, prints every
finding once it is committed. The clock of a finding begins with the timestamp that Kafka's producer gave the event
that proved it, and stops when its line has come out: a moment after it could be asked for.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from threading import Thread
from typing import IO, Final

from tests.bench.measures import Measure
from tests.bench.service import apache_kafka, ready

RATE: Final = 2_000  # events a second
SECONDS: Final = 30
TARGET: Final = 1.0  # seconds, for 99 of 100 findings
PARTITIONS: Final = 4
TABLES: Final = 50
MISTAKES: Final = 0.3  # of the hands: enough findings for a percentile
_EVENTS_OF_A_HAND: Final = 40  # about
# A lost or late event makes its table wait for it, for ten seconds: that is meant, and no matter of speed.
_WITHHELD: Final = {"FEED101", "FEED103"}

Place = tuple[str, int]  # a table, and the number of an event there


def event_to_finding() -> list[Measure]:
    """From an event's production to the finding in the store, at a steady rate."""
    what = f"event to finding in the store, at {RATE:,} events/s, all cores"
    try:
        produced, seen = _observed()
    except RuntimeError as missing:
        return [Measure(what, f"skipped: {missing}", f"p99 {TARGET:g} s", None)]
    seconds = [when - produced[event] for event, when in seen.items() if event in produced]
    rate = len(produced) / (max(produced.values()) - min(produced.values()))
    cuts = statistics.quantiles(seconds, n=100)
    of_what = f"{len(seconds):,} findings, {rate:,.0f} events/s"
    figure = f"p50 {cuts[49]:.2f} s, p95 {cuts[94]:.2f} s, p99 {cuts[98]:.2f} s ({of_what})"
    return [Measure(what, figure, f"p99 {TARGET:g} s", cuts[98] < TARGET)]


def _observed() -> tuple[Mapping[Place, float], Mapping[Place, float]]:
    """When each event was produced, and when the first finding that it proved came out."""
    from live_kit import Topics, free_port, new_topics, running, scrape, wait_until

    with apache_kafka() as place:
        topics: Topics = new_topics(place.bootstrap, PARTITIONS)
        port = free_port()
        options = ("--group", topics.dealing, "--metrics-port", str(port), "--print-findings", "--no-progress")
        with running(topics, place.folder / "room.duckdb", *options) as service:
            assert service.stdout is not None
            seen: dict[Place, float] = {}
            reader = Thread(target=_watch, args=(service.stdout, seen))
            reader.start()
            wait_until(lambda: ready(port), service)
            _play(topics.bootstrap, topics.dealing, topics.betting)
            produced = _produced(topics.bootstrap, topics[1:])
            wait_until(lambda: scrape(port).get("auditor_lag_records") == 0, service)
            service.terminate()
            reader.join()
    return produced, seen


def _watch(lines: IO[str], seen: dict[Place, float]) -> None:
    """When the first finding of each event came out."""
    for line in lines:
        now = time.time()
        finding = json.loads(line)
        if finding["seq"] is not None:
            seen.setdefault((finding["table_id"], finding["seq"]), now)


def _play(bootstrap: str, dealing: str, betting: str) -> None:
    """A room of the rate, for its time; raises `CalledProcessError`."""
    from auditor.simulate import MISTAKES as KINDS

    call = [sys.executable, "-m", "auditor.cli.main", "simulate", "--bootstrap", bootstrap, "--rate", str(RATE)]
    call += ["--dealing-topic", dealing, "--betting-topic", betting, "--seed", "1", "--mistakes", str(MISTAKES)]
    call += ["--tables", str(TABLES), "--hands", str(RATE * SECONDS // _EVENTS_OF_A_HAND // TABLES)]
    call += ["--kinds", ",".join(KINDS.keys() - _WITHHELD)]
    subprocess.run(call, check=True, capture_output=True)


def _produced(bootstrap: str, topics: Iterable[str]) -> Mapping[Place, float]:
    """When each event was handed to Kafka, in seconds since the epoch, as its record says."""
    from kafka import KafkaConsumer, TopicPartition

    produced: dict[Place, float] = {}
    consumer = KafkaConsumer(bootstrap_servers=bootstrap, group_id=None, auto_offset_reset="earliest")
    parts = [TopicPartition(topic, number) for topic in topics for number in range(PARTITIONS)]
    consumer.assign(parts)
    ends = consumer.end_offsets(parts)
    while any(consumer.position(part) < ends[part] for part in parts):
        for records in consumer.poll(500).values():
            for record in records:
                if (event := _place(record.value)) is not None:
                    produced[event] = record.timestamp / 1000
    consumer.close()
    return produced


def _place(raw: bytes) -> Place | None:
    try:
        event = json.loads(raw)
        return event["table_id"], event["seq"]
    except (ValueError, KeyError, TypeError):  # one of the lines that the room has spoilt
        return None
