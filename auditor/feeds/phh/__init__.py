"""Poker hand histories (PHH, a TOML dialect) as events; each hand becomes a table of its own.

The format: https://phh.readthedocs.io. One hand a file, or several as sections `[1]`, `[2]`, … (`.phhs`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from auditor.events import Event
from auditor.feeds.phh.convert import convert
from auditor.feeds.phh.hand import hand_of
from auditor.feeds.phh.sections import Section, sections
from auditor.feeds.pieces import told
from auditor.feeds.streams import Stream
from auditor.feeds.telling import table_of
from auditor.findings import Reject
from auditor.intake import Record


def read(stream: Stream, source: str) -> Iterator[Record | Reject]:
    """The hands of one file as records of events; rejects for those that are broken or of no game of the contract."""
    stem = PurePath(source).stem
    return told(sections(stream), lambda section: events_of(section, stem), source)


def events_of(section: Section, stem: str) -> list[Event]:
    """The events of one hand; `stem` names it where neither the hand nor its section does.

    The table is named after the hand's text, so that the same hand read twice is the same table.
    Raises `BrokenHandError` with a plain reason.
    """
    fields = section.fields()
    hand = hand_of(fields, section.name or stem or "1")
    return convert(hand, table_of("phh", hand.hand_id, section.text))
