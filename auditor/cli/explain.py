"""`auditor explain`: one finding, and the hand it was made in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def explain(
    finding: Annotated[str, typer.Argument(help="The finding's id, or its first digits.", metavar="FINDING")],
    store: Annotated[Path, typer.Option(metavar="FILE", envvar="AUDITOR_STORE", help="The DuckDB file of the audit.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="The finding, its hand's events and findings as JSON.")
    ] = False,
) -> None:
    """Tell a finding: the hand as a story, where it went wrong, the rule, the prescription, and what the table did.

    \b
    auditor explain 3f2a9c --store audit.duckdb
    """
    from auditor.cli.stores import open_reader
    from auditor.findings import Finding
    from auditor.story import account, tell
    from auditor.wire import parse

    with open_reader(store) as reader:
        found = reader.finding(finding)
        raws: list[bytes] = []
        others: list[Finding] = [found]
        if found.table_id is not None and found.hand_id is not None:
            raws = reader.events_of_hand(found.table_id, found.hand_id)
            raws = [*reader.table_opened_before(found.table_id, found.seq or 0)[-1:], *raws]
            others = reader.findings_of_hand(found.table_id, found.hand_id)
    if as_json:
        events = ",".join(raw.decode() for raw in raws)
        findings = ",".join(each.model_dump_json() for each in others)
        typer.echo(f'{{"finding":{found.model_dump_json()},"findings":[{findings}],"events":[{events}]}}')
        return
    typer.echo("\n".join(account(found)))
    if raws:
        typer.echo("\n" + "\n".join(tell([parse(raw) for raw in raws], others)))


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(explain)
