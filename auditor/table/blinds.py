"""Who owes which blind: by the button, and, after sitting out, by the blinds that went past."""

from __future__ import annotations

from auditor.house import HouseRules
from auditor.table.button import next_clockwise
from auditor.table.hand import Hand
from auditor.table.memory import ButtonMemory, Missed

#: Small and big blind. No small blind: it is dead.
Due = tuple[int | None, int]


def due(hand: Hand, last: ButtonMemory | None, house: HouseRules) -> list[Due]:
    """The seats that owe the blinds, the likeliest first; empty where nobody can say.

    More than one answer is right where the house leaves open how its button moves, or too little is known of the hand
    before.
    """
    order, stakes = [seat for seat in hand.order if not hand.absent(seat)], hand.stakes
    if len(order) < 2 or not stakes.big_blind:
        return []
    if not stakes.small_blind:  # a single blind: some games have it posted by the button
        return [(None, order[0]), (None, order[1]), (None, order[-1])]
    if len(order) == 2:
        # Heads-up the button posts the small blind.
        return [(order[1], order[0])] if order[1] == hand.button else []
    by_button: Due = (order[0], order[1])
    if house.button_rule not in (None, "dead"):
        return [by_button]
    dead: Due = (None, order[0])
    if last is None or last.unsettled or hand.redeal_of is not None or last.big_blind is None:
        return [by_button, dead]
    # The blinds go forward, and the button follows: who had the big blind has the small one, or it is dead.
    players = tuple(sorted(order))
    forward = next_clockwise(last.big_blind, players)
    if last.big_blind in players:
        return [by_button, (last.big_blind, forward)]
    return [(None, forward)] if house.button_rule == "dead" else [by_button, (None, forward)]


def pass_by(away: dict[int, Missed], last: ButtonMemory | None, hand: Hand) -> None:
    """A hand was played: the blinds went past those who sat it out, and whoever was in it owes nothing any more."""
    for seat in list(away):
        if seat in hand.entitled:
            del away[seat]
        elif last is not None and not last.unsettled:
            missed = away[seat]
            missed.big = missed.big or _between(last.big_blind, seat, hand.big_blind)
            small = _small_blind(hand, last)
            on_seat = seat == small and seat not in hand.total  # it lies where the player was, and nobody posts it
            missed.small = missed.small or on_seat or _between(last.small_blind, seat, small)


def _small_blind(hand: Hand, last: ButtonMemory) -> int | None:
    """Where the small blind is: a dead one on the seat of the last big blind, who is not in the hand."""
    if hand.small_blind is None and hand.stakes.small_blind and last.big_blind not in hand.entitled:
        return last.big_blind
    return hand.small_blind


def _between(start: int | None, seat: int, end: int | None) -> bool:
    """Whether a blind that moved clockwise from `start` to `end` went past `seat`."""
    if start is None or end is None or start == end:
        return False
    return start < seat < end if start < end else seat > start or seat < end
