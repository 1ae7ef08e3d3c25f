"""What the table does about a mistake: attention is called, the floor rules, chips go back, a hand is played on."""

from __future__ import annotations

from random import Random

from auditor.events import (
    ChipsReturned,
    HandEnded,
    IrregularityAnnounced,
    Prescription,
    RulingMade,
)
from auditor.simulate.beat import Beat, Ending, Script, wagered
from auditor.simulate.truth import Fault

#: Actions after which a misdeal can no longer be declared.
WINDOW = 2


def announced(script: Script, rng: Random, rule: str, seat: int | None = None) -> Beat:
    """Somebody calls attention to an irregularity, and names the rule or does not."""
    named = {"rule": rule} if rng.random() < 0.5 else {}
    by = "player" if seat is not None else rng.choice(("dealer", "floor", "surveillance"))
    return script.beat(IrregularityAnnounced, 2.0, by=by, seat=seat, **named)


def ruled(script: Script, ruling: Prescription, **more: object) -> Beat:
    """The floor decides."""
    return script.beat(RulingMade, 30.0, ruling=ruling, by="floor", **more)


def declare_misdeal(script: Script, index: int, rng: Random, rule: str, seat: int | None = None) -> Beat:
    """The hand ends at this place of the script as a misdeal, and every chip goes back. Returns the ruling."""
    ruling = ruled(script, "misdeal")
    _break_off(script, index, [announced(script, rng, rule, seat), ruling], "misdeal")
    return ruling


def void_hand(script: Script, index: int, rng: Random, rule: str, card: str | None = None) -> Beat:
    """The hand ends at this place of the script: all action is void, and every chip goes back. Returns the ruling."""
    ruling = ruled(script, "void_action", card=card)
    _break_off(script, index, [announced(script, rng, rule), ruling], "void")
    return ruling


def _break_off(script: Script, index: int, words: list[Beat], ending: Ending) -> None:
    script.ending = ending
    del script.beats[index:]
    script.beats += words
    for seat, chips in sorted(wagered(script.beats).items()):
        if chips:
            script.say(ChipsReturned, 1.0, seat=seat, amount=chips, reason=ending)
    script.say(HandEnded, 3.0)


def settle_misdeal_ground(script: Script, rng: Random, fault: Fault, clear: Beat | None = None) -> Fault:
    """What a table does about a ground for a misdeal: half of the time it is called in time and the hand is dealt
    again; otherwise it is called too late, or not at all, and the hand is played on.

    `clear` is the beat from which on the fault cannot be mistaken for another one: its proof, if not said.
    """
    if rng.random() < 0.5:
        _call_in_time(script, rng, fault, clear or fault.proof)
    else:
        play_on(script, rng, fault)
    return fault


def call_in_time(script: Script, rng: Random, fault: Fault) -> Fault:
    """Attention is called while a misdeal can be declared, and it is."""
    _call_in_time(script, rng, fault, fault.proof)
    return fault


def _call_in_time(script: Script, rng: Random, fault: Fault, clear: Beat | None) -> None:
    assert clear is not None
    seat = fault.seats[0] if fault.seats and rng.random() < 0.5 else None
    if rng.random() < 0.4:
        index = script.beats.index(clear) + 1  # while the cards are still being dealt
    elif len(script.actions) >= WINDOW and rng.random() < 0.4:
        index = script.actions[0] + 1
    else:
        index = script.after_deal
    declare_misdeal(script, index, rng, fault.rule, seat)
    fault.prescribed, fault.handled = "misdeal", "as_prescribed"


def play_on(script: Script, rng: Random, fault: Fault) -> None:
    """Nobody notices, or somebody does when action has occurred: the hand goes on."""
    fault.prescribed = "play_on"
    late = [index for index in script.actions[WINDOW - 1 :] if index < script.end_of_play]
    if late and rng.random() < 0.5:
        index = rng.choice(late) + 1
        script.beats[index:index] = [announced(script, rng, fault.rule), ruled(script, "play_on")]
        fault.handled = "as_prescribed"


def behind(script: Script, beat: Beat, *beats: Beat) -> None:
    """Write beats right behind another."""
    index = script.beats.index(beat) + 1
    script.beats[index:index] = beats


def put(script: Script, before: Beat, *beats: Beat) -> None:
    """Write beats in front of another."""
    index = script.beats.index(before)
    script.beats[index:index] = beats
