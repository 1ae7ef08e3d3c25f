"""FEED101, FEED102, FEED103 and FEED105: events that are missing, contradict each other, or come late.

These are noticed where events are put in order, before any state; the rules here say what they mean.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from auditor.events import CardDealt, Event, PlayerActed, TableClosed
from auditor.intake import MOST_WAITING
from auditor.rules.rule import Rule, flags, passes
from auditor.rules.scene import Scene


def _hand() -> list[Event | bytes]:
    return Scene().opened().walk().script()


def _first(kind: type[Any]) -> Any:
    return next(event for event in _hand() if isinstance(event, kind))


def _again(place: int, event: Event | bytes | None = None) -> list[Event | bytes]:
    """The hand, with one of its events a second time behind itself, or another under its number."""
    hand = _hand()
    return [*hand[: place + 1], hand[place] if event is None else event, *hand[place + 1 :]]


def _late(place: int, by: int) -> list[Event | bytes]:
    """The hand, with one of its events so many places later."""
    hand = _hand()
    hand.insert(place + by, hand.pop(place))
    return hand


def _outlasting(bound: int) -> list[Event | bytes]:
    """A hand that lacks an action, and so many more events that its place is given up; then the action comes."""
    scene = Scene().opened().walk()
    for button in range(bound // 12):
        scene.start(button=(1, 2, 3)[button % 3]).blinds().deal()
        scene.walk()
    late = _first(PlayerActed)
    return [*(event for event in scene.script() if event != late), late]


def _repeated_from_long_ago() -> list[Event | bytes]:
    scene = Scene()
    for button in (3, 1, 2, 3):
        scene.opened(button=button).walk()
    return [*scene.script(), scene.script()[5]]


SEQUENCE_GAP = Rule(
    code="FEED101",
    name="sequence-gap",
    severity="major",
    source="+",
    what="Events of a table are missing: their sequence numbers never came.",
    why="The hand is incomplete. What argues from silence is not flagged in it, and what is found in it, be it before "
    "the gap, is degraded.",
    prescription="None: recover the events from the table's own log and audit the hand again.",
    triage="Compare the producer's log with the topic. One table, or all of a partition?",
    false_positives="An audit that joined a running table in the middle.",
    examples=lambda: (
        flags("an action is lost", Scene().opened().walk().lose(11).script()),
        flags("the audit joins in the middle", Scene().opened().walk().lose(1, 2, 3, 4).script()),
        passes("two topics interleave out of order", _late(6, by=1)),
        passes("nothing is lost", _hand()),
    ),
)  # fmt: skip

CONFLICTING_DUPLICATE = Rule(
    code="FEED102",
    name="conflicting-duplicate",
    severity="major",
    source="+",
    what="A second event came under a sequence number of the table, with other content. The first one stands.",
    why="One of the two did not happen, or a producer numbers its events wrongly.",
    prescription="None: find out which of the two is true.",
    triage="Both are kept: the first among the events, the second among the rejects.",
    false_positives="None known. An identical copy is dropped and counted.",
    examples=lambda: (
        flags("another card under one number", _again(5, replace(_first(CardDealt), card="2c", seat=2))),
        passes("an identical copy", _again(5)),
    ),
)  # fmt: skip

LATE_EVENT = Rule(
    code="FEED103",
    name="late-event",
    severity="minor",
    source="+",
    what="An event came after its place in the table's order had been given up.",
    why="It is stored, but the audit had gone on without it.",
    prescription="None: audit the hand again from the store.",
    triage="See how long the producer or the topic held it back.",
    false_positives="After a restart of the service, a copy of an event that is older than the hand before.",
    examples=lambda: (
        flags(
            "an action arrives when the hand is long over",
            _outlasting(MOST_WAITING),
            also=("FEED101",),
        ),
        passes("an event that arrives within the wait", _late(10, by=len(_hand()))),
        passes("a copy of an event of many hands ago", _repeated_from_long_ago()),
    ),
)  # fmt: skip

HAND_NOT_CLOSED = Rule(
    code="FEED105",
    name="hand-not-closed",
    severity="minor",
    source="+",
    what="A new hand started, or the table closed, while a hand was still open. A misdeal ends its hand, once every "
    "chip is back.",
    why="The end of the hand, and perhaps its award, was never reported.",
    prescription="None: the hand is closed as it stands.",
    triage="See whether the hand was stopped and recorded again.",
    false_positives="A hand that was stopped and dealt again under another number.",
    examples=lambda: (
        flags("a hand starts while another is open", Scene().opened().start().blinds().deal().walk().script()),
        flags(
            "a misdeal, whose chips did not all go back",
            Scene().start().blinds().card(1, "As", exposed_by="dealer").announce().rule("misdeal")
            .refund_to(1, 50, "misdeal").prepare().start(redeal_of="H1").blinds().deal().walk().script(),
            also=("DEAL101",),
        ),
        passes(
            "a misdeal, and its redeal",
            Scene().start().blinds().card(1, "As", exposed_by="dealer").announce().rule("misdeal").refund("misdeal")
            .prepare().start(redeal_of="H1").blinds().deal().walk().script(),
            also=("DEAL101",),
        ),
        flags("the table closes while a hand is open", Scene().opened().add(TableClosed).script()),
        passes("one hand ends, the next starts", Scene().opened().walk().opened(button=1).walk().script()),
    ),
)  # fmt: skip

RULES = (SEQUENCE_GAP, CONFLICTING_DUPLICATE, LATE_EVENT, HAND_NOT_CLOSED)
