"""`auditor audit`: files in, findings out."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.cli.exits import DAMAGED, FAILED_ON
from auditor.cli.severity import SeverityOption

if TYPE_CHECKING:
    from auditor.audit import Audit
    from auditor.feeds.files import FileFeed
    from auditor.findings import Finding, Reject
    from auditor.intake import Outcomes, Record
    from auditor.store.writer import Store


class Format(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSONL = "jsonl"
    JSON = "json"


#: Events between two checkpoints of a file's audit. A commit costs milliseconds; a batch, memory.
BATCH = 10_000
#: Records between two looks at which files run ahead: with those that may wait by then, fewer than make a gap.
AT_ONCE = 128


def audit(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Files or folders of events or hand histories; - for stdin.")
    ],
    source_format: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="The format, where the content is not to decide; see `auditor convert --formats`.",
            metavar="FORMAT",
        ),
    ] = None,
    output: Annotated[Format, typer.Option("--format", help="How to write the findings.")] = Format.TEXT,
    store: Annotated[
        Path | None, typer.Option(help="A DuckDB file that keeps events, hands and findings. Made where it is missing.")
    ] = None,
    min_severity: Annotated[
        SeverityOption, typer.Option(help="Write only findings of this severity and above.")
    ] = SeverityOption.INFO,
    fail_on: Annotated[
        SeverityOption | None, typer.Option(help="Exit with 1 if there is a finding of this severity or above.")
    ] = None,
    pseudonymise: Annotated[
        Path | None, typer.Option(metavar="KEYFILE", help="Replace players' names by a hash under this key.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, help="Processes for files of hands. Default: every processor, where there is enough to do."
        ),
    ] = None,
    progress: Annotated[bool, typer.Option(help="Show progress on stderr, where it is a terminal.")] = True,
) -> None:
    """Audit files: every irregularity, with its evidence, the ruling that the rules prescribe, and what the table did.

    Reads events as JSON Lines and hand histories of several formats (`auditor convert --formats`), plain or compressed
    with gzip or zstd. Findings go to stdout, words to stderr. What cannot be read is quarantined as FEED108; everything
    else is audited. Files of hands are read by several processes, and with a store one that was audited before is
    skipped: a job that was stopped goes on when it is started again.

    \b
    auditor audit hands.jsonl
    auditor audit dealing.jsonl betting.jsonl --format jsonl --fail-on major
    auditor audit ~/hands --store audit.duckdb

    Exit codes: 0 audited; 1 --fail-on reached; 2 wrong call; 3 a file is damaged or of no known format; 4 the store is
    held by another process.
    """
    from auditor.cli.convert import opened
    from auditor.cli.jobs import run_job

    feed, hand_files = opened(paths, source_format, pseudonymise).apart()
    report = Report(output, min_severity)
    started = time.monotonic()
    damaged = False
    with _opened(store) as into:
        if feed.names:
            with _shown(feed, progress):
                run(feed, into, report)
            damaged = feed.damaged
        if hand_files:
            damaged |= run_job(hand_files, into, report, jobs=jobs, progress=progress)
    report.finish()
    typer.echo(report.summary(time.monotonic() - started), err=True)
    if fail_on is not None and report.reaches(fail_on):
        raise typer.Exit(FAILED_ON)
    if damaged:
        raise typer.Exit(DAMAGED)


def run(feed: FileFeed, store: Store | None, report: Report) -> None:
    """The whole audit: one pass over the feed, a checkpoint every few thousand records."""
    from auditor.audit import Audit

    spare_collector()
    core = Audit(keep_events=store is not None)
    offsets: dict[tuple[str, int], int] = {}
    if store is not None:
        from auditor.store.resume import resume

        resume(core, store)
        offsets = store.offsets()
    coming = _unknown(feed, offsets, report) if offsets else iter(feed)
    batch: list[Record | Reject] = []
    while some := list(islice(coming, AT_ONCE)):
        core.take_all(some)
        feed.hold_back({source for source, _ in core.ahead})
        batch += some
        if len(batch) >= BATCH:
            _checkpoint(core, store, feed, batch, report)
            batch.clear()
    core.finish()
    _checkpoint(core, store, feed, batch, report)


def spare_collector() -> None:
    """Let the garbage collector look seldom: events come and go by the million, and hold no cycles."""
    gc.freeze()
    gc.set_threshold(1_000_000, 50, 100)


def _unknown(feed: FileFeed, offsets: dict[tuple[str, int], int], report: Report) -> Iterator[Record | Reject]:
    """What the store does not hold yet."""
    for item in feed:
        if item.offset < offsets.get((feed.identity(item.source), 0), 0):
            report.known += 1
        else:
            yield item


def _reached(feed: FileFeed, batch: Sequence[Record | Reject]) -> dict[tuple[str, int], int]:
    """The next offset of each file in a batch."""
    from auditor.findings import Reject

    # Where a file breaks off, its rest may be there the next time: that place is not passed.
    passed = [item for item in batch if not isinstance(item, Reject)] if feed.damaged else batch
    reached = {item.source: item.offset for item in passed}
    return {(feed.identity(source), 0): offset + 1 for source, offset in reached.items()}


def _checkpoint(
    core: Audit, store: Store | None, feed: FileFeed, batch: Sequence[Record | Reject], report: Report
) -> None:
    outcomes = core.drain()
    if store is not None:
        store.commit(outcomes, _reached(feed, batch))
    report.add(outcomes)


@contextmanager
def _opened(path: Path | None) -> Iterator[Store | None]:
    if path is None:
        yield None
        return
    from auditor.cli.stores import open_store

    with open_store(path) as store:
        yield store


def _shown(feed: FileFeed, wanted: bool) -> AbstractContextManager[None]:
    from auditor.cli.progress import bytes_read, on_terminal

    return bytes_read(feed) if wanted and on_terminal() else nullcontext()


@dataclass
class Report:
    """What is written of the findings, and the count of everything."""

    output: Format
    minimum: SeverityOption
    events: int = 0
    rejects: int = 0
    duplicates: int = 0
    known: int = 0  # records that the store had already
    closed_hands: int = 0
    counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        from auditor.audit import Settling

        self._settling = Settling()
        self._written = 0

    def add(self, outcomes: Outcomes) -> None:
        self.events += outcomes.taken
        self.rejects += len(outcomes.rejects)
        self.duplicates += outcomes.duplicates
        self.closed_hands += outcomes.hands_closed
        for finding in self._settling.add(outcomes.findings):
            self._write(finding)

    def finish(self) -> None:
        for finding in self._settling.rest():
            self._write(finding)
        if self.output is Format.JSON:
            typer.echo("\n]" if self._written else "[]")

    def _write(self, finding: Finding) -> None:
        from auditor.findings import at_least

        self.counts[finding.severity] = self.counts.get(finding.severity, 0) + 1
        if not at_least(finding.severity, self.minimum.value):
            return
        if self.output is Format.JSONL:
            typer.echo(finding.model_dump_json())
        elif self.output is Format.JSON:
            typer.echo((",\n" if self._written else "[\n") + finding.model_dump_json(), nl=False)
        else:
            typer.echo(_in_text(finding))
        self._written += 1

    def reaches(self, threshold: SeverityOption) -> bool:
        from auditor.findings import SEVERITIES, at_least

        return any(self.counts.get(severity) for severity in SEVERITIES if at_least(severity, threshold.value))

    def summary(self, seconds: float) -> str:
        from auditor.findings import SEVERITIES

        found = ", ".join(f"{self.counts[s]} {s}" for s in reversed(SEVERITIES) if self.counts.get(s)) or "none"
        words = [f"audited {self.events:,} records, {self.closed_hands:,} hands in {seconds:.1f} s; findings: {found}"]
        if self.rejects:
            words.append(f"{self.rejects:,} quarantined")
        if self.duplicates:
            words.append(f"{self.duplicates:,} identical copies dropped")
        if self.known:
            words.append(f"{self.known:,} already in the store")
        return "; ".join(words)


def _in_text(finding: Finding) -> str:
    where = f"table {finding.table_id}" if finding.table_id else "quarantine"
    if finding.hand_id:
        where += f", hand {finding.hand_id}"
    if finding.seq:
        where += f", event {finding.seq}"
    lines = [f"{finding.severity.upper():8} {finding.rule} {finding.name}  {where}", f"         {finding.message}"]
    if finding.prescribed != "none":
        handled = finding.handled.replace("_", " ")
        lines.append(f"         prescribed: {finding.prescribed.replace('_', ' ')} · handled: {handled}")
    lines.append(f"         {finding.finding_id}")
    return "\n".join(lines)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(audit)
