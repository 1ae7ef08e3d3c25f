"""Mistakes of the betting and the pot."""

from __future__ import annotations

from itertools import takewhile
from random import Random

from auditor.events import CardBurned, ChipsReturned, HandEnded, PlayerActed, PotAwarded, RakeTaken
from auditor.simulate.beat import Beat, RaiseMade, Script
from auditor.simulate.mistakes.board import streets
from auditor.simulate.mistakes.floor import put
from auditor.simulate.truth import Fault

_PASSIVE = ("check", "call")
_ALL_IN = "is all-in"


def act_out_of_turn(script: Script, rng: Random) -> list[Fault]:
    """BET101: a player checks or calls before the one whose turn it is, who then acts too. No chip changes."""
    pairs = [i for i in script.actions[:-1] if _can_swap(script.beats[i], script.beats[i + 1])]
    if not pairs:
        return []
    index = rng.choice(pairs)
    beats = script.beats
    beats[index], beats[index + 1] = beats[index + 1], beats[index]
    proof, passed = beats[index], beats[index + 1]
    return [Fault("BET101", proof, f"seat {proof.seat} acted when it was seat {passed.seat}'s turn", (proof.seat,))]


def _can_swap(first: Beat, second: Beat) -> bool:
    return (
        second.model is PlayerActed
        and first.fields["action"] in (*_PASSIVE, "fold")
        and second.fields["action"] in _PASSIVE
    )


def act_without_cards(script: Script, rng: Random) -> list[Fault]:
    """BET102: a seat with nothing to act on acts: it has folded, is all-in, or was not dealt in."""
    out = {holder.seat: "was not dealt in" for holder in script.plan.holders if not holder.entitled}
    places: list[tuple[Beat, int, str, str]] = []  # before this beat, this seat, though it …, does this
    free_to_check = {id(street.after[0]) for street in streets(script) if street.after}
    for index in script.actions:
        beat = script.beats[index]
        action = "check" if id(beat) in free_to_check else "fold"
        # An all-in player cannot fold a hand that plays for the pot.
        places += [(beat, seat, why, action) for seat, why in out.items() if why != _ALL_IN or action == "check"]
        if beat.fields["action"] == "fold":
            out[beat.seat] = "has folded"
        elif beat.fields["all_in"]:
            out[beat.seat] = _ALL_IN
    if not places:
        return []
    before, seat, why, action = rng.choice(places)
    proof = script.beat(PlayerActed, 1.0, seat=seat, action=action, amount=0)
    put(script, before, proof)
    return [Fault("BET102", proof, f"seat {seat} acted and {why}", (seat,))]


def raise_too_little(script: Script, rng: Random) -> list[Fault]:
    """BET105: a raise below the least one. What calls it, and what it wins, shrinks with it."""
    if len(script.all_of(PotAwarded)) != 1 or any(script.beats[i].fields["all_in"] for i in script.actions):
        return []
    fitting = [made for made in script.raises if _can_shrink(script, made)]
    if not fitting:
        return []
    made = rng.choice(fitting)
    step = made.least - made.high
    raised_by = rng.randint(1, step - 1)
    cut = made.to - made.high - raised_by
    replies = answers(script, made)
    made.beat.fields["amount"] -= cut
    for call in replies:
        call.fields["amount"] -= cut
    if replies:
        shrink_pot(script, cut * (1 + len(replies)))
    else:
        script.beats[script.first_of(ChipsReturned)].fields["amount"] -= cut
    seat = made.beat.seat
    return [Fault("BET105", made.beat, f"seat {seat} raised by {raised_by}, less than {step}", (seat,))]


def answers(script: Script, made: RaiseMade) -> list[Beat]:
    """Who put chips in behind a raise, on its street."""
    rest = script.beats[script.beats.index(made.beat) + 1 :]
    street = takewhile(lambda beat: beat.model is not CardBurned, rest)
    return [beat for beat in street if beat.model is PlayerActed and beat.amount]


def _can_shrink(script: Script, made: RaiseMade) -> bool:
    """Nobody raised it again. In pot-limit a bet behind it may be as large as the pot was, so there all must fold."""
    replies = answers(script, made)
    called = all(beat.fields["action"] == "call" for beat in replies)
    return called and (not replies or script.plan.setting.betting != "pot_limit")


def shrink_pot(script: Script, chips: int) -> None:
    """The one pot has so many chips less, and the rake is that of what is left."""
    setting = script.plan.setting
    award = script.beats[script.first_of(PotAwarded)]
    taken = [script.beats[i] for i in script.all_of(RakeTaken)]
    pot = award.amount + sum(beat.amount for beat in taken) - chips
    for beat in taken:
        beat.fields["amount"] = setting.rake(pot)
    award.fields["amount"] = pot - sum(beat.amount for beat in taken)


def award_too_little(script: Script, rng: Random) -> list[Fault]:
    """POT101: some chips of the pot reach nobody."""
    award = script.beats[rng.choice(script.all_of(PotAwarded))]
    if award.amount < 2:
        return []
    short = rng.randint(1, min(award.amount - 1, script.plan.setting.big_blind))
    award.fields["amount"] -= short
    proof = script.beats[script.first_of(HandEnded)]
    return [Fault("POT101", proof, f"{short} chips of the pot went nowhere", (award.seat,))]
