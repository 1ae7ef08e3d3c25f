"""What the service tells Prometheus, and its health."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from prometheus_client.parser import text_string_to_metric_families

from auditor.findings import Finding, Reject
from auditor.health import STALLED_AFTER, Health, HealthServer
from auditor.intake import EventRow, Outcomes
from auditor.metrics import Metrics, described

NOW = datetime(2026, 1, 1, 18, 0, 30, tzinfo=UTC)


def event(seq: int, topic: str, age: int) -> EventRow:
    at = NOW - timedelta(seconds=age)
    return ("T1", seq, "H1", "card_dealt", at, None, "accepted", topic, 0, seq, "{}")


def finding() -> Finding:
    return Finding(
        finding_id="a", rule="DCK101", name="duplicate-card", severity="critical", table_id="T1", hand_id="H1", seq=7,
        at=NOW, message="Two aces of spades.", incident="a", source_rule="A",
    )  # fmt: skip


def samples(metrics: Metrics) -> dict[tuple[str, ...], float]:
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in metrics.registry.collect()
        for sample in family.samples
    }


def commit(metrics: Metrics, outcomes: Outcomes, new: list[Finding] | None = None) -> None:
    metrics.committed(outcomes, new or [], seconds=0.003, at=NOW)


def test_a_checkpoint_is_counted() -> None:
    # given
    metrics = Metrics("1.2.3")
    reject = Reject(source="poker.dealing", offset=3, raw=b"x", reason="not JSON")
    outcomes = Outcomes(
        events=[event(1, "poker.dealing", age=9), event(2, "poker.dealing", age=4), event(3, "poker.betting", age=7)],
        rejects=[reject, reject], duplicates=5,
    )  # fmt: skip
    # when
    commit(metrics, outcomes, [finding()])
    metrics.open(hands=3, tables=4)
    metrics.lagging({("poker.dealing", 0): 12})
    # then
    got = samples(metrics)
    assert got["auditor_events_total", "poker.dealing"] == 2
    assert got["auditor_events_total", "poker.betting"] == 1
    assert got["auditor_findings_total", "DCK101", "critical"] == 1
    assert got["auditor_rejects_total", "unreadable"] == 2
    assert got["auditor_duplicates_total",] == 5
    assert got["auditor_event_age_seconds",] == 4
    assert got["auditor_open_hands",] == 3
    assert got["auditor_open_tables",] == 4
    assert got["auditor_lag_records", "poker.dealing", "0"] == 12
    assert got["auditor_commit_duration_seconds_count",] == 1
    assert got["auditor_last_commit_timestamp_seconds",] == NOW.timestamp()


def test_the_lag_of_a_partition_that_went_elsewhere_is_shown_no_more() -> None:
    metrics = Metrics("1.2.3")
    metrics.lagging({("poker.dealing", 0): 12, ("poker.dealing", 1): 3})
    metrics.lagging({("poker.dealing", 1): 2})
    got = samples(metrics)
    assert ("auditor_lag_records", "poker.dealing", "0") not in got
    assert got["auditor_lag_records", "poker.dealing", "1"] == 2


class Outlet(NamedTuple):
    """What an outlet has counted."""

    to: str
    failures: int
    refused: int


def test_what_goes_out_is_counted_by_the_outlets_and_shown_when_asked_for() -> None:
    # given two outlets, of which one has done nothing yet, and an outbox
    metrics, outbox = Metrics("1.2.3"), [1, 2]
    assert samples(metrics)["auditor_outbox_letters",] == 0
    metrics.watch_delivery(lambda: len(outbox), [Outlet("webhook", 3, 1), Outlet("stdout", 0, 0)])
    # when
    outbox.append(3)
    # then
    got = samples(metrics)
    assert got["auditor_outbox_letters",] == 3
    assert {labels: value for labels, value in got.items() if labels[0].startswith("auditor_publish")} == {
        ("auditor_publish_failures_total", "webhook"): 3,
        ("auditor_publish_failures_total", "stdout"): 0,
        ("auditor_publish_refused_total", "webhook"): 1,
        ("auditor_publish_refused_total", "stdout"): 0,
    }


def test_every_metric_is_described_and_every_description_is_of_a_metric() -> None:
    # given metrics of which each has been used
    metrics = Metrics("1.2.3")
    # when
    exposed = {family.name: (family.type, family.documentation) for family in metrics.registry.collect()}
    # then (a family's name leaves out the suffixes that its samples carry)
    assert exposed == {
        each.name.removesuffix("_total").removesuffix("_info"): (each.kind, each.help) for each in described()
    }


@pytest.fixture
def served() -> Iterator[tuple[str, Health, Metrics, list[float]]]:
    clock = [0.0]
    health, metrics = Health(lambda: clock[0]), Metrics("1.2.3")
    with closing(HealthServer(0, metrics.registry, health, host="127.0.0.1")) as server:
        yield f"http://127.0.0.1:{server.port}", health, metrics, clock


def get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_metrics_are_served(served: tuple[str, Health, Metrics, list[float]]) -> None:
    url, _, metrics, _ = served
    commit(metrics, Outcomes(duplicates=3))
    status, body = get(f"{url}/metrics")
    families = {family.name: family for family in text_string_to_metric_families(body)}
    assert status == 200
    assert families["auditor_duplicates"].samples[0].value == 3
    assert families["auditor_build_info"].samples[0].labels["version"] == "1.2.3"


def test_ready_means_that_there_is_something_to_read(served: tuple[str, Health, Metrics, list[float]]) -> None:
    url, health, _, _ = served
    # while it starts it is alive, and not ready
    assert (get(f"{url}/livez")[0], get(f"{url}/readyz")[0]) == (200, 503)
    # nor is it while the group has given it nothing
    health.round(reading=False)
    assert get(f"{url}/readyz") == (503, "no partition is assigned, or no broker answers\n")
    health.round(reading=True)
    assert get(f"{url}/readyz") == (200, "ok\n")


def test_a_loop_that_hangs_is_not_alive(served: tuple[str, Health, Metrics, list[float]]) -> None:
    # given a loop that goes round
    url, health, _, clock = served
    health.round(reading=True)
    # when it has been silent for too long
    clock[0] = STALLED_AFTER + 1
    # then
    assert get(f"{url}/livez") == (503, "the loop has not gone round for 61 seconds\n")
    assert get(f"{url}/readyz")[0] == 503


def test_another_path_says_what_there_is(served: tuple[str, Health, Metrics, list[float]]) -> None:
    status, body = get(f"{served[0]}/nothing")
    assert status == 404
    assert "/metrics" in body
