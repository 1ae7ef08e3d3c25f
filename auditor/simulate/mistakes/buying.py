"""Mistakes with chips between hands: short buy-ins, chips that come or go unseen; and add-ons within a hand."""

from __future__ import annotations

from random import Random

from auditor.events import ChipsBought, ChipsCashed, PlayerLeft, PlayerSeated
from auditor.simulate.beat import Beat, Script, Sequel, won_and_lost
from auditor.simulate.plan import HandPlan
from auditor.simulate.truth import Fault


def _stack_after(script: Script, seat: int) -> int:
    """What a seat has in front of it when all of the script has happened."""
    return script.plan.holder(seat).stack + won_and_lost(script.beats)[seat]


def _short(script: Script, rng: Random) -> int:
    """A buy-in of less than a full one, in whole big blinds."""
    setting = script.plan.setting
    full = setting.full_buy_in // setting.big_blind
    return rng.randint(full // 2 + 2, full - 1) * setting.big_blind


def replace_player(script: Script, seat: int, amount: int) -> Beat:
    """Behind the hand, the player of a seat leaves with all chips, and a newcomer buys in. Returns the purchase."""
    _cash(script, seat)
    script.say(PlayerLeft, 4.0, seat=seat)
    script.say(PlayerSeated, 8.0, seat=seat, player_id=script.plan.newcomer)
    script.newcomer = seat
    return script.say(ChipsBought, 5.0, seat=seat, kind="buy_in", amount=amount)


def _cash(script: Script, seat: int) -> None:
    chips = _stack_after(script, seat)
    if chips:
        script.say(ChipsCashed, 6.0, seat=seat, amount=chips)


def buy_in_short(script: Script, rng: Random) -> list[Fault]:
    """BUY101: a new player buys in for less than the full amount."""
    amount = _short(script, rng)
    seat = rng.choice(script.plan.dealt)
    proof = replace_player(script, seat, amount)
    return [Fault("BUY101", proof, f"seat {seat} bought in for {amount}", (seat,))]


def buy_in_short_again(script: Script, rng: Random) -> list[Fault]:
    """BUY102: a new player buys in short, plays a hand, takes the chips off the table and buys in short again."""
    if not script.plan.hands_left:
        return []
    faults = buy_in_short(script, rng)
    (seat,) = faults[0].seats
    player = script.plan.newcomer

    def again(following: Script) -> list[Fault]:
        plan = following.plan
        holders = {h.seat: h.player_id for h in plan.holders}
        if holders.get(seat) != player or seat not in plan.dealt:
            return []
        _cash(following, seat)
        amount = _short(following, rng)
        proof = following.say(ChipsBought, 5.0, seat=seat, kind="buy_in", amount=amount)
        return [Fault("BUY102", proof, f"seat {seat} bought in short once more, for {amount}", (seat,))]

    script.sequel = Sequel(make=again)
    return faults


def add_on_during_hand(script: Script, rng: Random) -> list[Fault]:
    """BUY103: a player who is dealt in adds chips before the hand is over. They are not played in it."""
    all_in = {script.beats[i].seat for i in script.actions if script.beats[i].fields["all_in"]}
    seats = [seat for seat in script.plan.dealt if seat not in all_in]
    if not seats:
        return []
    seat = rng.choice(seats)
    amount = rng.randint(1, 50) * script.plan.setting.big_blind
    proof = script.beat(ChipsBought, 5.0, seat=seat, kind="add_on", amount=amount)
    index = rng.randint(script.after_deal, script.end_of_play)
    script.beats[index:index] = [proof]
    return [Fault("BUY103", proof, f"seat {seat} added {amount} chips during the hand", (seat,))]


def plan_chips_added(plan: HandPlan, rng: Random) -> bool:
    """A seat starts the hand with more than it should have."""
    return _move_chips(plan, rng, rng.randint(1, 40) * plan.setting.small_blind)


def plan_chips_removed(plan: HandPlan, rng: Random) -> bool:
    """A seat starts the hand with less than it should have."""
    return _move_chips(plan, rng, -rng.randint(1, 40) * plan.setting.small_blind)


def _move_chips(plan: HandPlan, rng: Random, chips: int) -> bool:
    least = plan.setting.least_stack
    fitting = [h for h in plan.holders if h.entitled and h.player_id in plan.counted and h.stack + chips >= least]
    if not fitting:
        return False
    chosen = rng.choice(fitting)
    plan.holders = tuple(h._replace(stack=h.stack + chips) if h is chosen else h for h in plan.holders)
    plan.moved = (chosen.seat, chips)
    return True


def chips_moved(script: Script, _rng: Random) -> list[Fault]:
    """BUY104 and BUY105: a stack is not what the last hand and the purchases since make it."""
    seat, chips = script.plan.moved
    script.chips_moved[seat] = chips
    proof = script.beats[script.start]
    if chips > 0:
        return [Fault("BUY104", proof, f"seat {seat} has {chips} chips from nowhere", (seat,))]
    return [Fault("BUY105", proof, f"{-chips} chips of seat {seat} are gone", (seat,))]
