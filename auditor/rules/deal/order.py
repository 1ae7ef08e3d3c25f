"""DEAL106 and DEAL108: cards dealt out of their order."""

from __future__ import annotations

from auditor.games import BUTTON_GAMES
from auditor.rules.rule import MISDEAL_PRESCRIPTION, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.shape import DealSettled
from auditor.table.table import Table


def _out_of_sequence(table: Table, moment: DealSettled) -> list[Hit] | None:
    dealt = moment.out_of_sequence
    if dealt is None:
        return None
    return [
        Hit(
            f"The card to seat {dealt.seat} was dealt out of its turn.",
            seats=(dealt.seat,),
            cards=(dealt.card,),
            seq=dealt.seq,
            at=dealt.at,
        )
    ]


def _first_card(table: Table, moment: DealSettled) -> list[Hit] | None:
    dealt = moment.first_astray
    if dealt is None:
        return None
    due = table.hand.order[0]
    return [
        Hit(
            f"The first card went to seat {dealt.seat}; it was due to seat {due}, the first left of the button.",
            seats=(dealt.seat, due),
            cards=(dealt.card,),
            seq=dealt.seq,
            at=dealt.at,
        )
    ]


OUT_OF_SEQUENCE = Rule(
    code="DEAL106",
    name="out-of-sequence",
    severity="major",
    source="Seed A, misdeals; seed C, f",
    what="A card was dealt out of the proper sequence.",
    why="Every later card went to another player than it was meant for.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    misdeal_ground=True,
    observes=frozenset({"deal_order"}),
    triage="Follow the deal on camera, card by card.",
    false_positives="A feed that reports cards in the order in which they were read, not dealt.",
    checks={DealSettled: _out_of_sequence},
    examples=lambda: (
        flags(
            "seat 3 is served before seat 2",
            Scene().start().blinds().card(1).card(3).card(2).card(1).card(2).card(3).misdeal().script(),
        ),
        passes("clockwise, twice around", Scene().opened().walk().script()),
        passes(
            "an exposed card is replaced after the deal",
            Scene().start().blinds().card(1).card(2).card(3, "As", exposed_by="dealer").card(1).card(2).card(3)
            .back("As", origin="seat", seat=3, to="burn").card(3, replaces="As").walk().script(),
            also=("DEAL112",),
        ),
        passes(
            "a feed that does not know the order of the deal",
            Scene(observes=tuple(c for c in EVERYTHING if c != "deal_order")).start().blinds()
            .card(1).card(1).card(2).card(2).card(3).card(3).walk().script(),
        ),
        passes(
            "a seat that is passed and left short is a wrong count, not also a wrong order",
            Scene().start().blinds().card(1).card(3).card(1).card(2).card(3).misdeal().script(),
            also=("DEAL105",),
        ),
    ),
)  # fmt: skip

FIRST_CARD_WRONG_POSITION = Rule(
    code="DEAL108",
    name="first-card-wrong-position",
    severity="major",
    source="Seed A, misdeals; seed C, h",
    what="The first card went to another seat than the first entitled one left of the button; heads-up, that is the "
    "player without the button.",
    why="The whole deal is turned by a seat.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    misdeal_ground=True,
    observes=frozenset({"deal_order"}),
    games=BUTTON_GAMES,
    triage="See where the button was and where the deal began. A wrong button is another finding.",
    false_positives="A feed that names the wrong button seat.",
    checks={DealSettled: _first_card},
    examples=lambda: (
        flags(
            "the deal begins with the big blind",
            Scene(4).start().blinds().deal(seats=[2, 3, 4, 1]).misdeal().script(),
        ),
        flags(
            "heads-up, the deal begins with the button",
            Scene(2).start().blinds().deal(seats=[2, 1]).misdeal().script(),
        ),
        passes("heads-up, the deal begins with the other player", Scene(2).opened().walk().script()),
        passes(
            "the small blind is gone: the deal begins with the next player",
            Scene(4).start(seats=(2, 3, 4), small_blind_seat=1).post(2, "big_blind", 100).deal()
            .fold(3, 4).award(2).end().script(),
        ),
    ),
)  # fmt: skip

RULES = (OUT_OF_SEQUENCE, FIRST_CARD_WRONG_POSITION)
