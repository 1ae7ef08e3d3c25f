"""RUL106: the card that came too early stayed on the board."""

from __future__ import annotations

from auditor.cards import spoken
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.board import PrematurePlayed
from auditor.table.table import Table


def _played(table: Table, moment: PrematurePlayed) -> list[Hit] | None:
    hand = table.hand
    cards = tuple(card for premature in hand.premature for card in premature.cards)
    cause = hand.found("BRD101")
    return [
        Hit(
            f"The hand went on with the {', '.join(map(spoken, cards))}, turned before the betting was complete.",
            cards=cards,
            evidence=(hand.premature[0].seq, moment.seq),
            prescribed=cause.prescribed if cause else None,
            cause=cause.finding_id if cause else None,
        )
    ]


PREMATURE_CARD_PLAYED = Rule(
    code="RUL106",
    name="premature-card-played",
    severity="critical",
    source="Seed B, rule 5",
    what="A board card that was turned before the betting round was complete stayed on the board.",
    why="A card that must not play decided the hand.",
    prescribes="redeal_flop",
    prescription="The card does not play: a flop is redealt, a turn or river repaired, after the betting is completed.",
    observes=frozenset({"betting"}),
    games=BOARD_GAMES,
    triage="Who won with the card, and would have lost without it?",
    false_positives="A card that was taken off the board without the feed seeing it.",
    checks={PrematurePlayed: _played},
    examples=lambda: (
        flags(
            "the premature flop is played",
            Scene().opened().call(3, 1).premature("As", "7c", "2d").check(2).check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the premature river stays, and the hand goes to the showdown",
            Scene(2).opened().limp().flop().checks_around().turn().check(1).premature("As").check(2).win(1).script(),
            also=("BRD101",),
        ),
        flags(
            "the premature flop is played, and a bet on it is not measured by those before the flop",
            Scene().opened().raise_to(3, 600).call(1).premature("As", "7c", "2d").call(2).new_street()
            .raise_to(1, 100).call(2, 3).script(),
            also=("BRD101",),
        ),
        passes(
            "the premature flop goes back, and a new one is dealt",
            Scene().opened().call(3, 1).premature("As", "7c", "2d").check(2)
            .back("As", "7c", "2d").reshuffle().board("9c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        passes(
            "everybody folds: the card decided nothing",
            Scene().opened().raise_to(3, 300).fold(1).premature("As", "7c", "2d").fold(2).win(3).script(),
            also=("BRD101",),
        ),
    ),
)  # fmt: skip

RULES = (PREMATURE_CARD_PLAYED,)
