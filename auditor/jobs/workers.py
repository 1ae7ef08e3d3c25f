"""Several processes at work on the files of a job; one process, this one, gets all that comes out."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from multiprocessing.process import BaseProcess
from queue import Empty
from typing import Any, NamedTuple

from auditor.jobs.work import Begun, Part, Task, work

#: Parts that wait for the writer, for each worker: a slow store makes the workers wait, and memory does not grow.
_WAITING = 2
_PATIENCE = 0.5  # seconds between two looks at whether the workers live
_GOODBYE = 5.0  # seconds that a worker may take to leave


class WorkerFailed(Exception):
    """A worker died or raised. Its text names the file that it was at work on."""


class _Failure(NamedTuple):
    task: int
    text: str


def outcomes(tasks: Iterable[Task], known: frozenset[str], workers: int) -> Iterator[Begun | Part]:
    """All that comes out of the tasks. With one worker it is this process, and they are done one after the other.

    With several, what comes of one file keeps its order, and files are mixed. Raises `WorkerFailed`.
    """
    if workers == 1:
        for task in tasks:
            yield from work(task, known)
        return
    crew = _Crew(tasks, known, workers)
    try:
        yield from crew.outcomes()
    finally:
        crew.leave()


class _Crew:
    """The workers, what each is at work on, and what is still to be done."""

    def __init__(self, tasks: Iterable[Task], known: frozenset[str], workers: int) -> None:
        # Spawned, not forked: a fork would take this process's store and threads along.
        context = multiprocessing.get_context("spawn")
        self._results: Any = context.Queue(maxsize=_WAITING * workers)
        self._inboxes = [context.SimpleQueue() for _ in range(workers)]
        self._coming = iter(tasks)
        self._at_work: dict[int, Task] = {}  # by worker
        self._workers: list[BaseProcess] = [
            context.Process(target=_serve, args=(number, inbox, self._results, known), daemon=True)
            for number, inbox in enumerate(self._inboxes)
        ]
        for worker in self._workers:
            worker.start()
        for number in range(workers):
            self._give(number)

    def outcomes(self) -> Iterator[Begun | Part]:
        while self._at_work:
            try:
                number, message = self._results.get(timeout=_PATIENCE)
            except Empty:
                self._check()
                continue
            if isinstance(message, _Failure):
                raise WorkerFailed(f"{self._at_work[number].file.name}: the audit failed:\n{message.text}")
            yield message
            if message.last:
                self._give(number)

    def leave(self) -> None:
        """No more work. A worker that does not leave by itself is made to: nothing of it is stored yet."""
        for inbox in self._inboxes:
            with suppress(OSError):  # a worker that died has closed it
                inbox.put(None)
        for worker in self._workers:
            if self._at_work:
                worker.terminate()
            worker.join(_GOODBYE)
        self._results.cancel_join_thread()

    def _give(self, number: int) -> None:
        task = next(self._coming, None)
        if task is None:
            self._at_work.pop(number, None)
        else:
            self._at_work[number] = task
            self._inboxes[number].put(task)

    def _check(self) -> None:
        for number, worker in enumerate(self._workers):
            if not worker.is_alive() and number in self._at_work:
                name = self._at_work[number].file.name
                raise WorkerFailed(f"{name}: the process at work on it died (exit code {worker.exitcode})")


def _serve(number: int, inbox: Any, results: Any, known: frozenset[str]) -> None:
    """A worker's whole life."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who stores
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    while (task := inbox.get()) is not None:
        try:
            for message in work(task, known):
                results.put((number, message))
        except Exception:  # noqa: BLE001 - told to the one who stores, and raised there
            results.put((number, _Failure(task.number, traceback.format_exc())))
            return


def _leave_with_parent() -> None:
    """Without the one who stores there is nothing to work for: a killed job leaves no worker behind."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else multiprocessing.cpu_count()
