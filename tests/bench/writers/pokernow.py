"""PokerNow: the log of a table as CSV, the newest row first; one log a table, one behind the other."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from auditor.events import (
    ChipsBought,
    ChipsCashed,
    Event,
    HandEnded,
    HandStarted,
    PlayerLeft,
    PlayerReturned,
    PlayerSatOut,
    PlayerSeated,
)
from tests.bench.writers.play import STREETS, Hand, Step, hands_of, money
from tests.bench.writers.tables import Table

_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_POSTS = {"small_blind": "small blind", "big_blind": "big blind"}


def text(tables: Sequence[Table]) -> str:
    return "".join(map(_log, tables))


def _log(table: Table) -> str:
    rows = list(_Log(table.events).rows())
    first = int(rows[0][1].timestamp() * 100_000)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("entry", "at", "order"))
    for number, (entry, at) in reversed(list(enumerate(rows, first))):
        writer.writerow((entry, f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z", number))
    return out.getvalue()


class _Log:
    """One table's log in the making, the oldest row first."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._hands = hands_of(events)
        self._names: dict[int, str] = {}
        self._stacks: Counter[int] = Counter()

    def rows(self) -> Iterator[tuple[str, datetime]]:
        for event in self._events:
            if isinstance(event, HandStarted):
                hand = next(self._hands)
                for entry in self._hand(hand):
                    yield entry, event.at
                self._stacks.update({each.seat: hand.ends[each.seat] - each.stack for each in hand.seats})
            elif event.hand_id is None:
                for entry in self._between(event):
                    yield entry, event.at
            elif isinstance(event, HandEnded):
                yield f"-- ending hand #{hand.number} --", event.at

    def _between(self, event: Event) -> Iterator[str]:
        match event:
            case PlayerSeated():
                self._names[event.seat] = f'"{event.player_id} @ x{event.player_id}"'
                self._stacks[event.seat] = 0
            case ChipsBought():
                joins = event.seat not in self._joined()
                self._stacks[event.seat] += event.amount
                stack = money(self._stacks[event.seat])
                who = self._names[event.seat]
                yield f"The player {who} " + (
                    f"joined the game with a stack of {stack}." if joins else f"rebought. New stack {stack}."
                )
            case ChipsCashed():
                pass  # who takes chips away leaves
            case PlayerLeft():
                yield f"The player {self._names[event.seat]} quits the game with a stack of {self._left(event.seat)}."
            case PlayerSatOut():
                yield f"The player {self._names[event.seat]} stand up with the stack of {self._left(event.seat)}."
            case PlayerReturned():
                yield f"The player {self._names[event.seat]} sit back with the stack of {self._left(event.seat)}."

    def _joined(self) -> set[int]:
        return {seat for seat, stack in self._stacks.items() if stack}

    def _left(self, seat: int) -> str:
        return money(self._stacks[seat])

    def _hand(self, hand: Hand) -> Iterator[str]:
        dealer = self._names[hand.button]
        yield f"-- starting hand #{hand.number} (id: h{hand.number})  No Limit Texas Hold'em (dealer: {dealer}) --"
        stacks = (f"#{each.seat} {self._names[each.seat]} ({money(each.stack)})" for each in hand.seats)
        yield f"Player stacks: {' | '.join(stacks)}"
        lying: list[str] = []
        for step in hand.steps:
            if step.verb == "board":
                yield _board(lying, step.cards)
                lying += step.cards
            elif step.verb == "return":
                yield f"Uncalled bet of {money(step.amount)} returned to {self._names[step.seat]}"
            elif step.verb != "muck":
                yield f"{self._names[step.seat]} {_deed(step)}"


def _deed(step: Step) -> str:
    end = " and go all in" if step.all_in else ""
    match step.verb:
        case "small_blind" | "big_blind":
            return f"posts a {_POSTS[step.verb]} of {money(step.amount)}"
        case "call" | "bet":
            return f"{step.verb}s {money(step.to)}{end}"
        case "raise":
            return f"raises to {money(step.to)}{end}"
        case "show":
            return f"shows a {_cards(step.cards)}."
        case "win":
            return f"collected {money(step.amount)} from pot"
        case verb:
            return f"{verb}s"


def _board(lying: Sequence[str], cards: Sequence[str]) -> str:
    street = STREETS[len(lying) + len(cards)].capitalize()
    return f"{street}: {_cards(lying)} [{_cards(cards)}]"


def _cards(cards: Sequence[str]) -> str:
    return ", ".join(card[0].replace("T", "10") + _SUITS[card[1]] for card in cards)
