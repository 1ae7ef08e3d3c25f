"""The simulator against the rules: what it did wrong on purpose is found, and nothing else is."""

from __future__ import annotations

from collections import Counter

import pytest

from auditor import Audit, Finding
from auditor.intake import Record
from auditor.simulate import MISTAKES, Truth, play


def audited(lines: list[bytes]) -> list[Finding]:
    core = Audit()
    core.take_all(Record(line, "room", 0, number) for number, line in enumerate(lines))
    core.finish()
    return list(core.drain().findings.values())


@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("betting", ["no_limit", "pot_limit", "limit"])
def test_legal_hands_give_no_finding(seed: int, betting: str) -> None:
    found = audited(list(play(tables=6, hands=60, seed=seed, betting=betting)))  # type: ignore[arg-type]
    assert found == []


@pytest.mark.parametrize("seed", [21, 22, 23])
def test_what_was_done_wrong_is_found_and_nothing_else(seed: int) -> None:
    # given a room where every other hand goes wrong
    truths: list[Truth] = []
    lines = list(play(tables=8, hands=100, mistakes=0.5, seed=seed, tell=truths.append))
    # when it is audited
    found = audited(lines)
    # then the findings are the mistakes, hand by hand; a broken line names no hand and is counted
    told = Counter((t.rule, t.table_id, t.hand_id) for t in truths if t.rule != "FEED108")
    assert Counter((f.rule, f.table_id, f.hand_id) for f in found if f.rule != "FEED108") == told
    assert sum(f.rule == "FEED108" for f in found) == sum(t.rule == "FEED108" for t in truths)


def test_the_table_is_judged_as_it_acted() -> None:
    # given mistakes that the table handled in ways of which the truth is certain
    truths: list[Truth] = []
    lines = list(play(tables=8, hands=150, mistakes=0.6, seed=31, tell=truths.append))
    found = {(f.rule, f.table_id, f.hand_id): f for f in audited(lines)}
    # then what was prescribed, and whether it was done, is said as it was
    for truth in truths:
        if truth.rule != "FEED108":
            finding = found[truth.rule, truth.table_id, truth.hand_id]
            assert truth.handled in (None, finding.handled), truth
            assert truth.prescribed in (None, finding.prescribed), truth


def test_every_kind_of_mistake_is_made_somewhere() -> None:
    truths: list[Truth] = []
    for _ in play(tables=11, hands=200, mistakes=0.9, seed=41, tell=truths.append):
        pass
    # and some bring others with them: a card that was kept, a dead hand that won
    assert {truth.rule for truth in truths} >= set(MISTAKES)
