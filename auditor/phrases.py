"""Small phrases that messages share."""

from __future__ import annotations

from collections.abc import Sequence


def seats_spoken(seats: Sequence[int]) -> str:
    """`seat 3`, `seats 3 and 5`, `seats 1, 3 and 5`."""
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return "seats " + ", ".join(map(str, seats[:-1])) + f" and {seats[-1]}"
