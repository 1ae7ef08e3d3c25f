"""Several processes share the topics, each with a store of its own; every event is audited once in the union of them.

The group's committed offset is the truth of how far some store has a partition, this store's offset of how far this
one goes on with it. A batch is claimed, by a commit that Kafka takes from the partition's owner only, and then stored.
Killed in between, the next start finds its claim with the group and does what it claimed before anything else.

A partition that comes here brings its tables: out of this store, where nobody else had them since; else as the last
owner told of them, and with the events that came after that, read once more with nothing stored of what comes out.
docs/exactly-once.md has the whole of it, and why.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from typing import Final

from auditor.audit import Audit
from auditor.feeds.alignment import Partition
from auditor.feeds.claims import Claim
from auditor.feeds.connection import KafkaSettings, OffsetsLost
from auditor.feeds.group import ClaimRefused, ClaimUnanswered, GroupFeed
from auditor.feeds.ranges import RangeFeed
from auditor.feeds.tables import Known, TablesTopic
from auditor.intake import Item, Outcomes, Record, TableRecord
from auditor.live.handover import Handover
from auditor.live.loop import Keeper, Offsets
from auditor.live.shards import Shards
from auditor.store.resume import resume
from auditor.store.writer import Store

log = logging.getLogger(__name__)

_CLAIM_SECONDS: Final = 30.0  # for the group's answer; after that the next start has to see
_ONE_TRY_SECONDS: Final = 1.0  # of them, between two looks at whether to stop
_BATCH: Final = 2_000  # records that are stored at once while a claim is made good
_STAY_SECONDS: Final = 0.5  # between two signs of life to the group while something else is read


class StoreBehind(OffsetsLost):
    """The store has claimed more than it holds, and not as its last: it is an old copy."""


class _Interrupted(Exception):
    """The group shares out the partitions anew, or the process is to stop: what is being taken over is no matter."""


class Group:
    """This process's part in the group. Raises `FeedFailed` and `StoreError` as the feeds and the store do.

    `keeper`: where checkpoints go, the `store` behind it. `rebuild`: a store that has nothing of a partition yet reads
    all of it, whether or not other stores hold it. `on_step` is called while something is read that takes long.
    """

    def __init__(
        self,
        settings: KafkaSettings,
        feed: GroupFeed,
        store: Store,
        keeper: Keeper,
        shards: Shards,
        stop: threading.Event,
        *,
        rebuild: bool,
        on_step: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._feed = feed
        self._store = store
        self._keeper = keeper
        self._shards = shards
        self._stop = stop
        self._rebuild = rebuild
        self._on_step = on_step
        self._store_id = store.store_id
        self._owes = True  # whether there may be a claim to make good: until the first look
        self._stayed = time.monotonic()
        self._tables: TablesTopic | None = None
        self._handover: Handover | None = None
        if settings.tables_topic is not None:
            partitions = len({number for _, number in feed.every})
            self._tables = TablesTopic(settings, settings.tables_topic, partitions, self._store_id)
            self._handover = Handover(self._tables)

    def close(self) -> None:
        """Send what is under way."""
        if self._tables is not None:
            self._tables.close()

    # --- what the loop asks ----------------------------------------------------------------------------------------

    def heed(self) -> None:
        """Take over what the group has given in the last poll, once it has taken all away."""
        while (given := self._feed.turn()) is not None:
            self._shards.clear()
            try:
                if self._owes and self._feed.member:
                    self._make_good()
                    self._owes = False
                places: dict[Partition, int] = {}
                for number in sorted({number for _, number in given}):
                    places |= self._take_over(number, [p for p in given if p[1] == number])
            except _Interrupted:
                self._shards.clear()
                continue
            if places:
                self._feed.start(places)

    def claim(self, outcomes: Outcomes, offsets: Offsets) -> bool:
        """Whether the group takes it that all up to these offsets is ours; what it refuses is dropped.

        All that is ours is claimed, moved or not, so that nothing at all is stored by one that has lost it.
        """
        ours = self._store.offsets()
        try:
            self._insist({p: Claim(ours[p], offset) for p, offset in offsets.items()})
        except ClaimRefused:
            log.warning("%d records were read for nothing: another process has them now", outcomes.taken)
            self._shards.clear()
            self._feed.let_go()
            return False
        return True

    def committed(self, outcomes: Outcomes, offsets: Offsets) -> None:
        """Tell of the tables that have changed."""
        if self._handover is None:
            return
        changed: dict[int, list[TableRecord]] = {number: [] for _, number in offsets}
        for table in outcomes.tables.values():
            changed[table.partition].append(table)
        for number, tables in changed.items():
            self._handover.tell(number, tables, _by_topic(offsets, number), partial(self._shards.known, number))

    def _insist(self, claims: Mapping[Partition, Claim]) -> None:
        """Ask until there is an answer: a broker may be away for a while. Raises `ClaimRefused`, `ClaimUnanswered`."""
        until = time.monotonic() + _CLAIM_SECONDS
        while True:
            try:
                self._feed.claim(self._store_id, claims, _ONE_TRY_SECONDS)
                return
            except ClaimUnanswered:
                if self._stop.is_set() or time.monotonic() >= until:
                    raise

    # --- claims that were not made good ----------------------------------------------------------------------------

    def _make_good(self) -> None:
        """Store what this store has claimed and, killed, did not store; whoever has the partitions now."""
        ours = self._store.offsets()
        owed: dict[int, dict[Partition, int]] = {}
        for partition, (_, claims) in self._feed.committed(self._feed.every).items():
            claim = claims.get(self._store_id)
            if claim is None or claim.until <= ours.get(partition, 0):
                continue
            if ours.get(partition, -1) < claim.first:
                raise StoreBehind(_behind(partition, ours.get(partition, 0), claim))
            owed.setdefault(partition[1], {})[partition] = claim.until
        for number, until in owed.items():
            self._store_range(number, until)

    def _store_range(self, number: int, until: Mapping[Partition, int]) -> None:
        """Audit a partition from where this store is up to these offsets, into the store."""
        ours = {p: offset for p, offset in self._store.offsets().items() if p[1] == number}
        goal = ours | dict(until)
        log.info("partition %d: storing what was claimed, %d records", number, sum(goal.values()) - sum(ours.values()))
        audit = Audit(keep_events=True)
        resume(audit, self._store, number)
        waiting = 0
        with closing(RangeFeed(self._settings, ours, goal)) as feed:
            for items in self._all_of(feed, audit):
                waiting += len(items)
                if waiting >= _BATCH:
                    self._keeper.commit(audit.drain(), feed.positions)
                    waiting = 0
        self._keeper.commit(audit.drain(), goal)

    # --- taking over -----------------------------------------------------------------------------------------------

    def _take_over(self, number: int, partitions: list[Partition]) -> dict[Partition, int]:
        """Bring the tables of a partition here. Returns where its events go on."""
        ours = self._store.offsets()
        goal = self._come_to(partitions, ours)
        if self._rebuild and not any(p in ours for p in partitions):
            self._claim_all(number, goal)
            ours = self._store.offsets()
        now = _by_topic(goal, number)
        known = None if self._tables is None else self._tables.read(number)
        if known is not None and not _within(known, now):
            known = None
        if all(ours.get(p) == goal[p] for p in partitions):
            audit = Audit(keep_events=True)
            resume(audit, self._store, number)
        else:
            audit = self._rebuild_tables(number, goal, known)
        self._shards.install(number, audit)
        log.info(
            "partition %d: going on with %d open tables and %d open hands", number, audit.open_tables, audit.open_hands
        )
        if self._handover is not None:
            self._handover.take_over(number, known, audit.records(), now, audit.known)
        return goal

    def _come_to(self, partitions: list[Partition], ours: Offsets) -> dict[Partition, int]:
        """How far the audit has come: by the group, or by this store where that is further; or the start."""
        group = {partition: offset for partition, (offset, _) in self._feed.committed(partitions).items()}
        goal = {p: max(group.get(p, 0), ours.get(p, 0)) for p in partitions if p in group or p in ours}
        if elsewhere := sum(goal[p] - ours.get(p, 0) for p in goal):
            log.info("partition %d: other stores hold %d records that this one has not", partitions[0][1], elsewhere)
        return goal | self._feed.beginnings([p for p in partitions if p not in goal])

    def _claim_all(self, number: int, goal: Mapping[Partition, int]) -> None:
        """An empty store that is to hold all: claim it from the start, and make that good."""
        first = self._feed.beginnings(goal)
        self._store.adopt(number, first, [])
        self._insist({p: Claim(first[p], goal[p]) for p in goal})
        self._store_range(number, goal)

    def _rebuild_tables(self, number: int, goal: Mapping[Partition, int], known: Known | None) -> Audit:
        """The tables as they were at these offsets, which other stores have come to; and into this store as such."""
        first = self._feed.beginnings(goal)
        audit = Audit(keep_events=True)
        tables: dict[str, TableRecord] = {}  # in the order of their last change
        as_of: dict[bytes, Mapping[str, int]] = {}
        if known is not None:
            first = {p: self._still_there(p, offset, known.complete.get(p[0], 0)) for p, offset in first.items()}
            for moved in sorted(known.tables.values(), key=lambda moved: sum(moved.as_of.values())):
                audit.restore(moved.record, [raw for _, raw in moved.tail])
                tables[moved.record.table_id] = moved.record
                as_of[moved.record.table_id.encode()] = moved.as_of
        if records := sum(goal.values()) - sum(first.values()):
            log.info("partition %d: reading %d records once more", number, records)
            with closing(RangeFeed(self._settings, first, goal)) as feed:
                for _ in self._all_of(feed, audit, as_of):
                    for table_id, record in audit.drain().tables.items():  # the rest, whoever claimed it has stored
                        tables.pop(table_id, None)
                        tables[table_id] = record
        self._store.adopt(number, goal, [audit.known(name) or (record, []) for name, record in tables.items()])
        return audit

    def _still_there(self, partition: Partition, first: int, wanted: int) -> int:
        if wanted < first:
            log.warning(
                "%s, partition %d: %d records that others have audited are gone: what was open then is known in part",
                *partition,
                first - wanted,
            )
        return max(wanted, first)

    def _all_of(
        self, feed: RangeFeed, audit: Audit, as_of: Mapping[bytes, Mapping[str, int]] | None = None
    ) -> Iterator[list[Item]]:
        """Audit all that a feed has, but for what is known by table already; after each step, what it was."""
        while not feed.done:
            if self._stop.is_set() or self._feed.turned:
                raise _Interrupted
            items = feed.next()
            if as_of:
                items = [item for item in items if not _is_known(item, as_of)]
            audit.take_all(items)
            feed.hold_back(audit.ahead)
            yield items
            self._on_step()
            if time.monotonic() - self._stayed >= _STAY_SECONDS:
                self._stayed = time.monotonic()
                self._feed.stay()


def _by_topic(offsets: Offsets, number: int) -> dict[str, int]:
    return {topic: offset for (topic, n), offset in offsets.items() if n == number}


def _within(known: Known, goal: Mapping[str, int]) -> bool:
    """Nothing is known of beyond the goal. Else somebody has set the group back, and it is of no use."""
    told = [known.complete, *(moved.as_of for moved in known.tables.values())]
    return all(offset <= goal.get(topic, -1) for offsets in told for topic, offset in offsets.items())


def _is_known(item: Item, as_of: Mapping[bytes, Mapping[str, int]]) -> bool:
    """Whether a table was told of as it was behind this record of it."""
    if not isinstance(item, Record) or item.key is None:
        return False
    offsets = as_of.get(item.key)
    return offsets is not None and item.offset < offsets.get(item.source, 0)


def _behind(partition: Partition, ours: int, claim: Claim) -> str:
    topic, number = partition
    return (
        f"the store has claimed partition {number} of {topic} from offset {claim.first} to {claim.until}, and holds it "
        f"up to {ours} only: it is an old copy. Put the newest file back, or begin a new one"
    )
