"""A damaged store: out of the way, and never deleted. What it holds may be all that is left of some hands."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from auditor.store.mark import mark_of

# DuckDB's log, and what stands for it while a checkpoint is under way or was interrupted.
_LOGS: Final = (".wal", ".wal.checkpoint", ".wal.recovery")


def set_aside(store: Path) -> Path:
    """Rename a store with all that belongs to it, and say where it is now. No process may have it open.

    The name that it gets is free, and its log keeps the name that DuckDB looks for. Raises `OSError`.
    """
    aside = _free_name(store)
    # The mark goes last: should the process be killed in between, it still stands for a store that is not whole.
    moves = [(_beside(store, log), _beside(aside, log)) for log in _LOGS]
    for old, new in (*moves, (store, aside), (mark_of(store), mark_of(aside))):
        if old.exists():
            old.rename(new)
    return aside


def _free_name(store: Path) -> Path:
    base = f"{store.name}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    number, aside = 1, store.with_name(base)
    while any(each.exists() for each in (aside, mark_of(aside), *(_beside(aside, log) for log in _LOGS))):
        number += 1
        aside = store.with_name(f"{base}-{number}")
    return aside


def _beside(store: Path, suffix: str) -> Path:
    return store.with_name(store.name + suffix)
