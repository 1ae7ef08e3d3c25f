"""`auditor schema`: the contract as documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from auditor.cli.exits import FAILED_ON, USAGE, fail


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
    if folder.exists() and not folder.is_dir():
        fail(USAGE, f"{folder} is no folder")
    there = {path.name: path.read_text("utf-8") for path in folder.glob("*") if path.name in wanted or _is_ours(path)}
    differing = [name for name, text in wanted.items() if there.get(name) != text]
    superfluous = sorted(there.keys() - wanted.keys())
    if check:
        for name in (*differing, *superfluous):
            typer.echo(f"{folder / name} differs from the models", err=True)
        raise typer.Exit(FAILED_ON if differing or superfluous else 0)
    folder.mkdir(parents=True, exist_ok=True)
    for name in differing:
        (folder / name).write_text(wanted[name], "utf-8")
    for name in superfluous:
        (folder / name).unlink()
    typer.echo(f"{len(wanted)} documents in {folder}/, {len(differing)} written", err=True)


def _is_ours(path: Path) -> bool:
    """Whether an earlier version wrote it: it is a schema whose id is its own file's name. Others stay as they are."""
    if path.suffix != ".json":
        return False
    try:
        document = json.loads(path.read_bytes())
    except ValueError:
        return False
    return isinstance(document, dict) and "$schema" in document and document.get("$id") == path.name


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(schema)
