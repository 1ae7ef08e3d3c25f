"""Two topics, one order: however they interleave, are delayed or repeat themselves, the same comes out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from auditor.audit import Audit
from auditor.events import topic_of
from auditor.feeds.alignment import Alignment, Partition
from auditor.feeds.kafka import AT_ONCE
from auditor.intake import Outcomes, Record
from auditor.simulate import play
from auditor.wire import EventRefused, parse

FETCHED = st.integers(1, 1_000)
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


#: To shrink a failure takes minutes, and what fails is small enough to be looked at.
calm = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=[Phase.generate, Phase.reuse]
)


def what_counts(outcomes: Outcomes) -> tuple[Any, ...]:
    return (
        outcomes.findings,
        outcomes.hands,
        Counter(outcomes.events),
        Counter(map(repr, outcomes.rejects)),
        outcomes.duplicates,
        {name: (table.next_seq, table.memory) for name, table in outcomes.tables.items()},
    )


@calm
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


@calm
@given(
    seed=st.integers(1, 4),
    lost=st.integers(100, 2_000),
    fetches=st.lists(st.tuples(st.integers(0, 1), FETCHED), min_size=1, max_size=12),
)
def test_an_event_that_never_comes_makes_one_gap_and_no_other(
    seed: int, lost: int, fetches: list[tuple[int, int]]
) -> None:
    # given the events of a room, one of which its topic never got
    raws = [raw for number, raw in enumerate(room(seed)) if number != lost]
    plain = audited(topics_of(raws, set(), "true"), [(0, 1), (1, 1)])
    # when the topics were filled one after the other, and are fetched in whatever turns
    outcomes = audited(topics_of(raws, set(), "one after the other"), fetches)
    # then there is that gap and no other
    assert what_counts(outcomes) == what_counts(plain)
