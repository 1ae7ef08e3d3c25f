"""What a hand came to, as its lines and its summary tell it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from auditor.events import Totals
from auditor.feeds.bovada.head import Head
from auditor.feeds.bovada.lines import Line

Share = Literal["whole", "high", "low"]

_HALF = re.compile(r"\b(HI|LOW?) [$€£]?(\d[\d,]*(?:\.\d+)?)(?![\w.])")


@dataclass(frozen=True, slots=True)
class Result:
    """A hand's end, in chips. A hand that is cut off has none: `ended` is false."""

    ended: bool
    awards: tuple[Line, ...]
    board: tuple[str, ...]  # all of it; empty where the summary does not say
    pot: int  # all that was played for; 0 where nobody says
    rake: int | None  # None where nobody says
    returns_untold: bool  # a bet that nobody called may have gone back without a word
    halves: dict[str, dict[Share, int]]  # what each seat won of a split pot, by its label

    @property
    def last(self) -> Line | None:
        return self.awards[-1] if self.awards else None

    @property
    def reported(self) -> Totals | None:
        """What the summary itself says, to hold the events against."""
        return Totals(pot=self.pot, rake=self.rake) if self.pot else None

    def shares(self, line: Line, amount: int) -> Iterator[tuple[Share, int]]:
        """An award, in the halves of the pot that it is of."""
        halves = self.halves.get(line.who, {})
        lows = any("low" in each for each in self.halves.values())
        if lows and sum(halves.values()) == amount:
            yield from halves.items()
        else:
            yield "whole", amount


def result_of(head: Head, lines: Sequence[Line]) -> Result:
    """How the hand ended. Raises `BrokenHandError` where the summary holds amounts that are none."""
    total = next((line for line in lines if line.verb == "total"), None)
    board = next((line.cards for line in lines if line.verb == "whole_board"), ())
    pot = head.chips(total.amount) if total else 0
    return Result(
        ended=any(line.verb == "summary" for line in lines),
        awards=tuple(line for line in lines if line.verb == "result"),
        board=board,
        pot=pot,
        rake=head.chips(total.to) if total and total.to else None,
        returns_untold=pot > 0 and not any(line.verb == "return" for line in lines),
        halves=_halves(head, lines),
    )


def _halves(head: Head, lines: Sequence[Line]) -> dict[str, dict[Share, int]]:
    if head.game not in ("omaha_hilo", "stud_hilo"):
        return {}
    labels = sorted((seat.label for seat in head.seats), key=len, reverse=True)
    halves: dict[str, dict[Share, int]] = {}
    for line in lines:
        if line.verb != "seat":
            continue
        # Stud seats have no name but their number.
        label = next((label for label in labels if line.to.startswith(label)), line.who)
        won: dict[Share, int] = {}
        for half, amount in _HALF.findall(line.to):
            won["high" if half == "HI" else "low"] = head.chips(amount)
        halves[label] = won
    return halves
