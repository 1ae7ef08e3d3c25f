"""Order the events, evolve the tables, check the rules, follow each incident to its ruling.

Deterministic: the same records in the same order give the same outcomes. It knows no clock; a live feed says how
late it is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import islice

from auditor.desk import Desk
from auditor.events import Envelope, Event
from auditor.findings import Finding, Reject, finding_id
from auditor.intake import (
    FARTHEST,
    MANY_WAITING,
    Disposition,
    EventRow,
    Gone,
    Item,
    Outcomes,
    Record,
    TableRecord,
    reject_of,
)
from auditor.ordering import Ordering
from auditor.rules.registry import RULES, Planner
from auditor.rules.rule import Rule
from auditor.table.table import Table
from auditor.wire import EventRefused, dump, parse

#: Records that are read together before they are audited together.
_TOGETHER = 128

#: Closed tables that keep their desk, so that a late copy of their last events is still known as one.
CLOSED_DESKS = 256
#: Closed tables of which only the place in their order is kept: some hundred bytes each. Hand histories make a table of
#: every hand.
_RETIRED_TABLES = 1_000_000


def _read(item: Item) -> Event | Reject | Gone:
    if not isinstance(item, Record):
        return item
    try:
        event = parse(item[0])
    except EventRefused as refused:
        return reject_of(item, str(refused))
    key = item[4]
    if key is not None and key != event.table_id.encode():
        # On its way by another key it may be on another partition than the rest of its table, and in another process.
        return reject_of(item, f"it is of table {event.table_id}, and its key in Kafka is {_key_words(key)}")
    return event


def _key_words(key: bytes) -> str:
    return repr(key.decode("utf-8", "replace")) if key else "missing"


def _conflict(event: Event, item: Record) -> Reject:
    return reject_of(item, f"table {event.table_id} has another event under number {event.seq}", "conflict")


def _astray(event: Event, item: Record, next_seq: int) -> Reject:
    awaited = f"{next_seq}, the next one of table {event.table_id}"
    return reject_of(item, f"its number, {event.seq}, is more than {FARTHEST:,} beyond {awaited}")


def _event_row(event: Event, disposition: Disposition, item: Record) -> EventRow:
    raw, source, partition, offset, _, _, _ = item
    return (
        event.table_id, event.seq, event.hand_id, event.type, event.at, event.source, disposition, source, partition,
        offset, raw.decode(),
    )  # fmt: skip


class Audit:
    """The auditor: records in, outcomes out. Holds open tables and open hands, and nothing that is over.

    `keep_events`: also hand out what a store keeps, every event and what a restart needs of each table. `rules`: those
    to check; all of the catalogue by default.
    """

    def __init__(self, *, keep_events: bool = False, rules: Iterable[Rule] = RULES.values()) -> None:
        self._keep = keep_events
        self._planner = Planner(rules)
        self._out = Outcomes()
        self._desks: dict[str, Desk] = {}
        self._touched: set[str] = set()
        self._furthest: dict[str, dict[tuple[str, int], int]] = {}  # of tables that wait: how far each source has come
        self._ahead: dict[str, tuple[str, int]] = {}  # tables of which many events wait, and the source that is ahead
        self._closed: OrderedDict[str, None] = OrderedDict()  # closed tables with a desk, the longest closed first
        self._retired: dict[
            str, int
        ] = {}  # closed tables that have none: where their order goes on, should they reopen

    def take(self, item: Item) -> None:
        """One record in."""
        self._out.taken += 1
        self._place(item, _read(item))

    def take_all(self, items: Iterable[Item]) -> None:
        """Records in, some at a time: reading a few and then auditing a few is faster than turn and turn about."""
        coming = iter(items)
        while some := list(islice(coming, _TOGETHER)):
            self._out.taken += len(some)
            for item, read in zip(some, [_read(item) for item in some], strict=True):
                self._place(item, read)

    def _place(self, item: Item, read: Event | Reject | Gone) -> None:
        # Asked for its very class: a model's own isinstance costs more than the order and the clock together.
        if type(read) is Reject:
            self._quarantine(read)
            return
        if isinstance(read, Gone):
            self._tell_gone(read)
            return
        assert isinstance(item, Record)  # nothing else is read as an event
        desk = self._desk_of(read)
        disposition = desk.arrive(read, item[0], item[4] is None)
        if disposition == "astray":
            self._quarantine(_astray(read, item, desk.order.next_seq))
            return
        desk.partition = item[2]
        if desk.toggled:
            self._track_closed(desk)
        if desk.order.waiting or self._furthest:
            self._note_ahead(desk, read.seq, (item[1], item[2]))
        if disposition == "conflict":
            self._out.rejects.append(_conflict(read, item))
        elif self._keep and disposition != "duplicate":
            self._out.events.append(_event_row(read, disposition, item))

    def take_event(self, event: Event) -> None:
        """One event in that has been validated already. Nothing is kept of it but its outcome."""
        self._out.taken += 1
        desk = self._desk_of(event)
        if desk.arrive(event, event) == "astray":
            self._quarantine(_astray(event, Record(dump(event), "", 0, event.seq), desk.order.next_seq))
        if desk.toggled:
            self._track_closed(desk)

    def _desk_of(self, event: Event) -> Desk:
        table_id = event.table_id
        if self._keep:
            self._touched.add(table_id)
        desk = self._desks.get(table_id)
        return self._open_desk(table_id) if desk is None else desk

    def _note_ahead(self, desk: Desk, seq: int, brought_by: tuple[str, int]) -> None:
        table_id, waiting = desk.table.table_id, desk.order.waiting
        if not waiting:
            self._furthest.pop(table_id, None)
            self._ahead.pop(table_id, None)
            return
        furthest = self._furthest.setdefault(table_id, {})
        furthest[brought_by] = max(seq, furthest.get(brought_by, 0))
        if len(waiting) >= MANY_WAITING:
            self._ahead[table_id] = max(furthest, key=lambda source: furthest[source])
        else:
            self._ahead.pop(table_id, None)

    @property
    def ahead(self) -> set[tuple[str, int]]:
        """The partitions, by source and number, that have run so far ahead that many of a table's events wait."""
        for table_id in [t for t in self._ahead if len(self._desks[t].order.waiting) < MANY_WAITING]:
            del self._ahead[table_id]  # its gap was given up
        return set(self._ahead.values())

    def _open_desk(self, table_id: str) -> Desk:
        desk = Desk(Table(table_id), self._planner, self._out, keep=self._keep)
        if table_id in self._retired:
            desk.order = Ordering(self._retired.pop(table_id))
        self._desks[table_id] = desk
        return desk

    def _track_closed(self, desk: Desk) -> None:
        desk.toggled = False
        table_id = desk.table.table_id
        self._closed.pop(table_id, None)
        if desk.closed:
            self._closed[table_id] = None
        while len(self._closed) > CLOSED_DESKS:
            oldest = next(iter(self._closed))
            if oldest in self._touched:
                break  # its record is still to be handed out
            del self._closed[oldest]
            self._ahead.pop(oldest, None)
            self._furthest.pop(oldest, None)
            self.retire(oldest, self._desks.pop(oldest).order.next_seq)

    def retire(self, table_id: str, next_seq: int) -> None:
        """Remember of a closed table only where its order goes on."""
        self._retired[table_id] = next_seq
        if len(self._retired) > _RETIRED_TABLES:
            for oldest in list(islice(self._retired, _RETIRED_TABLES // 10)):
                del self._retired[oldest]

    def _quarantine(self, reject: Reject) -> None:
        self._out.rejects.append(reject)
        own_id = finding_id("FEED108", reject.source, None, reject.offset, reject.partition, reject.raw)
        where = f"{reject.source}, {reject.offset}" if reject.source else f"Event {reject.offset}"
        what = f"{where}: this is no event of the contract: {reject.reason}."
        self._tell_of_source("FEED108", own_id, what)

    def _tell_gone(self, gone: Gone) -> None:
        own_id = finding_id("FEED109", gone.source, None, gone.first, gone.partition, gone.records)
        records = "1 record is" if gone.records == 1 else f"{gone.records:,} records are"
        where = f"{gone.source}, partition {gone.partition}"
        what = f"{where}: {records} gone from offset {gone.first:,} on, and were never audited."
        self._tell_of_source("FEED109", own_id, what)

    def _tell_of_source(self, code: str, own_id: str, message: str) -> None:
        rule = RULES[code]
        self._out.findings[own_id] = Finding(
            finding_id=own_id,
            rule=rule.code,
            name=rule.name,
            severity=rule.severity,
            table_id=None,
            hand_id=None,
            seq=None,
            at=None,
            message=message,
            handled="not_applicable",
            incident=own_id,
            source_rule=rule.source,
        )

    @property
    def has_findings(self) -> bool:
        """Whether a drain would bring findings."""
        return bool(self._out.findings)

    @property
    def open_tables(self) -> int:
        return sum(not desk.table.memory.closed for desk in self._desks.values())

    @property
    def open_hands(self) -> int:
        return sum(desk.table.hand.open for desk in self._desks.values())

    def expire_gaps(self, now: float) -> None:
        """Give up on gaps that have been open for too long by the live feed's clock."""
        for desk in self._desks.values():
            if desk.order.overdue(now):
                self._touched.add(desk.table.table_id)
                desk.give_up_gap()

    def finish(self) -> None:
        """No more events come: give up on every gap. What is still open stays open."""
        for desk in self._desks.values():
            while desk.order.waiting:
                self._touched.add(desk.table.table_id)
                desk.give_up_gap()

    def drain(self) -> Outcomes:
        """All that came out since the last drain."""
        out = self._out
        if self._keep:
            for table_id in self._touched:
                desk = self._desks[table_id]
                desk.show_open_hand()
                out.tables[table_id] = desk.record()
        self._touched.clear()
        self._out = Outcomes()
        for desk in self._desks.values():
            desk.use(self._out)
        return out

    def records(self) -> list[TableRecord]:
        """The record of every table that is known, but for those that were closed long ago."""
        return [desk.record() for desk in self._desks.values()]

    def known(self, table_id: str) -> tuple[TableRecord, list[tuple[int, bytes]]] | None:
        """All that `restore` needs of a table: its record, and its events after the boundary, with their numbers.

        None for a table that was closed so long ago that only its place in its order is known.
        """
        desk = self._desks.get(table_id)
        return None if desk is None else (desk.record(), desk.tail())

    def restore(self, table: TableRecord, raws: Iterable[bytes]) -> None:
        """Go on with a table: its record, and its events after `boundary_seq`, those that took their place, in order.

        Of closed tables, those that were closed last keep their desk: restore them in the order of their closing.
        """
        desk = Desk(Table.load(table.table_id, table.memory), self._planner, Outcomes(), keep=self._keep)
        desk.replay(table, raws)
        desk.use(self._out)
        self._retired.pop(table.table_id, None)
        self._desks[table.table_id] = desk
        self._track_closed(desk)


class Settling:
    """Findings in the order in which their incidents are settled, each once."""

    def __init__(self) -> None:
        self._open: dict[str, Finding] = {}

    def add(self, findings: dict[str, Finding]) -> Iterator[Finding]:
        """The findings of a drain in; those that are settled now, out."""
        for own_id, finding in findings.items():
            if finding.settled:
                self._open.pop(own_id, None)
                yield finding
            else:
                self._open[own_id] = finding

    def rest(self) -> Iterator[Finding]:
        """At the end: those that nothing settled."""
        yield from self._open.values()
        self._open.clear()


def audit(events: Iterable[Event | bytes | bytearray | str | Gone]) -> Iterator[Finding]:
    """The findings in an iterable of events, or of lines, bytes or text, one JSON object each; blank ones are skipped.

    A finding comes out once, when its incident is settled; at the end, those that are still open. Raises `TypeError`
    for anything else in it.
    """
    core, settling = Audit(), Settling()
    for number, item in enumerate(events, 1):
        if isinstance(item, (bytes, bytearray, str)):
            raw = item.encode(errors="surrogatepass") if isinstance(item, str) else bytes(item)
            if raw.strip():
                core.take(Record(raw, "", 0, number))
        elif isinstance(item, Gone):
            core.take(item)
        elif isinstance(item, Envelope):
            core.take_event(item)
        else:
            raise TypeError(f"an event, or a line of JSON as bytes or text, is expected, not {type(item).__name__}")
        if core.has_findings:
            yield from settling.add(core.drain().findings)
    core.finish()
    yield from settling.add(core.drain().findings)
    yield from settling.rest()
