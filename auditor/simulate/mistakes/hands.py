"""Mistakes with hands that are dead: thrown away, timed out, fouled, killed, given back, played all the same."""

from __future__ import annotations

from random import Random

from auditor.events import (
    CardDealt,
    CardReturned,
    CardsReleased,
    CardsRetrieved,
    CardsShown,
    ClockCalled,
    ClockExpired,
    PlayerActed,
    PotAwarded,
)
from auditor.simulate.beat import Beat, Script
from auditor.simulate.mistakes.deal import dealt, turn_into
from auditor.simulate.mistakes.floor import WINDOW, behind, put, ruled
from auditor.simulate.plan import HandPlan
from auditor.simulate.truth import Fault


def acts(script: Script) -> list[Beat]:
    return [script.beats[i] for i in script.actions]


def folds(script: Script) -> list[Beat]:
    """Folds that others act behind: the hand goes on when the player is gone."""
    beats = script.beats
    found = [i for i in script.actions if beats[i].fields["action"] == "fold"]
    return [beats[i] for i in found if beats[i + 1].model is PlayerActed]


def winners(script: Script) -> set[int]:
    return {script.beats[i].seat for i in script.all_of(PotAwarded)}


def gave_up(script: Script) -> set[int]:
    """Seats that folded."""
    return {beat.seat for beat in acts(script) if beat.fields["action"] == "fold"}


def in_place_of(script: Script, old: Beat, *beats: Beat) -> None:
    put(script, old, *beats)
    script.beats.remove(old)


def throw_forward(script: Script, rng: Random) -> list[Fault]:
    """HND102: a player who could check throws the hand away without a word, and a player behind acts on it."""
    fitting = [beat for beat in acts(script) if beat.fields["action"] == "check" and _can_leave(script, beat)]
    if not fitting:
        return []
    check = rng.choice(fitting)
    seat, index = check.seat, script.beats.index(check)
    thrown = script.beat(CardsReleased, 2.0, seat=seat, manner="forward_motion")
    script.beats[index:] = [thrown, *(b for b in script.beats[index + 1 :] if b.fields.get("seat") != seat)]
    proof = next(beat for beat in script.beats[index:] if beat.model is PlayerActed)
    what = f"seat {seat} threw its cards forward, and seat {proof.seat} acted behind it"
    return [Fault("HND102", proof, what, (seat,), prescribed="hand_dead")]


def _can_leave(script: Script, check: Beat) -> bool:
    """Somebody acts right behind; the player puts no chip in any more, and two others stay for as long as he did."""
    beats, seat = script.beats, check.seat
    index = beats.index(check)
    last = max(i for i, beat in enumerate(beats) if beat.fields.get("seat") == seat)
    gone = {b.seat for b in beats[:last] if b.model is PlayerActed and b.fields["action"] == "fold"}
    stay = set(script.plan.dealt) - gone - {seat}
    paid = any(b.fields.get("seat") == seat and b.amount for b in beats[index:])
    return beats[index + 1].model is PlayerActed and len(stay) > 1 and not paid and seat not in winners(script)


def _clock(script: Script, seat: int) -> tuple[Beat, Beat]:
    called = script.beat(ClockCalled, 30.0, seat=seat, seconds=60)
    return called, script.beat(ClockExpired, 60.0, seat=seat)


def _timed_out(proof: Beat) -> Fault:
    what = f"the clock ran out on seat {proof.seat}, which faced a bet"
    return Fault("HND106", proof, what, (proof.seat,), prescribed="hand_dead")


def run_out_of_time(script: Script, rng: Random) -> list[Fault]:
    """HND106: the clock runs out on a player who faces a bet: the hand is taken in."""
    fitting = folds(script)
    if not fitting:
        return []
    fold = rng.choice(fitting)
    called, expired = _clock(script, fold.seat)
    words = [ruled(script, "hand_dead", seat=fold.seat)] if rng.random() < 0.5 else []
    in_place_of(script, fold, called, expired, *words)
    return [_timed_out(expired)]


def let_dead_hand_live(script: Script, rng: Random) -> list[Fault]:
    """RUL107: the clock had run out on a player who faced a bet, and the floor lets the hand play."""
    fitting = folds(script)
    if not fitting:
        return []
    fold = rng.choice(fitting)
    called, expired = _clock(script, fold.seat)
    ruling = ruled(script, "play_on", seat=fold.seat)
    put(script, fold, called, expired, ruling)
    what = f"the dead hand of seat {fold.seat} was ruled live"
    return [_timed_out(expired), Fault("RUL107", ruling, what, (fold.seat,), prescribed="hand_dead")]


def play_dead_hand(script: Script, rng: Random) -> list[Fault]:
    """HND108: the clock had run out on a player who faced a bet, and he calls all the same. He wins nothing."""
    losers = gave_up(script)
    fitting = [beat for beat in acts(script) if beat.fields["action"] == "call" and beat.seat in losers]
    if not fitting:
        return []
    call = rng.choice(fitting)
    called, expired = _clock(script, call.seat)
    put(script, call, called, expired)
    what = f"the dead hand of seat {call.seat} acted"
    return [_timed_out(expired), Fault("HND108", call, what, (call.seat,), prescribed="hand_dead")]


def throw_into_hand(script: Script, rng: Random) -> list[Fault]:
    """HND107: a player who gives up throws the cards into another player's hand."""
    fitting = folds(script)
    if not fitting:
        return []
    fold = rng.choice(fitting)
    before = script.beats[: script.beats.index(fold)]
    gone = {b.seat for b in before if b.model is PlayerActed and b.fields["action"] == "fold"}
    other = rng.choice([seat for seat in script.plan.dealt if seat not in gone and seat != fold.seat])
    thrown = script.beat(CardsReleased, 2.0, seat=fold.seat, manner="into_other_hand", into_seat=other)
    if rng.random() < 0.5:
        in_place_of(script, fold, thrown)
    else:
        behind(script, fold, thrown)
    what = f"seat {fold.seat} threw its cards into the hand of seat {other}"
    return [Fault("HND107", thrown, what, (fold.seat, other), prescribed="hand_dead")]


def retrieve_without_cause(script: Script, rng: Random) -> list[Fault]:
    """HND109: a player who folded takes the cards back for no good reason, and folds again."""
    fitting = folds(script)
    if not fitting:
        return []
    fold = rng.choice(fitting)
    back = script.beat(CardsRetrieved, 3.0, seat=fold.seat, by=rng.choice(("dealer", "player", "floor")))
    again = fold.copy()
    behind(script, fold, back, again)
    what = f"seat {fold.seat} got its folded cards back for no good reason"
    return [Fault("HND109", back, what, (fold.seat,), prescribed="hand_dead")]


def redress_unprotected(script: Script, rng: Random) -> list[Fault]:
    """HND110: the dealer takes in a hand that nobody protected, and it is given back."""
    fitting = folds(script)
    if not fitting:
        return []
    fold = rng.choice(fitting)
    killed = script.beat(CardsReleased, 2.0, seat=fold.seat, manner="killed_by_dealer", protected=False)
    back = script.beat(CardsRetrieved, 10.0, seat=fold.seat, by="floor", reason="interest_of_game")
    put(script, fold, killed, back)
    what = f"the hand of seat {fold.seat}, killed by the dealer, was given back"
    return [Fault("HND110", back, what, (fold.seat,), prescribed="hand_dead")]


def refuse_dropped_card(script: Script, rng: Random) -> list[Fault]:
    """HND111: a card that a player dropped is replaced, or the hand is ruled dead for it."""
    if rng.random() < 0.5 and (fitting := folds(script)):
        fold = rng.choice(fitting)
        card = rng.choice(script.holes[fold.seat])
        proof = ruled(script, "hand_dead", seat=fold.seat)
        dropped = script.beat(CardsReleased, 1.0, (card,), seat=fold.seat, manner="dropped", cards=(card.seen,))
        in_place_of(script, fold, dropped, proof)
        what = f"the hand of seat {fold.seat} was ruled dead for a card that it dropped"
        return [Fault("HND111", proof, what, (fold.seat,), (card.face,), prescribed="card_stands")]
    first = rng.choice(acts(script))
    beat = rng.choice([script.beats[i] for i in script.deal if script.beats[i].seat == first.seat])
    seat, kept, gone = beat.seat, beat.cards[0], script.spare_card()
    # The hand is to be played as it was: so its card is the replacement, and one from the bottom was dropped.
    turn_into(beat, gone)
    beat.fields["exposed_by"] = None
    dropped = script.beat(CardsReleased, 1.0, (gone,), seat=seat, manner="dropped", cards=(gone.seen,))
    back = script.beat(CardReturned, 4.0, (gone,), **{"from": "seat"}, seat=seat, card=gone.face, to="muck")
    proof = dealt(script, seat, kept, replaces=gone.face)
    index = script.after_deal
    script.beats[index:index] = [dropped, back, proof]
    what = f"a card that seat {seat} dropped was replaced"
    return [Fault("HND111", proof, what, (seat,), (gone.face,), prescribed="card_stands")]


def plan_wrong_number(plan: HandPlan, _rng: Random) -> bool:
    """Heads-up a hand with a card too few would be the winner's too often."""
    return len(plan.dealt) > 2


def play_wrong_number(script: Script, rng: Random) -> list[Fault]:
    """HND104: the button has one card, or the first player three, and plays. The hand is given up in the end."""
    short = rng.random() < 0.5
    seat = script.plan.dealt[-1 if short else 0]
    played = [beat for beat in acts(script)[WINDOW:] if beat.seat == seat and beat.fields["action"] != "fold"]
    if seat not in gave_up(script) or not played:
        return []
    if short:
        missing = script.beats.pop(script.deal[-1])
        script.stub.insert(0, missing.cards[0])
        proof = script.beats[script.deal[-1]]
        cause = Fault("DEAL105", proof, "the button got only one card", (seat,), prescribed="play_on")
    else:
        card = script.spare_card()
        extra = dealt(script, seat, card)
        index = script.after_deal
        script.beats[index:index] = [extra]
        cause = Fault("DEAL111", extra, "one extra card was dealt", (seat,), (card.face,), prescribed="use_as_burn")
    count = 1 if short else 3
    what = f"seat {seat} plays a hand of {count} cards"
    return [cause, Fault("HND104", played[0], what, (seat,), prescribed="hand_dead")]


def shows(script: Script) -> set[int]:
    """Seats that show their cards."""
    return {script.beats[i].seat for i in script.all_of(CardsShown)}


def cards_of(script: Script, seat: int) -> list[Beat]:
    """The beats of a seat's starting hand."""
    return [b for b in script.beats if b.model is CardDealt and b.seat == seat]
