"""BTN102: the button was wrong, attention was called to it, and the next hand does not put it right."""

from __future__ import annotations

from typing import Any

from auditor.events import HandStarted, IrregularityAnnounced, RulingMade
from auditor.games import BUTTON_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.button import correcting, rightful
from auditor.table.memory import ButtonMemory
from auditor.table.table import Table


def _started(table: Table, event: HandStarted) -> list[Hit] | None:
    last = table.memory.button
    if last is None or not last.attention or event.button_seat is None:
        return None
    if last.misdealt:
        return _redealt(table, last, event)
    right = correcting(last, event)
    if last.incident is None or last.voided or event.redeal_of is not None or event.button_seat in right:
        return None
    if event.button_seat not in rightful(last, event, table.memory.house):
        return None  # on a third seat: a wrong button once more, and told as one
    return [
        Hit(
            f"The button was wrong on the last hand, and attention was called to it; on seat {event.button_seat} it is "
            f"not put right, which would be on {' or '.join(f'seat {seat}' for seat in right)}.",
            seats=(event.button_seat, last.correct),
            cause=last.incident.finding_id,
        )
    ]


def _redealt(table: Table, last: ButtonMemory, event: HandStarted) -> list[Hit] | None:
    """The hand was a misdeal for its button, and is dealt again from there."""
    if event.button_seat != last.seat or last.correct not in {s.seat for s in event.seats if s.entitled}:
        return None
    return [
        Hit(
            f"The last hand was a misdeal, and attention was called to its button; it is still on seat {last.seat}, "
            f"and belongs on seat {last.correct}.",
            seats=(last.seat, last.correct),
            cause=table.memory.misdeal_incident,
        )
    ]


def _wrong(button: int = 3, *, called: bool = True, rule: str | None = "BTN101", ruled: bool = False) -> Scene:
    """Four players. The button skips a seat: from seat 1 to seat 3, or to the one given."""
    scene = Scene(4).start(button=1).blinds().deal().walk().start(button=button).blinds().deal()
    big = scene.order[1]
    scene.fold(*(seat for seat in scene.order if seat not in (big, scene.order[0])))
    if called:
        scene.announce(rule=rule)
    if ruled:
        scene.rule("correct_button_next_hand")
    return scene.fold(scene.order[0]).win(big)


def _heads_up(first: int, second: int, third: int) -> list[Any]:
    """Three hands between two players, the button on these seats; attention is called to that of the second."""
    scene = Scene(2).opened(button=first).walk().opened(button=second).limp().announce(rule="BTN101")
    return scene.flop().check(3 - second, second).win(1).opened(button=third).walk().script()


def _misdealt(rule: str | None = "BTN101", **fields: Any) -> Scene:
    """Four players. The button skips a seat, from seat 1 to seat 3, and the hand is a misdeal."""
    scene = Scene(4).start(button=1).blinds().deal().walk().start(button=3).blinds().card(4, **fields)
    return scene.announce(rule=rule).rule("misdeal").refund("misdeal").end().prepare()


BUTTON_NOT_CORRECTED = Rule(
    code="BTN102",
    name="button-not-corrected",
    severity="major",
    source="Seed A, irregularities 1",
    what="The button was wrong on the last hand, attention was called to it, and this hand goes on from the wrong "
    "seat. It is put right where it was due, or on the seat behind that, though not heads-up, where that is the player "
    "who has had it; in the redeal of a misdeal, where it was due. A ruling that the button be corrected on the next "
    "hand is attention too.",
    why="A player gets a position twice, or never, though everybody knew.",
    prescription="The button and the blinds are corrected for the new hand, so that every player gets one chance for "
    "each position on the round.",
    triage="Who was passed over, and did the floor decide so?",
    false_positives="Attention that named no rule and meant something else.",
    observes=frozenset({"button"}),
    games=BUTTON_GAMES,
    checks={HandStarted: _started},
    examples=lambda: (
        flags("seat 2 was skipped, and stays skipped", _wrong().opened(button=4).walk().script(), also=("BTN101",)),
        flags(
            "attention that names no rule",
            _wrong(rule=None).opened(button=4).walk().script(),
            also=("BTN101",),
        ),
        flags(
            "a misdeal for the button, dealt again from the wrong seat",
            _misdealt().opened(button=3, redeal_of="H2").walk().script(),
            also=("BTN101",),
        ),
        passes(
            "a misdeal for the button, dealt again from the right seat",
            _misdealt().opened(button=2, redeal_of="H2").walk().script(),
            also=("BTN101",),
        ),
        passes(
            "a misdeal for an exposed card; that the button was wrong, nobody noticed",
            _misdealt(rule="DEAL101", exposed_by="dealer").opened(button=3, redeal_of="H2").walk().script(),
            also=("BTN101", "DEAL101"),
        ),
        passes(
            "a misdeal for an exposed card or for the button, nobody says which",
            _misdealt(rule=None, exposed_by="dealer").opened(button=3, redeal_of="H2").walk().script(),
            also=("BTN101", "DEAL101"),
        ),
        flags(
            "the floor rules that it be corrected, and it is not",
            _wrong(called=False, ruled=True).opened(button=4).walk().script(),
            also=("BTN101",),
        ),
        flags(
            "between the hands the floor rules that it be corrected, and it is not",
            _wrong(called=False).add(RulingMade, ruling="correct_button_next_hand", hand_id=None)
            .opened(button=4).walk().script(),
            also=("BTN101",),
        ),
        flags(
            "attention between the hands",
            _wrong(called=False).add(IrregularityAnnounced, rule="BTN101", hand_id=None).opened(button=4).walk()
            .script(),
            also=("BTN101",),
        ),
        passes(
            "attention between the hands that names no rule",
            _wrong(called=False).add(IrregularityAnnounced, hand_id=None).opened(button=4).walk().script(),
            also=("BTN101",),
        ),
        flags("heads-up, the same player has the button a third time", _heads_up(1, 1, 1), also=("BTN101",)),
        passes("heads-up, the button goes to the other player", _heads_up(1, 1, 2), also=("BTN101",)),
        passes("the button goes back to seat 2", _wrong().opened(button=2).walk().script(), also=("BTN101",)),
        passes("nobody noticed", _wrong(called=False).opened(button=4).walk().script(), also=("BTN101",)),
        passes(
            "attention was called to something else",
            _wrong(rule="BRD104").opened(button=4).walk().script(),
            also=("BTN101",),
        ),
        passes(
            "a third seat is a wrong button of its own",
            _wrong().opened(button=1).walk().script(),
            also=("BTN101", "BTN101"),
        ),
    ),
)  # fmt: skip

RULES = (BUTTON_NOT_CORRECTED,)
