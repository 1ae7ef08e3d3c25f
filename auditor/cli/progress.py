"""Progress on stderr, for whatever takes longer than a moment, where somebody is looking."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Counted(Protocol):
    """Something that knows how many bytes it has read."""

    done: int
    total: int | None


def on_terminal() -> bool:
    """Whether stderr is a terminal."""
    return sys.stderr.isatty()


@contextmanager
def bytes_read(feed: Counted) -> Iterator[None]:
    """Show how much of the feed has been read, and how fast, a few times a second."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    stop = threading.Event()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("audit", total=feed.total)

        def follow() -> None:
            while not stop.wait(0.2):
                progress.update(task, completed=feed.done, total=feed.total)

        follower = threading.Thread(target=follow, daemon=True)
        follower.start()
        try:
            yield
        finally:
            stop.set()
            follower.join()
