"""`auditor config`: what a run would be told, and by whom."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, NamedTuple

import typer

from auditor.cli.exits import USAGE
from auditor.cli.settings import Panelled, with_settings
from auditor.settings import Gathered, Settings, SettingsWrong, resolve
from auditor.settings.model import SETTINGS, Setting
from auditor.settings.sources import mistyped

_MASK = "********"

_HELP = """Show every setting of `auditor run`, and the option, variable or file that gave it. Secrets are masked.

Takes the same options as `auditor run`, reads the same variables and file, and starts nothing. What is wrong is said
on stderr, with its source.

\b
    auditor config --config room.toml
    auditor config --config room.toml --format toml > effective.toml
    AUDITOR_BATCH_MS=soon auditor config --config room.toml --check

Exit codes: 0, or 2 with --check where `auditor run` would refuse the settings.
"""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("config", help=_HELP, cls=Panelled)(with_settings(config))


def config(
    gathered: Gathered,
    format_: Annotated[Literal["table", "json", "toml"], typer.Option("--format", help="How to print them.")] = "table",
    check: Annotated[
        bool, typer.Option("--check", help="Print nothing but what is wrong; exit with 2 if anything is.")
    ] = False,
) -> None:
    """The command; its help is `_HELP`."""
    settings, problems = None, list(mistyped(os.environ))
    wrong = False
    try:
        settings = resolve(gathered)
    except SettingsWrong as refused:
        problems += refused.problems
        wrong = True
    if not check:
        _WRITERS[format_](list(_lines(gathered, settings)))
    for problem in problems:
        typer.echo(f"auditor: {problem}", err=True)
    if check and wrong:
        raise typer.Exit(USAGE)


class Line(NamedTuple):
    """One setting as it stands."""

    name: str
    value: object  # None: not set
    source: str
    meaning: str
    secret: bool = False


def _lines(gathered: Gathered, settings: Settings | None) -> Iterator[Line]:
    """Every setting; of a table, each key that was given. Where settings are wrong, values are as they were given."""
    for setting in SETTINGS.values():
        keys = [name for name in gathered.given if name.startswith(setting.name + ".")]
        for name in keys or [setting.name]:
            value = None if keys == [] and setting.shown.kind == "table" else _value(name, setting, gathered, settings)
            yield Line(name, value, _source(name, setting, gathered), setting.meaning, setting.shown.kind == "secret")


def _value(name: str, setting: Setting, gathered: Gathered, settings: Settings | None) -> object:
    if name in gathered.given and setting.shown.kind == "secret":
        return _MASK
    if settings is None or "." in name:
        return _plain(gathered.given[name].value if name in gathered.given else setting.default)
    return _plain(getattr(settings, name))


def _plain(value: object) -> object:
    """A value as JSON and TOML know it."""
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def _source(name: str, setting: Setting, gathered: Gathered) -> str:
    if name in gathered.given:
        return gathered.given[name].origin
    return "missing" if setting.required else "default"


# --- how they are printed ------------------------------------------------------------------------------------------


def _write_table(lines: Iterable[Line]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for heading in ("setting", "value", "from"):
        table.add_column(Text(heading, style="bold"), overflow="fold")
    for line in lines:
        dim = "dim" if line.source == "default" else ""
        table.add_row(Text(line.name, dim), Text("" if line.value is None else _said(line.value), dim), line.source)
    Console(file=sys.stdout).print(table)


def _said(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _write_json(lines: Iterable[Line]) -> None:
    settings = {line.name: {"value": line.value, "from": line.source} for line in lines}
    typer.echo(json.dumps(settings, ensure_ascii=False, indent=1))


def _write_toml(lines: Iterable[Line]) -> None:
    """A file for --config. What is not set, and what is secret, stands in it as a comment."""
    import tomli_w

    for line in lines:
        typer.echo(f"# {line.meaning} ({line.source})")
        if line.value is None or line.secret:
            typer.echo(f"# {line.name} = {json.dumps(line.value or '')}\n")
            continue
        table, _, key = line.name.partition(".")
        pair = tomli_w.dumps({key or table: line.value}).rstrip()
        typer.echo(f"{table}.{pair}\n" if key else f"{pair}\n")


_WRITERS = {"table": _write_table, "json": _write_json, "toml": _write_toml}
