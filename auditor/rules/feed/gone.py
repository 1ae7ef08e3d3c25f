"""FEED109: records that a topic no longer held when they were to be read.

It is noticed where the topics are read; the rule here says what it means.
"""

from __future__ import annotations

from auditor.intake import Gone
from auditor.rules.rule import Rule, flags, passes
from auditor.rules.scene import Scene

EVENTS_GONE = Rule(
    code="FEED109",
    name="events-gone",
    severity="major",
    source="+",
    what="A topic no longer holds the records at which the audit was to go on: they were deleted before they were "
    "read. The audit goes on from the first one that is left.",
    why="Whatever happened at the tables in between was never audited, and no store holds it.",
    prescription="None: get the events from the tables' own logs, and audit them from a file.",
    triage="Compare the topic's retention with how long the auditor was away. The finding names topic, partition, the "
    "first offset and how many records.",
    false_positives="Records that a transaction took back are counted with the others.",
    examples=lambda: (
        flags(
            "a topic was cut short while the auditor was away",
            [*Scene().opened().walk().script(), Gone("t", 0, 99, 42)],
        ),
        passes("nothing is gone", Scene().opened().walk().script()),
    ),
)

RULES = (EVENTS_GONE,)
