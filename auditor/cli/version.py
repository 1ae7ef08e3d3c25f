"""`auditor --version`."""

from __future__ import annotations

from typing import Annotated

import typer

from auditor import __version__


def register(app: typer.Typer) -> None:
    """Add the option to the application itself."""
    app.callback()(_root)


def _say(asked: bool) -> None:
    if asked:
        typer.echo(__version__)
        raise typer.Exit


def _root(
    version: Annotated[  # it is its callback that answers
        bool, typer.Option("--version", is_eager=True, callback=_say, help="Say which version this is, and leave.")
    ] = False,
) -> None:
    """Called before every command; its help is the application's."""
