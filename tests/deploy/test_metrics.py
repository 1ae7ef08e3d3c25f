"""What the service shows of itself besides what it commits."""

from __future__ import annotations

import math
from pathlib import Path

from auditor.metrics import Metrics
from auditor.rules.registry import RULES


def value(metrics: Metrics, name: str, **labels: str) -> float:
    found = metrics.registry.get_sample_value(name, labels)
    assert found is not None
    return found


def test_readiness_and_the_store_are_looked_at_when_asked_for(tmp_path: Path) -> None:
    # given
    ready, store = [False], tmp_path / "room.duckdb"
    store.write_bytes(b"x" * 100)
    metrics = Metrics("1.2.3")
    metrics.watch(lambda: ready[0], store)
    assert value(metrics, "auditor_ready") == 0
    # when
    ready[0] = True
    (tmp_path / "room.duckdb.wal").write_bytes(b"x" * 11)
    # then
    assert value(metrics, "auditor_ready") == 1
    assert value(metrics, "auditor_store_bytes") == 111
    assert value(metrics, "auditor_store_free_bytes") > 0


def test_a_store_that_went_away_costs_no_more_than_its_number(tmp_path: Path) -> None:
    metrics = Metrics("1.2.3")
    metrics.watch(lambda: True, tmp_path / "gone" / "room.duckdb")
    assert math.isnan(value(metrics, "auditor_store_bytes"))
    assert math.isnan(value(metrics, "auditor_store_free_bytes"))
    assert value(metrics, "auditor_ready") == 1


def test_what_may_come_is_there_before_it_comes() -> None:
    metrics = Metrics("1.2.3")
    for rule in RULES.values():
        assert value(metrics, "auditor_findings_total", rule=rule.code, severity=rule.severity) == 0
    assert value(metrics, "auditor_rejects_total", kind="conflict") == 0
