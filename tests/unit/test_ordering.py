"""One order over two topics: what waits, what is a copy, what is given up."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from auditor import Audit, Finding, audit
from auditor.events import Envelope, Event, topic_of
from auditor.intake import FARTHEST, LONGEST_WAIT, MOST_WAITING, Record
from auditor.ordering import Ordering
from auditor.rules.scene import Scene
from auditor.wire import dump


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


def hands_of(*buttons: int) -> list[Event]:
    scene = Scene().opened().walk()
    for button in buttons:
        scene.start(button=button).blinds().deal().walk()
    return [event for event in scene.script() if isinstance(event, Envelope)]


def test_what_comes_again_from_long_ago_is_a_copy() -> None:
    # given some hands of a table
    events = hands_of(1, 2, 3)
    core = Audit(keep_events=True)
    # when an event of the first hand comes again
    for event in [*events, events[3]]:
        core.take(Record(dump(event), "t", 0, event.seq, key=b"T1"))
    # then it was passed on before, and nothing says that this is another
    out = core.drain()
    assert (rules(out.findings.values()), out.duplicates, len(out.events)) == ([], 1, len(events))


def test_what_comes_from_a_gap_of_long_ago_is_late() -> None:
    events = hands_of(1, 2, 3)
    lost = events.pop(8)
    core = Audit(keep_events=True)
    for event in events:
        core.take(Record(dump(event), "t", 0, event.seq))
    core.finish()
    core.drain()
    core.take(Record(dump(lost), "t", 0, lost.seq))
    assert [row[6] for row in core.drain().events] == ["late"]


@pytest.mark.parametrize(("key", "told"), [(None, []), (b"T1", ["FEED103"])])
def test_after_a_restart_what_a_file_tells_again_from_before_its_boundary_is_a_copy(
    key: bytes | None, told: list[str]
) -> None:
    # given a store that holds some hands of a table, and an audit that goes on from it
    events = hands_of(1, 2, 3)
    first = Audit(keep_events=True)
    for event in events:
        first.take(Record(dump(event), "t", 0, event.seq, key=key))
    (table,) = first.drain().tables.values()
    core = Audit(keep_events=True)
    core.restore(table, [dump(event) for event in events if event.seq > table.boundary_seq])
    # when an event of the first hand comes again
    core.take(Record(dump(events[3]), "t2", 0, 1, key=key))
    # then a file was read twice; of a topic, nobody knows any more whether the event was missing
    out = core.drain()
    assert rules(out.findings.values()) == told
    assert len(out.events) == len(told)


def test_gaps_are_not_remembered_without_end() -> None:
    order = Ordering()
    event = hand()[0]
    for seq in range(2, 2_000, 2):
        order.hold(replace(event, seq=seq), b"", of_file=False)
        order.give_up()
        ready = order.ready()
        assert ready is not None
        order.pass_on(*ready)
    # of what is behind the last so many, a topic may still bring what was missing
    assert order.hold(replace(event, seq=3), b"", of_file=False) == "late"
    assert order.hold(replace(event, seq=1_997), b"", of_file=False) == "late"
    assert len(order._missing) == 256


def test_a_number_that_is_far_beyond_the_next_one_is_no_number_of_the_table() -> None:
    # given a table of which a card comes under a number that it will never reach
    events = hands_of(1)
    wild = replace(events[7], seq=events[9].seq + FARTHEST + 1)
    core = Audit(keep_events=True)
    for event in [*events[:9], wild, *events[9:]]:
        core.take(Record(dump(event), "t", 0, 42))
    core.finish()
    # then it is kept aside, with the reason, and the table goes on
    out = core.drain()
    assert rules(out.findings.values()) == ["FEED108"]
    (reject,) = out.rejects
    assert reject.reason == "its number, 1000011, is more than 1,000,000 beyond 10, the next one of table T1"
    assert len(out.events) == len(events)
    assert rules(audit([*events[:9], wild, *events[9:]])) == ["FEED108"]


def test_a_table_may_be_met_at_any_number() -> None:
    events = [replace(event, seq=event.seq + 10**12) for event in hand()]
    assert rules(audit(events)) == ["FEED101"]


def test_what_a_hand_had_found_before_its_gap_came_is_degraded() -> None:
    # given a duplicate card before an event that is lost
    scene = Scene().start().blinds().deal({1: "As Kd", 3: "Qc As"}).walk().lose(12)
    # when it is audited, be it that all comes out at the end
    core = Audit()
    for event in scene.script():
        core.take(Record(dump(event) if isinstance(event, Envelope) else event, "t", 0, 1))
    core.finish()
    for findings in (audit(scene.script()), core.drain().findings.values()):
        # then it is told once, and told as such
        assert [finding.degraded for finding in findings if finding.rule == "DCK101"] == [True]


def test_from_python_a_line_may_be_text_or_bytes_and_blank() -> None:
    lines = [dump(event) for event in [*hand(), *hand_with_card_twice()]]
    expected = rules(audit(lines))
    assert expected
    assert rules(audit([line.decode() for line in lines])) == expected
    assert rules(audit([bytearray(line) for line in lines])) == expected
    assert rules(audit([each for line in lines for each in (line, b"  \n", "")])) == expected


def hand_with_card_twice() -> list[Event]:
    scene = Scene().start().blinds().deal({1: "As Kd", 3: "Qc As"}).walk()
    return [replace(event, table_id="T2") for event in scene.script() if isinstance(event, Envelope)]


@pytest.mark.parametrize("item", [{"type": "hand_ended"}, 1, None])
def test_what_is_no_event_is_refused_in_plain_words(item: object) -> None:
    with pytest.raises(TypeError, match=f"is expected, not {type(item).__name__}"):
        list(audit([item]))  # type: ignore[list-item]


def test_a_line_that_is_no_event_is_told_by_its_number() -> None:
    (finding,) = audit([b"", b"{"])
    assert finding.message.startswith("Event 2: this is no event of the contract")


def test_a_conflict_goes_to_quarantine_with_its_bytes() -> None:
    # given another card under the number of one that was dealt
    first, *_, last = [event for event in hand() if event.type == "card_dealt"]
    other = replace(last, seq=first.seq)
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


# --- late events of the open hand ------------------------------------------------------------------------------------


def flagged_hand() -> list[Event]:
    """A hand with a duplicate card in it, and a bet out of turn by whoever sees the check before it go missing."""
    scene = Scene().start().blinds()
    scene.deal({1: "As Kd", 3: "Qc As"}).limp().burn().board("2c", "7d", "9h").checks_around()
    scene.burn().board("Jc").checks_around().win(scene.order[0])
    return [event for event in scene.script() if not isinstance(event, bytes)]


def settled(audit_of: list[Event], late: int | None, after: int, cut: int | None = None) -> tuple[object, object]:
    """Findings (but those on the feed, and withdrawn ones) and hands, where event `late` comes only after `after`."""
    arriving = [event for event in audit_of if event.seq != late]
    core = Audit(keep_events=True)
    findings: dict[str, Finding] = {}
    hands: dict[object, object] = {}
    rows: dict[int, tuple[str, bytes]] = {}

    def drain() -> object:
        out = core.drain()
        findings.update(out.findings)
        hands.update(out.hands)
        rows.update({row[1]: (row[6], row[-1].encode()) for row in out.events})
        return out.tables

    for event in arriving:
        if event.seq == after and late is not None:
            for now in (0.0, LONGEST_WAIT):
                core.expire_gaps(now)
            core.take(Record(dump(audit_of[late - 1]), "t", 0, 1_000))
        core.take(Record(dump(event), "t", 0, event.seq))
        if event.seq == cut:
            ((_, table),) = drain().items()  # type: ignore[attr-defined]
            took = [raw for seq, (how, raw) in sorted(rows.items()) if how == "accepted" or seq in table.late]
            core = Audit(keep_events=True)
            core.restore(table, [raw for raw in took if json.loads(raw)["seq"] > table.boundary_seq])
    core.finish()
    drain()
    kept = {name: f for name, f in findings.items() if not f.rule.startswith("FEED") and "Withdrawn" not in f.message}
    return kept, hands


@pytest.mark.parametrize("late", range(3, 19, 2))
def test_a_late_event_of_the_open_hand_takes_its_place(late: int) -> None:
    # given a hand of which an event comes when its place had been given up, but before the hand is over
    events = flagged_hand()
    after = events[-3].seq
    # then in the end it was audited as if the event had come in time
    assert settled(events, late, after) == settled(events, None, 0)


@pytest.mark.parametrize("cut", range(20, 26))
def test_after_a_restart_a_late_event_still_has_its_place(cut: int) -> None:
    events = flagged_hand()
    after = events[-8].seq
    assert settled(events, 9, after, cut=max(cut, after)) == settled(events, None, 0)


def test_what_a_late_event_explains_is_withdrawn() -> None:
    # given a card that goes back into the deck and is dealt again, and the word of its going back does not come
    scene = Scene().start().blinds().deal({1: "As Kd", 3: "Qc Jc"}).back("As", origin="seat", seat=1)
    scene.limp().burn().board("As", "7d", "9h").checks_around().win(scene.order[0])
    events = [event for event in scene.script() if not isinstance(event, bytes)]
    (late,) = [event for event in events if event.type == "card_returned"]
    core = Audit(keep_events=True)
    for event in events[:-2]:
        if event is not late:
            core.take(Record(dump(event), "t", 0, event.seq))
    for now in (0.0, LONGEST_WAIT):
        core.expire_gaps(now)
    (twice,) = [finding for finding in core.drain().findings.values() if finding.rule == "DCK101"]
    # when it comes, before the hand is over
    core.take(Record(dump(late), "t", 0, 1_000))
    out = core.drain()
    # then it is stored as late and flagged, and what it explains is withdrawn, under the id that it had
    assert [row[6] for row in out.events] == ["late"]
    assert "FEED103" in rules(out.findings.values())
    withdrawn = out.findings[twice.finding_id]
    assert (withdrawn.handled, withdrawn.confidence, withdrawn.degraded) == ("not_applicable", "possible", True)
    assert withdrawn.message == f"{twice.message} Withdrawn: event 11, which came late, shows that it was not so."


def test_a_late_event_of_a_hand_that_is_over_is_only_stored_and_flagged() -> None:
    events = flagged_hand()
    core = Audit(keep_events=True)
    for event in events:
        if event.seq != 9:
            core.take(Record(dump(event), "t", 0, event.seq))
    core.finish()
    core.drain()
    core.take(Record(dump(events[8]), "t", 0, 1_000))
    out = core.drain()
    assert rules(out.findings.values()) == ["FEED103"]
    assert out.tables["T1"].late == ()


def test_a_record_under_another_key_than_its_table_goes_to_quarantine() -> None:
    # given two events on their way by a wrong key and by none, and one by its own
    first, second, third, *_ = hand()
    core = Audit(keep_events=True)
    core.take(Record(dump(first), "t", 0, 0, key=b"T1"))
    core.take(Record(dump(second), "t", 0, 1, key=b"T2", headers=(("trace", b"x"),), stamp=1_767_225_600_000))
    core.take(Record(dump(third), "t", 0, 2, key=b""))
    # then the others are kept aside with all that is known of them
    wrong, without = core.drain().rejects
    assert wrong.reason == "it is of table T1, and its key in Kafka is 'T2'"
    assert (wrong.key, wrong.headers, wrong.at) == (b"T2", (("trace", b"x"),), datetime(2026, 1, 1, tzinfo=UTC))
    assert without.reason == "it is of table T1, and its key in Kafka is missing"


def test_the_source_that_has_run_ahead_is_told_until_the_other_has_come_as_far() -> None:
    # given a table of which all dealing events come before the first bet
    scene = Scene().opened().walk()
    for button in range(30):
        scene.start(button=(1, 2, 3)[button % 3]).blinds().deal().walk()
    events = [event for event in scene.script() if not isinstance(event, bytes)]
    core = Audit()
    dealt = [event for event in events if topic_of(event) == "poker.dealing"]
    for event in dealt[:90]:
        core.take(Record(dump(event), "dealing", 0, event.seq))
    assert core.ahead == {("dealing", 0)}
    # when the bets come
    for event in events:
        if topic_of(event) == "poker.betting":
            core.take(Record(dump(event), "betting", 0, event.seq))
    # then it is betting that has run ahead, of what else is dealt
    assert core.ahead == {("betting", 0)}
    for event in dealt[90:]:
        core.take(Record(dump(event), "dealing", 0, event.seq))
    assert core.ahead == set()
