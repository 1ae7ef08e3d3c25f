"""kill -9 at any moment, any number of times: the store ends up as if nothing had happened."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaAdminClient, TopicPartition
from kafka_broker import Broker, KafkaMissing, own_broker, required
from live_kit import (
    WAIT,
    Message,
    Topics,
    free_port,
    messages,
    new_topics,
    run_to_end,
    running,
    scrape,
    select,
    send,
    wait_until,
)
from lives import life, nursery, once_it_has_committed

from auditor.simulate import play
from auditor.store.mark import marked

pytestmark = pytest.mark.kafka

#: More of them with AUDITOR_CHAOS_KILLS=1000 and a free hour.
KILLS = max(4, int(os.environ.get("AUDITOR_CHAOS_KILLS", "52")))
SEED = int(os.environ.get("AUDITOR_CHAOS_SEED", "20260101"))
LONGEST_LIFE = 0.25  # seconds from its first checkpoint on; some get not even so far
SMALL_STEPS = ("--batch-rows", "20", "--batch-ms", "10")  # many commits, so that many are hit

# Everything but the order in which rows came in, which a restart may shift between the topics.
WHAT_COUNTS = {
    "events": "SELECT * EXCLUDE (ingested) FROM events ORDER BY ALL",
    "rejects": "SELECT * EXCLUDE (ingested) FROM rejects ORDER BY ALL",
    "findings": "SELECT * FROM findings ORDER BY ALL",
    "hands": "SELECT * FROM hands ORDER BY ALL",
    "offsets": "SELECT * FROM offsets ORDER BY ALL",
}


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker of our own, to be killed, too."""
    try:
        with own_broker(tmp_path_factory.mktemp("kafka")) as own:
            yield own
    except KafkaMissing as missing:
        if required():
            pytest.fail(f"AUDITOR_REQUIRE_KAFKA=1, but {missing}")
        pytest.skip(str(missing))


def disturbed(topics: Topics, raws: Sequence[bytes], dice: random.Random) -> list[Message]:
    """The room's records, with copies of some and noise between them."""
    sent: list[Message] = []
    for message in messages(topics, raws):
        sent.append(message)
        if dice.random() < 0.02:
            sent.append(message)
        if dice.random() < 0.01:
            sent.append(Message(topics.dealing, dice.choice([None, b"noise", b'{"type":"no_such_event"}'])))
    return sent


def stored(store: Path) -> dict[str, list[tuple[Any, ...]]]:
    return {table: select(store, sql) for table, sql in WHAT_COUNTS.items()}


def progress(store: Path) -> int:
    """How many records the store has come to; no more and no fewer than its offsets say."""
    ((records, copies, offsets),) = select(
        store,
        """
        SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM rejects),
               (SELECT coalesce(sum(duplicates), 0) FROM tables), (SELECT coalesce(sum(next_offset), 0) FROM offsets)
        """,
    )
    assert records + copies == offsets
    return int(offsets)


def has_taken(port: int, records: int) -> bool:
    """Whether a service has taken in so many records."""
    shown = scrape(port)
    return sum(shown.get(f"auditor_{what}_total", 0) for what in ("events", "rejects", "duplicates")) == records


def cut_short(topics: Topics, store: Path) -> int:
    """Delete what the store has come to of the topics, as their retention would. Returns how many records."""
    places = {
        TopicPartition(topic, number): offset
        for topic, number, offset in select(store, 'SELECT source, "partition", next_offset FROM offsets')
    }
    admin = KafkaAdminClient(bootstrap_servers=topics.bootstrap)
    admin.delete_records(places)
    admin.close()
    return sum(places.values())


@pytest.mark.timeout(120 + 4 * KILLS)
@pytest.mark.parametrize("assign", ["all", "group"])
def test_killed_again_and_again_the_store_ends_up_the_same(
    assign: str, broker: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # given a room that makes mistakes, and one service that is left in peace
    dice = random.Random(SEED)
    topics = new_topics(broker.bootstrap)
    lives = KILLS // 2
    sent = disturbed(topics, list(play(tables=5, hands=4 * lives, mistakes=0.3, seed=SEED)), dice)
    share = -(-len(sent) // lives)
    killed, calm, context = tmp_path / "killed.duckdb", tmp_path / "calm.duckdb", nursery()
    options = ["--assign", assign, *SMALL_STEPS]
    if assign == "group":  # with a name of its own, it need not wait until the group has given up the one before it
        options += ["--group", topics.dealing, "--property", "group.instance.id=ada"]
    steps, deleted, port = [], 0, free_port()
    with running(topics, calm, "--assign", "all", "--metrics-port", str(port)) as undisturbed:
        for number in range(lives):
            # when another is killed at any moment of its work, again and again
            before = marked(killed) or 0
            room = threading.Thread(target=send, args=(topics, sent[number * share :][:share]))
            with life(context, topics, killed, tmp_path / "killed.log", *options) as process:
                room.start()
                if dice.random() < 0.9:
                    once_it_has_committed(process, killed, before)
                time.sleep(dice.uniform(0, LONGEST_LIFE))
                if number == lives // 2:
                    # and the broker dies under it, and comes back
                    broker.kill()
                    time.sleep(dice.random())
                    broker.start()
            room.join()
            if killed.exists():
                steps.append(progress(killed))
            if number == lives * 3 // 4:
                # and the topics lose what it has come to
                wait_until(partial(has_taken, port, min(len(sent), (number + 1) * share)), undisturbed)
                deleted = cut_short(topics, killed)
        wait_until(partial(has_taken, port, len(sent)), undisturbed)
        undisturbed.terminate()
        undisturbed.communicate(timeout=WAIT)
    # when it is left in peace to finish, too
    run_to_end(topics, killed, *options)
    # then the kills fell into its work
    assert len({step for step in steps if 0 < step < len(sent)}) >= lives // 2, steps
    assert deleted
    # and left no trace: not a row more, fewer or other
    after, expected = stored(killed), stored(calm)
    assert progress(killed) == progress(calm) == len(sent)
    for table in WHAT_COUNTS:
        assert after[table] == expected[table], table
    with capsys.disabled():
        sys.stdout.write(
            f"\n{len(steps)} kills, {len(sent)} records, {len(after['findings'])} findings: the same rows\n"
        )
