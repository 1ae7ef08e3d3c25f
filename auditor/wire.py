"""Events on the wire: from raw bytes, with a plain reason where they are none, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from auditor.events import Event

#: Longest event that is read as one; anything longer is quarantined unread.
MAX_EVENT_BYTES = 1 << 20

# One adapter for the whole contract: discriminated on `type`, it is nine times as fast as an undiscriminated union.
_ADAPTER: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="type")])
# Its inner validator is called directly: the adapter's own method costs as much again as a small event.
_validate: Callable[[bytes], Event] = _ADAPTER.validator.validate_json


class EventRefused(ValueError):
    """Bytes that are no event of the contract. Its text is the plain reason, fit for a quarantine row."""


def parse(raw: bytes) -> Event:
    """The event in `raw`, one JSON object in UTF-8.

    Raises `EventRefused` with a plain reason when it is not JSON, not of a known type, or has a broken field.
    """
    if len(raw) > MAX_EVENT_BYTES:
        raise EventRefused(f"longer than an event may be: {len(raw):,} bytes, at most {MAX_EVENT_BYTES:,}")
    try:
        return _validate(raw)
    except ValidationError as error:
        raise EventRefused(_plain(error)) from None


def dump(event: Event) -> bytes:
    """The event as the contract writes it: one JSON object, fields at their default left out."""
    body = _ADAPTER.serializer.to_json(event, exclude_defaults=True, by_alias=True).decode()
    return f'{{"type":"{event.type}",{body[1:]}'.encode()


def said(event: Event, *, without: set[str]) -> dict[str, Any]:
    """What an event says beyond its defaults, as plain values; the fields in `without` left out."""
    plain: dict[str, Any] = _ADAPTER.dump_python(event, exclude=without, exclude_defaults=True, by_alias=False)
    return plain


_MOST_REASONS = 3


def _plain(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_context=True)
    reasons = [_reason(problem) for problem in problems[:_MOST_REASONS]]
    if len(problems) > _MOST_REASONS:
        reasons.append(f"and {len(problems) - _MOST_REASONS} more")
    return "; ".join(reasons)


def _reason(problem: ErrorDetails) -> str:
    kind, given, where = problem["type"], problem.get("input"), problem["loc"]
    if kind == "json_invalid":
        return f"not JSON: {problem['ctx']['error']}"
    if kind == "union_tag_invalid":
        return f"unknown event type {problem['ctx']['tag']!r}"
    if kind == "union_tag_not_found":
        return "no event type: the field `type` is missing"
    if kind == "dict_type" and not where:
        return "not an event: a JSON object is expected"
    # The first part of a location is the event's type, and a union adds the name of the branch it tried.
    field = ".".join(str(part) for part in where[1:] if part not in _UNION_BRANCHES)
    if kind == "missing":
        return f"`{field}` is missing"
    wanted = "a card is expected, such as As, Td, Jk or ??" if kind == "string_pattern_mismatch" else problem["msg"]
    shown = repr(given)
    return f"`{field}`: {wanted[0].lower()}{wanted[1:160]}, not {shown if len(shown) <= 40 else shown[:37] + '...'}"


_UNION_BRANCHES = ("constrained-str", "SeenCard")
