"""Progress on stderr, for whatever takes longer than a moment, where somebody is looking."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.progress import ProgressColumn


class Counted(Protocol):
    """Something that knows how many bytes it has read."""

    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int | None: ...


def on_terminal() -> bool:
    """Whether stderr is a terminal."""
    return sys.stderr.isatty()


class Work(Counted, Protocol):
    """A job that knows how many of its files and hands are done."""

    @property
    def files_done(self) -> int: ...
    @property
    def hands(self) -> int: ...


@contextmanager
def bytes_read(feed: Counted) -> Iterator[None]:
    """Show how much of the feed has been read, and how fast, a few times a second."""
    from rich.progress import BarColumn, DownloadColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with _followed(columns, lambda: {"completed": feed.done, "total": feed.total}):
        yield


@contextmanager
def hands_done(job: Work, files: int) -> Iterator[None]:
    """Show how many files and hands of a job are done, how fast, and how long the rest will take."""
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    began = time.monotonic()
    counts = TextColumn("{task.fields[files]:,} of {task.fields[all]:,} files, {task.fields[hands]:,} hands")
    rate = TextColumn("{task.fields[rate]:,.0f} hands/s")

    def now() -> dict[str, Any]:
        pace = job.hands / max(time.monotonic() - began, 0.001)
        return {"completed": job.done, "total": job.total, "files": job.files_done, "hands": job.hands, "rate": pace}

    with _followed((BarColumn(), counts, rate, TimeRemainingColumn()), now, all=files):
        yield


@contextmanager
def _followed(columns: tuple[ProgressColumn, ...], now: Callable[[], dict[str, Any]], **fixed: Any) -> Iterator[None]:
    """A bar on stderr that asks a few times a second how far things are."""
    from rich.console import Console
    from rich.progress import Progress

    stop = threading.Event()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("audit", **fixed, **now())

        def follow() -> None:
            while not stop.wait(0.2):
                progress.update(task, **now())

        follower = threading.Thread(target=follow, daemon=True)
        follower.start()
        try:
            yield
        finally:
            stop.set()
            follower.join()
