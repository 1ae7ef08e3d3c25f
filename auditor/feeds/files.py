"""Files, folders and standard input as one feed: found, opened, their format told by their content."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import blake2b
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import NoReturn, cast

from auditor.feeds import jsonl
from auditor.feeds.formats import FORMATS, Format, format_of
from auditor.feeds.merge import Merge, Part, instant
from auditor.feeds.pseudonyms import Pseudonyms
from auditor.feeds.streams import KEPT, Stream
from auditor.findings import Reject
from auditor.intake import Record

#: What stands for standard input among the paths.
STDIN = "-"

# Enough of a file to tell it from others: events carry times, and hands their cards.
_BEGINNING = 64 << 10

#: A file that is open, and its format.
_Opened = tuple[Stream, Format | None]

_DIGITS = re.compile(r"([0-9]+)")


@dataclass(frozen=True, slots=True)
class _Input:
    path: Path | None  # None: standard input
    name: str  # what its records call it
    long_name: str  # with the argument it was found under
    given: bool  # by itself, not found in a folder
    size: int | None  # bytes on disk; None for a pipe


@dataclass(frozen=True, slots=True)
class HandFile:
    """A file of hands of which each is a table of its own: it can be read by itself, at any time, by any process."""

    path: str
    name: str  # what its records call it
    identity: str  # see `FileFeed.identity`
    format: str
    size: int  # bytes on disk
    pseudonyms: Pseudonyms | None = None

    def open(self) -> FileFeed:
        """Its records."""
        only = _Input(Path(self.path), self.name, self.name, given=True, size=self.size)
        return FileFeed([only], FORMATS[self.format], self.pseudonyms)


class FileFeed:
    """The records of the files, gone through once; how far it is can be asked at any time.

    `done` and `total` are bytes on disk; `total` is None where standard input or a pipe is among the files. `damaged`
    turns true when a file broke off or could not be read, or when a file given by itself is of no known format.
    """

    def __init__(self, inputs: Sequence[_Input], fmt: Format | None, pseudonyms: Pseudonyms | None = None) -> None:
        self.done = 0
        self.damaged = False
        self._inputs = inputs
        self._fmt = fmt
        self._pseudonyms = pseudonyms
        self._identities: dict[str, str] = {}
        self._begins: dict[str, datetime | None] = {}  # the time of its first event
        self._merge = Merge(())
        sizes = [each.size for each in inputs if each.size is not None]
        self.total: int | None = sum(sizes) if len(sizes) == len(inputs) else None

    @property
    def names(self) -> tuple[str, ...]:
        """The files, as the records name them, in the order in which they are read."""
        return tuple(each.name for each in self._inputs)

    def identity(self, source: str) -> str:
        """What tells a file from others of its name, whenever it is read: its name and a digest of its beginning.

        A file that has grown is still the same, unless it was very short; one that was replaced is another. `source`
        is a record's: ask once the record is there, for the file must have been opened. A pipe comes in pieces of any
        size and may be another each time.
        """
        return self._identities[source]

    def apart(self) -> tuple[FileFeed, list[HandFile]]:
        """What has to be read in order, and the files of hands, which need not be."""
        hand_files, others = [], []
        for each in self._inputs:
            fmt = self._fmt if each.size is None else self._looked_at(each)
            if each.path is not None and each.size is not None and fmt is not None and fmt.hands:
                identity = self._identities[each.name]
                hand_files.append(HandFile(str(each.path), each.name, identity, fmt.name, each.size, self._pseudonyms))
            else:
                others.append(each)
        return FileFeed(others, self._fmt, self._pseudonyms), hand_files

    def hold_back(self, ahead: Collection[str]) -> None:
        """These files, by their names, have run ahead: too many events of a table wait for those of another file."""
        self._merge.hold_back(ahead)

    def _looked_at(self, each: _Input) -> Format | None:
        with ExitStack() as stack:
            return self._begun(each, Stream(_reader(each, stack)))

    def __iter__(self) -> Iterator[Record | Reject]:
        return self._named() if self._pseudonyms is None else self._pseudonyms.over(self._named())

    def _named(self) -> Iterator[Record | Reject]:
        """Hand histories one after the other; of anything else, several files are one feed."""
        with ExitStack() as stack:
            # A pipe cannot be looked at and opened again.
            pipes = {place: self._opened(each, stack) for place, each in enumerate(self._inputs) if each.size is None}
            reads = [partial(self._read, each, pipes.get(place)) for place, each in enumerate(self._inputs)]
            if len(reads) == 1 or self._hold_hands(pipes):
                yield from chain.from_iterable(read() for read in reads)
            else:
                parts = zip(self._inputs, reads, strict=True)
                self._merge = Merge([Part(each.name, self._begins[each.name], read) for each, read in parts])
                yield from self._merge

    def _hold_hands(self, pipes: Mapping[int, _Opened]) -> bool:
        """Whether there are hands among the files, of which each is a table of its own."""
        formats = (
            pipes[place][1] if place in pipes else self._looked_at(each) for place, each in enumerate(self._inputs)
        )
        return any(fmt is not None and fmt.hands for fmt in formats)

    def _read(self, each: _Input, opened: _Opened | None) -> Iterator[Record | Reject]:
        with ExitStack() as stack:
            yield from self._records(each, *(opened or self._opened(each, stack)))

    def _opened(self, each: _Input, stack: ExitStack) -> _Opened:
        stream = Stream(self._counted(_reader(each, stack)))
        return stream, self._begun(each, stream)

    def _begun(self, each: _Input, stream: Stream) -> Format | None:
        """The format, and what else the beginning tells."""
        fmt = self._fmt or format_of(stream)
        head = next(stream, b"")
        stream.push_back(head)
        digest = blake2b(head[:_BEGINNING], digest_size=8).hexdigest()
        self._identities[each.name] = f"{each.name}~{digest}"
        self._begins[each.name] = instant(head)
        return fmt

    def _counted(self, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
        def counted(size: int) -> bytes:
            piece = read(size)
            self.done += len(piece)
            return piece

        return counted

    def _records(self, each: _Input, stream: Stream, fmt: Format | None) -> Iterator[Record | Reject]:
        if fmt is not None:
            yield from fmt.read(stream, each.name)
        elif stream.damage is not None:
            yield from jsonl.read(stream, each.name)  # it says what is damaged
        else:
            yield from self._unknown(each, stream)
        self.damaged = self.damaged or stream.damage is not None

    def _unknown(self, each: _Input, stream: Stream) -> Iterator[Reject]:
        head = next(stream, b"")
        if head and not head.isspace():
            self.damaged = self.damaged or each.given
            reason = (
                "neither events nor hand histories: expected is"
                f" {', '.join(each.title for each in FORMATS.values())}, plain or compressed with gzip or zstd"
            )
            yield Reject(source=each.name, offset=1, raw=head[:KEPT], reason=reason)


def open_feed(paths: Sequence[Path | str], fmt: str | None = None, pseudonyms: Pseudonyms | None = None) -> FileFeed:
    """The feed of files, folders and `-` (standard input); `fmt` overrides what the content says.

    With `pseudonyms`, no name of a player leaves it.

    Folders are walked in natural order (10 after 9), hidden files left out. Raises `FileNotFoundError` for a path that
    is not there, `OSError` for a folder that cannot be listed and `ValueError` for a format that does not exist.
    """
    if fmt is not None and fmt not in FORMATS:
        raise ValueError(f"unknown format {fmt!r}: expected is {' or '.join(FORMATS)}")
    found = [each for path in paths for each in _inputs(path)]
    # Two files may not go by one name, or their lines could not be told apart.
    taken = Counter(each.name for each in found)
    inputs = [
        each if taken[each.name] == 1 else _Input(each.path, each.long_name, each.long_name, each.given, each.size)
        for each in found
    ]
    return FileFeed(inputs, FORMATS[fmt] if fmt is not None else None, pseudonyms)


def _inputs(path: Path | str) -> Iterator[_Input]:
    if str(path) == STDIN:
        yield _Input(None, STDIN, STDIN, given=True, size=None)
        return
    path = Path(path)
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        for below in sorted(_walk(path), key=_natural):
            yield _found(path, below)
    else:
        size = status.st_size if stat.S_ISREG(status.st_mode) else None
        yield _Input(path, _text(path.name), _text(str(path)), given=True, size=size)


def _found(folder: Path, below: Path) -> _Input:
    path = folder / below
    # A link that leads nowhere stays in: that it cannot be read is said when it is read.
    size = path.stat().st_size if path.exists() else 0
    return _Input(path, _text(below.as_posix()), _text(path.as_posix()), given=False, size=size)


def _walk(folder: Path) -> Iterator[Path]:
    """The files below a folder, relative to it; no hidden ones, no devices and pipes."""
    for where, folders, files in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if not name.startswith(".")]
        here = Path(where)
        for name in files:
            path = here / name
            if not name.startswith(".") and (path.is_file() or not path.exists()):
                yield path.relative_to(folder)


def _raise(error: OSError) -> NoReturn:
    raise error


def _natural(path: Path) -> list[list[str | int]]:
    """Sorts as a person would: 9 before 10. Text and numbers alternate, so like is compared with like."""
    return [
        [int(part) if place % 2 else part.casefold() for place, part in enumerate(_DIGITS.split(name))]
        for name in path.parts
    ]


def _text(name: str) -> str:
    """A file's name as text that can be stored; a name need not be UTF-8."""
    return os.fsencode(name).decode(errors="replace")


def _reader(each: _Input, stack: ExitStack) -> Callable[[int], bytes]:
    if each.path is None:
        return cast("BufferedReader", sys.stdin.buffer).read1  # what is there now: the pipe may be live
    try:
        return stack.enter_context(each.path.open("rb", buffering=0)).read
    except OSError as error:
        return _failing(error)


def _failing(error: OSError) -> Callable[[int], bytes]:
    """A reader that tells the stream what went wrong, so that it is reported like any other damage."""

    def read(_size: int) -> bytes:
        raise error

    return read
