"""DCK112: a physical card and its face do not belong together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from auditor.cards import JOKER, UNREAD, spoken
from auditor.events import (
    BoardDealt,
    CardBurned,
    CardDealt,
    CardItem,
    CardsDiscarded,
    CardsReleased,
    CardsShown,
    SeenCard,
    StubInspected,
)
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Hand
from auditor.table.table import Table


def _card(table: Table, event: CardDealt | CardBurned) -> list[Hit] | None:
    if event.card_id is None:
        return None
    return _read(table.hand, event.card, event.card_id)


def _cards(
    table: Table, event: BoardDealt | CardsShown | CardsDiscarded | CardsReleased | StubInspected
) -> list[Hit] | None:
    return _all(table.hand, event.cards)


def _all(hand: Hand, items: Iterable[CardItem]) -> list[Hit] | None:
    for item in items:
        if not isinstance(item, str) and item.card_id is not None:
            hits = _read(hand, item.card, item.card_id)
            if hits:
                return hits
    return None


def _read(hand: Hand, card: str, card_id: str) -> list[Hit] | None:
    faces = hand.tags.get(card_id)
    other_id = hand.tag_of.get(card, card_id)
    if card == UNREAD:
        return None
    if (faces is None or card in faces) and other_id == card_id:
        return _again(hand, card, card_id) if faces is not None and len(faces) > 1 else None
    # One deck that was tagged wrongly is one irregularity, however many of its cards turn up.
    if hand.found("DCK112"):
        return None
    if faces is not None and card not in faces:
        said = f"Card {card_id} was read as the {spoken(faces[-1])} before, and is now read as the {spoken(card)}."
        return [Hit(said, cards=(faces[-1], card))]
    if card == JOKER or any(i.code == "DCK101" and card in i.cards for i in hand.irregularities):
        return None  # two physical cards of one face: the finding is that one
    return [Hit(f"The {spoken(card)} was read as card {other_id}, and now as card {card_id}.", cards=(card,))]


def _again(hand: Hand, card: str, card_id: str) -> list[Hit] | None:
    """An id that is known by several faces, from earlier hands: told again where two of them come in one hand."""
    others = [other for other, read_as in hand.tag_of.items() if read_as == card_id and other != card]
    if not others or hand.found("DCK112"):
        return None
    said = f"Card {card_id} was read as the {spoken(others[0])} in this hand, and is now read as the {spoken(card)}."
    return [Hit(said, cards=(others[0], card))]


#: Seat 1 shows a king with the tag of its ace.
_AS_KING: dict[str, Any] = {"seat": 1, "cards": (SeenCard(card="Kd", card_id="t1"),)}

TAG_REASSIGNED = Rule(
    code="DCK112",
    name="tag-reassigned",
    severity="critical",
    source="+",
    what="One physical card's id was read as two different cards, at any time since the table opened; or one card "
    "under two ids within a hand.",
    why="Whoever can change what a tag says can change what a card is, for the feed and for whoever watches it.",
    prescription="None by itself. The deck is taken out of use and read in anew.",
    triage="Take the card out and look at it. Who read the deck in, and who had it since?",
    false_positives="A deck that was read in anew while the table was open.",
    checks={
        CardDealt: _card,
        CardBurned: _card,
        BoardDealt: _cards,
        CardsShown: _cards,
        CardsDiscarded: _cards,
        CardsReleased: _cards,
        StubInspected: _cards,
    },
    examples=lambda: (
        flags(
            "a card is dealt as an ace and shown as a king",
            Scene(2).start().blinds().card(1, "As", card_id="t1").card(2).card(1, "Ad", card_id="t2").card(2).limp()
            .show(1, "Ad").add(CardsShown, seat=1, cards=(SeenCard(card="Kd", card_id="t1"),)).script(),
        ),
        flags(
            "one id, two cards, in two hands",
            Scene(2).start().blinds().card(1, "As", card_id="t1").card(2).card(1).card(2).walk()
            .start(button=1).blinds().card(2).card(1, "Kd", card_id="t1").card(2).card(1).walk().script(),
        ),
        flags(
            "read wrongly in one hand, and rightly again in the next: one finding",
            Scene(2).start().blinds().card(1, "As", card_id="t1").card(2).card(1).card(2).walk()
            .start(button=1).blinds().card(2).card(1, "Kd", card_id="t1").card(2).card(1).walk()
            .start(button=2).blinds().card(1).card(2, "As", card_id="t1").card(1).card(2).walk().script(),
        ),
        flags(
            "misread in one hand, and again in the next: two findings",
            Scene(2).start().blinds().card(1, "As", card_id="t1").card(2).card(1).card(2).limp()
            .add(CardsShown, **_AS_KING).award(1).end()
            .start(button=1).blinds().card(2).card(1, "As", card_id="t1").card(2).card(1).limp()
            .add(CardsShown, **_AS_KING).script(),
            also=("DCK112",),
        ),
        flags(
            "a card is dealt as an ace and mucked as a king",
            Scene().start().blinds().card(1).card(2).card(3, "As", card_id="t1").card(1).card(2).card(3).fold(3)
            .add(CardsReleased, seat=3, cards=(SeenCard(card="Kd", card_id="t1"),)).call(1).check(2).script(),
        ),
        flags(
            "one card under two ids",
            Scene(2).start().blinds().card(1, "As", card_id="t1").card(2).card(1, "Ad", card_id="t2").card(2).limp()
            .add(CardsShown, seat=1, cards=(SeenCard(card="As", card_id="t9"),)).script(),
        ),
        passes(
            "dealt and shown under its own id",
            Scene(2).start().blinds().card(1, "As", card_id="t1").card(2).card(1, "Ad", card_id="t2").card(2).limp()
            .add(CardsShown, seat=1, cards=(SeenCard(card="As", card_id="t1"), "Ad")).script(),
        ),
        passes(
            "two decks: the ace of each has an id of its own",
            Scene(2).start().blinds().card(1, "As", card_id="r1").card(2).card(1).card(2).walk()
            .start(button=1, deck_id="blue-1").blinds().card(2, back="blue")
            .card(1, "As", card_id="b1", back="blue").card(2, back="blue").card(1, back="blue").walk().script(),
        ),
        passes(
            "two physical cards of one face",
            Scene(2).start().blinds().card(1, "As", card_id="t1").card(2, "As", card_id="t2").card(1).card(2)
            .rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
        passes(
            "a face that could not be read",
            Scene(2).start().blinds().card(1, "??", card_id="t1").card(2).card(1).card(2).limp()
            .add(CardsShown, seat=1, cards=(SeenCard(card="As", card_id="t1"),)).script(),
        ),
    ),
)  # fmt: skip

RULES = (TAG_REASSIGNED,)
