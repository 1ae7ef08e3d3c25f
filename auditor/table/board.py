"""Burns and board: which street a board card belongs to, and whether it came too early."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from auditor.cards import UNREAD
from auditor.events import BoardDealt, CardBurned, PlayerActed, PotAwarded, face
from auditor.table import betting, deck
from auditor.table.hand import Hand, PlaceKind, Premature, Repair, Turned


def read(hand: Hand, event: BoardDealt) -> Turned:
    """Which street the cards of a board event belong to. The first board only; a rabbit hunt deals no street.

    Several rules ask it of the same event: it is worked out once.
    """
    known = hand.turned
    if known is None:
        known = hand.turned = _read(hand)
    return known


def _read(hand: Hand) -> Turned:
    game, lying = hand.game, len(hand.board) - hand.surplus
    current = hand.street
    if _completes_short_street(hand):
        return Turned(current, first=False, due=-hand.surplus, surplus=False, premature=False)
    if _adds_to_whole_street(hand, lying):
        return Turned(current, first=False, due=0, surplus=True, premature=False)
    for street, through in enumerate(game.board_through):
        if through > lying:
            due = through - lying
            first = due == game.streets[street].board
            ahead = street > current + 1 or (street == current + 1 and not hand.round_complete)
            return Turned(street, first, due, surplus=False, premature=first and ahead)
    return Turned(len(game.streets) - 1, first=False, due=0, surplus=True, premature=False)


def _completes_short_street(hand: Hand) -> bool:
    """The card that a street was short of comes after all, while its betting is under way, and with no burn."""
    return hand.surplus < 0 and hand.burns_since == 0 and not hand.round_complete


def _adds_to_whole_street(hand: Hand, lying: int) -> bool:
    """One more card right behind a whole street, no burn and no action between: that street has too many.

    Without the burns in sight, or where no betting is left, it is the next street's card.
    """
    return (
        hand.street > 0
        and lying == hand.game.board_through[hand.street]
        and not hand.acted_on_street
        and not hand.round_complete
        and hand.burns_since == 0
        and not hand.burns_due_none
        and "burns" in hand.observes
    )


def is_for_curiosity(hand: Hand, event: BoardDealt) -> bool:
    """A rabbit hunt, whether the feed calls it so or not: the cards are no part of any board."""
    return event.rabbit or hand.decided


def is_put_back(hand: Hand, event: BoardDealt) -> bool:
    """The very cards that came too early, and were set aside, are laid in their place again."""
    repair = hand.repair
    if repair is None or repair.shuffled or repair.replaced or read(hand, event).street != repair.street:
        return False
    if repair.street > 2 and "shuffle" not in hand.observes:
        return False  # a river comes from a reshuffled deck, and the same card may come again
    places = [hand.where.get(face(item)) for item in event.cards]
    return all(place is not None and place.kind == "set_aside" for place in places)


def turn(hand: Hand, event: BoardDealt) -> None:
    """Board cards are turned."""
    cards = tuple(face(item) for item in event.cards)
    deck.tag_all(hand, event.cards)
    turned, put_back = read(hand, event), is_put_back(hand, event)
    hand.turned = None
    if is_for_curiosity(hand, event):
        _lay_all(hand, cards, "rabbit", event)
        return
    if not hand.game.has_board:
        _turn_common_card(hand, cards, event)
        return
    if event.board != 1:
        hand.boards.setdefault(event.board, []).extend(cards)
        _lay_all(hand, cards, "board", event)
        hand.burns_since = 0
        return
    if turned.premature:
        hand.premature.append(Premature(turned.street, cards, event.seq))
        hand.ahead = set()
    elif turned.first and turned.street > hand.street:
        betting.open_next_street(hand, turned.street)
    if hand.repair is not None and turned.first:
        hand.repair = None if put_back else _dealt_again(hand.repair, turned, event.seq)
    if not hand.board:
        hand.flop_at = event.at
    hand.board.extend(cards)
    late = hand.surplus < 0 and turned.street == hand.street and not turned.first
    scraps = deck.scraps(hand, event.cards)
    count = len(cards) - len(scraps)
    hand.surplus += len(scraps) + (count if late else max(0, count - turned.due))
    hand.scraps = scraps if count < turned.due else []
    hand.burns_since = 0
    hand.scraps_burned.clear()
    hand.burns_due_none = hand.taken_back = False
    _lay_all(hand, cards, "board", event)


def _turn_common_card(hand: Hand, cards: tuple[str, ...], event: BoardDealt) -> None:
    """Stud: the deck runs out, and one card for all takes the place of the last one of each hand."""
    if hand.street + 1 < len(hand.game.streets) and hand.round_complete:
        betting.open_next_street(hand, hand.street + 1)
    hand.board.extend(cards)
    hand.burns_since = 0
    _lay_all(hand, cards, "board", event)


def _dealt_again(repair: Repair, turned: Turned, seq: int) -> Repair | None:
    """The street that was under repair is dealt. Behind a turn, the river is part of the repair too."""
    if repair.street == turned.street == 2 and not turned.premature and not repair.replaced:
        return Repair(repair.street, repair.card, repair.to, seq, burned=True, replaced=True)
    return None


def _lay_all(hand: Hand, cards: tuple[str, ...], kind: PlaceKind, event: BoardDealt) -> None:
    for card in cards:
        if card not in hand.where or card == UNREAD:
            hand.out += 1
        deck.lay(hand, card, kind, event.board, event.seq)


@dataclass(slots=True)
class PrematurePlayed:
    """The moment when the round is complete, the card that came too early still lies there, and the hand goes on."""

    seq: int
    at: datetime


def plays_on(hand: Hand, event: object) -> bool:
    """Whether an event goes on with a board card that came too early: more than one hand is left, and it stayed."""
    if not hand.premature or len(hand.live) < 2:
        return False
    if hand.pending:  # whoever was passed: a second player acts on the card
        if isinstance(event, PotAwarded):  # nobody came back to them
            return not hand.voided and len(hand.live.difference(hand.released)) > 1
        return isinstance(event, PlayerActed) and bool(hand.ahead - {event.seat}) and acts_ahead(hand, event)
    return not isinstance(event, BoardDealt) or not event.rabbit


def acts_ahead(hand: Hand, event: PlayerActed) -> bool:
    """Whether the action is on a card that came too early: its player has acted, and owes nothing, on this street."""
    seat = event.seat
    if not hand.premature or event.action not in ("check", "bet") or seat not in hand.live:
        return False
    return seat in hand.acted and seat not in hand.pending and bool(hand.pending)


def note_ahead(hand: Hand, event: PlayerActed) -> None:
    """Once somebody has acted on a card that came too early, so does everyone behind."""
    if hand.ahead or acts_ahead(hand, event):
        hand.ahead.add(event.seat)


def play_on_with_premature(hand: Hand) -> None:
    """The street of the card that came too early is played."""
    street = max(p.street for p in hand.premature)
    ahead, hand.premature, hand.ahead = hand.ahead, [], set()
    hand.repair = None  # of some of its cards, perhaps: those that are left are played
    betting.open_next_street(hand, street)
    if ahead:
        betting.go_on(hand, ahead)


def stop_short(hand: Hand) -> None:
    """The street's board is left short: the cards to come belong to the next street."""
    hand.surplus -= hand.game.board_through[hand.street] - (len(hand.board) - hand.surplus)
    hand.scraps = []


def is_short(hand: Hand) -> bool:
    """Board cards of the current street are missing."""
    lying = len(hand.board) - hand.surplus
    return 0 < lying < hand.game.board_through[hand.street] and not hand.taken_back


def burn(hand: Hand, event: CardBurned) -> None:
    """A burn. A card given back to serve as the burn is reported once more when it is burned: one card."""
    card = event.card
    if card in hand.as_burn:
        hand.as_burn.discard(card)
    elif card not in hand.where or card == UNREAD:
        hand.out += 1
    if deck.is_scrap(hand, card, event.boxed):
        hand.scraps_burned.append(card)
    else:
        hand.burns.append(card)
        hand.burns_since += 1
        if hand.repair is not None:
            hand.repair.burns += 1
    if event.card_id is not None:
        deck.tag(hand, card, event.card_id)
    deck.lay(hand, card, "burn", 0, event.seq)
