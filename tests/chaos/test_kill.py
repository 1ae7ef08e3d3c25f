"""kill -9 at any moment, any number of times: the store ends up as if nothing had happened."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from live_kit import (
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

from auditor.simulate import play

pytestmark = pytest.mark.kafka

KILLS = int(os.environ.get("AUDITOR_CHAOS_KILLS", "6"))
SEED = int(os.environ.get("AUDITOR_CHAOS_SEED", "20260101"))
LONGEST_LIFE = 1.5  # seconds: some are killed while they start, most amid the events
SMALL_STEPS = ("--assign", "all", "--batch-rows", "20", "--batch-ms", "10")  # many commits, so that many are hit

# Everything but the order in which rows came in, which a restart may shift between the topics.
WHAT_COUNTS = {
    "events": "SELECT * EXCLUDE (ingested) FROM events ORDER BY ALL",
    "rejects": "SELECT * EXCLUDE (ingested) FROM rejects ORDER BY ALL",
    "findings": "SELECT * FROM findings ORDER BY ALL",
    "hands": "SELECT * FROM hands ORDER BY ALL",
    "offsets": "SELECT * FROM offsets ORDER BY ALL",
}


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


def live_and_die(topics: Topics, store: Path, share: list[Message], seconds: float) -> None:
    """A service is started, gets its share of the events while it works, and is killed so long after it began."""
    with running(topics, store, *SMALL_STEPS) as process:
        assert process.stderr is not None
        process.stderr.readline()  # it has loaded, and turns to its store
        room = threading.Thread(target=send, args=(topics, share))
        room.start()
        time.sleep(seconds)
        process.kill()
    room.join()


def stored(store: Path) -> dict[str, list[tuple[Any, ...]]]:
    return {table: select(store, sql) for table, sql in WHAT_COUNTS.items()}


def progress(store: Path) -> int:
    """How many records the store has come to; no more and no fewer than its offsets say."""
    if not store.exists():
        return 0
    ((records, copies, offsets),) = select(
        store,
        """
        SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM rejects),
               (SELECT coalesce(sum(duplicates), 0) FROM tables), (SELECT coalesce(sum(next_offset), 0) FROM offsets)
        """,
    )
    assert records + copies == offsets
    return int(offsets)


@pytest.mark.timeout(60 + 10 * KILLS)
def test_killed_again_and_again_the_store_ends_up_the_same(kafka: str, tmp_path: Path) -> None:
    # given a room that makes mistakes, and sends its events while the auditor is killed again and again
    dice = random.Random(SEED)
    topics = new_topics(kafka)
    sent = disturbed(topics, list(play(tables=5, hands=12 * KILLS, mistakes=0.3, seed=SEED)), dice)
    killed, calm = tmp_path / "killed.duckdb", tmp_path / "calm.duckdb"
    share = -(-len(sent) // KILLS)
    steps = []
    for life in range(KILLS):
        live_and_die(topics, killed, sent[life * share :][:share], dice.uniform(0, LONGEST_LIFE))
        steps.append(progress(killed))
    # when it is left in peace to finish, and another one audits the same topics with no trouble at all
    run_to_end(topics, killed, *SMALL_STEPS)
    run_to_end(topics, calm, "--assign", "all")
    # then the kills fell into its work
    assert len({step for step in steps if 0 < step < len(sent)}) >= KILLS // 3, steps
    # and left no trace: not a row more, fewer or other
    after, expected = stored(killed), stored(calm)
    assert progress(killed) == progress(calm) == len(sent)
    for table in WHAT_COUNTS:
        assert after[table] == expected[table], table


def test_a_kill_amid_a_gap_makes_no_gap(kafka: str, tmp_path: Path) -> None:
    # given a service that has stored what was dealt, and waits for the bets between
    topics = new_topics(kafka, partitions=1)
    sent = messages(topics, play(tables=1, hands=1, seed=SEED))
    dealt = [message for message in sent if message.topic == topics.dealing]
    bets = [message for message in sent if message.topic == topics.betting]
    store, port = tmp_path / "store.duckdb", free_port()
    options = [*SMALL_STEPS, "--metrics-port", str(port)]
    with running(topics, store, *options) as process:
        send(topics, dealt)
        wait_until(lambda: scrape(port).get("auditor_events_total") == len(dealt), process)
        process.kill()
    # when it is started again, and the bets come
    with running(topics, store, *options) as process:
        wait_until(lambda: scrape(port).get("auditor_open_tables") == 1, process)
        send(topics, bets)
        wait_until(lambda: scrape(port).get("auditor_events_total") == len(bets), process)
        process.kill()
    # then all is in its place, and nothing was given up for lost
    assert progress(store) == len(sent)
    assert select(store, "SELECT message FROM findings WHERE rule LIKE 'FEED%'") == []
