"""`auditor run` as a process: how it stops, what it shows, and what it says when something is wrong."""

from __future__ import annotations

import json
import signal
import socket
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import duckdb
import pytest
from kafka import KafkaAdminClient
from kafka.admin import NewTopic
from kafka_broker import kafka_broker, own_broker
from live_kit import (
    WAIT,
    Message,
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

pytestmark = pytest.mark.kafka

STOPS_WITHIN = 5  # seconds, as promised


@pytest.fixture
def topics(kafka: str) -> Topics:
    return new_topics(kafka)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_time_with_all_committed(number: signal.Signals, topics: Topics, tmp_path: Path) -> None:
    # given a service that has read a room's events, in a group, and commits only every hour
    raws = room(tables=2, hands=10)
    send(topics, messages(topics, raws))
    store, port = tmp_path / "store.duckdb", free_port()
    options = ["--group", topics.dealing, "--batch-ms", "3600000", "--batch-rows", str(len(raws))]
    with running(topics, store, *options, "--metrics-port", str(port)) as process:
        wait_until(lambda: scrape(port).get("auditor_events_total", 0) == len(raws), process)
        late = [Message(topics.dealing, b"not json")] * 7
        send(topics, late)
        time.sleep(1)
        # when
        process.send_signal(number)
        _, words = process.communicate(timeout=STOPS_WITHIN)
    # then
    assert process.returncode == 0, words
    assert select(store, "SELECT count(*) FROM events") == [(len(raws),)]
    assert select(store, "SELECT count(*) FROM rejects") == [(len(late),)]


@pytest.mark.usefixtures("kafka")  # skipped where there is none
@pytest.mark.parametrize("assign", ["group", "all"])
def test_it_leaves_in_time_though_the_broker_is_gone(assign: str, tmp_path: Path) -> None:
    # given a service that has committed a room's events
    store, port = tmp_path / "store.duckdb", free_port()
    with ExitStack() as service:
        with kafka_broker(tmp_path) as own:
            topics = new_topics(own)
            raws = room(tables=1, hands=5)
            send(topics, messages(topics, raws))
            options = ["--assign", assign, "--metrics-port", str(port)]
            process = service.enter_context(running(topics, store, *options))
            wait_until(lambda: scrape(port).get("auditor_events_total", 0) == len(raws), process)
        # when its broker dies, and then it is to leave
        process.terminate()
        _, words = process.communicate(timeout=STOPS_WITHIN)
    # then
    assert process.returncode == 0, words
    assert select(store, "SELECT count(*) FROM events") == [(len(raws),)]


def test_a_group_run_goes_on_at_once_after_a_clean_stop(topics: Topics, tmp_path: Path) -> None:
    raws = room(tables=2, hands=4)
    half = len(raws) // 2
    store = tmp_path / "store.duckdb"
    send(topics, messages(topics, raws[:half]))
    run_to_end(topics, store, "--group", topics.dealing)
    send(topics, messages(topics, raws[half:]))
    run_to_end(topics, store, "--group", topics.dealing)
    assert select(store, "SELECT count(*), count(DISTINCT (table_id, seq)) FROM events") == [(len(raws), len(raws))]


def test_metrics_show_what_happens(topics: Topics, tmp_path: Path) -> None:
    # given a service that has nothing to do yet
    port = free_port()
    with running(topics, tmp_path / "store.duckdb", "--assign", "all", "--metrics-port", str(port)) as process:
        wait_until(lambda: "auditor_build_info" in scrape(port), process)
        # when a room plays, with a tombstone and noise
        raws = room(tables=3, hands=5)
        noise = [Message(topics.dealing, None), Message(topics.betting, b"noise")]
        send(topics, [*messages(topics, raws), *noise])
        wait_until(lambda: scrape(port).get("auditor_rejects_total", 0) == len(noise), process)
        wait_until(lambda: scrape(port).get("auditor_events_total", 0) == len(raws), process)
        # then
        shown = scrape(port)
        assert shown["auditor_lag_records"] == 0
        assert shown["auditor_commit_duration_seconds_count"] >= 1
        assert abs(shown["auditor_last_commit_timestamp_seconds"] - time.time()) < WAIT
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            assert answer.status == 200


def test_a_store_that_another_process_holds_is_left_alone(topics: Topics, tmp_path: Path) -> None:
    # given a service on a store
    store, port = tmp_path / "store.duckdb", free_port()
    with running(topics, store, "--assign", "all", "--metrics-port", str(port)) as first:
        wait_until(lambda: "auditor_build_info" in scrape(port), first)
        # when a second one is started on it
        second = start(topics, store, "--assign", "all")
        _, words = second.communicate(timeout=WAIT)
        # then it says who has it, and the first is not disturbed
        assert second.returncode == 4
        assert f"process {first.pid}" in words
        assert "Traceback" not in words
        assert first.poll() is None


def test_a_damaged_store_is_not_written(topics: Topics, tmp_path: Path) -> None:
    store = tmp_path / "store.duckdb"
    store.write_bytes(b"no database at all" * 1000)
    process = start(topics, store, "--assign", "all")
    _, words = process.communicate(timeout=WAIT)
    assert process.returncode == 3
    assert "Traceback" not in words


def test_lost_offsets_are_told_from_a_broker_that_is_away(topics: Topics, tmp_path: Path) -> None:
    # given a store that has come further than the topic goes
    store = tmp_path / "store.duckdb"
    run_to_end(topics, store, "--assign", "all")
    with duckdb.connect(str(store)) as connection:
        connection.execute("INSERT INTO offsets VALUES (?, 0, 1000)", [topics.dealing])
    # when
    process = start(topics, store, "--assign", "all")
    _, words = process.communicate(timeout=WAIT)
    # then
    assert process.returncode == 3
    assert "the store goes on at 1000" in words
    # and a broker that is not there is another matter
    away = Topics(f"127.0.0.1:{free_port()}", *topics[1:])
    process = start(away, store, "--assign", "all")
    _, words = process.communicate(timeout=WAIT)
    assert process.returncode == 4
    assert "no Kafka broker answers" in words


def test_a_port_that_is_taken_is_named(topics: Topics, tmp_path: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = str(taken.getsockname()[1])
        process = start(topics, tmp_path / "store.duckdb", "--assign", "all", "--metrics-port", port)
        _, words = process.communicate(timeout=WAIT)
    assert process.returncode == 4
    assert f"port {port}" in words


def test_stdout_holds_findings_and_nothing_else(topics: Topics, tmp_path: Path) -> None:
    # given a hand with one ace too many
    raws = [raw.replace(b'"seat":1}', b'"seat":1,"card":"As"}') for raw in room(tables=1, hands=1)]
    send(topics, messages(topics, raws))
    # when
    ended = run_to_end(topics, tmp_path / "store.duckdb", "--assign", "all", "--print-findings")
    # then each line is a finding that the store holds, too
    printed = [json.loads(line)["finding_id"] for line in ended.stdout.splitlines()]
    stored = [name for (name,) in select(tmp_path / "store.duckdb", "SELECT finding_id FROM findings")]
    assert set(printed) == set(stored)
    assert "events stored" in ended.stderr


@pytest.mark.usefixtures("kafka")  # skipped where there is none
def test_a_service_that_is_watched_waits_for_its_broker(tmp_path: Path) -> None:
    # given a service that is started before its topics are made
    port = free_port()
    with own_broker(tmp_path) as broker:
        topics = Topics(broker.bootstrap, "late-dealing", "late-betting")
        with running(topics, tmp_path / "store.duckdb", "--assign", "all", "--metrics-port", str(port)) as process:
            wait_until(lambda: "auditor_build_info" in scrape(port), process)
            time.sleep(1)
            # then it lives, and is not ready
            assert answer(port, "/livez") == 200
            assert answer(port, "/readyz") == 503
            # and when they are there, it reads them
            admin = KafkaAdminClient(bootstrap_servers=broker.bootstrap)
            admin.create_topics([NewTopic(name, 1, 1) for name in topics[1:]])
            admin.close()
            wait_until(lambda: answer(port, "/readyz") == 200, process)


@pytest.mark.usefixtures("kafka")  # skipped where there is none
@pytest.mark.parametrize("assign", ["all", "group"])
def test_a_service_whose_broker_is_gone_lives_and_is_not_ready(tmp_path: Path, assign: str) -> None:
    # given a service that reads
    port = free_port()
    with own_broker(tmp_path) as broker:
        topics = new_topics(broker.bootstrap)
        with running(topics, tmp_path / "store.duckdb", "--assign", assign, "--metrics-port", str(port)) as process:
            wait_until(lambda: "auditor_build_info" in scrape(port), process)
            wait_until(lambda: answer(port, "/readyz") == 200, process)
            # when its broker is killed, then it is not ready, and nobody needs to start it again
            broker.kill()
            wait_until(lambda: answer(port, "/readyz") == 503, process)
            assert answer(port, "/livez") == 200
            # and when the broker is back, it reads on
            broker.start()
            wait_until(lambda: answer(port, "/readyz") == 200, process)


def answer(port: int, path: str) -> int:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as said:
            return int(said.status)
    except urllib.error.HTTPError as error:
        return error.code
