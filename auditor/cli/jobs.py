"""Files of hands as a job: how many processes, what is shown of it, what can end it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol

import typer

from auditor.cli.exits import UNAVAILABLE, fail
from auditor.cli.progress import hands_done, on_terminal

if TYPE_CHECKING:
    from auditor.feeds.files import HandFile
    from auditor.intake import Outcomes
    from auditor.store.writer import Store

#: Bytes that are worth the start of further processes: some seconds of work.
_WORTH_IT = 4 << 20


class Taker(Protocol):
    """Who is told what came out, in the order of the files."""

    def add(self, outcomes: Outcomes) -> None: ...


def run_job(files: Sequence[HandFile], store: Store | None, taker: Taker, *, jobs: int | None, progress: bool) -> bool:
    """Audit the files. Returns whether one was damaged. A process that dies ends the command, in plain words."""
    from auditor.jobs.job import Job, in_order
    from auditor.jobs.workers import WorkerFailed, cores

    enough = sum(each.size for each in files) >= _WORTH_IT
    job = Job(files, store, workers=min(jobs or (cores() if enough else 1), len(files)))
    with hands_done(job, len(files)) if progress and on_terminal() else nullcontext():
        try:
            for outcomes in in_order(job.run()):
                taker.add(outcomes)
        except WorkerFailed as failed:
            fail(UNAVAILABLE, f"{failed}; what was stored before stays, and the next start goes on from there")
    if job.files_known:
        typer.echo(f"{job.files_known:,} of {len(files):,} files were audited before, and skipped", err=True)
    return job.damaged
