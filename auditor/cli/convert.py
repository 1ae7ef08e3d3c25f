"""`auditor convert`: hand histories in, events of the contract out; or back to PHH."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from auditor.cli.exits import DAMAGED, USAGE, fail

if TYPE_CHECKING:
    from auditor.events import Event, TableOpened
    from auditor.feeds.files import FileFeed
    from auditor.findings import Reject
    from auditor.intake import Record


class Target(StrEnum):
    """What to convert to."""

    JSONL = "jsonl"
    PHH = "phh"


def convert(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="Files or folders of hand histories; - for stdin.")
    ] = None,
    source_format: Annotated[
        str | None,
        typer.Option("--from", help="The format, where the content is not to decide; see --formats.", metavar="FORMAT"),
    ] = None,
    to: Annotated[Target, typer.Option(help="Events as JSON Lines, or hands as PHH.")] = Target.JSONL,
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - for stdout.")] = "-",
    rejects: Annotated[
        Path | None, typer.Option(help="Also write what could not be read here, as JSON Lines.", metavar="FILE")
    ] = None,
    pseudonymise: Annotated[
        Path | None, typer.Option(metavar="KEYFILE", help="Replace players' names by a hash under this key.")
    ] = None,
    new_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Make a key for --pseudonymise; then stop.")
    ] = None,
    formats: Annotated[bool, typer.Option("--formats", help="List the formats that are read; then stop.")] = False,
    progress: Annotated[bool, typer.Option(help="Show progress on stderr, where it is a terminal.")] = True,
) -> None:
    """Turn hand histories into events of the contract, with nothing lost that the contract can hold.

    The result goes to stdout or a file; words, and every hand that could not be read, to stderr. What PHH has no word
    for (`--to phh`) is counted there too.

    \b
    auditor convert ~/hands > hands.jsonl
    auditor convert session.txt -o session.jsonl --rejects bad.jsonl
    auditor convert --new-key names.key
    auditor convert session.json --to phh --pseudonymise names.key -o session.phhs

    Exit codes: 0 converted, hands that could not be read included; 2 wrong call; 3 a file is damaged or of no known
    format.
    """
    if formats:
        _list_formats()
        return
    if new_key is not None:
        _make_key(new_key)
        return
    if not paths:
        fail(USAGE, "no file: `auditor convert FILE...`, or `--help`")
    feed = opened(paths, source_format, pseudonymise)
    with ExitStack() as stack:
        out = stack.enter_context(_target(output))
        quarantine = _Quarantine(stack.enter_context(_target(str(rejects))) if rejects is not None else None)
        stack.enter_context(_shown(feed, progress and output != "-"))
        told = _as_phh(quarantine.without(feed), out) if to is Target.PHH else _as_lines(quarantine.without(feed), out)
    typer.echo(f"{told}; {quarantine.count:,} could not be read" if quarantine.count else told, err=True)
    if feed.damaged:
        raise typer.Exit(DAMAGED)


def opened(paths: list[str], source_format: str | None, key_file: Path | None) -> FileFeed:
    """The feed that a command was asked for; leaves with a plain word where there is none."""
    from auditor.feeds.files import open_feed
    from auditor.feeds.pseudonyms import KeyRefusedError, Pseudonyms

    if "" in paths:
        fail(USAGE, "a file's name is empty: a variable of the shell that was not set?")
    try:
        return open_feed(paths, source_format, None if key_file is None else Pseudonyms.from_file(key_file))
    except KeyRefusedError as refused:
        fail(USAGE, f"--pseudonymise: {refused}")
    except (OSError, ValueError) as error:
        fail(USAGE, str(error))


def _list_formats() -> None:
    from auditor.feeds.formats import FORMATS

    for each in FORMATS.values():
        typer.echo(f"{each.name:12} {each.title}")


def _make_key(path: Path) -> None:
    from auditor.feeds.pseudonyms import new_key

    try:
        new_key(path)
    except OSError as error:
        fail(USAGE, f"{path}: {error.strerror}")
    typer.echo(
        f"{path}: a new key; without it no pseudonym can be made again, with it every name can be tried", err=True
    )


def _target(name: str) -> AbstractContextManager[BinaryIO]:
    if name == "-":
        return nullcontext(sys.stdout.buffer)
    try:
        return Path(name).open("wb")
    except OSError as error:
        fail(USAGE, f"{name} cannot be written: {error.strerror}")


def _shown(feed: FileFeed, wanted: bool) -> AbstractContextManager[None]:
    from auditor.cli.progress import bytes_read, on_terminal

    return bytes_read(feed) if wanted and on_terminal() else nullcontext()


class _Quarantine:
    """What could not be read: said on stderr, and written as JSON Lines where asked for."""

    def __init__(self, file: BinaryIO | None) -> None:
        self.count = 0
        self._file = file

    def without(self, feed: Iterable[Record | Reject]) -> Iterator[tuple[Record, Event]]:
        """The events of the feed; the rest stays here."""
        from auditor.findings import Reject
        from auditor.wire import EventRefused, parse

        for item in feed:
            if isinstance(item, Reject):
                self.take(item)
                continue
            try:
                event = parse(item.raw)
            except EventRefused as refused:
                source, partition, offset = item.source, item.partition, item.offset
                self.take(Reject(source=source, partition=partition, offset=offset, raw=item.raw, reason=str(refused)))
                continue
            yield item, event

    def take(self, reject: Reject) -> None:
        self.count += 1
        typer.echo(f"auditor: {reject.source}, {reject.reason}", err=True)
        if self._file is not None:
            text = reject.model_copy(update={"raw": reject.raw.decode(errors="replace").encode()})
            self._file.write(text.model_dump_json().encode() + b"\n")


def _as_lines(events: Iterable[tuple[Record, Event]], out: BinaryIO) -> str:
    count = hands = 0
    for item, event in events:
        out.write(item.raw + b"\n")
        count += 1
        hands += event.type == "hand_started"
    return f"{hands:,} hands, {count:,} events"


def _as_phh(events: Iterable[tuple[Record, Event]], out: BinaryIO) -> str:
    from auditor.feeds.phh.write import Hands, NotInPhhError, sections

    hands, written, refused = Hands(), 0, 0
    lost: Counter[str] = Counter()
    for each in sections(_whole(hands.take, hands.rest, events)):
        if isinstance(each, NotInPhhError):
            refused += 1
            typer.echo(f"auditor: a hand is left out: {each}", err=True)
            continue
        out.write(each.text.encode() + b"\n")
        lost.update(each.lost)
        written += 1
    lost.update(hands.outside)
    words = [f"{written:,} hands"]
    if refused:
        words.append(f"{refused:,} left out")
    if lost:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(lost.items()))
        words.append(f"PHH has no word for {kinds}")
    return "; ".join(words)


def _whole(
    take: Callable[[Event], Iterable[tuple[TableOpened, list[Event]]]],
    rest: Callable[[], Iterable[tuple[TableOpened, list[Event]]]],
    events: Iterable[tuple[Record, Event]],
) -> Iterator[tuple[TableOpened, list[Event]]]:
    for _, event in events:
        yield from take(event)
    yield from rest()


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(convert)
