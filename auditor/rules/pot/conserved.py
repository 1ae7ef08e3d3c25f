"""POT101: what goes in comes out, of this hand's pot or of the one that it is carried over to."""

from __future__ import annotations

from typing import Any

from auditor.events import HandEnded, HandStarted, RakeTaken
from auditor.rules.rule import HandCancelled, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.hand import Hand
from auditor.table.table import Table


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    put_in = hand.pot
    awarded, returned = sum(hand.awarded.values()), sum(hand.returned.values())
    difference = put_in - awarded - returned - hand.taken
    if difference == 0 or _explained(hand) or _wait_for_redeal(hand, difference):
        return None
    sense = "missing" if difference > 0 else "too many"
    return [
        Hit(
            f"{put_in} chips went into the pot, and {awarded} awarded, {returned} returned and {hand.taken} "
            f"taken by the house came out: {abs(difference)} {sense}.",
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


def _wait_for_redeal(hand: Hand, left: int) -> bool:
    """Nobody won, every bet went back, and what the pot began with waits for the next deal."""
    return hand.voided and not hand.awarded and left == hand.carried_pot + hand.splash


def _cancelled(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    if not hand.awarded:
        return None
    awarded = sum(hand.awarded.values())
    return [
        Hit(
            f"The hand was cancelled, and {awarded} chips of its pot had been awarded: every chip should be where it "
            "was.",
            seats=tuple(sorted(hand.awarded)),
            evidence=(*(award.seq for award in hand.awards), event.seq),
        )
    ]


def _carried_over(table: Table, event: HandStarted) -> list[Hit] | None:
    """A pot that was ruled to be carried over is the beginning of this one, whole."""
    due = table.memory.carried
    if not due or event.carried_pot == due:
        return None
    return [
        Hit(f"{due} chips of the last hand were to be carried over to this pot; it begins with {event.carried_pot}."),
    ]


def _misdealt(**fields: Any) -> Scene:
    """The first card of a hand is exposed; it is redealt, and the big blind wins what the pot began with."""
    scene = Scene().start(**fields).blinds().card(1, "As", exposed_by="dealer").card(2).card(3).misdeal().prepare()
    return scene.opened(redeal_of="H1", **fields).walk(end=False).award(2, sum(fields.values())).end()


def _waits(left: int) -> Scene:
    """A pot of 300 is carried over, and the next one begins with so many chips."""
    scene = Scene().opened().limp().rule("pot_carries_over").end().prepare()
    return scene.opened(button=1, carried_pot=left).limp().award(2, 300 + left).end()


CHIPS_NOT_CONSERVED = Rule(
    code="POT101",
    name="chips-not-conserved",
    severity="critical",
    source="+",
    what="The chips that went into the pot are not the chips that came out of it: awards, returns, and what the house "
    "took (rake, jackpot, fees). Or chips were awarded of a hand that was cancelled; or a pot that was ruled to be "
    "carried over does not begin the next one.",
    why="Chips were created or taken away.",
    prescription="None by itself: find the event where the sums part, and put the stacks right.",
    observes=frozenset({"betting", "awards"}),
    triage="Follow the chips through the hand's timeline. One chip of difference is a split; one bet, a missed call.",
    false_positives="A feed that reports awards after a rake that it does not report.",
    checks={HandEnded: _ended, HandCancelled: _cancelled, HandStarted: _carried_over},
    examples=lambda: (
        flags(
            "the winner gets 50 too little",
            Scene().opened().limp().flop().checks_around().award(1, 250).end().script(),
        ),
        flags(
            "the winner gets 50 too much",
            Scene().opened().limp().flop().checks_around().award(1, 350).end().script(),
        ),
        flags(
            "the hand is cancelled when its pot has been paid",
            Scene().opened().limp().flop().checks_around().award(1).add(HandEnded, cancelled=True).script(),
        ),
        flags("200 of 300 chips are carried over", _waits(200).script()),
        flags(
            "a splash went to nobody",
            Scene().start(splash=500).blinds().deal().limp().flop().checks_around().win(1).script(),
        ),
        passes(
            "a misdeal: the bets go back, and the chips that were carried over are those of the redeal",
            _misdealt(carried_pot=300).script(),
            also=("DEAL101",),
        ),
        passes(
            "a misdeal of a hand that the house splashed",
            _misdealt(splash=200).script(),
            also=("DEAL101",),
        ),
        passes(
            "the hand is cancelled, and nobody reports the chips that went back",
            Scene().opened().limp().flop().add(HandEnded, cancelled=True).script(),
        ),
        passes("all of it is carried over", _waits(300).script()),
        passes(
            "the house splashes the pot, and takes a jackpot fee",
            Scene().start(splash=500).blinds().deal().limp().flop().checks_around()
            .rake(10).add(RakeTaken, amount=5, kind="jackpot").award(1, 785).end().script(),
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
