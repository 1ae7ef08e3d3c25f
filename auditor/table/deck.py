"""Where each card is: one physical card lies in one place, and one that went back to the stub may come again."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.cards import JOKER, UNREAD
from auditor.events import CardDealt, CardItem, CardReturned, DeckShuffled
from auditor.table.hand import Hand, Place, PlaceKind, PutRight, Repair, place

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
        hand.where[card] = place((kind, number, seq))


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


def is_cross_read(hand: Hand, event: CardDealt) -> bool:
    """Whether the antenna of a neighbouring seat has read this downcard already, and no ids say that they are two.

    Then one of the two antennas may have read the other seat's card.
    """
    card, seat = event.card, event.seat
    first = hand.by_antenna.get(card)
    if first is None or event.read_at != "seat" or event.face != "down" or card in hand.cross_reads:
        return False
    lies = hand.where.get(card)
    if lies is None or lies.kind != "seat" or lies.number != first or not _neighbours(hand, first, seat):
        return False
    return event.card_id is None or hand.tag_of.get(card, event.card_id) == event.card_id


def _neighbours(hand: Hand, seat: int, other: int) -> bool:
    """Whether nobody sits between two seats, on one side at least."""
    seats = hand.sorted_seats
    if seat == other or seat not in seats or other not in seats:
        return False
    return abs(seats.index(seat) - seats.index(other)) in (1, len(seats) - 1)


def see_at(hand: Hand, card: str, seat: int, seq: int) -> None:
    """A card is seen at a seat. Where two antennas had read it, the other one's own card was never read."""
    pair = hand.cross_reads.get(card)
    if pair is None or seat not in pair:
        return
    del hand.cross_reads[card]
    held = hand.holding[pair[0] if seat == pair[1] else pair[1]]
    if card in held:
        held[held.index(card)] = UNREAD
    lay(hand, card, "seat", seat, seq)


def sort_out_cross_reads(hand: Hand) -> None:
    """The deal is over: a seat that has its cards without the one that two antennas read does not hold that one."""
    size = hand.game.starting_cards
    for card, (first, second) in list(hand.cross_reads.items()):
        for seat, owner in ((first, second), (second, first)):
            if len(hand.holding[seat]) > size and card in hand.holding[seat]:
                hand.holding[seat].remove(card)
                hand.deal = [dealt for dealt in hand.deal if dealt.seat != seat or dealt.card != card]
                hand.out -= 1
                lay(hand, card, "seat", owner, hand.where[card].seq)
                break


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
    for card in [card for card, lies in hand.where.items() if _kind(hand, lies) in taken_in]:
        del hand.where[card]
        hand.out -= 1


def _kind(hand: Hand, lies: Place) -> PlaceKind:
    """What kind of place it is by now: the cards of a hand that was folded are in the muck."""
    return "muck" if lies.kind == "seat" and lies.number in hand.folded else lies.kind


def may_come_again(hand: Hand, card: str) -> bool:
    """A discard of a draw game whose deck has run out, where nobody would see that the discards were shuffled in.

    All cards but the last one are dealt first.
    """
    if not hand.game.streets[-1].draw or "shuffle" in hand.observes or _kind(hand, hand.where[card]) != "muck":
        return False
    unseen = 0 if "burns" in hand.observes else sum(street.burn for street in hand.game.streets[: hand.street + 1])
    return hand.out + unseen >= len(hand.game.deck) - 1


def _note_shuffle(repair: Repair | None, event: DeckShuffled) -> None:
    if repair is not None:
        repair.shuffled, repair.cut, repair.shuffled_in = True, False, event.includes
