"""Events as JSON Lines: one event a line, numbered from 1."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.feeds.streams import Stream, lines
from auditor.findings import Reject
from auditor.intake import Record, record_of


def read(stream: Stream, source: str) -> Iterator[Record | Reject]:
    """A record for every line that is not blank, a reject for what is too long or cut off.

    Whether a line is an event of the contract is for the audit to say.
    """
    number = 0
    for batch in lines(stream):
        for line in batch.whole:
            number += 1
            if line and not line.isspace():
                yield record_of((line, source, 0, number))
        if batch.then is not None:
            number += 1
            yield Reject(source=source, offset=number, raw=batch.then.kept, reason=batch.then.reason)
