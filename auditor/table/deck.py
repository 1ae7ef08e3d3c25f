"""Where each card is: one physical card lies in one place, and one that went back to the stub may come again."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.cards import JOKER, UNREAD
from auditor.events import CardItem, CardReturned, DeckShuffled
from auditor.table.hand import Hand, Place, PlaceKind, PutRight, Repair

#: Ids of physical cards that a table remembers: some decks and their spares.
_MOST_TAGS = 1024

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


def tag(hand: Hand, card: str, card_id: str) -> None:
    """A physical card's own id was read along with its face."""
    if card == UNREAD:
        return
    if len(hand.tags) >= _MOST_TAGS:
        hand.tags.clear()
    faces = hand.tags.get(card_id, ())
    if card not in faces:  # one that was read as another before stays known as both: it is told once
        hand.tags[card_id] = (*faces, card)
    if card != JOKER:
        hand.tag_of[card] = card_id


def tag_all(hand: Hand, items: Iterable[CardItem]) -> None:
    """A list of cards, of which some may carry their own ids."""
    for item in items:
        if not isinstance(item, str) and item.card_id is not None:
            tag(hand, item.card, item.card_id)


def give_back(hand: Hand, event: CardReturned) -> None:
    """A card leaves a hand, the board or the burns."""
    card = event.card
    if event.from_ == "seat":
        seat = event.seat if event.seat is not None else -1
        held = hand.holding.get(seat)
        if held:
            _take(held, card)
        hand.returned_from.add(seat)
    elif hand.awarded:
        pass  # the cards are gathered in: the board is what it was
    elif event.from_ == "board":
        _note_put_right(hand, event)
        _take_from_board(hand, event)
    else:
        _note_put_right(hand, event)
        _take(hand.burns, card)
        hand.burns_since = max(0, hand.burns_since - 1)
        if hand.repair is not None and event.to == "stub" and not hand.burns:
            hand.repair.burn_given_back = True
    _lay_returned(hand, event)


def _note_put_right(hand: Hand, event: CardReturned) -> None:
    premature = any(event.card in early.cards for early in hand.premature)
    hand.put_right.append(PutRight(event.seq, hand.street, hand.actions, premature))


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


def _take_from_board(hand: Hand, event: CardReturned) -> None:
    card, before = event.card, len(hand.board)
    _take(hand.board, card)
    if len(hand.board) == before:
        return
    if hand.surplus > 0:
        hand.surplus -= 1
    premature = [p for p in hand.premature if card not in p.cards and card != UNREAD]
    hand.taken_back = len(premature) == len(hand.premature)
    if not hand.taken_back:
        _begin_repair(hand, max(p.street for p in hand.premature if p not in premature), card, event.to, event.seq)
    hand.premature = premature
    if not hand.board:
        board_cleared(hand)
        _begin_repair(hand, 1, card, event.to, event.seq)


def _begin_repair(hand: Hand, street: int, card: str, to: str, seq: int) -> None:
    """The cards of a street left the board, and it is to be dealt again."""
    under_way = hand.repair
    if under_way is not None and under_way.street == street and not under_way.replaced:
        under_way.card, under_way.to = card, to
    else:
        hand.repair = Repair(street, card, to, seq, burned=bool(hand.burns or hand.as_burn))


def board_cleared(hand: Hand) -> None:
    """The whole flop went back: its burn stays on the table, so the new flop is dealt with no burn."""
    hand.surplus = 0
    hand.premature = []
    hand.burns_due_none = True


def shuffle(hand: Hand, event: DeckShuffled) -> None:
    """A shuffle within the hand: what it takes in may come again."""
    if hand.voided:
        hand.preparation.shuffle(event)  # for the hand that is dealt in its place
        return
    repairs = hand.repair is not None and not hand.preparation.deck  # a deck that nobody named is this one
    if not repairs and hand.preparation.within_hand(cards_out=hand.out > 0, deck_id=event.deck_id):
        hand.preparation.shuffle(event)  # before the first card, or of the deck that is to be dealt next
        if hand.out == 0:
            hand.reshuffled, hand.cut, hand.deck_order = True, False, ()
        return
    hand.reshuffled, hand.cut, hand.deck_order = True, False, ()
    hand.burns_due_none = True
    includes = set(event.includes or ("stub",))
    if hand.repair is not None and hand.repair.street > 1:
        includes.discard("board")  # the card that left the board, and not those that lie on it
    elif "board" in includes and hand.board:
        _begin_repair(hand, 1, hand.board[-1], "stub", event.seq)
        hand.board.clear()
        board_cleared(hand)
    _note_shuffle(hand.repair, event)
    taken_in = {kind for part in includes for kind in _SHUFFLED_IN[part]}
    for card in [card for card, place in hand.where.items() if place.kind in taken_in]:
        del hand.where[card]
        hand.out -= 1


def _note_shuffle(repair: Repair | None, event: DeckShuffled) -> None:
    if repair is not None:
        repair.shuffled, repair.cut, repair.shuffled_in = True, False, event.includes
