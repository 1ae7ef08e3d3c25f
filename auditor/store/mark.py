"""The mark: a small file beside a store that says how many checkpoints were committed to it.

DuckDB keeps its newest transactions in a log beside the file. A log that was cut short, or broken in its first
entries, is replayed as far as it goes, or not at all, and not a word is said. Only something outside of both files
can tell that transactions are missing.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_DIGITS: Final = 20  # always as many, so that a note overwrites the one before it whole, in one sector of the disk

# The bytes alone, where the system can: the time of the change is of no interest, and costs a write of its own.
_to_disk: Final = getattr(os, "fdatasync", os.fsync)


class MarkUnreadable(ValueError):
    """The file is there, and holds no number."""


class Mark:
    """The mark of one store, for its one writer. Every method may raise `OSError`: the disk is full, or broken."""

    def __init__(self, store: Path) -> None:
        self._file = os.open(mark_of(store), os.O_RDWR | os.O_CREAT, 0o666)

    def note(self, checkpoint: int) -> None:
        """So many checkpoints are in the store for good. On return that is on the disk."""
        os.pwrite(self._file, b"%0*d\n" % (_DIGITS, checkpoint), 0)
        _to_disk(self._file)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)


def mark_of(store: Path) -> Path:
    """Where the mark of a store is."""
    return store.with_name(f"{store.name}.mark")


def marked(store: Path) -> int | None:
    """How many checkpoints a store was told to hold; None where it has no mark. Raises `MarkUnreadable`, `OSError`."""
    try:
        text = mark_of(store).read_bytes()
    except FileNotFoundError:
        return None
    if not text:  # its writer was killed between making the file and the first note
        return None
    try:
        return int(text)
    except ValueError:
        raise MarkUnreadable(f"{mark_of(store)} holds no number of checkpoints") from None
