"""DCK101: two cards of one rank and suit."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.cards import JOKER, UNREAD, spoken
from auditor.events import (
    BoardDealt,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsDiscarded,
    CardsShown,
    face,
)
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
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


def _hit(hand: Hand, card: str, first: Place, seq: int, second: str, seat: int | None) -> Hit:
    seats = tuple(
        s for s in (first.number if first.kind in ("seat", "muck") else None, seat) if s is not None and s >= 0
    )
    return Hit(
        f"The {spoken(card)} is in this hand twice: {_where(first)} and {second}.",
        seats=seats,
        cards=(card,),
        evidence=(first.seq, seq),
        cause=next((i.incident for i in hand.irregularities if i.code == "DCK113" and card in i.cards), None),
    )


def _told(hand: Hand, card: str) -> bool:
    """The two have been found already: seeing one of them again is no news."""
    return any(i.code == "DCK101" and card in i.cards for i in hand.irregularities)


def _dealt(table: Table, event: CardDealt) -> list[Hit] | None:
    hand = table.hand
    place = hand.where.get(event.card)
    if place is None or is_reread(hand, event) or _told(hand, event.card) or deck.is_cross_read(hand, event):
        return None
    if deck.may_come_again(hand, event.card):
        return None
    return [_hit(hand, event.card, place, event.seq, f"at seat {event.seat}", event.seat)]


def _board(table: Table, event: BoardDealt) -> list[Hit] | None:
    hand, where = table.hand, table.hand.where
    hits = []
    within: set[str] = set()
    for item in event.cards:
        card = face(item)
        if card in (UNREAD, JOKER) or (hand.irregularities and _told(hand, card)):
            continue
        place = where.get(card)
        if card in within:
            hits.append(_hit(hand, card, Place("board", event.board, event.seq), event.seq, "on the board again", None))
        elif place is not None and not _same_on_board(place, event):
            hits.append(_hit(hand, card, place, event.seq, "on the board", None))
        within.add(card)
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
    return [_hit(table.hand, event.card, place, event.seq, "among the burns", None)]


def _of_seat(table: Table, seat: int | None, cards: Iterable[str], seq: int) -> list[Hit] | None:
    """Cards that are seen at a seat: they are its own, or one of them is in the hand twice."""
    if seat is None:
        return None
    hits = []
    hand = table.hand
    within: set[str] = set()
    for card in cards:
        if card in (UNREAD, JOKER) or _told(hand, card):
            continue
        place = hand.where.get(card)
        if card in within:
            hits.append(_hit(hand, card, Place("seat", seat, seq), seq, f"at seat {seat} again", seat))
        elif place is not None and not _its_own(place, seat) and seat not in hand.cross_reads.get(card, ()):
            hits.append(_hit(hand, card, place, seq, f"at seat {seat}", seat))
        within.add(card)
    return hits


def _its_own(place: Place, seat: int) -> bool:
    return place.kind == "set_aside" or (place.kind in ("seat", "muck") and place.number in (seat, -1))


def _exposed(table: Table, event: CardExposed) -> list[Hit] | None:
    return _of_seat(table, event.seat, (event.card,), event.seq)


def _shown(table: Table, event: CardsShown) -> list[Hit] | None:
    return _of_seat(table, event.seat, map(face, event.cards), event.seq)


def _discarded(table: Table, event: CardsDiscarded) -> list[Hit] | None:
    return _of_seat(table, event.seat, map(face, event.cards), event.seq)


def _drawn() -> Scene:
    """Five-card draw: seat 1 has thrown the ace of spades away."""
    scene = Scene(game="draw_high", betting="limit").start().blinds()
    return scene.deal({1: "As Kd Qc 7h 3c", 2: "2c 2d 2h 4s 4d"}).limp().draw(1, "As", "9c")


DUPLICATE_CARD = Rule(
    code="DCK101",
    name="duplicate-card",
    severity="critical",
    source="Seed A, irregularities: two cards of the same rank and suit",
    what="Two cards of the same rank and suit are found in one hand: in the hole, on the board, burned, exposed, "
    "shown or mucked.",
    why="The deck is fouled: no result of the hand can be trusted, and somebody may have put the card there.",
    prescribes="void_action",
    prescription="All action is void, and every chip in the pot goes back to the player who wagered it.",
    triage="Stop the table and keep the deck. Look at the two places on camera, count the deck, and see which player "
    "gained from the second card.",
    false_positives="One physical card that two antennas read, where the feed does not say which antenna (`read_at`): "
    "where it does, two neighbouring seats are DCK113.",
    checks={
        CardDealt: _dealt,
        BoardDealt: _board,
        CardBurned: _burned,
        CardExposed: _exposed,
        CardsShown: _shown,
        CardsDiscarded: _discarded,
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
