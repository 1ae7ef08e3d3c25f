"""The topic over which the memory of the tables moves with their partition.

One partition of it for each partition of the events, compacted. A record holds a table as it was at some offsets, all
before what was claimed of the events by then. A marker says up to where the records before it are complete; whoever
takes over reads the events from there.

One that has lost its partition may still send a record, and must not bury a newer one by it. So each store writes under
keys of its own, and of a table the record with the highest offsets counts; what is older is taken away by whoever has
written a newer one.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from kafka import KafkaAdminClient, KafkaProducer, TopicPartition
from kafka.errors import KafkaError, KafkaTimeoutError, TopicAlreadyExistsError
from pydantic import TypeAdapter

from auditor.feeds.connection import LOOKUP_MS, KafkaSettings, connect, words
from auditor.intake import TableRecord

log = logging.getLogger(__name__)

_MARKER: Final = ""  # stands in its key where a table's id would, which is never empty
_POLL_MS: Final = 200
_READ_POLLS: Final = 150  # without a record, and the end not reached: the partition's leader is away
_BLOCK_MS: Final = 1_000  # that sending may hold up the audit
_CREATE_MS: Final = 10_000
_FLUSH_SECONDS: Final = 1.0
_CONFIG: Final = {
    "cleanup.policy": "compact",
    # Small segments, cleaned early: a new owner reads what is not compacted yet, too.
    "segment.bytes": str(16 << 20),
    "segment.ms": str(10 * 60 * 1000),
    "min.cleanable.dirty.ratio": "0.1",
}


@dataclass(frozen=True, slots=True)
class Moved:
    """A table on its way to another process: its record, the events behind its boundary, and as of which offsets."""

    record: TableRecord
    tail: tuple[tuple[int, bytes], ...]
    as_of: dict[str, int]  # the next offset, by topic


@dataclass(frozen=True, slots=True)
class Known:
    """All that the topic holds of one partition: `tables`, up to the offsets `complete` by topic, or beyond."""

    tables: dict[str, Moved]
    complete: dict[str, int]


_MOVED: TypeAdapter[Moved] = TypeAdapter(Moved)
_OFFSETS: TypeAdapter[dict[str, int]] = TypeAdapter(dict[str, int])


class _Sent(NamedTuple):
    """Tables under way, and the marker for when they have arrived."""

    futures: list[Any]
    tables: list[str]
    complete: dict[str, int]


class TablesTopic:
    """Reads and writes the topic. Trouble with it costs time, never a hand: the events hold all that it says.

    `partitions`: how many the topics of the events have. `store`: whose keys to write under. The topic is made where it
    is missing.
    """

    def __init__(self, settings: KafkaSettings, topic: str, partitions: int, store: str) -> None:
        self._settings = replace(settings, group=None)
        self._group = settings.group or ""
        self._topic = topic
        self._store = store
        self._producer: Any = None
        self._sent: dict[int, deque[_Sent]] = {}  # not acknowledged yet
        self._others: dict[int, dict[str, set[bytes]]] = {}  # keys of other stores, by table
        self._broken: set[int] = set()
        self._usable = self._have(partitions)

    def read(self, partition: int) -> Known | None:
        """What a partition holds by now; None where that is nothing to go by."""
        if not self._usable:
            return None
        tables: dict[str, Moved] = {}
        markers: list[dict[str, int]] = []
        others: dict[str, set[bytes]] = {}
        try:
            for key, value in self._last_records(partition).items():
                group, _, rest = key.decode().partition("\0")
                name, _, store = rest.rpartition("\0")
                if group != self._group:
                    continue  # another group's tables, which have come as far as that group has
                if store != self._store:
                    others.setdefault(name, set()).add(key)
                if name == _MARKER:
                    markers.append(_OFFSETS.validate_json(value))
                    continue
                moved = _MOVED.validate_json(value)
                if name not in tables or sum(tables[name].as_of.values()) < sum(moved.as_of.values()):
                    tables[name] = moved
        except (KafkaError, TimeoutError, ValueError) as error:
            log.warning("%s, partition %d, is not to be used: %s", self._topic, partition, words(error))
            return None
        self._others[partition] = others
        return Known(tables, max(markers, key=lambda offsets: sum(offsets.values()))) if markers else None

    def publish(self, partition: int, tables: Iterable[Moved], complete: Mapping[str, int]) -> None:
        """Send tables, and, once they have arrived, that all is known up to the offsets `complete`."""
        if not self._usable or partition in self._broken:
            return
        moving = list(tables)
        try:
            sent = [self._send(partition, moved.record.table_id, _MOVED.dump_json(moved)) for moved in moving]
        except KafkaError as error:
            self._give_up(partition, error)
            return
        names = [moved.record.table_id for moved in moving]
        self._sent.setdefault(partition, deque()).append(_Sent(sent, names, dict(complete)))
        self._mark(partition)

    def forget(self, partition: int) -> None:
        """The partition is another's, or comes here anew: what is under way counts no more."""
        self._sent.pop(partition, None)
        self._broken.discard(partition)

    def close(self) -> None:
        """Send what is under way, if that takes no more than a second, and let go."""
        if self._producer is None:
            return
        with suppress(KafkaTimeoutError):
            self._producer.flush(timeout=_FLUSH_SECONDS)
        for partition in self._sent:
            self._mark(partition)
        with suppress(KafkaTimeoutError):
            self._producer.close(timeout=_FLUSH_SECONDS)

    def _mark(self, partition: int) -> None:
        """Say how far all is known, as soon as the records that it takes have arrived."""
        under_way = self._sent[partition]
        arrived: list[_Sent] = []
        while under_way and all(future.is_done for future in under_way[0].futures):
            arrived.append(under_way.popleft())
            if failed := next((future.exception for future in arrived[-1].futures if future.failed()), None):
                self._give_up(partition, failed)
                return
        if not arrived:
            return
        others = self._others.get(partition, {})
        try:
            self._send(partition, _MARKER, json.dumps(arrived[-1].complete).encode())
            for name in [_MARKER, *(name for sent in arrived for name in sent.tables)]:
                for key in others.pop(name, ()):
                    self._producer.send(self._topic, key=key, value=None, partition=partition)
        except KafkaError as error:
            self._give_up(partition, error)

    def _give_up(self, partition: int, error: BaseException) -> None:
        log.warning("%s, partition %d, is not kept up: %s", self._topic, partition, error)
        self._broken.add(partition)
        self._sent.pop(partition, None)

    def _send(self, partition: int, name: str, value: bytes) -> Any:
        if self._producer is None:
            self._producer = KafkaProducer(
                **self._settings.cluster.arguments(),
                acks="all",
                compression_type="zstd",
                linger_ms=5,
                max_block_ms=_BLOCK_MS,
                allow_auto_create_topics=False,
            )
        key = f"{self._group}\0{name}\0{self._store}".encode()
        return self._producer.send(self._topic, key=key, value=value, partition=partition)

    def _last_records(self, partition: int) -> dict[bytes, bytes]:
        """Under each key, what was written last. Raises `TimeoutError` when the end is not reached in time."""
        last: dict[bytes, bytes] = {}
        tp = TopicPartition(self._topic, partition)
        with closing(connect(self._settings)) as consumer:
            consumer.assign([tp])
            consumer.seek_to_beginning(tp)
            end = consumer.end_offsets([tp], timeout_ms=LOOKUP_MS)[tp]
            silent = 0
            while (consumer.position(tp, timeout_ms=LOOKUP_MS) or 0) < end:
                records = consumer.poll(timeout_ms=_POLL_MS).get(tp, ())
                for record in records:
                    if record.value is None:
                        last.pop(record.key, None)
                    else:
                        last[record.key] = record.value
                silent = 0 if records else silent + 1
                if silent > _READ_POLLS:
                    raise TimeoutError("it cannot be read to its end")
        return last

    def _have(self, partitions: int) -> bool:
        """Whether the topic is there, or could be made, with partitions enough."""
        try:
            admin = KafkaAdminClient(**self._settings.cluster.arguments())
        except (KafkaError, ValueError) as error:
            log.warning("no topic %s: %s", self._topic, words(error))
            return False
        try:
            with suppress(TopicAlreadyExistsError):
                if self._topic not in admin.list_topics():
                    new = {self._topic: {"num_partitions": partitions, "configs": _CONFIG}}
                    admin.create_topics(new, timeout_ms=_CREATE_MS, wait_for_metadata=True)
            (described,) = admin.describe_topics([self._topic])
        except KafkaError as error:
            log.warning("no topic %s, so tables are learnt from their events: %s", self._topic, words(error))
            return False
        finally:
            admin.close()
        there = len(described["partitions"])
        if there < partitions:
            log.warning("%s has %d partitions, and %d are needed: it is not used", self._topic, there, partitions)
        return there >= partitions
