"""`auditor run`: audit two Kafka topics live, into a store."""

from __future__ import annotations

import logging
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from auditor.cli.exits import DAMAGED, UNAVAILABLE, fail
from auditor.cli.stores import open_store

if TYPE_CHECKING:
    from auditor.live import Checkpoint, Settings, Totals
    from auditor.store.writer import Store

log = logging.getLogger("auditor.run")

_SAY_EVERY = 5.0  # seconds between two lines of progress where nobody watches a terminal

_HELP = """Audit two Kafka topics as the hands are dealt, into a store.

Every event is stored exactly once, however often the process is stopped or killed: a start goes on where the
store left off. Stop it with Ctrl-C or SIGTERM; it commits what it has and leaves. Every option can also come from
the environment: AUDITOR_BOOTSTRAP, AUDITOR_STORE and so on.

Example, with findings as they become known on stdout and metrics on port 9108:

\b
    auditor run --bootstrap localhost:9092 --store room.duckdb --metrics-port 9108 --print

Exit codes: 0 stopped or idle, 2 wrong usage or a file that is no store, 3 the store is damaged or the topics lost
events that were not audited yet, 4 no broker, no topic, or a store that another process holds.
"""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("run", help=_HELP)(run)


def run(
    bootstrap: Annotated[
        str, typer.Option(envvar="AUDITOR_BOOTSTRAP", metavar="HOST:PORT", help="A Kafka broker, or several by comma.")
    ],
    store: Annotated[
        Path, typer.Option(envvar="AUDITOR_STORE", metavar="FILE", help="The DuckDB file; made when missing.")
    ],
    group: Annotated[str, typer.Option(envvar="AUDITOR_GROUP", help="The consumer group to join.")] = "poker-auditor",
    assign: Annotated[
        Literal["group", "all"],
        typer.Option(
            envvar="AUDITOR_ASSIGN",
            help="`group`: the partitions that the group gives. `all`: every partition, at once and without a group; "
            "for a single process.",
        ),
    ] = "group",
    dealing_topic: Annotated[
        str, typer.Option(envvar="AUDITOR_DEALING_TOPIC", help="Deck, dealing and officiating events.")
    ] = "poker.dealing",
    betting_topic: Annotated[str, typer.Option(envvar="AUDITOR_BETTING_TOPIC", help="The chips.")] = "poker.betting",
    metrics_port: Annotated[
        int | None,
        typer.Option(
            envvar="AUDITOR_METRICS_PORT", min=1, max=65535, help="Serve /metrics, /livez and /readyz on this port."
        ),
    ] = None,
    batch_rows: Annotated[
        int, typer.Option(envvar="AUDITOR_BATCH_ROWS", min=1, help="Commit after so many records.")
    ] = 2_000,
    batch_ms: Annotated[
        int, typer.Option(envvar="AUDITOR_BATCH_MS", min=1, help="Commit after so many milliseconds at the latest.")
    ] = 250,
    until_idle: Annotated[
        float | None,
        typer.Option(
            envvar="AUDITOR_UNTIL_IDLE",
            min=0,
            metavar="SECONDS",
            help="End when all is read and nothing came for so long; gaps that are open then are given up.",
        ),
    ] = None,
    print_findings: Annotated[
        bool, typer.Option("--print", envvar="AUDITOR_PRINT", help="Print each finding, as it becomes known, as JSON.")
    ] = False,
    progress: Annotated[
        bool | None,
        typer.Option(envvar="AUDITOR_PROGRESS", help="Show progress on stderr; by default when it is a terminal."),
    ] = None,
) -> None:
    """The command; its help is `_HELP`."""
    from auditor.feeds.kafka import KafkaSettings
    from auditor.live import Pace, Settings

    _log_to_stderr()
    settings = Settings(
        kafka=KafkaSettings(bootstrap, (dealing_topic, betting_topic), None if assign == "all" else group),
        pace=Pace(batch_rows, batch_ms / 1000, until_idle),
        metrics_port=metrics_port,
    )
    log.info("reading %s and %s from %s into %s", dealing_topic, betting_topic, bootstrap, store)
    began = time.monotonic()
    with open_store(store) as opened, _watching(progress, print_findings) as watch:
        totals = _serve(settings, opened, [watch, _print_new] if print_findings else [watch])
    log.info(
        "%s events stored, %s findings, %s rejects; %s records in %s checkpoints, %.1f s",
        *(f"{n:,}" for n in (totals.events, totals.findings, totals.rejects, totals.records, totals.checkpoints)),
        time.monotonic() - began,
    )


def _serve(settings: Settings, store: Store, watchers: list[Callable[[Checkpoint], None]]) -> Totals:
    """The service, with its errors put into words."""
    from auditor.feeds.kafka import FeedFailed, OffsetsLost
    from auditor.live import PortTaken, serve

    try:
        return serve(settings, store, watchers)
    except OffsetsLost as error:
        fail(DAMAGED, str(error))
    except (FeedFailed, PortTaken) as error:
        fail(UNAVAILABLE, str(error))


def _log_to_stderr() -> None:
    words = logging.StreamHandler(sys.stderr)
    words.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    words.addFilter(_Calm())
    logging.basicConfig(level=logging.WARNING, handlers=[words])
    logging.getLogger("auditor").setLevel(logging.INFO)


class _Calm(logging.Filter):
    """Lets each complaint of the Kafka client through once a minute: while a broker is away it has ten a second."""

    _SECONDS = 60.0

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[tuple[str, int], float] = {}  # when, by the line of code that says it

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.name.startswith("kafka"):
            return True
        record.exc_info = None  # where in the client it was noticed helps nobody
        place = (record.name, record.lineno)
        if record.created - self._said.get(place, 0.0) < self._SECONDS:
            return False
        self._said[place] = record.created
        return True


def _print_new(checkpoint: Checkpoint) -> None:
    for finding in checkpoint.new_findings:
        sys.stdout.write(finding.model_dump_json() + "\n")
    sys.stdout.flush()


# --- progress -----------------------------------------------------------------------------------------------------


@contextmanager
def _watching(progress: bool | None, printing: bool) -> Iterator[Callable[[Checkpoint], None]]:
    """Who watches the run: a line that is kept up to date on a terminal, or a log line every few seconds."""
    on_terminal = sys.stderr.isatty() and not (printing and sys.stdout.isatty())
    if progress is False:
        yield lambda _: None
    elif not (on_terminal if progress is None else progress and sys.stderr.isatty()):
        yield _Tally().log_sometimes
    else:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        tally = _Tally()
        # Rich would send what is printed on stdout to stderr, too.
        with Live(Text("waiting for events"), console=Console(stderr=True), redirect_stdout=False) as live:

            def show(checkpoint: Checkpoint) -> None:
                tally.add(checkpoint)
                live.update(Text(str(tally)))

            yield show


class _Tally:
    """The run so far, in one line."""

    def __init__(self) -> None:
        self._events = 0
        self._severities: Counter[str] = Counter()
        self._lag = 0
        self._rate = 0.0
        self._since = time.monotonic()
        self._events_then = 0

    def add(self, checkpoint: Checkpoint, every: float = 1.0) -> bool:
        """Count a checkpoint in. True when the rate was measured anew, which is done `every` so many seconds."""
        self._events += len(checkpoint.outcomes.events)
        self._severities.update(finding.severity for finding in checkpoint.new_findings)
        self._lag = sum(checkpoint.lag.values())
        elapsed = time.monotonic() - self._since
        if elapsed < every:
            return False
        self._rate = (self._events - self._events_then) / elapsed
        self._since, self._events_then = time.monotonic(), self._events
        return True

    def log_sometimes(self, checkpoint: Checkpoint) -> None:
        if self.add(checkpoint, _SAY_EVERY):
            log.info("%s", self)

    def __str__(self) -> str:
        from auditor.findings import SEVERITIES

        found = [f"{self._severities[s]:,} {s}" for s in reversed(SEVERITIES) if self._severities[s]]
        findings = ", ".join(found) or "none"
        return f"{self._events:,} events, {self._rate:,.0f}/s · findings: {findings} · lag {self._lag:,}"
