"""Two topics side by side: hold back the one that runs ahead, until the other has come as far.

A table's events are split over two topics and its order is put right further on, in a buffer with a bound. Read
at full speed after a pause, one topic can be hours ahead of the other, and no such buffer would do. Two things say
which is ahead. Records carry the time at which they were produced, so the partition that is furthest behind sets how
far all may go. And where those times mislead, because a topic was filled after the other, the buffer itself tells
whose events pile up in it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from heapq import heapify, heappop, heappush
from math import inf
from typing import Final

from auditor.intake import Item

Partition = tuple[str, int]  # topic, partition
Stamped = tuple[int, Item]  # milliseconds at which the record was produced

CROWDED: Final = 5_000  # records held of one partition from which on it is not read further: a few megabytes
ROOMY: Final = CROWDED // 2  # below it, it is read again
PATIENCE: Final = 30.0  # seconds that all wait for one that has more and brings nothing (its leader is away)

_NEVER = -1


class Alignment:
    """What was read of the partitions that the events of the same tables come over, and may not go on yet."""

    def __init__(self) -> None:
        self._held: dict[Partition, deque[Stamped]] = {}
        self._clock: dict[Partition, int] = {}  # the newest time read of each partition
        self._heard: dict[Partition, float] = {}  # when it last brought something
        self._ahead: frozenset[Partition] = frozenset()

    def add(self, partition: Partition, stamped: Iterable[Stamped], now: float) -> None:
        """Records of one partition, in order. `now`: seconds on a monotonic clock."""
        held = self._held.setdefault(partition, deque())
        clock = self._clock.get(partition, _NEVER)
        for stamp, item in stamped:
            # Producers' clocks may run backwards; within a partition its own order rules.
            clock = max(clock, stamp)
            held.append((clock, item))
        self._clock[partition] = clock
        self._heard[partition] = now

    def hold_back(self, ahead: Collection[Partition]) -> None:
        """These have run ahead of the others, whatever their times say: the others go first, while they have more."""
        self._ahead = frozenset(ahead)

    def release(self, behind: Collection[Partition], now: float, most: int) -> list[Item]:
        """What may go on next, at most so many. `behind`: the partitions that are known to have more to read."""
        waited_for = self.waited_for(behind, now)
        others = [partition for partition in waited_for if partition not in self._ahead]
        free = [held for partition, held in self._held.items() if held and partition not in self._ahead]
        if self._ahead and not others and not free:
            # Those that are not ahead have nothing left: what their events wait for is in those that are, or lost.
            return _turn_about([held for held in self._held.values() if held], most)
        return _by_time(free, min((self._clock.get(p, _NEVER) for p in others), default=inf), most)

    def waited_for(self, behind: Collection[Partition], now: float) -> list[Partition]:
        """Of the partitions that have more to read, those that were heard of lately."""
        return [partition for partition in behind if now - self._last_heard(partition, now) < PATIENCE]

    def _last_heard(self, partition: Partition, now: float) -> float:
        if self._held.get(partition):
            self._heard[partition] = now  # it waits for the others, not they for it
        return self._heard.setdefault(partition, now)

    def held(self, partition: Partition) -> int:
        """How many records of a partition wait."""
        return len(self._held.get(partition, ()))

    @property
    def empty(self) -> bool:
        """Nothing waits."""
        return not any(self._held.values())

    def crowded(self) -> set[Partition]:
        """The partitions that are to be read no further for now."""
        return {partition for partition, held in self._held.items() if len(held) >= CROWDED}

    def roomy(self, partition: Partition) -> bool:
        """Whether a partition that was crowded may be read again."""
        return self.held(partition) < ROOMY


def _by_time(partitions: Collection[deque[Stamped]], horizon: float, most: int) -> list[Item]:
    """In the order of their times, as far as the horizon; each partition keeps its own order."""
    heads = [(held[0][0], number, held) for number, held in enumerate(partitions) if held[0][0] <= horizon]
    heapify(heads)
    items: list[Item] = []
    while heads and len(items) < most:
        _, number, held = heappop(heads)
        until = min(heads[0][0] if heads else inf, horizon)
        while held and held[0][0] <= until and len(items) < most:
            items.append(held.popleft()[1])
        if held and held[0][0] <= horizon:
            heappush(heads, (held[0][0], number, held))
    return items


def _turn_about(partitions: Collection[deque[Stamped]], most: int) -> list[Item]:
    """As many of each, whatever their times."""
    share = max(1, most // max(1, len(partitions)))
    return [held.popleft()[1] for held in partitions for _ in range(min(share, len(held)))]
