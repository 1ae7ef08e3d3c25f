"""Events from Kafka: raw bytes off both topics, from the offsets that the store holds.

The store is the truth about how far the audit came; what is committed to Kafka is a courtesy to lag tools. Three
facts about kafka-python shape this file. Its rebalance callbacks run on its own thread, so they place partitions and
leave a note, and touch nothing else. It has no way to wake a poll, so a poll is short. And once unpacking a
record has raised, polling on would spin for ever, so any exception from a poll ends the feed.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Final

from kafka import ConsumerRebalanceListener, KafkaConsumer, OffsetAndMetadata, TopicPartition
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.errors import IllegalStateError, KafkaError, OffsetOutOfRangeError

from auditor.events import TOPICS
from auditor.feeds.alignment import Alignment, Partition, Stamped
from auditor.findings import Reject
from auditor.intake import Record

log = logging.getLogger(__name__)

MAX_POLL_SECONDS: Final = 0.5  # a stop is seen between two polls, never during one
# A poll hands over all that was fetched, and how much that is, is set by bytes: a second's work at most. Handing over
# part of a fetch would be wrong: kafka-python 3.0.12 loses sight of the rest if the partition is then paused and
# resumed, and never reads that partition again.
_POLL_RECORDS = sys.maxsize
_PARTITION_FETCH_BYTES = 256 << 10
_FETCH_BYTES = 4 << 20  # a longer record comes all the same, alone
_BOOTSTRAP_MS = 5_000
_SESSION_MS = 10_000  # after a kill -9 the group waits as long before it gives the partitions to the next start
_LOOKUP_MS = 5_000
_CLOSE_MS = 1_500  # leaving a group and the last courtesy commit, each

_TOMBSTONE = "a record without a value (a tombstone) is no event"


class FeedFailed(Exception):
    """The events cannot be read on. Its text says why, and what to do."""


class OffsetsLost(FeedFailed):
    """The topic no longer holds, or never held, the offset at which the store goes on."""


@dataclass(frozen=True, slots=True)
class KafkaSettings:
    """Where the events are. Without a `group` this process reads every partition itself."""

    bootstrap: str
    topics: tuple[str, ...] = tuple(TOPICS)
    group: str | None = "poker-auditor"


class KafkaFeed:
    """One consumer of the topics. Raises `FeedFailed` when there is no broker or a topic is missing.

    `offsets`: the next offset by topic and partition, as the store holds it; a partition without one is read from
    its start. `positions` are the next offsets after all that `poll` has handed out.
    """

    def __init__(self, settings: KafkaSettings, offsets: Mapping[Partition, int]) -> None:
        self.positions: dict[Partition, int] = dict(offsets)
        self._settings = settings
        self._read: dict[Partition, int] = {}  # the next offset after what was read, handed out or held
        self._alignment = Alignment()
        self._revoked: SimpleQueue[Partition] = SimpleQueue()
        self._consumer = _connect(settings)
        try:
            self._join()
        except BaseException:
            self._consumer.close(autocommit=False, timeout_ms=_CLOSE_MS)
            raise

    def poll(self, seconds: float) -> list[Record | Reject]:
        """What came, after at most `seconds` (never more than `MAX_POLL_SECONDS`); of one partition in its order.

        Raises `FeedFailed`, after which the feed is to be closed, and `OffsetsLost`.
        """
        batches = self._fetch(min(seconds, MAX_POLL_SECONDS))
        self._forget_revoked()
        now = time.monotonic()
        for topic_partition, records in batches.items():
            partition = (topic_partition.topic, topic_partition.partition)
            self._alignment.add(partition, self._stamped(partition, records), now)
        items = self._alignment.release(self._behind(), now)
        for item in items:
            self.positions[item.source, item.partition] = item.offset + 1
        self._make_room()
        return items

    @property
    def assigned(self) -> bool:
        """Whether there are partitions to read: false until a group has let this process in."""
        return bool(self._consumer.assignment())

    @property
    def caught_up(self) -> bool:
        """Whether all that is known to be in the topics was handed out."""
        return self.assigned and not self._behind()

    def lag(self) -> dict[Partition, int]:
        """Records not yet handed out, by topic and partition, as far as the broker told."""
        lags: dict[Partition, int] = {}
        for partition in self._partitions():
            end = self._end(partition)
            if end is not None:
                drained = not self._alignment.held(partition) and self._at_end(partition, end)
                # A partition may end in markers of transactions, which are never handed out.
                lags[partition] = 0 if drained else max(0, end - self.positions.get(partition, 0))
        return lags

    def acknowledge(self, offsets: Mapping[Partition, int]) -> None:
        """Tell the group how far the store came. A courtesy: its failure is logged, and costs nothing."""
        if self._settings.group is not None and (ours := self._commitable(offsets)):
            try:
                self._consumer.commit_async(ours, callback=_log_failed_commit)
            except KafkaError as error:
                _log_failed_commit(ours, error)

    def close(self) -> None:
        """Leave the group. Returns within seconds, whether or not a broker answers."""
        if self._settings.group is not None and (ours := self._commitable(self.positions)):
            try:
                self._consumer.commit(ours, timeout_ms=_CLOSE_MS)
            except KafkaError as error:
                _log_failed_commit(ours, error)
        self._consumer.close(autocommit=False, timeout_ms=_CLOSE_MS)

    # --- joining, and what the group gives and takes ---------------------------------------------------------------

    def _join(self) -> None:
        known = {topic: self._consumer.partitions_for_topic(topic) for topic in self._settings.topics}
        if missing := sorted(topic for topic, partitions in known.items() if not partitions):
            raise FeedFailed(
                f"no topic {' and no topic '.join(missing)} at {self._settings.bootstrap}: create it, or name another"
            )
        if self._settings.group is not None:
            if len({len(partitions) for partitions in known.values()}) > 1:
                log.warning("the topics differ in partitions: in a group of several, a table's halves may be parted")
            self._consumer.subscribe(list(self._settings.topics), listener=_Listener(self._place, self._revoked))
            return
        every = [TopicPartition(topic, number) for topic, numbers in known.items() for number in sorted(numbers)]
        self._consumer.assign(every)
        self._place(every)

    def _place(self, assigned: Iterable[TopicPartition]) -> None:
        """Go to where the audit stands. On the consumer's thread: before it has fetched anything of `assigned`."""
        for topic_partition in assigned:
            position = self.positions.get((topic_partition.topic, topic_partition.partition))
            if position is None:
                self._consumer.seek_to_beginning(topic_partition)
            else:
                self._consumer.seek(topic_partition, position)

    def _forget_revoked(self) -> None:
        with suppress(Empty):
            while True:
                partition = self._revoked.get_nowait()
                self._alignment.forget(partition)
                self._read.pop(partition, None)

    # --- reading ---------------------------------------------------------------------------------------------------

    def _fetch(self, seconds: float) -> dict[TopicPartition, list[Any]]:
        try:
            batches: dict[TopicPartition, list[Any]] = self._consumer.poll(timeout_ms=int(seconds * 1000))
        except OffsetOutOfRangeError as error:
            raise OffsetsLost(self._where_it_went(error.args[0])) from error
        except Exception as error:
            raise FeedFailed(f"reading from {self._settings.bootstrap} failed: {_words(error)}") from error
        return batches

    def _stamped(self, partition: Partition, records: list[Any]) -> Iterable[Stamped]:
        topic, number = partition
        after = self._read.get(partition, self.positions.get(partition, 0))
        for record in records:
            if record.offset < after:
                continue  # read before the partition went to another process and came back
            if record.value is None:
                tombstone = Reject(source=topic, partition=number, offset=record.offset, raw=b"", reason=_TOMBSTONE)
                yield record.timestamp, tombstone
            else:
                yield record.timestamp, Record(record.value, topic, number, record.offset)
        self._read[partition] = max(after, records[-1].offset + 1)

    def _make_room(self) -> None:
        """Backpressure: a partition that is far ahead is paused, not dropped."""
        paused = {(tp.topic, tp.partition) for tp in self._consumer.paused()}
        # A partition that was revoked a moment ago is no longer there to be paused.
        with suppress(KeyError):
            for partition in self._alignment.crowded() - paused:
                self._consumer.pause(TopicPartition(*partition))
            for partition in paused:
                if self._alignment.roomy(partition):
                    self._consumer.resume(TopicPartition(*partition))

    # --- how far -------------------------------------------------------------------------------------------------

    def _partitions(self) -> list[Partition]:
        return [(tp.topic, tp.partition) for tp in self._consumer.assignment()]

    def _behind(self) -> list[Partition]:
        """The partitions that have more to read, as far as known."""
        ends = {partition: self._end(partition) for partition in self._partitions()}
        return [partition for partition, end in ends.items() if end is None or not self._at_end(partition, end)]

    def _end(self, partition: Partition) -> int | None:
        """Where a partition ended when it was last fetched; None before that."""
        try:
            end: int | None = self._consumer.highwater(TopicPartition(*partition))
        except IllegalStateError:  # revoked a moment ago
            return None
        return end

    def _at_end(self, partition: Partition, end: int) -> bool:
        if self._read.get(partition, 0) >= end:
            return True
        try:
            position: int | None = self._consumer.position(TopicPartition(*partition), timeout_ms=0)
        except IllegalStateError:  # revoked a moment ago
            return False
        return position is not None and position >= end

    def _commitable(self, offsets: Mapping[Partition, int]) -> dict[TopicPartition, OffsetAndMetadata]:
        ours = self._consumer.assignment()
        return {
            TopicPartition(*partition): OffsetAndMetadata(offset, "", -1)
            for partition, offset in offsets.items()
            if TopicPartition(*partition) in ours
        }

    def _where_it_went(self, lost: Mapping[TopicPartition, int]) -> str:
        partitions = list(lost)
        try:
            first = self._consumer.beginning_offsets(partitions, timeout_ms=_LOOKUP_MS)
            end = self._consumer.end_offsets(partitions, timeout_ms=_LOOKUP_MS)
        except KafkaError as error:
            return f"the topics do not hold the offsets {dict(lost)} ({_words(error)})"
        return "; ".join(_lost(tp, offset, first[tp], end[tp]) for tp, offset in lost.items())


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # kafka-python carries no types
    """Runs on the consumer's own thread, between an assignment and its first fetch."""

    def __init__(self, place: Any, revoked: SimpleQueue[Partition]) -> None:
        self._place = place
        self._revoked = revoked

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        self._place(assigned)

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        for topic_partition in revoked:
            self._revoked.put((topic_partition.topic, topic_partition.partition))


def _connect(settings: KafkaSettings) -> Any:
    try:
        return KafkaConsumer(
            bootstrap_servers=settings.bootstrap,
            client_id="poker-auditor",
            group_id=settings.group,
            enable_auto_commit=False,
            # A lost position must end the run: jumping to the start or the end would audit a hole in silence.
            auto_offset_reset="none",
            isolation_level="read_committed",
            max_poll_records=_POLL_RECORDS,
            max_partition_fetch_bytes=_PARTITION_FETCH_BYTES,
            fetch_max_bytes=_FETCH_BYTES,
            session_timeout_ms=_SESSION_MS,
            # A table's two halves must come to one process: by range, partition n of both topics goes to the same
            # member. The sticky assignors only count, and hand one topic to one member and one to the other.
            partition_assignment_strategy=[RangePartitionAssignor],
            allow_auto_create_topics=False,
            bootstrap_timeout_ms=_BOOTSTRAP_MS,
        )
    except (KafkaError, ValueError) as error:
        raise FeedFailed(f"no Kafka broker answers at {settings.bootstrap}: {_words(error)}") from error


def _lost(topic_partition: TopicPartition, wanted: int, first: int, end: int) -> str:
    where = f"partition {topic_partition.partition} of {topic_partition.topic}"
    if wanted < first:
        return (
            f"{where} begins at offset {first}, the store goes on at {wanted}: {first - wanted} records are gone "
            "that were never audited. Keep the topic longer than the auditor may be away"
        )
    return (
        f"{where} ends at offset {end}, the store goes on at {wanted}: the topic was made anew or cut short, or the "
        "store belongs to another cluster"
    )


def _log_failed_commit(_: object, response: object) -> None:
    if isinstance(response, Exception):
        log.warning("the group was not told how far the store came: %s", _words(response))


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
