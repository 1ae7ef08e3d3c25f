"""Prometheus itself, with our rules, before a live auditor: what it scrapes, and what it tells."""

from __future__ import annotations

import json
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import nan
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
import yaml
from deploy_kit import PROMETHEUS, dashboard, plain, read
from live_kit import Message, Topics, free_port, messages, new_topics, room, running, scrape, send, wait_until

pytestmark = pytest.mark.kafka

PATIENCE = 60  # seconds: far more than it needs


def impatient(folder: Path, target: str) -> Path:
    """Our configuration and our rules, but for one `target`, and with seconds in the place of minutes."""
    alerts = read(PROMETHEUS / "alerts.yml")
    for rule in (rule for group in alerts["groups"] for rule in group["rules"]):
        rule.pop("for", None)
    (folder / "alerts.yml").write_text(yaml.safe_dump(alerts))
    (folder / "recording.yml").write_text((PROMETHEUS / "recording.yml").read_text())
    config = read(PROMETHEUS / "prometheus.yml")
    config["global"] = {"scrape_interval": "500ms", "scrape_timeout": "500ms", "evaluation_interval": "500ms"}
    config["scrape_configs"][0]["static_configs"] = [{"targets": [target]}]
    (folder / "prometheus.yml").write_text(yaml.safe_dump(config))
    return folder / "prometheus.yml"


@contextmanager
def serving(prometheus: str, config: Path) -> Iterator[str]:
    """Prometheus on a free port; yields its address."""
    port = free_port()
    call = [
        prometheus, f"--config.file={config}", f"--storage.tsdb.path={config.parent / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}", "--log.level=error",
    ]  # fmt: skip
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def ask(url: str) -> Any:
    """What Prometheus' API answers; nothing while it does not."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)["data"]
    except OSError:
        return None


def until(seen: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not seen():
        assert time.monotonic() < deadline, f"not seen in {PATIENCE} seconds: {what}"
        time.sleep(0.1)


def firing(prometheus: str) -> dict[str, dict[str, str]]:
    """The alerts that fire, with their annotations."""
    alerts = (ask(f"{prometheus}/api/v1/alerts") or {"alerts": []})["alerts"]
    return {each["labels"]["alertname"]: each["annotations"] for each in alerts if each["state"] == "firing"}


def query(prometheus: str, expression: str) -> list[dict[str, Any]]:
    """The series that a query has now; none while Prometheus does not answer."""
    answer = ask(f"{prometheus}/api/v1/query?{urlencode({'query': expression})}")
    return answer["result"] if answer else []


def value(prometheus: str, expression: str) -> float:
    """The value of a query with one series; no number while there is none."""
    return next((float(each["value"][1]) for each in query(prometheus, expression)), nan)


class Scene(NamedTuple):
    """An auditor that has stored a room's events, and Prometheus before it."""

    prometheus: str
    topics: Topics
    target: str
    events: int
    kill: Callable[[], None]


@pytest.fixture
def scene(kafka: str, prometheus: str, tmp_path: Path) -> Iterator[Scene]:
    topics, port = new_topics(kafka), free_port()
    options = ["--assign", "all", "--metrics-port", str(port), "--print-findings", "--print-minimum", "critical"]
    target = f"127.0.0.1:{port}"
    with (
        serving(prometheus, impatient(tmp_path, target)) as watcher,
        running(topics, tmp_path / "store.duckdb", *options) as auditor,
    ):
        raws = room(tables=2, hands=5)
        send(topics, messages(topics, raws))
        wait_until(lambda: scrape(port).get("auditor_events_total", 0) == len(raws), auditor)
        until(lambda: value(watcher, "sum(auditor_events_total)") == len(raws), "the events")
        yield Scene(watcher, topics, target, len(raws), auditor.kill)


def test_an_auditor_that_is_gone_is_told(scene: Scene) -> None:
    # given
    until(lambda: value(scene.prometheus, "auditor_ready") == 1, "that it reads")
    wrong = {"AuditorDown", "AuditorMissing", "AuditorNotReady", "AuditorRejectsBurst"}
    until(lambda: not firing(scene.prometheus).keys() & wrong, "that nothing is wrong")
    # when
    scene.kill()
    # then
    until(lambda: "AuditorDown" in firing(scene.prometheus), "that it is down")
    told = firing(scene.prometheus)["AuditorDown"]
    assert told["summary"] == f"The auditor {scene.target} is down"
    assert told["runbook_url"] == "docs/runbook.md#auditordown"


def test_a_producer_that_sends_noise_is_told_and_every_panel_of_the_dashboard_has_data(scene: Scene) -> None:
    # when
    send(scene.topics, [Message(scene.topics.dealing, b"noise")] * 50)
    # then
    until(lambda: "AuditorRejectsBurst" in firing(scene.prometheus), "the burst of rejects")
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", []):
            shows = partial(query, scene.prometheus, plain(target["expr"]))
            until(shows, panel["title"])
