"""Records to one Kafka topic, each acknowledged by every replica in sync, or an error."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from kafka import KafkaProducer
from kafka.errors import (
    KafkaError,
    KafkaTimeoutError,
    MessageSizeTooLargeError,
    RecordListTooLargeError,
)

from auditor.cluster import Cluster, TlsUnusable
from auditor.intake import PublishFailed
from auditor.refusal import refusal

log = logging.getLogger(__name__)

_BOOTSTRAP_MS: Final = 5_000
_LOOKUP_MS: Final = 5_000
_REQUEST_MS: Final = 5_000
_DELIVERY_MS: Final = 10_000  # retries and all; after that it is for the outbox to come again
_LINGER_MS: Final = 5
_CLOSE_SECONDS: Final = 1.0
_LONGEST_RECORD: Final = 256 << 20  # bytes: how much is too much, the topic decides

_TOO_LARGE: Final = (MessageSizeTooLargeError, RecordListTooLargeError)


class Outgoing(NamedTuple):
    """One record to send."""

    key: bytes | None
    value: bytes
    headers: list[tuple[str, bytes]]


class TopicProducer:
    """Connects when there is something to send, and anew after a failure, so that a broker may come and go."""

    def __init__(self, cluster: Cluster, topic: str) -> None:
        self._cluster = cluster
        self._topic = topic
        self._producer: Any = None

    def deliver(self, records: Sequence[Outgoing]) -> list[Outgoing]:
        """Send all and wait. Returns those that are larger than the topic takes, which no second try would change.

        Raises `PublishFailed` when anything else may not have arrived.
        """
        try:
            producer = self._connected()
            sent = [self._send(producer, record) for record in records]
            producer.flush(timeout=_DELIVERY_MS / 1000)
            failures = [(record, _failure(future)) for record, future in zip(records, sent, strict=True)]
        except (KafkaError, TlsUnusable, ValueError) as error:
            self.close()
            raise PublishFailed(self._words(error)) from error
        for _, failure in failures:
            if failure is not None and not isinstance(failure, _TOO_LARGE):
                self.close()
                raise PublishFailed(self._words(failure)) from failure
        return [record for record, failure in failures if failure is not None]

    def close(self) -> None:
        """Let go. What was not acknowledged by now is the outbox's."""
        producer, self._producer = self._producer, None
        if producer is not None:
            with suppress(KafkaTimeoutError):  # that it could not be sent was told to who sent it
                producer.close(timeout=_CLOSE_SECONDS)

    def _connected(self) -> Any:
        if self._producer is None:
            self._producer = KafkaProducer(
                **self._cluster.arguments(),
                acks="all",
                # One request at a time keeps the order. The idempotent producer would, too, but a record that is too
                # large is its end, and what is sent with it is lost in the same error.
                enable_idempotence=False,
                max_in_flight_requests_per_connection=1,
                linger_ms=_LINGER_MS,
                request_timeout_ms=_REQUEST_MS,
                delivery_timeout_ms=_DELIVERY_MS,
                max_block_ms=_LOOKUP_MS,
                max_request_size=_LONGEST_RECORD,
                bootstrap_timeout_ms=_BOOTSTRAP_MS,
                allow_auto_create_topics=False,  # a name that is mistyped must be missed, not made
            )
            self._look_up()
        return self._producer

    def _look_up(self) -> None:
        """Whether the topic is there. To the client a missing one is a matter of time."""
        try:
            self._producer.partitions_for(self._topic)
        except KafkaTimeoutError as error:
            self.close()
            raise PublishFailed(
                f"no topic {self._topic} at {self._cluster.bootstrap}: create it, or name another"
            ) from error

    def _send(self, producer: Any, record: Outgoing) -> Any:
        return producer.send(self._topic, key=record.key, value=record.value, headers=record.headers)

    def _words(self, error: BaseException) -> str:
        where = f"{self._topic} at {self._cluster.bootstrap}"
        return refusal(self._cluster, error) or f"{where} did not take what was sent: {error}"


def _failure(future: Any) -> BaseException | None:
    """Why a record did not arrive; what is still under way after its time is no arrival."""
    if future.succeeded():
        return None
    failure: BaseException = future.exception or KafkaTimeoutError("it was not acknowledged in time")
    return failure
