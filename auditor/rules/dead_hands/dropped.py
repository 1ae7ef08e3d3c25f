"""HND111: a card that a player dropped was not played."""

from __future__ import annotations

from auditor.cards import UNREAD, spoken
from auditor.events import CardDealt, CardsReleased, RulingMade
from auditor.rules.rule import Hit, OnceStirred, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import dead
from auditor.table.hand import Hand
from auditor.table.table import Table


def _replaced(table: Table, event: CardDealt) -> list[Hit] | None:
    if event.replaces is None or event.seat not in table.hand.dropped:
        return None
    hand, seat = table.hand, event.seat
    known = hand.dropped[seat]
    if (known and event.replaces not in known and UNREAD not in known) or _to_be_replaced(hand, seat, event.replaces):
        return None
    return _hit(hand, seat, f"replaced: the {spoken(event.replaces)}", (event.replaces,))


def _to_be_replaced(hand: Hand, seat: int, card: str) -> bool:
    """There is another reason to replace the card: the dealer exposed it, or it is a scrap of paper."""
    if any(scrap.card == card for scrap in hand.boxed) or any(e.seat == seat for e in hand.exposures):
        return True
    return any(i.prescribed in ("scrap_card", "use_as_burn") and seat in i.seats for i in hand.irregularities)


def _ruled_dead(table: Table, event: RulingMade) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if event.ruling != "hand_dead" or seat is None or seat not in hand.dropped:
        return None
    if seat in hand.folded or seat in hand.dead or dead.found_dead(hand, seat):
        return None
    return _hit(hand, seat, "and the hand was ruled dead for it", hand.dropped[seat])


def _hit(hand: Hand, seat: int, what: str, cards: tuple[str, ...]) -> list[Hit] | None:
    if dead.told(hand, "HND111", seat):
        return None
    return [Hit(f"A card that seat {seat} dropped was not played, {what}.", seats=(seat,), cards=cards)]


DROPPED_CARD_NOT_PLAYED = Rule(
    code="HND111",
    name="dropped-card-not-played",
    severity="minor",
    source="Seed A, irregularities, last",
    what="A card that a player dropped from the hand was replaced, or the hand was ruled dead for it.",
    why="A player who could drop a card and get another would drop every bad one.",
    prescribes="card_stands",
    prescription="A dropped card must be played, face up or face down.",
    triage="See on camera who dropped the card: the dealer's fault is an exposed card.",
    false_positives="A card that the dealer dropped, reported as the player's.",
    checks={OnceStirred(CardDealt): _replaced, RulingMade: _ruled_dead},
    examples=lambda: (
        flags(
            "the dropped card is replaced",
            Scene().start().blinds().deal({3: "As Kd"}).add(CardsReleased, seat=3, manner="dropped", cards=("As",))
            .back("As", origin="seat", seat=3, to="muck").card(3, replaces="As").call(3, 1).check(2).script(),
        ),
        flags(
            "the hand is ruled dead for it",
            Scene().opened().add(CardsReleased, seat=3, manner="dropped").rule("hand_dead", seat=3).call(1).check(2)
            .script(),
        ),
        passes(
            "the dropped card is played",
            Scene().opened().add(CardsReleased, seat=3, manner="dropped").call(3, 1).check(2).script(),
        ),
        passes(
            "another card is replaced, which the dealer had exposed",
            Scene().start().blinds().card(1).card(2).card(3).card(1).card(2).card(3, "As", exposed_by="dealer")
            .add(CardsReleased, seat=3, manner="dropped").back("As", origin="seat", seat=3, to="burn")
            .card(3, replaces="As").call(3, 1).check(2).burn("As").board("2c", "3c", "4c").check(1, 2, 3).script(),
            also=("DEAL112",),
        ),
    ),
)  # fmt: skip

RULES = (DROPPED_CARD_NOT_PLAYED,)
