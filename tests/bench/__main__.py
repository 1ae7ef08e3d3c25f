"""`python -m tests.bench [NAME…]`: run the measures and print them as a table."""

from __future__ import annotations

import os
import platform
import sys

from auditor.cli.audit import spare_collector
from tests.bench import latency, measures, scaling

ALL = (*measures.ALL, latency.event_to_finding, scaling.throughput, scaling.tables)


def main(names: list[str]) -> None:
    if hasattr(os, "sched_setaffinity"):
        # One core for what is measured; a broker that it starts takes another, where there is one.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    spare_collector()  # as the command does
    chosen = [m for m in ALL if not names or m.__name__ in names]
    print(f"Python {platform.python_version()}, {platform.machine()}, one core; medians of {measures.ROUNDS} runs\n")
    print("| measure | figure | target | met |\n|---|---|---|---|")
    for measure in chosen:
        for what, figure, target, met in measure():
            verdict = "–" if met is None else "yes" if met else "no"
            print(f"| {what} | {figure} | {target} | {verdict} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
