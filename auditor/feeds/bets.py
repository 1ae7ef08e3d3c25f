"""Chips of one hand while it is told: what a call costs, whose bet nobody called, whether the betting is done."""

from __future__ import annotations

from collections.abc import Mapping


class Bets:
    """The players' chips, by seat. A stack that is not known (None) never ends."""

    def __init__(self, stacks: Mapping[int, int | None]) -> None:
        self.stack = dict(stacks)
        self.street = dict.fromkeys(stacks, 0)  # in front of each player, on this street
        self.pot = 0  # everything that went in and did not come back
        self.live = set(stacks)
        self._owing = set(self.live)

    def all_in(self, seat: int) -> bool:
        """Whether nothing is left behind."""
        left = self.stack[seat]
        return left is not None and left <= 0

    @property
    def level(self) -> int:
        """The largest bet on the street."""
        return max(self.street.values())

    def to_call(self, seat: int) -> int:
        return self.level - self.street[seat]

    def within_stack(self, seat: int, amount: int) -> int:
        """As much of an amount as the seat has."""
        left = self.stack[seat]
        return amount if left is None else min(amount, max(left, 0))

    def post(self, seat: int, amount: int, *, dead: bool = False) -> None:
        """A forced bet goes in. Dead chips count for no bet."""
        self._put_in(seat, amount)
        if not dead:
            self.street[seat] += amount

    def bet(self, seat: int, amount: int) -> None:
        """Chips go in by a player's own decision, allowed or not; more than there was to call is to be answered."""
        self._owing.discard(seat)
        before = self.level
        self._put_in(seat, amount)
        self.street[seat] += amount
        if self.street[seat] > before:
            self._owing = {other for other in self.live if other != seat}

    def fold(self, seat: int) -> None:
        self.live.discard(seat)
        self._owing.discard(seat)

    def next_street(self) -> None:
        """The bets are gathered; everybody who is in the hand owes an action."""
        self.street = dict.fromkeys(self.street, 0)
        self._owing = set(self.live)

    def done(self) -> bool:
        """Whether the round of betting is complete, or no betting is possible."""
        owing = [seat for seat in self._owing if seat in self.live and not self.all_in(seat)]
        if len(self.live) <= 1 or not owing:
            return True
        # One player with chips against players who are all-in has nothing to decide, once their bets are matched.
        return self.locked() and all(self.to_call(seat) <= 0 for seat in owing)

    def locked(self) -> bool:
        """Whether at most one player still has chips to bet with."""
        return sum(not self.all_in(seat) for seat in self.live) <= 1

    def uncalled(self) -> tuple[int, int]:
        """Who bet what nobody can call any more, and how much: (seat, chips), 0 chips where there is no such bet."""
        seat = max(self.street, key=lambda each: self.street[each])
        others = [bet for other, bet in self.street.items() if other != seat]
        excess = self.street[seat] - max(others, default=0)
        answered = all(self.all_in(other) for other in self.live if other != seat)
        return seat, excess if answered else 0

    def take_back(self, seat: int, amount: int) -> None:
        """An uncalled bet goes back."""
        self.street[seat] = max(0, self.street[seat] - amount)
        self.pot -= amount
        left = self.stack[seat]
        if left is not None:
            self.stack[seat] = left + amount

    def win(self, seat: int, amount: int) -> None:
        """Chips of the pot go to a seat."""
        left = self.stack[seat]
        if left is not None:
            self.stack[seat] = left + amount

    def _put_in(self, seat: int, amount: int) -> None:
        left = self.stack[seat]
        if left is not None:
            self.stack[seat] = left - amount
        self.pot += amount
