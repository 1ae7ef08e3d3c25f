"""`auditor run` and a store in trouble: it stops, says why, loses nothing, and what is damaged is built anew."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from live_kit import (
    WAIT,
    Topics,
    free_port,
    messages,
    new_topics,
    room,
    run_to_end,
    running,
    scrape,
    select,
    send,
    start,
    wait_until,
)

from auditor.audit import Audit
from auditor.feeds.kafka import KafkaFeed, KafkaSettings
from auditor.intake import Outcomes
from auditor.live import Loop, Pace
from auditor.store.writer import Store

pytestmark = pytest.mark.kafka

STOPS_WITHIN = 5  # seconds, as promised
ALONE = ("--assign", "all")
SMALL_STEPS = ("--batch-rows", "50", "--batch-ms", "10")

# Everything but the order in which rows came in, which a restart may shift between the topics.
WHAT_COUNTS = (
    "SELECT * EXCLUDE (ingested) FROM events ORDER BY ALL",
    "SELECT * FROM findings ORDER BY ALL",
    "SELECT * FROM hands ORDER BY ALL",
    "SELECT * FROM offsets ORDER BY ALL",
)


@pytest.fixture
def topics(kafka: str) -> Topics:
    return new_topics(kafka)


def _stored(store: Path) -> list[list[tuple[Any, ...]]]:
    return [select(store, sql) for sql in WHAT_COUNTS]


def _of_an_undisturbed_run(topics: Topics, folder: Path) -> list[list[tuple[Any, ...]]]:
    run_to_end(topics, folder / "calm.duckdb", *ALONE)
    return _stored(folder / "calm.duckdb")


def _refused(topics: Topics, store: Path, *options: str) -> tuple[int, str]:
    """The exit code of a service that cannot go on, and its words."""
    process = start(topics, store, *options)
    _, words = process.communicate(timeout=WAIT)
    assert "Traceback" not in words
    return process.returncode, words


def _killed_at_work(topics: Topics, store: Path, events: int, *options: str) -> None:
    """A service commits so many events in small steps, and is killed: they are in the store's log."""
    port = free_port()
    with running(topics, store, *SMALL_STEPS, *options, "--metrics-port", str(port)) as process:
        wait_until(lambda: scrape(port).get("auditor_events_total", 0) >= events, process)
        process.kill()


def test_a_full_disk_stops_it_and_costs_nothing(topics: Topics, tmp_path: Path) -> None:
    # given a service that has stored half of what comes
    raws = room(tables=2, hands=20)
    half = len(raws) // 2
    store, port = tmp_path / "store.duckdb", free_port()
    send(topics, messages(topics, raws[:half]))
    with running(topics, store, *ALONE, *SMALL_STEPS, "--metrics-port", str(port)) as process:
        wait_until(lambda: scrape(port).get("auditor_events_total", 0) == half, process)
        # when there is no more room, and the other half comes
        log = store.with_name(f"{store.name}.wal").stat().st_size
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (log + 10_000, log + 10_000))
        send(topics, messages(topics, raws[half:]))
        _, words = process.communicate(timeout=WAIT)
    # then it stops for that reason
    assert process.returncode == 4, words
    assert "there is no room for" in words
    assert "Traceback" not in words
    # and when there is room again, it goes on as if nothing had happened
    run_to_end(topics, store, *ALONE)
    assert _stored(store) == _of_an_undisturbed_run(topics, tmp_path)


def _break_header(store: Path) -> None:
    with store.open("r+b") as file:
        file.write(b"\x5a" * 4096)


def _cut_log(store: Path) -> None:
    log = store.with_name(f"{store.name}.wal")
    os.truncate(log, log.stat().st_size // 2)


@pytest.mark.parametrize(
    ("damage", "assign"),
    [(_break_header, "all"), (_cut_log, "all"), (_cut_log, "group")],
    ids=["header", "log", "log, in a group"],
)
def test_a_damaged_store_is_set_aside_and_built_anew(
    damage: Callable[[Path], None], assign: str, topics: Topics, tmp_path: Path
) -> None:
    # given a store that was damaged while its service was away
    raws = room(tables=3, hands=20)
    send(topics, messages(topics, raws))
    store = tmp_path / "store.duckdb"
    options = ("--assign", assign, "--group", topics.dealing)
    _killed_at_work(topics, store, len(raws), *options)
    damage(store)
    broken = store.read_bytes()
    # when the service is started, then it refuses, with the way out, and touches nothing
    code, words = _refused(topics, store, *options)
    assert code == 3, words
    assert "is damaged" in words
    assert "auditor run --rebuild" in words
    assert store.read_bytes() == broken
    # and when it is started with that, then the store is as that of an undisturbed run
    ended = run_to_end(topics, store, *options, "--rebuild")
    assert _stored(store) == _of_an_undisturbed_run(topics, tmp_path)
    # and what was damaged is beside it, and is named
    (aside,) = (each for each in tmp_path.glob("store.duckdb.damaged-*") if each.suffix not in (".wal", ".mark"))
    assert aside.read_bytes() == broken
    assert str(aside) in ended.stderr


def test_to_rebuild_a_sound_store_is_to_go_on(topics: Topics, tmp_path: Path) -> None:
    raws = room(tables=1, hands=4)
    half = len(raws) // 2
    store = tmp_path / "store.duckdb"
    for part in (raws[:half], raws[half:]):
        send(topics, messages(topics, part))
        run_to_end(topics, store, *ALONE, "--rebuild")
    assert select(store, "SELECT count(*), count(DISTINCT (table_id, seq)) FROM events") == [(len(raws), len(raws))]
    assert not list(tmp_path.glob("*damaged*"))


def test_sigterm_amid_a_backlog_ends_it_in_time(topics: Topics, tmp_path: Path) -> None:
    # given a service that is hours behind
    raws = room(tables=20, hands=150)
    send(topics, messages(topics, raws))
    store, port = tmp_path / "store.duckdb", free_port()
    with running(topics, store, *ALONE, *SMALL_STEPS, "--metrics-port", str(port)) as process:
        wait_until(lambda: scrape(port).get("auditor_events_total", 0) > 0, process)
        # when it is asked to leave
        process.send_signal(signal.SIGTERM)
        try:
            _, words = process.communicate(timeout=STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            pytest.fail(f"it has not left after {STOPS_WITHIN} s")
    # then it leaves amid its work, and the store holds what its offsets say
    assert process.returncode == 0, words
    [(events, offsets)] = select(store, "SELECT (SELECT count(*) FROM events), (SELECT sum(next_offset) FROM offsets)")
    assert 0 < events == offsets < len(raws)


class Slow:
    """A store on a busy disk: it takes its time. How much the process' memory grew in that time is kept."""

    def __init__(self, store: Store, seconds: float) -> None:
        self._store = store
        self._seconds = seconds
        self.grown: list[int] = []

    def commit(self, outcomes: Outcomes, offsets: Mapping[tuple[str, int], int]) -> None:
        before, _ = tracemalloc.get_traced_memory()
        time.sleep(self._seconds)
        self.grown.append(tracemalloc.get_traced_memory()[0] - before)
        self._store.commit(outcomes, offsets)


@pytest.fixture
def _memory_is_traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.usefixtures("_memory_is_traced")
def test_a_slow_store_holds_the_consumer_back(topics: Topics, tmp_path: Path) -> None:
    # given megabytes to read, and a store that takes a quarter of a second for each of them
    pad = b',"note":"%s"}' % (b"x" * 2_000)
    raws = [raw.removesuffix(b"}") + pad for raw in room(tables=10, hands=40)]
    send(topics, messages(topics, raws))
    settings = KafkaSettings(topics.bootstrap, (topics.dealing, topics.betting), None)
    with Store.open(tmp_path / "store.duckdb") as store, closing(KafkaFeed(settings, store.offsets())) as feed:
        slow = Slow(store, 0.25)
        # when
        Loop(feed, Audit(keep_events=True), slow, Pace(batch_rows=500, until_idle=0.2)).run(threading.Event())
    # then while it is busy nothing comes in but the one answer that was on its way, whatever more there is
    assert len(slow.grown) >= 5
    assert max(slow.grown) < sum(map(len, raws)) / 8
    assert select(tmp_path / "store.duckdb", "SELECT count(*) FROM events") == [(len(raws),)]
