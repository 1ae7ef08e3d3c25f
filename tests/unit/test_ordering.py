"""One order over two topics: what waits, what is a copy, what is given up."""

from __future__ import annotations

import pytest

from auditor import Audit, Finding, audit
from auditor.events import Event, dump
from auditor.intake import LONGEST_WAIT, MOST_WAITING, Record
from auditor.rules.scene import Scene


def hand() -> list[Event]:
    return [event for event in Scene().opened().walk().script() if not isinstance(event, bytes)]


def rules(findings: object) -> list[str]:
    return [finding.rule for finding in findings]  # type: ignore[attr-defined]


def test_two_topics_that_arrive_one_after_the_other_are_one_order() -> None:
    # given all dealing events first, and all betting events behind them
    events = sorted(hand(), key=lambda event: event.type in ("forced_bet_posted", "player_acted", "pot_awarded"))
    # then nothing is missing, late or out of turn
    assert rules(audit(events)) == []


def test_an_identical_copy_is_dropped_and_counted() -> None:
    core = Audit(keep_events=True)
    for event in [*hand(), *hand()]:
        core.take(Record(dump(event), "t", 0, event.seq))
    outcomes = core.drain()
    assert len(outcomes.events) == len(hand())
    assert outcomes.duplicates == len(hand())
    assert outcomes.findings == {}


def test_a_conflict_goes_to_quarantine_with_its_bytes() -> None:
    # given another card under the number of one that was dealt
    first, *_, last = [event for event in hand() if event.type == "card_dealt"]
    other = last.model_copy(update={"seq": first.seq})
    core = Audit(keep_events=True)
    for number, event in enumerate([*hand(), other]):
        core.take(Record(dump(event), "t", 0, number))
    # when it is audited, then the first stands and the second is kept aside
    outcomes = core.drain()
    assert rules(outcomes.findings.values()) == ["FEED102"]
    (reject,) = outcomes.rejects
    assert (reject.kind, reject.raw) == ("conflict", dump(other))
    assert len(outcomes.events) == len(hand())


def test_a_gap_waits_for_so_many_events_and_no_more() -> None:
    # given a table that lost an event, and dozens of hands behind it
    scene = Scene().opened().walk()
    for button in range(MOST_WAITING // 10):
        scene.start(button=(1, 2, 3)[button % 3]).blinds().deal().walk()
    lost = 5
    events = [event for event in scene.script() if not isinstance(event, bytes) and event.seq != lost]
    core = Audit()
    seen: list[int] = []
    for event in events:
        core.take_event(event)
        if core.has_findings:
            seen.append(event.seq)
            break
    # then the gap is told when the wait is full, not at the end
    assert seen == [lost + MOST_WAITING]


def test_a_live_gap_is_given_up_by_age() -> None:
    core = Audit()
    for event in hand():
        if event.seq != 5:
            core.take(Record(dump(event), "t", 0, event.seq))
    # when its age is asked for, it counts from then
    for now in (100.0, 100.0 + LONGEST_WAIT - 1):
        core.expire_gaps(now)
        assert core.drain().findings == {}
    core.expire_gaps(100.0 + LONGEST_WAIT)
    # then it is given up in time
    assert "FEED101" in rules(core.drain().findings.values())


def test_what_is_found_in_a_hand_with_a_gap_is_degraded() -> None:
    scene = Scene().start().blinds().deal({1: "As Kd", 3: "Qc As"}).walk().lose(4)
    found: dict[str, Finding] = {finding.rule: finding for finding in audit(scene.script())}
    assert found["DCK101"].degraded
    assert "DEAL105" not in found


@pytest.mark.parametrize("cut", range(1, 60, 3))
def test_a_restart_anywhere_goes_on_as_if_nothing_had_been(cut: int) -> None:
    # given hands with findings in them, and a copy of an event of the hand before
    scene = Scene(4, house={"button_rule": "moving"})
    for button in (1, 3, 4):
        scene.start(button=button).blinds().deal().limp().burn().board("As", "As", "2d").checks_around()
        scene.win(scene.order[0])
    events = [event for event in scene.script() if not isinstance(event, bytes)]
    arriving = [*events[:70], events[30], *events[70:]]
    whole = run(arriving)
    # when the audit stops after any event and another one goes on from what was kept
    assert run(arriving, cut) == whole


def run(events: list[Event], cut: int | None = None) -> tuple[dict[str, Finding], list[object], int]:
    findings: dict[str, Finding] = {}
    kept: list[tuple[int, bytes]] = []
    hands: dict[object, object] = {}
    duplicates = 0
    core = Audit(keep_events=True)
    for number, event in enumerate(events):
        if number == cut:
            first = core.drain()
            findings.update(first.findings)
            hands.update(first.hands)
            duplicates += first.duplicates
            kept = sorted((row[1], row[-1].encode()) for row in first.events)
            (table,) = first.tables.values()
            core = Audit(keep_events=True)
            core.restore(table, [raw for seq, raw in kept if seq > table.boundary_seq])
        core.take(Record(dump(event), "t", 0, number))
    core.finish()
    last = core.drain()
    findings.update(last.findings)
    hands.update(last.hands)
    return findings, [hands[key] for key in sorted(hands, key=repr)], duplicates + last.duplicates
