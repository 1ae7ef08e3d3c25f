"""What the live tests share: topics of their own, a small card room to fill them, and the service as a process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any, NamedTuple

import duckdb
from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import NewTopic
from kafka_broker import LARGEST_RECORD
from prometheus_client.parser import text_string_to_metric_families

from auditor.events import topic_of
from auditor.wire import EventRefused, parse

EVENING = datetime(2026, 1, 1, 18, tzinfo=UTC)
WAIT = 60  # seconds for a process that takes one: far more than it needs


class Topics(NamedTuple):
    """The two topics of one test on the shared broker."""

    bootstrap: str
    dealing: str
    betting: str

    @property
    def tables(self) -> str:
        """Where a group's processes leave word of their tables."""
        return f"{self.dealing}-tables"


class Message(NamedTuple):
    """One record to send."""

    topic: str
    value: bytes | None
    key: bytes = b"T1"


def new_topics(bootstrap: str, partitions: int = 2) -> Topics:
    """Two topics that no other test uses."""
    mark = uuid.uuid4().hex[:8]
    topics = Topics(bootstrap, f"dealing-{mark}", f"betting-{mark}")
    admin = KafkaAdminClient(bootstrap_servers=bootstrap)
    admin.create_topics([NewTopic(name, partitions, 1) for name in topics[1:]])
    admin.close()
    return topics


def send(topics: Topics, messages: Iterable[Message], compression: str | None = None) -> None:
    """Send and wait until the broker has all."""
    producer = KafkaProducer(
        bootstrap_servers=topics.bootstrap, acks="all", linger_ms=20, compression_type=compression,
        max_request_size=LARGEST_RECORD,
    )  # fmt: skip
    try:
        for message in messages:
            producer.send(message.topic, key=message.key, value=message.value)
        producer.flush(WAIT)
    finally:
        producer.close()


def messages(topics: Topics, raws: Iterable[bytes]) -> list[Message]:
    """Each event to the topic that carries its type, under its table's key; what is no event to the dealing topic."""
    return [_message(topics, raw) for raw in raws]


def _message(topics: Topics, raw: bytes) -> Message:
    try:
        event = parse(raw)
    except EventRefused:
        return Message(topics.dealing, raw)
    topic = topics.betting if topic_of(event) == "poker.betting" else topics.dealing
    return Message(topic, raw, event.table_id.encode())


def room(tables: int, hands: int) -> list[bytes]:
    """Hands at several tables, folded round to the big blind; the tables take turns, an event each."""
    everyone = [list(_table(f"T{number}", hands)) for number in range(1, tables + 1)]
    return [raw for turn in zip(*everyone, strict=True) for raw in turn]


def _table(name: str, hands: int) -> Iterator[bytes]:
    seq = 0

    def event(kind: str, hand: int | None, rest: str = "") -> bytes:
        nonlocal seq
        seq += 1
        at = (EVENING + timedelta(seconds=seq)).isoformat()
        scope = f'"hand_id":"{name}-{hand}",' if hand else ""
        return f'{{"type":"{kind}","table_id":"{name}",{scope}"seq":{seq},"at":"{at}"{rest}}}'.encode()

    yield event("table_opened", None, ',"game":"holdem","stakes":{"small_blind":1,"big_blind":2}')
    for number in range(1, hands + 1):
        seats = ",".join(f'{{"seat":{seat},"player_id":"{who}","stack":200}}' for seat, who in enumerate("AB", 1))
        yield event("hand_started", number, f',"button_seat":1,"seats":[{seats}]')
        yield event("forced_bet_posted", number, ',"seat":1,"kind":"small_blind","amount":1')
        yield event("forced_bet_posted", number, ',"seat":2,"kind":"big_blind","amount":2')
        for seat in (2, 1, 2, 1):
            yield event("card_dealt", number, f',"seat":{seat}')
        yield event("player_acted", number, ',"seat":1,"action":"fold"')
        yield event("chips_returned", number, ',"seat":2,"amount":1')
        yield event("pot_awarded", number, ',"seat":2,"amount":2')
        yield event("hand_ended", number)


def start(topics: Topics, store: Path, *options: str, stderr: IO[str] | int = subprocess.PIPE) -> subprocess.Popen[str]:
    """`auditor run` on the topics, as a process of its own."""
    call = [sys.executable, "-m", "auditor.cli.main", *arguments(topics, store, *options)]
    # Settings of whoever runs the tests must not reach the process.
    clean = {name: value for name, value in os.environ.items() if not name.startswith("AUDITOR_")}
    return subprocess.Popen(call, stdout=subprocess.PIPE, stderr=stderr, text=True, env=clean)


def arguments(topics: Topics, store: Path, *options: str) -> list[str]:
    """What `auditor` is called with, to run on the topics."""
    return [
        "run", "--bootstrap", topics.bootstrap, "--store", str(store), "--dealing-topic", topics.dealing,
        "--betting-topic", topics.betting, "--tables-topic", topics.tables, *options,
    ]  # fmt: skip


@contextmanager
def running(topics: Topics, store: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The same, killed at the end if it still runs."""
    process = start(topics, store, *options)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def run_to_end(topics: Topics, store: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Audit all that the topics hold, and end. Fails the test when the process fails."""
    with running(topics, store, "--until-idle", "0.5", *options) as process:
        out, words = process.communicate(timeout=WAIT)
    assert process.returncode == 0, words
    return subprocess.CompletedProcess(process.args, process.returncode, out, words)


def select(store: Path, sql: str) -> list[tuple[Any, ...]]:
    """Rows of a store that no process holds."""
    with duckdb.connect(str(store), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def wait_until(done: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + WAIT
    while not done():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline, "the service did not come that far"
        time.sleep(0.05)


def scrape(port: int) -> dict[str, float]:
    """Every sample by its name, labels summed up; nothing while the service does not answer."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            body = answer.read().decode()
    except OSError:
        return {}
    sums: dict[str, float] = {}
    for family in text_string_to_metric_families(body):
        for sample in family.samples:
            sums[sample.name] = sums.get(sample.name, 0) + sample.value
    return sums


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
