"""What the tests of the readers share: events in a few words each, so that a hand is compared by eye."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from auditor.events import Event

Words = Mapping[str, Callable[[Any], str]]

_WORDS: Words = {
    "forced_bet_posted": lambda e: f"{e.seat} {e.kind} {e.amount}",
    "player_acted": lambda e: f"{e.seat} {e.action} {e.amount}",
    "card_dealt": lambda e: f"{e.seat} {e.card} {e.face}",
    "board_dealt": lambda e: f"{' '.join(e.cards)} board {e.board}",
    "cards_discarded": lambda e: f"{e.seat} {e.count} {' '.join(e.cards)}",
    "cards_shown": lambda e: f"{e.seat} shows {' '.join(e.cards)}",
    "cards_released": lambda e: f"{e.seat} {e.manner}",
    "chips_returned": lambda e: f"{e.seat} back {e.amount}",
    "pot_awarded": lambda e: f"{e.seat} wins {e.amount}",
    "rake_taken": lambda e: f"{e.kind} {e.amount}",
    "chips_bought": lambda e: f"{e.seat} gets {e.amount} {e.reason}",
    "chips_cashed": lambda e: f"{e.seat} gives {e.amount} {e.reason}",
}


def in_words(events: Sequence[Event], types: Sequence[str], words: Words) -> list[str]:
    """The events, or those of some types; `words` for what a format's tests say in their own way."""
    said = {**_WORDS, **words}
    return [
        said.get(e.type, lambda e: e.type)(e) + ("!" if getattr(e, "all_in", False) else "")
        for e in events
        if not types or e.type in types
    ]
