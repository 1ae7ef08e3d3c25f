"""BRD109: the flop, card by card."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from auditor.events import BoardDealt
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import board
from auditor.table.table import Table


def _piecemeal(table: Table, event: BoardDealt) -> list[Hit] | None:
    hand = table.hand
    if hand.street != 1 or event.board != 1 or not board.is_short(hand) or board.is_for_curiosity(hand, event):
        return None
    if hand.acted_on_street or hand.burns_since or hand.put_right or hand.scraps or hand.found("BRD109"):
        return None
    if hand.flop_at is None or event.at - hand.flop_at <= _READ_TOGETHER:
        return None
    return [Hit("The flop was not turned together: its cards came one after another.", cards=tuple(hand.board))]


#: Readers that report card by card need so long for cards that are turned at once and spread.
_READ_TOGETHER = timedelta(seconds=2)

_LATER = datetime(2026, 1, 1, 20, 1, tzinfo=UTC)

FLOP_NOT_TOGETHER = Rule(
    code="BRD109",
    name="flop-not-together",
    severity="info",
    source="Seed B, introduction",
    what="The three cards of the flop were not turned at once. Cards reported one by one within two seconds were.",
    why="A card that is turned early is seen before the others, and a player's face with it.",
    prescription="None by itself: the cards stand.",
    observes=frozenset({"exposure"}),
    games=BOARD_GAMES,
    triage="Watch the dealer's hands; a habit is worth a word.",
    false_positives="A reader that reports each card as it comes to rest.",
    checks={BoardDealt: _piecemeal},
    examples=lambda: (
        flags(
            "the door card first, and the other two a while later",
            Scene().opened().limp().burn().board("As").board("7c", "2d", at=_LATER).script(),
        ),
        flags(
            "one by one: one finding",
            Scene().opened().limp().burn().board("As").board("7c", at=_LATER).board("2d", at=_LATER).script(),
        ),
        passes(
            "the next card comes a while later in the place of a joker",
            Scene().opened().limp().burn().board("As", "Jk", "2d").board("7c", at=_LATER).script(),
            also=("DCK105",),
        ),
        passes("three at once", Scene().opened().limp().flop().check(1, 2, 3).script()),
        passes(
            "turned at once, and read one by one",
            Scene().opened().limp().burn().board("As").board("7c").board("2d").check(1, 2, 3).script(),
        ),
        passes(
            "a feed that does not see how cards are turned",
            Scene(observes=tuple(c for c in EVERYTHING if c != "exposure")).opened().limp().burn().board("As")
            .board("7c", "2d", at=_LATER).script(),
        ),
    ),
)  # fmt: skip

RULES = (FLOP_NOT_TOGETHER,)
