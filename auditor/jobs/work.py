"""The work on one file: read it, audit it, hand over what came out, some of it at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from auditor.audit import Audit
from auditor.feeds.files import HandFile
from auditor.findings import Reject
from auditor.intake import Outcomes, Record

#: Records of which the outcome is handed over together: a commit costs milliseconds, a part memory.
PART = 5_000

#: How the record of a table's opening begins, as `auditor.wire.dump` writes it.
_OPENS = b'{"type":"table_opened"'

_READ = 1 << 20


@dataclass(frozen=True, slots=True)
class Task:
    """One file to be audited, from `start` on: the number of the first record that is not stored yet."""

    number: int  # in the order of the job
    file: HandFile
    start: int = 0
    keep_events: bool = False


@dataclass(frozen=True, slots=True)
class Begun:
    """A file is taken up. `last` says that its content was audited before, and nothing more comes of it."""

    task: int
    digest: str
    last: bool


@dataclass(frozen=True, slots=True)
class Part:
    """What came out of a part of a file, and where the file goes on."""

    task: int
    outcomes: Outcomes
    next_offset: int
    done: int  # bytes of the file that were read
    last: bool = False
    damaged: bool = False  # the file broke off, or is of no known format


def work(task: Task, known: frozenset[str]) -> Iterator[Begun | Part]:
    """All that comes out of one file. `known`: the content of files that need not be read again."""
    digest = _digest(Path(task.file.path))
    yield Begun(task.number, digest, digest in known)
    if digest in known:
        return
    feed = task.file.open()
    offset = task.start
    for items in parts(feed):
        core = Audit(keep_events=task.keep_events)  # a new one: no hand goes on from one part to the next
        core.take_all(item for item in items if item.offset >= task.start)
        core.finish()
        # Where a file breaks off, its rest may be there the next time: that place is not passed.
        passed = [item.offset for item in items if not (feed.damaged and isinstance(item, Reject))]
        offset = max(offset, passed[-1] + 1) if passed else offset
        yield Part(task.number, core.drain(), offset, feed.done)
    yield Part(task.number, Outcomes(), offset, feed.done, last=True, damaged=feed.damaged)


def parts(items: Iterable[Record | Reject]) -> Iterator[list[Record | Reject]]:
    """The records of a file of hands, some thousand at a time, and no hand in two parts: each begins with its table."""
    part: list[Record | Reject] = []
    for item in items:
        if len(part) >= PART and (isinstance(item, Reject) or item.raw.startswith(_OPENS)):
            yield part
            part = []
        part.append(item)
    if part:
        yield part


def _digest(path: Path) -> str:
    """The content of a file, as it is on disk. One that cannot be read has none: it is met again when it is audited."""
    content = blake2b(digest_size=16)
    try:
        with path.open("rb") as file:
            while block := file.read(_READ):
                content.update(block)
    except OSError:
        return ""
    return content.hexdigest()
