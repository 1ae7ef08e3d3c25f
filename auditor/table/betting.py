"""Betting rounds: who owes an action, what there is to match, what a full raise is.

The state follows what was done, legal or not. `hand.turn` is -1 when no action is due or nobody can say whose it is.
"""

from __future__ import annotations

from dataclasses import replace

from auditor.events import ForcedBetPosted, PlayerActed
from auditor.house import HouseRules
from auditor.table.hand import Hand, Raised

_DEAD = ("ante", "dead_blind")  # chips for the pot that count for no bet


def post(hand: Hand, event: ForcedBetPosted) -> None:
    """A forced bet goes in."""
    _put_in(hand, event.seat, event.amount, event.all_in)
    _count(hand, event)


def _count(hand: Hand, event: ForcedBetPosted) -> None:
    """What a forced bet is: a blind of the hand, a bet to match, chips for the pot."""
    seat, amount = event.seat, event.amount
    if event.kind == "small_blind":
        hand.small_blind = seat
    elif event.kind == "big_blind" and _is_the_blind(hand, seat):
        hand.big_blind = hand.last_blind = seat
    hand.posts.append(event)
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
    if event.kind == "straddle" or (event.kind == "small_blind" and hand.last_blind == -1):
        hand.last_blind = seat
    if level > hand.bet:
        hand.bet = level
        if event.kind != "bring_in":  # a bring-in is less than a bet: the next player may complete it to one
            hand.full_bet = level


def _is_the_blind(hand: Hand, seat: int) -> bool:
    """Whether a big blind is the one of the hand: an extra one, which a player posts to come in, is not."""
    behind_button = hand.order[:2]
    return seat in behind_button or not any(
        post.kind == "big_blind" and post.seat in behind_button for post in hand.posts
    )


def take_back_post(hand: Hand, seat: int, amount: int) -> None:
    """A forced bet is put right before anybody acts: it counts for what is left of it, if anything."""
    mine = [post for post in reversed(hand.posts) if post.seat == seat and post.amount >= amount]
    if not mine:
        return
    wrong = next((post for post in mine if post.amount == amount), mine[0])
    hand.all_in.discard(seat)
    if hand.small_blind == seat:
        hand.small_blind = None
    if hand.big_blind == seat:
        hand.big_blind = None
    posts, hand.posts = hand.posts, []
    hand.commit.clear()
    hand.dead_chips.clear()
    hand.bet = hand.full_bet = hand.raise_size = 0
    hand.last_blind, hand.straddled = -1, False
    for post in posts:
        if post is not wrong:
            _count(hand, post)
        elif post.amount > amount:
            _count(hand, replace(post, amount=post.amount - amount))


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
    hand.out_of_order.clear()
    hand.raises = 0
    hand.raised = None
    if hand.bomb_pot and hand.street == 0:
        return  # the betting begins on the flop
    hand.pending = hand.live - hand.all_in
    opening = hand.game.streets[hand.street].opening
    if opening == "bring_in":
        # Who brought it in has acted, unless somebody raises it.
        hand.pending.difference_update(post.seat for post in hand.posts if post.kind == "bring_in")
    hand.turn = hand.turn_after_skip = -1
    if opening == "after_blinds":
        _open_behind_blinds(hand)
    elif opening == "left_of_button" and hand.button is not None:
        hand.turn = next_pending(hand, hand.button)
    _close_if_nobody_can_bet(hand)


def _open_behind_blinds(hand: Hand) -> None:
    """The seat behind the last of the blinds opens; where there are none, the seat behind the button."""
    posted = [post.seat for post in hand.posts if post.kind == "big_blind"]
    if not posted and hand.stakes.big_blind and not _calls_unposted(hand) and (hand.last_blind != -1 or not hand.posts):
        return  # it is missing: whether the seat that owes it or the next one opens, nobody can say
    if hand.last_blind != -1:
        hand.turn = next_pending(hand, hand.last_blind)
    elif hand.button is not None:
        hand.turn = next_pending(hand, hand.button)
    if hand.straddled and hand.big_blind is not None:
        # After a straddle from elsewhere than the left of the big blind, houses differ on who opens.
        hand.turn_after_skip = next_pending(hand, hand.big_blind)
    elif len(posted) > 1:
        # Of two big blinds, the first is the hand's where the small blind is dead.
        first = next((seat for seat in hand.order if seat in posted), posted[0])
        hand.turn_after_skip = next_pending(hand, first)


def _calls_unposted(hand: Hand) -> bool:
    """The last chips of the big blind went into the ante: the others call a whole blind all the same."""
    if len(hand.order) < 2:
        return False
    big = hand.order[1] if len(hand.order) > 2 else hand.order[0]
    if big not in hand.all_in:
        return False
    hand.last_blind = big
    hand.bet = hand.full_bet = max(hand.bet, hand.stakes.big_blind)
    hand.raise_size = max(hand.raise_size, hand.stakes.big_blind)
    return True


def open_next_street(hand: Hand, street: int) -> None:
    """The bets of the street are gathered, and the next round opens."""
    hand.street = street
    hand.drawn.clear()
    hand.commit.clear()
    hand.bet = hand.full_bet = 0
    hand.raise_size = least_bet(hand)
    open_round(hand)


def go_on(hand: Hand, acted: set[int]) -> None:
    """The round that has just been opened was under way: these seats have acted in it."""
    hand.acted_on_street = True
    hand.acted = set(acted)
    hand.pending -= acted
    hand.turn = next_pending(hand, hand.button) if hand.button is not None else -1


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
    """Whether an action of this seat is in turn, or puts one right; true where nobody can say whose turn it is."""
    return _has_the_action(hand, seat) or seat in hand.out_of_order or _makes_up(hand, seat)


def _has_the_action(hand: Hand, seat: int) -> bool:
    turn = hand.turn
    return turn in (-1, seat) or hand.turn_after_skip == seat


def _makes_up(hand: Hand, seat: int) -> bool:
    """A call that was short, or a raise that was, is completed by the player who made it."""
    if seat in hand.pending or seat not in hand.acted:
        return False
    paid = hand.commit.get(seat, 0)
    if paid < hand.bet:
        return True
    return paid == hand.bet > hand.full_bet and hand.raised is not None and hand.raised.seat == seat


def act(hand: Hand, event: PlayerActed) -> None:
    """A player's action, as it was made."""
    seat = event.seat
    due = _has_the_action(hand, seat)
    makes_up = not due and _makes_up(hand, seat)
    hand.acted_on_street = True
    hand.acted.add(seat)
    if seat not in hand.live and seat in hand.holding and seat not in hand.folded:
        hand.live.add(seat)  # dealt in without a right to it, and playing
    if event.amount or event.all_in:
        _bet(hand, event)
    hand.pending.discard(seat)
    if event.action == "fold":
        hand.folded.add(seat)
        hand.live.discard(seat)
    if due:
        hand.actions += 1
        hand.turn, hand.turn_after_skip = next_pending(hand, seat), -1
        if hand.out_of_order:
            hand.out_of_order.discard(seat)
    elif seat in hand.live or seat in hand.folded:
        if not makes_up:
            _act_out_of_turn(hand, seat)
        hand.turn_after_skip = next_pending(hand, seat)
    if len(hand.pending) < 2 or len(hand.live) < 2:
        _close_if_nobody_can_bet(hand)


def _act_out_of_turn(hand: Hand, seat: int) -> None:
    """The action goes back to the player who was passed, or is let stand and goes on from here.

    Whoever was passed may act when the action comes back, and whoever acted may do so again in turn.
    """
    if seat in hand.out_of_order:
        hand.actions += 1
        hand.out_of_order.discard(seat)
        return
    turn = hand.turn
    passed = {s for s in hand.pending if (turn <= s < seat if turn < seat else s >= turn or s < seat)}
    hand.out_of_order.update(passed, (seat,))


def _bet(hand: Hand, event: PlayerActed) -> None:
    seat = event.seat
    _put_in(hand, seat, event.amount, event.all_in)
    level = hand.commit.get(seat, 0) + event.amount
    hand.commit[seat] = level
    if level <= hand.bet or (event.action == "call" and seat not in hand.all_in):
        return  # of a call, what is too much is no raise
    if hand.raised is not None and hand.raised.seat == seat:
        _undo(hand, hand.raised)  # it is made up to what it should have been: one raise
    else:
        hand.raised = Raised(seat, hand.pending, hand.bet, hand.full_bet, hand.raise_size, hand.raises)
    _raise_to(hand, level)
    hand.pending = hand.live - hand.all_in


def check_by_clock(hand: Hand, seat: int) -> None:
    """The clock ran out on a player who faces no bet: he has checked. The feed may report that check besides."""
    hand.actions += 1
    hand.acted_on_street = True
    hand.acted.add(seat)
    hand.pending.discard(seat)
    hand.turn, hand.turn_after_skip = next_pending(hand, seat), seat
    if len(hand.pending) < 2:
        _close_if_nobody_can_bet(hand)


def take_back(hand: Hand, seat: int, amount: int) -> None:
    """Chips of the bet that lies there go back, because it was too large: the others answer what is left of it."""
    level = hand.commit.get(seat, 0)
    if not level:
        return
    left = hand.commit[seat] = max(0, level - amount)
    raised = hand.raised
    if raised is not None and raised.seat == seat and level == hand.bet:
        _undo(hand, raised)
        if left > hand.bet:
            _raise_to(hand, left)
        else:
            _answered(hand, raised)
    elif level == hand.bet:
        hand.bet = max(hand.commit.values())
        hand.full_bet = min(hand.full_bet, hand.bet)
        hand.raise_size = max(least_bet(hand), hand.raise_size - amount)
    if left <= hand.bet:
        hand.out_of_order.add(seat)  # with the chips the action may have gone back


def _undo(hand: Hand, raised: Raised) -> None:
    hand.bet, hand.full_bet = raised.bet, raised.full_bet
    hand.raise_size, hand.raises = raised.raise_size, raised.raises


def _answered(hand: Hand, raised: Raised) -> None:
    """Nothing is left of a raise: only those must act who had to before it."""
    hand.raised = None
    hand.pending = hand.pending & raised.pending
    if hand.turn not in hand.pending and hand.turn != -1:
        hand.turn = next_pending(hand, raised.seat)
    if hand.turn_after_skip not in hand.pending:
        hand.turn_after_skip = -1
    _close_if_nobody_can_bet(hand)


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
