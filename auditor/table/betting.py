"""Betting rounds: who owes an action, what there is to match, what a full raise is.

The state follows what was done, legal or not. `hand.turn` is -1 when no action is due or nobody can say whose it is.
"""

from __future__ import annotations

from auditor.events import ForcedBetPosted, PlayerActed
from auditor.house import HouseRules
from auditor.table.hand import Hand

_DEAD = ("ante", "dead_blind")  # chips for the pot that count for no bet


def post(hand: Hand, event: ForcedBetPosted) -> None:
    """A forced bet goes in."""
    seat, amount = event.seat, event.amount
    _put_in(hand, seat, amount, event.all_in)
    if event.kind in _DEAD:
        if not hand.bomb_pot:  # there each ante is a bet that the others match
            hand.dead_chips[seat] = hand.dead_chips.get(seat, 0) + amount
        return
    hand.commit[seat] = hand.commit.get(seat, 0) + amount
    level = hand.commit[seat]
    if event.kind == "big_blind":
        # A big blind that is all-in for less still makes the others call the whole blind.
        level = max(level, hand.stakes.big_blind)
        hand.raise_size = max(hand.raise_size, level)
    elif event.kind == "straddle":
        hand.straddled = True
        hand.raise_size = max(hand.raise_size, level - hand.bet)
    if event.kind in ("big_blind", "straddle") or (event.kind == "small_blind" and hand.last_blind == -1):
        hand.last_blind = seat
    if level > hand.bet:
        hand.bet = level
        if event.kind != "bring_in":  # a bring-in is less than a bet: the next player may complete it to one
            hand.full_bet = level


def _put_in(hand: Hand, seat: int, amount: int, all_in: bool) -> None:
    hand.total[seat] = hand.total.get(seat, 0) + amount
    left = hand.stack.get(seat)
    if left is not None:
        hand.stack[seat] = left - amount
        all_in = all_in or left <= amount
    if all_in:
        hand.all_in.add(seat)


def open_round(hand: Hand) -> None:
    """Everyone with a hand and chips owes an action; the street's opener is first."""
    hand.acted_on_street = False
    hand.acted.clear()
    hand.raises = 0
    if hand.bomb_pot and hand.street == 0:
        return  # the betting begins on the flop
    hand.pending = hand.live - hand.all_in
    opening = hand.game.streets[hand.street].opening
    if opening == "bring_in":
        # Who brought it in has acted, unless somebody raises it.
        hand.pending.difference_update(post.seat for post in hand.posts if post.kind == "bring_in")
    if opening == "after_blinds" and hand.last_blind != -1:
        opener = next_pending(hand, hand.last_blind)
    elif opening in ("after_blinds", "left_of_button") and hand.button is not None:
        opener = next_pending(hand, hand.button)
    else:
        opener = -1
    hand.turn, hand.turn_after_skip = opener, -1
    if opening == "after_blinds" and hand.straddled and hand.big_blind is not None:
        # After a straddle from elsewhere than the left of the big blind, houses differ on who opens.
        hand.turn_after_skip = next_pending(hand, hand.big_blind)
    _close_if_nobody_can_bet(hand)


def open_next_street(hand: Hand, street: int) -> None:
    """The bets of the street are gathered, and the next round opens."""
    hand.street = street
    hand.drawn.clear()
    hand.commit.clear()
    hand.bet = hand.full_bet = 0
    hand.raise_size = least_bet(hand)
    open_round(hand)


def least_bet(hand: Hand) -> int:
    """The least bet of the street, in chips; 0 where the stakes do not say."""
    if hand.betting == "limit":
        return limit_bet(hand)
    stakes = hand.stakes
    return min(stakes.small_bet, stakes.big_blind) or stakes.big_blind  # where the least bet is not the blind


def limit_bet(hand: Hand) -> int:
    """The size of a bet and of a raise on this street of a limit game."""
    small_bet_streets = 2 if len(hand.game.streets) > 2 else 1
    return hand.stakes.small_bet if hand.street < small_bet_streets else hand.stakes.big_bet


def reopens(hand: Hand, house: HouseRules, added: int) -> bool:
    """Whether a bet that grew by this much since a player acted lets that player raise again."""
    least = house.short_all_in or ("half_raise" if hand.betting == "limit" else "full_raise")
    if least == "any":
        return True
    return (2 * added if least == "half_raise" else added) >= hand.raise_size


def next_pending(hand: Hand, seat: int) -> int:
    """The next seat clockwise of `seat` that owes an action; -1 if there is none."""
    pending = hand.pending
    if not pending:
        return -1
    first = -1
    for candidate in hand.sorted_seats:
        if candidate in pending:
            if candidate > seat:
                return candidate
            if first == -1:
                first = candidate
    return first


def in_turn(hand: Hand, seat: int) -> bool:
    """Whether an action of this seat is in turn; true where nobody can say whose turn it is."""
    turn = hand.turn
    return turn in (-1, seat) or hand.turn_after_skip == seat


def act(hand: Hand, event: PlayerActed) -> None:
    """A player's action, as it was made."""
    seat, amount = event.seat, event.amount
    due = in_turn(hand, seat)
    hand.acted_on_street = True
    hand.acted.add(seat)
    if seat not in hand.live and seat in hand.holding and seat not in hand.folded:
        hand.live.add(seat)  # dealt in without a right to it, and playing
    if due:
        hand.actions += 1
    if amount or event.all_in:
        _bet(hand, seat, amount, event.all_in)
    hand.pending.discard(seat)
    if event.action == "fold":
        hand.folded.add(seat)
        hand.live.discard(seat)
    if due:
        hand.turn, hand.turn_after_skip = next_pending(hand, seat), -1
    elif seat in hand.live or seat in hand.folded:
        # Out of turn: the action goes back to the player who was passed, or is let stand and goes on from here.
        hand.turn_after_skip = next_pending(hand, seat)
    if len(hand.pending) < 2 or len(hand.live) < 2:
        _close_if_nobody_can_bet(hand)


def _bet(hand: Hand, seat: int, amount: int, all_in: bool) -> None:
    _put_in(hand, seat, amount, all_in)
    level = hand.commit.get(seat, 0) + amount
    hand.commit[seat] = level
    if level > hand.bet:
        _raise_to(hand, level)
        hand.pending = hand.live - hand.all_in


def take_back(hand: Hand, seat: int, amount: int) -> None:
    """Chips of the bet that lies there go back, because it was too large: the others answer what is left of it."""
    level = hand.commit.get(seat, 0)
    if not level:
        return
    hand.commit[seat] = max(0, level - amount)
    if level == hand.bet:
        hand.bet = max(hand.commit.values())
        hand.full_bet = min(hand.full_bet, hand.bet)
        hand.raise_size = max(least_bet(hand), hand.raise_size - amount)


def _raise_to(hand: Hand, level: int) -> None:
    added = level - hand.bet
    if hand.full_bet and 2 * added >= hand.raise_size:
        hand.raises += 1  # completing a bring-in is a bet
    if added >= hand.raise_size or level >= hand.full_bet + hand.raise_size:
        hand.full_bet = level
        if hand.betting != "limit":
            hand.raise_size = max(added, hand.raise_size)
    hand.bet = level


def leave(hand: Hand, seat: int) -> None:
    """A hand is out of it without an action of its player: killed, timed out, thrown away."""
    hand.live.discard(seat)
    hand.pending.discard(seat)
    if hand.turn == seat:
        hand.turn = next_pending(hand, seat)
    if hand.turn_after_skip == seat:
        hand.turn_after_skip = next_pending(hand, seat)
    if hand.betting_started:
        _close_if_nobody_can_bet(hand)


def come_back(hand: Hand, seat: int, *, owes: bool) -> None:
    """A hand that was out of it is in again. Whose turn it is now, nobody can say."""
    hand.live.add(seat)
    if owes and hand.betting_started and seat not in hand.all_in:
        hand.pending.add(seat)
        hand.turn = hand.turn_after_skip = -1


def _close_if_nobody_can_bet(hand: Hand) -> None:
    if len(hand.live) <= 1:
        hand.pending.clear()
    elif len(hand.pending) == 1:
        # One player with chips against players who are all-in owes an action only while there is more to match.
        (seat,) = hand.pending
        others = hand.live - {seat}
        if others <= hand.all_in and hand.commit.get(seat, 0) >= max(hand.commit.get(s, 0) for s in others):
            hand.pending.clear()
    if not hand.pending:
        hand.turn = hand.turn_after_skip = -1
