"""A share of the topics, as a consumer group gives and takes it.

The group's committed offset says how far some store has it. Kafka takes a commit from the present owner of the
partition only, which makes it a fence: a batch is claimed by it before it is stored. kafka-python calls back on a
thread of its own, in the middle of a poll; what it tells is noted there, and heeded after the poll. A partition that
was given is not read before `start` says from where.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, ClassVar, Final

from kafka import ConsumerRebalanceListener, OffsetAndMetadata, TopicPartition
from kafka.errors import (
    CommitFailedError,
    IllegalGenerationError,
    KafkaError,
    KafkaTimeoutError,
    RebalanceInProgressError,
    UnknownMemberIdError,
)
from kafka.structs import MemberState

from auditor.feeds.alignment import Partition
from auditor.feeds.claims import Claim, read, write
from auditor.feeds.connection import LOOKUP_MS, FeedFailed, KafkaSettings, words
from auditor.feeds.kafka import KafkaFeed

log = logging.getLogger(__name__)

#: What the group answers to one that is no longer, or not yet, its member: somebody else may have the partitions.
_NOT_OURS: Final = (CommitFailedError, IllegalGenerationError, UnknownMemberIdError, RebalanceInProgressError)


class ClaimRefused(Exception):
    """The partitions are no longer ours: what was read of them is another's to store."""


class ClaimUnanswered(FeedFailed):
    """Whether the group took a claim is not known. The next start will see."""


class GroupFeed(KafkaFeed):
    """The partitions that the group gives, all topics' of one number together. Nothing is read before `start`.

    Raises `FeedFailed` as `KafkaFeed` does, and where the topics differ in partitions.
    """

    _IN_GROUP: ClassVar[bool] = True

    def __init__(self, settings: KafkaSettings) -> None:
        self._notes: SimpleQueue[frozenset[Partition] | None] = SimpleQueue()
        self._given: frozenset[Partition] = frozenset()
        self._turned = False
        self.member = False  # the group has let this process in, and the last word was not that it takes all away
        self._claims: dict[Partition, dict[str, Claim]] = {}
        super().__init__(settings, {})

    @property
    def every(self) -> list[Partition]:
        """Every partition of the topics, whoever has it."""
        return self._every

    def turn(self) -> frozenset[Partition] | None:
        """The partitions that are ours now, where the group has just shared them out anew: all are to be started."""
        if not self._turned:
            return None
        self._turned = False
        return self._given

    @property
    def turned(self) -> bool:
        """Whether `turn` has something to say."""
        return self._turned

    def stay(self) -> None:
        """Remain a member of the group while there is something else to do."""
        self._read_more(0)

    def committed(self, partitions: Iterable[Partition]) -> dict[Partition, tuple[int, Mapping[str, Claim]]]:
        """How far the group has come in each partition where it has begun, with the last claim of each store."""
        found: dict[Partition, tuple[int, Mapping[str, Claim]]] = {}
        for partition in partitions:
            try:
                known = self._consumer.committed(TopicPartition(*partition), metadata=True, timeout_ms=LOOKUP_MS)
            except KafkaError as error:
                raise FeedFailed(f"the group does not say how far it has come: {words(error)}") from error
            claims = read(known.metadata) if known else {}
            self._claims[partition] = claims
            if known:
                found[partition] = known.offset, claims
        return found

    def beginnings(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        """The first offset that each partition still has."""
        try:
            first = self._consumer.beginning_offsets([TopicPartition(*p) for p in partitions], timeout_ms=LOOKUP_MS)
        except KafkaError as error:
            raise FeedFailed(f"{self._settings.bootstrap} does not say what it holds: {words(error)}") from error
        return {(tp.topic, tp.partition): offset for tp, offset in first.items()}

    def start(self, places: Mapping[Partition, int]) -> None:
        """Read these partitions from these offsets on. Of what is not there any more, the next poll tells."""
        self.positions.update(places)
        self._read.update(places)
        self._go_to(places)
        self._consumer.resume(*(TopicPartition(*partition) for partition in places))

    def claim(self, store: str, claims: Mapping[Partition, Claim], seconds: float) -> None:
        """Commit the ends of these ranges for a store, if the partitions are still ours.

        Raises `ClaimRefused` when they are not, and `ClaimUnanswered` when nobody says so within the time.
        """
        self._heed()
        if self._turned:
            raise ClaimRefused
        offsets = {}
        for partition, claim in claims.items():
            others = {name: theirs for name, theirs in self._claims.get(partition, {}).items() if name != store}
            known = {**others, store: claim}  # the last, so that it is never the one that is left out
            offsets[TopicPartition(*partition)] = OffsetAndMetadata(claim.until, write(known), -1)
        try:
            self._consumer.commit(offsets, timeout_ms=int(seconds * 1000))
        except _NOT_OURS as error:
            log.warning("the group has taken the partitions away: %s", words(error))
            raise ClaimRefused from error
        except KafkaTimeoutError as error:
            raise ClaimUnanswered("no answer from the group to whether the partitions are still ours") from error
        except KafkaError as error:
            raise FeedFailed(f"the group does not take our offsets: {words(error)}") from error
        for partition, claim in claims.items():
            self._claims.setdefault(partition, {})[store] = claim

    def let_go(self) -> None:
        """Forget all that was read: whoever has the partitions now will read it, and so do we when they are ours."""
        self.positions.clear()
        self._read.clear()
        self._alignments.clear()
        self._behind.clear()

    # --- what the group gives and takes -----------------------------------------------------------------------------

    def _join(self, every: list[Partition]) -> None:
        if self.parted:
            raise FeedFailed(
                f"the topics {' and '.join(self._settings.topics)} differ in partitions, so a group of several could "
                "part a table's halves: give them the same number, or read all partitions with one process"
            )
        self._every = every
        self._consumer.subscribe(list(self._settings.topics), listener=_Listener(self._hold, self._notes))

    def _hold(self, assigned: Iterable[TopicPartition]) -> None:
        """On the consumer's thread, before it has fetched anything: not yet."""
        for topic_partition in assigned:
            self._consumer.pause(topic_partition)
            self._consumer.seek(topic_partition, 0)  # anywhere, so that it does not look for a place itself

    def _fetch(self, seconds: float) -> dict[TopicPartition, list[Any]]:
        batches = super()._fetch(seconds)
        self._finish_joining()
        self._heed()
        return {tp: records for tp, records in batches.items() if (tp.topic, tp.partition) in self.positions}

    def _finish_joining(self) -> None:
        """Take up the answer of the group though it came after the poll that had asked for it.

        kafka-python 3.0.12 forgets to, where it had joined anew for the sake of changed metadata, and then neither
        reads nor gives a sign of life, for ever.
        """
        if self._consumer.group_metadata().state == MemberState.REBALANCING:
            self._consumer._coordinator.request_rejoin()

    def _heed(self) -> None:
        with suppress(Empty):
            while True:
                given = self._notes.get_nowait()
                self.let_go()
                self.member = given is not None
                self._given = given or frozenset()
                self._turned = True

    def _partitions(self) -> list[Partition]:
        return [partition for partition in super()._partitions() if partition in self.positions]


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # kafka-python carries no types
    """Notes what the group gives, and, by None, that it takes all."""

    def __init__(self, hold: Any, notes: SimpleQueue[frozenset[Partition] | None]) -> None:
        self._hold = hold
        self._notes = notes

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        given = list(assigned)
        self._hold(given)
        self._notes.put(frozenset((tp.topic, tp.partition) for tp in given))

    def on_partitions_revoked(self, _: Iterable[TopicPartition]) -> None:
        self._notes.put(None)
