"""`auditor run`, born fast and killed at any moment: a process that is forked with everything imported already."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.process import BaseProcess
from pathlib import Path

from live_kit import WAIT, Topics, arguments

from auditor.store.mark import marked


def nursery() -> ForkServerContext:
    """Where lives come from. The first takes a second or two, every other a few milliseconds."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["auditor.cli.main", "auditor.cli.run", "auditor.live", "auditor.cli.outlets"])
    return context


@contextmanager
def life(
    context: ForkServerContext, topics: Topics, store: Path, log: Path, *options: str
) -> Iterator[ForkServerProcess]:
    """A service at work, killed at the end."""
    process = context.Process(target=_live, args=(arguments(topics, store, *options), log))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def _live(words: Sequence[str], log: Path) -> None:
    from auditor.cli.main import main

    sys.stderr = log.open("a")
    sys.argv = ["auditor", *words]
    main()


def once_it_has_committed(process: BaseProcess, store: Path, before: int) -> None:
    """Wait until there is one checkpoint more than before."""
    until = time.monotonic() + WAIT
    while (marked(store) or 0) <= before:
        assert process.is_alive(), f"it ended by itself, with {process.exitcode}"
        assert time.monotonic() < until, "it committed nothing"
        time.sleep(0.005)
