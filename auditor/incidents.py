"""Follow each incident to its ruling: what the rules prescribe at last, and whether the table did it.

An incident opens with a finding and is settled when its hand ends, from what the table did in between. A remedy that
was asked for in time and not given is `contrary`; one that nobody asked for is `unaddressed`.
"""

from __future__ import annotations

from collections.abc import Callable

from auditor.events import HandStarted, Prescription
from auditor.findings import Handled
from auditor.table.button import ButtonMemory, next_clockwise
from auditor.table.hand import Hand, Irregularity

Outcome = tuple[Prescription, Handled]


def settle(hand: Hand, irregularity: Irregularity) -> Outcome:
    """What was prescribed in the end, and how the table handled it, as the hand ends."""
    if irregularity.misdeal_ground:
        return _misdeal(hand, irregularity)
    handled = _SETTLE[irregularity.prescribed](hand, irregularity)
    return handled if isinstance(handled, tuple) else (irregularity.prescribed, handled)


def _called(hand: Hand, irregularity: Irregularity) -> bool:
    """Attention was called to this irregularity (or to none by name) after it happened, while the window was open."""
    return any(a.in_time and a.seq > irregularity.seq and a.rule in (None, irregularity.code) for a in hand.attentions)


def _ruled_otherwise(hand: Hand, irregularity: Irregularity) -> bool:
    return any(seq > irregularity.seq and made != irregularity.prescribed for made, seq in hand.rulings)


def _voided(hand: Hand) -> bool:
    return hand.ruled("void_action") or hand.ruled("misdeal") or hand.void_returns > 0


def _misdeal(hand: Hand, irregularity: Irregularity) -> Outcome:
    if hand.ruled("misdeal"):
        in_time = _called(hand, irregularity) or not hand.window_closed
        return ("misdeal", "as_prescribed") if in_time else ("play_on", "contrary")
    if _voided(hand):
        return irregularity.prescribed, "not_applicable"  # the hand was void for another reason
    if _called(hand, irregularity):
        return "misdeal", "contrary"
    return "play_on", "as_prescribed"  # nobody called attention in time: the hand is played to its end


def _void_action(hand: Hand, irregularity: Irregularity) -> Handled:
    if irregularity.after_award or not hand.pot:
        return "not_applicable"
    if hand.awarded:
        return "contrary"
    if not hand.void_returns:
        return "unaddressed"
    wagered = {seat: chips for seat, chips in hand.total.items() if chips}
    returned = {seat: chips for seat, chips in hand.returned.items() if chips}
    return "as_prescribed" if returned == wagered else "contrary"


def _action_stands(hand: Hand, irregularity: Irregularity) -> Handled:
    ruled_void = any(seq > irregularity.seq and made in ("void_action", "misdeal") for made, seq in hand.rulings)
    return "contrary" if ruled_void else "as_prescribed"


def _use_as_burn(hand: Hand, irregularity: Irregularity) -> Handled:
    if _voided(hand):
        return "contrary" if hand.ruled("misdeal") and not _other_ground(hand) else "not_applicable"
    (seat,) = irregularity.seats[:1] or (-1,)
    burned = any(card in hand.as_burn or card in hand.burns for card in irregularity.cards)
    if burned or seat in hand.returned_from:
        return "as_prescribed"
    if hand.board:
        return "contrary" if _called(hand, irregularity) else "unaddressed"
    return "not_applicable"  # the hand ended before anything was burned


def _other_ground(hand: Hand) -> bool:
    return any(i.misdeal_ground or i.prescribed == "void_action" for i in hand.irregularities)


def _repair(hand: Hand, irregularity: Irregularity) -> Handled:
    """A board that must be dealt again: the cards must leave it."""
    if _voided(hand):
        return "contrary" if hand.ruled("misdeal") else "not_applicable"
    if not any(card in hand.board for card in irregularity.cards):
        return "as_prescribed"
    if hand.found("RUL106") or _ruled_otherwise(hand, irregularity):
        return "contrary"
    if len(hand.live) < 2:
        return "not_applicable"  # everybody folded: the card decided nothing
    return "unaddressed"


def _correct_burns(hand: Hand, irregularity: Irregularity) -> Outcome:
    if _voided(hand):
        return irregularity.prescribed, "contrary" if hand.ruled("misdeal") else "not_applicable"
    before_action = any(
        a.seq > irregularity.seq and not a.street_acted_on and a.rule in (None, irregularity.code)
        for a in hand.attentions
    )
    put_right = any(seq > irregularity.seq for seq in hand.put_right)
    if put_right:
        return irregularity.prescribed, "as_prescribed"
    if before_action:
        return irregularity.prescribed, "contrary"
    return "card_stands", "as_prescribed"  # once acted on, the card stands


def _redeal_flop(hand: Hand, irregularity: Irregularity) -> Handled | Outcome:
    if irregularity.code == "BRD104":
        return _correct_burns(hand, irregularity)
    return _repair(hand, irregularity)


def _play_on(hand: Hand, irregularity: Irregularity) -> Handled:
    return "contrary" if hand.ruled("misdeal") else "as_prescribed"


def _nothing_to_do(hand: Hand, irregularity: Irregularity) -> Handled:
    return "not_applicable"


_SETTLE: dict[Prescription, Callable[[Hand, Irregularity], Handled | Outcome]] = {
    "misdeal": _play_on,
    "play_on": _play_on,
    "void_action": _void_action,
    "action_stands": _action_stands,
    "hand_dead": _nothing_to_do,
    "scrap_card": _nothing_to_do,
    "use_as_burn": _use_as_burn,
    "redeal_flop": _redeal_flop,
    "fix_turn": _repair,
    "fix_river": _repair,
    "correct_burns": _correct_burns,
    "card_stands": _nothing_to_do,
    "correct_button_next_hand": _nothing_to_do,
    "pot_carries_over": _nothing_to_do,
    "none": _nothing_to_do,
}


def awaits_next_hand(hand: Hand, irregularity: Irregularity) -> bool:
    """A wrong button that was played on is settled by the button of the next hand."""
    return irregularity.code == "BTN101" and not _voided(hand) and not hand.gap


def settle_button(last: ButtonMemory, event: HandStarted, attention: bool) -> Outcome:
    """How a wrong button of the last hand was handled, seen from where the button is now."""
    players = tuple(sorted(s.seat for s in event.seats if s.entitled))
    corrected = {last.correct, next_clockwise(last.correct, players)} if players else {last.correct}
    if event.button_seat in corrected:
        return "correct_button_next_hand", "as_prescribed"
    return "correct_button_next_hand", "contrary" if attention else "unaddressed"
