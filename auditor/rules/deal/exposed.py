"""DEAL101, DEAL102 and DEAL112: cards that the dealer exposes during the deal.

The first or second card of the hand is a misdeal by itself, two cards anywhere are one, and any other single card is
replaced after the deal and becomes the burn.
"""

from __future__ import annotations

from auditor.cards import spoken
from auditor.events import CardExposed
from auditor.games import BOARD_GAMES, BUTTON_GAMES
from auditor.rules.rule import MISDEAL_PRESCRIPTION, Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Exposure, Hand
from auditor.table.shape import DealSettled
from auditor.table.table import Table


def _seats(exposures: list[Exposure]) -> tuple[int, ...]:
    return tuple(sorted({e.seat for e in exposures if e.seat is not None}))


def _first_or_second(hand: Hand) -> list[Exposure]:
    return [e for e in hand.exposures if e.ordinal in (1, 2)]


def _opening_card(table: Table, moment: DealSettled) -> list[Hit] | None:
    if not table.hand.exposures:
        return None
    early = _first_or_second(table.hand)
    if not early:
        return None
    first = early[0]
    which = "first" if first.ordinal == 1 else "second"
    return [
        Hit(
            f"The {which} card of the deal, the {spoken(first.card)} to seat {first.seat}, was exposed.",
            seats=_seats(early),
            cards=tuple(e.card for e in early),
            seq=first.seq,
            at=first.at,
            evidence=tuple(e.seq for e in early),
        )
    ]


def _several(table: Table, moment: DealSettled) -> list[Hit] | None:
    hand = table.hand
    limit = table.memory.house.misdeal_exposed_cards
    if len(hand.exposures) < limit:
        return None
    proof = hand.exposures[limit - 1]
    opening = hand.found("DEAL101")
    return [
        Hit(
            f"The dealer exposed {len(hand.exposures)} cards during the deal: "
            + ", ".join(f"the {spoken(e.card)}" for e in hand.exposures)
            + ".",
            seats=_seats(hand.exposures),
            cards=tuple(e.card for e in hand.exposures),
            seq=proof.seq,
            at=proof.at,
            evidence=tuple(e.seq for e in hand.exposures),
            cause=opening.finding_id if opening else None,
        )
    ]


def _single(table: Table, moment: DealSettled) -> list[Hit] | None:
    hand = table.hand
    if not hand.exposures or _first_or_second(hand) or len(hand.exposures) >= table.memory.house.misdeal_exposed_cards:
        return None
    return [
        Hit(
            f"The dealer exposed seat {only.seat}'s hole card, the {spoken(only.card)}: it may not be kept, and "
            "becomes the burn.",
            seats=(only.seat,),
            cards=(only.card,),
            seq=only.seq,
            at=only.at,
        )
        for only in hand.exposures
        if only.seat is not None
    ]


_TRIAGE = "See on camera who turned the card. Was attention called before two players had acted?"
_NOT_THE_DEALER = "A card that its player flashed, reported as the dealer's fault."

FIRST_OR_SECOND_EXPOSED = Rule(
    code="DEAL101",
    name="first-or-second-card-exposed",
    severity="major",
    source="Seed A, misdeals; seed B, rule 1; seed C, a",
    what="The first or second card of the hand, of those off the deck, was dealt face up or exposed by the dealer.",
    why="So early, a new deal harms nobody, and the exposed card changes everybody's hand.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    misdeal_ground=True,
    games=BUTTON_GAMES,
    triage=_TRIAGE,
    false_positives=_NOT_THE_DEALER,
    checks={DealSettled: _opening_card},
    examples=lambda: (
        flags(
            "the first card is turned over, and a misdeal is declared",
            Scene().start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(1).card(2).card(3)
            .misdeal().script(),
        ),
        flags(
            "the second card is dealt off the table",
            Scene().start().blinds().card(1).card(2, off_table=True).card(3).card(1).card(2).card(3).misdeal().script(),
        ),
        passes(
            "a player flashes the first card",
            Scene().start().blinds().card(1, "As", exposed_by="player").card(2).card(3).card(1).card(2).card(3)
            .walk().script(),
        ),
        passes(
            "the first card is a joker, turned over: a scrap of paper",
            Scene().start().blinds().card(1, "Jk", face="up", exposed_by="dealer").card(1, replaces="Jk").card(2)
            .card(3).card(1).card(2).card(3).walk().script(),
            also=("DCK105",),
        ),
        passes(
            "the third card is exposed: it is replaced and burned",
            Scene().start().blinds().card(1).card(2).card(3, "As", exposed_by="dealer").card(1).card(2).card(3)
            .back("As", origin="seat", seat=3, to="burn").card(3, replaces="As").walk().script(),
            also=("DEAL112",),
        ),
    ),
)  # fmt: skip

TWO_EXPOSED = Rule(
    code="DEAL102",
    name="two-cards-exposed",
    severity="major",
    source="Seed A, misdeals; seed B, rule 1; seed C, b",
    what="Two or more cards were exposed by the dealer, or by the software, during the deal.",
    why="One exposed card can be replaced; with two the deal is no longer fair.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    misdeal_ground=True,
    triage=_TRIAGE,
    false_positives=_NOT_THE_DEALER,
    checks={DealSettled: _several},
    examples=lambda: (
        flags(
            "two hole cards are exposed",
            Scene().start().blinds().card(1).card(2).card(3, "As", exposed_by="dealer")
            .card(1, "Kd", exposed_by="dealer").card(2).card(3).misdeal().script(),
        ),
        passes(
            "one by the dealer, one by a player",
            Scene().start().blinds().card(1).card(2).card(3, "As", exposed_by="dealer")
            .card(1, "Kd", exposed_by="player").card(2).card(3)
            .back("As", origin="seat", seat=3, to="burn").card(3, replaces="As").walk().script(),
            also=("DEAL112",),
        ),
    ),
)  # fmt: skip

DOWNCARD_EXPOSED = Rule(
    code="DEAL112",
    name="downcard-exposed",
    severity="minor",
    source="Seed B, rule 1; seed A, irregularities: exposed cards",
    what="A single hole card, neither the first nor the second card of the deal, was exposed by the dealer. Not: a "
    "card of the stub.",
    why="The player may not keep a card that the table has seen, and has no choice in it.",
    prescribes="use_as_burn",
    prescription="The deal goes on. After it, the exposed card is replaced with the top card of the deck and becomes "
    "the burn. The player has no option to keep or to refuse it.",
    games=BOARD_GAMES,
    triage="See that the card was replaced and burned, and that the player did not keep it.",
    false_positives=_NOT_THE_DEALER,
    checks={DealSettled: _single},
    examples=lambda: (
        flags(
            "the fourth card is exposed, replaced and burned",
            Scene().start().blinds().card(1).card(2).card(3).card(1, "As", exposed_by="dealer").card(2).card(3)
            .back("As", origin="seat", seat=1, to="burn").card(1, replaces="As").limp()
            .burn("As").board("2c", "3c", "4c").check(1, 2, 3).script(),
        ),
        flags(
            "two, where the house calls three a misdeal: neither is kept",
            Scene(house={"misdeal_exposed_cards": 3}).start().blinds().card(1).card(2).card(3)
            .card(1, "As", exposed_by="dealer").card(2, "Ad", exposed_by="dealer").card(3)
            .back("As", origin="seat", seat=1, to="burn").card(1, replaces="As")
            .back("Ad", origin="seat", seat=2, to="stub").card(2, replaces="Ad").walk().script(),
            also=("DEAL112",),
        ),
        passes(
            "the bottom card of the stub is flashed",
            Scene().start().blinds().card(1).card(2).card(3).add(CardExposed, card="As", by="dealer").card(1).card(2)
            .card(3).walk().script(),
        ),
        passes(
            "the player drops the card: it plays",
            Scene().start().blinds().card(1).card(2).card(3).card(1, "As", exposed_by="player").card(2).card(3)
            .walk().script(),
        ),
        passes(
            "two are exposed: a misdeal",
            Scene().start().blinds().card(1).card(2).card(3).card(1, "As", exposed_by="dealer")
            .card(2, "Ad", exposed_by="dealer").card(3).misdeal().script(),
            also=("DEAL102",),
        ),
    ),
)  # fmt: skip

RULES = (FIRST_OR_SECOND_EXPOSED, TWO_EXPOSED, DOWNCARD_EXPOSED)
