"""The betting of one hand, kept legal by pokerkit: whose turn it is, what is allowed, which pots there are."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Literal, NamedTuple

from pokerkit import Automation, BettingStructure, Deck, Mode, Opening, StandardHighHand, State, Street

from auditor.simulate.plan import HandPlan, Posts, Pot
from auditor.simulate.player import Turn

PostKind = Literal["ante", "small_blind", "big_blind", "straddle"]
Action = Literal["fold", "check", "call", "bet", "raise"]

# pokerkit keeps the betting alone: the cards are dealt elsewhere, so here it deals as few as it can.
_AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
)
_DECK = Deck.ROYAL_HOLDEM
_STREETS = 4
MOST_LIMIT_RAISES = 4

_STRUCTURES = {
    "no_limit": BettingStructure.NO_LIMIT,
    "pot_limit": BettingStructure.POT_LIMIT,
    "limit": BettingStructure.FIXED_LIMIT,
}


class Post(NamedTuple):
    """A forced bet."""

    seat: int
    kind: PostKind
    amount: int


class Act(NamedTuple):
    """An action as it was made; `amount` is what it adds to the pot."""

    seat: int
    action: Action
    amount: int
    all_in: bool
    high: int  # the bet that it met
    to: int  # what the seat has bet on the street with it
    least_to: int  # to what a full raise had to go


class _Actor(NamedTuple):
    """The player to act, as he is before he acts."""

    seat: int
    stack: int
    high: int
    least_to: int


class Rounds:
    """The betting rounds of one hand."""

    def __init__(self, plan: HandPlan, straddler: int | None) -> None:
        self._plan = plan
        self._seats = plan.dealt
        self.posts = _posts(plan, straddler)
        self._state = _open(plan, self._seats, self.posts)
        self._straddle = 2 * plan.setting.big_blind if straddler is not None else 0
        self._street = 0
        self._raises = 0
        self._short = False  # somebody went all-in for less than a full raise
        self._paid: dict[int, int] = {}  # on this street
        for post in self.posts:
            if post.kind != "ante":
                self._paid[post.seat] = self._paid.get(post.seat, 0) + post.amount
        self.total = sum(post.amount for post in self.posts)

    @property
    def street(self) -> int:
        """The street whose betting is open, or was the last: 0 before the flop."""
        return self._state.street_index or 0

    @property
    def live(self) -> list[int]:
        """Seats that have not folded, in the order of the deal."""
        return [seat for seat, alive in zip(self._seats, self._state.statuses, strict=True) if alive]

    def turn(self) -> Turn | None:
        """Whose turn it is and what is allowed; None when the betting is over."""
        state, index = self._state, self._state.actor_index
        if index is None:
            return None
        self._turn_street()
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        if least is None or most is None or self._short:
            least = most = 0
        elif self._straddle and self.street == 0:
            # A raise over a straddle raises by the straddle at least: that is right wherever one plays.
            least = min(most, max(least, max(state.bets) + self._straddle))
        return Turn(
            seat=self._seats[index],
            to_call=state.checking_or_calling_amount or 0,
            least_to=least,
            most_to=most,
            high=max(state.bets),
            pot=self.total,
            raises=self._raises,
            stack=self._state.stacks[index],
            street=self.street,
            preflop=self.street == 0,
        )

    def _turn_street(self) -> None:
        if self.street != self._street:
            self._street, self._raises, self._short = self.street, 0, False
            self._paid.clear()

    def fold(self) -> Act:
        actor = self._actor()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a fouled hand is given up even where a check is free
            self._state.fold()
        return self._acted(actor, "fold", 0)

    def check_or_call(self) -> Act:
        actor = self._actor()
        amount = self._state.checking_or_calling_amount or 0
        self._state.check_or_call()
        return self._acted(actor, "call" if amount else "check", amount)

    def raise_to(self, to: int) -> Act:
        actor, state = self._actor(), self._state
        amount = to - state.bets[self._seats.index(actor.seat)]
        state.complete_bet_or_raise_to(to)
        self._raises += 1
        self._short = self._short or to < actor.least_to
        return self._acted(actor, "raise" if actor.high else "bet", amount)

    def _actor(self) -> _Actor:
        state = self._state
        index = state.actor_index
        if index is None:
            raise ValueError("the betting is over: nobody can act")
        least = state.streets[self.street].min_completion_betting_or_raising_amount
        high = max(state.bets)
        step = max(state.completion_betting_or_raising_amount, least)
        return _Actor(self._seats[index], state.stacks[index], high, high + step)

    def _acted(self, actor: _Actor, action: Action, amount: int) -> Act:
        seat = actor.seat
        self._paid[seat] = self._paid.get(seat, 0) + amount
        self.total += amount
        return Act(seat, action, amount, 0 < amount == actor.stack, actor.high, self._paid[seat], actor.least_to)

    def uncalled(self) -> tuple[int, int] | None:
        """Seat and chips of a bet that nobody called, once the betting is over."""
        high, second = sorted((*self._paid.values(), 0, 0), reverse=True)[:2]
        if high == second:
            return None
        return next(seat for seat, paid in self._paid.items() if paid == high), high - second

    def pots(self) -> list[Pot]:
        """Main and side pots of a showdown, without what was uncalled."""
        return [Pot(pot.amount, tuple(self._seats[i] for i in pot.player_indices)) for pot in self._state.pots]


def _posts(plan: HandPlan, straddler: int | None) -> list[Post]:
    setting = plan.setting
    small, big = plan.blinds
    posts = [Post(seat, "ante", setting.ante) for seat in plan.dealt if setting.ante]
    if setting.big_blind_ante:
        posts.append(Post(big, "ante", setting.big_blind_ante))
    blinds: Posts = plan.posts or ((small, setting.small_blind), (big, setting.big_blind))
    kinds: tuple[PostKind, PostKind] = ("small_blind", "big_blind")
    posts += [Post(post[0], kind, post[1]) for kind, post in zip(kinds, blinds, strict=True) if post is not None]
    if straddler is not None:
        posts.append(Post(straddler, "straddle", 2 * setting.big_blind))
    return posts


def _open(plan: HandPlan, seats: list[int], posts: list[Post]) -> State:
    antes, blinds = [0] * len(seats), [0] * len(seats)
    for post in posts:
        (antes if post.kind == "ante" else blinds)[seats.index(post.seat)] += post.amount
    if len(seats) == 2:  # pokerkit takes the forced bets of two players the other way round
        antes.reverse()
        blinds.reverse()
    betting, big = plan.setting.betting, plan.setting.big_blind
    return State(
        _AUTOMATIONS,
        _DECK,
        (StandardHighHand,),
        tuple(_street(index, betting == "limit", big) for index in range(_STREETS)),
        _STRUCTURES[betting],
        False,
        antes,
        blinds,
        0,
        [plan.holder(seat).stack for seat in seats],
        len(seats),
        mode=Mode.CASH_GAME,
    )


@cache
def _street(index: int, limit: bool, big_blind: int) -> Street:
    least = 2 * big_blind if limit and index >= 2 else big_blind
    hole = (False,) if index == 0 else ()
    return Street(False, hole, min(index, 1), False, Opening.POSITION, least, MOST_LIMIT_RAISES if limit else None)
