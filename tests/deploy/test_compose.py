"""compose.yaml: against the Compose specification's schema, and against what it starts."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
import typer.main
from deploy_kit import DEPLOY, PROMETHEUS, read, refused

from auditor.cli.main import app

COMPOSE = read(DEPLOY / "compose.yaml")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = "poker-auditor:0.1.0"
PINNED = re.compile(r"[\w./-]+:v?\d+(\.\d+)+@sha256:[0-9a-f]{64}")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def test_it_is_a_compose_file() -> None:
    schema = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run(
        [*schema, str(DEPLOY / "compose.yaml")], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("service", SERVICES)
def test_each_image_is_pinned_by_version_and_digest_or_built_here(service: str) -> None:
    image = SERVICES[service]["image"]
    if image == OURS:
        assert SERVICES[service]["build"] == {"context": "..", "dockerfile": "deploy/Dockerfile"}
    else:
        assert PINNED.fullmatch(image)


def test_what_a_service_waits_for_can_come_true() -> None:
    for name, service in SERVICES.items():
        for other, how in service.get("depends_on", {}).items():
            awaited = SERVICES[other]
            if how["condition"] == "service_healthy":
                assert "healthcheck" in awaited or awaited["image"] == OURS, f"{name}: {other} has no health check"
            else:
                assert how["condition"] == "service_completed_successfully"
                assert awaited["restart"].startswith("on-failure"), f"{name}: {other} never completes"


@pytest.mark.parametrize("service", SERVICES)
def test_each_service_that_stays_is_watched(service: str) -> None:
    stays = SERVICES[service]["restart"] == "unless-stopped"
    assert not stays or "healthcheck" in SERVICES[service] or SERVICES[service]["image"] == OURS


def test_the_auditor_is_told_what_it_understands() -> None:
    command, *options = SERVICES["auditor"]["command"]
    assert command == "run"
    assert not refused(options, SERVICES["auditor"]["environment"])


def test_the_simulator_is_told_what_it_understands() -> None:
    command, *options = SERVICES["simulator"]["command"]
    # an unknown option or a wrong value raises
    assert COMMANDS[command].make_context(command, options).params["bootstrap"] == "kafka:19092"


@pytest.mark.parametrize("service", [name for name, each in SERVICES.items() if each["image"] == OURS])
def test_our_services_may_do_little(service: str) -> None:
    assert SERVICES[service]["read_only"] is True
    assert SERVICES[service]["cap_drop"] == ["ALL"]
    assert SERVICES[service]["security_opt"] == ["no-new-privileges:true"]


def test_what_is_mounted_exists() -> None:
    for name, service in SERVICES.items():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or (DEPLOY / source).is_dir(), f"{name}: {volume}"


def test_nothing_listens_beyond_this_machine() -> None:
    assert all(port.startswith("127.0.0.1:") for service in SERVICES.values() for port in service.get("ports", []))


def test_prometheus_scrapes_the_port_that_the_image_serves() -> None:
    (job,) = read(PROMETHEUS / "prometheus.yml")["scrape_configs"]
    (port,) = re.findall(r"AUDITOR_METRICS_PORT=(\d+)", (DEPLOY / "Dockerfile").read_text("utf-8"))
    assert job["job_name"] == "auditor"
    assert job["static_configs"] == [{"targets": [f"auditor:{port}"]}]
    assert f"127.0.0.1:{port}:{port}" in SERVICES["auditor"]["ports"]


def test_both_topics_are_made_as_the_auditor_wants_them() -> None:
    (script,) = SERVICES["topics"]["command"]
    assert "for topic in poker.dealing poker.betting;" in script
    assert subprocess.run(["bash", "-n"], input=script.replace("$$", "$"), text=True, check=False).returncode == 0
