"""RUL103: action was to be voided, and the pot was awarded."""

from __future__ import annotations

from auditor.events import HandEnded, PotAwarded
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Hand, Irregularity
from auditor.table.table import Table


def _fouled(hand: Hand) -> Irregularity | None:
    for irregularity in hand.irregularities:
        if irregularity.prescribed == "void_action" and not irregularity.after_award:
            return irregularity
    return None


def _awarded(table: Table, event: PotAwarded) -> list[Hit] | None:
    hand = table.hand
    if not hand.irregularities:
        return None
    fouled = _fouled(hand)
    if fouled is None or hand.found("RUL103"):
        return None
    return [
        Hit(
            f"Seat {event.seat} was awarded {event.amount} of a pot that is void: every chip should have gone back to "
            "the player who wagered it.",
            seats=(event.seat,),
            evidence=(fouled.seq, event.seq),
            cause=fouled.finding_id,
        )
    ]


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    fouled = _fouled(hand)
    if fouled is None or hand.awarded or hand.void_returns or not hand.pot or "awards" not in hand.observes:
        return None
    if hand.ruled("pot_carries_over"):
        return None
    return [
        Hit(
            f"The action is void, and none of the {hand.pot} chips in the pot went back.",
            evidence=(fouled.seq, event.seq),
            cause=fouled.finding_id,
        )
    ]


REFUND_MISSING = Rule(
    code="RUL103",
    name="refund-missing",
    severity="critical",
    source="Seed A, irregularities 3 and 4",
    what="A fouled deck voids all action, and the pot was awarded, or nothing was returned.",
    why="A player won chips in a hand that does not count, or the house kept them.",
    prescribes="void_action",
    prescription="Every chip in the pot goes back to the player who wagered it.",
    triage="Work out what each seat wagered, and put it right before the players leave.",
    false_positives="The defect was seen only by the feed: nobody at the table could know.",
    checks={PotAwarded: _awarded, HandEnded: _ended},
    examples=(
        flags(
            "a duplicate card, and the pot is awarded",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").checks_around()
            .win(1).script(),
            also=("DCK101",),
        ),
        flags(
            "a blue card, and nobody gets anything back",
            Scene().start().blinds().card(1).card(2, back="blue").card(3).card(1).card(2).card(3).end().script(),
            also=("DCK102",),
        ),
        passes(
            "a duplicate card, and every chip goes back",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").rule("void_action")
            .refund().end().script(),
            also=("DCK101",),
        ),
        passes(
            "the duplicate came to light after the award",
            Scene().start().blinds().deal({1: "As Kd"}).walk(end=False).board("As", "7c", "2d", rabbit=True)
            .end().script(),
            also=("DCK101",),
        ),
        passes("no defect, and the pot is awarded", Scene().opened().walk().script()),
    ),
)  # fmt: skip

RULES = (REFUND_MISSING,)
