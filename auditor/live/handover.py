"""What each table was when, told to whoever gets its partition next.

A table's record goes out when a hand of it has ended, when the table is new, and when what was told last of it is so
old that a new owner would have far to read for it alone. Then follows up to where all is told: as far as the least of
what was told of the tables that have changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, Protocol

from auditor.feeds.tables import Known, Moved
from auditor.intake import TableRecord

#: Records of its partition after which a table that is still in the same hand is told of again: a second's reading.
_FAR: Final = 20_000

ByTopic = Mapping[str, int]
#: A table as it is now, with the events behind its boundary; None when it was closed too long ago to be known.
Look = Callable[[str], tuple[TableRecord, list[tuple[int, bytes]]] | None]


class Topic(Protocol):
    """Where it is told: `auditor.feeds.tables.TablesTopic`."""

    def publish(self, partition: int, tables: Iterable[Moved], complete: Mapping[str, int]) -> None: ...
    def forget(self, partition: int) -> None: ...


class _Told(NamedTuple):
    """What was said last of a table."""

    boundary: int
    open: bool
    as_of: ByTopic


class Handover:
    """What was told of the tables of this process, and what is to be told."""

    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._told: dict[int, dict[str, _Told]] = {}
        self._changed: dict[int, set[str]] = {}  # since it was told

    def take_over(
        self, partition: int, known: Known | None, tables: Iterable[TableRecord], now: ByTopic, look: Look
    ) -> None:
        """A partition comes here with these tables, as they are at these offsets; so much of it is told already."""
        self._topic.forget(partition)
        told: dict[str, _Told] = {}
        changed: list[TableRecord] = []
        for table in tables:
            moved = None if known is None else known.tables.get(table.table_id)
            if moved is not None and known is not None:
                as_of = {topic: max(offset, moved.as_of.get(topic, 0)) for topic, offset in known.complete.items()}
                told[table.table_id] = _Told(moved.record.boundary_seq, moved.record.open, as_of)
            if moved is None or look(table.table_id) != (moved.record, list(moved.tail)):
                changed.append(table)
        self._told[partition], self._changed[partition] = told, set()
        self.tell(partition, changed, now, look)

    def tell(self, partition: int, changed: Iterable[TableRecord], now: ByTopic, look: Look) -> None:
        """These tables have changed, and all of the partition is stored up to the offsets `now`."""
        told, waiting = self._told[partition], self._changed[partition]
        due: set[str] = set()
        for table in changed:
            last = told.get(table.table_id)
            anew = last is None or (last.boundary, last.open) != (table.boundary_seq, table.open)
            (due if anew else waiting).add(table.table_id)
        due |= {table_id for table_id in waiting if _far(told[table_id].as_of, now)}
        waiting -= due
        moving: list[Moved] = []
        for table_id in due:
            if (known := look(table_id)) is not None:
                record, tail = known
                moving.append(Moved(record, tuple(tail), dict(now)))
                told[table_id] = _Told(record.boundary_seq, record.open, now)
        self._topic.publish(partition, moving, _least(now, (told[table_id].as_of for table_id in waiting)))


def _far(then: ByTopic, now: ByTopic) -> bool:
    return sum(now.values()) - sum(then.values()) > _FAR


def _least(now: ByTopic, others: Iterable[ByTopic]) -> dict[str, int]:
    least = dict(now)
    for offsets in others:
        for topic, offset in offsets.items():
            least[topic] = min(least[topic], offset)
    return least
