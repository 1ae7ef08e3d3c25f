"""Every rule's own examples: what must be flagged is, and a near-miss is not."""

from __future__ import annotations

import pytest

from auditor import audit
from auditor.rules.registry import RULES
from auditor.rules.rule import Example, Rule

CASES = [
    pytest.param(rule, example, id=f"{rule.code}-{'flags' if example.flagged else 'passes'}-{example.title}")
    for rule in RULES.values()
    for example in rule.examples()
]


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_example(rule: Rule, example: Example) -> None:
    # given the events of the example, when they are audited
    found = sorted(finding.rule for finding in audit(example.events))
    # then exactly the findings that it names come out
    expected = sorted([*example.also, *([rule.code] if example.flagged else [])])
    assert found == expected


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_every_rule_has_hits_and_near_misses(rule: Rule) -> None:
    assert any(example.flagged for example in rule.examples())
    assert any(not example.flagged for example in rule.examples())
