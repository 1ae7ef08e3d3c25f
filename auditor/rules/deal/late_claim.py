"""DEAL113: a claim that a card was exposed, made after looking at it, and honoured."""

from __future__ import annotations

from auditor.cards import JOKER, UNREAD, spoken
from auditor.events import CardDealt, CardReturned, RulingMade
from auditor.rules.rule import Hit, OnceStirred, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import dead
from auditor.table.hand import Hand, LateClaim
from auditor.table.table import Table


def _replaced(table: Table, event: CardDealt) -> list[Hit] | None:
    if event.replaces is None or not table.hand.late_claims:
        return None
    return _honoured(table.hand, event.seat, event.replaces, event.seq)


def _returned(table: Table, event: CardReturned) -> list[Hit] | None:
    hand = table.hand
    if not hand.late_claims or event.from_ != "seat" or event.seat is None:
        return None
    return _honoured(hand, event.seat, event.card, event.seq)


def _ruled(table: Table, event: RulingMade) -> list[Hit] | None:
    hand = table.hand
    if not hand.late_claims or event.ruling != "use_as_burn":
        return None
    seat = hand.late_claims[-1].seat if event.seat is None else event.seat
    return _honoured(hand, seat, event.card or UNREAD, event.seq)


def _honoured(hand: Hand, seat: int, card: str, seq: int) -> list[Hit] | None:
    claim = _claim(hand, seat, card)
    if claim is None or _another_reason(hand, seat, card) or dead.told(hand, "DEAL113", seat):
        return None
    named = "a card" if card == UNREAD else f"the {spoken(card)}"
    return [
        Hit(
            f"Seat {seat} had looked at its cards when it claimed that {named} was exposed, and was believed.",
            seats=(seat,),
            cards=() if card == UNREAD else (card,),
            evidence=(claim.seq, seq),
        )
    ]


def _claim(hand: Hand, seat: int, card: str) -> LateClaim | None:
    for claim in hand.late_claims:
        if claim.seat == seat and (card == UNREAD or claim.card in (None, UNREAD, card)):
            return claim
    return None


def _another_reason(hand: Hand, seat: int, card: str) -> bool:
    """The feed saw it exposed, or the card is a scrap of paper or one too many: it goes, claim or no claim."""
    if card == JOKER or any(scrap.card == card and scrap.seat == seat for scrap in hand.boxed):
        return True
    if any(e.seat == seat for e in hand.exposures):
        return True
    return len(hand.holding.get(seat, ())) > hand.game.starting_cards


def _claimed(looked: bool) -> Scene:
    return Scene().start().blinds().deal({1: "As Kd"}).announce(seat=1, card="As", rule="DEAL112", looked=looked)


LATE_EXPOSURE_CLAIM = Rule(
    code="DEAL113",
    name="late-exposure-claim",
    severity="info",
    source="Seed A, irregularities: exposed cards",
    what="A player claimed that a card had been exposed, after looking at it, and the card was replaced or made the "
    "burn. Not: a card that the feed itself saw exposed.",
    why="A player who has seen the card could get rid of it by a claim that nobody can check.",
    prescribes="card_stands",
    prescription="The card plays. To get a decision on whether a card was exposed and is to be replaced, the player "
    "must announce it before looking.",
    observes=frozenset({"exposure"}),
    triage="See on camera whether the card was flashed, and whether the player had looked.",
    false_positives="A card that was exposed, and the feed missed it.",
    checks={OnceStirred(CardDealt): _replaced, CardReturned: _returned, RulingMade: _ruled},
    examples=lambda: (
        flags(
            "the claim comes after a look, and the card becomes the burn",
            _claimed(True).back("As", origin="seat", seat=1, to="burn").card(1, replaces="As").limp().burn("As")
            .board("2c", "3c", "4c").check(1, 2, 3).script(),
        ),
        flags(
            "the floor rules for the claim",
            _claimed(True).rule("use_as_burn", seat=1, card="As").back("As", origin="seat", seat=1, to="burn")
            .card(1, replaces="As").limp().burn("As").board("2c", "3c", "4c").check(1, 2, 3).script(),
        ),
        passes("the claim is turned down", _claimed(True).rule("card_stands", seat=1).limp().script()),
        passes(
            "the claim comes before a look",
            _claimed(False).back("As", origin="seat", seat=1, to="burn").card(1, replaces="As").limp().burn("As")
            .board("2c", "3c", "4c").check(1, 2, 3).script(),
        ),
        passes(
            "the feed saw the dealer expose the card",
            Scene().start().blinds().card(1).card(2).card(3).card(1, "As", exposed_by="dealer").card(2).card(3)
            .announce(seat=1, card="As", looked=True).back("As", origin="seat", seat=1, to="burn")
            .card(1, replaces="As").limp().burn("As").board("2c", "3c", "4c").check(1, 2, 3).script(),
            also=("DEAL112",),
        ),
    ),
)  # fmt: skip

RULES = (LATE_EXPOSURE_CLAIM,)
