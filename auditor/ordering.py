"""Put a table's events in their one order: by `seq`, over both topics, each once."""

from __future__ import annotations

from auditor.events import Event, HandStarted
from auditor.intake import LONGEST_WAIT, MOST_WAITING, Disposition


class Ordering:
    """The order of one table. Feeds may run apart: an event that comes too soon waits, within bounds.

    Copies are told from conflicts as far back as the hand before the current one.
    """

    __slots__ = ("_current", "_gap", "_gap_since", "_previous", "next_seq", "waiting")

    def __init__(self, next_seq: int = 1) -> None:
        self.next_seq = next_seq
        self.waiting: dict[int, Event] = {}  # events behind a gap, by their number
        self._gap = 0  # the number that was awaited when its age was last asked for
        self._gap_since = 0.0
        self._current: dict[int, Event] = {}
        self._previous: dict[int, Event] = {}

    def pass_on(self, event: Event) -> None:
        """The event at `next_seq` takes its place."""
        if event.__class__ is HandStarted:
            self._previous, self._current = self._current, {}
        self._current[event.seq] = event
        self.next_seq = event.seq + 1

    def hold(self, event: Event) -> Disposition:
        """An event out of its turn: one that must wait, a copy, a contradiction, or one that comes too late."""
        seq = event.seq
        if seq > self.next_seq:
            known = self.waiting.get(seq)
            if known is None:
                self.waiting[seq] = event
                return "accepted"
        else:
            known = self._current.get(seq) or self._previous.get(seq)
            if known is None:
                return "late"
        return "duplicate" if known == event else "conflict"

    def ready(self) -> Event | None:
        """The next event in order, if it waits already. It still has to be passed on."""
        return self.waiting.pop(self.next_seq, None) if self.waiting else None

    def overfull(self) -> bool:
        """More wait behind the gap than should: what is missing is not coming."""
        return len(self.waiting) >= MOST_WAITING

    def overdue(self, now: float) -> bool:
        """The gap has been open for too long, by a live feed's clock. Its age counts from when first asked for."""
        if not self.waiting:
            return False
        if self._gap != self.next_seq:
            self._gap, self._gap_since = self.next_seq, now
        return now - self._gap_since >= LONGEST_WAIT

    def give_up(self) -> tuple[int, int]:
        """Go on behind the gap. Returns the first and the last sequence number that are missing."""
        first, resumes = self.next_seq, min(self.waiting)
        self.next_seq = resumes
        return first, resumes - 1
