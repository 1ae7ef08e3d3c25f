"""Makes the helpers importable, lends the integration tests' own and their broker, and knows where Prometheus is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "integration"))

from deploy_kit import PrometheusMissing, binary
from kafka_fixture import kafka

__all__ = ["kafka"]


def _there(name: str) -> str:
    try:
        return binary(name)
    except PrometheusMissing as missing:
        if os.environ.get("AUDITOR_REQUIRE_PROMETHEUS") == "1":
            pytest.fail(f"AUDITOR_REQUIRE_PROMETHEUS=1, but {missing}")
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def promtool() -> str:
    """Prometheus' checker. Without it the test is skipped, or fails where AUDITOR_REQUIRE_PROMETHEUS=1."""
    return _there("promtool")


@pytest.fixture(scope="session")
def prometheus() -> str:
    """Prometheus itself; the same."""
    return _there("prometheus")
