"""The catalogue: every rule, one line each, and the plan of which checks to ask for which event."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from auditor.rules.betting import size, turn
from auditor.rules.board import burns, premature
from auditor.rules.board import count as board_count
from auditor.rules.button import wrong_button
from auditor.rules.deal import boxed, count, entitled, exposed, order
from auditor.rules.deck import backs, duplicate, missing
from auditor.rules.feed import order as feed_order
from auditor.rules.feed import outside
from auditor.rules.pot import conserved
from auditor.rules.rule import Check, Rule
from auditor.rules.rulings import misdeal, premature_played, refund

# Where two rules answer the same event, the cause stands before its consequence.
_MODULES: tuple[tuple[Rule, ...], ...] = (
    duplicate.RULES,
    backs.RULES,
    missing.RULES,
    exposed.RULES,
    boxed.RULES,
    count.RULES,
    order.RULES,
    entitled.RULES,
    wrong_button.RULES,
    premature.RULES,
    board_count.RULES,
    burns.RULES,
    turn.RULES,
    size.RULES,
    misdeal.RULES,
    refund.RULES,
    premature_played.RULES,
    conserved.RULES,
    feed_order.RULES,
    outside.RULES,
)

RULES: dict[str, Rule] = {rule.code: rule for rules in _MODULES for rule in rules}

Plan = dict[type[Any], tuple[tuple[Rule, Check], ...]]


@lru_cache(maxsize=4096)
def plan(game: str, observes: frozenset[str]) -> Plan:
    """Which checks to ask for each type of event, in a game whose feed sees this much."""
    return _plan(rule for rule in RULES.values() if game in rule.games and rule.observes <= observes)


def _plan(rules: Iterable[Rule]) -> Plan:
    checks: dict[type[Any], list[tuple[Rule, Check]]] = {}
    for rule in rules:
        for event_type, check in rule.checks.items():
            checks.setdefault(event_type, []).append((rule, check))
    return {event_type: tuple(pairs) for event_type, pairs in checks.items()}
