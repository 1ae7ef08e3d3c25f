"""Liveness does not depend on Kafka; readiness does."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest
from kafka_broker import kafka_broker
from live_kit import Topics, free_port, new_topics, running, scrape, wait_until


def status(port: int, path: str) -> int:
    """What is answered; 0 while nobody does."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_without_a_broker_it_is_alive_and_not_ready(tmp_path: Path) -> None:
    # given a service for whose broker nobody listens
    nowhere = Topics(f"127.0.0.1:{free_port()}", "dealing", "betting")
    port = free_port()
    with running(nowhere, tmp_path / "store.duckdb", "--metrics-port", str(port)) as process:
        # when it has come up
        wait_until(lambda: status(port, "/livez") != 0, process)
        # then
        assert (status(port, "/livez"), status(port, "/readyz")) == (200, 503)
        assert scrape(port)["auditor_ready"] == 0


@pytest.mark.kafka
@pytest.mark.usefixtures("kafka")  # skipped where there is none
def test_it_stays_alive_when_the_broker_goes_away(tmp_path: Path) -> None:
    # given a service that reads
    port = free_port()
    with ExitStack() as service:
        with kafka_broker(tmp_path) as own:
            options = ["--assign", "all", "--metrics-port", str(port)]
            process = service.enter_context(running(new_topics(own), tmp_path / "store.duckdb", *options))
            wait_until(lambda: scrape(port).get("auditor_ready", 0) == 1, process)
        # when its broker has been gone for some rounds of the loop
        time.sleep(3)
        # then
        assert status(port, "/livez") == 200
        assert process.poll() is None
