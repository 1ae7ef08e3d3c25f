"""`auditor`: the commands, composed."""

from __future__ import annotations

import sys

import typer

from auditor.cli import audit, explain, query, rules, run, schema, simulate

app = typer.Typer(
    name="auditor",
    help="Rebuild poker hands from their events, flag every irregularity, audit every ruling.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (audit, run, query, explain, rules, simulate, schema):
    command.register(app)


def main() -> None:
    """The entry point. A reader that closes the pipe early (`| head`) is no error."""
    try:
        app()
    except BrokenPipeError:
        # Python would complain once more while it flushes stdout on the way out.
        sys.stderr.close()
        sys.exit(0)


if __name__ == "__main__":
    main()
