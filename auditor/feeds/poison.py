"""A batch of records that cannot be unpacked: where it begins, where it ends, and what can be had of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final

from kafka import TopicPartition

from auditor.feeds.alignment import Partition
from auditor.feeds.connection import KafkaSettings, connect, words

_PROBE_SECONDS: Final = 5.0  # for the broker to bring one batch
_POLL_MS: Final = 500


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Records of one partition from offset `first` on that cannot be read; at `resumes` one can again."""

    first: int
    resumes: int
    reason: str
    raws: Mapping[int, bytes]  # what came of it when nobody asked for its checksum, by offset


def look(settings: KafkaSettings, partition: Partition, offset: int, end: int) -> Unreadable | None:
    """What is unreadable at an offset; None when that can be read. `end`: where the partition ends."""
    # A byte is the least that can be asked for, and brings one batch: whether it can be read does not depend on others.
    probing = connect(replace(settings, group=None), max_partition_fetch_bytes=1, fetch_max_bytes=1)
    with closing(probing):
        probing.assign([TopicPartition(*partition)])
        error = _try(probing, partition, offset)
        if error is None:
            return None
        resumes = offset + 1
        while resumes < end and _try(probing, partition, resumes) is not None:
            resumes += 1
    raws = _without_checksum(settings, partition, offset, resumes)
    return Unreadable(offset, resumes, f"the batch that it came in cannot be read: {words(error)}", raws)


def _try(consumer: Any, partition: Partition, offset: int) -> Exception | None:
    """What unpacking the batch at an offset raises. To go to another offset afterwards lets the client forget it."""
    consumer.seek(TopicPartition(*partition), offset)
    until = time.monotonic() + _PROBE_SECONDS
    try:
        while time.monotonic() < until:
            if consumer.poll(timeout_ms=_POLL_MS):
                break
    except Exception as error:  # noqa: BLE001  # whatever a codec's library raises on bytes that are not its own
        return error
    return None


def _without_checksum(settings: KafkaSettings, partition: Partition, first: int, resumes: int) -> Mapping[int, bytes]:
    trusting = connect(
        replace(settings, group=None), max_partition_fetch_bytes=1, fetch_max_bytes=1, check_crcs=False
    )  # fmt: skip
    with closing(trusting):
        trusting.assign([TopicPartition(*partition)])
        trusting.seek(TopicPartition(*partition), first)
        try:
            batches = trusting.poll(timeout_ms=_POLL_MS)
        except Exception:  # noqa: BLE001  # whatever a codec's library raises on bytes that are not its own
            return {}
    return {
        record.offset: record.value
        for records in batches.values()
        for record in records
        if record.offset < resumes and record.value is not None
    }
