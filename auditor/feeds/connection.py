"""Where the topics are, how a consumer of them is made, and what can be wrong with either."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kafka import KafkaConsumer
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.errors import KafkaConfigurationError, KafkaError

from auditor.cluster import Cluster, Sasl, Tls, TlsUnusable
from auditor.events import TOPICS
from auditor.feeds.properties import PropertyRefused, consumer_arguments
from auditor.refusal import refusal

LOOKUP_MS: Final = 5_000  # for a question to the broker
CLOSE_MS: Final = 1_500  # for leaving a group
_BOOTSTRAP_MS: Final = 5_000
_SESSION_MS: Final = 10_000  # after a kill -9 the group waits as long before it gives the partitions to the next start
# A poll hands over all that was fetched, and how much that is, is set by bytes: a second's work at most. Handing over
# part of a fetch would be wrong: kafka-python 3.0.12 loses sight of the rest if the partition is then paused and
# resumed, and never reads that partition again.
_POLL_RECORDS: Final = sys.maxsize
_PARTITION_FETCH_BYTES: Final = 256 << 10
_FETCH_BYTES: Final = 4 << 20  # a longer record comes all the same, alone

#: Where the memory of the tables moves from process to process, in a group.
TABLES_TOPIC: Final = "poker.auditor.tables"


class FeedFailed(Exception):
    """The events cannot be read on. Its text says why, and what to do."""


class OffsetsLost(FeedFailed):
    """The topic never held the offset at which the store goes on, or the store is not the one that came so far."""


class AccessRefused(FeedFailed):
    """The broker is there and does not let us in: TLS, the user, a property. Waiting would not help."""


@dataclass(frozen=True, slots=True)
class KafkaSettings:
    """Where the events are. Without a `group` this process reads every partition itself."""

    bootstrap: str
    topics: tuple[str, ...] = tuple(TOPICS)
    group: str | None = "poker-auditor"
    client_id: str = "poker-auditor"
    tls: Tls | None = None
    sasl: Sasl | None = None
    properties: Mapping[str, str] = field(default_factory=dict)  # of the consumer, by Kafka's own names
    tables_topic: str | None = TABLES_TOPIC  # None: what a table was, its next process learns from the events alone

    @property
    def cluster(self) -> Cluster:
        """How the brokers are reached, by whatever reads or writes there."""
        return Cluster(self.bootstrap, self.client_id, self.tls, self.sasl)


def connect(settings: KafkaSettings, **more: object) -> Any:
    """A consumer, with what differs from the rest of them in `more`. Raises `FeedFailed`, or `AccessRefused`."""
    try:
        return KafkaConsumer(**(_arguments(settings) | more))
    except (TlsUnusable, PropertyRefused, KafkaConfigurationError) as error:
        raise AccessRefused(str(error)) from error
    except (KafkaError, ValueError) as error:
        if reason := refusal(settings.cluster, error):
            raise AccessRefused(reason) from error
        raise FeedFailed(f"no Kafka broker answers at {settings.bootstrap}: {words(error)}") from error


def _arguments(settings: KafkaSettings) -> dict[str, Any]:
    """What kafka-python's consumer is made with; Kafka's properties win over what is only our taste."""
    ours: dict[str, Any] = {
        "group_id": settings.group,
        "enable_auto_commit": False,
        # A lost position must end in a finding: jumping to the start or the end would audit a hole in silence.
        "auto_offset_reset": "none",
        "isolation_level": "read_committed",
        "max_poll_records": _POLL_RECORDS,
        "max_partition_fetch_bytes": _PARTITION_FETCH_BYTES,
        "fetch_max_bytes": _FETCH_BYTES,
        "session_timeout_ms": _SESSION_MS,
        # A table's two halves must come to one process: by range, partition n of both topics goes to the same
        # member. The sticky assignors only count, and hand one topic to one member and one to the other.
        "partition_assignment_strategy": [RangePartitionAssignor],
        "allow_auto_create_topics": False,
        "bootstrap_timeout_ms": _BOOTSTRAP_MS,
    }
    theirs = consumer_arguments(settings.properties)
    if settings.group is None:
        theirs.pop("group_instance_id", None)  # a member's name is of no use to one that joins nothing
    return ours | settings.cluster.arguments() | theirs


def words(error: Exception) -> str:
    """What an error of the client says, or else its name."""
    return str(error) or type(error).__name__
