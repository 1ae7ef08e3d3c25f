"""RUL106: the card that came too early stayed on the board."""

from __future__ import annotations

from auditor.cards import spoken
from auditor.events import BoardDealt, PlayerActed, PotAwarded
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.table import Table


def _played(table: Table, event: PlayerActed | BoardDealt | PotAwarded) -> list[Hit] | None:
    hand = table.hand
    if not hand.premature or not hand.round_complete or len(hand.live) < 2 or hand.found("RUL106"):
        return None
    if isinstance(event, BoardDealt) and event.rabbit:
        return None
    cards = tuple(card for premature in hand.premature for card in premature.cards)
    cause = hand.found("BRD101")
    return [
        Hit(
            f"The hand went on with the {', '.join(map(spoken, cards))}, turned before the betting was complete.",
            cards=cards,
            evidence=(hand.premature[0].seq, event.seq),
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
    checks={PlayerActed: _played, BoardDealt: _played, PotAwarded: _played},
    examples=(
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
