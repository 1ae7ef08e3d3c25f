"""Legal hands, written in every format that is read, are legal hands when they are read again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from auditor.cli.audit import Report
from auditor.events import Event, PlayerActed, PotAwarded, TableOpened
from auditor.feeds.files import open_feed
from auditor.feeds.formats import FORMATS
from auditor.findings import Reject
from auditor.wire import parse
from tests.bench.formats import audit
from tests.bench.writers import WRITERS
from tests.bench.writers.tables import Table, plain_tables

HANDS = 20


@pytest.fixture(scope="module")
def tables() -> Sequence[Table]:
    return plain_tables(tables=3, hands=HANDS, seed=11)


def audited(text: str, path: Path) -> Report:
    path.write_text(text, "utf-8")
    return audit([path])


def moves(events: Iterable[Event]) -> tuple[Counter[tuple[int, str, Fraction]], dict[int, Fraction]]:
    """Every action, and what each seat won in all, in big blinds: formats have their own smallest chip."""
    acts: Counter[tuple[int, str, Fraction]] = Counter()
    won: dict[int, Fraction] = defaultdict(Fraction)
    unit = 1
    for event in events:
        if isinstance(event, TableOpened):
            unit = event.stakes.big_blind
        elif isinstance(event, PlayerActed):
            acts[event.seat, event.action, Fraction(event.amount, unit)] += 1
        elif isinstance(event, PotAwarded):
            won[event.seat] += Fraction(event.amount, unit)
    return acts, won


def test_there_is_a_writer_for_every_format() -> None:
    assert WRITERS.keys() == FORMATS.keys()


@pytest.mark.parametrize("name", WRITERS)
def test_legal_hands_give_no_finding(name: str, tables: Sequence[Table], tmp_path: Path) -> None:
    # given legal hands of tables that come and go; when they are written in a format, and that file is audited
    report = audited(WRITERS[name](tables), tmp_path / "hands")
    # then every hand was read, and none of them is irregular
    assert (report.closed_hands, report.rejects, report.counts) == (3 * HANDS, 0, {})


@pytest.mark.parametrize("name", WRITERS)
def test_every_action_and_every_award_comes_back(name: str, tables: Sequence[Table], tmp_path: Path) -> None:
    # given what was done at the tables
    done = moves(event for table in tables for event in table.events)
    # when they are written, and the file is read
    path = tmp_path / "hands"
    path.write_text(WRITERS[name](tables), "utf-8")
    told = [parse(item.raw) for item in open_feed([path]) if not isinstance(item, Reject)]
    # then that is what it tells
    assert moves(told) == done


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "jsonl"])
def test_a_chip_too_many_is_found_in_every_format(name: str, tables: Sequence[Table], tmp_path: Path) -> None:
    # given the same hands, and a winner who gets ten chips that are not there
    spoilt = [spoil(table) for table in tables]
    # when they are audited, then the money does not add up
    assert audited(WRITERS[name](spoilt), tmp_path / "hands").counts


def spoil(table: Table) -> Table:
    place = max(number for number, event in enumerate(table.events) if isinstance(event, PotAwarded))
    award = table.events[place]
    assert isinstance(award, PotAwarded)
    more = replace(award, amount=award.amount + 10)
    return Table(table.lines, [*table.events[:place], more, *table.events[place + 1 :]])
