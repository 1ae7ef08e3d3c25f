"""The feed on Apache Kafka: two topics side by side, offsets that are gone, topics that are missing."""

from __future__ import annotations

import re
import time
from contextlib import closing

import pytest
from kafka import KafkaAdminClient, TopicPartition
from live_kit import WAIT, Message, Topics, messages, new_topics, room, send

from auditor.feeds import alignment
from auditor.feeds.connection import FeedFailed, KafkaSettings, OffsetsLost
from auditor.feeds.kafka import KafkaFeed
from auditor.intake import Gone, Item, Record

pytestmark = pytest.mark.kafka


def feed_of(topics: Topics, offsets: dict[tuple[str, int], int] | None = None) -> KafkaFeed:
    return KafkaFeed(KafkaSettings(topics.bootstrap, topics[1:]), offsets or {})


def read_all(feed: KafkaFeed, count: int) -> list[Item]:
    """What the feed hands out, until so many have come."""
    items: list[Item] = []
    deadline = time.monotonic() + WAIT
    while len(items) < count:
        assert time.monotonic() < deadline, "the feed did not bring what was sent"
        items += feed.poll(0.1)
    return items


def most_waiting(items: list[Item]) -> int:
    """Of one table's events: how many, at worst, have come while one before them has not."""
    waiting: set[int] = set()
    following, worst = 1, 0
    for item in items:
        assert isinstance(item, Record)
        seq = re.search(rb'"seq":(\d+)', item.raw)
        assert seq is not None
        waiting.add(int(seq[1]))
        while following in waiting:
            waiting.remove(following)
            following += 1
        worst = max(worst, len(waiting))
    return worst


def test_a_tables_halves_come_side_by_side(kafka: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # given a long table in two topics, and little room to hold what runs ahead, so that it must be paused
    monkeypatch.setattr(alignment, "CROWDED", 200)
    monkeypatch.setattr(alignment, "ROOMY", 100)
    topics = new_topics(kafka, partitions=1)
    raws = room(tables=1, hands=2_500)
    send(topics, messages(topics, raws))
    # when both are read from their start
    with closing(feed_of(topics)) as feed:
        items = read_all(feed, len(raws))
        # then no event waits long for one of the other topic
        assert most_waiting(items) < 500
        assert feed.caught_up
        assert set(feed.lag().values()) == {0}


def test_positions_are_where_to_go_on(kafka: str) -> None:
    # given a feed that has handed out all there was
    topics = new_topics(kafka)
    raws = room(tables=2, hands=4)
    half = len(raws) // 2
    send(topics, messages(topics, raws[:half]))
    with closing(feed_of(topics)) as feed:
        read_all(feed, half)
        positions = dict(feed.positions)
    # when another starts there, after the rest has come
    send(topics, messages(topics, raws[half:]))
    with closing(feed_of(topics, positions)) as feed:
        items = read_all(feed, len(raws) - half)
    # then it brings the rest and nothing else
    assert sorted(item.raw for item in items if isinstance(item, Record)) == sorted(raws[half:])


def delete_before(topics: Topics, topic: str, offset: int) -> None:
    """Cut a topic short, as its retention does."""
    admin = KafkaAdminClient(bootstrap_servers=topics.bootstrap)
    admin.delete_records({TopicPartition(topic, 0): offset})
    admin.close()


def test_what_the_topic_no_longer_holds_is_told_and_the_rest_is_read(kafka: str) -> None:
    # given a topic whose first five records were deleted after the store came to the second
    topics = new_topics(kafka, partitions=1)
    send(topics, [Message(topics.dealing, b"{}")] * 8)
    delete_before(topics, topics.dealing, 5)
    # when it is read on
    with closing(feed_of(topics, {(topics.dealing, 0): 2})) as feed:
        gone, *rest = read_all(feed, 4)
        # then it is told how many are gone, and the others come
        assert gone == Gone(topics.dealing, 0, first=2, records=3)
        assert [item.offset for item in rest if isinstance(item, Record)] == [5, 6, 7]
        assert feed.positions[topics.dealing, 0] == 8


def test_what_is_deleted_while_it_is_read_is_told(kafka: str) -> None:
    # given a feed that has read the first of a topic's records
    topics = new_topics(kafka, partitions=1)
    send(topics, [Message(topics.dealing, b"{}")])
    with closing(feed_of(topics)) as feed:
        read_all(feed, 1)
        # when more come and go before it looks again
        send(topics, [Message(topics.dealing, b"{}")] * 500)
        delete_before(topics, topics.dealing, 400)
        items: list[Item] = []
        while feed.positions[topics.dealing, 0] < 501:
            items += read_all(feed, 1)
        # then it goes on with what is left, and every offset is either read or told to be gone
        told = [
            offset
            for i in items
            for offset in (range(i.first, i.first + i.records) if isinstance(i, Gone) else [i.offset])
        ]
        assert told == list(range(1, 501))
        assert any(isinstance(item, Gone) for item in items)


def test_offsets_beyond_the_end_end_the_feed_with_plain_words(kafka: str) -> None:
    # given a store that knows of more than the topic ever held
    topics = new_topics(kafka, partitions=1)
    send(topics, [Message(topics.dealing, b"{}")] * 3)
    # when, then
    with pytest.raises(OffsetsLost, match="ends at offset 3, the store goes on at 100"):
        feed_of(topics, {(topics.dealing, 0): 100})


def test_a_topic_that_is_missing_is_named(kafka: str) -> None:
    topics = Topics(kafka, "no-such-dealing", "no-such-betting")
    with pytest.raises(FeedFailed, match="no topic no-such-betting and no topic no-such-dealing"):
        feed_of(topics)
