"""Mistakes of the button and the blinds: on the wrong seat, not put right, not posted, posted wrongly."""

from __future__ import annotations

from random import Random

from auditor.events import ForcedBetPosted, HandStarted
from auditor.simulate.beat import Script, Sequel
from auditor.simulate.mistakes.floor import WINDOW, announced
from auditor.simulate.plan import HandPlan, clockwise
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


def leave_button_wrong(script: Script, rng: Random) -> list[Fault]:
    """BTN102: attention is called to a wrong button, and the next hand goes on from it."""
    late = [index for index in script.actions[WINDOW - 1 :] if index < script.end_of_play]
    plan = script.plan
    if not late or not plan.hands_left:
        return []
    wrong, right = plan.button, plan.right_button
    index = rng.choice(late) + 1
    script.beats[index:index] = [announced(script, rng, "BTN101")]

    def go_on(following: HandPlan) -> None:
        seats = following.entitled
        button = clockwise(seats, wrong)[0]
        if button not in (right, clockwise(seats, right)[0]) and set(seats) == set(plan.entitled):
            following.button = following.right_button = button

    def judged(following: Script) -> list[Fault]:
        button = following.plan.button
        if button == clockwise(following.plan.entitled, right)[0]:
            return []
        proof = following.beats[following.start]
        what = f"the button went on from seat {wrong} to seat {button}, though all knew that it was wrong"
        return [Fault("BTN102", proof, what, (button, right))]

    script.sequel = Sequel(make=judged, plan=go_on)
    return wrong_button(script, rng)


def plan_blind_of_another(plan: HandPlan, _rng: Random) -> bool:
    """The small blind is posted by the seat behind the big blind."""
    if len(plan.dealt) < 3 or plan.setting.straddle_rate:
        return False
    _, big = plan.blinds
    plan.posts = ((plan.dealt[2], plan.setting.small_blind), (big, plan.setting.big_blind))
    return True


def plan_no_small_blind(plan: HandPlan, _rng: Random) -> bool:
    """The small blind is not posted."""
    plan.posts = (None, (plan.blinds[1], plan.setting.big_blind))
    return True


def plan_wrong_amount(plan: HandPlan, rng: Random) -> bool:
    """The small blind is half, or half as much again."""
    small, big = plan.blinds
    amount = plan.setting.small_blind // 2 * rng.choice((1, 3))
    if amount in (plan.setting.small_blind, plan.setting.big_blind):
        return False
    plan.posts = ((small, amount), (big, plan.setting.big_blind))
    return True


def blind_of_another(script: Script, _rng: Random) -> list[Fault]:
    """BTN103: a seat posts the small blind that does not owe it."""
    right, _ = script.plan.blinds
    proof = script.beats[_small_blind(script)]
    return [Fault("BTN103", proof, f"seat {proof.seat} posted the small blind of seat {right}", (proof.seat, right))]


def no_small_blind(script: Script, _rng: Random) -> list[Fault]:
    """BTN104: the small blind is missing."""
    seat, _ = script.plan.blinds
    proof = script.beats[script.actions[0]]
    return [Fault("BTN104", proof, f"seat {seat} did not post the small blind", (seat,))]


def wrong_amount(script: Script, _rng: Random) -> list[Fault]:
    """BTN105: the small blind is of another amount."""
    proof = script.beats[_small_blind(script)]
    return [Fault("BTN105", proof, f"seat {proof.seat} posted {proof.amount} as the small blind", (proof.seat,))]


def _small_blind(script: Script) -> int:
    posts = script.all_of(ForcedBetPosted)
    return next(i for i in posts if script.beats[i].fields["kind"] == "small_blind")
