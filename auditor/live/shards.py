"""Audits side by side: one for each partition number that this process has, so that it can come and go by itself."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.audit import Audit
from auditor.intake import Item, Outcomes, TableRecord


class Shards:
    """What `Audit` does, for the partitions that are installed here. Items of others must not come."""

    def __init__(self) -> None:
        self._audits: dict[int, Audit] = {}

    def install(self, partition: int, audit: Audit) -> None:
        """From now on the tables of this partition are audited here."""
        self._audits[partition] = audit

    def clear(self) -> None:
        """No partition is here any more; what was not drained is forgotten."""
        self._audits.clear()

    def known(self, partition: int, table_id: str) -> tuple[TableRecord, list[tuple[int, bytes]]] | None:
        """As `Audit.known`, of a table of this partition."""
        return self._audits[partition].known(table_id)

    def take_all(self, items: Iterable[Item]) -> None:
        """Records in."""
        shared: dict[int, list[Item]] = {}
        for item in items:
            shared.setdefault(item.partition, []).append(item)
        for partition, its in shared.items():
            self._audits[partition].take_all(its)

    def expire_gaps(self, now: float) -> None:
        """Give up on gaps that have been open for too long by the live feed's clock."""
        for audit in self._audits.values():
            audit.expire_gaps(now)

    def finish(self) -> None:
        """No more events come: give up on every gap."""
        for audit in self._audits.values():
            audit.finish()

    def drain(self) -> Outcomes:
        """All that came out since the last drain."""
        merged = Outcomes()
        for audit in self._audits.values():
            out = audit.drain()
            merged.events += out.events
            merged.rejects += out.rejects
            merged.findings |= out.findings
            merged.hands |= out.hands
            merged.tables |= out.tables
            merged.taken += out.taken
            merged.duplicates += out.duplicates
            merged.hands_closed += out.hands_closed
        return merged

    @property
    def ahead(self) -> set[tuple[str, int]]:
        """The partitions that have run so far ahead that many of a table's events wait."""
        return {partition for audit in self._audits.values() for partition in audit.ahead}

    @property
    def open_tables(self) -> int:
        return sum(audit.open_tables for audit in self._audits.values())

    @property
    def open_hands(self) -> int:
        return sum(audit.open_hands for audit in self._audits.values())
