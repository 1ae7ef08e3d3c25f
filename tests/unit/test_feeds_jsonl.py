"""JSON Lines: every line a record with its number."""

from __future__ import annotations

import gzip
import io

from auditor.feeds import jsonl
from auditor.feeds.streams import LONGEST_LINE, Stream
from auditor.findings import Reject
from auditor.intake import Record


def read(data: bytes) -> list[Record | Reject]:
    return list(jsonl.read(Stream(io.BytesIO(data).read), "night.jsonl"))


def test_lines_are_records_numbered_from_one_and_blank_ones_are_counted_only() -> None:
    assert read(b'{"a":1}\r\n\r\n  \n{"b":2}') == [
        Record(b'{"a":1}', "night.jsonl", 0, 1),
        Record(b'{"b":2}', "night.jsonl", 0, 4),
    ]


def test_what_is_no_event_is_handed_on_for_the_audit_to_judge() -> None:
    assert [item.raw for item in read(b"not JSON\n\xff\xfe\n")] == [b"not JSON", b"\xff\xfe"]


def test_a_ten_megabyte_line_is_a_record() -> None:
    long = b'{"type":"' + b"x" * (10 << 20) + b'"}'
    assert [len(item.raw) for item in read(long + b"\n{}\n")] == [len(long), 2]


def test_a_longer_line_is_a_reject_and_the_next_keeps_its_number() -> None:
    before, long, after = read(b"{}\n" + b"x" * (LONGEST_LINE + 1) + b"\n{}\n")
    assert isinstance(long, Reject)
    assert (before.offset, long.offset, after.offset) == (1, 2, 3)
    assert "16,777,217 bytes" in long.reason


def test_a_file_that_breaks_off_ends_with_a_reject_for_the_broken_line() -> None:
    *whole, broken = read(gzip.compress(b'{"a":1}\n{"b":')[:-8])
    assert whole == [Record(b'{"a":1}', "night.jsonl", 0, 1)]
    assert isinstance(broken, Reject)
    assert (broken.offset, broken.raw) == (2, b'{"b":')
    assert broken.reason.startswith("cut off")
