"""One cause is one incident: what follows from it, or is the other half of it, names it."""

from __future__ import annotations

from auditor import Finding, audit
from auditor.events import CardDealt, HandEnded, Totals
from auditor.rules.scene import Scene


def found(scene: Scene) -> dict[str, Finding]:
    return {finding.rule: finding for finding in audit(scene.script())}


def next_hand(scene: Scene, changes: dict[int, int]) -> Scene:
    for seat, chips in changes.items():
        scene.stacks[seat] += chips
    return scene.opened(button=1).walk()


def test_chips_that_went_from_one_stack_to_another() -> None:
    findings = found(next_hand(Scene().opened().walk(), {1: 500, 2: -500}))
    assert findings["BUY104"].incident == findings["BUY105"].finding_id


def test_one_stack_fell_and_another_grew_by_something_else() -> None:
    findings = found(next_hand(Scene().opened().walk(), {1: 500, 2: -300}))
    assert {f.incident for f in findings.values()} == {f.finding_id for f in findings.values()}


def test_totals_that_differ_because_the_chips_do_not_add_up() -> None:
    scene = Scene().opened().limp().flop().checks_around().award(1, 250)
    findings = found(scene.add(HandEnded, reported=Totals(pot=250)))
    assert findings["POT109"].incident == findings["POT101"].finding_id


def test_two_cards_where_a_cross_read_was_thought_of_first() -> None:
    scene = Scene().start().blinds()
    for card, seat in (("As", 1), ("As", 2), ("Kd", 3)):
        scene.add(CardDealt, seat=seat, card=card, read_at="seat")
    scene.card(1).card(2).card(3).limp().burn().board("As", "7c", "2d").rule("void_action").refund().end()
    findings = found(scene)
    assert findings["DCK101"].incident == findings["DCK113"].finding_id
    assert findings["DCK101"].handled == "as_prescribed"


def test_nothing_of_a_cancelled_hand_is_left_open() -> None:
    scene = Scene().opened().limp().flop().check(1, 2).premature("As").announce()
    findings = found(scene.add(HandEnded, cancelled=True))
    assert findings["BRD101"].handled == "not_applicable"
