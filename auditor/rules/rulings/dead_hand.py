"""RUL107: a dead hand that the table let live."""

from __future__ import annotations

from auditor.events import CardsReleased, ClockExpired, PotAwarded, RulingMade
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import dead
from auditor.table.hand import Hand
from auditor.table.table import Table


def _ruled(table: Table, event: RulingMade) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if seat is None or not dead.lets_live(hand, event, seat):
        return None
    death = hand.dead.get(seat)
    if death is not None and death.cause in ("ruled", "killed_by_dealer"):
        return None  # the floor goes back on its own ruling, or puts the dealer's mistake right: HND110
    if any(i.misdeal_ground and seat in i.seats for i in hand.irregularities):
        return None  # that the deal is played on says nothing of the hand
    return _hit(hand, seat, f"it was ruled otherwise ({event.ruling.replace('_', ' ')})", event.seq)


def _awarded(table: Table, event: PotAwarded) -> list[Hit] | None:
    hand = table.hand
    if not hand.irregularities and not hand.dead:
        return None
    return _hit(hand, event.seat, f"it was awarded {event.amount}", event.seq)


def _hit(hand: Hand, seat: int, did: str, seq: int) -> list[Hit] | None:
    found, death = dead.found_dead(hand, seat), hand.dead.get(seat)
    if (found is None and death is None) or dead.told(hand, "RUL107", seat):
        return None
    cause = found or dead.told(hand, "HND108", seat)
    before = death.seq if death is not None else cause.seq if cause is not None else seq
    return [
        Hit(
            f"The hand of seat {seat} is dead, and {did}.",
            seats=(seat,),
            evidence=(before, seq),
            cause=cause.incident if cause else None,
        )
    ]


DEAD_HAND_NOT_ENFORCED = Rule(
    code="RUL107",
    name="dead-hand-not-enforced",
    severity="major",
    source="Seed A, dead hands; seed C, dead hands",
    what="A hand that the rules or the floor made dead was ruled live, or won a pot. A folded hand that wins is "
    "POT105.",
    why="A rule that is not enforced works for whoever breaks it.",
    prescribes="hand_dead",
    prescription="The hand is dead, whoever it belongs to.",
    triage="Ask who let the hand play, and whether that player is let off often.",
    false_positives="A ruling on the seat that was about something else.",
    checks={RulingMade: _ruled, PotAwarded: _awarded},
    examples=lambda: (
        flags(
            "the clock ran out, and the floor lets the player call",
            Scene().opened().raise_to(3, 600).add(ClockExpired, seat=1).rule("play_on", seat=1).call(1, 2).script(),
            also=("HND106",),
        ),
        flags(
            "a hand that was ruled dead wins",
            Scene().opened().limp().flop().rule("hand_dead", seat=3).check(1, 2).turn().check(1, 2).river()
            .check(1, 2).win(3).script(),
            also=("HND108",),
        ),
        passes(
            "the floor takes the hand in",
            Scene().opened().raise_to(3, 600).add(ClockExpired, seat=1).rule("hand_dead", seat=1).call(2).script(),
            also=("HND106",),
        ),
        passes(
            "a ruling on the seat that has nothing to do with a dead hand",
            Scene().opened().raise_to(3, 600).rule("action_stands", seat=3).call(1, 2).script(),
        ),
        passes(
            "the chips of a dead hand stand",
            Scene().opened().raise_to(3, 600).add(ClockExpired, seat=1).rule("action_stands", seat=1).call(2).script(),
            also=("HND106",),
        ),
        flags(
            "the call of a dead hand stands",
            Scene().opened().raise_to(3, 600).add(ClockExpired, seat=1).call(1).rule("action_stands", seat=1).call(2)
            .script(),
            also=("HND106", "HND108"),
        ),
        passes(
            "a short deal is played on, and the short hand is given up",
            Scene().start().blinds().card(1).card(2).card(3).card(1).card(2).call(3, 1).check(2).flop().check(1, 2, 3)
            .rule("play_on", seat=3).turn().check(1, 2).fold(3).river().check(1, 2).win(1).script(),
            also=("DEAL105", "HND104"),
        ),
        passes(
            "thrown into another hand, and out of it",
            Scene().opened().add(CardsReleased, seat=3, manner="into_other_hand", into_seat=1).call(1).check(2).flop()
            .check(1, 2).turn().check(1, 2).river().check(1, 2).win(1).script(),
            also=("HND107",),
        ),
    ),
)  # fmt: skip

RULES = (DEAD_HAND_NOT_ENFORCED,)
