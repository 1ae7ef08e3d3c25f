"""Two topics side by side, however far one of them is ahead in the broker."""

from collections.abc import Sequence

from auditor.feeds.alignment import CROWDED, PATIENCE, Alignment, Stamped
from auditor.intake import Record

DEALING = ("poker.dealing", 0)
BETTING = ("poker.betting", 0)
ALL = 1_000_000


def record(partition: tuple[str, int], stamp: int, offset: int = 0) -> Stamped:
    topic, number = partition
    return stamp, Record(b"{}", topic, number, offset)


def stamps(items: Sequence[object], given: list[Stamped]) -> list[int]:
    return [stamp for item in items for stamp, each in given if each is item]


def test_what_is_ahead_waits_until_the_slower_topic_has_come_as_far() -> None:
    # given a dealing topic read up to 300, and a betting topic read up to 100 with more to come
    alignment = Alignment()
    dealing = [record(DEALING, stamp) for stamp in (50, 100, 200, 300)]
    betting = [record(BETTING, stamp) for stamp in (60, 100)]
    alignment.add(DEALING, dealing, now=0)
    alignment.add(BETTING, betting, now=0)
    # when
    first = alignment.release([BETTING], 0, ALL)
    # then only what happened until 100 goes on, in the order of time
    assert stamps(first, dealing + betting) == [50, 60, 100, 100]
    # and when betting has come to its end, the rest does
    assert stamps(alignment.release([], 0, ALL), dealing) == [200, 300]


def test_nothing_waits_when_nothing_is_behind() -> None:
    alignment = Alignment()
    alignment.add(DEALING, [record(DEALING, 500)], now=0)
    assert len(alignment.release([], 0, ALL)) == 1


def test_a_partition_keeps_its_order_though_its_producers_clock_ran_backwards() -> None:
    # given a second record stamped before the first
    alignment = Alignment()
    alignment.add(DEALING, [record(DEALING, 100, 0), record(DEALING, 40, 1)], now=0)
    alignment.add(BETTING, [record(BETTING, 60, 0)], now=0)
    # when all may go on
    items = alignment.release([], 0, ALL)
    # then
    assert [item.offset for item in items if item.source == "poker.dealing"] == [0, 1]


def test_all_wait_for_one_that_brings_nothing_but_not_for_ever() -> None:
    # given a betting partition known to hold more, from which nothing ever came
    alignment = Alignment()
    alignment.add(DEALING, [record(DEALING, 100)], now=0)
    assert alignment.release([BETTING], 0, ALL) == []
    # when its leader stays away for longer than patience goes
    items = alignment.release([BETTING], PATIENCE, ALL)
    # then dealing goes on without it
    assert len(items) == 1


def test_a_partition_far_ahead_is_crowded_until_half_of_it_went_on() -> None:
    # given more of dealing than may be held, and betting a little behind
    alignment = Alignment()
    alignment.add(DEALING, [record(DEALING, stamp) for stamp in range(CROWDED)], now=0)
    assert alignment.crowded() == {DEALING}
    # when betting comes as far as three quarters
    alignment.add(BETTING, [record(BETTING, CROWDED * 3 // 4)], now=0)
    alignment.release([BETTING], 0, ALL)
    # then
    assert alignment.crowded() == set()
    assert alignment.roomy(DEALING)


def test_no_more_goes_on_at_once_than_was_asked_for() -> None:
    # given records of two partitions, turn about
    alignment = Alignment()
    dealing = [record(DEALING, stamp) for stamp in (1, 3, 5)]
    betting = [record(BETTING, stamp) for stamp in (2, 4, 6)]
    alignment.add(DEALING, dealing, now=0)
    alignment.add(BETTING, betting, now=0)
    # when some are asked for, and some more
    first, second = alignment.release([], 0, 4), alignment.release([], 0, 4)
    # then they come in the order of time
    assert stamps(first, dealing + betting) == [1, 2, 3, 4]
    assert stamps(second, dealing + betting) == [5, 6]
    assert alignment.empty


def test_what_has_run_ahead_waits_though_it_is_older() -> None:
    # given a betting topic that was filled after the dealing topic, so that all its times are later
    alignment = Alignment()
    dealing = [record(DEALING, stamp) for stamp in (1, 2)]
    betting = [record(BETTING, stamp) for stamp in (101, 102)]
    alignment.add(DEALING, dealing, now=0)
    alignment.add(BETTING, betting, now=0)
    # when the tables wait for the bets between
    alignment.hold_back([DEALING])
    # then betting goes first, and dealing again once it is no longer ahead
    assert stamps(alignment.release([BETTING], 0, ALL), dealing + betting) == [101, 102]
    alignment.hold_back([])
    assert stamps(alignment.release([], 0, ALL), dealing + betting) == [1, 2]


def test_what_has_run_ahead_waits_for_the_other_as_long_as_that_has_more() -> None:
    # given dealing ahead of a betting topic that is known to hold more, of which nothing has come yet
    alignment = Alignment()
    alignment.add(DEALING, [record(DEALING, 1)], now=0)
    alignment.hold_back([DEALING])
    assert alignment.release([BETTING], 0, ALL) == []
    # when there is no more, or nothing came for as long as patience goes, then it goes on
    assert len(alignment.release([BETTING], PATIENCE, ALL)) == 1


def test_where_both_have_run_ahead_they_go_turn_about() -> None:
    # given two partitions of which each waits for events that the other does not bring soon
    alignment = Alignment()
    dealing = [record(DEALING, stamp) for stamp in (1, 2, 3)]
    betting = [record(BETTING, stamp) for stamp in (101, 102, 103)]
    alignment.add(DEALING, dealing, now=0)
    alignment.add(BETTING, betting, now=0)
    alignment.hold_back([DEALING, BETTING])
    # when, then none of them gets away from the other
    assert sorted(stamps(alignment.release([DEALING, BETTING], 0, 4), dealing + betting)) == [1, 2, 101, 102]
