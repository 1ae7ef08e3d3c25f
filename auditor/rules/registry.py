"""The catalogue: every rule, one line each, and the plan of which checks to ask for which event."""

from __future__ import annotations

from collections.abc import Iterable
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


class Planner:
    """Says which checks to ask for each type of event, worked out once for each game and what its feed sees."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._plans: dict[tuple[str, frozenset[str]], Plan] = {}

    def plan(self, game: str, observes: frozenset[str]) -> Plan:
        """The checks, by type of event, of the rules that apply to the game and have all that they need to see."""
        key = (game, observes)
        known = self._plans.get(key)
        if known is None:
            known = self._plans[key] = self._work_out(game, observes)
        return known

    def _work_out(self, game: str, observes: frozenset[str]) -> Plan:
        checks: dict[type[Any], list[tuple[Rule, Check]]] = {}
        for rule in self._rules:
            if game in rule.games and rule.observes <= observes:
                for event_type, check in rule.checks.items():
                    checks.setdefault(event_type, []).append((rule, check))
        return {event_type: tuple(pairs) for event_type, pairs in checks.items()}
