"""The feed on Apache Kafka: two topics side by side, a group that gives and takes, offsets that are gone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from kafka import KafkaAdminClient, TopicPartition
from live_kit import WAIT, Message, Topics, messages, new_topics, room, send

from auditor.feeds import alignment
from auditor.feeds.kafka import FeedFailed, KafkaFeed, KafkaSettings, OffsetsLost
from auditor.findings import Reject
from auditor.intake import Record

pytestmark = pytest.mark.kafka

Item = Record | Reject


def feed_of(topics: Topics, group: str | None = None, offsets: dict[tuple[str, int], int] | None = None) -> KafkaFeed:
    return KafkaFeed(KafkaSettings(topics.bootstrap, topics[1:], group), offsets or {})


def read(*feeds: KafkaFeed, until: Callable[[], bool]) -> Iterator[tuple[KafkaFeed, Item]]:
    """What the feeds hand out, in turns, until enough has come."""
    deadline = time.monotonic() + WAIT
    while not until():
        assert time.monotonic() < deadline, "the feed did not bring what was sent"
        for feed in feeds:
            for item in feed.poll(0.1):
                yield feed, item


def read_all(feed: KafkaFeed, count: int) -> list[Item]:
    items: list[Item] = []
    for _, item in read(feed, until=lambda: len(items) >= count):
        items.append(item)
    return items


def most_waiting(items: list[Item]) -> int:
    """Of one table's events: how many, at worst, have come while one before them has not."""
    waiting: set[int] = set()
    following, worst = 1, 0
    for item in items:
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
    with closing(feed_of(topics, offsets=positions)) as feed:
        items = read_all(feed, len(raws) - half)
    # then it brings the rest and nothing else
    assert sorted(item.raw for item in items) == sorted(raws[half:])


def test_a_group_gives_partitions_to_a_second_process_and_back(kafka: str) -> None:
    # given a first process that has every partition
    topics = new_topics(kafka)
    group = f"group-{topics.dealing}"
    raws = room(tables=4, hands=10)
    third = len(raws) // 3
    seen: dict[KafkaFeed, list[Item]] = {}
    with closing(feed_of(topics, group)) as first:
        send(topics, messages(topics, raws[:third]))
        seen[first] = read_all(first, third)
        # when a second one joins, events come, it leaves, and the last events come
        with closing(feed_of(topics, group)) as second:
            seen[second] = []
            for feed, item in read(first, second, until=lambda: second.assigned and second.caught_up):
                seen[feed].append(item)
            send(topics, messages(topics, raws[third : 2 * third]))
            for feed, item in read(
                first, second, until=lambda: len({i.raw for each in seen.values() for i in each}) >= 2 * third
            ):
                seen[feed].append(item)
            took_over = {(item.source, item.partition) for item in seen[second]}
        send(topics, messages(topics, raws[2 * third :]))
        for _, item in read(first, until=lambda: len({i.raw for i in seen[first]}) >= len(raws)):
            seen[first].append(item)
    # then the second has read its share from the start, for its own store: the same tables' halves of both topics
    shares = [{number for topic, number in took_over if topic == name} for name in topics[1:]]
    assert shares[0] == shares[1]
    assert len(shares[0]) == 1
    # and the first, which got them back, has read each record once, those of the time in between included
    places = [(item.source, item.partition, item.offset) for item in seen[first]]
    assert len(places) == len(set(places)) == len(raws)


def test_offsets_that_the_topic_no_longer_holds_end_the_feed_with_plain_words(kafka: str) -> None:
    # given a topic whose first five records were deleted after the store came to the second
    topics = new_topics(kafka, partitions=1)
    send(topics, [Message(topics.dealing, b"{}")] * 8)
    partition = TopicPartition(topics.dealing, 0)
    admin = KafkaAdminClient(bootstrap_servers=kafka)
    admin.delete_records({partition: 5})
    admin.close()
    # when, then
    with (
        closing(feed_of(topics, offsets={(topics.dealing, 0): 2})) as feed,
        pytest.raises(OffsetsLost, match="begins at offset 5, the store goes on at 2: 3 records are gone"),
    ):
        read_all(feed, 1)


def test_offsets_beyond_the_end_end_the_feed_with_plain_words(kafka: str) -> None:
    # given a store that knows of more than the topic ever held
    topics = new_topics(kafka, partitions=1)
    send(topics, [Message(topics.dealing, b"{}")] * 3)
    # when, then
    with (
        closing(feed_of(topics, offsets={(topics.dealing, 0): 100})) as feed,
        pytest.raises(OffsetsLost, match="ends at offset 3, the store goes on at 100"),
    ):
        read_all(feed, 1)


def test_a_topic_that_is_missing_is_named(kafka: str) -> None:
    topics = Topics(kafka, "no-such-dealing", "no-such-betting")
    with pytest.raises(FeedFailed, match="no topic no-such-betting and no topic no-such-dealing"):
        feed_of(topics)
