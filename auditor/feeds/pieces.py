"""A file of hand histories in pieces, one a hand: each becomes records, or a reject that costs no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol, TypeVar

from auditor.events import Event
from auditor.feeds.telling import BrokenHandError
from auditor.findings import Reject
from auditor.intake import Record, record_of
from auditor.wire import dump


class Cut(Protocol):
    """What a piece must say of itself."""

    @property
    def line(self) -> int: ...
    @property
    def text(self) -> bytes: ...


class Piece(NamedTuple):
    """The text of one hand, and the line of the file that it begins at, from 1."""

    line: int
    text: bytes


P = TypeVar("P", bound=Cut)


def told(pieces: Iterable[P], events_of: Callable[[P], Iterable[Event]], source: str) -> Iterator[Record | Reject]:
    """The hands as records of events, numbered through the file from 1.

    A hand that `events_of` refuses with `BrokenHandError` is a reject with its text, in the one numbering with the
    events, so that a place in the file is one number; its reason names the line of the file.
    """
    number = 0
    for piece in pieces:
        try:
            events = events_of(piece)
        except BrokenHandError as broken:
            number += 1
            line = piece.line + (broken.line or 1) - 1
            yield Reject(source=source, offset=number, raw=piece.text, reason=f"line {line:,}: {broken}")
            continue
        for event in events:
            number += 1
            yield record_of(dump(event), source, number)
