"""RUL101: a misdeal that should not have been declared."""

from __future__ import annotations

from auditor.events import RulingMade
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.hand import Hand
from auditor.table.table import Table

#: What a feed must see before "there was no ground" means more than "we saw none".
_SEES_EVERY_GROUND = frozenset({"deal_order", "hole_cards", "exposure", "orientation", "button"})


def _ruled(table: Table, event: RulingMade) -> list[Hit] | None:
    hand = table.hand
    if event.ruling != "misdeal":
        return None
    if any(i.prescribed == "void_action" for i in hand.irregularities):
        return None  # the deck is fouled: every chip goes back all the same
    grounds = [i for i in hand.irregularities if i.misdeal_ground]
    if hand.window_closed and not hand.gap and not any(a.in_time for a in hand.attentions):
        return [_too_late(hand, grounds[0].finding_id if grounds else None)]
    if not grounds and hand.observes >= _SEES_EVERY_GROUND:
        return [Hit("A misdeal was declared, and nothing in the deal gives ground for one.")]
    return None


def _too_late(hand: Hand, cause: str | None) -> Hit:
    return Hit(
        f"A misdeal was declared after {hand.actions} players had acted; the hand must be played to its end.",
        prescribed="play_on",
        cause=cause,
    )


IMPROPER_MISDEAL = Rule(
    code="RUL101",
    name="improper-misdeal",
    severity="critical",
    source="Seed A, misdeals, last paragraph",
    what="A misdeal was declared after action had occurred, or with no misdeal ground in evidence.",
    why="It takes the pot, and a hand that could have won it, from the players.",
    prescribes="play_on",
    prescription="The hand is played to its end, and nothing is returned.",
    observes=frozenset({"betting"}),
    triage="Who gained from the redeal? Look at the hands as they were dealt.",
    false_positives="A ground that the feed does not see although it declares it.",
    checks={RulingMade: _ruled},
    examples=(
        flags(
            "declared when three players had acted",
            Scene(4).start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(4).card(1).card(2).card(3)
            .card(4).call(3, 4, 1).misdeal().script(),
            also=("DEAL101",),
        ),
        flags("declared with no ground", Scene().opened().misdeal().script()),
        passes(
            "declared in time, with ground",
            Scene(4).start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(4).card(1).card(2).card(3)
            .card(4).call(3).misdeal().script(),
            also=("DEAL101",),
        ),
        passes(
            "attention was called in time, the ruling took a while",
            Scene(4).start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(4).card(1).card(2).card(3)
            .card(4).call(3).announce().call(4, 1).rule("misdeal").refund("misdeal").end().script(),
            also=("DEAL101",),
        ),
        passes(
            "a ground that the feed could not see",
            Scene(observes=tuple(c for c in EVERYTHING if c != "exposure")).opened().misdeal().script(),
        ),
    ),
)  # fmt: skip

RULES = (IMPROPER_MISDEAL,)
