"""Several processes in one group: one joins late, one leaves, one is killed, one is stopped until it is a zombie.

In the union of their stores every event is there once, and findings and hands are those of one undisturbed run.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from kafka import KafkaAdminClient, KafkaProducer
from live_kit import Message, Topics, messages, new_topics, run_to_end, start, wait_until
from union import union

from auditor.simulate import play

pytestmark = pytest.mark.kafka

SEED = int(os.environ.get("AUDITOR_CHAOS_SEED", "20260101"))
ROUNDS = int(os.environ.get("AUDITOR_CHAOS_ROUNDS", "1"))
PARTITIONS = 4
SESSION_SECONDS = 6  # the least that a broker allows
IN_A_GROUP = (
    "--batch-rows", "50", "--batch-ms", "20",
    "--property", f"session.timeout.ms={SESSION_SECONDS * 1000}", "--property", "heartbeat.interval.ms=300",
)  # fmt: skip


class Room:
    """The processes of one group, each with its store, and a card room that plays while they come and go."""

    def __init__(self, topics: Topics, folder: Path, stack: ExitStack) -> None:
        self.topics = topics
        self._folder = folder
        self._stack = stack
        self.processes: dict[str, subprocess.Popen[str]] = {}

    def store(self, name: str) -> Path:
        return self._folder / f"{name}.duckdb"

    def join(self, name: str) -> None:
        """A process joins, and has got its share when this returns."""
        words = self._folder / f"{name}.log"
        log = self._stack.enter_context(words.open("a"))
        said = words.stat().st_size
        process = start(self.topics, self.store(name), "--group", self.topics.dealing, *IN_A_GROUP, stderr=log)
        self._stack.callback(_end, process)
        self.processes[name] = process
        wait_until(lambda: "going on with" in words.read_text()[said:], process)

    def leave(self, name: str) -> None:
        self.processes[name].terminate()
        assert self.processes.pop(name).wait(10) == 0

    def kill(self, name: str) -> None:
        self.processes[name].kill()
        self.processes.pop(name).wait()

    @contextmanager
    def playing(self, sent: Sequence[Message], seconds: float) -> Iterator[None]:
        """The room plays its events, spread over so many seconds at least."""
        producer = KafkaProducer(bootstrap_servers=self.topics.bootstrap, acks="all", linger_ms=5)
        pause = seconds / len(sent) * 20

        def play_on() -> None:
            for number, message in enumerate(sent):
                producer.send(message.topic, key=message.key, value=message.value)
                if number % 20 == 0:
                    time.sleep(pause)
            producer.flush()

        player = threading.Thread(target=play_on)
        player.start()
        try:
            yield
        finally:
            player.join()
            producer.close()


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()


def all_committed(topics: Topics, count: int) -> bool:
    """Whether the group has come to the end of all that was sent."""
    admin = KafkaAdminClient(bootstrap_servers=topics.bootstrap)
    try:
        ((_, offsets),) = admin.list_group_offsets(topics.dealing).items()
    finally:
        admin.close()
    return sum(known.offset for known in offsets.values()) == count


@pytest.mark.timeout(180 * ROUNDS)
def test_whoever_comes_and_goes_every_event_is_audited_once(kafka: str, tmp_path: Path) -> None:
    # given a room that plays at eight tables and makes mistakes
    topics = new_topics(kafka, partitions=PARTITIONS)
    sent = messages(topics, play(tables=8, hands=60 * ROUNDS, mistakes=0.3, seed=SEED))
    dice = random.Random(SEED)
    with ExitStack() as stack:
        room = Room(topics, tmp_path, stack)
        room.join("ada")
        with room.playing(sent, seconds=40.0 * ROUNDS):
            for _ in range(ROUNDS):
                # when a second process joins, and a third; one is killed, and started again
                room.join("bram")
                time.sleep(dice.uniform(1, 3))
                room.join("cleo")
                time.sleep(dice.uniform(1, 3))
                room.kill("bram")
                room.join("bram")
                time.sleep(dice.uniform(1, 3))
                # one is stopped for longer than the group waits, and wakes up as a zombie; one leaves as it should
                room.processes["ada"].send_signal(signal.SIGSTOP)
                time.sleep(SESSION_SECONDS + 2)
                room.processes["ada"].send_signal(signal.SIGCONT)
                time.sleep(dice.uniform(1, 3))
                room.leave("cleo")
        wait_until(lambda: all_committed(topics, len(sent)), room.processes["ada"])
        for name in list(room.processes):
            room.leave(name)
    calm = tmp_path / "calm.duckdb"
    run_to_end(topics, calm, "--assign", "all")
    # then together they hold what one undisturbed run holds
    stores = [room.store(name) for name in ("ada", "bram", "cleo")]
    together, expected = union(stores), union([calm])
    assert all(union([store])["events"] for store in stores), "each of them had a share"
    for table in ("events", "rejects", "findings", "hands"):
        assert together[table] == expected[table], table
    assert len(together["events"]) + len(together["rejects"]) == len(sent)
