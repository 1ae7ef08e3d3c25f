"""The alerts: their own tests, what they ask of the code's metrics, and the runbook."""

from __future__ import annotations

import re
import subprocess

import pytest
from deploy_kit import PROMETHEUS, ROOT, asked, read, rules, strangers

from auditor.findings import SEVERITIES
from auditor.rules.registry import RULES

ALERTS = {rule["alert"]: rule for rule in rules("alerts.yml")}
TESTS = [test for group in read(PROMETHEUS / "alerts_test.yml")["tests"] for test in group["alert_rule_test"]]
RUNBOOK = (ROOT / "docs" / "runbook.md").read_text("utf-8")


def checked(promtool: str, *words: str) -> None:
    done = subprocess.run([promtool, *words], cwd=PROMETHEUS, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_configuration_and_the_rules_are_prometheus_own(promtool: str) -> None:
    checked(promtool, "check", "config", "prometheus.yml")


def test_the_rules_do_what_their_tests_say(promtool: str) -> None:
    checked(promtool, "test", "rules", "alerts_test.yml")


@pytest.mark.parametrize("alert", ALERTS)
def test_each_alert_is_seen_firing(alert: str) -> None:
    assert [test for test in TESTS if test["alertname"] == alert and test["exp_alerts"]]


@pytest.mark.parametrize("alert", ALERTS.values(), ids=ALERTS)
def test_each_alert_says_what_it_is_and_how_grave(alert: dict[str, dict[str, str]]) -> None:
    assert alert["labels"]["severity"] in {"critical", "warning"}
    assert alert["annotations"].keys() == {"summary", "description", "runbook_url"}
    assert all(alert["annotations"].values())


def test_each_alert_has_its_section_in_the_runbook_and_each_section_its_alert() -> None:
    sections = re.findall(r"^## (Auditor\w+)$", RUNBOOK, re.M)
    assert sections == list(ALERTS)
    for name, alert in ALERTS.items():
        assert alert["annotations"]["runbook_url"] == f"docs/runbook.md#{name.lower()}"


@pytest.mark.parametrize("section", RUNBOOK.split("\n## Auditor")[1:], ids=ALERTS)
def test_each_section_says_what_it_means_where_to_look_what_to_do_and_when_to_stop(section: str) -> None:
    headings = re.findall(r"^\*\*(.+?)\.\*\*", section, re.M)
    assert headings == ["Means", "Look at", "Do", "Stop the table"]


def test_the_rules_ask_for_what_the_code_exports() -> None:
    assert not strangers(rule["expr"] for name in ("recording.yml", "alerts.yml") for rule in rules(name))


def test_the_rules_ask_for_findings_that_there_are() -> None:
    values = [asked(alert["expr"]).values for alert in ALERTS.values()]
    assert {code for asks in values for code in asks.get("rule", ())} <= RULES.keys()
    assert {severity for asks in values for severity in asks.get("severity", ())} <= set(SEVERITIES)


def test_a_metric_that_nobody_exports_is_noticed() -> None:
    assert strangers(["sum by (seat) (auditor_cheats_total)"]) == [
        "no metric auditor_cheats_total: sum by (seat) (auditor_cheats_total)"
    ]
    assert strangers(["sum by (seat) (rate(auditor_events_total[5m]))"]) == [
        "no label seat on auditor_events_total: sum by (seat) (rate(auditor_events_total[5m]))"
    ]
