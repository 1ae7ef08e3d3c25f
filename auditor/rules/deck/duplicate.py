"""DCK101: two cards of one rank and suit."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.cards import JOKER, UNREAD, spoken
from auditor.events import (
    BoardDealt,
    CardBurned,
    CardDealt,
    CardExposed,
    CardItem,
    CardsDiscarded,
    CardsReleased,
    CardsShown,
    DeckCut,
    DeckShuffled,
    SeenCard,
    face,
)
from auditor.rules.rule import ODD_CARD, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import deck
from auditor.table.deal import is_reread
from auditor.table.hand import Hand, Place
from auditor.table.table import Table


def _where(place: Place) -> str:
    if place.kind == "seat":
        return f"at seat {place.number}"
    if place.kind == "muck":
        return f"in the muck of seat {place.number}" if place.number >= 0 else "in the muck"
    return {
        "board": "on the board",
        "burn": "among the burns",
        "set_aside": "set aside",
        "rabbit": "among the cards shown after the hand",
        "loose": "loose on the table",
    }[place.kind]


#: What may have been found already about one of the two.
_SAME_CARD = ("DCK102", "DCK113")


def _hit(hand: Hand, card: str, first: Place, seq: int, second: str, seat: int | None) -> Hit:
    seats = tuple(
        s for s in (first.number if first.kind in ("seat", "muck") else None, seat) if s is not None and s >= 0
    )
    return Hit(
        f"The {spoken(card)} is in this hand twice: {_where(first)} and {second}.",
        seats=seats,
        cards=(card,),
        evidence=(first.seq, seq),
        cause=next((i.incident for i in hand.irregularities if i.code in _SAME_CARD and card in i.cards), None),
    )


def _own_id(item: CardItem) -> str | None:
    return None if isinstance(item, str) else item.card_id


def _seen_again(hand: Hand, item: CardItem, within: dict[str, str | None]) -> bool:
    """By its own id it is one physical card, read before in this hand or within the same list."""
    card, own_id = face(item), _own_id(item)
    return deck.is_same_card(hand, card, own_id) or (own_id is not None and within.get(card) == own_id)


def _told(hand: Hand, card: str) -> bool:
    """The two have been found already: seeing one of them again is no news."""
    return any(i.code == "DCK101" and card in i.cards for i in hand.irregularities)


def _dealt(table: Table, event: CardDealt) -> list[Hit] | None:
    hand = table.hand
    place = hand.where.get(event.card)
    if place is None or is_reread(hand, event) or _told(hand, event.card) or deck.is_cross_read(hand, event):
        return None
    if deck.may_come_again(hand, event.card) or deck.is_same_card(hand, event.card, event.card_id):
        return None
    return [_hit(hand, event.card, place, event.seq, f"at seat {event.seat}", event.seat)]


def _board(table: Table, event: BoardDealt) -> list[Hit] | None:
    hand, where = table.hand, table.hand.where
    hits = []
    within: dict[str, str | None] = {}
    for item in event.cards:
        card = face(item)
        if card in (UNREAD, JOKER) or (hand.irregularities and _told(hand, card)):
            continue
        place = where.get(card)
        if card in within:
            place = Place("board", event.board, event.seq)
            if not _seen_again(hand, item, within):
                hits.append(_hit(hand, card, place, event.seq, "on the board again", None))
        elif place is None or _same_on_board(place, event) or deck.is_laid_back(hand, card):
            pass
        elif not _seen_again(hand, item, within):
            hits.append(_hit(hand, card, place, event.seq, "on the board", None))
        within[card] = _own_id(item)
    return hits


def _same_on_board(place: Place, event: BoardDealt) -> bool:
    """A second board repeats the cards that both share."""
    return place.kind == "board" and place.number != event.board


def _burned(table: Table, event: CardBurned) -> list[Hit] | None:
    place = table.hand.where.get(event.card)
    if place is not None and _told(table.hand, event.card):
        return None
    # A card that was exposed or dealt too many lies beside the deck until it is burned: it is that card.
    if place is None or place.kind in ("burn", "set_aside"):
        return None
    if deck.is_same_card(table.hand, event.card, event.card_id):
        return None
    return [_hit(table.hand, event.card, place, event.seq, "among the burns", None)]


def _of_seat(table: Table, seat: int | None, cards: Iterable[CardItem], seq: int) -> list[Hit] | None:
    """Cards that are seen at a seat: they are its own, or one of them is in the hand twice."""
    if seat is None:
        return None
    hits = []
    hand = table.hand
    within: dict[str, str | None] = {}
    for item in cards:
        card = face(item)
        if card in (UNREAD, JOKER) or _told(hand, card):
            continue
        place = hand.where.get(card)
        if _seen_again(hand, item, within):
            pass
        elif card in within:
            hits.append(_hit(hand, card, Place("seat", seat, seq), seq, f"at seat {seat} again", seat))
        elif place is None or _its_own(place, seat) or seat in hand.cross_reads.get(card, ()):
            pass
        elif not _thrown_in(hand, place, seat, item):
            hits.append(_hit(hand, card, place, seq, f"at seat {seat}", seat))
        within[card] = _own_id(item)
    return hits


def _its_own(place: Place, seat: int) -> bool:
    return place.kind == "set_aside" or (place.kind in ("seat", "muck") and place.number in (seat, -1))


def _thrown_in(hand: Hand, place: Place, seat: int, item: CardItem) -> bool:
    """A hand that was given up was thrown in among the cards of this seat, and no ids say that they are two."""
    given_up = place.kind == "seat" and place.number not in hand.live
    return given_up and seat in hand.fouled and (_own_id(item) is None or face(item) not in hand.tag_of)


def _exposed(table: Table, event: CardExposed) -> list[Hit] | None:
    return _of_seat(table, event.seat, (event.card,), event.seq)


def _shown(table: Table, event: CardsShown) -> list[Hit] | None:
    return _of_seat(table, event.seat, event.cards, event.seq)


def _left_hand(table: Table, event: CardsDiscarded | CardsReleased) -> list[Hit] | None:
    return _of_seat(table, event.seat, event.cards, event.seq) if event.cards else None


def _tabled(seat: int, card_id: str | None) -> Scene:
    """Seat 3 folds its Kd into the hand of seat 1; a seat tables a Kd, read with this id."""
    scene = Scene().start().blinds().card(1, "As").card(2).card(3, "Kd", card_id="t1").card(1, "Ad").card(2).card(3)
    scene.fold(3).add(CardsReleased, seat=3, manner="into_other_hand", into_seat=1).call(1).check(2).flop().check(1, 2)
    return scene.add(CardsShown, seat=seat, cards=(SeenCard(card="Kd", card_id=card_id),))


def _drawn() -> Scene:
    """Five-card draw: seat 1 has thrown the ace of spades away."""
    scene = Scene(game="draw_high", betting="limit").start().blinds()
    return scene.deal({1: "As Kd Qc 7h 3c", 2: "2c 2d 2h 4s 4d"}).limp().draw(1, "As", "9c")


def _early_turn(observes: tuple[str, ...] = EVERYTHING) -> Scene:
    """A premature turn, set aside, and the next card in its place."""
    scene = Scene(observes=observes).opened().limp().flop().check(1, 2).premature("As").announce().check(3)
    return scene.rule("fix_turn").back("As", to="set_aside").turn().checks_around()


DUPLICATE_CARD = Rule(
    code="DCK101",
    name="duplicate-card",
    severity="critical",
    source="Seed A, irregularities: two cards of the same rank and suit",
    what="Two cards of the same rank and suit are found in one hand: in the hole, on the board, burned, exposed, "
    "shown, discarded or mucked. One physical card that is seen in two places, by its own id or because a hand was "
    "thrown in among the cards of another one, is no two.",
    why="The deck is fouled: no result of the hand can be trusted, and somebody may have put the card there.",
    prescribes="void_action",
    prescription="All action is void, and every chip in the pot goes back to the player who wagered it.",
    triage="Stop the table and keep the deck. Look at the two places on camera, count the deck, and see which player "
    "gained from the second card.",
    false_positives="One physical card that two antennas read, where the feed gives no ids and does not say which "
    "antenna (`read_at`): where it does, two neighbouring seats are DCK113.",
    checks={
        ODD_CARD: _dealt,
        BoardDealt: _board,
        CardBurned: _burned,
        CardExposed: _exposed,
        CardsShown: _shown,
        CardsDiscarded: _left_hand,
        CardsReleased: _left_hand,
    },
    examples=lambda: (
        flags(
            "the same ace at two seats",
            Scene().start().blinds().deal({1: "As Kd", 3: "Qc As"}).refund().rule("void_action").end().script(),
        ),
        flags(
            "an ace in the hole and on the flop",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d")
            .rule("void_action").refund().end().script(),
        ),
        flags(
            "a winner shows a card that lies on the board",
            Scene().start().blinds().deal({1: "?? ??", 2: "Qh Qd"}).limp().burn().board("As", "7c", "2d")
            .checks_around().turn().checks_around().river().checks_around().show(1, "As Ad")
            .rule("void_action").refund().end().script(),
        ),
        flags(
            "one seat shows the same ace twice, and one of them was not read before: one finding",
            Scene().start().blinds().deal({1: "As ??"}).fold(3).call(1).check(2).show(1, "As As")
            .rule("void_action").refund().end().script(),
        ),
        flags(
            "one seat shows the same ace under two ids, of which one was read before",
            Scene().start().blinds().card(1, "As", card_id="t1").card(2).card(3).card(1).card(2).card(3).fold(3).call(1)
            .check(2)
            .add(CardsShown, seat=1, cards=(SeenCard(card="As", card_id="t1"), SeenCard(card="As", card_id="t9")))
            .rule("void_action").refund().end().script(),
        ),
        flags(
            "the duplicate is dealt, and shown again at the end: one finding",
            Scene().start().blinds().deal({1: "As Kd", 3: "Qc As"}).limp().show(3, "Qc As").rule("void_action")
            .refund().end().script(),
        ),
        passes(
            "a card shown that was dealt to that very seat",
            Scene().start().blinds().deal({1: "As Kd"}).fold(3).call(1).check(2).show(1, "As Kd").script(),
        ),
        passes(
            "a card that went back to the deck and came again after a reshuffle",
            Scene().start().blinds().deal({1: "Ah Kd"}).raise_to(3, 300).call(1)
            .burn().add(BoardDealt, cards=("As", "7c", "2d")).announce().call(2)
            .back("As", "7c", "2d").reshuffle("stub", "board").board("9c", "As", "4d")
            .check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the face of a mucked card is read first in the muck, and it comes on the flop",
            Scene().start().blinds().deal({3: "?? ??"}).fold(3).add(CardsReleased, seat=3, cards=("As", "Kd"))
            .call(1).check(2).burn().board("As", "7c", "2d").rule("void_action").refund().end().script(),
        ),
        flags(
            "a card on the board is mucked",
            Scene().start().blinds().deal({3: "?? ??"}).limp().burn().board("As", "7c", "2d").check(1, 2).fold(3)
            .add(CardsReleased, seat=3, cards=("As", "Kd")).rule("void_action").refund().end().script(),
        ),
        passes(
            "a hand is mucked, and its cards are read once more",
            Scene().start().blinds().deal({3: "As Kd"}).fold(3).add(CardsReleased, seat=3, cards=("As", "Kd"))
            .call(1).check(2).script(),
        ),
        passes(
            "cards thrown into another player's hand are tabled there",
            _tabled(1, "t1").rule("hand_dead", seat=1).win(2).script(),
            also=("HND107",),
        ),
        passes(
            "thrown in and tabled, and nobody reads an id",
            _tabled(1, None).rule("hand_dead", seat=1).win(2).script(),
            also=("HND107",),
        ),
        passes(
            "one player tables the card of another one: it has its own id",
            _tabled(2, "t1").script(),
            also=("HND107",),
        ),
        flags(
            "by its id it is another card than the one that was thrown in",
            _tabled(1, "t9").rule("void_action").refund().end().script(),
            also=("HND107",),
        ),
        passes(
            "a premature turn that was set aside comes as the river, and nobody says what the shuffle took in",
            _early_turn().add(DeckShuffled, riffles=4).add(DeckCut, packets=(20, 16)).board("As").checks_around()
            .script(),
            also=("BRD101",),
        ),
        passes(
            "the same, and the feed does not see shuffles",
            _early_turn(tuple(c for c in EVERYTHING if c != "shuffle")).board("As").checks_around().script(),
            also=("BRD101",),
        ),
        flags(
            "the same, and the deck was shuffled without the card that was set aside",
            _early_turn().reshuffle("stub").board("As").refund().rule("void_action").end().script(),
            also=("BRD101", "BRD107"),
        ),
        passes(
            "unread cards are not each other's twins",
            Scene().start().blinds().deal({1: "?? ??", 2: "?? ??"}).walk().script(),
        ),
        flags(
            "draw: a discard comes to another player",
            _drawn().draw(2, "4d", "As").draw(3).check(1, 2, 3).script(),
        ),
        passes(
            "draw: a discard that was shuffled in comes to another player",
            _drawn().reshuffle("stub", "muck").draw(2, "4d", "As").draw(3).check(1, 2, 3).script(),
        ),
        passes(
            "a second board repeats the flop that both share",
            Scene(2).start().blinds().deal({1: "As Ad", 2: "Ks Kd"}).raise_to(2, 20_000, all_in=True).call(1)
            .burn().board("2c", "7d", "9h").burn().board("3c").burn().board("4c")
            .board("2c", "7d", "9h", board=2).burn().board("2s", board=2).burn().board("3s", board=2).win(1).script(),
        ),
    ),
)  # fmt: skip

RULES = (DUPLICATE_CARD,)
