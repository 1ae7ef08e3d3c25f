"""Chips of one hand while it is told: what a call costs, whose bet nobody called, whether the betting is done.

Amounts follow the notation: a call matches the largest bet on the street or goes as far as the stack does.
"""

from __future__ import annotations

from collections.abc import Sequence


class Bets:
    """The players' chips, by index. A stack that is not known (None) never ends."""

    def __init__(self, stacks: Sequence[int | None]) -> None:
        self.stack = list(stacks)
        self.street = [0] * len(stacks)  # in front of each player, on this street
        self.pot = 0  # everything that went in and did not come back
        self.live = set(range(len(stacks)))
        self._owing = set(self.live)

    def all_in(self, player: int) -> bool:
        """Whether nothing is left behind."""
        left = self.stack[player]
        return left is not None and left <= 0

    def to_call(self, player: int) -> int:
        return max(self.street) - self.street[player]

    def post(self, player: int, amount: int, *, dead: bool = False) -> int:
        """A forced bet goes in as far as the stack allows; the chips that did. Dead chips count for no bet."""
        return self._put_in(player, self._within_stack(player, amount), dead=dead)

    def call(self, player: int) -> int:
        """A check or a call; the chips that went in."""
        self._owing.discard(player)
        return self._put_in(player, self._within_stack(player, self.to_call(player)))

    def raise_to(self, player: int, level: int) -> int:
        """A bet, a raise or a completion to `level`, allowed or not; the chips that went in."""
        added = self._put_in(player, level - self.street[player])
        self._owing = {other for other in self.live if other != player}
        return added

    def fold(self, player: int) -> None:
        self.live.discard(player)
        self._owing.discard(player)

    def next_street(self) -> None:
        """The bets are gathered; everybody who is in the hand owes an action."""
        self.street = [0] * len(self.street)
        self._owing = set(self.live)

    def done(self) -> bool:
        """Whether the round of betting is complete, or no betting is possible."""
        owing = [player for player in self._owing if player in self.live and not self.all_in(player)]
        if len(self.live) <= 1 or not owing:
            return True
        # One player with chips against players who are all-in has nothing to decide, once their bets are matched.
        return self.locked() and all(self.to_call(player) <= 0 for player in owing)

    def locked(self) -> bool:
        """Whether at most one player still has chips to bet with."""
        return sum(not self.all_in(player) for player in self.live) <= 1

    def uncalled(self) -> tuple[int, int]:
        """Who bet what nobody can call any more, and how much: (player, chips), 0 chips where there is no such bet."""
        top = max(self.street)
        player = self.street.index(top)
        others = [bet for other, bet in enumerate(self.street) if other != player]
        excess = top - max(others)
        answered = all(self.all_in(other) for other in self.live if other != player)
        return player, excess if answered else 0

    def take_back(self, player: int, amount: int) -> None:
        """An uncalled bet goes back."""
        self.street[player] -= amount
        self.pot -= amount
        left = self.stack[player]
        if left is not None:
            self.stack[player] = left + amount

    def _within_stack(self, player: int, amount: int) -> int:
        left = self.stack[player]
        return amount if left is None else min(amount, max(left, 0))

    def _put_in(self, player: int, amount: int, *, dead: bool = False) -> int:
        left = self.stack[player]
        if left is not None:
            self.stack[player] = left - amount
        if not dead:
            self.street[player] += amount
        self.pot += amount
        return amount
