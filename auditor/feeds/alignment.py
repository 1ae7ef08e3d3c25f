"""Two topics side by side: hold back the one that runs ahead, until the other has come as far.

A table's events are split over two topics and its order is put right further on, in a buffer with a bound. Read
at full speed after a pause, one topic can be hours ahead of the other, and no such buffer would do. Records carry
the time at which they were produced, so the partition that is furthest behind sets how far all may go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from operator import itemgetter
from typing import Final

from auditor.findings import Reject
from auditor.intake import Record

Partition = tuple[str, int]  # topic, partition
Stamped = tuple[int, Record | Reject]  # milliseconds at which the record was produced

CROWDED: Final = 5_000  # records held of one partition from which on it is not read further: a few megabytes
ROOMY: Final = CROWDED // 2  # below it, it is read again
PATIENCE: Final = 5.0  # seconds that all wait for one that has more and brings nothing (its leader is away)

_NEVER = -1
_itself = itemgetter(0)


class Alignment:
    """What was read of each partition and may not go on yet."""

    def __init__(self) -> None:
        self._held: dict[Partition, deque[Stamped]] = {}
        self._clock: dict[Partition, int] = {}  # the newest time read of each partition
        self._heard: dict[Partition, float] = {}  # when it last brought something

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

    def release(self, behind: Collection[Partition], now: float) -> list[Record | Reject]:
        """What may go on: all, or as far as the slowest of the partitions that are `behind`, with more to come."""
        waited_for = [partition for partition in behind if now - self._last_heard(partition, now) < PATIENCE]
        if not waited_for:
            free = [stamped for held in self._held.values() for stamped in held]
            self._held.clear()
        else:
            horizon = min(self._clock.get(p, _NEVER) for p in waited_for)
            free = [stamped for held in self._held.values() for stamped in _up_to(horizon, held)]
        free.sort(key=_itself)  # stable, so each partition keeps its order
        return [item for _, item in free]

    def _last_heard(self, partition: Partition, now: float) -> float:
        if self._held.get(partition):
            self._heard[partition] = now  # it waits for the others, not they for it
        return self._heard.setdefault(partition, now)

    def held(self, partition: Partition) -> int:
        """How many records of a partition wait."""
        return len(self._held.get(partition, ()))

    def crowded(self) -> set[Partition]:
        """The partitions that are to be read no further for now."""
        return {partition for partition, held in self._held.items() if len(held) >= CROWDED}

    def roomy(self, partition: Partition) -> bool:
        """Whether a partition that was crowded may be read again."""
        return self.held(partition) < ROOMY

    def forget(self, partition: Partition) -> None:
        """The partition is another's now: what is held of it will be read there."""
        self._held.pop(partition, None)
        self._clock.pop(partition, None)
        self._heard.pop(partition, None)


def _up_to(horizon: int, held: deque[Stamped]) -> Iterable[Stamped]:
    while held and held[0][0] <= horizon:
        yield held.popleft()
