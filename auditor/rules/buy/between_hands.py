"""BUY104 and BUY105: a stack that is another at the start of a hand than it was when the last one ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditor.events import (
    ChipsBought,
    ChipsCashed,
    DeckCut,
    DeckShuffled,
    HandEnded,
    HandStarted,
    PlayerLeft,
    PlayerSeated,
)
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.stacks import SEES_CHIPS
from auditor.table.table import Table


def _changed(table: Table, event: HandStarted) -> Iterator[tuple[int, int, int]]:
    """Seats whose stack is not what is known of it: seat, chips as known, chips now."""
    memory = table.memory
    known = memory.stacks
    if not known or event.redeal_of is not None:
        return
    tolerance = memory.house.stack_tolerance
    for s in event.seats:
        before = known.get(s.seat)
        if before is None or s.stack is None or before.chips == s.stack or before.player_id != s.player_id:
            continue
        if abs(before.chips - s.stack) <= tolerance:
            continue
        if s.player_id is not None or "seating" in (event.observes or memory.observes):
            yield s.seat, before.chips, s.stack


def _passed_on(changes: list[tuple[int, int, int]]) -> bool:
    """What some seats have more is what others have less: the chips went from one to the other."""
    moved = [now - before for _, before, now in changes]
    return len(moved) > 1 and sum(moved) == 0


def _more(table: Table, event: HandStarted) -> list[Hit] | None:
    changes = list(_changed(table, event))
    passed_on = _passed_on(changes)
    return [
        Hit(
            f"Seat {seat} starts with {now} chips; the last hand and what was bought since leave {before}.",
            seats=(seat,),
            behind="BUY105" if passed_on else None,
        )
        for seat, before, now in changes
        if now > before
    ]


def _less(table: Table, event: HandStarted) -> list[Hit] | None:
    changes = list(_changed(table, event))
    passed_on = _passed_on(changes)
    return [
        Hit(
            f"Seat {seat} had {before} chips after the last hand and starts with {now}: {before - now} left the table "
            "with no event for it.",
            seats=(seat,),
            behind="BUY105" if passed_on else None,
        )
        for seat, before, now in changes
        if now < before
    ]


def _again(observes: tuple[Any, ...] = EVERYTHING, **more: Any) -> Scene:
    return Scene(observes=observes, **more).opened().walk()


def _next(scene: Scene, changes: dict[int, int], button: int = 1, **fields: Any) -> Scene:
    """The next hand, with some stacks changed by so many chips."""
    for seat, chips in changes.items():
        scene.stacks[seat] += chips
    return scene.opened(button=button, **fields).walk()


_SOURCE = "+"
_KNOWN = (
    "The last hand of the seat, its purchases and its cash-outs must all be known: after a hand that was void, that "
    "has a gap, or whose chips do not add up, the next stack is taken as it is."
)

STACK_MISMATCH = Rule(
    code="BUY104",
    name="stack-mismatch",
    severity="major",
    source=_SOURCE,
    what="A seat starts a hand with more chips than its last hand, purchases and cash-outs imply. Fewer: BUY105; where "
    "just so many left other seats, that is the incident, and this a consequence of it. " + _KNOWN,
    why="Chips came into play that nobody sold, or a pot was paid otherwise than it was reported.",
    prescription="None: count the stacks, and find where the chips came from.",
    triage="Is another seat short of the same amount? Then see who won the last pot. Otherwise look for a purchase.",
    false_positives="Chips won outside the hand (a promotion, a side bet). The house may declare a tolerance.",
    observes=SEES_CHIPS,
    checks={HandStarted: _more},
    examples=lambda: (
        flags("500 chips from nowhere", _next(_again(), {1: 500}).script()),
        flags(
            "the pot went to another seat than was reported",
            _next(_again(), {1: 100, 2: -100}).script(),
            also=("BUY105",),
        ),
        passes("the stacks are those of the last hand", _next(_again(), {}).script()),
        passes(
            "chips bought and cashed between hands",
            _next(
                _again().add(ChipsBought, seat=1, kind="add_on", amount=700).add(ChipsCashed, seat=2, amount=300), {}
            ).script(),
        ),
        passes(
            "chips bought during the hand",
            _next(
                Scene().opened().add(ChipsBought, seat=1, kind="add_on", amount=700).walk(), {}
            ).script(),
            also=("BUY103",),
        ),
        passes(
            "a feed that sees only some of the purchases",
            _next(_again(tuple(c for c in EVERYTHING if c != "buy_ins")), {1: 500}).script(),
        ),
        passes("a purchase may be lost in a gap", _next(_again(), {1: 500}).lose(12).script(), also=("FEED101",)),
        passes(
            "another player on the seat",
            _next(
                _again().add(PlayerLeft, seat=1).add(PlayerSeated, seat=1, player_id="P9"), {1: 500}
            ).script(),
        ),
        passes(
            "after a misdeal, whose refund may not have been reported whole",
            _next(
                Scene().start().blinds().card(1, "As", exposed_by="dealer").card(2).misdeal()
                .add(DeckShuffled, hand_id=None, riffles=4).add(DeckCut, hand_id=None),
                {1: 50}, button=3, redeal_of="H1",
            ).script(),
            also=("DEAL101",),
        ),
    ),
)  # fmt: skip

CHIPS_REMOVED = Rule(
    code="BUY105",
    name="chips-removed",
    severity="major",
    source=_SOURCE,
    what="A seat's stack fell between two hands, with no event for it: going south. " + _KNOWN,
    why="Chips that are in play stay in play: whoever takes some away cannot lose them to those who could win them.",
    prescription="None prescribed: the player puts the chips back, or leaves the table.",
    triage="See on camera whether chips went into a pocket, to another player, or to the dealer as a tip.",
    false_positives="Tips, and charges for the seat, that the feed does not report: the house may declare a tolerance.",
    observes=SEES_CHIPS,
    checks={HandStarted: _less},
    examples=lambda: (
        flags("half a stack is gone", _next(_again(), {1: -10_000}).script()),
        flags(
            "a player sits out a hand and comes back with less",
            _next(_again().start(button=2, seats=(1, 2)).blinds().deal().walk(), {3: -5_000}).script(),
        ),
        passes("the stacks are those of the last hand", _next(_again(), {}).script()),
        passes("chips cashed", _next(_again().add(ChipsCashed, seat=1, amount=300), {}).script()),
        passes(
            "a seven-deuce bounty is paid from stack to stack",
            _next(
                _again().add(ChipsCashed, seat=1, amount=50, reason="bounty")
                .add(ChipsBought, seat=2, kind="add_on", amount=50, reason="bounty"), {}
            ).script(),
        ),
        passes(
            "a cancelled hand moves no chips",
            _next(Scene().opened().limp().flop().add(HandEnded, cancelled=True), {1: 100, 2: 100, 3: 100}).script(),
        ),
        flags(
            "a stack is less behind a cancelled hand",
            _next(Scene().opened().limp().flop().add(HandEnded, cancelled=True), {1: 100, 2: 100, 3: 50}).script(),
        ),
        passes("rake", _next(Scene().opened().limp().flop().checks_around().rake(30).award(1, 270).end(), {}).script()),
        passes(
            "a tip, where the house declares a tolerance",
            _next(_again(house={"stack_tolerance": 25}), {2: -25}).script(),
        ),
        passes(
            "the last hand's chips do not add up: that is told, and the stacks are what they are",
            _next(Scene().opened().fold(3, 1).award(2, 100).end(), {2: -10}).script(),
            also=("POT101",),
        ),
        passes(
            "a feed that does not know every stack",
            _next(_again(tuple(c for c in EVERYTHING if c != "stacks")), {1: -500}).script(),
        ),
    ),
)  # fmt: skip

RULES = (CHIPS_REMOVED, STACK_MISMATCH)
