"""Two topics, one order: however they interleave, are delayed or repeat themselves, the same comes out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.audit import Audit
from auditor.events import EventRefused, parse, topic_of
from auditor.feeds.alignment import Alignment, Partition
from auditor.intake import Outcomes, Record
from auditor.simulate import play

#: Fetched at once, and handed on at once: as the feed has it.
FETCHED = st.integers(1, 1_000)
AT_ONCE = 128
TOPICS = ("poker.dealing", "poker.betting")


@cache
def room(seed: int) -> tuple[bytes, ...]:
    """Hands at two tables, with mistakes of every kind: many more events than may wait behind a gap."""
    return tuple(play(tables=2, hands=30, mistakes=0.3, seed=seed))


def topic_for(raw: bytes) -> str:
    try:
        return topic_of(parse(raw))
    except EventRefused:
        return TOPICS[0]


class Sent(NamedTuple):
    """A record in its topic. Stamps are Kafka's times, which may mislead."""

    stamp: int
    record: Record


def topics_of(raws: Sequence[bytes], copies: set[int], stamps: str) -> dict[Partition, list[Sent]]:
    """The two topics as they were filled, some records twice."""
    filled: dict[Partition, list[Sent]] = {(topic, 0): [] for topic in TOPICS}
    for number, raw in enumerate(raws):
        topic = topic_for(raw)
        stamp = {"true": number, "none": -1, "one after the other": number + TOPICS.index(topic) * 1_000_000}[stamps]
        for _ in range(2 if number in copies else 1):
            of_topic = filled[topic, 0]
            of_topic.append(Sent(stamp, Record(raw, topic, 0, len(of_topic))))
    return filled


def audited(filled: dict[Partition, list[Sent]], fetches: Sequence[tuple[int, int]]) -> Outcomes:
    """The topics through the alignment into the audit, fetched in these turns, over and over, until all is read."""
    audit, alignment = Audit(keep_events=True), Alignment()
    read = Counter[Partition]()
    turn = 0
    while behind := [p for p, sent in filled.items() if read[p] < len(sent)]:
        which, many = fetches[turn % len(fetches)]
        partition = behind[(which + turn // len(fetches)) % len(behind)]
        if alignment.held(partition) < 5_000:
            some = filled[partition][read[partition] :][:many]
            alignment.add(partition, some, now=0)
            read[partition] += len(some)
        turn += 1
        release_all(audit, alignment, [p for p, sent in filled.items() if read[p] < len(sent)])
    release_all(audit, alignment, [])
    audit.finish()
    return audit.drain()


def release_all(audit: Audit, alignment: Alignment, behind: list[Partition]) -> None:
    while items := alignment.release(behind, 0, AT_ONCE):
        audit.take_all(items)
        alignment.hold_back(audit.ahead)


def what_counts(outcomes: Outcomes) -> tuple[Any, ...]:
    return (
        outcomes.findings,
        outcomes.hands,
        Counter(outcomes.events),
        Counter(map(repr, outcomes.rejects)),
        outcomes.duplicates,
        {name: (table.next_seq, table.memory) for name, table in outcomes.tables.items()},
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(1, 4),
    copies=st.sets(st.integers(0, 2_000), max_size=20),
    stamps=st.sampled_from(["true", "none", "one after the other"]),
    fetches=st.lists(st.tuples(st.integers(0, 1), FETCHED), min_size=1, max_size=12),
)
def test_how_two_topics_interleave_changes_nothing(
    seed: int, copies: set[int], stamps: str, fetches: list[tuple[int, int]]
) -> None:
    # given the events of a room on two topics, some of them twice
    raws = room(seed)
    plain = audited(topics_of(raws, copies, "true"), [(0, 1), (1, 1)])
    # when they are fetched in whatever turns, and whatever their times say
    outcomes = audited(topics_of(raws, copies, stamps), fetches)
    # then findings, hands and rows are the same, and nothing was taken for lost
    assert what_counts(outcomes) == what_counts(plain)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(1, 4),
    lost=st.integers(100, 2_000),
    fetches=st.lists(st.tuples(st.integers(0, 1), FETCHED), min_size=1, max_size=12),
)
def test_an_event_that_never_comes_costs_its_own_table_and_no_other(
    seed: int, lost: int, fetches: list[tuple[int, int]]
) -> None:
    # given the events of a room, one of which its topic never got
    raws = room(seed)
    missing = raws[lost % len(raws)]
    filled = topics_of([raw for raw in raws if raw != missing], set(), "one after the other")
    # when the topics were filled one after the other, and are fetched in whatever turns
    outcomes = audited(filled, fetches)
    # then there is no more than the one gap, and it is in that table
    gaps = [finding.table_id for finding in outcomes.findings.values() if finding.rule == "FEED101"]
    assert len(gaps) <= 1
    assert all(f'"table_id":"{table}"'.encode() in missing for table in gaps)
    assert not [finding for finding in outcomes.findings.values() if finding.rule == "FEED103"]
