"""BTN102: the button was wrong, attention was called to it, and the next hand does not put it right."""

from __future__ import annotations

from auditor.events import HandStarted
from auditor.games import BUTTON_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.button import corrects, rightful
from auditor.table.table import Table


def _started(table: Table, event: HandStarted) -> list[Hit] | None:
    last = table.memory.button
    if last is None or last.incident is None or not last.attention or event.button_seat is None:
        return None
    if last.misdealt or last.voided or event.redeal_of is not None or corrects(last, event):
        return None
    if event.button_seat not in rightful(last, event, table.memory.house):
        return None  # on a third seat: a wrong button once more, and told as one
    return [
        Hit(
            f"The button was wrong on the last hand, and attention was called to it; on seat {event.button_seat} it is "
            f"not put right, which would be seat {last.correct} or the one behind it.",
            seats=(event.button_seat, last.correct),
            cause=last.incident.finding_id,
        )
    ]


def _wrong(button: int = 3, *, called: bool = True, rule: str | None = "BTN101") -> Scene:
    """Four players. The button skips a seat: from seat 1 to seat 3, or to the one given."""
    scene = Scene(4).start(button=1).blinds().deal().walk().start(button=button).blinds().deal()
    big = scene.order[1]
    scene.fold(*(seat for seat in scene.order if seat not in (big, scene.order[0])))
    if called:
        scene.announce(rule=rule)
    return scene.fold(scene.order[0]).win(big)


BUTTON_NOT_CORRECTED = Rule(
    code="BTN102",
    name="button-not-corrected",
    severity="major",
    source="Seed A, irregularities 1",
    what="The button was wrong on the last hand, attention was called to it, and this hand goes on from the wrong "
    "seat. It is put right where it was due, or on the seat behind that.",
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
