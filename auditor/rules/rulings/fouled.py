"""RUL111: chips given back to a player whose hand was fouled, in a hand that was played to its end."""

from __future__ import annotations

from auditor.events import HandEnded
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Hand, Irregularity
from auditor.table.remedies import fouled
from auditor.table.table import Table

#: What fouls the hand of the seats that it names.
_FOULS = frozenset({"DEAL104", "DEAL105", "DEAL109", "DEAL111", "DCK106", "HND104", "HND105"})


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    if not hand.refunds or not hand.window_closed or not hand.awarded or hand.voided or fouled(hand) is not None:
        return None
    hits = []
    for seat in dict.fromkeys(refund.seat for refund in hand.refunds):
        cause = _fouled_hand(hand, seat)
        if cause is not None and _given_back(hand, seat):
            hits.append(_hit(hand, seat, cause))
    return hits


def _fouled_hand(hand: Hand, seat: int) -> Irregularity | None:
    return next((i for i in hand.irregularities if i.code in _FOULS and seat in i.seats), None)


def _given_back(hand: Hand, seat: int) -> bool:
    """Chips for the fouled hand, and not the correction of a wrong amount: that does not give back everything."""
    reasons = {refund.reason for refund in hand.refunds if refund.seat == seat}
    return reasons != {"correction"} or hand.returned[seat] >= hand.total.get(seat, 0) > 0


def _hit(hand: Hand, seat: int, cause: Irregularity) -> Hit:
    refunds = [refund for refund in hand.refunds if refund.seat == seat]
    amount = sum(refund.amount for refund in refunds)
    return Hit(
        f"Seat {seat}, whose hand was fouled ({cause.code}), got {amount} chips back from a hand that was played to "
        "its end.",
        seats=(seat,),
        evidence=(cause.seq, *(refund.seq for refund in refunds)),
        confidence="likely" if all(refund.reason == "correction" for refund in refunds) else "certain",
        cause=cause.incident,
    )


REFUND_TO_FOULED = Rule(
    code="RUL111",
    name="refund-to-fouled",
    severity="major",
    source="Seed A, misdeals, last paragraph",
    what="Action had occurred, the hand was played to its end, and chips went back to a player whose hand was fouled: "
    "one with the wrong number of cards, or with a joker in it.",
    why="Once action has occurred nothing is returned: whoever does not look to the hand pays for it.",
    prescribes="play_on",
    prescription="The hand is played to its end, and nothing is returned to a player whose hand is fouled.",
    observes=frozenset({"betting", "awards"}),
    triage="Who gave the chips back, and out of which pot?",
    false_positives="A correction of another mistake of the same seat.",
    checks={HandEnded: _ended},
    examples=lambda: (
        flags(
            "the button has one card, puts in a call, and gets it back",
            Scene().start().blinds().card(1).card(2).card(3).card(1).card(2).call(3, 1).check(2)
            .refund_to(3, 100, "correction").award(1, 200).end().script(),
            also=("DEAL105",),
        ),
        flags(
            "the button has one card, and gets its call back as if the hand were void",
            Scene().start().blinds().card(1).card(2).card(3).card(1).card(2).call(3, 1).check(2)
            .refund_to(3, 100, "void").award(1, 200).end().script(),
            also=("DEAL105",),
        ),
        passes(
            "the button has one card, and nothing is returned",
            Scene().start().blinds().card(1).card(2).card(3).card(1).card(2).fold(3).call(1).check(2).win(1).script(),
            also=("DEAL105",),
        ),
        passes(
            "an uncalled bet of the fouled hand",
            Scene().start().blinds().card(1).card(2).card(3).card(1).card(2).raise_to(3, 400).fold(1, 2)
            .refund_to(3, 300).award(3, 250).end().script(),
            also=("DEAL105",),
        ),
        passes(
            "a wrong amount is put right",
            Scene().opened().call(3, 1).check(2).refund_to(3, 50, "correction").award(1, 250).end().script(),
        ),
        passes(
            "the hand is a misdeal: everything goes back",
            Scene().start().blinds().card(1).card(2).card(3).card(1).card(3).misdeal().script(),
            also=("DEAL105",),
        ),
    ),
)  # fmt: skip

RULES = (REFUND_TO_FOULED,)
