"""A stretch of some partitions, read once more, whoever has them now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from auditor.feeds.alignment import Partition
from auditor.feeds.connection import KafkaSettings
from auditor.feeds.kafka import KafkaFeed, after
from auditor.intake import Gone, Item

_POLL_SECONDS: Final = 0.1  # short, so that the caller can see to its group in between


class RangeFeed(KafkaFeed):
    """The records of each partition from an offset up to, and without, another. Raises as `KafkaFeed` does."""

    def __init__(self, settings: KafkaSettings, first: Mapping[Partition, int], until: Mapping[Partition, int]) -> None:
        self._until = dict(until)
        super().__init__(settings, first, only=first.keys())

    @property
    def done(self) -> bool:
        """All of it was handed out."""
        return self.reached(self._until)

    def next(self) -> list[Item]:
        """What comes next; perhaps nothing yet."""
        items = [item for each in self.poll(_POLL_SECONDS) if (item := self._within(each)) is not None]
        self.positions = {p: min(offset, self._until[p]) for p, offset in self.positions.items()}
        return items

    def _within(self, item: Item) -> Item | None:
        until = self._until[item.source, item.partition]
        if isinstance(item, Gone) and item.first < until < after(item):
            return item._replace(records=until - item.first)
        return item if after(item) <= until else None
