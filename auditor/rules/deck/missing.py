"""DCK107: the deck is short of cards."""

from __future__ import annotations

from auditor.cards import JOKER
from auditor.events import StubInspected, face
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.table import Table


def _inspected(table: Table, event: StubInspected) -> list[Hit] | None:
    hand = table.hand
    in_stub = sum(face(item) != JOKER for item in event.cards)
    missing = len(hand.game.deck) - hand.out - in_stub
    # Where most of the stub is not among them, some cards were looked at, and none counted. A deck is short once.
    if missing <= 0 or missing > in_stub or hand.found("DCK107"):
        return None
    cards = "a card" if missing == 1 else f"{missing} cards"
    return [
        Hit(f"The deck is short of {cards}: {hand.out} came into play and the stub holds {in_stub}."),
    ]


CARD_MISSING = Rule(
    code="DCK107",
    name="card-missing",
    severity="info",
    source="Seed A, irregularities: one or more missing cards",
    what="The deck is short of cards: those in play and those in the stub do not make a whole deck. An inspection "
    "that lists less than half of what the stub should hold is a look at some cards of it, and no count.",
    why="It changes no result, but a card that left the deck may come back.",
    prescribes="action_stands",
    prescription="One or more missing cards do not invalidate a hand's result. The deck is put right before the next.",
    triage="Count the deck down before the next hand; look on the floor and in the shuffler.",
    false_positives="A feed that drops burns or discards though it declares them, or an inspection of half the stub.",
    observes=frozenset({"stub", "burns", "hole_cards"}),
    checks={StubInspected: _inspected},
    examples=lambda: (
        flags(
            "a stub one card short",
            Scene().opened().limp().flop().checks_around().turn().checks_around().river().checks_around()
            .award(1).stub(short=1).end().script(),
        ),
        flags(
            "counted twice, and one card short both times: one finding",
            Scene().opened().walk(end=False).stub(short=1).stub(short=1).end().script(),
        ),
        passes(
            "one card of the stub is looked at",
            Scene().opened().limp().flop().add(StubInspected, cards=("7c",)).checks_around().win(1).script(),
        ),
        passes(
            "the stub is inspected, and nobody lists its cards",
            Scene().opened().walk(end=False).add(StubInspected).end().script(),
        ),
        passes(
            "a whole deck, with burns that nobody read",
            Scene().opened().limp().flop().checks_around().turn().checks_around().river().checks_around()
            .award(1).stub().end().script(),
        ),
        passes(
            "a feed that cannot see burns",
            Scene(observes=tuple(c for c in EVERYTHING if c != "burns")).opened().limp()
            .board("2c", "3c", "4c").checks_around().award(1).stub(short=2).end().script(),
        ),
    ),
)  # fmt: skip

RULES = (CARD_MISSING,)
