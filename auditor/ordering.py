"""Put a table's events in their one order: by `seq`, over both topics, each once."""

from __future__ import annotations

from operator import itemgetter

from auditor.events import Event, HandStarted
from auditor.intake import FARTHEST, LONGEST_WAIT, MOST_WAITING, Disposition
from auditor.wire import parse

#: What is kept of an event to know a copy of it: its bytes, which are a tenth of the size of the model, or, where it
#: came without bytes, the event itself.
Kept = bytes | Event

#: Gaps that are remembered: behind the last so many, one can no longer say what was missing.
_MOST_GAPS = 256


class Ordering:
    """The order of one table. Feeds may run apart: an event that comes too soon waits, within bounds.

    Copies are told from conflicts as far back as the hand before the current one. What comes again from further back is
    a copy as far as anybody can tell, unless it was missing. Of what was before a restart's boundary nobody knows what
    was missing: a file tells it again, for files are read again, and grow; elsewhere it may come late.
    """

    __slots__ = ("_current", "_gap", "_gap_since", "_missing", "_previous", "_since", "next_seq", "waiting")

    def __init__(self, next_seq: int = 1) -> None:
        self.next_seq = next_seq
        self._since = next_seq  # from here on all events were passed on, but for gaps
        self.waiting: dict[int, tuple[Event, Kept]] = {}  # events behind a gap, by their number
        self._gap = 0  # the number that was awaited when its age was last asked for
        self._gap_since = 0.0
        self._missing: list[tuple[int, int]] = []  # gaps that were given up, first and last number
        self._current: dict[int, Kept] = {}
        self._previous: dict[int, Kept] = {}

    def pass_on(self, event: Event, kept: Kept) -> None:
        """The event at `next_seq` takes its place."""
        if event.__class__ is HandStarted:
            self._previous, self._current = self._current, {}
        seq = self.next_seq
        self._current[seq] = kept
        self.next_seq = seq + 1

    def hold(self, event: Event, kept: Kept, *, of_file: bool) -> Disposition:
        """An event out of its turn: one that must wait, a copy, a contradiction, one that comes too late, or one whose
        number is no number of this table."""
        seq = event.seq
        if seq > self.next_seq:
            if seq not in self.waiting:
                if seq - self.next_seq > FARTHEST and self.next_seq > 1:  # a table may be met anywhere
                    return "astray"
                self.waiting[seq] = event, kept
                return "accepted"
            known: Kept | None = self.waiting[seq][0]
        else:
            known = self._current.get(seq, self._previous.get(seq))
            if known is None:
                return "late" if self._is_missing(seq, of_file or event.source == "import") else "duplicate"
        return "duplicate" if known == kept or _same(known, event) else "conflict"

    def _is_missing(self, seq: int, of_file: bool) -> bool:
        """Whether an event of long ago never came, as far as is known."""
        if seq < self._since:
            return not of_file
        return any(first <= seq <= last for first, last in self._missing)

    def fit_in(self, event: Event, kept: Kept) -> None:
        """A late event takes its place after all."""
        self._current[event.seq] = kept

    def passed_on(self, after: int) -> list[tuple[int, Kept]]:
        """What was passed on after a number, in order, as far as it is still known: no further than the last hand."""
        known = [*self._previous.items(), *self._current.items()]
        return sorted((item for item in known if item[0] > after), key=itemgetter(0))

    def ready(self) -> tuple[Event, Kept] | None:
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
        self._missing.append((first, resumes - 1))
        if len(self._missing) > _MOST_GAPS:
            self._since = self._missing.pop(0)[1] + 1
        return first, resumes - 1


def _same(known: Kept | None, event: Event) -> bool:
    """The same content, however its bytes were written."""
    return (parse(known) if isinstance(known, bytes) else known) == event
