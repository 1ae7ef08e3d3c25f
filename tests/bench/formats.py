"""Files of hands to findings: hands a second for each format, beside what other readers do with the same files.

All formats tell the same simulated hands, so that they can be compared; real hands are in PHH. The others only read:
pokerkit builds a hand's history and replays it, the PokerNow converter takes the rows apart. An audit reads, rebuilds
the table's state after every event and asks every rule.
"""

from __future__ import annotations

import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path

import psutil

from auditor.cli.audit import Format, Report, run
from auditor.cli.jobs import run_job
from auditor.cli.severity import SeverityOption
from auditor.feeds.files import open_feed
from auditor.feeds.formats import FORMATS
from auditor.intake import Outcomes
from auditor.store.writer import Store
from tests.bench.material import real_hands
from tests.bench.measures import Measure, paired
from tests.bench.service import every_core
from tests.bench.writers import WRITERS, pokernow, pokerstars
from tests.bench.writers.tables import Table, plain_tables

_A_TABLE = 50  # hands
_ROUNDS = 3


@cache
def _tables(hands: int) -> tuple[Table, ...]:
    return tuple(plain_tables(hands // _A_TABLE, _A_TABLE))


def audit(paths: Sequence[Path], store: Store | None = None) -> Report:
    """What `auditor audit PATH… --jobs 1` does, without the start of its process."""
    feed, hand_files = open_feed(paths).apart()
    report = Report(Format.JSONL, SeverityOption.INFO)
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        if feed.names:
            run(feed, store, report)
        if hand_files:
            run_job(hand_files, store, report, jobs=1, progress=False)
        report.finish()
    return report


def read(paths: Sequence[Path]) -> None:
    """Files to events, and no audit."""
    for _ in open_feed(paths):
        pass


def each_format(hands: int = 500) -> Iterator[Measure]:
    """From file to findings, of which there are none: these hands are legal in every format."""
    for name, written in WRITERS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "hands")
            path.write_text(written(_tables(hands)), "utf-8")
            yield _one_format(FORMATS[name].title, [path], hands)


def _one_format(title: str, paths: Sequence[Path], hands: int) -> Measure:
    report = audit(paths)
    assert (report.closed_hands, report.rejects, report.counts) == (hands, 0, {}), f"{title}: {report}"
    seconds = _busy(lambda: _nothing(audit(paths)))
    only_read = _busy(lambda: read(paths))
    figure = f"{hands / seconds:,.0f} hands/s, {report.events / seconds:,.0f} events/s"
    return Measure(f"{title} to findings", f"{figure} (read alone: {hands / only_read:,.0f} hands/s)", "–", None)


def _busy(measured: Callable[[], None]) -> float:
    """Seconds that the processor was at work on it, the median of some runs: others may want the processor, too."""

    def once() -> float:
        began = time.process_time()
        measured()
        return time.process_time() - began

    return statistics.median(once() for _ in range(_ROUNDS))


# --- against others -------------------------------------------------------------------------------------------------


def against_readers(hands: int = 300) -> Iterator[Measure]:
    """The same files, read by others: hands a second of an audit over theirs, and of our reading alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield _against("PHH, real hands: pokerkit loads and replays", real_hands(folder, hands), _load_phh, hands)
        stars = folder / "stars.txt"
        stars.write_text(pokerstars.text(_tables(hands)), "utf-8")
        yield _against("PokerStars text: pokerkit parses and replays", [stars], _parse_stars, hands)
        logs = [folder / f"{number}.csv" for number in range(hands // _A_TABLE)]
        for path, table in zip(logs, _tables(hands), strict=True):
            path.write_text(pokernow.text([table]), "utf-8")
        yield _against("PokerNow CSV: poker-now-log-converter parses", logs, _parse_logs, hands)


def _against(what: str, files: Sequence[Path], theirs: Callable[[Sequence[Path]], None], hands: int) -> Measure:
    if not files:
        return Measure(what, "skipped: no real hands here", "–", None)
    try:
        theirs(files)
    except ImportError as missing:
        return Measure(what, f"skipped: {missing.name} is not installed", "–", None)
    audited, they = paired(lambda: _nothing(audit(files)), lambda: theirs(files), _ROUNDS)
    only_read, they_again = paired(lambda: read(files), lambda: theirs(files), _ROUNDS)
    per_second = f"{hands / audited:,.0f} hands/s against {hands / they:,.0f}"
    figure = f"{they / audited:.1f} × audited ({per_second}), {they_again / only_read:.1f} × read alone"
    return Measure(what, figure, "–", None)


def _nothing(_report: Report) -> None:
    """A measured call gives nothing."""


def _load_phh(files: Iterable[Path]) -> None:
    from pokerkit import HandHistory

    for path in files:
        with path.open("rb") as file:
            for _ in HandHistory.load(file):
                pass


def _parse_stars(files: Iterable[Path]) -> None:
    import warnings

    from pokerkit.notation import PokerStarsParser

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in files:
            for _ in PokerStarsParser()(path.read_text("utf-8"), error_status=True):
                pass


def _parse_logs(files: Iterable[Path]) -> None:
    from poker_now_log_converter.main import parse_file

    logging.disable()
    for path in files:
        parse_file(str(path))
    logging.disable(logging.NOTSET)


# --- big jobs: only where they are asked for, for they take minutes -------------------------------------------------


class _Watched:
    """Takes what a job gives, and notes how much memory this process holds, and how much of it the store's buffers."""

    def __init__(self, store: Store) -> None:
        self.hands = 0
        self.held: list[tuple[int, int, int]] = []  # hands, bytes without the buffers, bytes of the buffers
        self._store = store

    def add(self, outcomes: Outcomes) -> None:
        self.hands += outcomes.hands_closed
        ((buffers,),) = self._store.rows("SELECT sum(memory_usage_bytes) FROM duckdb_memory()")
        self.held.append((self.hands, psutil.Process().memory_info().rss - int(buffers), int(buffers)))

    def after(self, hands: int) -> tuple[int, int]:
        """Bytes when so many hands were audited: ours, and of the buffers."""
        return next((ours, buffers) for done, ours, buffers in self.held if done >= hands)


def big_file(hands: int = 100_000) -> Iterator[Measure]:
    """One large file into a store: resident memory after a tenth of the hands, and after all."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "big.txt")
        _write_stars(path, range(1, hands, 1_000))
        began = time.perf_counter()
        with Store.open(Path(name, "big.duckdb")) as store:
            watched = _Watched(store)
            run_job(open_feed([path]).apart()[1], store, watched, jobs=1, progress=False)
        seconds = time.perf_counter() - began
        stored = Path(name, "big.duckdb").stat().st_size
    (early, early_buffers), (late, late_buffers) = watched.after(hands // 10), watched.after(hands)
    figure = f"{late / early:.2f} × ({early >> 20} MiB after {hands // 10:,} hands, {late >> 20} MiB after {hands:,})"
    yield Measure("memory over one large file", figure, "flat", late < 1.15 * early)
    buffers = f"{early_buffers >> 20} MiB, then {late_buffers >> 20} MiB"
    yield Measure("DuckDB's buffers besides, up to its limit", buffers, "–", None)
    pace = f"{hands / seconds:,.0f} hands/s, {stored / hands / 1024:.1f} KiB a hand stored"
    yield Measure("that file into its store", pace, "–", None)


def two_processes(files: int = 8, hands: int = 1_000) -> Iterator[Measure]:
    """A folder into a store, by one process and by two; the start of the processes is part of it.

    Where others want the processors too, what it costs of their time says more than how long it takes.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "hands")
        folder.mkdir()
        for number in range(files):
            _write_stars(folder / f"{number}.txt", range(1 + number * hands, (number + 1) * hands, 1_000))
        with every_core():
            one, two = paired(lambda: _command(folder, 1), lambda: _command(folder, 2), _ROUNDS)
            spent = _spent(lambda: _command(folder, 1)), _spent(lambda: _command(folder, 2))
    rate = f"{files * hands / one:,.0f} hands/s, then {files * hands / two:,.0f}"
    cost = f"{1000 * spent[0] / files / hands:.2f} ms of processor a hand, then {1000 * spent[1] / files / hands:.2f}"
    yield Measure("a folder into a store, two processes against one", f"{one / two:.2f} × ({rate}; {cost})", "–", None)


def _spent(command: Callable[[], None]) -> float:
    """Seconds of processor that the processes of a command were at work."""
    before = _of_children()
    command()
    return _of_children() - before


def one_who_stores(files: int = 4, hands: int = 1_000) -> Iterator[Measure]:
    """How many workers the one process that stores can serve: what a hand costs it, and what it costs them."""
    with tempfile.TemporaryDirectory() as name, every_core():
        paths = [Path(name, f"{number}.txt") for number in range(files)]
        for number, path in enumerate(paths):
            _write_stars(path, range(1 + number * hands, (number + 1) * hands, 1_000))
        stores, works = time.process_time(), _of_children()
        with Store.open(Path(name, "store.duckdb")) as store:
            run_job(open_feed(paths).apart()[1], store, _Watched(store), jobs=2, progress=False)
        stores, works = time.process_time() - stores, _of_children() - works
    of_a_hand = [f"{1000 * seconds / files / hands:.2f} ms" for seconds in (works, stores)]
    figure = f"{works / stores:.1f} (a hand costs a worker {of_a_hand[0]}, the one who stores {of_a_hand[1]})"
    yield Measure("workers that one storing process can serve", figure, "–", None)


def _of_children() -> float:
    """Seconds of processor that processes which have ended were at work for this one."""
    times = os.times()
    return times.children_user + times.children_system


def _write_stars(path: Path, firsts: Iterable[int]) -> None:
    """A thousand hands from each of these numbers on. A hand of another number is another hand."""
    with path.open("w", encoding="utf-8") as file:
        for first in firsts:
            file.write(pokerstars.text(_tables(1_000), first))


def _command(folder: Path, jobs: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-m", "auditor.cli.main", "audit", str(folder), "--jobs", str(jobs)]
        subprocess.run([*command, "--store", f"{name}/store.duckdb"], check=True, capture_output=True)


ALL: tuple[Callable[[], Iterable[Measure]], ...] = (each_format, against_readers)
LONG: tuple[Callable[[], Iterable[Measure]], ...] = (big_file, two_processes, one_who_stores)
