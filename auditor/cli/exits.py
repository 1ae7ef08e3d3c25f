"""What the exit codes mean, for every command."""

from __future__ import annotations

from typing import NoReturn

import typer

OK = 0
FAILED_ON = 1  # --fail-on was reached
USAGE = 2  # the call is wrong: an unknown option, a file that is not there
DAMAGED = 3  # data that cannot be read: a damaged file or store
UNAVAILABLE = 4  # something needed is not there now: a broker that does not answer, room on the disk, a held store
INTERRUPTED = 130  # Ctrl-C


def fail(code: int, words: str) -> NoReturn:
    """Say what is wrong, on stderr, and leave."""
    typer.echo(f"auditor: {words}", err=True)
    raise typer.Exit(code)
