"""What a hand came to, by its own summary, and the chips that changed hands outside the pot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.events import ChipsBought, ChipsCashed, SeatStack, Totals
from auditor.feeds.bets import Bets
from auditor.feeds.pokerstars.hand import Hand


def splash_of(hand: Hand) -> int:
    """Chips that the house put into the pot."""
    return sum(line.amount for line in hand.lines if line.verb == "splash")


def reported(hand: Hand, bets: Bets, won: Mapping[int, int], boards: int) -> Totals:
    """The summary's own totals; `won`: what the lines above it told, by seat, over so many boards (0: one)."""
    summary = hand.summary
    assert summary is not None
    pot, taken, there = summary.pot, summary.taken, bets.pot + splash_of(hand)
    if pot is not None and pot == sum(won.values()) and there == pot + taken:
        pot = there  # some programs print the pot without the rake
    stacks = []
    for seat, told in sorted(summary.seats.items()):
        before = bets.stack[seat]
        if told.won is None or told.not_awarded or before is None or (told.last and boards):
            continue
        stack = before - won[seat] + told.won
        if stack >= 0:  # less than nothing is no stack, and for another rule to find
            stacks.append(SeatStack(seat=seat, stack=stack))
    return Totals(pot=pot, rake=taken, stacks=tuple(stacks))


def settled_outside(hand: Hand) -> Iterator[tuple[type[ChipsBought] | type[ChipsCashed], dict[str, Any]]]:
    """Chips between players and the house, as events of the table: cash-outs, insurance, what was bought for later."""
    assert hand.summary is not None
    for seat, told in hand.summary.seats.items():
        if told.not_awarded and told.won:
            yield ChipsCashed, {"seat": seat, "amount": told.won, "reason": "cash_out"}
    for line in hand.lines:
        match line.verb:
            case "cashes_out":
                yield ChipsBought, {"seat": line.seat, "kind": "add_on", "amount": line.amount, "reason": "cash_out"}
            case "pays_out":
                yield ChipsCashed, {"seat": line.seat, "amount": line.amount, "reason": "cash_out"}
            case "insures":
                yield ChipsCashed, {"seat": line.seat, "amount": line.amount, "reason": "insurance"}
            case "buys":
                yield ChipsBought, {"seat": line.seat, "kind": "add_on", "amount": line.amount}
