"""Follow each incident to its ruling: what the rules prescribe at last, and whether the table did it.

An incident opens with a finding and is settled when its hand ends, from what the table did in between. A remedy that
was asked for in time and not given is `contrary`; one that nobody asked for is `unaddressed`.
"""

from __future__ import annotations

from collections.abc import Callable

from auditor.cards import UNREAD
from auditor.events import HandStarted, Prescription
from auditor.findings import Handled
from auditor.table.button import corrects
from auditor.table.dead import is_given_back
from auditor.table.hand import Hand, Irregularity
from auditor.table.memory import ButtonMemory
from auditor.table.remedies import called, called_in_time, every_chip_back, fouled, ground_in_time, refund_differences

Outcome = tuple[Prescription, Handled]


#: A finding on a ruling is itself the verdict that the table did otherwise.
_VERDICTS = frozenset({"RUL101", "RUL102", "RUL104", "RUL105", "RUL107", "RUL108", "RUL109", "RUL110", "RUL111"})
#: So is one on what was done against a rule that leaves nothing to be put right.
_DONE_WRONG = frozenset({"DEAL113", "HND110", "HND111", "POT105"})
#: Remedies that went wrong: each names the incident that it should have put right.
_WRONG_REPAIRS = frozenset({"BRD106", "BRD107", "BRD108", "RUL106"})
#: What puts the later cards one place off; a card that is taken back is for the last of them.
_BURNS = frozenset({"BRD103", "BRD104", "BRD105"})
_WRONG_REFUNDS = frozenset({"RUL103", "RUL104"})
#: A dead hand played, or was let play.
_DEAD_PLAYED = ("HND108", "RUL107")
#: Rulings that ended a hand that should have been played.
_WRONG_STOPS = frozenset({"RUL101", "RUL105"})


def settle(hand: Hand, irregularity: Irregularity) -> Outcome:
    """What was prescribed in the end, and how the table handled it, as the hand ends."""
    if hand.cancelled and hand.verdict not in ("misdeal", "void_action"):
        return irregularity.prescribed, "not_applicable"  # whatever it was, nobody won or lost by it
    prescribed, handled = _settle(hand, irregularity)
    if hand.gap and handled == "unaddressed":
        handled = "not_applicable"  # what was done about it may lie in the gap
    return prescribed, handled


def _settle(hand: Hand, irregularity: Irregularity) -> Outcome:
    if irregularity.code in _VERDICTS:
        return irregularity.prescribed, _verdict(hand, irregularity)
    if irregularity.code == "RUL103" and every_chip_back(hand):
        return irregularity.prescribed, "as_prescribed"  # the pot had been awarded, and was given back
    if irregularity.code in _DONE_WRONG:
        return irregularity.prescribed, "not_applicable" if _void_by_right(hand) else "contrary"
    if irregularity.misdeal_ground:
        return _misdeal(hand, irregularity)
    handled = _SETTLE[irregularity.prescribed](hand, irregularity)
    return handled if isinstance(handled, tuple) else (irregularity.prescribed, handled)


def _verdict(hand: Hand, irregularity: Irregularity) -> Handled:
    """A wrong ruling is put right where it is overruled in time, and the hand played on."""
    overruled = irregularity.code in ("RUL101", "RUL105") and not hand.voided
    return "as_prescribed" if overruled else "contrary"


def _went_wrong(hand: Hand, irregularity: Irregularity, codes: frozenset[str]) -> bool:
    """A consequence of this irregularity says that its remedy was the wrong one."""
    return any(i.code in codes and i.incident == irregularity.finding_id for i in hand.irregularities)


def _void(hand: Hand, irregularity: Irregularity) -> Handled:
    """The hand is void: with no right to it, for this very thing; or by right, or for something else."""
    wrong = any(i.code in _WRONG_STOPS and i.incident == irregularity.incident for i in hand.irregularities)
    return "contrary" if wrong else "not_applicable"


def _void_by_right(hand: Hand) -> bool:
    """The hand was void, and there was a cause for it."""
    return hand.voided and (fouled(hand) is not None or ground_in_time(hand) is not None)


def _called(hand: Hand, irregularity: Irregularity) -> bool:
    """Attention was called to this irregularity (or to none by name) after it happened, while the window was open."""
    return any(a.in_time and a.seq > irregularity.seq and a.rule in (None, irregularity.code) for a in hand.attentions)


def _ruled_otherwise(hand: Hand, irregularity: Irregularity) -> bool:
    return any(seq > irregularity.seq and made != irregularity.prescribed for made, seq in hand.rulings)


def _misdeal(hand: Hand, irregularity: Irregularity) -> Outcome:
    if hand.voided:
        return _stopped(hand, irregularity)
    if called(hand, irregularity, in_time=True):
        return "misdeal", "contrary"
    return "play_on", "as_prescribed"  # nobody called attention in time: the hand is played to its end


def _stopped(hand: Hand, irregularity: Irregularity) -> Outcome:
    """The hand with a misdeal ground was not played to its end."""
    if called_in_time(hand, irregularity) or not hand.window_closed:
        # A misdeal is a misdeal by whatever name it goes; what went back is part of it.
        awarded = hand.verdict == "misdeal" and bool(hand.awarded)
        wrong = not every_chip_back(hand) and (_went_wrong(hand, irregularity, _WRONG_REFUNDS) or awarded)
        return "misdeal", "contrary" if wrong else "as_prescribed"
    reported = hand.verdict is not None or any(i.code in _WRONG_STOPS for i in hand.irregularities)
    if fouled(hand) is not None or not reported:
        return "play_on", "not_applicable"  # void for another reason, or for one that nobody reported
    return "play_on", "contrary"


def _void_action(hand: Hand, irregularity: Irregularity) -> Handled | Outcome:
    if irregularity.after_award or not hand.pot:
        return "not_applicable"
    if hand.awarded:
        return "as_prescribed" if every_chip_back(hand) else "contrary"
    if hand.verdict == "pot_carries_over":
        # A player who knew of the defect and tried to win the pot may lose the right to the refund.
        if hand.found("DCK108"):
            return "pot_carries_over", "as_prescribed"
        return "contrary" if hand.found("RUL103") else ("pot_carries_over", "not_applicable")
    if every_chip_back(hand):
        return "as_prescribed"
    if any(hand.returned.values()):
        return "contrary" if refund_differences(hand) else "as_prescribed"
    return "unaddressed" if "awards" in hand.observes else "not_applicable"


def _action_stands(hand: Hand, irregularity: Irregularity) -> Handled:
    return _void(hand, irregularity) if hand.voided else "as_prescribed"


def _use_as_burn(hand: Hand, irregularity: Irregularity) -> Handled:
    if hand.voided:
        no_ground = hand.ruled("misdeal") and not _other_ground(hand)
        return "contrary" if no_ground else _void(hand, irregularity)
    (seat,) = irregularity.seats[:1] or (-1,)
    if _went_wrong(hand, irregularity, frozenset({"RUL109"})):
        return "contrary"
    if _went_wrong(hand, irregularity, frozenset({"RUL108"})):
        return "contrary" if _called(hand, irregularity) else "unaddressed"
    burned = any(card in hand.as_burn or card in hand.burns for card in irregularity.cards)
    if burned or seat in hand.returned_from:
        return "as_prescribed"
    if hand.board:
        return "contrary" if _called(hand, irregularity) else "unaddressed"
    return "not_applicable"  # the hand ended before anything was burned


def _hand_dead(hand: Hand, irregularity: Irregularity) -> Handled:
    """A dead hand is out of it, and wins nothing."""
    seat = irregularity.seats[0] if irregularity.seats else -1
    if hand.voided or is_given_back(hand, irregularity, seat):
        return "not_applicable"
    if hand.awarded.get(seat):
        return "contrary"
    if _is_out(hand, irregularity, seat):
        return "as_prescribed"
    return "contrary" if seat in hand.let_live or _called_ever(hand, irregularity) else "unaddressed"


def _is_out(hand: Hand, irregularity: Irregularity, seat: int) -> bool:
    played = [i for i in hand.irregularities if i.code in _DEAD_PLAYED and i.seats[:1] == (seat,)]
    last = max((i.seq for i in played), default=-1)
    if last < irregularity.seq:
        return seat not in hand.live
    # It has played since, or was let play: it must have been taken in once more.
    death = hand.dead.get(seat)
    return death is not None and death.cause == "ruled" and death.seq > last


def _called_ever(hand: Hand, irregularity: Irregularity) -> bool:
    answers = (None, irregularity.prescribed, "play_on", "action_stands", "card_stands")  # others: about something else
    return any(
        a.seq > irregularity.seq and a.rule in (None, irregularity.code) and a.ruling in answers
        for a in hand.attentions
    )


def _scrap_card(hand: Hand, irregularity: Irregularity) -> Handled:
    """A scrap of paper plays nowhere: another card has come in its place."""
    if hand.voided and (wrong := _void(hand, irregularity)) == "contrary":
        return wrong
    played = next((i for i in hand.irregularities if i.code == "DCK106" and i.incident == irregularity.incident), None)
    if played is not None:
        return _hand_dead(hand, played)  # it is too late for another card
    card = irregularity.cards[0] if irregularity.cards else UNREAD
    if irregularity.seats:
        held = hand.holding.get(irregularity.seats[0], [])
        if card in held and not hand.game.has_board:
            return "not_applicable"  # how many cards are due by now is not known
        plays = card in held and len(held) <= hand.game.starting_cards
    else:
        plays = card in hand.board
    if not plays:
        return "as_prescribed"
    if hand.voided:
        return "not_applicable"
    return "contrary" if _called_ever(hand, irregularity) else "unaddressed"


def _other_ground(hand: Hand) -> bool:
    return any(i.misdeal_ground or i.prescribed == "void_action" for i in hand.irregularities)


def _repair(hand: Hand, irregularity: Irregularity) -> Handled:
    """A board that must be dealt again: the cards must leave it, and others come in the right way."""
    if hand.voided:
        return _void(hand, irregularity)
    if _went_wrong(hand, irregularity, _WRONG_REPAIRS):
        return "contrary"
    taken_off = {p.card for p in hand.put_right if p.seq > irregularity.seq}  # it may have come again by chance
    if all(card in taken_off or not hand.lies_on_board(card) for card in irregularity.cards):
        return "as_prescribed"
    if not taken_off.isdisjoint(irregularity.cards):
        return "contrary"  # some of them were taken off, and the others play
    if irregularity.code in _WRONG_REPAIRS or _ruled_otherwise(hand, irregularity):
        return "contrary"
    if len(hand.live) < 2:
        return "not_applicable"  # everybody folded: the card decided nothing
    return "unaddressed"


def _correct_burns(hand: Hand, irregularity: Irregularity) -> Outcome:
    """To be put right until somebody acts on the street, or, with nobody left to act, until the pot is awarded."""
    prescribed = irregularity.prescribed
    if hand.voided:
        return prescribed, _void(hand, irregularity)
    later = [i.seq for i in hand.irregularities if i.code in _BURNS and i.seq > irregularity.seq]
    remedies = [
        p
        for p in hand.put_right
        if p.seq > irregularity.seq and not p.premature and not any(seq < p.seq for seq in later)
    ]
    in_time = [p for p in remedies if p.actions == irregularity.actions]
    if in_time:
        if irregularity.street == 0 and in_time[0].lying:
            prescribed = "redeal_flop"  # board cards were exposed
        wrong = _went_wrong(hand, irregularity, _WRONG_REPAIRS) or not _corrected(hand, irregularity, prescribed)
        return prescribed, "contrary" if wrong else "as_prescribed"
    if any(p.from_board and p.street <= irregularity.street + 1 for p in remedies):
        return "card_stands", "contrary"  # it had been acted on
    asked = [
        a
        for a in hand.attentions
        if a.seq > irregularity.seq and a.rule in (None, irregularity.code) and not a.after_award
    ]
    asked_in_time = [a for a in asked if a.actions == irregularity.actions]
    if asked_in_time:
        # A ruling is taken at its word, unless the burns belie it: not every feed sees one go back on the deck.
        ruled = next((a for a in asked_in_time if a.ruling == prescribed), None)
        done = ruled is not None and not _left_alone(hand, irregularity, ruled.seq)
        return prescribed, "as_prescribed" if done else "contrary"
    # Once acted on, the card stands; but those behind it are to come as they would have come.
    ignored = irregularity.code == "BRD105" and any(_burned_on(hand, a.seq) for a in asked)
    return "card_stands", "contrary" if ignored else "as_prescribed"


def _corrected(hand: Hand, irregularity: Irregularity, prescribed: Prescription) -> bool:
    """Whether what was taken back in time is what had to be, as far as the feed shows it."""
    if prescribed == "redeal_flop":
        return hand.reshuffled or "shuffle" not in hand.observes
    if irregularity.code == "BRD103" and all(card in hand.deck_order for card in irregularity.cards):
        right = min(irregularity.cards, key=hand.deck_order.index)
        return hand.lies_on_board(right) or not any(map(hand.lies_on_board, irregularity.cards))
    return True


def _left_alone(hand: Hand, irregularity: Irregularity, seq: int) -> bool:
    """Whether the burns show that nobody did what was ruled: one is still missing, or one too many was made."""
    if "burns" not in hand.observes or hand.reshuffled or hand.boards:
        return False
    if irregularity.code == "BRD104":
        return len(hand.burns) < hand.street
    return irregularity.code == "BRD105" and _burned_on(hand, seq)


def _burned_on(hand: Hand, seq: int) -> bool:
    """Whether another burn than those that lay there was made since, for a street that a burn too many was due for."""
    if hand.reshuffled or hand.repair is not None or hand.boards:
        return False
    if UNREAD in hand.burns or len(set(hand.burns)) <= hand.street:
        return False
    lies = hand.where.get(hand.burns[-1])
    return lies is not None and lies.seq > seq


def _redeal_flop(hand: Hand, irregularity: Irregularity) -> Handled | Outcome:
    if irregularity.code != "BRD104":
        return _repair(hand, irregularity)
    early = next((i for i in hand.irregularities if i.code == "BRD101" and i.seq == irregularity.seq), None)
    return _correct_burns(hand, irregularity) if early is None else _repair(hand, early)


def _play_on(hand: Hand, irregularity: Irregularity) -> Handled:
    return "contrary" if hand.voided else "as_prescribed"


def _pot_carries_over(hand: Hand, irregularity: Irregularity) -> Handled:
    """The house may refuse the refund to whoever knew of the defect; it need not."""
    if hand.awarded:
        return "contrary"
    if hand.ruled("pot_carries_over"):
        return "as_prescribed"
    return "not_applicable" if hand.voided or "awards" not in hand.observes else "unaddressed"


def _nothing_to_do(hand: Hand, irregularity: Irregularity) -> Handled:
    return "not_applicable"


_SETTLE: dict[Prescription, Callable[[Hand, Irregularity], Handled | Outcome]] = {
    "misdeal": _play_on,
    "play_on": _play_on,
    "void_action": _void_action,
    "action_stands": _action_stands,
    "hand_dead": _hand_dead,
    "scrap_card": _scrap_card,
    "use_as_burn": _use_as_burn,
    "redeal_flop": _redeal_flop,
    "fix_turn": _repair,
    "fix_river": _repair,
    "correct_burns": _correct_burns,
    "card_stands": _action_stands,
    "correct_button_next_hand": _nothing_to_do,
    "pot_carries_over": _pot_carries_over,
    "none": _nothing_to_do,
}


def awaits_next_hand(hand: Hand, irregularity: Irregularity) -> bool:
    """A wrong button that was played on is settled by the button of the next hand."""
    return irregularity.code == "BTN101" and not hand.voided and not hand.gap


def settle_button(last: ButtonMemory, event: HandStarted, attention: bool) -> Outcome:
    """How a wrong button of the last hand was handled, seen from where the button is now."""
    if last.refused:
        return "misdeal", "contrary"
    if event.button_seat is None:
        return "correct_button_next_hand", "not_applicable"
    if corrects(last, event):
        return "correct_button_next_hand", "as_prescribed"
    return "correct_button_next_hand", "contrary" if attention else "unaddressed"
