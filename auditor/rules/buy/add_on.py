"""BUY103: chips added to a stack in the middle of a hand."""

from __future__ import annotations

from auditor.events import ChipsBought, ChipsCashed
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.hand import Hand
from auditor.table.table import Table


def _bought(table: Table, event: ChipsBought) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if (
        event.kind != "add_on"
        or event.reason != "purchase"
        or not hand.open
        or hand.gap
        or hand.awarded
        or not _dealt_in(hand, seat)
    ):
        return None
    folded = seat in hand.folded
    where = "dealt into hand" if not folded else "dealt into, and out of, hand"
    message = f"Seat {seat} added {event.amount} chips while {where} {hand.hand_id}, which is not over."
    # Chips that wait until the hand is over are often noted when they are bought.
    return [Hit(message, seats=(seat,), confidence="likely" if folded else "certain")]


def _dealt_in(hand: Hand, seat: int) -> bool:
    if "hole_cards" in hand.observes:
        return seat in hand.holding
    return hand.deal_settled and seat in hand.entitled


ADD_ON_DURING_HAND = Rule(
    code="BUY103",
    name="add-on-during-hand",
    severity="major",
    source="Seed A, buying in, 3",
    what="Chips were added to the stack of a seat that is dealt into a hand in progress. A hand is in progress from "
    "the seat's first card until the pot is awarded.",
    why="A player could see the cards first and then decide how much to play for.",
    prescription="None prescribed: the chips do not play in this hand. Between hands they may be any amount.",
    triage="See whether the chips were bet in this hand, and whether the player had acted already.",
    false_positives="A feed that reports a purchase when it is asked for, not when the chips are put on the stack. "
    "For a seat that has folded, the finding is `likely` only.",
    checks={ChipsBought: _bought},
    examples=lambda: (
        flags(
            "chips are added after the flop",
            Scene().opened().limp().flop().add(ChipsBought, seat=1, kind="add_on", amount=500).checks_around()
            .win(1).script(),
        ),
        flags(
            "a player who has folded adds chips before the hand is over",
            Scene().opened().fold(3).add(ChipsBought, seat=3, kind="add_on", amount=500).fold(1).win(2).script(),
        ),
        passes(
            "between hands, in any amount",
            Scene().opened().walk().add(ChipsBought, seat=1, kind="add_on", amount=500).opened(button=1).walk()
            .script(),
        ),
        passes(
            "the house sets a stack right, and a bounty is paid, while a hand is played",
            Scene().opened().limp().flop().add(ChipsBought, seat=1, kind="add_on", amount=500, reason="adjustment")
            .add(ChipsCashed, seat=2, amount=100, reason="bounty")
            .add(ChipsBought, seat=3, kind="add_on", amount=100, reason="bounty").checks_around().win(1)
            .opened(button=1).walk().script(),
        ),
        passes(
            "when the pot is awarded",
            Scene().opened().walk(end=False).add(ChipsBought, seat=1, kind="add_on", amount=500).end().script(),
        ),
        passes(
            "before the first card",
            Scene().start().add(ChipsBought, seat=1, kind="add_on", amount=500).blinds().deal().walk().script(),
        ),
        passes(
            "a player who sits this hand out",
            Scene().start(not_entitled=(4,)).blinds().deal().add(ChipsBought, seat=4, kind="add_on", amount=500).walk()
            .script(),
        ),
        passes(
            "the hand's end may have been lost",
            Scene().opened().walk().lose(13).add(ChipsBought, seat=1, kind="add_on", amount=500).script(),
            also=("FEED101",),
        ),
        passes(
            "a feed that sees no cards, before anybody acts",
            Scene(observes=tuple(c for c in EVERYTHING if c != "hole_cards")).start().blinds()
            .add(ChipsBought, seat=1, kind="add_on", amount=500).walk().script(),
        ),
    ),
)  # fmt: skip

RULES = (ADD_ON_DURING_HAND,)
