"""Poker hand histories (PHH, a TOML dialect) as events; each hand becomes a table of its own.

The format: https://phh.readthedocs.io. One hand a file, or several as sections `[1]`, `[2]`, … (`.phhs`).
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import PurePath

from auditor.events import Event, dump
from auditor.feeds.phh.convert import convert
from auditor.feeds.phh.hand import BrokenHandError, hand_of
from auditor.feeds.phh.sections import Section, sections
from auditor.feeds.streams import Stream
from auditor.findings import Reject
from auditor.intake import Record


def read(stream: Stream, source: str) -> Iterator[Record | Reject]:
    """The hands of one file as records of events, numbered through the file from 1.

    A hand that is broken, or of a game that the contract has no name for, is a reject with its text, in the one
    numbering with the events, so that a place in the file is one number; its reason names the hand's first line. It
    costs no other hand.
    """
    number = 0
    stem = PurePath(source).stem
    for section in sections(stream):
        try:
            events = events_of(section, stem)
        except BrokenHandError as broken:
            number += 1
            yield Reject(source=source, offset=number, raw=section.text, reason=f"line {section.line:,}: {broken}")
            continue
        for event in events:
            number += 1
            yield Record(dump(event), source, 0, number)


def events_of(section: Section, stem: str) -> list[Event]:
    """The events of one hand; `stem` names it where neither the hand nor its section does.

    The table is named after the hand's text, so that the same hand read twice is the same table.
    Raises `BrokenHandError` with a plain reason.
    """
    fields = section.fields()
    hand = hand_of(fields, section.name or stem or "1")
    key = f"{hand.hand_id}\n".encode() + section.text.strip()
    return convert(hand, f"phh-{blake2b(key, digest_size=8).hexdigest()}")
