"""BET106: a short all-in does not reopen the betting."""

from __future__ import annotations

from auditor.events import PlayerActed
from auditor.rules.rule import RAISES, Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import betting
from auditor.table.hand import Hand
from auditor.table.table import Table


def _reopened(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if seat not in hand.acted or seat not in hand.live or seat in hand.all_in:
        return None
    paid = hand.commit.get(seat, 0)
    facing = hand.bet - paid
    if facing <= 0 or paid + event.amount <= hand.bet or hand.bet > max(hand.commit.values(), default=0):
        return None
    if betting.reopens(hand, table.memory.house, facing) or _of_no_effect(hand, seat):
        return None
    return [
        Hit(
            f"Seat {seat} raised to {paid + event.amount}, and had acted on this round: the all-in raised it by "
            f"{facing} only, less than a full raise of {hand.raise_size}, and did not reopen the betting.",
            seats=(seat,),
        )
    ]


def _of_no_effect(hand: Hand, seat: int) -> bool:
    """Nobody is left who could call it; or what is faced is another irregularity of this round."""
    if hand.live - hand.all_in <= {seat}:
        return True
    return any(i.street == hand.street and i.code in ("BET101", "BET104", "BET105") for i in hand.irregularities)


REOPENED = Rule(
    code="BET106",
    name="reopened-by-short-all-in",
    severity="minor",
    source="+",
    what="A player who had acted raised again, and since then the bet had grown only by all-ins of less than a full "
    "raise, together too. The house sets how large an all-in must be (`short_all_in`).",
    why="Who has acted may only call or fold: the raise takes an advantage that the rules do not give.",
    prescription="The player calls or folds; the raise goes back.",
    observes=frozenset({"betting"}),
    triage="Add up what the player faced. In limit games half a bet reopens the betting.",
    false_positives="A house that lets any all-in reopen the betting and does not declare it.",
    checks={RAISES: _reopened},
    examples=lambda: (
        flags(
            "the raiser raises a short all-in again",
            Scene(short={1: 500}).opened().raise_to(3, 400).raise_to(1, 500, all_in=True).call(2)
            .raise_to(3, 1_500).script(),
        ),
        flags(
            "limit: less than half a bet more",
            Scene(betting="limit", short={1: 240}).opened().raise_to(3, 200).raise_to(1, 240, all_in=True).call(2)
            .raise_to(3, 340).script(),
        ),
        flags(
            "the caller of one short all-in faces only another short one",
            Scene(5, short={5: 500, 1: 700}).opened().raise_to(3, 400).call(4).raise_to(5, 500, all_in=True).fold(1)
            .fold(2).call(3).raise_to(4, 900).script(),
        ),
        passes(
            "a player who has not acted yet may raise",
            Scene(short={1: 500}).opened().raise_to(3, 400).raise_to(1, 500, all_in=True).raise_to(2, 1_500).script(),
        ),
        passes(
            "an all-in of a full raise reopens the betting",
            Scene(short={1: 700}).opened().raise_to(3, 400).raise_to(1, 700, all_in=True).call(2)
            .raise_to(3, 1_500).script(),
        ),
        passes(
            "two short all-ins are together a full raise",
            Scene(5, short={4: 500, 5: 700}).opened().raise_to(3, 400).raise_to(4, 500, all_in=True)
            .raise_to(5, 700, all_in=True).fold(1).call(2).raise_to(3, 1_500).script(),
        ),
        passes(
            "limit: half a bet reopens the betting",
            Scene(betting="limit", short={1: 250}).opened().raise_to(3, 200).raise_to(1, 250, all_in=True).call(2)
            .raise_to(3, 350).script(),
        ),
        passes(
            "the house lets any all-in reopen it",
            Scene(short={1: 500}, house={"short_all_in": "any"}).opened().raise_to(3, 400)
            .raise_to(1, 500, all_in=True).call(2).raise_to(3, 1_500).script(),
        ),
        passes(
            "calling the short all-in",
            Scene(short={1: 500}).opened().raise_to(3, 400).raise_to(1, 500, all_in=True).call(2, 3).script(),
        ),
        passes("the blinds were no action of theirs", Scene().opened().call(3, 1).raise_to(2, 300).call(3).script()),
        passes(
            "nobody is left to call the raise",
            Scene(2, short={1: 500}).opened().raise_to(2, 400).raise_to(1, 500, all_in=True).raise_to(2, 1_500)
            .script(),
        ),
    ),
)  # fmt: skip

RULES = (REOPENED,)
