"""RUL110: the hand behind a misdeal was not dealt as the rules prescribe."""

from __future__ import annotations

from auditor.rules.rule import MISDEAL_PRESCRIPTION, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.hand import Hand
from auditor.table.shape import DealSettled
from auditor.table.table import Table


def _dealt(table: Table, moment: DealSettled) -> list[Hit] | None:
    hand = table.hand
    if not (hand.preparation.after_misdeal or hand.redeal_of is not None):
        return None
    if moment.interrupted and not hand.deal:
        return None  # it was stopped before a card came
    wrong = _unprepared(hand)
    moved = hand.found("BTN101")
    if moved is not None:
        wrong.append("the button moved")
    if not wrong:
        return None
    told = wrong[0] if len(wrong) == 1 else f"{', '.join(wrong[:-1])} and {wrong[-1]}"
    return [
        Hit(
            f"After the misdeal {told}.",
            seats=moved.seats if moved else (),
            seq=hand.started_seq,
            at=hand.started_at,
            evidence=(hand.started_seq, moment.seq),
            cause=moved.finding_id if moved else table.memory.misdeal_incident,
        )
    ]


def _unprepared(hand: Hand) -> list[str]:
    """What was left out between the misdeal and its redeal."""
    preparation = hand.preparation
    if "shuffle" not in hand.observes or not preparation.known:
        return []
    wrong = []
    if preparation.shuffler() is None:
        wrong.append("the deck was not shuffled")
    if not preparation.cut:
        wrong.append("it was not cut" if wrong else "the deck was not cut")
    return wrong


def _misdealt(*, button: int = 4) -> Scene:
    """A misdeal: the first card was exposed."""
    return Scene(4).start(button=button).blinds().card(1, "As", exposed_by="dealer").card(2).misdeal()


def _redealt(scene: Scene, *, button: int = 4) -> Scene:
    return scene.opened(button=button, redeal_of="H1").walk()


REDEAL_INCOMPLETE = Rule(
    code="RUL110",
    name="redeal-incomplete",
    severity="major",
    source="Seed A, misdeals; seed B, rule 1",
    what="After a misdeal the deck was not shuffled, or not cut, or the button moved.",
    why="The players know cards of a deck that was not shuffled; a button that moves takes a position from somebody.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    triage="Watch on camera what the dealer did between the misdeal and the first card of the redeal.",
    false_positives="A shuffle or a cut that the feed missed although it declares them; a deck that came ready from a "
    "machine, unreported.",
    checks={DealSettled: _dealt},
    examples=lambda: (
        flags("neither shuffled nor cut", _redealt(_misdealt()).script(), also=("DEAL101",)),
        flags("shuffled, and not cut", _redealt(_misdealt().prepare(cut=False)).script(), also=("DEAL101",)),
        flags(
            "the button moves on after the misdeal",
            _redealt(_misdealt().prepare(), button=1).script(),
            also=("BTN101", "DEAL101"),
        ),
        passes(
            "shuffled, cut, and the button where it was",
            _redealt(_misdealt().prepare()).script(),
            also=("DEAL101",),
        ),
        passes(
            "reshuffled and cut before the misdealt hand was closed",
            _redealt(
                Scene(4).start().blinds().card(1, "As", exposed_by="dealer").card(2).announce().rule("misdeal")
                .reshuffle("stub", "muck").refund("misdeal").end()
            ).script(),
            also=("DEAL101",),
        ),
        passes(
            "shuffled and cut when the redeal had been announced",
            _misdealt().start(redeal_of="H1").reshuffle().blinds().deal().walk().script(),
            also=("DEAL101",),
        ),
        passes(
            "a feed that does not see shuffles",
            _redealt(
                Scene(4, observes=tuple(c for c in EVERYTHING if c != "shuffle")).start().blinds()
                .card(1, "As", exposed_by="dealer").card(2).misdeal()
            ).script(),
            also=("DEAL101",),
        ),
        passes("a hand that was played, and the next one", Scene(4).opened().walk().opened(button=1).walk().script()),
    ),
)  # fmt: skip

RULES = (REDEAL_INCOMPLETE,)
