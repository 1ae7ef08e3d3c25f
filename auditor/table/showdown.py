"""The showdown: how strong a hand is, by the game's own ranking.

The evaluation is phevaluator's. It is asked at a showdown with known cards only, never while a hand is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from phevaluator import Card, evaluate_cards, evaluate_omaha_cards

from auditor.cards import STANDARD_DECK, is_face
from auditor.games import Game
from auditor.table.hand import Hand

#: The evaluator's own number of each card: told once, because reading a card costs it more than judging a hand.
_NUMBER = {card: Card.to_id(card) for card in STANDARD_DECK}

#: How strong: the less, the better.
Key = tuple[int, ...]

_LOW_RANKS = {rank: number for number, rank in enumerate("A23456789TJQK", 1)}
_WHEEL = frozenset("A2345")
_SHORT_WHEEL = frozenset("A6789")
#: Where the evaluator's numbers of full houses, flushes, straights and three of a kind begin, and the last one's end.
_FULL_HOUSE, _FLUSH, _STRAIGHT, _TRIPS, _TWO_PAIR = 167, 323, 1600, 1610, 2468


class Strength(NamedTuple):
    """What a hand is worth on each side of the pot; None where the game has no such side, or the hand no low."""

    high: Key | None
    low: Key | None


def sides(game: Game) -> tuple[str, ...]:
    """Into which sides a pot of this game is split: fields of `Strength`."""
    if game.showdown in ("hilo", "hilo_two_from_hand"):
        return ("high", "low")
    return ("low",) if game.showdown in ("ace_to_five", "deuce_to_seven", "badugi") else ("high",)


def boards(hand: Hand) -> list[tuple[str, ...]]:
    """The boards as they lie at a showdown, one where the game has none; none at all where one is not whole and known.

    A board that was run again holds the cards that differ; the first ones are those of the first board.
    """
    if not hand.game.has_board:
        return [tuple(hand.board)]
    whole = hand.game.board_through[-1]
    first = hand.board
    if len(first) != whole or hand.surplus or hand.premature:
        return []
    lying = [tuple(first)]
    for again in hand.boards.values():
        if len(again) not in (1, 2, whole):
            return []
        lying.append((*first[: whole - len(again)], *again))
    return lying if all(is_face(card) for board in lying for card in board) else []


def cards_of(hand: Hand, seat: int) -> tuple[str, ...]:
    """The cards that a seat plays, shown or read; none where they are not all known."""
    size = sum(street.down + street.up for street in hand.game.streets)
    held: Sequence[str] = hand.holding.get(seat, ())
    if hand.game.button:
        shown = hand.shown.get(seat, ())
        held = shown if len(shown) == size else held
    elif hand.board:
        size -= len(hand.board)  # a card for all took the place of the last one
    return tuple(held) if len(held) == size and all(map(is_face, held)) else ()


def has_shown(hand: Hand, seat: int) -> bool:
    """The seat has shown the whole of a hand that is known."""
    cards = cards_of(hand, seat)
    shown = hand.shown.get(seat)
    if not cards or not shown:
        return False
    return not hand.game.button or len(shown) == len(cards)


def strength(game: Game, hole: Sequence[str], board: Sequence[str], *, trips_first: bool = False) -> Strength | None:
    """What a hand is worth on a board; None where a card is there twice, or is no card of a rank.

    `trips_first`: in short deck, three of a kind beat a straight.
    """
    cards = (*hole, *board)
    if len(set(cards)) < len(cards) or not all(map(is_face, cards)):
        return None
    match game.showdown:
        case "high" if len(game.deck) < 52:
            return Strength(_best_in_short_deck(cards, trips_first), None)
        case "high":
            return Strength((_high(cards),), None)
        case "high_two_from_hand":
            return Strength((_two_from_hand(hole, board),), None)
        case "hilo_two_from_hand":
            fives = ((*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3))
            return Strength((_two_from_hand(hole, board),), _eight_or_better(fives))
        case "hilo":
            return Strength((_high(cards),), _eight_or_better(combinations(cards, 5)))
        case "ace_to_five":
            return Strength(None, min(_ace_to_five(five) for five in combinations(cards, 5)))
        case "deuce_to_seven":
            return Strength(None, min(_deuce_to_seven(five) for five in combinations(cards, 5)))
        case "badugi":
            return Strength(None, _badugi(cards))


def _high(cards: Iterable[str]) -> int:
    """The rank of the best five of five to seven cards."""
    rank: int = evaluate_cards(*[_NUMBER[card] for card in cards])
    return rank


def _two_from_hand(hole: Sequence[str], board: Sequence[str]) -> int:
    """The rank of the best hand of two of the hole cards, four or more, and three of the board."""
    rank: int = min(evaluate_omaha_cards(*board, *four) for four in combinations(hole, 4))
    return rank


def _best_in_short_deck(cards: tuple[str, ...], trips_first: bool) -> Key:
    """Of seven cards; where neither a flush nor the lowest straight is there, short deck ranks as other games do."""
    suits = [card[1] for card in cards]
    flush = any(suits.count(suit) >= 5 for suit in set(suits))
    if trips_first or flush or _SHORT_WHEEL.issubset(card[0] for card in cards):
        return min(_short_deck(five, trips_first) for five in combinations(cards, 5))
    return _by_short_ranking(_high(cards), trips_first)


def _short_deck(five: tuple[str, ...], trips_first: bool) -> Key:
    """A flush beats a full house, and the ace stands below the six in the lowest straight."""
    if {card[0] for card in five} == _SHORT_WHEEL:
        five = tuple("5" + card[1] if card[0] == "A" else card for card in five)
    return _by_short_ranking(_high(five), trips_first)


def _by_short_ranking(value: int, trips_first: bool) -> Key:
    if _FULL_HOUSE <= value < _FLUSH:
        return (_STRAIGHT - 1, value)
    if trips_first and _STRAIGHT <= value < _TRIPS:
        return (_TWO_PAIR - 1, value)
    return (value, 0)


def _ace_to_five(five: Iterable[str]) -> Key:
    """Aces are low, and straights and flushes are nothing."""
    counts = Counter(_LOW_RANKS[card[0]] for card in five)
    ranked = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    pattern = tuple(count for count, _ in ranked)
    return (*pattern, *(0,) * (5 - len(pattern)), *(rank for _, rank in ranked))


def _eight_or_better(fives: Iterable[tuple[str, ...]]) -> Key | None:
    return min(
        (key for five in fives if (key := _ace_to_five(five))[:5] == (1, 1, 1, 1, 1) and key[5] <= 8), default=None
    )


def _badugi(cards: Sequence[str]) -> Key:
    """As many cards as differ in suit and rank, then the lowest of them, the highest card first; aces are low."""
    for size in range(len(cards), 0, -1):
        whole = (
            tuple(sorted((_LOW_RANKS[card[0]] for card in some), reverse=True))
            for some in combinations(cards, size)
            if len({card[0] for card in some}) == len({card[1] for card in some}) == size
        )
        if (best := min(whole, default=None)) is not None:
            return (-size, *best)
    return ()  # of no cards


def _deuce_to_seven(five: tuple[str, ...]) -> Key:
    """The worst high hand; aces are high, so that ace to five is no straight, and next to ace-six high."""
    if {card[0] for card in five} == _WHEEL:
        nearest = tuple("6" + card[1] if card[0] == "5" else card for card in five)
        return (-2 * _high(nearest) - 1,)
    return (-2 * _high(five),)
