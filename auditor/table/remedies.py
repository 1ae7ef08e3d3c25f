"""What was asked for at the table, what ends a hand by right, and whether every chip went back to its owner."""

from __future__ import annotations

from auditor.table.hand import Attention, Hand, Irregularity

#: Codes of the rule book under which an irregularity may be named besides its own.
_ALSO = {"BTN101": "DEAL107"}

#: Defects of the deck of which the rule book says that the result stands.
STANDS = frozenset({"DCK103", "DCK104", "DCK105", "DCK106", "DCK107"})

#: Rulings that may answer a call for a misdeal. Any other one is about something else.
_ANSWERS = (None, "misdeal", "void_action", "play_on", "action_stands")


def called(hand: Hand, ground: Irregularity, *, in_time: bool = False) -> Attention | None:
    """The attention that was called to a misdeal ground: at all, or while a misdeal could still be declared.

    Attention that names no rule is not taken for this one where something else may be meant.
    """
    for attention in hand.attentions:
        if (attention.in_time or not in_time) and attention.seq > ground.seq and _means(hand, attention, ground):
            return attention
    return None


def called_in_time(hand: Hand, ground: Irregularity | None) -> bool:
    """Whether attention that may have been meant for a misdeal ground was called while one could be declared.

    With no ground: for one that the feed did not see.
    """
    return any(attention.in_time and _may_mean(attention, ground) for attention in hand.attentions)


def _may_mean(attention: Attention, ground: Irregularity | None) -> bool:
    if attention.rule is not None and ground is None:
        return attention.rule.startswith("DEAL") or attention.rule in _ALSO
    if attention.rule is not None and ground is not None:
        return attention.rule in (ground.code, _ALSO.get(ground.code))
    return attention.ruling in _ANSWERS and attention.answer in _ANSWERS


def _means(hand: Hand, attention: Attention, ground: Irregularity) -> bool:
    if attention.rule is not None or not _may_mean(attention, ground):
        return _may_mean(attention, ground)
    if attention.seat is not None and attention.seat not in ground.seats:
        return False
    if attention.card is not None and attention.card not in ground.cards:
        return False
    if any(post.seq > attention.seq for post in hand.posts):
        return False  # a blind was made good
    return not any(_may_mean_another(attention, other, ground) for other in hand.irregularities)


def _may_mean_another(attention: Attention, other: Irregularity, ground: Irregularity) -> bool:
    """Whether attention may be called to something else that a player notices, and that is no ground for a misdeal."""
    if other.misdeal_ground or other.incident == ground.incident or other.family == "FEED":
        return False
    return other.seq < attention.seq and (attention.card is None or attention.card in other.cards)


def fouled(hand: Hand) -> Irregularity | None:
    """What makes all action void, if there is such a thing and it came to light before the pot was awarded."""
    for irregularity in hand.irregularities:
        if irregularity.prescribed == "void_action" and not irregularity.after_award and irregularity.family != "RUL":
            return irregularity
    return None


def ground_in_time(hand: Hand) -> Irregularity | None:
    """A misdeal ground for which the hand may be stopped: action has not occurred, or attention was called before."""
    for irregularity in hand.irregularities:
        if irregularity.misdeal_ground and (not hand.window_closed or called_in_time(hand, irregularity)):
            return irregularity
    return None


def stopped_over(hand: Hand) -> Irregularity | None:
    """What a hand that should have been played was stopped for, as far as can be seen: the last thing in its way."""
    faults = [i for i in hand.irregularities if i.family != "RUL" and (i.prescribed != "none" or i.code in STANDS)]
    likely = [i for i in faults if i.code in STANDS or i.misdeal_ground] or faults
    return likely[-1] if likely else None


def every_chip_back(hand: Hand) -> bool:
    """Whether the hand was made void at last, and every chip went back to whoever wagered it."""
    return hand.cancelled or (hand.void_returns > 0 and not refund_differences(hand))


def chopped(hand: Hand) -> bool:
    """Whether everyone else folded, and the two blinds took their bets back: that is no ruling on the hand."""
    blinds = {hand.small_blind, hand.big_blind}
    return hand.street == 0 and not hand.raises and len(hand.entitled) > 2 and len(blinds) == 2 and hand.live == blinds


def refund_differences(hand: Hand) -> dict[int, int]:
    """What each seat got back, less what it wagered, where the two differ.

    Whose the chips are that were carried over from another hand is not known: those that went back with this hand's
    make it more for somebody, and no less for anybody.
    """
    differences = {
        seat: hand.returned.get(seat, 0) - hand.total.get(seat, 0) for seat in sorted({*hand.total, *hand.returned})
    }
    beyond = hand.carried_pot > 0 and sum(differences.values()) > 0
    return {seat: chips for seat, chips in differences.items() if chips < 0 or (chips and not beyond)}
