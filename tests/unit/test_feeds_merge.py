"""Files that belong together, merged by the time of their events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hypothesis import given
from hypothesis import strategies as st

from auditor.feeds.merge import by_time
from auditor.findings import Reject
from auditor.intake import Record


def event(at: str, source: str, number: int) -> Record:
    return Record(b'{"type":"hand_ended","at": "%s"}' % at.encode(), source, 0, number)


def events(source: str, *times: str) -> list[Record | Reject]:
    return [event(at, source, number) for number, at in enumerate(times, 1)]


def places(items: Iterable[Record | Reject]) -> list[str]:
    return [f"{item.source}{item.offset}" for item in items]


def test_two_topics_interleave() -> None:
    dealing = events("d", "2026-03-01T20:00:00Z", "2026-03-01T20:00:02Z", "2026-03-01T20:00:04Z")
    betting = events("b", "2026-03-01T20:00:01Z", "2026-03-01T20:00:03Z")
    assert places(by_time([dealing, betting])) == ["d1", "b1", "d2", "b2", "d3"]


def test_times_are_compared_as_instants_not_as_text() -> None:
    tokyo = events("t", "2026-03-02T05:00:01+09:00", "2026-03-02T05:00:03.5+09:00")
    london = events("l", "2026-03-01T20:00:00Z", "2026-03-01T20:00:03.25Z", "2026-03-01T20:00:04z")
    assert places(by_time([tokyo, london])) == ["l1", "t1", "l2", "t2", "l3"]


def test_equal_times_keep_the_order_of_the_files() -> None:
    same = "2026-03-01T20:00:00Z"
    assert places(by_time([events("a", same, same), events("b", same)])) == ["a1", "a2", "b1"]


def test_a_line_without_a_readable_time_stays_behind_the_one_before_it() -> None:
    broken = Record(b"not JSON", "a", 0, 2)
    no_day = event("2026-02-30T20:00:00Z", "a", 3)
    no_offset = event("2026-01-01T20:00:00", "a", 4)
    reject = Reject(source="a", offset=5, raw=b"", reason="too long")
    first = [event("2026-03-01T20:00:01Z", "a", 1), broken, no_day, no_offset, reject]
    second = events("b", "2026-03-01T20:00:00Z", "2026-03-01T20:00:02Z")
    assert places(by_time([first, second])) == ["b1", "a1", "a2", "a3", "a4", "a5", "b2"]


def test_files_are_read_no_further_than_needed() -> None:
    def endless(source: str) -> Iterator[Record | Reject]:
        number = 0
        while True:
            number += 1
            yield event(f"2026-03-01T20:00:{number:02}Z", source, number)

    merged = by_time([endless("a"), endless("b")])
    assert places(next(merged) for _ in range(4)) == ["a1", "b1", "a2", "b2"]


@given(st.lists(st.lists(st.integers(0, 59), max_size=8).map(sorted), min_size=2, max_size=5))
def test_nothing_is_lost_and_sorted_files_give_one_sorted_feed(files: list[list[int]]) -> None:
    feeds = [
        events(str(source), *(f"2026-03-01T20:00:{second:02}Z" for second in seconds))
        for source, seconds in enumerate(files)
    ]
    merged = list(by_time(feeds))
    assert sorted(places(merged)) == sorted(places(item for feed in feeds for item in feed))
    assert [item.raw for item in merged] == sorted(item.raw for item in merged)
