"""What was asked for at the table, what ends a hand by right, and whether every chip went back to its owner."""

from __future__ import annotations

from auditor.table.hand import Attention, Hand, Irregularity

#: Codes of the rule book under which an irregularity may be named besides its own.
_ALSO = {"BTN101": "DEAL107"}

#: Rulings that may answer a call for a misdeal. Any other one is about something else.
_ANSWERS = (None, "misdeal", "play_on", "action_stands")


def called(hand: Hand, ground: Irregularity, *, in_time: bool = False) -> Attention | None:
    """The attention that was called to a misdeal ground: at all, or while a misdeal could still be declared.

    Attention that names no rule is not taken for this one where something else may be meant.
    """
    for attention in hand.attentions:
        if (attention.in_time or not in_time) and attention.seq > ground.seq and _means(hand, attention, ground):
            return attention
    return None


def _means(hand: Hand, attention: Attention, ground: Irregularity) -> bool:
    if attention.rule is not None:
        return attention.rule in (ground.code, _ALSO.get(ground.code))
    if attention.ruling not in _ANSWERS:
        return False
    return not any(
        other.seq < attention.seq and not other.misdeal_ground and other.prescribed != "none"
        for other in hand.irregularities
    )


def fouled(hand: Hand) -> Irregularity | None:
    """What makes all action void, if there is such a thing and it came to light before the pot was awarded."""
    for irregularity in hand.irregularities:
        if irregularity.prescribed == "void_action" and not irregularity.after_award and irregularity.family != "RUL":
            return irregularity
    return None


def ground_in_time(hand: Hand) -> Irregularity | None:
    """A misdeal ground for which the hand may be stopped: action has not occurred, or attention was called before."""
    for irregularity in hand.irregularities:
        if irregularity.misdeal_ground and (not hand.window_closed or any(a.in_time for a in hand.attentions)):
            return irregularity
    return None


def refund_differences(hand: Hand) -> dict[int, int]:
    """What each seat got back, less what it wagered, where the two differ."""
    differences = {
        seat: hand.returned.get(seat, 0) - hand.total.get(seat, 0) for seat in sorted({*hand.total, *hand.returned})
    }
    return {seat: chips for seat, chips in differences.items() if chips}
