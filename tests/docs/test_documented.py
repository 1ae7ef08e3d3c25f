"""What exists is documented, and what is documented exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main

from auditor.cli.main import app
from auditor.cli.settings import CONFIG_MEANING
from auditor.events import CAPABILITIES
from auditor.feeds.formats import FORMATS
from auditor.metrics import described
from auditor.settings.model import SETTINGS, Setting
from auditor.store import named

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
RUNNING = (ROOT / "docs" / "running.md").read_text("utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"auditor {command}" in README or f"make {command}" in README


def test_every_command_that_the_readme_names_exists() -> None:
    assert set(re.findall(r"^auditor (\w+)", README, re.M)) <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_teaches(command: str) -> None:
    help_text = COMMANDS[command].help or ""
    assert f"auditor {command}" in help_text, "an example is missing"
    for parameter in COMMANDS[command].params:
        assert parameter.name == "help" or getattr(parameter, "help", None), parameter.name


def test_every_setting_of_the_service_is_documented_as_it_is() -> None:
    documented = re.findall(r"^\| `(--[\w-]+)` \| `(AUDITOR_\w+)` \| (\S+) \| (.+) \|$", RUNNING, re.M)
    assert documented == [("--config", "AUDITOR_CONFIG", "–", CONFIG_MEANING), *map(_documented, SETTINGS.values())]
    assert {option for option, *_ in documented} == {each.opts[0] for each in COMMANDS["run"].params} - {"--help"}


def _documented(setting: Setting) -> tuple[str, str, str, str]:
    default = f"`{setting.default}`" if setting.default not in (None, {}) else "–"
    if isinstance(setting.default, bool):
        default = "on" if setting.default else "off"
    variable = setting.variable + ("_FILE" if setting.shown.kind == "secret" else "")
    return setting.option, variable, "required" if setting.required else default, setting.meaning


@pytest.mark.parametrize("command", ["audit", "convert"])
def test_every_option_on_files_is_documented(command: str) -> None:
    options = {param.opts[0] for param in COMMANDS[command].params if param.opts[0].startswith("--")} - {"--help"}
    (table,) = re.findall(rf"^\| option of `auditor {command}` .*\n\|[-|]+\n((?:\|.*\n)+)", RUNNING, re.M)
    assert set(re.findall(r"^\| `(--[\w-]+)`", table, re.M)) == options


def test_every_table_of_a_store_is_documented() -> None:
    tables = re.findall(r"^CREATE TABLE (\w+)", (ROOT / "auditor" / "store" / "schema.sql").read_text("utf-8"), re.M)
    _, _, section = RUNNING.partition("## What a store holds")
    assert sorted(re.findall(r"^\| `(\w+)` \|", section, re.M)) == sorted(tables)


def test_every_format_is_documented() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "formats" / "index.md").read_text("utf-8"), re.M)
    assert sorted(listed) == sorted(FORMATS)


def test_every_metric_is_documented_as_it_is() -> None:
    documented = re.findall(r"^\| `(auditor_\w+)` \| (\w+) \| ([\w, –]+) \| (.+) \|$", RUNNING, re.M)
    assert documented == [(m.name, m.kind, ", ".join(m.labels) or "–", m.help) for m in described()]


def test_every_query_is_documented() -> None:
    assert (ROOT / "docs" / "queries.md").read_text("utf-8") == named.reference(), "make generated"


def test_the_readmes_first_event_is_one() -> None:
    from auditor.wire import parse

    (block,) = re.findall(r"```json\n(.+?)```", README, re.S)
    assert parse(block.encode()).type == "table_opened"
    assert set(re.findall(r'"(\w+)"', block.split('"observes":')[1])) <= CAPABILITIES


def test_links_lead_somewhere() -> None:
    for document in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
