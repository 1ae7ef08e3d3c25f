"""POT109: what a source says that a hand came to, against what its events come to."""

from __future__ import annotations

from typing import Any

from auditor.events import (
    ChipsCashed,
    ChipsReturned,
    ForcedBetPosted,
    HandEnded,
    PlayerActed,
    PotAwarded,
    RakeTaken,
    SeatStack,
    Totals,
)
from auditor.phrases import seats_spoken
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import pots
from auditor.table.hand import ChipsMoved, Hand
from auditor.table.table import Table

#: Findings of the same hand that a difference may follow from.
_CAUSES = ("POT101", "POT108", "POT103", "BET108")


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    said = event.reported
    if said is None:
        return None
    hand = table.hand
    stacks = _stacks_apart(table, said)
    told = [*_pot(hand, said.pot), *_rake(hand, said.rake)]
    told += [
        f"seat {seat} ends with {theirs} by the source and with {ours} by the events"
        for seat, (theirs, ours) in stacks.items()
    ]
    if not told:
        return None
    evidence = [moved.seq for seat, (theirs, ours) in stacks.items() for moved in _trail(hand, seat, theirs - ours)]
    cause = next((i for i in hand.irregularities if i.code in _CAUSES), None)
    return [
        Hit(
            f"The source's own totals differ: {'; '.join(told)}.{_first(hand, stacks)}",
            seats=tuple(stacks),
            evidence=(*sorted(set(evidence)), event.seq),
            cause=cause.incident if cause else None,
        )
    ]


def _pot(hand: Hand, said: int | None) -> list[str]:
    played_for = hand.pot - sum(hand.returned.values())
    owner, uncalled = pots.uncalled(hand)
    own = max(0, uncalled - hand.returned.get(owner, 0))  # paid to its owner with the pot: some count it, some do not
    if said is None or said in (played_for, played_for - own):
        return []
    return [f"the pot is {said} by the source and {played_for} by the events"]


def _rake(hand: Hand, said: int | None) -> list[str]:
    if said is None or said == hand.taken:
        return []
    return [f"the house took {said} by the source and {hand.taken} by the events"]


def _stacks_apart(table: Table, said: Totals) -> dict[int, tuple[int, int]]:
    """Seats that end with other chips than the source says: what it says, and what the events come to."""
    hand, known = table.hand, table.memory.stacks
    odd = len(hand.awards) > 1  # a source that holds no half chips says one more or less of a pot that was split
    apart = {}
    for seat, theirs in ((s.seat, s.stack) for s in said.stacks):
        if seat not in known or seat not in hand.seats:
            continue
        won = hand.awarded.get(seat, 0) + hand.returned.get(seat, 0)
        ours = known[seat].chips + won - hand.total.get(seat, 0)
        if abs(theirs - ours) > odd:
            apart[seat] = theirs, ours
    return apart


def _trail(hand: Hand, seat: int, more: int) -> list[ChipsMoved]:
    """What moved this seat's chips, beginning at the first event that can explain that it has so many more or less.

    That is one of just so many chips; or else one that may have been of so many less; or else any.
    """
    moved = [each for each in hand.moved if each.seat == seat and each.amount]
    exact = [each for each in moved if each.amount == abs(more)]
    larger = [each for each in moved if each.amount > abs(more) and _adds(each) == (more < 0)]
    first = (exact or larger or moved)[:1]
    return moved[moved.index(first[0]) :] if first else []


def _adds(moved: ChipsMoved) -> bool:
    """Whether the event adds to the stack."""
    return isinstance(moved, (ChipsReturned, PotAwarded))


def _first(hand: Hand, stacks: dict[int, tuple[int, int]]) -> str:
    """Where the difference may begin, in words."""
    for seat, (theirs, ours) in stacks.items():
        trail = _trail(hand, seat, theirs - ours)
        if trail:
            return f" It may begin at event {trail[0].seq}: {_named(trail[0])}."
    return f" No event moved the chips of {seats_spoken(sorted(stacks))}." if stacks else ""


def _named(moved: ChipsMoved) -> str:
    match moved:
        case ForcedBetPosted():
            return f"seat {moved.seat} posts {moved.amount}"
        case PlayerActed():
            return f"seat {moved.seat} puts {moved.amount} in"
        case ChipsReturned():
            return f"{moved.amount} go back to seat {moved.seat}"
        case PotAwarded():
            return f"seat {moved.seat} is awarded {moved.amount}"


def _limped(**scene: Any) -> Scene:
    """Three players with 1,000 each play for 300."""
    return Scene(stack=1_000, **scene).opened().limp().flop().checks_around()


def _says(scene: Scene, *stacks: int, pot: int | None = None, rake: int | None = None) -> list[Any]:
    """The hand ends, and its source says what seats 1, 2, 3 have, and what it came to."""
    seats = tuple(SeatStack(seat=seat, stack=stack) for seat, stack in enumerate(stacks, 1))
    return scene.add(HandEnded, reported=Totals(pot=pot, rake=rake, stacks=seats)).script()


TOTALS_DIFFER = Rule(
    code="POT109",
    name="totals-differ",
    severity="major",
    source="+",
    what="The source says what the hand came to (`hand_ended.reported`: pot, what the house took, stacks), and its own "
    "events come to something else. Both figures are told, the seats whose stacks differ, and where each difference "
    "may begin: at an event of just so many chips, or at the first that may have been of so many more or less. A chip "
    "more or less, where a pot was shared, is half a chip that the source cannot hold.",
    why="A bet, a refund or an award is missing in the history, or is another than it was; or chips moved that it does "
    "not tell of.",
    prescription="None: find the event, and put the history or the stacks right.",
    observes=frozenset({"betting", "awards"}),
    triage="Read the hand from the event named on, and add up the seat's chips.",
    false_positives="Chips bought, cashed or settled during the hand that the history does not tell of.",
    checks={HandEnded: _ended},
    examples=lambda: (
        flags(
            "the winner has 50 less than the events say",
            _says(_limped().award(1), 1_150, 900, 900, pot=300, rake=0),
        ),
        flags("the pot is larger than what went in", _says(_limped().award(1), 1_200, 900, 900, pot=400)),
        flags("a rake that no event tells of", _says(_limped().award(1), 1_200, 900, 900, pot=300, rake=10)),
        flags(
            "two stacks differ: the pot went to another seat",
            _says(_limped().award(1), 900, 1_200, 900, pot=300),
        ),
        flags(
            "chips that do not add up, and a stack that differs for it: one incident",
            _says(_limped().award(1, 250), 1_200, 900, 900),
            also=("POT101",),
        ),
        passes("all as it was", _says(_limped().rake(10).award(1, 290), 1_190, 900, 900, pot=300, rake=10)),
        passes(
            "the source counts what nobody called to the pot, and says nothing of the stacks",
            _says(Scene().opened().raise_to(3, 600).fold(1, 2).award(3), pot=750, rake=0),
        ),
        passes(
            "the source leaves what nobody called out of the pot",
            _says(Scene(stack=1_000).opened().raise_to(3, 600).fold(1, 2).award(3), 950, 900, 1_150, pot=250),
        ),
        passes(
            "a jackpot fee is part of what the house took",
            _says(_limped().rake(10).add(RakeTaken, amount=5, kind="jackpot").award(1, 285), 1_185, 900, 900, rake=15),
        ),
        passes(
            "half a chip that the source cannot hold",
            _says(_limped().add(RakeTaken, amount=1, kind="fee").award(1, 150).award(2, 149), 1_049, 1_050, 900),
        ),
        passes(
            "chips cashed during the hand are gone when it ends",
            _says(_limped().award(1).add(ChipsCashed, seat=2, amount=900, reason="cash_out"), 1_200, 0, 900),
        ),
        passes("a cancelled hand", _limped().add(HandEnded, cancelled=True, reported=Totals(pot=0)).script()),
        passes("a hand with a gap", _says(_limped().award(1).lose(11), 1_150, 900, 900), also=("FEED101",)),
    ),
)  # fmt: skip

RULES = (TOTALS_DIFFER,)
