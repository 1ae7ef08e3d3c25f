"""`auditor simulate`: a card room that deals legal hands and makes mistakes on purpose."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from auditor.cli.exits import UNAVAILABLE, USAGE, fail
from auditor.cli.progress import on_terminal
from auditor.events import TOPICS

if TYPE_CHECKING:
    from auditor.simulate import Line, Truth

_STDOUT = "-"
_HAND = b'{"type":"hand_started"'

_HELP = """Deal hold'em hands at many tables, with every event that a full feed would carry, and make mistakes.

The hands are legal; with --mistakes some of them have one irregularity each, and --truth tells which. The same seed
gives the same bytes.

Example: a room of four tables where one hand in fifty goes wrong, then its audit.

\b
    auditor simulate --tables 4 --hands 250 --mistakes 0.02 --truth truth.jsonl --out room.jsonl.zst
    auditor audit room.jsonl.zst

Example: live, over both topics, at 500 events a second.

\b
    auditor simulate --tables 8 --hands 1000 --mistakes 0.02 --bootstrap localhost:9092 --rate 500

Exit codes: 0 done, 2 wrong usage, 4 no broker, or the extra `simulate` is not installed.
"""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("simulate", help=_HELP)(simulate)


def simulate(
    tables: Annotated[int, typer.Option(min=1, help="Tables that play at once.")] = 1,
    hands: Annotated[int, typer.Option(min=1, help="Hands at each table; redeals come on top.")] = 100,
    mistakes: Annotated[float, typer.Option(min=0, max=1, metavar="RATE", help="Chance of a hand to go wrong.")] = 0.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    kinds: Annotated[
        str | None,
        typer.Option(metavar="CODES", help="Only these kinds, such as DCK101,DEAL105. Default: every kind."),
    ] = None,
    players: Annotated[str, typer.Option(metavar="N-M", help="Players at a table, least and most.")] = "2-10",
    betting: Annotated[
        Literal["no_limit", "pot_limit", "limit"] | None,
        typer.Option(help="The betting of every table. Default: each table has its own."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Where the events go; .gz and .zst are compressed. Default: stdout."),
    ] = None,
    truth: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where the truth about the mistakes goes, a line of JSON each.")
    ] = None,
    bootstrap: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Send to Kafka, instead of to a file."),
    ] = None,
    rate: Annotated[float, typer.Option(min=0, help="Events a second. 0: as fast as possible.")] = 0.0,
    partitions: Annotated[int, typer.Option(min=1, help="Partitions of a topic that has to be made.")] = 4,
    opens: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="When the room opens: an RFC 3339 time, or `now`. Default: an evening of January 2026."
        ),
    ] = None,
    dealing_topic: Annotated[str, typer.Option(help="Deck, dealing and officiating events.")] = "poker.dealing",
    betting_topic: Annotated[str, typer.Option(help="The chips.")] = "poker.betting",
) -> None:
    """The command; its help is `_HELP`."""
    if bootstrap is not None and out is not None:
        fail(USAGE, "--out and --bootstrap: the events go to one of them")
    if bootstrap is None and (out or _STDOUT) == truth:
        fail(USAGE, f"the events and the truth cannot both go to {truth}")
    try:
        from auditor.simulate import OPENS, open_room
        from auditor.simulate.pace import paced
    except ModuleNotFoundError as error:
        fail(UNAVAILABLE, f"{error.name} is not installed: pip install 'poker-hand-auditor[simulate]' brings it")
    tally = _Tally()
    try:
        room = open_room(
            tables, hands, mistakes, seed, _codes(kinds), _range(players), betting, tally.tell, _time(opens) or OPENS
        )
    except ValueError as error:
        fail(USAGE, str(error))
    with ExitStack() as stack:
        write_truth = _writer(stack, truth) if truth else None
        if bootstrap is None:
            send = _raw_writer(stack, out or _STDOUT)
        else:
            send = _kafka(stack, bootstrap, partitions, (dealing_topic, betting_topic))
        for line in _watched(paced(room, rate), tally, tables * hands):
            send(line)
            tally.hand_over(write_truth)
        tally.hand_over(write_truth)
    typer.echo(tally.words(), err=True)


class _Tally:
    """What was dealt so far, and the truths that are not written yet."""

    def __init__(self) -> None:
        self.events = 0
        self.hands = 0
        self._mistakes = 0
        self._untold: list[Truth] = []
        self._began = time.monotonic()

    def count(self, line: Line) -> None:
        self.events += 1
        self.hands += line.raw.startswith(_HAND)

    def tell(self, truth: Truth) -> None:
        self._mistakes += 1
        self._untold.append(truth)

    def hand_over(self, write: Callable[[bytes], object] | None) -> None:
        """Write the truths that came since the last time."""
        for truth in self._untold:
            if write is not None:
                write(truth.line())
        self._untold.clear()

    def words(self) -> str:
        seconds = time.monotonic() - self._began
        return f"{self.events:,} events of {self.hands:,} hands, {self._mistakes:,} irregularities, {seconds:.1f} s"


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    if text == "now":
        return datetime.now(UTC)
    try:
        opens = datetime.fromisoformat(text)
    except ValueError:
        fail(USAGE, f"--opens {text}: a time such as 2026-01-01T18:00:00Z, or now")
    return opens.astimezone(UTC)


def _codes(kinds: str | None) -> list[str] | None:
    return None if kinds is None else [code.strip().upper() for code in kinds.split(",") if code.strip()]


def _range(players: str) -> tuple[int, int]:
    least, _, most = players.partition("-")
    try:
        return int(least), int(most or least)
    except ValueError:
        fail(USAGE, f"--players {players}: a number, or two with a dash between them, such as 2-10")


def _writer(stack: ExitStack, name: str) -> Callable[[bytes], object]:
    from auditor.simulate.files import open_lines

    try:
        file = stack.enter_context(open_lines(name))
    except OSError as error:
        fail(USAGE, f"cannot write {name}: {error.strerror}")
    return lambda line: file.write(line + b"\n")


def _raw_writer(stack: ExitStack, name: str) -> Callable[[Line], object]:
    write = _writer(stack, name)
    return lambda line: write(line.raw)


def _kafka(stack: ExitStack, bootstrap: str, partitions: int, topics: tuple[str, str]) -> Callable[[Line], object]:
    from auditor.simulate.sink import KafkaSink, SinkFailed

    @contextmanager
    def failures_in_words() -> Iterator[None]:
        try:
            yield
        except SinkFailed as failed:
            fail(UNAVAILABLE, str(failed))

    stack.enter_context(failures_in_words())
    names = dict(zip(TOPICS, topics, strict=True))
    return stack.enter_context(KafkaSink(bootstrap, partitions, names)).send


def _watched(lines: Iterable[Line], tally: _Tally, hands: int) -> Iterator[Line]:
    """Count the lines, and show the progress where somebody looks at stderr."""
    if not on_terminal():
        for line in lines:
            tally.count(line)
            yield line
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.completed:,.0f} of {task.total:,.0f} hands"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("simulate", total=hands)
        for line in lines:
            tally.count(line)
            progress.update(task, completed=min(tally.hands, hands), refresh=False)
            yield line
