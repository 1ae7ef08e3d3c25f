"""Burns and board: which street a board card belongs to, and whether it came too early."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from auditor.cards import UNREAD
from auditor.events import BoardDealt, CardBurned, face
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
    if _adds_to_whole_street(hand, lying):
        return Turned(current, first=False, due=0, surplus=True, premature=False)
    for street, through in enumerate(game.board_through):
        if through > lying:
            due = through - lying
            first = due == game.streets[street].board
            ahead = street > current + 1 or (street == current + 1 and not hand.round_complete)
            return Turned(street, first, due, surplus=False, premature=first and ahead)
    return Turned(len(game.streets) - 1, first=False, due=0, surplus=True, premature=False)


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


def turn(hand: Hand, event: BoardDealt) -> None:
    """Board cards are turned."""
    cards = tuple(face(item) for item in event.cards)
    deck.tag_all(hand, event.cards)
    turned = read(hand, event)
    hand.turned = None
    if event.rabbit:
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
    elif turned.first and turned.street > hand.street:
        betting.open_next_street(hand, turned.street)
    if hand.repair is not None and turned.first:
        hand.repair = _dealt_again(hand.repair, turned, event.seq)
    if not hand.board:
        hand.flop_at = event.at
    hand.board.extend(cards)
    hand.surplus += max(0, len(cards) - turned.due)
    hand.burns_since = 0
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
    if not hand.premature or hand.pending or len(hand.live) < 2:
        return False
    return not isinstance(event, BoardDealt) or not event.rabbit


def play_on_with_premature(hand: Hand) -> None:
    """The street of the card that came too early is played."""
    street = max(p.street for p in hand.premature)
    hand.premature = []
    betting.open_next_street(hand, street)


def stop_short(hand: Hand) -> None:
    """The street's board is left short: the cards to come belong to the next street."""
    hand.surplus -= hand.game.board_through[hand.street] - (len(hand.board) - hand.surplus)


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
    hand.burns.append(card)
    hand.burns_since += 1
    if event.card_id is not None:
        deck.tag(hand, card, event.card_id)
    if hand.repair is not None:
        hand.repair.burns += 1
    deck.lay(hand, card, "burn", 0, event.seq)
