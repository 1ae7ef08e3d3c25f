"""FEED104: the clock of a table went back.

It is noticed where events take their place in the table's order; the rule here says what it means.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from auditor.events import Event, PlayerActed, PotAwarded
from auditor.intake import CLOCK_SKEW
from auditor.rules.rule import Rule, flags, passes
from auditor.rules.scene import Scene

_BEHIND = CLOCK_SKEW + timedelta(seconds=5)


def _shifted(by: timedelta, *kinds: type[object]) -> list[Event | bytes]:
    """A hand in which the events of some types carry another clock's time."""
    return [
        replace(event, at=event.at - by) if isinstance(event, kinds) else event
        for event in Scene().opened().walk().script()
        if not isinstance(event, bytes)
    ]


CLOCK_BACKWARDS = Rule(
    code="FEED104",
    name="clock-backwards",
    severity="minor",
    source="+",
    what="An event is older, by its own time, than the event before it in the table's order, by more than "
    f"{CLOCK_SKEW.seconds} seconds. Told once a hand. The order of the events is that of their numbers, whatever the "
    "clock says.",
    why="What is looked up by time, such as the camera's pictures of a hand, is looked for in the wrong place.",
    prescription="None: set the clocks.",
    triage="One type of event, or all of a source? Then its clock is slow. All at once? Then a clock was set back.",
    false_positives="A source that gives the time when something was noted, and notes it late.",
    examples=lambda: (
        flags("the betting comes with another clock", _shifted(_BEHIND, PlayerActed, PotAwarded)),
        flags("the award is older than the betting", _shifted(_BEHIND, PotAwarded)),
        passes("two topics with clocks a little apart", _shifted(CLOCK_SKEW - timedelta(seconds=2), PlayerActed)),
        passes("time goes on", Scene().opened().walk().script()),
        passes("one event has two others of the same time around it", _shifted(timedelta(seconds=1), PlayerActed)),
    ),
)

RULES = (CLOCK_BACKWARDS,)
