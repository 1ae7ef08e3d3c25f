"""A mistake of the button: it is put on the wrong seat."""

from __future__ import annotations

from random import Random

from auditor.events import HandStarted
from auditor.simulate.beat import Script
from auditor.simulate.plan import HandPlan
from auditor.simulate.truth import Fault


def plan_wrong_button(plan: HandPlan, rng: Random) -> bool:
    """The button goes to another entitled seat, and blinds and deal follow it. The next hand puts it right."""
    if not plan.button_settled:
        return False
    plan.button = rng.choice([seat for seat in plan.entitled if seat != plan.right_button])
    return True


def wrong_button(script: Script, _rng: Random) -> list[Fault]:
    """BTN101: the button is on another seat than the next entitled one."""
    plan = script.plan
    what = f"the button was on seat {plan.button} and belonged on seat {plan.right_button}"
    proof = script.beats[script.first_of(HandStarted)]
    return [Fault("BTN101", proof, what, seats=(plan.button,), prescribed="correct_button_next_hand")]
