"""PokerGFX: one session object with all hands in it, as the software exports them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from tests.bench.writers.play import Hand, clockwise, hands_of
from tests.bench.writers.tables import Table

_NAMES = {"fold": "FOLD", "check": "CHECK", "call": "CALL", "bet": "BET", "raise": "BET"}


def text(tables: Sequence[Table]) -> str:
    hands = chain.from_iterable(hands_of(table.events) for table in tables)
    session = {
        "CreatedDateTimeUTC": "2026-01-01T18:00:00.0000000Z",
        "EventTitle": "",
        "Hands": [_hand(hand, number) for number, hand in enumerate(hands, 1)],
        "ID": 638_966_318_331_324_926,
        "SoftwareVersion": "PokerGFX 3.2",
        "Type": "FEATURE_TABLE",
    }
    return json.dumps(session, indent=2)


def _hand(hand: Hand, number: int) -> dict[str, Any]:
    small, big = _blinds(hand)
    return {
        "AnteAmt": 0,
        "BetStructure": "NOLIMIT",
        "BombPotAmt": 0,
        "Description": "",
        "Duration": "PT1M",
        "Events": list(_events(hand)),
        "FlopDrawBlinds": {
            "AnteType": "BB_ANTE_BB1ST", "BigBlindAmt": hand.big, "BigBlindPlayerNum": big, "BlindLevel": 0,
            "ButtonPlayerNum": hand.button, "SmallBlindAmt": hand.small, "SmallBlindPlayerNum": small,
            "ThirdBlindAmt": 0, "ThirdBlindPlayerNum": 0,
        },
        "GameClass": "FLOP",
        "GameVariant": "HOLDEM",
        "HandNum": number,
        "NumBoards": 1,
        "Players": [
            {
                "CumulativeWinningsAmt": hand.ends[seat.seat] - seat.stack, "EliminationRank": -1,
                "EndStackAmt": hand.ends[seat.seat], "HoleCards": [_cards(hand.holes[seat.seat])], "LongName": "",
                "Name": seat.name, "PlayerNum": seat.seat, "SittingOut": False, "StartStackAmt": seat.stack,
            }
            for seat in hand.seats
        ],
        "RunItNumTimes": 1,
        "StartDateTimeUTC": f"{hand.at:%Y-%m-%dT%H:%M:%S.%f}0Z",
        "StudLimits": {"BringInAmt": 0, "BringInPlayerNum": 1, "HighLimitAmt": 0, "LowLimitAmt": 0},
    }  # fmt: skip


def _blinds(hand: Hand) -> tuple[int, int]:
    order = [each.seat for each in clockwise(hand)]
    return (order[0], order[1]) if len(order) == 2 else (order[1], order[2])


def _events(hand: Hand) -> Iterator[dict[str, Any]]:
    for step in hand.steps:
        if step.verb == "board":
            for card in step.cards:
                yield _event("BOARD CARD", BoardCards=_cards([card]))
        elif step.verb in _NAMES:
            name = "ALL IN" if step.all_in else _NAMES[step.verb]
            to = 0 if step.verb in ("fold", "check") else step.to
            yield _event(name, PlayerNum=step.seat, BetAmt=to)


def _event(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "BetAmt": 0, "BoardCards": None, "BoardNum": 0, "DateTimeUTC": None, "EventType": name, "NumCardsDrawn": 0,
        "PlayerNum": 0, "Pot": 0,
    } | fields  # fmt: skip


def _cards(cards: Sequence[str]) -> str:
    return " ".join(card.lower().replace("t", "10") for card in cards)
