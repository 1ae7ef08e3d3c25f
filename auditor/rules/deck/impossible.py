"""DCK110: a card that the game's deck does not hold."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.cards import STANDARD_DECK, is_face, spoken
from auditor.events import (
    BoardDealt,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsDiscarded,
    CardsReleased,
    CardsShown,
    StubInspected,
    face,
)
from auditor.games import GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Hand
from auditor.table.table import Table


def _dealt(table: Table, event: CardDealt) -> list[Hit] | None:
    if event.card in table.hand.game.deck:
        return None
    return _look(table.hand, (event.card,), (event.seat,))


def _single(table: Table, event: CardBurned | CardExposed) -> list[Hit] | None:
    return _look(table.hand, (event.card,), ())


def _several(table: Table, event: BoardDealt) -> list[Hit] | None:
    return _look(table.hand, map(face, event.cards), (), in_play=not event.rabbit)


def _stub(table: Table, event: StubInspected) -> list[Hit] | None:
    return _look(table.hand, map(face, event.cards), (), in_play=False)


def _of_seat(table: Table, event: CardsShown | CardsDiscarded | CardsReleased) -> list[Hit] | None:
    return _look(table.hand, map(face, event.cards), (event.seat,))


def _look(hand: Hand, cards: Iterable[str], seats: tuple[int, ...], *, in_play: bool = True) -> list[Hit] | None:
    # One deck that is not the game's is one irregularity, however many of its cards turn up.
    wrong = tuple(card for card in cards if is_face(card) and card not in hand.game.deck)
    if not wrong or hand.found("DCK110"):
        return None
    named = " and ".join(f"the {spoken(card)}" for card in wrong)
    said = f"The deck of {hand.game.title} does not hold {named}."
    return [Hit(said, seats=seats, cards=wrong, prescribed=None if in_play else "action_stands")]


IMPOSSIBLE_CARD = Rule(
    code="DCK110",
    name="impossible-card",
    severity="critical",
    source="+",
    what="A rank or a suit turned up that the game's deck does not hold, a deuce in short deck, say.",
    why="The card came from another deck, or the game is played with the wrong one: no result can be trusted.",
    prescribes="void_action",
    prescription="The rule book knows no short decks. As with a card of another back: in play, all action is void and "
    "every chip goes back; in the stub, all action stands.",
    games=frozenset(name for name, game in GAMES.items() if game.deck != STANDARD_DECK),
    triage="Stop the table and count the deck. If low cards are common there, the table was opened as the wrong game.",
    false_positives="A table that was opened as short deck and plays with the whole one.",
    checks={
        CardDealt: _dealt,
        CardBurned: _single,
        CardExposed: _single,
        BoardDealt: _several,
        StubInspected: _stub,
        CardsShown: _of_seat,
        CardsDiscarded: _of_seat,
        CardsReleased: _of_seat,
    },
    examples=lambda: (
        flags(
            "a deuce is dealt in short deck",
            Scene(game="short_deck").start().blinds().deal({1: "Ah 2c", 2: "Kh Kd", 3: "Qh Qd"}).limp().script(),
        ),
        flags(
            "a whole deck in short deck: one finding",
            Scene(game="short_deck").start().blinds().deal({1: "Ah 2c", 2: "3h Kd", 3: "Qh Qd"}).limp().burn()
            .board("4d", "Ad", "Kc").check(1, 2, 3).script(),
        ),
        passes(
            "short deck without low cards",
            Scene(game="short_deck").start().blinds().deal({1: "Ah ??", 2: "Kh Kd", 3: "Qh Qd"}).limp().burn()
            .board("9d", "Ad", "Kc").check(1, 2, 3).script(),
        ),
        passes("a deuce in hold'em", Scene().start().blinds().deal({1: "Ah 2c"}).limp().script()),
    ),
)  # fmt: skip

RULES = (IMPOSSIBLE_CARD,)
