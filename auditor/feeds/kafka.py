"""Events from Kafka: raw bytes off both topics, side by side, from wherever the audit stands.

The store is the truth about how far the audit came. Two facts about kafka-python shape this file. It has no way to
wake a poll, so a poll is short. And once unpacking a record has raised, polling on would spin for ever, unless the
partition is first put to another offset.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar, Final

from kafka import TopicPartition
from kafka.errors import (
    CorruptRecordError,
    IllegalStateError,
    KafkaError,
    LogTruncationError,
    OffsetOutOfRangeError,
    UnsupportedCodecError,
)

from auditor.feeds.alignment import Alignment, Partition, Stamped
from auditor.feeds.connection import (
    CLOSE_MS,
    LOOKUP_MS,
    AccessRefused,
    FeedFailed,
    KafkaSettings,
    OffsetsLost,
    connect,
    words,
)
from auditor.feeds.poison import Unreadable, look
from auditor.findings import Reject
from auditor.intake import Gone, Item, Record, reject_of

log = logging.getLogger(__name__)

MAX_POLL_SECONDS: Final = 0.5  # a stop is seen between two polls, never during one
#: Handed out at once of the partitions that share tables. Not more than fits behind a gap, so that there is time to
#: hear which of the two topics runs ahead.
AT_ONCE: Final = 64

_ASK_SECONDS: Final = 1.0  # from one count of the connections to the next
_TOMBSTONE = "a record without a value (a tombstone) is no event"
_UNTIMED = -1


class KafkaFeed:
    """One consumer of the topics. Raises `FeedFailed` when there is no broker or a topic is missing.

    `offsets`: the next offset by topic and partition, as the store holds it; a partition without one is read from
    its start. `only`: these partitions and no others. `positions` are the next offsets after all that `poll` has
    handed out.
    """

    _IN_GROUP: ClassVar[bool] = False

    def __init__(
        self, settings: KafkaSettings, offsets: Mapping[Partition, int], only: Collection[Partition] | None = None
    ) -> None:
        self.positions: dict[Partition, int] = dict(offsets)
        self._settings = settings
        self._only = only
        self._read: dict[Partition, int] = {}  # the next offset after what was read, handed out or held
        self._alignments: dict[int, Alignment] = {}
        self._asked = float("-inf")  # when the connections were counted last
        self._connections = 0.0
        self._behind: dict[int, list[Partition]] = {}  # partitions that have more to read, as far as known
        self._consumer = connect(settings if self._IN_GROUP else replace(settings, group=None))
        try:
            known = self._partitions_of_topics()
            self.parted = len({len(numbers) for numbers in known.values()}) > 1  # the topics differ in partitions
            self._join([(topic, number) for topic, numbers in known.items() for number in sorted(numbers)])
        except BaseException:
            self._consumer.close(autocommit=False, timeout_ms=CLOSE_MS)
            raise

    def poll(self, seconds: float) -> list[Item]:
        """What comes next, after at most `seconds` (never more than `MAX_POLL_SECONDS`); of one partition in its order.

        Raises `FeedFailed`, after which the feed is to be closed, and `OffsetsLost`.
        """
        items = self._release()
        if not items:
            self._read_more(min(seconds, MAX_POLL_SECONDS))
            items = self._release()
        for item in items:
            self.positions[item.source, item.partition] = after(item)
        return items

    def hold_back(self, ahead: Collection[Partition]) -> None:
        """These partitions have run ahead: too many events of a table wait for those of another topic."""
        for shard, alignment in self._alignments.items():
            alignment.hold_back([partition for partition in ahead if self._shard(partition) == shard])

    @property
    def assigned(self) -> bool:
        """Whether there are partitions to read: false until a group has let this process in."""
        return bool(self._partitions())

    @property
    def reading(self) -> bool:
        """Whether events would come if there were any: partitions to read, and a broker that answers."""
        return self.assigned and self._connected()

    def _connected(self) -> bool:
        """Whether there is a connection to any broker: the client tells it nowhere but in its metrics."""
        now = time.monotonic()
        if now - self._asked >= _ASK_SECONDS:
            counts: dict[str, float] = self._consumer.metrics()["consumer-metrics"]
            self._asked, self._connections = now, counts["connection-count"]
        return self._connections > 0

    @property
    def awaits_more(self) -> bool:
        """Whether there is known to be more to read: what is missing may be in it."""
        return any(self._behind.values())

    @property
    def caught_up(self) -> bool:
        """Whether all that is known to be in the topics was handed out."""
        nothing_held = all(alignment.empty for alignment in self._alignments.values())
        return self.assigned and nothing_held and not any(self._behind_now().values())

    def lag(self) -> dict[Partition, int]:
        """Records not yet handed out, by topic and partition, as far as the broker told."""
        lags: dict[Partition, int] = {}
        for partition in self._partitions():
            end = self._end(partition)
            if end is not None:
                drained = not self._alignment(self._shard(partition)).held(partition) and self._at_end(partition, end)
                # A partition may end in markers of transactions, which are never handed out.
                lags[partition] = 0 if drained else max(0, end - self.positions.get(partition, 0))
        return lags

    def reached(self, goal: Mapping[Partition, int]) -> bool:
        """Whether all before these offsets was handed out."""
        return all(self.positions.get(p, 0) >= offset or self._passed(p, offset) for p, offset in goal.items())

    def _passed(self, partition: Partition, offset: int) -> bool:
        """The last records before an offset may be markers of transactions, which are never handed out."""
        held = self._alignment(self._shard(partition)).held(partition)
        return not held and self._at_end(partition, offset)

    def close(self) -> None:
        """Let go of the broker. Returns within seconds, whether or not it answers."""
        self._consumer.close(autocommit=False, timeout_ms=CLOSE_MS)

    # --- where to begin --------------------------------------------------------------------------------------------

    def _partitions_of_topics(self) -> dict[str, set[int]]:
        known = {topic: self._consumer.partitions_for_topic(topic) for topic in self._settings.topics}
        if missing := sorted(topic for topic, partitions in known.items() if not partitions):
            raise FeedFailed(
                f"no topic {' and no topic '.join(missing)} at {self._settings.bootstrap}: create it, or name another"
            )
        return known

    def _join(self, every: list[Partition]) -> None:
        mine = [partition for partition in every if self._only is None or partition in self._only]
        self._consumer.assign([TopicPartition(*partition) for partition in mine])
        self._go_to({partition: self.positions.get(partition) for partition in mine})

    def _go_to(self, places: Mapping[Partition, int | None]) -> None:
        """Read from these offsets on, or from the start. What is not there any more, is told of with the next poll."""
        known = {TopicPartition(*partition): offset for partition, offset in places.items() if offset}
        for partition, offset in places.items():
            if offset is None:
                self._consumer.seek_to_beginning(TopicPartition(*partition))
            else:
                self._consumer.seek(TopicPartition(*partition), offset)
        if known:
            self._find(known)
        self._look_behind()

    def _find(self, wanted: Mapping[TopicPartition, int]) -> None:
        """Hold offsets against what the topics have. Of what is gone, tell, and go on behind it.

        Raises `OffsetsLost` where the topic never held them.
        """
        try:
            first = self._consumer.beginning_offsets(list(wanted), timeout_ms=LOOKUP_MS)
            end = self._consumer.end_offsets(list(wanted), timeout_ms=LOOKUP_MS)
        except KafkaError as error:
            raise FeedFailed(f"{self._settings.bootstrap} does not say what it holds: {words(error)}") from error
        if lost := [_beyond(tp, offset, end[tp]) for tp, offset in wanted.items() if offset > end[tp]]:
            raise OffsetsLost("; ".join(lost))
        for tp, offset in wanted.items():
            if offset < first[tp]:
                self._skip(tp, [Gone(tp.topic, tp.partition, offset, first[tp] - offset)], first[tp])

    def _skip(self, tp: TopicPartition, told: list[Item], offset: int) -> None:
        """Go on at an offset further on, with word of what lies between."""
        partition = (tp.topic, tp.partition)
        self._consumer.seek(tp, offset)
        self._read[partition] = offset
        now = time.monotonic()
        self._alignment(self._shard(partition)).add(partition, [(_UNTIMED, item) for item in told], now)
        log.warning("%s, partition %d: going on at offset %d", tp.topic, tp.partition, offset)

    # --- reading ---------------------------------------------------------------------------------------------------

    def _read_more(self, seconds: float) -> None:
        now = time.monotonic()
        for tp, records in self._fetch(seconds).items():
            partition = (tp.topic, tp.partition)
            self._alignment(self._shard(partition)).add(partition, self._stamped(partition, records), now)
        self._make_room()
        self._look_behind()

    def _fetch(self, seconds: float) -> dict[TopicPartition, list[Any]]:
        try:
            batches: dict[TopicPartition, list[Any]] = self._consumer.poll(timeout_ms=int(seconds * 1000))
        except OffsetOutOfRangeError as error:
            self._find(error.args[0])
        except LogTruncationError as error:
            raise OffsetsLost(f"the topic has lost what was read of it: {words(error)}") from error
        except (CorruptRecordError, UnsupportedCodecError) as error:
            self._get_past(error)
        except KafkaError as error:
            raise self._failed(error) from error
        except Exception as error:  # noqa: BLE001  # whatever a codec's library raises on bytes that are not its own
            self._get_past(error)
        else:
            return batches
        return {}

    def _get_past(self, error: Exception) -> None:
        """Bytes came that cannot be unpacked. Find them, put them in quarantine, and go on behind them."""
        log.warning("a batch of records cannot be read: %s", words(error))
        found = False
        for partition in self._partitions():
            position, end = self._position(partition), self._end(partition)
            if position is None or end is None or position >= end:
                continue
            bad = look(self._settings, partition, position, end)
            if bad is not None:
                self._skip(TopicPartition(*partition), list(_rejects(partition, bad)), bad.resumes)
                found = True
        if not found:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> FeedFailed:
        return FeedFailed(f"reading from {self._settings.bootstrap} failed: {words(error)}")

    def _stamped(self, partition: Partition, records: list[Any]) -> Iterable[Stamped]:
        topic, number = partition
        after = self._read.get(partition, self.positions.get(partition, 0))
        for record in records:
            if record.offset < after:
                continue  # a fetch may begin in the middle of a batch
            if record.value is None:
                yield record.timestamp, _tombstone(topic, number, record)
            else:
                key = record.key or b""  # one without a key has none that is its table's
                item = Record(record.value, topic, number, record.offset, key, tuple(record.headers), record.timestamp)
                yield record.timestamp, item
        self._read[partition] = max(after, records[-1].offset + 1)

    def _release(self) -> list[Item]:
        now = time.monotonic()
        items: list[Item] = []
        for shard, alignment in self._alignments.items():
            items += alignment.release(self._behind.get(shard, ()), now, AT_ONCE)
        return items

    def _make_room(self) -> None:
        """Backpressure: a partition that is far ahead is paused, not dropped."""
        paused = {(tp.topic, tp.partition) for tp in self._consumer.paused()} & set(self._partitions())
        # A partition that was revoked a moment ago is no longer there to be paused.
        with suppress(KeyError):
            for alignment in self._alignments.values():
                for partition in alignment.crowded() - paused:
                    self._consumer.pause(TopicPartition(*partition))
            for partition in paused:
                if self._alignment(self._shard(partition)).roomy(partition):
                    self._consumer.resume(TopicPartition(*partition))

    # --- side by side ----------------------------------------------------------------------------------------------

    def _shard(self, partition: Partition) -> int:
        """What shares tables: the partitions of one number, where the topics have as many of them; else, all."""
        return 0 if self.parted else partition[1]

    def _alignment(self, shard: int) -> Alignment:
        return self._alignments.setdefault(shard, Alignment())

    def _look_behind(self) -> None:
        self._behind = self._behind_now()

    def _behind_now(self) -> dict[int, list[Partition]]:
        """The partitions that have more to read, as far as known, by shard."""
        behind: dict[int, list[Partition]] = {}
        for partition in self._partitions():
            end = self._end(partition)
            of_shard = behind.setdefault(self._shard(partition), [])
            if end is None or not self._at_end(partition, end):
                of_shard.append(partition)
        return behind

    # --- how far -------------------------------------------------------------------------------------------------

    def _partitions(self) -> list[Partition]:
        return [(tp.topic, tp.partition) for tp in self._consumer.assignment()]

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
        position = self._position(partition)
        return position is not None and position >= end

    def _position(self, partition: Partition) -> int | None:
        try:
            position: int | None = self._consumer.position(TopicPartition(*partition), timeout_ms=0)
        except IllegalStateError:  # revoked a moment ago
            return None
        return position


def after(item: Item) -> int:
    """The offset after an item in its partition."""
    return item.first + item.records if isinstance(item, Gone) else item.offset + 1


def _tombstone(topic: str, partition: int, record: Any) -> Reject:
    without = Record(b"", topic, partition, record.offset, record.key, tuple(record.headers), record.timestamp)
    return reject_of(without, _TOMBSTONE)


def _rejects(partition: Partition, bad: Unreadable) -> Iterator[Reject]:
    """A batch that cannot be read, record by record: each has its place, and its bytes where they could be had."""
    topic, number = partition
    for offset in range(bad.first, bad.resumes):
        yield Reject(source=topic, partition=number, offset=offset, raw=bad.raws.get(offset, b""), reason=bad.reason)


def _beyond(topic_partition: TopicPartition, wanted: int, end: int) -> str:
    return (
        f"partition {topic_partition.partition} of {topic_partition.topic} ends at offset {end}, the store goes on at "
        f"{wanted}: the topic was made anew or cut short, or the store belongs to another cluster"
    )


__all__ = ["AT_ONCE", "MAX_POLL_SECONDS", "AccessRefused", "FeedFailed", "KafkaFeed", "KafkaSettings", "OffsetsLost"]
