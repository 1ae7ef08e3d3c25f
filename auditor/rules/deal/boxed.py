"""DEAL103: two or more boxed cards."""

from __future__ import annotations

from auditor.cards import spoken
from auditor.rules.rule import MISDEAL_PRESCRIPTION, Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.shape import DealSettled
from auditor.table.table import Table


def _boxed(table: Table, moment: DealSettled) -> list[Hit] | None:
    boxed = table.hand.boxed
    limit = table.memory.house.misdeal_boxed_cards
    if len(boxed) < limit:
        return None
    proof = boxed[limit - 1]
    return [
        Hit(
            f"{len(boxed)} cards lay faced the wrong way in the deck: "
            + ", ".join(f"the {spoken(scrap.card)}" for scrap in boxed)
            + ".",
            seats=tuple(sorted({scrap.seat for scrap in boxed if scrap.seat is not None})),
            cards=tuple(scrap.card for scrap in boxed),
            seq=proof.seq,
            at=proof.at,
            evidence=tuple(scrap.seq for scrap in boxed),
        )
    ]


TWO_BOXED_CARDS = Rule(
    code="DEAL103",
    name="two-boxed-cards",
    severity="major",
    source="Seed A, misdeals (two or more); seed C, c (more than two)",
    what="Two or more boxed cards, found faced the wrong way in the deck, came in the deal. The house sets the number.",
    why="One boxed card is a scrap of paper; two say that the deck was not prepared.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    misdeal_ground=True,
    triage="See how the deck was shuffled, and which machine it came from.",
    false_positives="A reader that reports the same boxed card twice.",
    checks={DealSettled: _boxed},
    examples=lambda: (
        flags(
            "two boxed cards in one deal",
            Scene().start().blinds().card(1).card(2, "As", boxed=True).card(2, replaces="As").card(3)
            .card(1, "Kd", boxed=True).card(1, replaces="Kd").card(2).card(3).misdeal().script(),
        ),
        passes(
            "one boxed card, replaced by the next",
            Scene().start().blinds().card(1).card(2, "As", boxed=True).card(2, replaces="As").card(3)
            .card(1).card(2).card(3).walk().script(),
            also=("DCK104",),
        ),
        passes(
            "two, where the house calls three a misdeal",
            Scene(house={"misdeal_boxed_cards": 3}).start().blinds().card(1).card(2, "As", boxed=True)
            .card(2, replaces="As").card(3).card(1, "Kd", boxed=True).card(1, replaces="Kd").card(2).card(3)
            .walk().script(),
            also=("DCK104", "DCK104"),
        ),
    ),
)  # fmt: skip

RULES = (TWO_BOXED_CARDS,)
