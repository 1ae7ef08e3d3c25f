"""`auditor query`."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TextIO

import typer

from auditor.cli.exits import USAGE, fail
from auditor.cli.stores import open_reader

if TYPE_CHECKING:
    from auditor.store.named import NamedQuery
    from auditor.store.reader import Answer

Format = Literal["table", "json", "jsonl", "csv", "parquet"]

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TABLE_ROWS = 500  # a table is for eyes; the other formats hold everything


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("query")(query)


def query(
    name_or_sql: Annotated[
        str | None, typer.Argument(metavar="NAME|SQL", help="A named query (see --list), or one statement of SQL.")
    ] = None,
    store: Annotated[Path | None, typer.Option(metavar="FILE", envvar="AUDITOR_STORE", help="The store.")] = None,
    param: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="A parameter; repeatable.")] = None,
    format_: Annotated[Format, typer.Option("--format", help="How to print the answer.")] = "table",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write to this file instead of stdout.")] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=0, help=f"At most so many rows, 0 for all.  [default: {_TABLE_ROWS} for a table, else all]"),
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.001, metavar="SECONDS", help="Give up after so long.")] = 60.0,
    list_: Annotated[bool, typer.Option("--list", help="Show the named queries; --format json for machines.")] = False,
) -> None:
    """Ask the store: a named query, or SQL that can only read.

    \b
    auditor query --list
    auditor query findings-by-rule --store room.duckdb
    auditor query findings --store room.duckdb --param severity=major --format csv --out findings.csv
    auditor query "SELECT rule, count(*) FROM findings GROUP BY rule" --store room.duckdb --format json

    The tables are events, hands, findings, rejects, offsets and tables, one row a thing. Times are UTC. The columns
    "at" and "offset" are reserved words of SQL and need their double quotes.

    Exit codes: 2 the call or the SQL is wrong, 3 the store is damaged, 4 another process holds it or time ran out.
    """
    if list_:
        _print_list(as_json=format_ in ("json", "jsonl"))
        return
    if not name_or_sql:
        fail(USAGE, "which query? Give its name or SQL; `auditor query --list` shows the named ones.")
    if store is None:
        fail(USAGE, "which store? Give --store FILE.")
    if format_ == "parquet" and out is None and sys.stdout.isatty():
        fail(USAGE, "Parquet is no text: give --out FILE, or redirect the output.")
    if out is not None and out.exists() and store.exists() and out.samefile(store):
        fail(USAGE, "--out is the store itself.")
    if limit is None and format_ == "table":
        limit = _TABLE_ROWS
    sql, values = _question(name_or_sql, _pairs(param or []))
    with open_reader(store) as reader:
        with _waiting():
            answer = reader.run(sql, values, limit=limit or None, timeout=timeout)
        _write(answer, format_, out)
    if answer.more:
        typer.echo(f"auditor: only the first {limit:,} rows are shown; --limit 0 shows all.", err=True)


@contextmanager
def _waiting() -> Iterator[None]:
    """A sign of life on a terminal's stderr."""
    from rich.console import Console

    with Console(stderr=True).status("asking the store"):
        yield


def _pairs(items: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals:
            fail(USAGE, f"--param {item}: NAME=VALUE is expected")
        pairs[name] = value
    return pairs


def _question(name_or_sql: str, given: dict[str, str]) -> tuple[str, dict[str, str | None]]:
    """The SQL to run and its parameters, from a name or from SQL."""
    from auditor.store.named import UnknownQuery, WrongParameter, find

    if not _NAME.fullmatch(name_or_sql):
        return name_or_sql, {**given}
    try:
        named = find(name_or_sql)
        return named.sql, named.bind(given)
    except (UnknownQuery, WrongParameter) as error:
        fail(USAGE, str(error))


def _write(answer: Answer, format_: Format, out: Path | None) -> None:
    try:
        if format_ == "parquet":
            _write_parquet(answer, out)
        elif out is None:
            _write_text(answer, format_, sys.stdout)
        else:
            with _whole(out) as whole, whole.open("w", encoding="utf-8", newline="") as file:
                _write_text(answer, format_, file)
    except OSError as error:
        if out is None:
            raise  # of stdout, every command tells in one way
        fail(USAGE, f"cannot write {out}: {error}")


def _write_text(answer: Answer, format_: Format, file: TextIO) -> None:
    from auditor.store import export

    if format_ == "json":
        export.write_json(answer, file)
    elif format_ == "jsonl":
        export.write_jsonl(answer, file)
    elif format_ == "csv":
        export.write_csv(answer, file)
    else:
        _write_table(answer, file)
    file.flush()


def _write_parquet(answer: Answer, out: Path | None) -> None:
    from auditor.store import export

    if out is not None:
        with _whole(out) as whole:
            export.write_parquet(answer, whole)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "answer.parquet")
        export.write_parquet(answer, path)
        sys.stdout.buffer.write(path.read_bytes())
        sys.stdout.buffer.flush()


@contextmanager
def _whole(out: Path) -> Iterator[Path]:
    """A file beside `out` that takes its place when all is written, so that `out` is never half an answer."""
    part = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


def _write_table(answer: Answer, file: TextIO) -> None:
    """A table that fits the terminal; in a pipe or a file plain columns, as wide as they need to be."""
    from auditor.store.export import cell

    rows = [[_printable(_to_the_second(value) or cell(value)) for value in row] for row in answer]
    numeric = [_NUMBER.match(type_) is not None for type_ in answer.types]
    if file.isatty():
        _rich_table(answer.columns, rows, numeric, file)
    else:
        _plain_table(answer.columns, rows, numeric, file)
    if not rows:
        typer.echo("auditor: no rows.", err=True)


def _rich_table(columns: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool], file: TextIO) -> None:
    """Rows side by side where they fit the terminal, and else a block for each."""

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=file)
    widest = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    least = [width if number else min(width, _WRAPS_AT) for width, number in zip(widest, numeric, strict=True)]
    if sum(least) + len(columns) > console.width:
        for number, row in enumerate(rows, start=1):
            console.rule(Text(f"row {number}"), align="left")
            block = Table.grid("name", "value", padding=(0, 2))
            for name, text in zip(columns, row, strict=True):
                block.add_row(Text(name, style="bold"), Text(text))  # Text, so that brackets in data are no markup
            console.print(block)
        return
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for name, right in zip(columns, numeric, strict=True):
        table.add_column(Text(name, style="bold"), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool], file: TextIO) -> None:
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    for row in (columns, *rows):
        cells = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, numeric, strict=True)
        ]
        file.write("  ".join(cells).rstrip() + "\n")


_NUMBER = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DOUBLE|FLOAT|DECIMAL.*)$")
_WRAPS_AT = 12  # characters of a column of text, which may wrap at any longer; a number may not
_CELL_LENGTH = 200  # characters; a raw event may be a million, and a table is for eyes
_CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


def _to_the_second(value: object) -> str:
    """A time (UTC) as eyes want it; nothing for what is no time."""
    return value.strftime("%Y-%m-%d %H:%M:%S") if isinstance(value, datetime) else ""


def _printable(text: str) -> str:
    """Text for a cell, cut, without control characters: what a feed sent must not steer the terminal."""
    short = text if len(text) <= _CELL_LENGTH else text[: _CELL_LENGTH - 1] + "…"
    return short.translate(_CONTROL)


def _print_list(*, as_json: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    from auditor.store.named import catalogue

    if as_json:
        typer.echo(json.dumps([asdict(query_) for query_ in catalogue().values()], ensure_ascii=False, indent=1))
        return
    console = Console()
    for query_ in catalogue().values():
        console.print(_entry(query_), soft_wrap=True)
    console.print(Text("A parameter is given as --param NAME=VALUE; its default is in parentheses."), soft_wrap=True)


def _entry(query_: NamedQuery) -> str:
    from rich.markup import escape

    lines = [f"[bold]{query_.name}[/bold]  {escape(query_.title)}", f"    {escape(query_.description)}"]
    lines += [f"    [dim]{escape(str(one))}[/dim]  {escape(one.meaning)}" for one in query_.parameters]
    return "\n".join(lines) + "\n"
