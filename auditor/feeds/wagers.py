"""What a wager is called: some formats name it loosely, or not at all, and its chips say what it is."""

from __future__ import annotations

from auditor.feeds.bets import Bets


def named(bets: Bets, seat: int, amount: int, *, big_blind: int = 0, bring_in_only: bool = False) -> str:
    """The contract's word for chips that a seat adds to its bet.

    `big_blind`: before the flop, what a call makes the bet though nobody has so much in: its player may have had less.
    `bring_in_only`: stud before anybody has completed the bring-in.
    """
    more = bets.street[seat] + amount - max(bets.level, big_blind)
    if more <= 0:
        return "call" if amount else "check"
    if not bets.level:
        return "bet"
    return "complete" if bring_in_only else "raise"
