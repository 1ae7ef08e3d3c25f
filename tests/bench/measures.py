"""The measures. Each gives figures of one run on one core; ratios hold across machines, absolutes do not."""

from __future__ import annotations

import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import psutil

from auditor.audit import Audit
from auditor.cli.audit import Format, Report, run
from auditor.cli.severity import SeverityOption
from auditor.feeds.files import open_feed
from auditor.intake import Record
from auditor.rules.registry import RULES
from auditor.store.writer import Store
from auditor.wire import EventRefused, parse
from tests.bench.material import real_hands, room

ROUNDS = 5
DRAIN = 5_000  # records between two drains


class Measure(NamedTuple):
    """One line of the table: what was measured, the figure, and what it is held against."""

    what: str
    figure: str
    target: str
    met: bool | None


def against_pokerkit(hands: int = 500) -> list[Measure]:
    """Hands a second from JSON Lines to findings, over those at which pokerkit reads and replays the same hands."""
    from pokerkit import HandHistory

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = real_hands(folder, hands)
        if not files:
            return [
                Measure("JSON Lines to findings, against pokerkit's replay", "skipped: no real hands here", "5 ×", None)
            ]
        lines = folder / "hands.jsonl"
        lines.write_bytes(b"".join(item.raw + b"\n" for item in open_feed(files) if isinstance(item, Record)))

        def replay() -> None:
            for file in files:
                with file.open("rb") as opened:
                    for _ in HandHistory.load(opened):
                        pass

        ours, theirs = paired(lambda: audit_file(lines), replay)
    per_second = f"{len(files) / ours:,.0f} hands/s against {len(files) / theirs:,.0f}"
    return [ratio("JSON Lines to findings, against pokerkit's replay", theirs / ours, 5, per_second)]


def audit_file(path: Path, store: Store | None = None) -> None:
    """What `auditor audit FILE` does, from the file to the last finding, without the start of its process."""
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        run(open_feed([path]), store, Report(Format.JSONL, SeverityOption.INFO))


def core_alone(events: int = 100_000) -> list[Measure]:
    """Validated events through order, state and every rule."""
    validated = [event for raw in room(events) if (event := _parsed(raw)) is not None]

    def through_the_core() -> None:
        core = Audit()
        for event in validated:
            core.take_event(event)
        core.drain()

    return [rate("core alone: validated event, state, all rules", len(validated) / timed(through_the_core), 100_000)]


def _parsed(raw: bytes) -> object:
    try:
        return parse(raw)
    except EventRefused:  # a broken line of the simulated room
        return None


def file_to_store(events: int = 100_000) -> list[Measure]:
    """JSON Lines to DuckDB: every event, hand and finding stored."""
    with tempfile.TemporaryDirectory() as name:
        lines = Path(name, "room.jsonl")
        lines.write_bytes(b"\n".join(room(events)))
        stores = iter(range(100))

        def into_a_new_store() -> None:
            with Store.open(Path(name, f"{next(stores)}.duckdb")) as store:
                audit_file(lines, store)

        return [rate("file to DuckDB", events / timed(into_a_new_store), 50_000)]


def kafka_to_store(events: int = 60_000) -> list[Measure]:
    """Kafka to DuckDB with every rule, over the same loop with none. On Apache Kafka, where its jars are."""
    from tests.bench.kafka import loop_seconds

    try:
        with_rules, without = loop_seconds(list(room(events)), (RULES.values(), ()), ROUNDS)
    except RuntimeError as missing:
        return [Measure("Kafka to DuckDB, against the loop with no rules", f"skipped: {missing}", "70 %", None)]
    share = without / with_rules
    figure = f"{share:.0%} ({events / with_rules:,.0f} events/s against {events / without:,.0f})"
    return [Measure("Kafka to DuckDB, against the loop with no rules", figure, "70 %", share >= 0.70)]


def memory(events: int = 1_000_000) -> list[Measure]:
    """Resident memory after a tenth of the events and after all of them."""
    process = psutil.Process()
    core = Audit()
    early = 0
    for number, raw in enumerate(room(events), 1):
        core.take(Record(raw, "room", 0, number))
        if number % DRAIN == 0:
            core.drain()
        if number == events // 10:
            gc.collect()
            early = process.memory_info().rss
    gc.collect()
    late = process.memory_info().rss
    figure = f"{late / early:.2f} × ({early >> 20} MiB after {events // 10:,}, {late >> 20} MiB after {events:,})"
    return [Measure("memory over the run", figure, "flat", late < 1.15 * early)]


def timed(measured: Callable[[], None], rounds: int = ROUNDS) -> float:
    """Seconds, the median of several runs after one to warm up."""
    measured()
    return statistics.median(_once(measured) for _ in range(rounds))


def paired(first: Callable[[], None], second: Callable[[], None], rounds: int = ROUNDS) -> tuple[float, float]:
    """Seconds of the two, in turn, so that a machine that slows down slows both."""
    first(), second()
    pairs: Sequence[tuple[float, float]] = [(_once(first), _once(second)) for _ in range(rounds)]
    by_ratio = sorted(pairs, key=lambda pair: pair[1] / pair[0])
    return by_ratio[len(by_ratio) // 2]


def _once(measured: Callable[[], None]) -> float:
    gc.collect()
    began = time.perf_counter()
    measured()
    return time.perf_counter() - began


def rate(what: str, per_second: float, target: int) -> Measure:
    return Measure(what, f"{per_second:,.0f} events/s", f"{target:,}", per_second >= target)


def ratio(what: str, value: float, target: float, more: str) -> Measure:
    return Measure(what, f"{value:.1f} × ({more})", f"{target:g} ×", value >= target)


ALL: tuple[Callable[[], Iterable[Measure]], ...] = (against_pokerkit, core_alone, file_to_store, kafka_to_store, memory)
