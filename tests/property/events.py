"""Strategies: any well-formed event of the contract, whether it makes sense or not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from auditor.events import BETTING_EVENTS, DEALING_EVENTS, Envelope, Event, SeenCard, TableEvent

START = datetime(2026, 1, 1, tzinfo=UTC)
CARDS = st.sampled_from(["As", "Kd", "Qh", "2c", "7d", "Td", "Jk", "??"])
SEEN = st.builds(SeenCard, card=CARDS, back=st.sampled_from([None, "red", "blue"]), boxed=st.booleans())
SEATS = st.integers(0, 6)
CHIPS = st.sampled_from([0, 1, 50, 100, 200, 1_000, 20_000])

_BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    "seat": SEATS,
    "into_seat": SEATS,
    "button_seat": st.none() | SEATS,
    "dealer_seat": st.none() | SEATS,
    "small_blind_seat": st.none() | SEATS,
    "big_blind_seat": st.none() | SEATS,
    "card": CARDS,
    "replaces": st.none() | CARDS,
    "amount": CHIPS,
    "stack": st.none() | CHIPS,
    "cards": st.lists(CARDS | SEEN, min_size=1, max_size=5).map(tuple),
    "order": st.lists(CARDS, max_size=5).map(tuple),
    "board": st.integers(1, 3),
    "max_seats": st.integers(2, 6),
}


def _values(field: FieldInfo) -> st.SearchStrategy[Any]:
    return _of(field.annotation)


def _of(annotation: Any) -> st.SearchStrategy[Any]:
    origin = get_origin(annotation)
    if origin is Literal:
        return st.sampled_from(get_args(annotation))
    if origin is tuple:
        return st.lists(_of(get_args(annotation)[0]), max_size=4).map(tuple)
    if origin is Union or origin is type(int | str):
        return st.one_of([_of(part) for part in get_args(annotation)])
    if isinstance(annotation, type) and hasattr(annotation, "__pydantic_fields__"):
        return models(annotation)
    plain: dict[Any, st.SearchStrategy[Any]] = {
        int: st.integers(1, 4),
        str: st.sampled_from(["a", "b"]),
        bool: st.booleans(),
        float: st.sampled_from([0.0, 2.5, 5.0]),
        type(None): st.none(),
    }
    return plain[annotation] if annotation in plain else _of(get_args(annotation)[0])


def models(model: type[Any]) -> st.SearchStrategy[Any]:
    """Any value of a model, from small domains, so that values meet."""
    skipped = {"type", "table_id", "hand_id", "seq", "at", "v", "source"}
    fields = {
        name: CHIPS if name == "stack" and field.is_required() else _BY_NAME.get(name, _values(field))
        for name, field in model.__pydantic_fields__.items()
        if name not in skipped
    }
    return st.fixed_dictionaries(fields).map(lambda values: _build(model, values))


def _build(model: type[Any], values: dict[str, Any]) -> Any:
    if not issubclass(model, Envelope):
        return model(**values)
    # Place in the order is given later: see `streams`.
    hand = {} if issubclass(model, TableEvent) else {"hand_id": "H1"}
    return model(table_id="T1", seq=1, at=START, **hand, **values)


EVENTS: st.SearchStrategy[Any] = st.one_of([models(model) for model in (*DEALING_EVENTS, *BETTING_EVENTS)])


@st.composite
def streams(draw: st.DrawFn) -> list[Event]:
    """A table's events in order, of any types and any content; hands come and go."""
    hand, events = 0, []
    for seq, event in enumerate(draw(st.lists(EVENTS, max_size=40)), 1):
        hand += event.type == "hand_started"
        changes: dict[str, Any] = {"seq": seq, "at": START + timedelta(seconds=seq)}
        if event.hand_id is not None:
            changes["hand_id"] = f"H{max(1, hand - draw(st.sampled_from([0, 0, 0, 0, 0, 1])))}"
        events.append(replace(event, **changes))
    return events
