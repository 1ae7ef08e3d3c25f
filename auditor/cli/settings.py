"""The settings of the service as options of a command, made from the one model of them."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand

from auditor.settings import gather
from auditor.settings.model import SETTINGS, Setting

CONFIG_MEANING: Final = "A TOML file of settings; options and variables win over it"

_KINDS: Final[dict[str, Any]] = {"flag": bool | None, "table": list[str] | None}


class Panelled(TyperCommand):
    """A command whose options are shown under the headings that they name."""

    # typer's own panels need its coloured boxes, which no other command here has.
    def format_options(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is not None:
                panels.setdefault(getattr(option, "rich_help_panel", None) or "Options", []).append(record)
        for heading, records in panels.items():
            with formatter.section(heading):
                formatter.write_dl(records)


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes `gathered`, as one that takes `--config` and an option for every setting."""

    def from_options(**given: Any) -> None:
        config = given.pop("config")
        options = {name: given.pop(_key(setting)) for name, setting in SETTINGS.items()}
        secrets = {f"{name}_file": options.pop(name) for name, each in SETTINGS.items() if each.shown.kind == "secret"}
        command(gathered=gather(options | secrets, os.environ, config), **given)

    own = [each for name, each in inspect.signature(command, eval_str=True).parameters.items() if name != "gathered"]
    parameters = [*own, _config(), *map(_parameter, SETTINGS.values())]
    # What typer reads; it takes nothing from a function's body.
    from_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    from_options.__annotations__ = {each.name: each.annotation for each in parameters}
    from_options.__name__ = command.__name__
    from_options.__doc__ = command.__doc__
    return from_options


def _config() -> Parameter:
    option = typer.Option(metavar="FILE", help=f"{CONFIG_MEANING}  [AUDITOR_CONFIG]")
    return Parameter("config", Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[Path | None, option])


def _parameter(setting: Setting) -> Parameter:
    names = [setting.option]
    if setting.shown.kind == "flag":
        names[0] += "/--no-" + setting.option.removeprefix("--")
    option = typer.Option(
        *names,
        metavar=setting.shown.metavar or None,
        help=_help(setting),
        rich_help_panel=setting.shown.panel,
        show_default=False,
    )
    kind = _KINDS.get(setting.shown.kind, str | None)
    return Parameter(_key(setting), Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, option])


def _key(setting: Setting) -> str:
    """The parameter's name, as click makes it from the option's."""
    return setting.option.removeprefix("--").replace("-", "_")


def _help(setting: Setting) -> str:
    notes = [setting.variable + ("_FILE" if setting.shown.kind == "secret" else "")]
    if setting.required:
        notes.append("required")
    elif setting.shown.kind != "flag" and setting.default not in (None, {}):
        notes.append(f"default: {setting.default}")
    meaning = f"A file with {setting.meaning[0].lower()}{setting.meaning[1:]}" if notes[0].endswith("_FILE") else ""
    return f"{meaning or setting.meaning}  [{'; '.join(notes)}]"
