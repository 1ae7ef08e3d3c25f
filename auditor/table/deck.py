"""Where each card is: one physical card lies in one place, and one that went back to the stub may come again."""

from __future__ import annotations

from auditor.cards import JOKER, UNREAD
from auditor.events import CardReturned, DeckShuffled
from auditor.table.hand import Hand, Place, PlaceKind

#: Which places a shuffle takes in, by the contract's name for the part of the deck.
_SHUFFLED_IN: dict[str, tuple[PlaceKind, ...]] = {
    "stub": ("rabbit", "loose"),
    "board": ("board",),
    "burns": ("burn",),
    "muck": ("muck",),
    "set_aside": ("set_aside",),
}


def lay(hand: Hand, card: str, kind: PlaceKind, number: int, seq: int) -> None:
    """A card that was read lies in a new place."""
    if card != UNREAD and card != JOKER:
        hand.where[card] = Place(kind, number, seq)


def give_back(hand: Hand, event: CardReturned) -> None:
    """A card leaves a hand, the board or the burns."""
    card = event.card
    if event.from_ == "seat":
        seat = event.seat if event.seat is not None else -1
        held = hand.holding.get(seat)
        if held:
            _take(held, card)
        hand.returned_from.add(seat)
    elif event.from_ == "board":
        hand.put_right.append(event.seq)
        _take_from_board(hand, card)
    else:
        hand.put_right.append(event.seq)
        _take(hand.burns, card)
        hand.burns_since = max(0, hand.burns_since - 1)
    _lay_returned(hand, event)


def _lay_returned(hand: Hand, event: CardReturned) -> None:
    card = event.card
    if event.to == "stub":
        hand.where.pop(card, None)
        hand.out -= 1
    elif event.to == "burn":
        hand.as_burn.add(card)
        lay(hand, card, "burn", 0, event.seq)
    elif event.to == "muck":
        lay(hand, card, "muck", -1, event.seq)
    else:
        lay(hand, card, "set_aside", 0, event.seq)


def _take(cards: list[str], card: str) -> None:
    if card in cards:
        cards.remove(card)
    elif cards and (card == UNREAD or UNREAD in cards):
        cards.remove(UNREAD) if UNREAD in cards else cards.pop()


def _take_from_board(hand: Hand, card: str) -> None:
    before = len(hand.board)
    _take(hand.board, card)
    if len(hand.board) == before:
        return
    if hand.surplus > 0:
        hand.surplus -= 1
    premature = [p for p in hand.premature if card not in p.cards and card != UNREAD]
    hand.taken_back = len(premature) == len(hand.premature)
    hand.premature = premature
    if not hand.board:
        board_cleared(hand)


def board_cleared(hand: Hand) -> None:
    """The whole flop went back: its burn stays on the table, so the new flop is dealt with no burn."""
    hand.surplus = 0
    hand.premature = []
    hand.burns_due_none = True


def shuffle(hand: Hand, event: DeckShuffled) -> None:
    """A shuffle within the hand: what it takes in may come again."""
    hand.reshuffled, hand.cut = True, False
    hand.burns_due_none = True
    includes = event.includes or ("stub",)
    if "board" in includes and hand.board:
        hand.board.clear()
        board_cleared(hand)
    taken_in = {kind for part in includes for kind in _SHUFFLED_IN[part]}
    for card in [card for card, place in hand.where.items() if place.kind in taken_in]:
        del hand.where[card]
        hand.out -= 1
