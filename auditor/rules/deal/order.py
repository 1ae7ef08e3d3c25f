"""DEAL106 and DEAL108: cards dealt out of their order."""

from __future__ import annotations

from typing import Any

from auditor.events import PlayerLeft
from auditor.rules.rule import MISDEAL_PRESCRIPTION, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.shape import DealSettled
from auditor.table.table import Table


def _out_of_sequence(table: Table, moment: DealSettled) -> list[Hit] | None:
    dealt = moment.out_of_sequence
    if dealt is None:
        return None
    extra = moment.extra
    if len(extra) >= table.memory.house.misdeal_extra_cards and any(card.seat == dealt.seat for card in extra):
        return None  # one of too many: DEAL104
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
    start = "button" if table.hand.game.button else "dealer"
    return [
        Hit(
            f"The first card went to seat {dealt.seat}; it was due to seat {due}, the first left of the {start}.",
            seats=(dealt.seat, due),
            cards=(dealt.card,),
            seq=dealt.seq,
            at=dealt.at,
        )
    ]


def _stud(**fields: Any) -> Scene:
    return Scene(game="stud", betting="limit").start(**fields)


OUT_OF_SEQUENCE = Rule(
    code="DEAL106",
    name="out-of-sequence",
    severity="major",
    source="Seed A, misdeals; seed C, f",
    what="A card was dealt out of the proper sequence: a seat was passed, or served twice. A seat that the deal, gone "
    "all the way round, left with a card too few is DEAL105.",
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
        flags(
            "seat 2 is passed in the first round, and the deal is stopped at once",
            Scene(4).start().blinds().card(1).card(3).misdeal().script(),
        ),
        flags(
            "the first seat gets two cards running, and the deal is stopped at once",
            Scene(4).start().blinds().card(1).card(1).misdeal().script(),
        ),
        flags(
            "the second seat gets two cards running, and the deal goes on from there",
            Scene().start().blinds().card(1).card(2).card(2).card(3).card(1).card(2).card(3).walk().script(),
        ),
        flags(
            "seat 3's card was meant for seat 2, and is moved there",
            Scene(4).start().blinds().card(1).card(3, "As").back("As", origin="seat", seat=3).card(2, "As").card(3)
            .card(4).card(1).card(2).card(3).card(4).walk().script(),
        ),
        flags(
            "seat 3's card is moved to seat 2, which its id tells",
            Scene(4).start().blinds().card(1).card(3, "As", card_id="c1").card(2, "As", card_id="c1").card(3).card(4)
            .card(1).card(2).card(3).card(4).walk().script(),
        ),
        passes("clockwise, twice around", Scene().opened().walk().script()),
        passes(
            "a deal that is stopped in its middle, every card in its turn",
            Scene(4).start().blinds().card(1).card(2).card(3).card(4, "As", exposed_by="dealer")
            .card(1, "Kd", exposed_by="dealer").misdeal().script(),
            also=("DEAL102",),
        ),
        passes(
            "a boxed card goes back, and is replaced behind the round by a card that does not say so",
            Scene().start().blinds().card(1).card(2, "As", boxed=True).card(3)
            .back("As", origin="seat", seat=2, to="muck").card(2).card(1).card(2).card(3).walk().script(),
            also=("DCK104",),
        ),
        passes(
            "the player left before the deal, and is passed over; an exposed card is replaced at once",
            Scene(4).start().blinds().add(PlayerLeft, seat=4, hand_id=None).card(1).card(2).card(3)
            .card(1, "As", exposed_by="dealer").card(2).card(3).back("As", origin="seat", seat=1, to="burn").card(1)
            .fold(3, 1).award(2).end().script(),
            also=("DEAL112",),
        ),
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
    "player without the button; in stud, it is the one left of the dealer, where the dealer is a player.",
    why="The whole deal is turned by a seat.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    misdeal_ground=True,
    observes=frozenset({"deal_order"}),
    triage="See where the button or, in stud, the dealer was, and where the deal began. A wrong button is another "
    "finding.",
    false_positives="A feed that names the wrong button seat, or the wrong dealer's.",
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
        flags(
            "the first card goes one seat too far, and the deal is stopped at once",
            Scene(4).start().blinds().card(2).misdeal().script(),
        ),
        flags(
            "stud, dealt by a player: the deal begins with the second seat to the left",
            _stud(dealer_seat=3).deal(seats=[2, 3, 1]).misdeal().script(),
        ),
        passes("stud, from the left of the dealer", _stud(dealer_seat=2).deal(seats=[3, 1, 2]).misdeal().script(),
               also=("RUL101",)),
        passes(
            "stud, where nobody says who deals: a misdeal may have been for that",
            _stud().deal(seats=[2, 3, 1]).misdeal().script(),
        ),
        passes("heads-up, the deal begins with the other player", Scene(2).opened().walk().script()),
        passes(
            "the first card is boxed, goes back, and is replaced behind the round",
            Scene().start().blinds().card(1, "As", boxed=True).card(2).card(3)
            .back("As", origin="seat", seat=1, to="muck").card(1).card(1).card(2).card(3).walk().script(),
            also=("DCK104",),
        ),
        passes(
            "the small blind is gone: the deal begins with the next player",
            Scene(4).start(seats=(2, 3, 4), small_blind_seat=1).post(2, "big_blind", 100).deal()
            .fold(3, 4).award(2).end().script(),
        ),
    ),
)  # fmt: skip

RULES = (OUT_OF_SEQUENCE, FIRST_CARD_WRONG_POSITION)
