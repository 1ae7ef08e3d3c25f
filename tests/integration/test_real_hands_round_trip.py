"""Real hands there and back: PHH to events to PHH to events gives the same events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.events import Event, TableOpened
from auditor.feeds.files import open_feed
from auditor.feeds.phh.write import Hands, Written, sections
from auditor.intake import Record
from auditor.wire import parse, said

pytestmark = pytest.mark.realhands

#: Of the commonest game, one hand in so many; of the others all.
ONE_IN = 20


def told(path: Path | list[Path]) -> Iterator[Event]:
    for item in open_feed(path if isinstance(path, list) else [path]):
        assert isinstance(item, Record)
        yield parse(item.raw)


def whole(events: Iterator[Event]) -> Iterator[tuple[TableOpened, list[Event]]]:
    hands = Hands()
    for event in events:
        yield from hands.take(event)
    yield from hands.rest()


def test_what_was_read_is_what_comes_back(real_hands: Path, tmp_path: Path) -> None:
    # given real hands of every game
    files = sorted(real_hands.rglob("*.phh*"))
    pluribus = [file for file in files if "pluribus" in file.parts]
    some = [*pluribus[::ONE_IN], *(file for file in files if "pluribus" not in file.parts)]
    # when they are written as PHH
    with (tmp_path / "again.phhs").open("w") as again:
        for written in sections(whole(told(some))):
            assert isinstance(written, Written)
            assert not written.lost
            again.write(written.text)
    # then every event comes back, the table's name apart, which is the text's
    count = 0
    for before, after in zip(told(some), told(tmp_path / "again.phhs"), strict=True):
        count += 1
        assert essence(after) == essence(before)
    assert count > 15_000


def essence(event: Event) -> object:
    return said(event, without={"table_id"})
