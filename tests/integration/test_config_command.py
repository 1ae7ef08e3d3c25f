"""`auditor config`: what a run would be told, and by whom."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from auditor.cli.main import app
from auditor.settings.model import SETTINGS

SECRET = "correct horse battery staple"
ROOM = """
bootstrap = "kafka:9092"
store = "room.duckdb"
webhook = "https://floor.example/hook"
print_findings = true
[property]
fetch.min.bytes = 1024
"""


@pytest.fixture
def room(tmp_path: Path) -> str:
    """A file of settings."""
    path = tmp_path / "room.toml"
    path.write_text(ROOM)
    return str(path)


def config(*options: str, **variables: str) -> Result:
    return CliRunner().invoke(app, ["config", *options], env=variables)


def test_every_setting_is_shown_with_its_source(room: str) -> None:
    # given a setting of each source
    shown = config(
        "--config", room, "--group", "mine", "--format", "json", AUDITOR_BATCH_MS="100", AUDITOR_WEBHOOK_SECRET=SECRET
    )
    # then
    settings = json.loads(shown.stdout)
    assert [name.split(".")[0] for name in settings] == list(SETTINGS)
    assert settings["group"] == {"value": "mine", "from": "--group"}
    assert settings["batch_ms"] == {"value": 100, "from": "AUDITOR_BATCH_MS"}
    assert settings["print_findings"] == {"value": True, "from": f"{room}: print_findings"}
    assert settings["property.fetch.min.bytes"] == {"value": "1024", "from": f"{room}: property.fetch.min.bytes"}
    assert settings["batch_rows"] == {"value": 2000, "from": "default"}


@pytest.mark.parametrize("form", ["table", "json", "toml"])
def test_secrets_are_masked(form: str, room: str) -> None:
    shown = config("--config", room, "--format", form, AUDITOR_WEBHOOK_SECRET=SECRET)
    assert shown.exit_code == 0
    assert "webhook_secret" in shown.stdout
    assert SECRET not in shown.output


def test_the_toml_is_a_file_of_settings(room: str, tmp_path: Path) -> None:
    # given what is in force, written to a file
    again = tmp_path / "again.toml"
    options = ["--config", room, "--until-idle", "1.5", "--property", "client.rack=north"]
    again.write_text(config(*options, "--format", "toml").stdout)
    # when
    first, second = (
        json.loads(config(*each, "--format", "json").stdout) for each in (options, ["--config", str(again)])
    )
    # then
    assert {name: each["value"] for name, each in first.items()} == {
        name: each["value"] for name, each in second.items()
    }


def test_what_is_wrong_is_said_and_with_check_it_fails(room: str) -> None:
    # given a file that asks for a webhook, and no secret
    for options, code in ([], 0), (["--check"], 2):
        shown = config("--config", room, *options, AUDITOR_BATCH_MS="soon")
        # then
        assert shown.exit_code == code
        assert "AUDITOR_BATCH_MS: should be a valid integer" in shown.stderr
    assert shown.stdout == ""


def test_check_of_good_settings_says_nothing(room: str) -> None:
    shown = config("--config", room, "--check", AUDITOR_WEBHOOK_SECRET=SECRET)
    assert (shown.exit_code, shown.output) == (0, "")


def test_run_refuses_what_check_refuses(room: str) -> None:
    shown = CliRunner().invoke(app, ["run", "--config", room, "--batch-rows", "0"])
    assert shown.exit_code == 2
    assert "auditor: --batch-rows: should be greater than or equal to 1, not '0'" in shown.stderr


def test_options_are_shown_under_headings() -> None:
    shown = CliRunner().invoke(app, ["run", "--help"]).stdout
    headings = dict.fromkeys(setting.shown.panel for setting in SETTINGS.values())
    places = [shown.index(f"\n{heading}:\n") for heading in headings]
    assert places == sorted(places)
