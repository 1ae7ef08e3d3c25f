"""A loose player who bets at random, with weights that let every street and every way of ending a hand occur."""

from __future__ import annotations

from random import Random
from typing import Literal, NamedTuple


class Turn(NamedTuple):
    """What a player sees when it is his turn. Amounts `…_to` are totals of the street; 0: no raise is allowed."""

    seat: int
    to_call: int
    least_to: int
    most_to: int
    high: int  # the bet to match
    pot: int
    raises: int  # raises of this street so far
    stack: int  # behind
    street: int  # 0 before the flop
    preflop: bool


class Decision(NamedTuple):
    """What the player does. `raise_to` is the street's total that a bet or raise makes."""

    move: Literal["fold", "check_or_call", "raise"]
    raise_to: int = 0


_ALL_IN_RATE = 0.05


def decide(rng: Random, turn: Turn, looseness: float) -> Decision:
    """A move at random; the looser the player, the more hands see it through."""
    roll = rng.random()
    raising = (0.16 if turn.preflop else 0.30 if turn.to_call == 0 else 0.13) / (1 + turn.raises)
    if turn.most_to and roll < raising:
        return Decision("raise", _size(rng, turn))
    if turn.to_call == 0:
        return Decision("check_or_call")
    folding = (0.75 if turn.preflop else 0.62) - 0.35 * looseness
    cheap = turn.to_call * 4 <= turn.pot
    return Decision("fold" if rng.random() < (folding * 0.7 if cheap else folding) else "check_or_call")


def _size(rng: Random, turn: Turn) -> int:
    if rng.random() < _ALL_IN_RATE:
        return turn.most_to
    pot_after_call = turn.pot + turn.to_call
    wished = turn.high + int(pot_after_call * rng.choice((0.33, 0.5, 0.66, 1.0)))
    wished -= wished % 10
    return min(max(wished, turn.least_to), turn.most_to)
