"""DCK108: a player who could see that the deck is fouled plays for the pot."""

from __future__ import annotations

from auditor.cards import spoken
from auditor.events import PlayerActed
from auditor.rules.rule import Hit, OnceStirred, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import dead
from auditor.table.hand import Hand, Irregularity
from auditor.table.table import Table


def _acted(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if event.action not in ("bet", "raise", "complete"):
        return None
    seen = _seen(hand, seat)
    if seen is None or _pointed_out(hand, seen[0]) or dead.told(hand, "DCK108", seat):
        return None
    defect, what = seen
    return [
        Hit(
            f"Seat {seat} could see {what}, and did not point it out but made a {event.action}.",
            seats=(seat,),
            cards=defect.cards,
            evidence=(defect.seq, event.seq),
            confidence="likely",
            cause=defect.incident,
        )
    ]


def _seen(hand: Hand, seat: int) -> tuple[Irregularity, str] | None:
    """A defect of the deck among the cards that this seat could see, and what it is."""
    for defect in hand.irregularities:
        if defect.code == "DCK101":
            card = defect.cards[0]
            visible = (*hand.holding.get(seat, ()), *hand.board)
            if visible.count(card) > 1:
                return defect, f"the {spoken(card)} twice"
        elif defect.code == "DCK102" and seat in hand.foreign_backs and len(hand.foreign_backs) < len(hand.holding):
            # Where everybody has such a card, the feed names the wrong deck.
            return defect, "a card of its own with another back than the deck's"
    return None


def _pointed_out(hand: Hand, defect: Irregularity) -> bool:
    return any(a.seq > defect.seq and a.rule in (None, defect.code, "DCK108") for a in hand.attentions)


def _twins() -> Scene:
    """Seat 1 holds an ace that lies on the flop too."""
    return Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d")


DEFECTIVE_DECK_FREEROLL = Rule(
    code="DCK108",
    name="defective-deck-freeroll",
    severity="critical",
    source="Seed A, irregularities 5",
    what="A player bet or raised who could see that the deck is defective: both twins of a card among the own cards "
    "and the board, or a wrong back among the own cards.",
    why="Who wins keeps the pot, and who loses points out the defect and gets the chips back: a bet without a risk.",
    prescribes="pot_carries_over",
    prescription="The player may lose the right to a refund, and the chips may be carried over to the pot of the next "
    "deal.",
    triage="See on camera whether the player had looked at the cards, and when the defect was pointed out at last.",
    false_positives="A player who had not looked at the cards.",
    checks={OnceStirred(PlayerActed): _acted},
    examples=lambda: (
        flags(
            "a player with an ace that lies on the flop bets",
            _twins().raise_to(1, 200).fold(2, 3).rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
        flags(
            "a player with a blue card raises",
            Scene().start().blinds().card(1).card(2).card(3, back="blue").card(1).card(2).card(3).raise_to(3, 300)
            .call(1, 2).rule("void_action").refund().end().script(),
            also=("DCK102",),
        ),
        passes(
            "every card is blue: the feed names the deck of the hand before",
            Scene(2).start().blinds().card(1, back="blue").card(2, back="blue").card(1, back="blue")
            .card(2, back="blue").raise_to(2, 300).call(1).script(),
            also=("DCK102",),
        ),
        passes(
            "another player bets, who sees only one of the twins",
            _twins().check(1).raise_to(2, 200).fold(3, 1).rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
        passes(
            "the player checks and calls",
            _twins().check(1).raise_to(2, 200).fold(3).call(1).rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
        passes(
            "the player points it out and bets",
            _twins().announce(seat=1).raise_to(1, 200).fold(2, 3).rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
        passes("a sound deck", Scene().opened().raise_to(3, 300).fold(1, 2).script()),
    ),
)  # fmt: skip

RULES = (DEFECTIVE_DECK_FREEROLL,)
