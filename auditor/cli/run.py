"""`auditor run`: audit two Kafka topics live, into a store."""

from __future__ import annotations

import logging
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer

from auditor.cli.exits import DAMAGED, UNAVAILABLE, USAGE, fail
from auditor.cli.outlets import Outlets, open_outlets
from auditor.cli.settings import Panelled, with_settings
from auditor.cli.stores import open_live_store
from auditor.settings import Gathered, Settings, SettingsWrong, resolve

if TYPE_CHECKING:
    from auditor import live
    from auditor.live import Checkpoint, Totals, Watcher
    from auditor.store.writer import Store

log = logging.getLogger("auditor.run")

_SAY_EVERY = 5.0  # seconds between two lines of progress where nobody watches a terminal

_HELP = """Audit two Kafka topics as the hands are dealt, into a store.

Every event is stored exactly once, however often the process is stopped or killed: a start goes on where the
store left off. Stop it with Ctrl-C or SIGTERM; it commits what it has and leaves.

Every setting can come from an option, a variable (in brackets below) or a file; in this order, the first wins.
`auditor config` shows what a run would be told, and by whom.

Example, with metrics, with findings on stdout, and the grave ones to a webhook:

\b
    auditor run --bootstrap localhost:9092 --store room.duckdb --metrics-port 9108 --print-findings
    auditor run --config room.toml --webhook https://floor.example/hook --webhook-secret-file hook.key \\
        --webhook-minimum major

Exit codes: 0 stopped or idle, 2 wrong usage or settings, a broker that does not let us in, or a file that is no
store, 3 the store is damaged or the topics lost events that were not audited yet, 4 no broker, no topic, no room on
the disk, or a store that another process holds.
"""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("run", help=_HELP, cls=Panelled)(with_settings(run))


def run(gathered: Gathered) -> None:
    """The command; its help is `_HELP`, its options are the settings."""
    try:
        settings = resolve(gathered)
    except SettingsWrong as wrong:
        refuse(wrong.problems)
    _log_to_stderr()
    log.info(
        "reading %s and %s from %s into %s",
        settings.dealing_topic, settings.betting_topic, settings.bootstrap, settings.store,
    )  # fmt: skip
    began = time.monotonic()
    with (
        open_live_store(settings.store, rebuild=settings.rebuild) as opened,
        open_outlets(settings) as outlets,
        _watching(settings.progress, settings.print_findings) as watch,
    ):
        totals = _serve(_told(settings), opened, watch, outlets)
    log.info(
        "%s events stored, %s findings, %s rejects; %s records in %s checkpoints, %.1f s",
        *(f"{n:,}" for n in (totals.events, totals.findings, totals.rejects, totals.records, totals.checkpoints)),
        time.monotonic() - began,
    )


def refuse(problems: Sequence[str]) -> NoReturn:
    """Leave, with every setting that is wrong on a line of its own."""
    fail(USAGE, "\nauditor: ".join(problems))


def _told(settings: Settings) -> live.Settings:
    """What the service is told."""
    from auditor.feeds.connection import KafkaSettings
    from auditor.live import Pace
    from auditor.live import Settings as Told
    from auditor.settings.cluster import cluster_of

    cluster = cluster_of(settings)
    return Told(
        kafka=KafkaSettings(
            settings.bootstrap,
            (settings.dealing_topic, settings.betting_topic),
            None if settings.assign == "all" else settings.group,
            client_id=cluster.client_id,
            tls=cluster.tls,
            sasl=cluster.sasl,
            properties=settings.property,
            tables_topic=settings.tables_topic,
        ),
        pace=Pace(settings.batch_rows, settings.batch_ms / 1000, settings.until_idle),
        metrics_port=settings.metrics_port,
        rebuild=settings.rebuild,
    )


def _serve(told: live.Settings, store: Store, watch: Watcher, outlets: Outlets) -> Totals:
    """The service, with its errors put into words."""
    from auditor.feeds.connection import AccessRefused, FeedFailed, OffsetsLost
    from auditor.live import PortTaken, serve

    try:
        return serve(told, store, [watch], outlets.publishers, outlets.dead_letters)
    except OffsetsLost as error:
        fail(DAMAGED, str(error))
    except AccessRefused as error:
        fail(USAGE, str(error))
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
