"""DCK102 and DCK103: a card with another back than the deck in use."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.cards import spoken
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
from auditor.rules.rule import ODD_CARD, Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Hand
from auditor.table.table import Table


def _wrong(hand: Hand, back: str | None) -> bool:
    return back is not None and bool(hand.deck_backs) and back not in hand.deck_backs


def _right(hand: Hand) -> str:
    return " or ".join(sorted(hand.deck_backs))


def _in_play(hand: Hand, card: str, back: str | None, where: str, seats: tuple[int, ...]) -> list[Hit] | None:
    # One foreign deck is one irregularity, however many of its cards turn up in the hand.
    if not _wrong(hand, back) or hand.found("DCK102"):
        return None
    return [
        Hit(
            f"A {back}-backed card, the {spoken(card)}, is {where} while the {_right(hand)} deck is in play.",
            seats=seats,
            cards=(card,),
            cause=next((i.incident for i in hand.irregularities if i.code == "DCK101" and card in i.cards), None),
        )
    ]


def _dealt(table: Table, event: CardDealt) -> list[Hit] | None:
    if event.back is None or event.back in table.hand.deck_backs:
        return None
    return _in_play(table.hand, event.card, event.back, f"dealt to seat {event.seat}", (event.seat,))


def _burned(table: Table, event: CardBurned) -> list[Hit] | None:
    return _in_play(table.hand, event.card, event.back, "burned", ())


def _board(table: Table, event: BoardDealt) -> list[Hit] | None:
    if event.rabbit:  # it lay in the stub to the end of the hand
        return None
    return _several(table.hand, event.cards, "on the board", ())


def _of_seat(table: Table, event: CardsShown | CardsDiscarded | CardsReleased) -> list[Hit] | None:
    return _several(table.hand, event.cards, f"in the hand of seat {event.seat}", (event.seat,))


def _several(hand: Hand, cards: Sequence[CardItem], where: str, seats: tuple[int, ...]) -> list[Hit] | None:
    for item in cards:
        if isinstance(item, SeenCard) and _wrong(hand, item.back):
            return _in_play(hand, item.card, item.back, where, seats)
    return None


def _rabbit(table: Table, event: BoardDealt) -> list[Hit] | None:
    return _in_stub(table.hand, event.cards) if event.rabbit else None


def _inspected(table: Table, event: StubInspected) -> list[Hit] | None:
    return _in_stub(table.hand, event.cards)


def _in_stub(hand: Hand, cards: Sequence[CardItem]) -> list[Hit] | None:
    wrong = [item for item in cards if isinstance(item, SeenCard) and _wrong(hand, item.back)]
    if not wrong or hand.found("DCK103"):
        return None
    backs = " and ".join(sorted({str(item.back) for item in wrong}))
    return [
        Hit(
            f"The stub of the {_right(hand)} deck holds {_count(len(wrong))} with a {backs} back.",
            cards=tuple(item.card for item in wrong),
        )
    ]


def _count(number: int) -> str:
    return "a card" if number == 1 else f"{number} cards"


WRONG_BACK_IN_PLAY = Rule(
    code="DCK102",
    name="wrong-back-in-play",
    severity="critical",
    source="Seed A, irregularities 3: a card with a different colour back appears during a hand",
    what="A card with another back than the deck in use appears during the hand.",
    why="The card comes from another deck: the deal is void, and somebody may have brought it in.",
    prescribes="void_action",
    prescription="All action is void, and every chip in the pot goes back to the player who wagered it.",
    triage="Stop the table. Find the card and count both decks; see on camera when the decks were last changed.",
    false_positives="A feed that still names the deck of the hand before: compare the other cards' backs.",
    checks={
        ODD_CARD: _dealt,
        CardBurned: _burned,
        BoardDealt: _board,
        CardsShown: _of_seat,
        CardsDiscarded: _of_seat,
        CardsReleased: _of_seat,
    },
    examples=lambda: (
        flags(
            "a blue card in a hand of the red deck",
            Scene().start().blinds().card(1).card(2, back="blue").card(3).card(1).card(2).card(3)
            .rule("void_action").refund().end().script(),
        ),
        flags(
            "a blue card on the flop",
            Scene().opened().limp().burn().board(SeenCard(card="2c", back="blue"), "3d", "4h")
            .rule("void_action").refund().end().script(),
        ),
        flags(
            "a blue card is mucked, face down",
            Scene().opened().fold(3).add(CardsReleased, seat=3, cards=(SeenCard(back="blue"),)).announce()
            .rule("void_action").refund().end().script(),
        ),
        flags(
            "a player shows a hand with a blue card, and the action is voided before the award",
            Scene(2).start().blinds().deal({1: "As Kd"}).limp().flop().checks_around().turn().checks_around().river()
            .checks_around().add(CardsShown, seat=1, cards=(SeenCard(card="As", back="blue"), "Kd"))
            .rule("void_action").refund().end().script(),
        ),
        flags(
            "draw: a blue card is thrown away",
            Scene(game="draw_high", betting="limit").start().blinds().deal({1: "As Kd Qc 7h 3c"}).limp()
            .add(CardsDiscarded, seat=1, cards=(SeenCard(card="As", back="blue"),)).rule("void_action").refund().end()
            .script(),
        ),
        passes("every back is red", Scene().opened().walk().script()),
        passes(
            "a hand of red cards is shown",
            Scene(2).start().blinds().deal({1: "As Kd"}).limp()
            .add(CardsShown, seat=1, cards=(SeenCard(card="As", back="red"), "Kd")).script(),
        ),
        passes(
            "the blue deck is in use, and the hand says so",
            Scene().start(deck_id="blue-1").blinds().card(1, back="blue").card(2, back="blue").card(3, back="blue")
            .card(1, back="blue").card(2, back="blue").card(3, back="blue").walk().script(),
        ),
        passes(
            "a blue card that is found in the stub",
            Scene().opened().walk(end=False).stub(SeenCard(card="2c", back="blue")).end().script(),
            also=("DCK103",),
        ),
    ),
)  # fmt: skip

WRONG_BACK_IN_STUB = Rule(
    code="DCK103",
    name="wrong-back-in-stub",
    severity="major",
    source="Seed A, irregularities 3: a card with a different colour back is discovered in the stub",
    what="A card with another back than the deck in use is discovered in the stub.",
    why="The deck was not whole, but no such card came into play: what happened in the hand stands.",
    prescribes="action_stands",
    prescription="All action stands. The deck is put right before the next hand.",
    triage="Take the deck out of use after the hand, and count both decks.",
    false_positives="None known.",
    checks={StubInspected: _inspected, BoardDealt: _rabbit},
    examples=lambda: (
        flags(
            "a blue card in the stub after the hand",
            Scene().opened().walk(end=False).stub(SeenCard(card="2c", back="blue")).end().script(),
        ),
        flags(
            "a blue card among those that are shown for curiosity after the award",
            Scene().opened().walk(end=False).board(SeenCard(card="2c", back="blue"), rabbit=True).end().script(),
        ),
        passes(
            "a stub of red cards",
            Scene().opened().walk(end=False).stub(SeenCard(card="2c", back="red")).end().script(),
        ),
    ),
)

RULES = (WRONG_BACK_IN_PLAY, WRONG_BACK_IN_STUB)
