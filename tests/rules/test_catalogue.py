"""The catalogue's own linter, and the pages that are generated from it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from auditor.catalogue import FAMILIES, reference
from auditor.events import CAPABILITIES
from auditor.findings import SEVERITIES
from auditor.games import ALL_GAMES
from auditor.rules import registry
from auditor.rules.registry import RULES
from auditor.rules.rule import Rule

ROOT = Path(__file__).parents[2]
EACH = pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())


def test_codes_and_names_are_unique() -> None:
    listed = [rule for rules in registry._MODULES for rule in rules]
    names = [rule.name for rule in listed]
    codes = [code for rule in listed for code in (rule.code, *rule.also_known_as)]
    assert len(set(codes)) == len(codes)
    assert len(set(names)) == len(names)


@EACH
def test_every_heading_is_filled(rule: Rule) -> None:
    assert re.fullmatch(r"[A-Z]{3,4}\d{3}", rule.code)
    assert rule.family in FAMILIES
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert rule.severity in SEVERITIES
    for text in (rule.what, rule.why, rule.prescription, rule.triage, rule.false_positives):
        assert text.endswith((".", "?", "`."))
    assert rule.source == "+" or re.search(r"[Ss]eed [ABC]", rule.source)


@EACH
def test_what_a_rule_needs_exists(rule: Rule) -> None:
    assert rule.observes <= CAPABILITIES
    assert rule.games
    assert rule.games <= ALL_GAMES


def test_the_reference_is_the_one_in_the_docs() -> None:
    written = (ROOT / "docs" / "rules.md").read_text("utf-8")
    assert written == reference(), "docs/rules.md is behind the rules: make generated"
