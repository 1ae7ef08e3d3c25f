"""Rejects to a dead-letter topic: the record as it came, and why and where from, in headers after Kafka Connect's."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from auditor import __version__
from auditor.cluster import Cluster
from auditor.findings import Reject
from auditor.publish.producer import Outgoing, TopicProducer

log = logging.getLogger(__name__)

_PREFIX: Final = "__auditor.errors."


class KafkaDeadLetters:
    """Sends every reject under its own key, with its own headers and those that say what was wrong with it.

    Of a record that is longer than the topic takes, all but its value is sent; the store has that.
    """

    to = "dead_letters"

    def __init__(self, cluster: Cluster, topic: str) -> None:
        self._producer = TopicProducer(cluster, topic)
        self._topic = topic
        self.refused = 0  # rejects that the topic will not even take without their value

    def send(self, rejects: Sequence[Reject]) -> None:
        """Return when each is acknowledged or refused for good. Raises `PublishFailed`."""
        too_long = self._producer.deliver([_record(reject) for reject in rejects])
        if too_long:
            self._send_without_value(too_long)

    def close(self) -> None:
        """Let go of the broker."""
        self._producer.close()

    def _send_without_value(self, records: Sequence[Outgoing]) -> None:
        for record in self._producer.deliver([_without_value(record) for record in records]):
            self.refused += 1
            place = [dict(record.headers)[_PREFIX + part].decode() for part in ("topic", "partition", "offset")]
            log.error("%s does not even take the headers of %s, partition %s, offset %s", self._topic, *place)


def _record(reject: Reject) -> Outgoing:
    theirs = [(name, value or b"") for name, value in reject.headers]
    return Outgoing(reject.key, reject.raw, [*theirs, *_context(reject)])


def _context(reject: Reject) -> list[tuple[str, bytes]]:
    context = {
        "topic": reject.source,
        "partition": reject.partition,
        "offset": reject.offset,
        "timestamp": reject.at.isoformat() if reject.at else "",
        "kind": reject.kind,
        "message": reject.reason,
        "auditor.version": __version__,
    }
    return [(_PREFIX + name, str(value).encode()) for name, value in context.items()]


def _without_value(record: Outgoing) -> Outgoing:
    omitted = (_PREFIX + "value.omitted", f"{len(record.value)} bytes: longer than this topic takes".encode())
    return Outgoing(record.key, b"", [*record.headers, omitted])
