"""What goes out besides the store: at least once, in order, and never at the audit's expense."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence

import pytest

from auditor.findings import Finding, Reject
from auditor.intake import Letter, Outcomes, PublishFailed
from auditor.live import delivery
from auditor.live.delivery import Posting

WAIT = 10.0


def finding(name: str) -> Finding:
    return Finding.model_validate(
        {
            "finding_id": name, "rule": "DCK101", "name": "duplicate-card", "severity": "critical", "table_id": "T1",
            "hand_id": "H1", "seq": 7, "at": "2026-01-01T18:00:00Z", "message": "Two aces.", "incident": name,
            "source_rule": "A",
        }
    )  # fmt: skip


def outcomes(*names: str, rejects: Sequence[Reject] = ()) -> Outcomes:
    return Outcomes(taken=1, findings={name: finding(name) for name in names}, rejects=list(rejects))


class Kept:
    """An outbox in memory."""

    def __init__(self) -> None:
        self.outbox: dict[int, Letter] = {}

    @property
    def last_letter(self) -> int:
        return max(self.outbox, default=0)

    def letters(self, after: int, most: int) -> list[Letter]:
        return [letter for number, letter in sorted(self.outbox.items()) if number > after][:most]

    def forget_letters(self, delivered: int) -> None:
        self.outbox = {number: letter for number, letter in self.outbox.items() if number > delivered}

    def commit(
        self,
        outcomes: Outcomes,
        offsets: Mapping[tuple[str, int], int],
        *,
        letters: Sequence[Letter] = (),
        delivered: int = 0,
    ) -> None:
        self.forget_letters(delivered)
        self.outbox |= {letter.number: letter for letter in letters}


class Outlet:
    """Takes findings, or does not while it `fails`; what it `refuses` it will never take."""

    to = "webhook"

    def __init__(self, fails: int = 0, refuses: str = "") -> None:
        self.took: list[str] = []
        self.arrived = threading.Event()
        self.fails = fails
        self.refuses = refuses
        self.refused = 0

    def publish(self, findings: Sequence[Finding]) -> None:
        if self.fails:
            self.fails -= 1
            raise PublishFailed("nobody is there")
        names = [each.finding_id for each in findings]
        self.refused += sum(name in self.refuses for name in names)
        self.took += [name for name in names if name not in self.refuses]
        self.arrived.set()

    def close(self) -> None:
        pass


class Letterbox:
    """Takes rejects."""

    to = "dead_letters"
    refused = 0

    def __init__(self) -> None:
        self.took: list[int] = []

    def send(self, rejects: Sequence[Reject]) -> None:
        self.took += [reject.offset for reject in rejects]

    def close(self) -> None:
        pass


def reject(offset: int) -> Reject:
    return Reject(source="poker.dealing", offset=offset, raw=b"x", reason="not JSON")


def test_each_outlet_gets_its_own_in_order_and_the_outbox_is_emptied() -> None:
    # given an outlet for findings and one for rejects
    store, findings, rejects = Kept(), Outlet(), Letterbox()
    posting = Posting(store, [findings], rejects)
    # when checkpoints come, and the end
    posting.commit(outcomes("a", "b", rejects=[reject(1)]), {})
    posting.commit(outcomes("c", rejects=[reject(2)]), {})
    posting.close()
    # then each got its own, in order, and nothing is left
    assert findings.took == ["a", "b", "c"]
    assert rejects.took == [1, 2]
    assert store.outbox == {}


def test_what_was_not_taken_goes_out_with_the_next_start(monkeypatch: pytest.MonkeyPatch) -> None:
    # given an outlet that is not there while the first process lives
    store = Kept()
    first = Posting(store, [Outlet(fails=1_000)], None)
    first.commit(outcomes("a", "b"), {})
    first.close()
    assert len(store.outbox) == 2
    # when the next one starts, before anything new comes
    outlet = Outlet()
    second = Posting(store, [outlet], None)
    assert outlet.arrived.wait(WAIT)
    second.commit(outcomes("c"), {})
    second.close()
    # then nothing is missing, in order
    assert outlet.took == ["a", "b", "c"]


def test_an_outlet_that_fails_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "_FIRST_PAUSE", 0.01)
    outlet = Outlet(fails=3)
    posting = Posting(Kept(), [outlet], None)
    posting.commit(outcomes("a"), {})
    assert outlet.arrived.wait(WAIT)
    posting.close()
    assert outlet.took == ["a"]


def test_what_finds_no_room_in_memory_waits_in_the_outbox(monkeypatch: pytest.MonkeyPatch) -> None:
    # given room for three letters, and an outlet that does not take any yet
    monkeypatch.setattr(delivery, "_MOST_HELD", 3)
    monkeypatch.setattr(delivery, "_FIRST_PAUSE", 0.01)
    store, outlet = Kept(), Outlet(fails=1_000_000)
    posting = Posting(store, [outlet], None)
    for name in "abcdefgh":
        posting.commit(outcomes(name), {})
    # when it takes them, and checkpoints go on
    outlet.fails = 0
    until = time.monotonic() + WAIT
    while "h" not in outlet.took and time.monotonic() < until:
        posting.commit(outcomes(), {})
        time.sleep(0.01)
    posting.close()
    # then all of them came, in order, each once
    assert outlet.took == list("abcdefgh")
    assert store.outbox == {}


def test_one_outlet_that_is_away_does_not_keep_the_other_waiting() -> None:
    store, here = Kept(), Outlet()
    posting = Posting(store, [Outlet(fails=1_000_000), here], None)
    posting.commit(outcomes("a"), {})
    assert here.arrived.wait(WAIT)
    posting.close()
    assert here.took == ["a"]
    assert list(store.outbox) == [1]  # until the other one has it, too


def test_letters_wait_until_every_outlet_has_taken_them(monkeypatch: pytest.MonkeyPatch) -> None:
    # given an outlet that is there, and one that is not
    monkeypatch.setattr(delivery, "_FIRST_PAUSE", 0.01)
    here, away = Outlet(), Outlet(fails=1_000_000)
    posting = Posting(Kept(), [here, away], None)
    assert posting.waiting == 0
    # when three letters come
    posting.commit(outcomes("a", "b", "c"), {})
    assert here.arrived.wait(WAIT)
    # then they wait for the second one, and no longer
    assert posting.waiting == 3
    away.fails = 0
    assert away.arrived.wait(WAIT)
    posting.close()
    assert posting.waiting == 0


def test_what_an_earlier_process_left_waits_too() -> None:
    # given a process that brings two letters out, and leaves the two after them
    store, outlet = Kept(), Outlet()
    first = Posting(store, [outlet], None)
    first.commit(outcomes("a", "b"), {})
    assert outlet.arrived.wait(WAIT)
    outlet.fails = 1_000_000
    first.commit(outcomes("c", "d"), {})
    first.close()
    assert list(store.outbox) == [3, 4]
    # when the next one starts, and finds nobody either
    second = Posting(store, [Outlet(fails=1_000_000)], None)
    second.commit(outcomes("e"), {})
    # then
    assert second.waiting == 3
    second.close()


def test_what_fails_and_what_is_refused_is_counted_by_where_it_was_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    # given a webhook that fails twice and then refuses one of three, and dead letters that go out
    monkeypatch.setattr(delivery, "_FIRST_PAUSE", 0.01)
    webhook = Outlet(fails=2, refuses="b")
    posting = Posting(Kept(), [webhook], Letterbox())
    assert [(outlet.to, outlet.failures, outlet.refused) for outlet in posting.outlets] == [
        ("webhook", 0, 0),
        ("dead_letters", 0, 0),
    ]
    # when
    posting.commit(outcomes("a", "b", "c", rejects=[reject(1)]), {})
    assert webhook.arrived.wait(WAIT)
    posting.close()
    # then what was refused does not wait
    assert [(outlet.to, outlet.failures, outlet.refused) for outlet in posting.outlets] == [
        ("webhook", 2, 1),
        ("dead_letters", 0, 0),
    ]
    assert webhook.took == ["a", "c"]
    assert posting.waiting == 0


class Faulty(Outlet):
    def publish(self, findings: Sequence[Finding]) -> None:
        self.arrived.set()
        raise KeyError("a fault of ours")


def test_a_fault_of_ours_ends_the_run() -> None:
    outlet = Faulty()
    posting = Posting(Kept(), [outlet], None)
    posting.commit(outcomes("a"), {})
    assert outlet.arrived.wait(WAIT)
    with pytest.raises(KeyError, match="a fault of ours"):
        posting.close()
