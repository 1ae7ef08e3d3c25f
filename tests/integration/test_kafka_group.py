"""A consumer group on Apache Kafka: what is claimed is stored, once, by whoever claimed it; tables move."""

from __future__ import annotations

import shutil
import time
from contextlib import closing
from pathlib import Path

import pytest
from kafka import KafkaAdminClient, TopicPartition
from kafka.admin import NewTopic
from live_kit import WAIT, Topics, messages, new_topics, room, run_to_end, select, send, start
from union import union

from auditor.feeds.claims import Claim
from auditor.feeds.connection import KafkaSettings
from auditor.feeds.group import GroupFeed
from auditor.simulate import play
from auditor.store.writer import Store

pytestmark = pytest.mark.kafka


@pytest.fixture
def topics(kafka: str) -> Topics:
    return new_topics(kafka)


def in_group(topics: Topics) -> list[str]:
    return ["--group", topics.dealing]


def claim_and_die(topics: Topics, path: Path, share: int) -> int:
    """What a process does that is killed between its claim and its store. Returns how many records it claimed."""
    settings = KafkaSettings(topics.bootstrap, (topics.dealing, topics.betting), topics.dealing)
    with Store.open(path) as store, closing(GroupFeed(settings)) as feed:
        until = time.monotonic() + WAIT
        given = feed.turn()
        while not given or len(given) < 4:
            assert time.monotonic() < until, "the group gives no partitions"
            feed.poll(0.1)
            given = feed.turn() or given
        for number in (0, 1):
            store.adopt(number, {p: 0 for p in given if p[1] == number}, [])
        feed.start(dict.fromkeys(given, 0))
        while sum(feed.positions.values()) < share:
            assert time.monotonic() < until, "the feed did not bring what was sent"
            feed.poll(0.1)
        feed.claim(store.store_id, {p: Claim(0, offset) for p, offset in feed.positions.items()}, WAIT)
        return sum(feed.positions.values())


def test_what_was_claimed_and_not_stored_is_stored_by_whoever_claimed_it(topics: Topics, tmp_path: Path) -> None:
    # given a process that was killed between its claim and its store, and another one that went on behind the claim
    sent = messages(topics, play(tables=4, hands=12, mistakes=0.3, seed=5))
    send(topics, sent)
    first, second, calm = (tmp_path / f"{name}.duckdb" for name in ("ada", "bram", "calm"))
    claimed = claim_and_die(topics, first, share=300)
    run_to_end(topics, second, *in_group(topics))
    assert select(second, "SELECT count(*) FROM events") == [(len(sent) - claimed,)]
    # when the first one is started again
    ended = run_to_end(topics, first, *in_group(topics))
    run_to_end(topics, calm, "--assign", "all")
    # then it stores what it had claimed, and together they hold what one undisturbed run holds
    assert "storing what was claimed" in ended.stderr
    assert union([first, second]) == union([calm])


def test_a_store_that_comes_later_holds_what_comes_later(topics: Topics, tmp_path: Path) -> None:
    # given hands that one process has audited, the last of them still open
    raws = list(play(tables=3, hands=10, mistakes=0.3, seed=6))
    sent = messages(topics, raws)
    half = len(sent) // 2
    first, second, calm = (tmp_path / f"{name}.duckdb" for name in ("ada", "bram", "calm"))
    send(topics, sent[:half])
    stopped(topics, first, half)
    # when another one gets the partitions, and the rest comes
    send(topics, sent[half:])
    run_to_end(topics, second, *in_group(topics))
    run_to_end(topics, calm, "--assign", "all")
    # then its tables go on where the other had them, and nothing is there twice
    assert select(second, "SELECT count(*) FROM events") == [(len(sent) - half,)]
    assert union([first, second]) == union([calm])
    assert select(second, "SELECT count(*) FROM findings WHERE rule = 'FEED101'") == [(0,)]


def stopped(topics: Topics, store: Path, count: int) -> None:
    """A service audits so many records, and is stopped: what is open stays open, and no gap is given up."""
    process = start(topics, store, *in_group(topics))
    try:
        until = time.monotonic() + WAIT
        while committed(topics) < count:
            assert time.monotonic() < until, "the service did not come that far"
            time.sleep(0.1)
        process.terminate()
        _, words = process.communicate(timeout=WAIT)
        assert process.returncode == 0, words
    finally:
        process.kill()


def committed(topics: Topics) -> int:
    """How far the group has come, all partitions together."""
    admin = KafkaAdminClient(bootstrap_servers=topics.bootstrap)
    try:
        ((_, offsets),) = admin.list_group_offsets(topics.dealing).items()
    finally:
        admin.close()
    return sum(known.offset for known in offsets.values())


def test_tables_are_learnt_from_their_events_where_nobody_can_leave_word(topics: Topics, tmp_path: Path) -> None:
    # given a topic for the tables that has too few partitions to be of use
    admin = KafkaAdminClient(bootstrap_servers=topics.bootstrap)
    admin.create_topics([NewTopic(topics.tables, 1, 1)])
    admin.close()
    sent = messages(topics, play(tables=3, hands=8, mistakes=0.3, seed=7))
    half = len(sent) // 2
    first, second, calm = (tmp_path / f"{name}.duckdb" for name in ("ada", "bram", "calm"))
    send(topics, sent[:half])
    stopped(topics, first, half)
    # when another one gets the partitions
    send(topics, sent[half:])
    ended = run_to_end(topics, second, *in_group(topics))
    run_to_end(topics, calm, "--assign", "all")
    # then it reads the events once more, and stores none of what comes out
    assert "records once more" in ended.stderr
    assert union([first, second]) == union([calm])


def test_an_old_copy_of_a_store_is_refused(topics: Topics, tmp_path: Path) -> None:
    # given a store, and a copy of it that was made before it went on
    sent = messages(topics, room(tables=2, hands=6))
    store, copy = tmp_path / "store.duckdb", tmp_path / "copy.duckdb"
    third = len(sent) // 3
    send(topics, sent[:third])
    run_to_end(topics, store, *in_group(topics))
    shutil.copy(store, copy)
    for part in (sent[third : 2 * third], sent[2 * third :]):
        send(topics, part)
        run_to_end(topics, store, *in_group(topics))
    # when the copy is put to work
    process = start(topics, copy, *in_group(topics))
    _, words = process.communicate(timeout=WAIT)
    # then it is told from the store that claimed what it lacks
    assert process.returncode == 3, words
    assert "it is an old copy" in words


def test_a_new_store_reads_all_where_it_is_told_to(topics: Topics, tmp_path: Path) -> None:
    # given a group that has audited everything into a store that is lost
    sent = messages(topics, play(tables=3, hands=8, mistakes=0.3, seed=8))
    send(topics, sent)
    lost, anew, plain = (tmp_path / f"{name}.duckdb" for name in ("lost", "anew", "plain"))
    run_to_end(topics, lost, *in_group(topics))
    # when a new one is to be built
    ended = run_to_end(topics, plain, *in_group(topics))
    run_to_end(topics, anew, *in_group(topics), "--rebuild")
    # then it holds what the old one held, and without being told so it holds what comes from then on
    assert union([anew]) == union([lost])
    assert select(plain, "SELECT count(*) FROM events") == [(0,)]
    assert "other stores hold" in ended.stderr


def test_topics_that_would_part_a_tables_halves_are_refused(kafka: str, tmp_path: Path) -> None:
    topics = new_topics(kafka)
    other = new_topics(kafka, partitions=3)
    process = start(topics._replace(betting=other.betting), tmp_path / "store.duckdb", *in_group(topics))
    _, words = process.communicate(timeout=WAIT)
    assert process.returncode == 4, words
    assert "differ in partitions" in words


def test_what_is_gone_before_anyone_has_read_it_is_told_and_the_audit_goes_on(topics: Topics, tmp_path: Path) -> None:
    # given a store that has come to a place, behind which records came and went
    sent = messages(topics, room(tables=3, hands=12))
    third = len(sent) // 3
    store = tmp_path / "store.duckdb"
    send(topics, sent[:third])
    run_to_end(topics, store, *in_group(topics))
    send(topics, sent[third : 2 * third])
    admin = KafkaAdminClient(bootstrap_servers=topics.bootstrap)
    place = TopicPartition(topics.betting, 0)
    ((before,),) = select(store, f'SELECT next_offset FROM offsets WHERE (source, "partition") = {tuple(place)}')
    admin.delete_records({place: before + 4})
    admin.close()
    send(topics, sent[2 * third :])
    # when it goes on
    run_to_end(topics, store, *in_group(topics))
    # then a finding says what is gone, and all the rest was audited
    found = select(store, "SELECT message FROM findings WHERE rule = 'FEED109'")
    assert found == [
        (f"{topics.betting}, partition 0: 4 records are gone from offset {before} on, and were never audited.",)
    ]
    assert select(store, "SELECT count(*) FROM events") == [(len(sent) - 4,)]
