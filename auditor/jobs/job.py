"""A job: every file of hands once, whatever stops it in between, and each hand once, however many files hold it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from auditor.feeds.files import HandFile
from auditor.intake import AuditedFile, Outcomes
from auditor.jobs.seen import Seen
from auditor.jobs.work import Begun, Part, Task
from auditor.jobs.workers import outcomes
from auditor.store.ledger import Ledger
from auditor.store.writer import Store

#: A commit is due after as many records or seconds: what a kill throws away is read again.
_RECORDS = 10_000
_SECONDS = 1.0


@dataclass(slots=True)
class _File:
    """How far one file is."""

    digest: str = ""
    done: int = 0  # bytes
    hands: int = 0
    rejects: int = 0


@dataclass(slots=True)
class _Checkpoint:
    """What is to be stored together: small files share a commit."""

    results: list[tuple[int, Outcomes, bool]] = field(default_factory=list)
    offsets: dict[tuple[str, int], int] = field(default_factory=dict)
    files: list[AuditedFile] = field(default_factory=list)
    records: int = 0
    _since: float = field(default_factory=time.monotonic)

    @property
    def due(self) -> bool:
        return self.records >= _RECORDS or time.monotonic() - self._since >= _SECONDS


@dataclass(slots=True)
class Job:
    """One job, and how far it is; `run` does it.

    `store`: where all of it goes; without one, findings are all that comes out. `workers`: processes.
    """

    files: Sequence[HandFile]
    store: Store | None = None
    workers: int = 1
    damaged: bool = False
    files_done: int = 0
    files_known: int = 0  # of them, audited before, by their content
    hands: int = 0
    done: int = 0  # bytes
    _files: list[_File] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Bytes of all files."""
        return sum(each.size for each in self.files)

    def run(self) -> Iterator[tuple[int, Outcomes, bool]]:
        """What came out: the number of the file, the outcomes, which are stored by then, and whether it was the last.

        Of one file in order, of several mixed. Raises `auditor.jobs.workers.WorkerFailed`, and what the store raises.
        """
        ledger = Ledger(self.store) if self.store is not None else None
        known = ledger.digests() if ledger is not None else {}
        repeated = _Repeated(ledger) if ledger is not None else _ToldOnce()
        self._files = [_File() for _ in self.files]
        waiting = _Checkpoint()
        for message in outcomes(self._tasks(), frozenset(known), self.workers):
            file = self._files[message.task]
            if isinstance(message, Begun):
                file.digest = message.digest
                if message.last:
                    self.files_known += 1
                    self.damaged = self.damaged or known[message.digest]
                    self._finished(message.task)
                    waiting.results.append((message.task, Outcomes(), True))
                continue
            out = repeated(message.outcomes)
            self._count(message, out)
            if message.last:
                self._finished(message.task)
            self._add(waiting, message, out)
            if waiting.due:
                yield from self._stored(waiting)
                waiting = _Checkpoint()
                repeated.stored()
        yield from self._stored(waiting)

    def _tasks(self) -> Iterator[Task]:
        offsets = self.store.offsets() if self.store is not None else {}
        for number, file in enumerate(self.files):
            start = offsets.get((file.identity, 0), 0)
            yield Task(number, file, start, self.store is not None)

    def _add(self, waiting: _Checkpoint, part: Part, out: Outcomes) -> None:
        file, input_ = self._files[part.task], self.files[part.task]
        waiting.results.append((part.task, out, part.last))
        waiting.records += out.taken
        place = (input_.identity, 0)
        if part.last and file.digest:
            now = datetime.now(UTC)
            row = AuditedFile(file.digest, input_.name, input_.size, file.hands, file.rejects, part.damaged, now)
            waiting.files.append(row)
            if not (file.rejects or part.damaged):
                # Should the file grow, its hands are known by their tables; only rejects need their place.
                waiting.offsets.pop(place, None)
                return
        if part.next_offset:
            waiting.offsets[place] = part.next_offset

    def _stored(self, waiting: _Checkpoint) -> Iterator[tuple[int, Outcomes, bool]]:
        if self.store is not None and waiting.results:
            self.store.commit(_together(out for _, out, _ in waiting.results), waiting.offsets, files=waiting.files)
        yield from waiting.results

    def _count(self, part: Part, out: Outcomes) -> None:
        file = self._files[part.task]
        self.done += part.done - file.done
        file.done = part.done
        file.hands += out.hands_closed
        file.rejects += len(out.rejects)
        self.hands += out.hands_closed
        self.damaged = self.damaged or part.damaged

    def _finished(self, number: int) -> None:
        self.files_done += 1
        self.done += self.files[number].size - self._files[number].done
        self._files[number].done = self.files[number].size


class _Repeated:
    """Takes the hands out of outcomes that are stored already: files overlap, and one may hold what another held."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._seen = Seen(self._known)
        self._waiting: set[str] = set()  # tables that the next commit will store
        for table_id in ledger.table_ids():
            self._seen.add(table_id)

    def __call__(self, out: Outcomes) -> Outcomes:
        before = self._seen.among(out.tables)
        self._waiting.update(out.tables)
        for table_id in out.tables:
            self._seen.add(table_id)
        return _without(out, before) if before else out

    def stored(self) -> None:
        """All that came so far is in the store."""
        self._waiting.clear()

    def _known(self, table_ids: Iterable[str]) -> set[str]:
        ids = set(table_ids)
        return (ids & self._waiting) | self._ledger.known_tables(ids)


class _ToldOnce:
    """Where nothing is stored, a hand that comes again is audited again, and its findings are told once."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def __call__(self, out: Outcomes) -> Outcomes:
        out.findings = {key: each for key, each in out.findings.items() if key not in self._told}
        self._told.update(out.findings)
        return out

    def stored(self) -> None:
        """There is no store."""


def in_order(results: Iterable[tuple[int, Outcomes, bool]]) -> Iterator[Outcomes]:
    """The results of a job in the order of its files. What waits for its turn is without the rows of a store."""
    turn = 0
    waiting: dict[int, list[Outcomes]] = {}
    over: set[int] = set()
    for number, out, last in results:
        if number == turn:
            yield out
        else:
            waiting.setdefault(number, []).append(_told(out))
        if last:
            over.add(number)
        while turn in over:
            over.discard(turn)
            turn += 1
            yield from waiting.pop(turn, ())


def _told(out: Outcomes) -> Outcomes:
    """Outcomes without what goes to a store."""
    return replace(out, events=[], hands={}, tables={}, rejects=out.rejects)


def _together(some: Iterable[Outcomes]) -> Outcomes:
    """Outcomes as one."""
    whole = Outcomes()
    for out in some:
        whole.events += out.events
        whole.rejects += out.rejects
        whole.findings |= out.findings
        whole.hands |= out.hands
        whole.tables |= out.tables
    return whole


def _without(out: Outcomes, tables: set[str]) -> Outcomes:
    events = [row for row in out.events if row[0] not in tables]
    hands = {key: hand for key, hand in out.hands.items() if key[0] not in tables}
    return Outcomes(
        events=events,
        rejects=out.rejects,
        findings={key: each for key, each in out.findings.items() if each.table_id not in tables},
        hands=hands,
        tables={table_id: record for table_id, record in out.tables.items() if table_id not in tables},
        taken=out.taken,
        duplicates=out.duplicates + len(out.events) - len(events),
        hands_closed=sum(hand.status != "open" for hand in hands.values()),
    )
