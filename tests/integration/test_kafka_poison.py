"""Records that are no events, and batches that are no records: in quarantine, and the partition goes on."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crc32c import crc32c
from kafka_broker import Broker, KafkaMissing, own_broker, required
from live_kit import Message, Topics, messages, new_topics, room, run_to_end, select, send

pytestmark = pytest.mark.kafka

_CRC, _ATTRIBUTES, _RECORDS = 17, 21, 61  # where they are in a batch of Kafka's format v2
_SNAPPY = 2


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A broker of our own, whose disk can be spoiled."""
    folder = tmp_path / "kafka"
    folder.mkdir()
    try:
        with own_broker(folder) as own:
            yield own
    except KafkaMissing as missing:
        if required():
            pytest.fail(f"AUDITOR_REQUIRE_KAFKA=1, but {missing}")
        pytest.skip(str(missing))


def spoil(broker: Broker, topic: str, number: int, how: Callable[[bytearray], None]) -> None:
    """Change a batch of a topic where the broker keeps it."""
    broker.stop()
    path = broker.folder / "log" / f"{topic}-0" / "00000000000000000000.log"
    log = bytearray(path.read_bytes())
    at = 0
    for _ in range(number):
        at += 12 + struct.unpack_from(">i", log, at + 8)[0]
    end = at + 12 + struct.unpack_from(">i", log, at + 8)[0]
    batch = log[at:end]
    how(batch)
    log[at:end] = batch
    path.write_bytes(log)
    broker.start()


def flip(batch: bytearray) -> None:
    """One bit of the last record's value."""
    batch[-3] ^= 1


def claim_to_be_snappy(batch: bytearray) -> None:
    """A codec that it was not written with, under a checksum that is right."""
    struct.pack_into(">h", batch, _ATTRIBUTES, _SNAPPY)
    struct.pack_into(">I", batch, _CRC, crc32c(bytes(batch[_ATTRIBUTES:])))


def send_in_batches(topics: Topics, sent: list[Message], size: int) -> None:
    for start in range(0, len(sent), size):
        send(topics, sent[start : start + size])


@pytest.mark.parametrize(("how", "kept"), [(flip, True), (claim_to_be_snappy, False)])
@pytest.mark.parametrize("number", [1, -1], ids=["in the middle", "at the end"])
def test_a_batch_that_cannot_be_read_costs_no_other(
    how: Callable[[bytearray], None], kept: bool, number: int, broker: Broker, tmp_path: Path
) -> None:
    # given a topic in batches of five, one of which was spoiled on the broker's disk
    topics = new_topics(broker.bootstrap, partitions=1)
    sent = messages(topics, room(tables=1, hands=4))
    dealt = [message for message in sent if message.topic == topics.dealing][:15]
    send_in_batches(topics, dealt, 5)
    spoil(broker, topics.dealing, number % 3, how)
    first = 5 * (number % 3)
    # when it is audited
    store = tmp_path / "store.duckdb"
    run_to_end(topics, store, "--assign", "all")
    # then its records are in quarantine, each with its place, and its bytes where they can be had; the rest are events
    rejects = select(store, 'SELECT "offset", octet_length(raw) > 0, reason FROM rejects ORDER BY 1')
    assert [offset for offset, *_ in rejects] == list(range(first, first + 5))
    assert all(had == kept for _, had, _ in rejects)
    assert all("the batch that it came in cannot be read" in reason for *_, reason in rejects)
    assert select(store, "SELECT count(*) FROM events") == [(10,)]
    assert select(store, "SELECT next_offset FROM offsets WHERE next_offset > 0") == [(15,)]
