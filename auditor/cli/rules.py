"""`auditor rules`: the catalogue."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from auditor.cli.exits import USAGE, fail


def rules(
    code: Annotated[str | None, typer.Argument(help="A rule's code or name: DCK101, duplicate-card.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, one object a rule.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="The whole reference, as docs/rules.md has it.")] = False,
    house: Annotated[bool, typer.Option("--house", help="The house rules: what the book leaves to the house.")] = False,
) -> None:
    """List the rules, or print one with its examples.

    \b
    auditor rules
    auditor rules DCK101
    auditor rules --house     what a feed may say in table_opened.house_rules, with the book's values
    """
    from auditor.catalogue import FAMILIES, in_order, page, reference
    from auditor.rules.registry import RULES

    if house:
        _print_house(as_json)
    elif code is not None:
        rule = next((r for r in RULES.values() if code.upper() in (r.code, *r.also_known_as, r.name.upper())), None)
        if rule is None:
            fail(USAGE, f"no rule is called {code}; `auditor rules` lists them")
        typer.echo(json.dumps(_plain(rule)) if as_json else "\n".join((rule.code, *page(rule))))
    elif markdown:
        typer.echo(reference(), nl=False)
    elif as_json:
        typer.echo(json.dumps([_plain(rule) for rule in in_order()], indent=1))
    else:
        family = ""
        for rule in in_order():
            if rule.family != family:
                family = rule.family
                typer.echo(f"\n{family} — {FAMILIES[family]}")
            typer.echo(f"  {rule.code:8} {rule.severity:9} {rule.name:27} {rule.what}")


def _print_house(as_json: bool) -> None:
    from auditor.house import HouseRules

    if as_json:
        typer.echo(json.dumps(HouseRules.model_json_schema(), indent=1))
        return
    for name, field in HouseRules.model_fields.items():
        typer.echo(f"  {name:24} {_default(field.default):12} {field.description}")


def _default(value: object) -> str:
    return "undeclared" if value is None else str(value)


def _plain(rule: Any) -> dict[str, Any]:
    texts = ("code", "name", "severity", "source", "what", "why", "prescribes", "prescription", "triage")
    return {
        **{name: getattr(rule, name) for name in texts},
        "false_positives": rule.false_positives,
        "observes": sorted(rule.observes),
        "games": sorted(rule.games),
        "status": rule.status,
        "since": rule.since,
    }


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(rules)
