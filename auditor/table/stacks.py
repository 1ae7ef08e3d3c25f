"""Chips between hands: what each seat should start with, and what a player bought since sitting down."""

from __future__ import annotations

from auditor.events import ChipsBought, HandSeat, Stakes
from auditor.house import HouseRules
from auditor.table.hand import Hand
from auditor.table.memory import SeatStack, Session

#: What a feed must see before the stack of the next hand follows from this one.
SEES_CHIPS = frozenset({"stacks", "buy_ins", "betting", "awards"})


def full_buy_in(betting: str, stakes: Stakes, house: HouseRules) -> int:
    """The least full buy-in; 0 where the stakes do not say."""
    if betting == "limit":
        return house.limit_buy_in_bets * (stakes.big_bet or stakes.small_bet)
    return house.buy_in_big_blinds * (stakes.big_blind or stakes.bring_in)


def buy(session: Session, event: ChipsBought, full: int) -> None:
    """A buy-in. Parts of it that come before the player's next hand are one buy-in."""
    was_short = 0 < session.bought < full
    if session.bought == 0:
        session.buy_ins += 1
    session.bought += event.amount
    session.short += (session.bought < full) - was_short


def sit_in(stacks: dict[int, SeatStack], sessions: dict[int, Session], seats: tuple[HandSeat, ...]) -> None:
    """A hand starts: its own count of the stacks is the one to go on with."""
    for s in seats:
        if s.stack is None:
            stacks.pop(s.seat, None)
        else:
            stacks[s.seat] = SeatStack(s.player_id, s.stack)
        session = sessions.get(s.seat)
        if session is None:
            continue
        if session.player_id is None:
            session.player_id = s.player_id
        elif s.player_id is not None and s.player_id != session.player_id:
            del sessions[s.seat]  # somebody else sits there now
            continue
        if s.entitled:
            session.bought = 0


def settle(stacks: dict[int, SeatStack], hand: Hand, *, ended: bool) -> None:
    """A hand is over. After one that was void, or whose chips do not add up, nobody can say what a seat has.

    After one that was cancelled, every chip is where it was.
    """
    if hand.cancelled and not hand.awarded:
        return
    known = ended and hand.observes >= SEES_CHIPS and not hand.voided and _adds_up(hand)
    for seat in hand.seats:
        left = stacks.get(seat)
        if left is None:
            continue
        left.chips += hand.awarded.get(seat, 0) + hand.returned.get(seat, 0) - hand.total.get(seat, 0)
        if not known or left.chips < 0:
            del stacks[seat]


def _adds_up(hand: Hand) -> bool:
    return hand.pot == sum(hand.awarded.values()) + sum(hand.returned.values()) + hand.taken
