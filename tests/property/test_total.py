"""Whatever comes in: nothing raises, nothing loops, and the same events give the same findings in the same order."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor import audit
from auditor.events import Event
from auditor.intake import Gone
from auditor.rules.registry import RULES
from auditor.wire import dump, parse

from .events import streams

HANDS = [
    [event for event in example.events if not isinstance(event, Gone)]
    for rule in RULES.values()
    for example in rule.examples()
    if len(example.events) < 60
]

calm = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@calm
@given(streams())
def test_any_well_formed_events_are_audited_the_same_way_twice(events: list[Event]) -> None:
    assert list(audit(events)) == list(audit(events))


@calm
@given(streams())
def test_every_event_survives_its_own_writing(events: list[Event]) -> None:
    assert [parse(dump(event)) for event in events] == events


@st.composite
def spoiled(draw: st.DrawFn) -> list[Event | bytes]:
    """A hand that was shuffled, truncated, duplicated and corrupted."""
    events = list(draw(st.sampled_from(HANDS)))
    for _ in range(draw(st.integers(0, 4))):
        if not events:
            break
        at = draw(st.integers(0, len(events) - 1))
        match draw(st.sampled_from(["drop", "double", "swap", "cut", "corrupt"])):
            case "drop":
                del events[at]
            case "double":
                events.insert(draw(st.integers(0, len(events))), events[at])
            case "swap":
                other = draw(st.integers(0, len(events) - 1))
                events[at], events[other] = events[other], events[at]
            case "cut":
                del events[at:]
            case _:
                raw = events[at] if isinstance(events[at], bytes) else dump(events[at])
                broken = draw(st.integers(0, max(0, len(raw) - 1)))
                events[at] = raw[:broken] + draw(st.binary(max_size=3)) + raw[broken + 1 :]
    return events


@calm
@given(spoiled())
def test_a_spoiled_hand_is_audited_the_same_way_twice(events: list[Event | bytes]) -> None:
    assert list(audit(events)) == list(audit(events))


@calm
@given(st.sampled_from(HANDS), st.randoms(use_true_random=False))
def test_how_events_arrive_within_the_wait_changes_nothing(events: list[Event | bytes], random: object) -> None:
    # given a hand whose every event is sound and comes once
    sound = [event for event in events if not isinstance(event, bytes)]
    if len({event.seq for event in sound}) != len(sound):
        return
    in_order = sorted(sound, key=lambda event: event.seq)
    # when its events arrive in any order
    shuffled = list(sound)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    # then the findings are the same
    assert list(audit(shuffled)) == list(audit(in_order))
