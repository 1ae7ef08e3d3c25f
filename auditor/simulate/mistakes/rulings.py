"""Wrong rulings: misdeals declared or refused, refunds that are wrong, redeals that are not whole."""

from __future__ import annotations

from random import Random

from auditor.events import ChipsReturned, DeckCut, DeckShuffled, HandEnded, PlayerActed, PotAwarded
from auditor.simulate.beat import Script, Sequel, wagered
from auditor.simulate.mistakes.button import plan_wrong_button, wrong_button
from auditor.simulate.mistakes.chips import shrink_pot
from auditor.simulate.mistakes.deal import cards_in_wrong_order, dealt
from auditor.simulate.mistakes.deck import void_duplicate
from auditor.simulate.mistakes.floor import WINDOW, announced, declare_misdeal, put, ruled
from auditor.simulate.plan import HandPlan, clockwise
from auditor.simulate.truth import Fault


def improper_misdeal(script: Script, rng: Random) -> list[Fault]:
    """RUL101: declared when action has occurred, with ground or without, or in time and with no ground at all."""
    late = [index for index in script.actions[WINDOW - 1 :] if index < script.end_of_play]
    if not late or rng.random() < 0.34:
        ruling = declare_misdeal(script, script.after_deal, rng, "DEAL106")
        return [Fault("RUL101", ruling, "a misdeal was declared with no ground")]
    faults = []
    index = rng.choice(late) + 1
    if rng.random() < 0.5:
        ground = cards_in_wrong_order(script, rng)
        ground.prescribed, ground.handled = "play_on", "contrary"
        faults.append(ground)
    ruling = declare_misdeal(script, index, rng, "DEAL106")
    return [*faults, Fault("RUL101", ruling, "a misdeal was declared after action had occurred", prescribed="play_on")]


def plan_refusal(plan: HandPlan, rng: Random) -> bool:
    """The ground will be the button's place, now and then."""
    if rng.random() < 0.3:
        plan_wrong_button(plan, rng)
    return True


def refuse_misdeal(script: Script, rng: Random) -> list[Fault]:
    """RUL102: there is ground for a misdeal, attention is called in time, and the hand is played on."""
    if script.plan.button_settled and script.plan.button != script.plan.right_button:
        (ground,) = wrong_button(script, rng)
    else:
        ground = cards_in_wrong_order(script, rng)
    ground.prescribed, ground.handled = "misdeal", "contrary"
    words = [announced(script, rng, ground.rule)]
    if rng.random() < 0.5:
        words.append(ruled(script, "play_on"))
    index = script.after_deal
    if len(script.actions) >= WINDOW and rng.random() < 0.4:
        index = script.actions[0] + 1
    script.beats[index:index] = words
    proof = script.beats[script.first_of(HandEnded)]
    return [ground, Fault("RUL102", proof, "a misdeal was refused", ground.seats, prescribed="misdeal")]


def refund_wrongly(script: Script, rng: Random) -> list[Fault]:
    """RUL104: all action is void, and two seats get back what they did not wager."""
    faults = void_duplicate(script, rng)
    back = [script.beats[i] for i in script.all_of(ChipsReturned) if script.beats[i].fields["reason"] == "void"]
    if not faults or len(back) < 2:
        return []
    less, more = rng.sample(back, 2)
    chips = rng.randint(1, less.amount)
    less.fields["amount"] -= chips
    more.fields["amount"] += chips
    faults[0].handled = "contrary"
    proof = script.beats[script.first_of(HandEnded)]
    what = f"seat {more.seat} got {chips} chips back that were those of seat {less.seat}"
    return [*faults, Fault("RUL104", proof, what, (less.seat, more.seat), prescribed="void_action")]


def redeal_badly(script: Script, rng: Random) -> list[Fault]:
    """RUL110: behind a misdeal, the deck is not shuffled or not cut, or the button moves."""
    ground = cards_in_wrong_order(script, rng)
    ground.prescribed, ground.handled = "misdeal", "as_prescribed"
    declare_misdeal(script, script.after_deal, rng, "DEAL106")
    script.redeal = rng.choice((_unshuffled(DeckShuffled), _unshuffled(DeckCut), _MOVED_BUTTON))
    return [ground]


def _unshuffled(left_out: type[DeckShuffled] | type[DeckCut]) -> Sequel:
    def make(redeal: Script) -> list[Fault]:
        del redeal.beats[redeal.first_of(left_out)]
        proof = redeal.beats[redeal.start]
        done = "shuffled" if left_out is DeckShuffled else "cut"
        return [Fault("RUL110", proof, f"for the redeal the deck was not {done}", prescribed="misdeal")]

    return Sequel(make=make)


def _move_button(plan: HandPlan) -> None:
    if plan.button_settled:
        plan.button = clockwise(plan.entitled, plan.right_button)[0]


def _moved(redeal: Script) -> list[Fault]:
    plan = redeal.plan
    if plan.button == plan.right_button:
        return []
    proof = redeal.beats[redeal.start]
    what = f"for the redeal the button moved to seat {plan.button}"
    return [
        Fault("BTN101", proof, what, (plan.button,)),
        Fault("RUL110", proof, what, (plan.button,), prescribed="misdeal"),
    ]


_MOVED_BUTTON = Sequel(make=_moved, plan=_move_button)


def plan_fouled_blind(plan: HandPlan, _rng: Random) -> bool:
    """The first player will have three cards, and gives the hand up."""
    plan.must_fold.add(plan.dealt[0])
    return True


def refund_fouled(script: Script, rng: Random) -> list[Fault]:
    """RUL111: the hand is played to its end, and the player whose hand was fouled gets the chips back."""
    seat = script.plan.dealt[0]
    chips = wagered(script.beats)[seat]
    all_in = any(script.beats[i].fields["all_in"] for i in script.actions)
    if not chips or all_in or len(script.actions) < WINDOW or len(script.all_of(PotAwarded)) != 1:
        return []
    folded = {script.beats[i].seat for i in script.all_of(PlayerActed) if script.beats[i].fields["action"] == "fold"}
    if seat not in folded:
        return []
    card = script.spare_card()
    extra = dealt(script, seat, card)
    index = script.after_deal
    script.beats[index:index] = [extra]
    shrink_pot(script, chips)
    # Before the award, chips that go back as of a void hand would make it look void.
    reason = rng.choice(("correction", "void"))
    back = script.beat(ChipsReturned, 5.0, seat=seat, amount=chips, reason=reason)
    put(script, script.beats[script.end_of_play if reason == "correction" else script.first_of(HandEnded)], back)
    cause = Fault("DEAL111", extra, "one extra card was dealt", (seat,), (card.face,), prescribed="use_as_burn")
    proof = script.beats[script.first_of(HandEnded)]
    what = f"seat {seat}, whose hand was fouled, got {chips} chips back"
    return [cause, Fault("RUL111", proof, what, (seat,), prescribed="play_on")]
