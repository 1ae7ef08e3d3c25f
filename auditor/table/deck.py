"""Where each card is: one physical card lies in one place, and one that went back to the stub may come again."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.cards import JOKER, UNREAD
from auditor.events import CardDealt, CardItem, CardReturned, DeckShuffled, StubInspected, face
from auditor.table.hand import Hand, Place, PlaceKind, Premature, PutRight, Repair, Withdrawn, place

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


def is_scrap(hand: Hand, card: str, boxed: bool) -> bool:
    """A boxed card, or a joker in a game that uses none: no card of the game, and the next one takes its place."""
    return boxed or (card == JOKER and not hand.jokers)


def scraps(hand: Hand, items: Iterable[CardItem]) -> list[str]:
    """The scraps of paper in a list of cards."""
    return [card for item in items if is_scrap(hand, card := face(item), not isinstance(item, str) and item.boxed)]


def inspect(hand: Hand, event: StubInspected) -> None:
    """The stub, or some of it, is looked through. A card of another deck is no twin: it has another back."""
    own = [item for item in event.cards if isinstance(item, str) or not _is_foreign(hand, item.back)]
    faces = [card for item in own if (card := face(item)) not in (UNREAD, JOKER)]
    if len(set(faces)) < len(faces) or not hand.where.keys().isdisjoint(faces):
        hand.twin_in_stub = True


def _is_foreign(hand: Hand, back: str | None) -> bool:
    return back is not None and bool(hand.deck_backs) and back not in hand.deck_backs


def is_plain(hand: Hand, event: CardDealt) -> bool:
    """Whether nothing is odd about a card that is dealt: it is new in the hand, no joker, not boxed, its back right."""
    card, back = event.card, event.back
    return card not in hand.where and card != JOKER and not event.boxed and (back is None or back in hand.deck_backs)


def is_same_card(hand: Hand, card: str, card_id: str | None) -> bool:
    """Whether a card's own id says that it is the one that was read in this hand before, wherever it lay then."""
    return card_id is not None and hand.tag_of.get(card) == card_id


def is_laid_back(hand: Hand, card: str) -> bool:
    """Whether a card that comes to the board may be the one that was set aside: put back, or shuffled in unseen."""
    if hand.where[card].kind != "set_aside":
        return False
    return "shuffle" not in hand.observes or (hand.repair is not None and not hand.repair.shuffled)


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
        if not hand.deal_settled:
            hand.withdrawn.append(Withdrawn(seat, card, event.seq))
    elif hand.awarded:
        pass  # the cards are gathered in: the board is what it was
    elif event.from_ == "burn" and card in hand.scraps_burned:
        hand.scraps_burned.remove(card)
    elif event.from_ == "board":
        _note_put_right(hand, event)
        _take_from_board(hand, event)
    else:
        _note_put_right(hand, event)
        _take(hand.burns, card)
        hand.burns_since = max(0, hand.burns_since - 1)
        if hand.repair is not None and event.to == "stub" and len(hand.burns) < hand.repair.street:
            hand.repair.burn_given_back = True
    _lay_returned(hand, event)


def _note_put_right(hand: Hand, event: CardReturned) -> None:
    premature = any(event.card in early.cards for early in hand.premature)
    lying = len(hand.board)
    hand.put_right.append(
        PutRight(event.seq, hand.street, hand.actions, event.card, premature, event.from_ == "board", lying)
    )


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
    for again in hand.boards.values():
        if card in again:
            again.remove(card)
            return
    _take(hand.board, card)
    if len(hand.board) == before:
        return
    if hand.surplus > 0:
        hand.surplus -= 1
    scrap = card in hand.scraps
    if scrap:
        hand.scraps.remove(card)
    early = [p.street for p in hand.premature if card == UNREAD or card in p.cards]
    hand.taken_back = not early
    if early:
        _begin_repair(hand, max(early), card, event.to, event.seq)
        hand.premature = [left for p in hand.premature if (left := _without(p, card)).cards]
    else:
        _step_back(hand)
    if not hand.board and not scrap:
        board_cleared(hand)
        _begin_repair(hand, 1, card, event.to, event.seq)


def _without(premature: Premature, card: str) -> Premature:
    """What lies there still of cards that came too early; none where nobody knows which one left."""
    return premature._replace(cards=tuple(c for c in premature.cards if c != card) if card != UNREAD else ())


def _step_back(hand: Hand) -> None:
    """Nobody is left to act, and a street that was dealt already leaves the board: it is dealt once more."""
    if hand.pending or hand.acted_on_street:
        return
    lying = len(hand.board) - hand.surplus
    while hand.street > 1 and lying <= hand.game.board_through[hand.street - 1]:
        hand.street -= 1


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


def is_prepared(hand: Hand, event: DeckShuffled) -> bool:
    """Whether a shuffle within the hand prepares a deal: of this hand, before its first card, or of one to come."""
    if hand.voided:
        return True
    repairs = hand.repair is not None and not hand.preparation.deck  # a deck that nobody named is this one
    return not repairs and hand.preparation.within_hand(cards_out=hand.out > 0, deck_id=event.deck_id)


def shuffle(hand: Hand, event: DeckShuffled) -> None:
    """A shuffle within the hand: what it takes in may come again."""
    if is_prepared(hand, event):
        hand.preparation.shuffle(event)
        if hand.out == 0 and not hand.voided:
            hand.reshuffled, hand.cut, hand.deck_order = True, False, ()
        return
    hand.reshuffled, hand.cut, hand.deck_order = True, False, ()
    hand.burns_due_none = True
    includes = set(event.includes or ("stub",))
    if not event.includes and hand.repair is not None:
        includes.add("set_aside")  # the card that came too early belongs in it, and nobody says that it was left out
    if hand.boards or (hand.repair is not None and hand.repair.street > 1):
        includes.discard("board")  # the cards that left the board, and not those that lie on it, or on another one
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
