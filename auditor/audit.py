"""Order the events, evolve the tables, check the rules, follow each incident to its ruling."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.events import EventRefused, parse
from auditor.findings import Reject
from auditor.intake import EventRow, Outcomes, Record, TableRecord


class Audit:
    """PLACEHOLDER: the interface is final, the inside is being written."""

    def __init__(self, *, keep_events: bool = False) -> None:
        self._out = Outcomes()
        self._keep = keep_events

    def take(self, item: Record | Reject, now: float | None = None) -> None:
        """One record in. `now`: seconds on a monotonic clock, where gaps may also be given up for age."""
        out = self._out
        out.taken += 1
        if isinstance(item, Reject):
            out.rejects.append(item)
            return
        try:
            event = parse(item.raw)
        except EventRefused as refused:
            out.rejects.append(Reject(source=item.source, partition=item.partition, offset=item.offset, raw=item.raw, reason=str(refused)))
            return
        if self._keep:
            out.events.append(EventRow(event.table_id, event.seq, event.hand_id, event.type, event.at, event.source, "accepted", item.source, item.partition, item.offset, item.raw))

    def expire_gaps(self, now: float) -> None:
        """Give up on gaps that have waited too long (live only)."""

    def finish(self) -> None:
        """No more events come: give up on open gaps; what is still open stays open."""

    def drain(self) -> Outcomes:
        """All that came out since the last drain."""
        out, self._out = self._out, Outcomes()
        return out

    def restore(self, table: TableRecord, raws: Iterable[bytes]) -> None:
        """Go on with a table: its record, and its accepted events after `boundary_seq` in order of seq."""
