"""Mistakes of shuffle and cut where the players deal: left out, done badly or by the wrong one, complained of late."""

from __future__ import annotations

from random import Random

from auditor.events import DeckCut, DeckShuffled, IrregularityAnnounced
from auditor.simulate.beat import Beat, Script
from auditor.simulate.plan import HandPlan
from auditor.simulate.truth import Fault

_LEAST_RIFFLES = 4
_LEAST_PACKET = 4


def plan_player_dealt(plan: HandPlan, _rng: Random) -> bool:
    """The players deal, and the hand before is known."""
    return plan.setting.player_dealt and bool(plan.counted)


def _shuffle(script: Script) -> Beat:
    return script.beats[script.first_of(DeckShuffled)]


def _cut(script: Script) -> Beat:
    return script.beats[script.first_of(DeckCut)]


def _first_card(script: Script) -> Beat:
    return script.beats[script.deal[0]]


def forget_shuffle(script: Script, _rng: Random) -> list[Fault]:
    """SHF101: nobody shuffles."""
    script.beats.remove(_shuffle(script))
    return [Fault("SHF101", _first_card(script), "the deck was not shuffled")]


def forget_cut(script: Script, _rng: Random) -> list[Fault]:
    """SHF102: nobody cuts."""
    script.beats.remove(_cut(script))
    return [Fault("SHF102", _first_card(script), "the deck was not cut")]


def riffle_too_little(script: Script, rng: Random) -> list[Fault]:
    """SHF103: fewer than four riffles."""
    proof = _shuffle(script)
    proof.fields["riffles"] = rng.randrange(1, _LEAST_RIFFLES)
    return [Fault("SHF103", proof, f"the deck was riffled {proof.fields['riffles']} times", (proof.seat,))]


def cut_too_shallow(script: Script, rng: Random) -> list[Fault]:
    """SHF104: a packet of fewer than four cards."""
    proof = _cut(script)
    few, cards = rng.randrange(1, _LEAST_PACKET), len(script.plan.cards)
    proof.fields["packets"] = rng.choice(((few, cards - few), (cards - few, few)))
    return [Fault("SHF104", proof, f"the cut left {few} cards in a packet", (proof.seat,))]


def leave_bottom_open(script: Script, _rng: Random) -> list[Fault]:
    """SHF105: no cut card."""
    proof = _cut(script)
    proof.fields["cut_card"] = False
    return [Fault("SHF105", proof, "the bottom of the deck was not covered", (proof.seat,))]


def shuffle_by_wrong_player(script: Script, rng: Random) -> list[Fault]:
    """SHF106: another player than the one on the dealer's left shuffles."""
    return _by_another(script, rng, "SHF106", _shuffle(script), "shuffled")


def cut_by_wrong_player(script: Script, rng: Random) -> list[Fault]:
    """SHF107: another player than the one on the dealer's right cuts."""
    return _by_another(script, rng, "SHF107", _cut(script), "cut")


def _by_another(script: Script, rng: Random, rule: str, beat: Beat, did: str) -> list[Fault]:
    right = beat.seat
    wrong = rng.choice([seat for seat in script.plan.entitled if seat != right])
    beat.fields["seat"] = wrong
    return [Fault(rule, _first_card(script), f"seat {wrong} {did}, and it was for seat {right}", (wrong, right))]


def complain_late(script: Script, rng: Random) -> list[Fault]:
    """SHF108: a player complains of the shuffle or the cut, with the cards in view. The hand is played."""
    rule = rng.choice(("SHF101", "SHF102", "SHF103", "SHF104", "SHF105"))
    seat = rng.choice(script.plan.dealt)
    proof = script.beat(IrregularityAnnounced, 3.0, by="player", seat=seat, rule=rule, looked=True)
    index = rng.randint(script.after_deal, script.end_of_play)
    script.beats[index:index] = [proof]
    what = f"seat {seat} complained of {rule} when it had looked at its cards"
    return [Fault("SHF108", proof, what, (seat,), prescribed="action_stands", handled="as_prescribed")]
