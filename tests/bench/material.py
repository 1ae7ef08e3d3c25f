"""What the measures run on: real hands where they are, and a simulated room."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from auditor.simulate import play

ROOT = Path(__file__).parents[2]
REAL_HANDS = Path(os.environ.get("AUDITOR_REAL_HANDS", ROOT.parent / "shared" / "data" / "pokerkit-phh.tar.gz"))


def real_hands(folder: Path, count: int, collection: str = "pluribus") -> list[Path]:
    """The first hands of a collection, unpacked as files; none where the archive is missing.

    `pluribus`: no-limit hold'em; `wsop`: the games of a mixed event.
    """
    if not REAL_HANDS.is_file():
        return []
    with tarfile.open(REAL_HANDS) as archive:
        members = sorted((m for m in archive if collection in m.name and m.isfile()), key=lambda m: m.name)
        archive.extractall(folder, members[:count], filter="data")
        return [folder / member.name for member in members[:count]]


def room(events: int, mistakes: float = 0.02, tables: int = 20) -> Iterator[bytes]:
    """So many events of a simulated room, in time order."""
    return islice(play(tables=tables, hands=10_000, mistakes=mistakes, seed=1), events)
