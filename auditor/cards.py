"""Cards as the contract writes them: `As`, `Td`, a joker `Jk`, and `??` for a face nobody read."""

from __future__ import annotations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "Jk"
UNREAD = "??"

#: What a card may look like in an event.
CARD_PATTERN = r"^(?:[2-9TJQKA][cdhs]|Jk|\?\?)$"

STANDARD_DECK: frozenset[str] = frozenset(rank + suit for rank in RANKS for suit in SUITS)
SHORT_DECK: frozenset[str] = frozenset(rank + suit for rank in RANKS[4:] for suit in SUITS)

_RANK_NAMES = {
    "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
    "2": "deuce", "3": "three", "4": "four", "5": "five",
    "6": "six", "7": "seven", "8": "eight", "9": "nine",
}  # fmt: skip
_SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def spoken(card: str) -> str:
    """The card as a floor manager says it: `ace of spades`."""
    if card == JOKER:
        return "joker"
    if card == UNREAD:
        return "unread card"
    return f"{_RANK_NAMES[card[0]]} of {_SUIT_NAMES[card[1]]}"


def is_face(card: str) -> bool:
    """True for a card with a rank and a suit: neither a joker nor an unread card."""
    return card != UNREAD and card != JOKER
