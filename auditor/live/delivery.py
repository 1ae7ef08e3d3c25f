"""Findings and rejects on their way out, besides the store: each at least once, and never at the audit's expense.

With each checkpoint goes into the store's outbox what is to go out; an outlet takes it from a thread of its own, and
what every outlet has taken leaves the outbox with a later checkpoint. What was not taken when the process ended goes
out with the next start. An outlet that fails is asked again, ever more seldom, as long as the process lives; meanwhile
its letters wait in the outbox, on the disk, and no more of them in memory than `_MOST_HELD`. How many wait, how often
an outlet failed and what it refused for good is counted here, for whoever shows it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Final, Protocol

from auditor.findings import Finding, Reject
from auditor.intake import DeadLetters, Letter, Outcomes, Publisher, PublishFailed

log = logging.getLogger(__name__)

_MOST_HELD: Final = 5_000  # letters in memory
_AT_ONCE: Final = 500  # letters that an outlet is given at once
_FIRST_PAUSE: Final = 1.0  # seconds after a failure; twice as long after each further one
_LONGEST_PAUSE: Final = 60.0
_GRACE: Final = 1.0  # seconds that the outlets get at the end

#: Hands some letters over; raises `PublishFailed`.
Send = Callable[[Sequence[Finding | Reject]], None]


class Outbox(Protocol):
    """The store's side of it."""

    @property
    def last_letter(self) -> int: ...
    def letters(self, after: int, most: int) -> list[Letter]: ...
    def forget_letters(self, delivered: int) -> None: ...
    def commit(
        self,
        outcomes: Outcomes,
        offsets: Mapping[tuple[str, int], int],
        *,
        letters: Sequence[Letter] = (),
        delivered: int = 0,
    ) -> None: ...


class Posting:
    """A store that also sends out what it is given. Close it before the outlets and the store."""

    def __init__(self, store: Outbox, publishers: Sequence[Publisher], dead_letters: DeadLetters | None) -> None:
        self._store = store
        self._findings_too = bool(publishers)
        self._rejects_too = dead_letters is not None
        self.outlets = [Outlet(publisher, _findings(publisher)) for publisher in publishers]
        if dead_letters is not None:
            self.outlets.append(Outlet(dead_letters, _rejects(dead_letters)))
        self._number = store.last_letter  # the highest in the outbox
        self._offered = 0  # the highest that the outlets were given
        left = store.letters(0, 1)  # by an earlier process
        self._forgotten = left[0].number - 1 if left else self._number  # the highest that has left the outbox
        self._offer([])

    @property
    def waiting(self) -> int:
        """Letters in the outbox that not every outlet has taken. Asked from any thread."""
        # What is gone is read first: the outlets go on meanwhile, and a letter has its number before it is taken.
        gone = max(self._forgotten, min(outlet.taken for outlet in self.outlets))
        return self._number - gone

    def commit(self, outcomes: Outcomes, offsets: Mapping[tuple[str, int], int]) -> None:
        """Store a checkpoint with what is to go out of it. Raises as the store does, or what ended an outlet."""
        self._raise_what_ended_an_outlet()
        delivered = self._delivered()
        letters = self._letters(outcomes)
        self._store.commit(outcomes, offsets, letters=letters, delivered=delivered)
        self._forgotten = max(self._forgotten, delivered)
        self._offer(letters)

    def close(self) -> None:
        """Give the outlets a moment, and leave the rest to the next start."""
        until = time.monotonic() + _GRACE
        for outlet in self.outlets:
            outlet.finish(until)
        if delivered := self._delivered():
            self._store.forget_letters(delivered)
        self._raise_what_ended_an_outlet()

    def _letters(self, outcomes: Outcomes) -> list[Letter]:
        what: list[Finding | Reject] = []
        if self._findings_too:
            what += outcomes.findings.values()
        if self._rejects_too:
            what += outcomes.rejects
        return [Letter(self._number + count, each) for count, each in enumerate(what, 1)]

    def _offer(self, letters: list[Letter]) -> None:
        """New letters to the outlets; where some had to stay behind in the outbox, as many as there is room for."""
        room = _MOST_HELD - max(outlet.waiting for outlet in self.outlets)
        left_behind = self._offered < self._number
        self._number += len(letters)
        if left_behind or len(letters) > room:
            letters = self._store.letters(self._offered, room) if room > 0 else []
        if letters:
            self._offered = letters[-1].number
            for outlet in self.outlets:
                outlet.offer(letters)

    def _delivered(self) -> int:
        """Up to which number every outlet has taken all; 0 where that is nothing new."""
        delivered = min(outlet.taken for outlet in self.outlets)
        return delivered if delivered > self._forgotten else 0

    def _raise_what_ended_an_outlet(self) -> None:
        for outlet in self.outlets:
            if outlet.error is not None:
                raise outlet.error


class Outlet:
    """One place where letters go, and the thread that brings them there."""

    def __init__(self, sink: Publisher | DeadLetters, send: Send) -> None:
        self.taken = 0  # the highest number that is known to have arrived
        self.failures = 0  # attempts that are made again
        self.error: Exception | None = None  # that ended the thread: a fault of ours, not of the other side
        self._sink = sink
        self._send = send
        self._waiting: deque[Letter] = deque()
        self._changed = threading.Condition()
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="outlet", daemon=True)
        self._thread.start()

    @property
    def to(self) -> str:
        """Where its letters go."""
        return self._sink.to

    @property
    def refused(self) -> int:
        """How many of them the other side refused for good."""
        return self._sink.refused

    @property
    def waiting(self) -> int:
        """How many letters wait here."""
        return len(self._waiting)

    def offer(self, letters: Sequence[Letter]) -> None:
        """More letters, in order."""
        with self._changed:
            self._waiting.extend(letters)
            self._changed.notify()

    def finish(self, until: float) -> None:
        """Bring what waits, and no more; give up at a time of the monotonic clock, or with the next failure."""
        with self._changed:
            self._ending = True
            self._changed.notify()
        self._thread.join(max(0.0, until - time.monotonic()))

    def _run(self) -> None:
        pause = _FIRST_PAUSE
        while some := self._next():
            try:
                self._send([letter.what for letter in some])
            except PublishFailed as failed:
                self.failures += 1
                log.warning("%d letters wait, to be tried again in %.0f seconds: %s", self.waiting, pause, failed)
                if self._rest(pause):
                    return
                pause = min(2 * pause, _LONGEST_PAUSE)
            except Exception as error:  # noqa: BLE001  # raised by the next checkpoint
                self.error = error
                return
            else:
                pause = _FIRST_PAUSE
                self._took(some)

    def _next(self) -> list[Letter]:
        """Some letters, as soon as there are any; none at the end."""
        with self._changed:
            while not self._waiting and not self._ending:
                self._changed.wait()
            return list(islice(self._waiting, _AT_ONCE))

    def _took(self, some: Sequence[Letter]) -> None:
        with self._changed:
            for _ in some:
                self._waiting.popleft()
            self.taken = some[-1].number

    def _rest(self, seconds: float) -> bool:
        """Wait for so long. True when the end came meanwhile."""
        with self._changed:
            return self._changed.wait_for(lambda: self._ending, seconds)


def _findings(publisher: Publisher) -> Send:
    def send(what: Sequence[Finding | Reject]) -> None:
        if findings := [each for each in what if isinstance(each, Finding)]:
            publisher.publish(findings)

    return send


def _rejects(dead_letters: DeadLetters) -> Send:
    def send(what: Sequence[Finding | Reject]) -> None:
        if rejects := [each for each in what if isinstance(each, Reject)]:
            dead_letters.send(rejects)

    return send
