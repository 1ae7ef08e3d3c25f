"""What the table did about a late complaint and a wrong button, and what it remembers from hand to hand."""

from __future__ import annotations

import pytest

from auditor import Audit, Finding, audit
from auditor.events import DeckCut, DeckShuffled, Event
from auditor.intake import Record
from auditor.rules.registry import RULES
from auditor.rules.rule import Example
from auditor.rules.scene import Scene
from auditor.wire import dump


def found(scene: Scene) -> dict[str, Finding]:
    return {finding.rule: finding for finding in audit(scene.script())}


def complained() -> Scene:
    """A player-dealt hand; seat 1 complains of the shuffle when two players have acted."""
    scene = Scene().add(DeckShuffled, hand_id=None, by="player", seat=1, riffles=4)
    scene.add(DeckCut, hand_id=None, by="player", seat=2, packets=(26, 26)).opened(dealer_seat=3)
    return scene.call(3, 1).announce(seat=1, rule="SHF103")


def test_a_late_complaint_is_refused() -> None:
    finding = found(complained().check(2).flop().checks_around().win(1))["SHF108"]
    assert (finding.prescribed, finding.handled) == ("action_stands", "as_prescribed")


def test_a_late_complaint_is_given_in_to() -> None:
    finding = found(complained().rule("void_action").refund().end())["SHF108"]
    assert (finding.prescribed, finding.handled) == ("action_stands", "contrary")


def test_a_button_that_is_not_corrected_belongs_to_the_wrong_button() -> None:
    # given a button that skipped seat 2, attention called to it, and a next hand that goes on from the wrong seat
    scene = Scene(4).start(button=1).blinds().deal().walk().start(button=3).blinds().deal()
    scene.fold(2, 3).announce(rule="BTN101").fold(4).win(1).opened(button=4).walk()
    findings = found(scene)
    # then the wrong button was handled contrary, and what this hand does wrong is its consequence
    assert findings["BTN101"].handled == "contrary"
    assert findings["BTN102"].incident == findings["BTN101"].finding_id


def test_a_blind_on_a_wrong_seat_moves_no_button() -> None:
    # given a dead-button house, and a small blind that was posted by the wrong seat
    scene = Scene(4, house={"button_rule": "dead"}).start(button=4).blinds().deal().walk().start(button=1)
    scene.post(4, "small_blind", 50).post(3, "big_blind", 100).deal().fold(4, 1, 2).win(3)
    # when the next hand's button is where the right seat's small blind would have been
    scene.opened(button=2).walk()
    # then one error is one finding
    assert [finding.rule for finding in audit(scene.script())] == ["BTN103"]


_REMEMBERING = ("BUY", "SHF", "BTN", "FEED104", "DCK109", "DCK111")
CASES = [
    pytest.param(example, id=f"{rule.code}-{example.title}")
    for rule in RULES.values()
    if rule.code.startswith(_REMEMBERING)
    for example in rule.examples()
]


@pytest.mark.parametrize("example", CASES)
def test_a_restart_between_any_two_events_changes_nothing(example: Example) -> None:
    events = [event for event in example.events if not isinstance(event, bytes)]
    whole = run(events, len(events))
    for cut in range(1, len(events), 3):
        assert run(events, cut) == whole


def run(events: list[Event], cut: int) -> dict[str, Finding]:
    """Audit them, and after so many of them stop and go on from what a store holds."""
    first = Audit(keep_events=True)
    for number, event in enumerate(events[:cut]):
        first.take(Record(dump(event), "t", 0, number))
    outcomes = first.drain()
    findings = dict(outcomes.findings)
    (table,) = outcomes.tables.values()
    second = Audit(keep_events=True)
    kept = sorted((row[1], row[-1].encode()) for row in outcomes.events)
    second.restore(table, [raw for seq, raw in kept if seq > table.boundary_seq])
    for number, event in enumerate(events[cut:], cut):
        second.take(Record(dump(event), "t", 0, number))
    second.finish()
    return {**findings, **second.drain().findings}
