"""The broker that a folder of tests shares, started once, when the first of them asks for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kafka_broker import KafkaMissing, kafka_broker, required


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """HOST:PORT of an Apache Kafka. Without one the test is skipped, or fails where AUDITOR_REQUIRE_KAFKA=1."""
    try:
        with kafka_broker(tmp_path_factory.mktemp("kafka")) as bootstrap:
            yield bootstrap
    except KafkaMissing as missing:
        if required():
            pytest.fail(f"AUDITOR_REQUIRE_KAFKA=1, but {missing}")
        pytest.skip(str(missing))
