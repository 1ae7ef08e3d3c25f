"""HND106: the clock ran out."""

from __future__ import annotations

from auditor.events import CardsReleased, ClockCalled, ClockExpired
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import dead
from auditor.table.table import Table


def _expired(table: Table, event: ClockExpired) -> list[Hit] | None:
    seat = event.seat
    if not dead.times_out(table.hand, seat):
        return None
    return [Hit(f"The clock ran out on seat {seat}, which faced a bet: the hand is dead.", seats=(seat,))]


CLOCK_EXPIRED = Rule(
    code="HND106",
    name="clock-expired",
    severity="minor",
    source="Seed A, dead hands; seed C, f",
    what="The clock was on a player who faced a bet or a raise, and it ran out.",
    why="The hand is dead; a player who may act all the same gets more time than the others.",
    prescribes="hand_dead",
    prescription="The hand is dead. A player who faces no bet has checked, and keeps the hand.",
    observes=frozenset({"betting"}),
    triage="See that the hand was taken in, and who called for the clock.",
    false_positives="A clock that was stopped when the player spoke, and the feed did not notice.",
    checks={ClockExpired: _expired},
    examples=lambda: (
        flags(
            "the clock runs out on a raise, and the hand is folded",
            Scene().opened().raise_to(3, 600).add(ClockCalled, seat=1, seconds=60).add(ClockExpired, seat=1).fold(1)
            .fold(2).refund_to(3, 500).award(3, 250).end().script(),
        ),
        flags(
            "the clock runs out, and the hand is taken in without a word",
            Scene().opened().raise_to(3, 600).add(ClockExpired, seat=1)
            .add(CardsReleased, seat=1, manner="killed_by_dealer").call(2).flop().check(2, 3).script(),
        ),
        flags(
            "the first player to act lets the clock run out",
            Scene().opened().add(ClockExpired, seat=3).call(1).check(2).script(),
        ),
        passes(
            "nobody has bet",
            Scene().opened().limp().flop().add(ClockExpired, seat=1).check(1, 2, 3).script(),
        ),
        passes(
            "nobody has bet, and the player who is last to act has checked",
            Scene().opened().limp().flop().check(1, 2).add(ClockExpired, seat=3).turn().check(1, 2, 3).river()
            .check(1, 2, 3).script(),
        ),
        passes(
            "nobody has bet, and the others act on",
            Scene().opened().limp().flop().add(ClockExpired, seat=1).check(2, 3).turn().check(1, 2, 3).script(),
        ),
        passes(
            "nobody has bet, and the player bets all the same",
            Scene().opened().limp().flop().add(ClockExpired, seat=1).raise_to(1, 300).call(2, 3).turn()
            .check(1, 2, 3).script(),
        ),
        passes(
            "the player acts in time",
            Scene().opened().raise_to(3, 600).add(ClockCalled, seat=1, seconds=60).call(1, 2).script(),
        ),
    ),
)  # fmt: skip

RULES = (CLOCK_EXPIRED,)
