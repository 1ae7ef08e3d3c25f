"""Apache Kafka to the store: every record once, with its place; what is no event in quarantine."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from live_kit import Message, messages, new_topics, room, run_to_end, select, send

pytestmark = pytest.mark.kafka


def test_each_event_is_stored_once_with_its_place(kafka: str, tmp_path: Path) -> None:
    # given three tables' hands, split over two topics of two partitions
    topics = new_topics(kafka)
    raws = room(tables=3, hands=20)
    sent = messages(topics, raws)
    send(topics, sent)
    # when
    store = tmp_path / "store.duckdb"
    run_to_end(topics, store, "--assign", "all")
    # then
    stored = select(store, "SELECT raw FROM events")
    assert Counter(raw.encode() for (raw,) in stored) == Counter(raws)
    assert select(store, "SELECT count(*) FROM rejects") == [(0,)]
    # and no place is used twice or left out, as far as the stored offsets
    ends = select(store, "SELECT source, sum(next_offset)::BIGINT FROM offsets GROUP BY ALL ORDER BY ALL")
    assert ends == sorted(Counter(message.topic for message in sent).items())
    gaps = """
        SELECT source FROM events JOIN offsets ON topic = source AND events."partition" = offsets."partition"
        GROUP BY source, offsets."partition", next_offset
        HAVING count(DISTINCT "offset") <> next_offset OR max("offset") + 1 <> next_offset
    """
    assert select(store, gaps) == []


def test_a_second_run_goes_on_where_the_first_ended(kafka: str, tmp_path: Path) -> None:
    # given a run that has audited the first half of a hand's events
    topics = new_topics(kafka)
    raws = room(tables=1, hands=3)
    half = len(raws) // 2
    store = tmp_path / "store.duckdb"
    send(topics, messages(topics, raws[:half]))
    run_to_end(topics, store, "--assign", "all")
    # when the rest comes, and another run
    send(topics, messages(topics, raws[half:]))
    run_to_end(topics, store, "--assign", "all")
    # then nothing is missing, nothing twice, and the hand that was open between the two is whole
    assert select(store, "SELECT seq FROM events ORDER BY seq") == [(n,) for n in range(1, len(raws) + 1)]
    assert select(store, "SELECT count(*) FROM findings WHERE rule = 'FEED101'") == [(0,)]


def test_what_is_no_event_goes_to_quarantine_and_the_partition_goes_on(kafka: str, tmp_path: Path) -> None:
    # given a tombstone, bytes that are no JSON, and ten megabytes, between the events of one table
    topics = new_topics(kafka, partitions=1)
    raws = room(tables=1, hands=1)
    huge = b'{"type":"' + b"x" * (10 << 20) + b'"}'
    bad = [Message(topics.dealing, None), Message(topics.dealing, b"\xff not json"), Message(topics.dealing, huge)]
    sent = messages(topics, raws)
    send(topics, [*sent[:4], *bad, *sent[4:]])
    # when
    store = tmp_path / "store.duckdb"
    run_to_end(topics, store, "--assign", "all")
    # then
    assert select(store, "SELECT count(*) FROM events") == [(len(raws),)]
    rejects = select(store, 'SELECT octet_length(raw), reason FROM rejects ORDER BY "offset"')
    assert [size for size, _ in rejects] == [0, 10, len(huge)]
    assert [reason.split(":")[0] for _, reason in rejects] == [
        "a record without a value (a tombstone) is no event", "not JSON", "longer than an event may be",
    ]  # fmt: skip


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd"])
def test_compressed_topics_are_read(codec: str, kafka: str, tmp_path: Path) -> None:
    topics = new_topics(kafka)
    raws = room(tables=2, hands=5)
    send(topics, messages(topics, raws), compression=codec)
    store = tmp_path / "store.duckdb"
    run_to_end(topics, store, "--assign", "all")
    assert select(store, "SELECT count(*) FROM events") == [(len(raws),)]


def test_a_topic_far_behind_the_other_leaves_no_gaps(kafka: str, tmp_path: Path) -> None:
    # given far more events of a table than any buffer holds, in two topics that are read at different speeds
    topics = new_topics(kafka, partitions=1)
    raws = room(tables=1, hands=2_500)
    send(topics, messages(topics, raws))
    # when they are read after the fact, as fast as it goes
    store = tmp_path / "store.duckdb"
    run_to_end(topics, store, "--assign", "all")
    # then the halves of the table came side by side
    assert select(store, "SELECT count(*) FROM events WHERE disposition = 'accepted'") == [(len(raws),)]
    assert select(store, "SELECT count(*) FROM findings WHERE rule LIKE 'FEED%'") == [(0,)]
