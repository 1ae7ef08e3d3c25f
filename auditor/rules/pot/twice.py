"""POT108: a pot that was awarded already."""

from __future__ import annotations

from auditor.events import PotAwarded
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import pots
from auditor.table.table import Table


def _awarded(table: Table, event: PotAwarded) -> list[Hit] | None:
    hand = table.hand
    if not hand.awards or not event.amount or pots.unpaid(hand) > 0 or hand.voided or hand.found("RUL103"):
        return None
    first = hand.awards[-1]
    told = f"Seat {event.seat} was awarded {event.amount} of a pot in which nothing was left: seat {first.seat} had "
    return [
        Hit(
            told + ("been awarded the last of it." if first.seat != event.seat else "had the last of it already."),
            seats=(event.seat,) if event.seat == first.seat else (event.seat, first.seat),
            evidence=(first.seq, event.seq),
        )
    ]


AWARDED_TWICE = Rule(
    code="POT108",
    name="awarded-twice",
    severity="critical",
    source="+",
    what="Chips were awarded of a pot that had been paid out in full.",
    why="Two players believe that the pot is theirs, or chips came from nowhere.",
    prescription="None by itself: see to whom the pot belongs, and take back what was paid too much.",
    observes=frozenset({"betting", "awards"}),
    triage="Was the first award put right by the second? Then the feed lacks the chips that went back.",
    false_positives="A wrong award that was put right, and reported as a second one; a bet that was not reported.",
    checks={PotAwarded: _awarded},
    examples=lambda: (
        flags("the same award again", Scene().opened().limp().flop().checks_around().award(1).win(1).script()),
        flags("first to one seat, then to another",
              Scene().opened().limp().flop().checks_around().award(1).win(2).script()),
        passes("the pot is split", Scene().opened().limp().flop().checks_around().award(1, 150).award(2, 150).end()
               .script()),
        passes(
            "more than there is, at once: the chips do not add up",
            Scene().opened().limp().flop().checks_around().award(1, 350).end().script(),
            also=("POT101",),
        ),
        passes(
            "a pot with chips carried over",
            Scene().start(carried_pot=500).blinds().deal().limp().award(1, 300).award(2, 500).end().script(),
        ),
        passes(
            "a feed that does not see the betting",
            Scene(observes=tuple(c for c in EVERYTHING if c != "betting")).opened().award(1, 200).award(1, 100).end()
            .script(),
        ),
    ),
)  # fmt: skip

RULES = (AWARDED_TWICE,)
