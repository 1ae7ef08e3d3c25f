"""Who has the better hand: the product's ranking beside pokerkit's, game by game."""

from __future__ import annotations

from random import Random

import pokerkit
import pytest

from auditor.cards import RANKS, SUITS
from auditor.games import GAMES
from auditor.table.showdown import Key, sides, strength

HANDS = 150

# By game: how pokerkit ranks the high and the low side, cards held, cards on the board.
ORACLES = {
    "holdem": (pokerkit.StandardHighHand, None, 2, 5),
    "short_deck": (pokerkit.ShortDeckHoldemHand, None, 2, 5),
    "omaha": (pokerkit.OmahaHoldemHand, None, 4, 5),
    "omaha_hilo": (pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand, 4, 5),
    "stud": (pokerkit.StandardHighHand, None, 7, 0),
    "razz": (None, pokerkit.RegularLowHand, 7, 0),
    "stud_hilo": (pokerkit.StandardHighHand, pokerkit.EightOrBetterLowHand, 7, 0),
    "lowball_a5": (None, pokerkit.RegularLowHand, 5, 0),
    "lowball_27": (None, pokerkit.StandardLowHand, 5, 0),
    "draw_high": (pokerkit.StandardHighHand, None, 5, 0),
    "omaha5": (pokerkit.OmahaHoldemHand, None, 5, 5),
    "omaha5_hilo": (pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand, 5, 5),
    "omaha6": (pokerkit.OmahaHoldemHand, None, 6, 5),
    "triple_draw_27": (None, pokerkit.StandardLowHand, 5, 0),
    "badugi": (None, pokerkit.BadugiHand, 4, 0),
}


def oracle(kind: type[pokerkit.Hand], hole: list[str], board: list[str]) -> pokerkit.Hand | None:
    try:
        return kind.from_game("".join(hole), "".join(board))
    except ValueError:
        return None  # no low


@pytest.mark.parametrize("game", GAMES)
def test_hands_are_ranked_as_pokerkit_ranks_them(game: str) -> None:
    high, low, held, on_board = ORACLES[game]
    rng, deck = Random(game), sorted(GAMES[game].deck)
    for _ in range(HANDS):
        # given two hands on one board
        cards = rng.sample(deck, 2 * held + on_board)
        one, other, board = cards[:held], cards[held : 2 * held], cards[2 * held :]
        values = strength(GAMES[game], one, board), strength(GAMES[game], other, board)
        # then on each side of the pot the same one is better
        for side, kind in (("high", high), ("low", low)):
            if kind is not None:
                ours = [getattr(value, side) for value in values]
                theirs = [oracle(kind, hole, board) for hole in (one, other)]
                assert [key is None for key in ours] == [hand is None for hand in theirs]
                if None not in theirs:
                    assert (ours[0] < ours[1], ours[0] == ours[1]) == (theirs[0] > theirs[1], theirs[0] == theirs[1])


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_judged_on_the_sides_that_it_has(game: str) -> None:
    high, low, *_ = ORACLES[game]
    assert sides(GAMES[game]) == tuple(name for name, kind in (("high", high), ("low", low)) if kind is not None)


def test_ace_to_five_is_no_straight_where_it_is_played_for_low_with_high_aces() -> None:
    # given hands around the wheel, the best one first
    hands = ["Kc Qd Jh Td 8s", "Ac 5d 4h 3d 2s", "Ac 6d 4h 3d 2s", "2c 2d 3h 4d 5s", "6c 5d 4h 3d 2s"]
    hands += ["Ac 5c 4c 3c 2c", "Ac 6c 4c 3c 2c"]
    # then each beats the next
    keys = [strength(GAMES["lowball_27"], hand.split(), ()) for hand in hands]
    lows = [key.low for key in keys if key is not None and key.low is not None]
    assert lows == sorted(lows)
    assert len(set(lows)) == len(hands)


def test_the_house_decides_between_a_straight_and_three_of_a_kind_in_short_deck() -> None:
    game, board = GAMES["short_deck"], ["6c", "7d", "9h", "9s", "Kd"]
    straight, trips, full = ["8h", "Td"], ["9d", "Qc"], ["Kc", "Kh"]

    def key(hole: list[str], *, trips_first: bool) -> Key:
        value = strength(game, hole, board, trips_first=trips_first)
        assert value is not None
        assert value.high is not None
        return value.high

    assert key(straight, trips_first=False) < key(trips, trips_first=False)
    assert key(straight, trips_first=True) > key(trips, trips_first=True)
    # a full house is above both, whichever it is
    assert all(key(full, trips_first=first) < key(straight, trips_first=first) for first in (True, False))


def test_a_card_that_is_there_twice_makes_no_hand() -> None:
    board = [rank + suit for rank, suit in zip(RANKS, SUITS * 2, strict=False)][:5]
    assert strength(GAMES["holdem"], [board[0], "As"], board) is None
    assert strength(GAMES["holdem"], ["??", "As"], board) is None
