"""Open Hand History 1.4: one JSON object a hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from tests.bench.writers.play import STREETS, Hand, Step, hands_of
from tests.bench.writers.tables import Table

_NAMES = {"small_blind": "Post SB", "big_blind": "Post BB", "fold": "Fold", "check": "Check", "call": "Call",
          "bet": "Bet", "raise": "Raise", "show": "Shows Cards", "muck": "Mucks Cards"}  # fmt: skip


def text(tables: Sequence[Table]) -> str:
    hands = chain.from_iterable(hands_of(table.events) for table in tables)
    return "".join(json.dumps({"ohh": _hand(hand, number)}) + "\n\n" for number, hand in enumerate(hands, 1))


def _hand(hand: Hand, number: int) -> dict[str, Any]:
    return {
        "spec_version": "1.4.7",
        "site_name": "The Lamp",
        "network_name": "Lamplight",
        "internal_version": "1",
        "tournament": False,
        "game_number": str(number),
        "start_date_utc": f"{hand.at:%Y-%m-%dT%H:%M:%SZ}",
        "table_name": "Gent 3",
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "NL", "bet_cap": 0},
        "table_size": hand.max_seats,
        "currency": "USD",
        "dealer_seat": hand.button,
        "small_blind_amount": hand.small / 100,
        "big_blind_amount": hand.big / 100,
        "ante_amount": 0,
        "hero_player_id": next(iter(hand.holes)),
        "players": [
            {"id": seat.seat, "seat": seat.seat, "name": seat.name, "starting_stack": seat.stack / 100}
            for seat in hand.seats
        ],
        "rounds": [_round(*each) for each in enumerate(_rounds(hand))],
        "pots": _pots(hand),
    }


def _rounds(hand: Hand) -> Iterator[tuple[str, Sequence[str], list[dict[str, Any]]]]:
    """Street, cards, actions."""
    posts = [step for step in hand.steps if step.verb.endswith("_blind")]
    deals = [Step("dealt", seat, cards=cards) for seat, cards in hand.holes.items()]
    street: str = "Preflop"
    cards: Sequence[str] = ()
    actions, lying = [*map(_action, posts), *map(_action, deals)], 0
    for step in hand.steps[len(posts) :]:
        shows = step.verb in ("show", "muck") and street != "Showdown"
        if step.verb == "board" or shows:
            yield street, cards, actions
            lying += len(step.cards) if not shows else 0
            street, cards, actions = "Showdown" if shows else STREETS[lying].capitalize(), step.cards, []
            cards = () if shows else cards
        if step.verb not in ("board", "return", "win"):
            actions.append(_action(step))
    yield street, cards, actions


def _round(number: int, told: tuple[str, Sequence[str], list[dict[str, Any]]]) -> dict[str, Any]:
    street, cards, actions = told
    numbered = [{"action_number": place, **action} for place, action in enumerate(actions, 1)]
    return {"id": number, "street": street, "cards": list(cards), "actions": numbered}


def _action(step: Step) -> dict[str, Any]:
    told: dict[str, Any] = {"player_id": step.seat, "action": _NAMES.get(step.verb, "Dealt Cards")}
    if step.cards:
        return told | {"cards": list(step.cards)}
    return told | {"amount": step.amount / 100, "is_allin": step.all_in}


def _pots(hand: Hand) -> list[dict[str, Any]]:
    wins = [step for step in hand.steps if step.verb == "win"]
    return [
        {
            "number": number,
            "amount": sum(step.amount for step in wins if step.pot == number) / 100,
            "rake": 0,
            "player_wins": [
                {"player_id": step.seat, "win_amount": step.amount / 100, "contributed_rake": 0}
                for step in wins
                if step.pot == number
            ],
        }
        for number in sorted({step.pot for step in wins})
    ]
