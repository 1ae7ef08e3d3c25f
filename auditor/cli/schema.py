"""`auditor schema`: the contract as documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.cli.exits import FAILED_ON


def schema(
    folder: Annotated[Path, typer.Option("--out", help="Where to write them.")] = Path("schemas"),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 where a document differs.")
    ] = False,
) -> None:
    """Write the event contract: a JSON Schema (2020-12) for every event and the finding, and asyncapi.yaml.

    \b
    auditor schema            rewrites schemas/ in the current folder
    auditor schema --check    says what differs from it
    """
    from auditor.contract import documents

    wanted = documents()
    there = {path.name: path for path in folder.glob("*") if path.suffix in (".json", ".yaml")}
    differing = [n for n, text in wanted.items() if n not in there or there[n].read_text("utf-8") != text]
    superfluous = sorted(there.keys() - wanted.keys())
    if check:
        for name in (*differing, *superfluous):
            typer.echo(f"{folder / name} differs from the models", err=True)
        raise typer.Exit(FAILED_ON if differing or superfluous else 0)
    folder.mkdir(parents=True, exist_ok=True)
    for name in differing:
        (folder / name).write_text(wanted[name], "utf-8")
    for name in superfluous:
        there[name].unlink()
    typer.echo(f"{len(wanted)} documents in {folder}/, {len(differing)} written", err=True)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(schema)
