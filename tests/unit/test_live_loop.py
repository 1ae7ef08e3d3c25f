"""The loop: what is committed when, and that it stops as told."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Collection, Sequence

import pytest

from auditor import events
from auditor.audit import Audit
from auditor.feeds.connection import FeedFailed
from auditor.findings import Finding
from auditor.intake import Outcomes, Record
from auditor.live import Loop, News, Offsets, Pace, stopped_by_signals
from auditor.live.loop import GapClock

TOPIC = "poker.dealing"
AT = "2026-01-01T18:00:00Z"
NEVER = 3600.0


def seated(seq: int) -> bytes:
    body = f'"table_id":"T1","seq":{seq},"at":"{AT}"'
    if seq == 1:
        return f'{{"type":"table_opened",{body},"game":"holdem"}}'.encode()
    return f'{{"type":"player_seated",{body},"seat":{seq},"player_id":"Ada"}}'.encode()


class Script:
    """A feed that hands out what it is given, one list a poll, and then nothing."""

    assigned = reading = True
    awaits_more = False

    def __init__(self, *polls: Sequence[bytes], at_end: threading.Event | None = None) -> None:
        self._polls = [list(poll) for poll in polls]
        self._at_end = at_end
        self.positions: dict[tuple[str, int], int] = {}
        self.held_back: list[Collection[tuple[str, int]]] = []

    @property
    def caught_up(self) -> bool:
        return not self._polls

    def poll(self, seconds: float) -> list[Record]:
        if not self._polls:
            return []
        first = self.positions.get((TOPIC, 0), 0)
        items = [Record(raw, TOPIC, 0, first + n) for n, raw in enumerate(self._polls.pop(0))]
        self.positions[TOPIC, 0] = first + len(items)
        if not self._polls and self._at_end is not None:
            self._at_end.set()
        return items

    def lag(self) -> Offsets:
        return {}

    def hold_back(self, ahead: Collection[tuple[str, int]]) -> None:
        self.held_back.append(ahead)


class Kept:
    """A store that keeps its checkpoints in a list, or refuses them."""

    def __init__(self, refuses: Exception | None = None) -> None:
        self.checkpoints: list[tuple[int, Offsets]] = []
        self.seqs: list[int] = []
        self._refuses = refuses

    def commit(self, outcomes: Outcomes, offsets: Offsets) -> None:
        if self._refuses is not None:
            raise self._refuses
        self.checkpoints.append((outcomes.taken, offsets))
        self.seqs += [row[1] for row in outcomes.events]


def loop(feed: Script, store: Kept, pace: Pace) -> Loop:
    return Loop(feed, Audit(keep_events=True), store, pace)


def test_a_checkpoint_holds_a_batch_and_the_offsets_after_it() -> None:
    # given five events that come one at a time, and checkpoints every two
    feed = Script(*([seated(seq)] for seq in range(1, 6)))
    store = Kept()
    # when
    totals = loop(feed, store, Pace(batch_rows=2, batch_seconds=NEVER, until_idle=0)).run(threading.Event())
    # then the last one, at the end of the run, holds the odd one
    assert store.checkpoints == [(2, {(TOPIC, 0): 2}), (2, {(TOPIC, 0): 4}), (1, {(TOPIC, 0): 5})]
    assert (totals.records, totals.events, totals.checkpoints) == (5, 5, 3)


def test_time_makes_a_checkpoint_due_however_few_came() -> None:
    # given two events, two polls apart
    feed = Script([seated(1)], [seated(2)])
    store = Kept()
    # when a record may wait no time at all
    loop(feed, store, Pace(batch_rows=1_000, batch_seconds=0, until_idle=0)).run(threading.Event())
    # then
    assert [taken for taken, _ in store.checkpoints] == [1, 1]


def test_a_stop_commits_what_was_taken() -> None:
    # given a stop that is asked for while the second poll is under way
    stop = threading.Event()
    feed = Script([seated(1)], [seated(2)], at_end=stop)
    store = Kept()
    # when
    loop(feed, store, Pace(batch_rows=1_000, batch_seconds=NEVER)).run(stop)
    # then
    assert store.checkpoints == [(2, {(TOPIC, 0): 2})]


def test_a_stop_does_not_give_up_a_gap_but_the_end_does() -> None:
    # given events one and three
    polls = [seated(1), seated(3)]
    stop = threading.Event()
    stopped, ended = Kept(), Kept()
    # when one run is stopped, and another ends for want of events
    loop(Script(polls, at_end=stop), stopped, Pace(batch_seconds=NEVER)).run(stop)
    loop(Script(polls), ended, Pace(batch_seconds=NEVER, until_idle=0)).run(threading.Event())
    # then only the end is sure that two will not come
    assert stopped.seqs == [1, 3]
    assert ended.seqs == [1, 3]


def test_an_error_of_the_store_leaves_the_loop() -> None:
    # given a store that refuses
    feed = Script([seated(1)])
    store = Kept(refuses=OSError("no space left"))
    # when, then
    with pytest.raises(OSError, match="no space left"):
        loop(feed, store, Pace(batch_seconds=0, until_idle=0)).run(threading.Event())


class Broken(Script):
    """A feed whose broker goes away once all is handed out; a stop may come in the same moment."""

    def __init__(self, *polls: Sequence[bytes], stop: threading.Event | None = None) -> None:
        super().__init__(*polls)
        self._stop = stop

    def poll(self, seconds: float) -> list[Record]:
        if not self.caught_up:
            return super().poll(seconds)
        if self._stop is not None:
            self._stop.set()
        raise FeedFailed("the broker is gone")


def test_a_feed_that_fails_ends_the_run_with_its_words() -> None:
    with pytest.raises(FeedFailed, match="the broker is gone"):
        loop(Broken([seated(1)]), Kept(), Pace(batch_seconds=NEVER)).run(threading.Event())


def test_a_feed_that_fails_while_a_stop_is_asked_for_does_not_keep_it_from_committing() -> None:
    # given a stop that comes as the broker goes
    stop = threading.Event()
    store = Kept()
    # when
    loop(Broken([seated(1)], stop=stop), store, Pace(batch_seconds=NEVER)).run(stop)
    # then
    assert store.checkpoints == [(1, {(TOPIC, 0): 1})]


def test_bytes_that_are_no_event_are_committed_as_a_reject() -> None:
    feed = Script([b"not json", seated(1)])
    store = Kept()
    totals = loop(feed, store, Pace(until_idle=0)).run(threading.Event())
    assert (totals.rejects, totals.events) == (1, 1)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_asks_for_a_stop_and_its_handler_is_put_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with stopped_by_signals() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), number)
        assert stop.wait(5)
    assert signal.getsignal(number) is before


def finding(name: str, handled: str) -> Finding:
    return Finding.model_validate(
        {
            "finding_id": name, "rule": "DCK101", "name": "duplicate-card", "severity": "critical", "table_id": "T1",
            "hand_id": "H1", "seq": 7, "at": AT, "message": "Two aces of spades.", "handled": handled, "incident": name,
            "source_rule": "A",
        }
    )  # fmt: skip


def test_a_finding_is_news_once() -> None:
    # given a finding that became known open
    news = News()
    assert [f.finding_id for f in news.of(Outcomes(findings={"a": finding("a", "open")}))] == ["a"]
    # when its incident is closed beside another, new one
    later = news.of(Outcomes(findings={"a": finding("a", "contrary"), "b": finding("b", "contrary")}))
    # then
    assert [f.finding_id for f in later] == ["b"]


def test_the_topics_of_the_contract_are_those_of_the_feed() -> None:
    from auditor.feeds.connection import KafkaSettings

    assert KafkaSettings("localhost:9092").topics == tuple(events.TOPICS)


def test_a_gap_ages_only_while_the_process_waits_for_it() -> None:
    # given a clock of gaps
    feed = Script()
    clock = GapClock(100.0)
    # when a second goes by, then an hour in which the process was stopped, then six seconds with more to read
    clock.due(101.0, feed)
    clock.due(3_701.0, feed)
    assert clock.time == pytest.approx(2.0)
    feed.awaits_more = True
    for second in range(1, 7):
        clock.due(3_701.0 + second, feed)
    # then the hour was no longer than a round, and what may still be read is waited for six times as long
    assert clock.time == pytest.approx(3.0)
