"""Lines to Kafka: dealing and betting on their two topics, a table's events under its key."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Final, Self

from kafka import KafkaAdminClient, KafkaProducer
from kafka.errors import KafkaError

from auditor.events import TOPICS
from auditor.simulate.table import Line

# kafka-python's buffer has no bound of its own: a broker slower than the room would fill the memory.
_MOST_IN_FLIGHT: Final = 10_000
_FLUSH_SECONDS: Final = 60.0
_BOOTSTRAP_MS: Final = 5_000
_CREATE_MS: Final = 10_000
_LINGER_MS: Final = 5


class SinkFailed(Exception):
    """The lines cannot be sent. Its text says why."""


class KafkaSink:
    """A producer of the two topics, which it makes where they are missing. A context: leaving it sends the rest.

    `names` are the topics' own names by the contract's. Raises `SinkFailed` when no broker answers, a topic cannot be
    made, or a record was not acknowledged by all replicas.
    """

    def __init__(self, bootstrap: str, partitions: int, names: Mapping[str, str] | None = None) -> None:
        self._names = {topic: topic for topic in TOPICS} | dict(names or {})
        self._bootstrap = bootstrap
        self._failure: BaseException | None = None
        self._in_flight = 0
        try:
            _make_topics(bootstrap, list(self._names.values()), partitions)
            self._producer = KafkaProducer(
                bootstrap_servers=bootstrap,
                client_id="poker-simulator",
                acks="all",
                linger_ms=_LINGER_MS,
                bootstrap_timeout_ms=_BOOTSTRAP_MS,
            )
        except (KafkaError, ValueError) as error:
            raise SinkFailed(f"no Kafka broker takes the events at {bootstrap}: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.flush()
        finally:
            self._producer.close(timeout=_FLUSH_SECONDS)

    def send(self, line: Line) -> None:
        """One line on its way; what a line is worth is known when it is flushed."""
        try:
            future = self._producer.send(self._names[line.topic], key=line.table_id.encode(), value=line.raw)
        except KafkaError as error:
            raise SinkFailed(self._words(error)) from error
        future.add_errback(self._failed)
        self._in_flight += 1
        if self._in_flight >= _MOST_IN_FLIGHT:
            self.flush()

    def flush(self) -> None:
        """Wait until the broker has everything."""
        try:
            self._producer.flush(timeout=_FLUSH_SECONDS)
        except KafkaError as error:
            raise SinkFailed(self._words(error)) from error
        self._in_flight = 0
        if self._failure is not None:
            raise SinkFailed(self._words(self._failure)) from self._failure

    def _failed(self, error: BaseException) -> None:
        self._failure = self._failure or error

    def _words(self, error: BaseException) -> str:
        return f"a record did not reach Kafka at {self._bootstrap}: {error or type(error).__name__}"


def _make_topics(bootstrap: str, names: list[str], partitions: int) -> None:
    admin = KafkaAdminClient(
        bootstrap_servers=bootstrap, client_id="poker-simulator", bootstrap_timeout_ms=_BOOTSTRAP_MS
    )
    try:
        there = set(admin.list_topics())
        missing = {name: {"num_partitions": partitions} for name in names if name not in there}
        if missing:
            admin.create_topics(missing, timeout_ms=_CREATE_MS, wait_for_metadata=True)
    finally:
        admin.close()
