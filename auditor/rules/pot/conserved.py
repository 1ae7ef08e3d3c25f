"""POT101: what goes in comes out."""

from __future__ import annotations

from auditor.events import HandEnded
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.hand import Hand
from auditor.table.table import Table


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    put_in = hand.pot
    awarded, returned = sum(hand.awarded.values()), sum(hand.returned.values())
    difference = put_in - awarded - returned - hand.rake
    if difference == 0 or _explained(hand):
        return None
    sense = "missing" if difference > 0 else "too many"
    return [
        Hit(
            f"{put_in} chips went into the pot, and {awarded} awarded, {returned} returned and {hand.rake} raked "
            f"came out: {abs(difference)} {sense}.",
            seats=tuple(sorted(hand.awarded)),
        )
    ]


def _explained(hand: Hand) -> bool:
    """The pot is carried over, or a void pot was not refunded: that has a finding of its own."""
    if hand.ruled("pot_carries_over"):
        return True
    if hand.found("RUL103") or hand.found("RUL104") or hand.found("POT108"):
        return True
    return any(i.prescribed == "void_action" for i in hand.irregularities) and not hand.awarded


CHIPS_NOT_CONSERVED = Rule(
    code="POT101",
    name="chips-not-conserved",
    severity="critical",
    source="+",
    what="The chips that went into the pot are not the chips that came out of it: awards, returns and rake.",
    why="Chips were created or taken away.",
    prescription="None by itself: find the event where the sums part, and put the stacks right.",
    observes=frozenset({"betting", "awards"}),
    triage="Follow the chips through the hand's timeline. One chip of difference is a split; one bet, a missed call.",
    false_positives="A feed that reports awards after a rake that it does not report.",
    checks={HandEnded: _ended},
    examples=(
        flags(
            "the winner gets 50 too little",
            Scene().opened().limp().flop().checks_around().award(1, 250).end().script(),
        ),
        flags(
            "the winner gets 50 too much",
            Scene().opened().limp().flop().checks_around().award(1, 350).end().script(),
        ),
        passes(
            "the pot is split",
            Scene().opened().limp().flop().checks_around().award(1, 150).award(2, 150).end().script(),
        ),
        passes(
            "a carried-over pot is won",
            Scene().start(carried_pot=500).blinds().deal().limp().award(1, 800).end().script(),
        ),
        passes(
            "an uncalled bet goes back",
            Scene().opened().raise_to(3, 600).fold(1, 2).refund_to(3, 500).award(3, 250).end().script(),
        ),
        passes(
            "a rake is taken",
            Scene().opened().limp().flop().checks_around().rake(15).award(1, 285).end().script(),
        ),
        passes(
            "a feed that does not see the award",
            Scene(observes=tuple(c for c in EVERYTHING if c != "awards")).opened().limp().flop().checks_around()
            .end().script(),
        ),
    ),
)  # fmt: skip

RULES = (CHIPS_NOT_CONSERVED,)
