"""`python -m tests.bench [NAME…]`: run the measures and print them as a table; those that take minutes by name only."""

from __future__ import annotations

import os
import platform
import sys

from auditor import desk
from auditor.cli.audit import spare_collector
from tests.bench import formats, latency, measures, scaling

USUAL = (*measures.ALL, *formats.ALL)
#: These take minutes, and the last of them both cores.
LONG = (*formats.LONG, latency.event_to_finding, scaling.throughput, scaling.tables)


def main(names: list[str]) -> None:
    if hasattr(os, "sched_setaffinity"):
        # One core for what is measured, unless its line says otherwise; a broker has all of them.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    spare_collector()  # as the command does
    chosen = [m for m in (*USUAL, *LONG) if m.__name__ in names] if names else USUAL
    core = "plain Python" if desk.__file__.endswith(".py") else "compiled"
    where = f"Python {platform.python_version()}, {platform.machine()}, the core {core}"
    print(f"{where}, one core unless said otherwise; medians of {measures.ROUNDS} runs\n")
    print("| measure | figure | target | met |\n|---|---|---|---|")
    for measure in chosen:
        for what, figure, target, met in measure():
            verdict = "–" if met is None else "yes" if met else "no"
            print(f"| {what} | {figure} | {target} | {verdict} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
