"""`auditor`: the commands, composed."""

from __future__ import annotations

import os
import sys

import typer

from auditor.cli import audit, config, convert, demo, explain, query, rules, run, schema, simulate, version
from auditor.cli.exits import INTERRUPTED, OK, UNAVAILABLE

app = typer.Typer(
    name="auditor",
    help="Rebuild poker hands from their events, flag every irregularity, audit every ruling.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (audit, convert, run, config, query, explain, rules, simulate, schema, demo, version):
    command.register(app)


def main() -> None:
    """The entry point. A reader that closes the pipe early (`| head`) is no error, and Ctrl-C is no failure."""
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # what cannot be written shall be told here, not at the very end
    except BrokenPipeError:
        _let_go_of_stdout()
        sys.exit(OK)
    except OSError as error:
        _let_go_of_stdout()
        # An error of a file has its name; stdout has none.
        typer.echo(f"auditor: {'the output cannot be written: ' if error.filename is None else ''}{error}", err=True)
        sys.exit(UNAVAILABLE)
    except SystemExit as leaving:
        # Typer has caught these and leaves with 1, which here means that --fail-on was reached.
        if isinstance(leaving.__context__, BrokenPipeError):
            sys.exit(OK)
        if isinstance(leaving.__context__, typer.Abort):
            sys.exit(INTERRUPTED)
        raise


def _let_go_of_stdout() -> None:
    """Python writes what is left as it ends, and would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
