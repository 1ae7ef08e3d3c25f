"""Writers of hand histories for the benchmark: the same simulated hands in every format that is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tests.bench.writers import bovada, ohh, phh, pokergfx, pokernow, pokerstars
from tests.bench.writers.tables import Table


def _jsonl(tables: Sequence[Table]) -> str:
    return "".join(f"{line.decode()}\n" for table in tables for line in table.lines)


#: By the format's name: the text of one file.
WRITERS: Mapping[str, Callable[[Sequence[Table]], str]] = {
    "jsonl": _jsonl,
    "phh": phh.text,
    "ohh": ohh.text,
    "pokergfx": pokergfx.text,
    "pokerstars": pokerstars.text,
    "pokernow": pokernow.text,
    "bovada": bovada.text,
}
