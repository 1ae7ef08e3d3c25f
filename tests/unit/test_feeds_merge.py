"""Files that belong together, merged by the time of their events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from auditor.feeds.merge import MOST_MERGED, Merge, Part, instant
from auditor.findings import Reject
from auditor.intake import Record


def event(at: str, source: str, number: int) -> Record:
    return Record(b'{"type":"hand_ended","at": "%s"}' % at.encode(), source, 0, number)


def events(source: str, *times: str) -> list[Record | Reject]:
    return [event(at, source, number) for number, at in enumerate(times, 1)]


def places(items: Iterable[Record | Reject]) -> list[str]:
    return [f"{item.source}{item.offset}" for item in items]


def merge_of(feeds: Sequence[Iterable[Record | Reject]]) -> Merge:
    """Feeds whose beginnings were looked at; those that cannot be looked at without reading them may begin any time."""
    looked = [(feed, feed[0] if isinstance(feed, list) and feed else None) for feed in feeds]
    return Merge(
        [
            Part(first.source if first else "", first and instant(first.raw), partial(iter, feed))
            for feed, first in looked
        ]
    )


def by_time(feeds: Sequence[Iterable[Record | Reject]]) -> Iterator[Record | Reject]:
    return iter(merge_of(feeds))


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


def test_a_file_that_runs_ahead_is_read_no_further_until_the_others_have_come_as_far() -> None:
    # given two files, one by a clock that is slow
    slow = events("s", *(f"2026-03-01T19:00:{second:02}Z" for second in range(4)))
    right = events("r", *(f"2026-03-01T20:00:{second:02}Z" for second in range(3)))
    merge = merge_of([slow, right])
    coming = iter(merge)
    assert places([next(coming)]) == ["s1"]
    # when it is told to have run ahead, then the other goes first, until it is told that it has not
    merge.hold_back({"s"})
    assert places([next(coming), next(coming)]) == ["r1", "r2"]
    merge.hold_back(())
    assert places([next(coming)]) == ["s2"]
    # and where nothing else is left, what is ahead goes on
    merge.hold_back({"s"})
    assert places(coming) == ["r3", "s3", "s4"]


def minute(number: int) -> str:
    return f"2026-03-01T{number // 60:02}:{number % 60:02}:00Z"


def parts_of(times: Sequence[str], opened: list[str]) -> list[Part]:
    """Files of one event each, which note when they are opened."""

    def read(source: str, at: str) -> Iterator[Record | Reject]:
        opened.append(source)
        yield from events(source, at)

    return [
        Part(str(number), instant(event(at, "", 1).raw), partial(read, str(number), at))
        for number, at in enumerate(times)
    ]


def test_a_file_is_opened_when_its_time_has_come() -> None:
    # given more files than may be open at once, one after the other
    opened: list[str] = []
    parts = parts_of([minute(number) for number in range(2 * MOST_MERGED)], opened)
    # when they are read, in whatever order they were found, then none is open before its time
    for read, item in enumerate(Merge(parts[::-1]), 1):
        assert opened[-1] == item.source
        assert len(opened) == read
    assert len(opened) == 2 * MOST_MERGED


def test_of_files_that_begin_together_so_many_are_open_and_others_only_where_these_wait_for_them() -> None:
    opened: list[str] = []
    merge = Merge(parts_of([minute(0)] * (MOST_MERGED + 2), opened))
    coming = iter(merge)
    read = places([next(coming)])
    assert len(opened) == MOST_MERGED
    # when all that are open wait for what is in another file, then that is opened
    merge.hold_back(set(opened))
    read += places([next(coming)])
    assert opened[MOST_MERGED:] == ["64"]
    assert read == ["01", "641"]
    # and in the end everything is read
    assert len(list(coming)) == MOST_MERGED
