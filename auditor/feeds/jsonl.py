"""Events as JSON Lines: one event a line, numbered from 1."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.feeds.streams import Stream, lines
from auditor.findings import Reject
from auditor.intake import Record, records_of


def read(stream: Stream, source: str) -> Iterator[Record | Reject]:
    """A record for every line that is not blank, a reject for what is too long or cut off.

    Whether a line is an event of the contract is for the audit to say.
    """
    number = 1
    for batch in lines(stream):
        records = records_of(batch.whole, source, number)
        # Whether any line is blank is asked of all at once; hardly one ever is.
        yield from records if all(map(bytes.strip, batch.whole)) else (each for each in records if each.raw.strip())
        number += len(batch.whole)
        if batch.then is not None:
            yield Reject(source=source, offset=number, raw=batch.then.kept, reason=batch.then.reason)
            number += 1
