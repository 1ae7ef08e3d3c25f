"""Findings to a Kafka topic, keyed by their table, so that a table's findings keep their order."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from auditor.cluster import Cluster
from auditor.findings import Finding
from auditor.publish.payload import payload
from auditor.publish.producer import Outgoing, TopicProducer

log = logging.getLogger(__name__)


class KafkaPublisher:
    """Sends every finding as JSON, with its identity, rule and severity as headers for whoever filters."""

    to = "topic"

    def __init__(self, cluster: Cluster, topic: str) -> None:
        self._producer = TopicProducer(cluster, topic)
        self._topic = topic
        self.refused = 0  # findings that the topic will never take

    def publish(self, findings: Sequence[Finding]) -> None:
        """Return when each is acknowledged or refused for good. Raises `PublishFailed`."""
        for record in self._producer.deliver([_record(finding) for finding in findings]):
            self.refused += 1
            log.error("%s takes no record as large as finding %s", self._topic, record.headers[0][1].decode())

    def close(self) -> None:
        """Let go of the broker."""
        self._producer.close()


def _record(finding: Finding) -> Outgoing:
    ready = payload(finding)
    headers = [
        ("finding_id", finding.finding_id.encode()),
        ("version", ready.version.encode()),
        ("rule", finding.rule.encode()),
        ("severity", finding.severity.encode()),
        ("content-type", b"application/json"),
    ]
    key = None if finding.table_id is None else finding.table_id.encode()
    return Outgoing(key, ready.body, headers)
