"""The catalogue: every rule, one line each, and the plan of which checks to ask for which event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from auditor.events import Action, CardDealt, PlayerActed
from auditor.rules.betting import answer, closing, limits, reopened, size, turn
from auditor.rules.board import burns, premature, redealt, together
from auditor.rules.board import count as board_count
from auditor.rules.button import blinds, bring_in, not_corrected, wrong_button
from auditor.rules.buy import add_on, between_hands, buy_in
from auditor.rules.dead_hands import clock as hand_clock
from auditor.rules.dead_hands import count as hand_count
from auditor.rules.dead_hands import dropped, played, retrieved, thrown
from auditor.rules.deal import boxed, count, entitled, exposed, late_claim, order
from auditor.rules.deck import (
    alternated,
    backs,
    cross_read,
    duplicate,
    forfeited,
    freeroll,
    impossible,
    joker,
    missing,
    scrap,
    tags,
)
from auditor.rules.feed import clock, gone, outside
from auditor.rules.feed import order as feed_order
from auditor.rules.pot import conserved, dead_award, odd_chip, rake, side_pots, totals, twice, winner
from auditor.rules.rule import Acted, ActedOddly, Check, DealtOddly, OnceStirred, Rule
from auditor.rules.rulings import dead_hand, exposed_card, fouled, misdeal, premature_played, redeal, refund, void
from auditor.rules.shuffle import complaint, manner, prepared

# Where two rules answer the same event, the cause stands before its consequence.
_MODULES: tuple[tuple[Rule, ...], ...] = (
    duplicate.RULES,
    cross_read.RULES,
    backs.RULES,
    missing.RULES,
    scrap.RULES,
    impossible.RULES,
    tags.RULES,
    exposed.RULES,
    boxed.RULES,
    count.RULES,
    order.RULES,
    entitled.RULES,
    wrong_button.RULES,
    not_corrected.RULES,
    blinds.RULES,
    bring_in.RULES,
    premature.RULES,
    board_count.RULES,
    redealt.RULES,
    burns.RULES,
    turn.RULES,
    size.RULES,
    answer.RULES,
    reopened.RULES,
    limits.RULES,
    closing.RULES,
    joker.RULES,
    freeroll.RULES,
    late_claim.RULES,
    together.RULES,
    thrown.RULES,
    hand_count.RULES,
    hand_clock.RULES,
    retrieved.RULES,
    dropped.RULES,
    played.RULES,
    dead_hand.RULES,
    dead_award.RULES,
    exposed_card.RULES,
    misdeal.RULES,
    void.RULES,
    redeal.RULES,
    refund.RULES,
    fouled.RULES,
    premature_played.RULES,
    twice.RULES,
    conserved.RULES,
    side_pots.RULES,
    winner.RULES,
    odd_chip.RULES,
    rake.RULES,
    totals.RULES,
    forfeited.RULES,
    alternated.RULES,
    prepared.RULES,
    manner.RULES,
    complaint.RULES,
    buy_in.RULES,
    add_on.RULES,
    between_hands.RULES,
    feed_order.RULES,
    clock.RULES,
    outside.RULES,
    gone.RULES,
)

RULES: dict[str, Rule] = {rule.code: rule for rules in _MODULES for rule in rules}

Asked = tuple[tuple[Rule, Check], ...]

_ACTIONS: tuple[str, ...] = get_args(Action)


@dataclass(frozen=True, slots=True)
class Checks:
    """Which checks to ask: for each type of event, and for each kind of a player's action, in its place or oddly.

    `for_plain_card`: those for a card dealt about which nothing is odd.
    """

    by_event: dict[type[Any], Asked]
    for_plain_card: Asked
    by_action: dict[str, Asked]
    by_odd_action: dict[str, Asked]


@dataclass(frozen=True, slots=True)
class Plan:
    """The checks of a hand as long as it is quiet, and once it was stirred."""

    quiet: Checks
    stirred: Checks


NOTHING = Checks({}, (), dict.fromkeys(_ACTIONS, ()), dict.fromkeys(_ACTIONS, ()))


class Planner:
    """Says which checks to ask when, worked out once for each game and what its feed sees.

    Most events are of a few kinds, and nearly all hands are in order: what cannot matter is not asked.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._plans: dict[tuple[str, frozenset[str]], Plan] = {}

    def plan(self, game: str, observes: frozenset[str]) -> Plan:
        """The checks of the rules that apply to the game and have all that they need to see."""
        key = (game, observes)
        known = self._plans.get(key)
        if known is None:
            rules = [rule for rule in self._rules if game in rule.games and rule.observes <= observes]
            known = self._plans[key] = Plan(_checks(rules, stirred=False), _checks(rules, stirred=True))
        return known


def _checks(rules: Iterable[Rule], *, stirred: bool) -> Checks:
    by_event: dict[type[Any], list[tuple[Rule, Check]]] = {}
    plain_card: list[tuple[Rule, Check]] = []
    plain: dict[str, list[tuple[Rule, Check]]] = {action: [] for action in _ACTIONS}
    odd: dict[str, list[tuple[Rule, Check]]] = {action: [] for action in _ACTIONS}
    for rule in rules:
        for asked, check in rule.checks.items():
            if isinstance(asked, OnceStirred) and not stirred:
                continue
            event = asked.event if isinstance(asked, OnceStirred) else asked
            if isinstance(event, (ActedOddly, Acted)) or event is PlayerActed:
                for action in event.actions if isinstance(event, Acted) else _ACTIONS:
                    odd[action].append((rule, check))
                    if not isinstance(event, ActedOddly):
                        plain[action].append((rule, check))
            elif isinstance(event, DealtOddly):
                by_event.setdefault(CardDealt, []).append((rule, check))
            else:
                by_event.setdefault(event, []).append((rule, check))
                if event is CardDealt:
                    plain_card.append((rule, check))
    return Checks(_frozen(by_event), tuple(plain_card), _frozen(plain), _frozen(odd))


_Key = TypeVar("_Key")


def _frozen(checks: dict[_Key, list[tuple[Rule, Check]]]) -> dict[_Key, Asked]:
    return {key: tuple(pairs) for key, pairs in checks.items()}
