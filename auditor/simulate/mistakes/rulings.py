"""A wrong ruling: a misdeal that should not have been declared."""

from __future__ import annotations

from random import Random

from auditor.simulate.beat import Script
from auditor.simulate.mistakes.deal import cards_in_wrong_order
from auditor.simulate.mistakes.floor import WINDOW, declare_misdeal
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
