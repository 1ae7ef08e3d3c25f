"""Hand histories in PHH become events: every chip and every card that the file tells, and nothing that it does not."""

from __future__ import annotations

import gzip
import io
from collections import defaultdict
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from feed_kit import Words, in_words
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.events import Event
from auditor.feeds import phh
from auditor.feeds.streams import Stream
from auditor.findings import Reject
from auditor.intake import Record
from auditor.wire import parse

HOLDEM = {
    "variant": "NT",
    "antes": [0, 0, 0],
    "blinds_or_straddles": [1, 2, 0],
    "min_bet": 2,
    "starting_stacks": [200, 200, 200],
    "actions": ["d dh p1 AsKs", "d dh p2 QhQd", "d dh p3 7c2d", "p3 f", "p1 f"],
    "players": ["Ada", "Bram", "Chidi"],
}
HEADS_UP = HOLDEM | {
    "antes": [0, 0],
    "blinds_or_straddles": [1, 2],
    "starting_stacks": [200, 200],
    "actions": ["d dh p1 AsKs", "d dh p2 QhQd", "p2 f"],
    "players": ["Ada", "Bram"],
}
STUD = {
    "variant": "F7S",
    "antes": [1, 1],
    "bring_in": 2,
    "small_bet": 5,
    "big_bet": 10,
    "starting_stacks": [200, 200],
    "actions": ["d dh p1 AsKs2c", "d dh p2 QhQd9d"],
}
DRAW = HEADS_UP | {
    "variant": "N2L1D",
    "actions": ["d dh p1 2c3c4d5dKs", "d dh p2 9h8h7d6d2s", "p2 cc", "p1 cc"],
}


def toml(fields: dict[str, Any]) -> str:
    return "".join(f"{key} = {value}\n" for key, value in ((k, _toml_value(v)) for k, v in fields.items()))


def _toml_value(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"' if not value.startswith("=") else value[1:]
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    return str(value)


def read(text: str | bytes, source: str = "night/7.phh") -> list[Record | Reject]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(phh.read(Stream(io.BytesIO(data).read), source))


def hand(fields: dict[str, Any], **other: Any) -> list[Event]:
    items = read(toml(fields | other))
    refused = [item.reason for item in items if isinstance(item, Reject)]
    assert refused == []
    return [parse(item.raw) for item in items]


def refusal(fields: dict[str, Any], **other: Any) -> str:
    (item,) = read(toml(fields | other))
    assert isinstance(item, Reject)
    where, _, reason = item.reason.partition(": ")
    assert where == "line 1"
    return reason


def brief(events: list[Event], *types: str) -> list[str]:
    """The events in a few words each, for comparison."""
    words: Words = {
        "cards_shown": lambda e: f"{e.seat} {' '.join(e.cards)}",
        "rake_taken": lambda e: f"rake {e.amount}",
    }
    return in_words(events, types, words)


def end_stacks(events: list[Event]) -> list[int | None]:
    stacks: dict[int, int | None] = {}
    for event in events:
        if event.type == "hand_started":
            stacks = {seat.seat: seat.stack for seat in event.seats}
        elif event.type in ("forced_bet_posted", "player_acted"):
            stacks[event.seat] -= event.amount
        elif event.type in ("chips_returned", "pot_awarded"):
            stacks[event.seat] += event.amount
    return list(stacks.values())


# --- one hand, whole ------------------------------------------------------------------------------------------------


def test_a_hand_becomes_a_table_of_its_own() -> None:
    events = hand(HOLDEM, finishing_stacks=[199, 201, 200], hand=7)
    assert brief(events) == [
        "table_opened",
        "hand_started",
        "1 small_blind 1",
        "2 big_blind 2",
        "1 As down",
        "1 Ks down",
        "2 Qh down",
        "2 Qd down",
        "3 7c down",
        "3 2d down",
        "3 fold 0",
        "1 fold 0",
        "2 back 1",
        "2 wins 2",
        "hand_ended",
        "table_closed",
    ]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert {event.table_id for event in events} == {events[0].table_id}
    assert {event.hand_id for event in events[1:-1]} == {"7"}
    assert {event.source for event in events} == {"import"}
    opened, started = events[:2]
    assert (opened.game, opened.betting, opened.scale) == ("holdem", "no_limit", 0)
    assert (opened.stakes.small_blind, opened.stakes.big_blind) == (1, 2)
    assert [(seat.seat, seat.player_id, seat.stack) for seat in started.seats] == [
        (1, "Ada", 200),
        (2, "Bram", 200),
        (3, "Chidi", 200),
    ]
    assert (started.button_seat, started.small_blind_seat, started.big_blind_seat) == (3, 1, 2)


def test_the_table_is_named_after_the_text_and_the_hand_number() -> None:
    def table(fields: dict[str, Any], source: str = "7.phh") -> str:
        return parse(read(toml(fields), source)[0].raw).table_id

    assert table(HOLDEM) == table(HOLDEM, "elsewhere/7.phh")
    assert table(HOLDEM) != table(HOLDEM, "8.phh")
    assert table(HOLDEM | {"hand": 1}) == table(HOLDEM | {"hand": 1}, "8.phh")
    assert table(HOLDEM) != table(HEADS_UP)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "7"),
        ({"hand": 12}, "12"),
        ({"hand": "final table 3"}, "final table 3"),
        ({"hand": "x" * 65}, "7"),
        ({"hand": ""}, "7"),
    ],
)
def test_the_hand_is_named_by_its_number_or_its_file(fields: dict[str, Any], expected: str) -> None:
    assert hand(HOLDEM, **fields)[1].hand_id == expected


# --- what the file shows --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "observes"),
    [
        ({"finishing_stacks": [199, 201, 200]}, {"hole_cards", "betting", "stacks", "awards"}),
        ({}, {"hole_cards", "betting", "stacks"}),
        ({"actions": ["d dh p1 AsKs", "d dh p2 ????", "d dh p3 7c2d", "p3 f"]}, {"betting", "stacks"}),
        ({"actions": ["d dh p1 AsKs", "d dh p2 QhQd", "p3 f"]}, {"betting", "stacks"}),
        ({"starting_stacks": ["=inf", 200, 200]}, {"hole_cards", "betting"}),
    ],
    ids=["all", "no result", "unread cards", "a hand that is not told", "an unknown stack"],
)
def test_only_what_the_file_shows_is_observed(change: dict[str, Any], observes: set[str]) -> None:
    assert set(hand(HOLDEM, **change)[0].observes) == observes


def test_a_card_known_by_half_is_unread() -> None:
    dealt = hand(HOLDEM, actions=["d dh p1 A?Ks", "d dh p2 ??Qd", "d dh p3 ?d??"])
    assert [event.card for event in dealt if event.type == "card_dealt"] == ["??", "Ks", "??", "Qd", "??", "??"]


def test_comments_and_empty_actions_say_nothing() -> None:
    commented = [*HOLDEM["actions"][:3], "# Chidi thinks", "", "p3 f # at last", " p1  f#", "  "]
    assert brief(hand(HOLDEM, actions=commented)) == brief(hand(HOLDEM))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, datetime(1970, 1, 1, tzinfo=UTC)),
        ({"year": 2024}, datetime(2024, 1, 1, tzinfo=UTC)),
        ({"year": 2024, "month": 5, "day": 6, "time": "=20:15:30"}, datetime(2024, 5, 6, 20, 15, 30, tzinfo=UTC)),
        (
            {"year": 2024, "month": 5, "day": 6, "time": "=20:15:30", "time_zone": "Asia/Tokyo"},
            datetime(2024, 5, 6, 11, 15, 30, tzinfo=UTC),
        ),
    ],
)
def test_the_time_is_the_file_s_and_a_millisecond_an_event(fields: dict[str, Any], expected: datetime) -> None:
    events = hand(HOLDEM, **fields)
    assert events[0].at == expected
    assert {(after.at - before.at).microseconds for before, after in pairwise(events)} == {1000}


def test_place_currency_and_seats_are_kept() -> None:
    opened, started, *_ = hand(
        HOLDEM, seats=[5, 6, 2], seat_count=6, currency="EUR", venue="The Lamp", city="Gent", country="Belgium"
    )
    assert (opened.location, opened.currency, opened.max_seats) == ("The Lamp, Gent, Belgium", "EUR", 6)
    assert [seat.seat for seat in started.seats] == [5, 6, 2]
    assert started.button_seat == 2


@pytest.mark.parametrize("seats", [[1, 3, 2], [1, 1, 2], [1, 2, 700]], ids=["not clockwise", "twice", "too many"])
def test_seats_that_cannot_be_are_numbered_in_order_of_play(seats: list[int]) -> None:
    assert [seat.seat for seat in hand(HOLDEM, seats=seats)[1].seats] == [1, 2, 3]


# --- forced bets ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "posted"),
    [
        ({}, ["1 small_blind 1", "2 big_blind 2"]),
        ({"blinds_or_straddles": [1, 2, 4]}, ["1 small_blind 1", "2 big_blind 2", "3 straddle 4"]),
        ({"blinds_or_straddles": [1, 2, -2]}, ["1 small_blind 1", "2 big_blind 2", "3 missed_blind 2"]),
        ({"blinds_or_straddles": [0, 2, 0]}, ["2 big_blind 2"]),
        ({"blinds_or_straddles": [0, 0, 2]}, ["3 big_blind 2"]),
        ({"antes": [1, 1, 1]}, ["1 ante 1", "2 ante 1", "3 ante 1", "1 small_blind 1", "2 big_blind 2"]),
        ({"antes": [0, 2, 0]}, ["2 ante 2", "1 small_blind 1", "2 big_blind 2"]),
        (
            {"antes": [0, 2, 0], "starting_stacks": [200, 3, 200]},
            ["2 ante 2", "1 small_blind 1", "2 big_blind 1!"],
        ),
        ({"antes": [0, 2, 0], "starting_stacks": [200, 2, 200]}, ["2 ante 2!", "1 small_blind 1"]),
    ],
    ids=[
        "blinds",
        "straddle",
        "posted late",
        "no small blind",
        "button blind",
        "antes",
        "big-blind ante",
        "short big blind",
        "nothing left for the blind",
    ],
)
def test_forced_bets(change: dict[str, Any], posted: list[str]) -> None:
    assert brief(hand(HOLDEM, **change), "forced_bet_posted") == posted


def test_heads_up_the_button_posts_the_small_blind() -> None:
    events = hand(HEADS_UP, antes=[0, 2], finishing_stacks=[201, 199])
    assert brief(events, "forced_bet_posted") == ["1 ante 2", "2 small_blind 1", "1 big_blind 2"]
    started = events[1]
    assert (started.button_seat, started.small_blind_seat, started.big_blind_seat) == (2, 2, 1)
    assert end_stacks(events) == [201, 199]


def test_a_game_without_blinds_takes_its_least_bet_for_the_big_blind() -> None:
    stakes = hand(HOLDEM, blinds_or_straddles=[0, 0, 0], antes=[1, 1, 1])[0].stakes
    assert (stakes.big_blind, stakes.small_bet) == (2, 0)


def test_a_least_bet_that_is_not_the_big_blind_is_kept() -> None:
    stakes = hand(HOLDEM, min_bet=5)[0].stakes
    assert (stakes.big_blind, stakes.small_bet, stakes.big_bet) == (2, 5, 5)


# --- betting --------------------------------------------------------------------------------------------------------

DEAL = HOLDEM["actions"][:3]


def test_amounts_are_the_chips_that_an_action_adds() -> None:
    play = ["p3 cbr 6", "p1 cc", "p2 cbr 20", "p3 f", "p1 cc", "d db 2c3c4c", "p1 cc", "p2 cbr 30", "p1 cc"]
    assert brief(hand(HOLDEM, actions=[*DEAL, *play]), "player_acted") == [
        "3 raise 6",
        "1 call 5",
        "2 raise 18",
        "3 fold 0",
        "1 call 14",
        "1 check 0",
        "2 bet 30",
        "1 call 30",
    ]


def test_an_all_in_showdown_with_a_side_pot_and_an_uncalled_bet() -> None:
    play = ["p3 cbr 200", "p1 cc", "p2 cc", "p3 sm 7c2d", "p2 sm -", "p1 sm", "d db 2c3c4c", "d db 5h", "d db 6h"]
    events = hand(HOLDEM, starting_stacks=[50, 120, 200], finishing_stacks=[150, 140, 80], actions=[*DEAL, *play])
    assert brief(events[10:]) == [
        "3 raise 200!",
        "1 call 49!",
        "2 call 118!",
        "3 back 80",
        "3 7c 2d",
        "2 Qh Qd",
        "1 muck",
        "2c 3c 4c board 1",
        "5h board 1",
        "6h board 1",
        "1 wins 150",
        "2 wins 140",
        "hand_ended",
        "table_closed",
    ]
    assert end_stacks(events) == [150, 140, 80]


def test_a_bet_that_a_folded_player_had_matched_in_part_is_uncalled_above_that_only() -> None:
    play = ["p3 cbr 60", "p1 cbr 100", "p2 f", "p3 f"]
    assert brief(hand(HOLDEM, actions=[*DEAL, *play]), "chips_returned") == ["1 back 40"]


def test_a_bet_that_can_still_be_called_does_not_go_back() -> None:
    play = ["p3 cbr 60", "d db 2c3c4c"]  # a flop too early
    assert brief(hand(HOLDEM, actions=[*DEAL, *play]), "chips_returned") == []


def test_an_uncalled_bet_that_the_file_kept_in_the_pot_is_not_returned() -> None:
    play = ["p3 cbr 60", "p1 cc", "p2 f", "d db 2c3c4c", "p1 cbr 50", "p3 f"]
    # Ada's last 50 went to Chidi, who had folded: an error of the table, and for a rule to find.
    events = hand(HOLDEM, actions=[*DEAL, *play], finishing_stacks=[90, 198, 312])
    assert brief(events, "chips_returned", "pot_awarded") == ["3 wins 172"]
    assert end_stacks(events) == [90, 198, 312]


def test_a_bet_of_more_than_the_stack_stays_as_it_was_told() -> None:
    events = hand(HOLDEM, actions=[*DEAL, "p3 cbr 300"])
    assert brief(events, "player_acted") == ["3 raise 300!"]


def test_an_unknown_stack_never_runs_out() -> None:
    events = hand(HOLDEM, starting_stacks=["=inf", 200, 200], actions=[*DEAL, "p3 cbr 150", "p1 cc", "p2 f"])
    assert brief(events, "player_acted") == ["3 raise 150", "1 call 149", "2 fold 0"]
    assert events[1].seats[0].stack is None


def test_stacks_at_the_end_that_are_too_small_refuse_the_hand() -> None:
    assert "p3 has 199 chips, the actions leave 200" in refusal(HOLDEM, finishing_stacks=[199, 201, 199])


# --- decimals -------------------------------------------------------------------------------------------------------


def test_decimals_are_scaled_until_every_amount_is_whole() -> None:
    events = hand(
        HOLDEM,
        blinds_or_straddles=["=0.5", 1, 0],
        min_bet="=1.0",
        starting_stacks=["=100.25", 100, "=1e2"],
        actions=[*DEAL, "p3 cbr 2.50", "p1 f", "p2 f"],
        finishing_stacks=["=99.75", 99, "=101.5"],
    )
    assert events[0].scale == 2
    assert [seat.stack for seat in events[1].seats] == [10025, 10000, 10000]
    assert brief(events, "forced_bet_posted", "player_acted", "chips_returned", "pot_awarded") == [
        "1 small_blind 50",
        "2 big_blind 100",
        "3 raise 250",
        "1 fold 0",
        "2 fold 0",
        "3 back 150",
        "3 wins 250",
    ]
    assert end_stacks(events) == [9975, 9900, 10150]


def test_decimals_that_are_none_are_not_scaled() -> None:
    assert hand(HOLDEM, starting_stacks=["=200.0", "=200.00", "=2e2"])[0].scale == 0


def test_halves_of_a_chip_in_a_split_pot_are_kept() -> None:
    events = hand(HOLDEM, antes=[1, 0, 0], actions=[*DEAL, "p3 f", "p1 cc"], finishing_stacks=["=199.5", "=200.5", 200])
    assert events[0].scale == 1
    assert end_stacks(events) == [1995, 2005, 2000]


@pytest.mark.parametrize("amount", ["=1e30", "=1e999999999", "=0.0000000000000000001", "=9223372036854775807", "=nan"])
def test_amounts_beyond_all_bounds_refuse_the_hand(amount: str) -> None:
    assert refusal(HOLDEM, starting_stacks=[200, 200, amount])


def test_a_thousands_comma_is_no_decimal_point() -> None:
    events = hand(HOLDEM, starting_stacks=[5000, 5000, 5000], actions=[*DEAL, "p3 cbr 1,250"])
    assert brief(events, "player_acted") == ["3 raise 1250"]


# --- the end --------------------------------------------------------------------------------------------------------


def test_what_the_stacks_lack_in_the_end_is_the_rake() -> None:
    events = hand(HOLDEM, actions=[*DEAL, "p3 cbr 40", "p1 f", "p2 cc", "d db 2c3c4c", "p2 f"],
                  finishing_stacks=[199, 160, 237])  # fmt: skip
    assert brief(events, "pot_awarded", "rake_taken") == ["3 wins 77", "rake 4"]
    assert end_stacks(events) == [199, 160, 237]


@pytest.mark.parametrize(
    ("winnings", "told"),
    [
        ([0, 2, 0], ["2 back 1", "2 wins 2"]),
        ([0, 3, 0], ["2 wins 3"]),
    ],
    ids=["without the uncalled blind", "with it"],
)
def test_winnings_serve_where_there_are_no_stacks_at_the_end(winnings: list[int], told: list[str]) -> None:
    events = hand(HOLDEM, winnings=winnings)
    assert brief(events, "chips_returned", "pot_awarded", "rake_taken") == told
    assert "awards" in events[0].observes
    assert end_stacks(events) == [199, 201, 200]


def test_winnings_less_the_rake() -> None:
    play = ["p3 cbr 40", "p1 f", "p2 cc", "d db 2c3c4c", "p2 cbr 30", "p3 f"]
    events = hand(HOLDEM, actions=[*DEAL, *play], winnings=[0, 77, 0])
    assert brief(events, "chips_returned", "pot_awarded", "rake_taken") == ["2 back 30", "2 wins 77", "rake 4"]


@pytest.mark.parametrize("stop", range(len(DEAL) + 1))
def test_a_hand_that_stops_in_the_middle_stays_open(stop: int) -> None:
    told = brief(hand(HOLDEM, actions=DEAL[:stop]))
    assert told[-1] not in ("hand_ended", "table_closed")
    assert "hand_ended" not in told


def test_stacks_of_a_hand_that_stops_in_the_middle_are_no_awards() -> None:
    events = hand(HOLDEM, actions=[*DEAL, "p3 cbr 40"], finishing_stacks=[199, 198, 160])
    assert brief(events)[-1] == "3 raise 40"
    assert "awards" not in events[0].observes


def test_a_board_that_all_in_players_run_twice_is_two_boards() -> None:
    play = ["p3 cbr 200", "p1 cc", "p2 f", "d db 2c3c4c", "d db 5h", "d db 6h", "d db 8c9cTc", "d db Jc", "d db Jd"]
    boards = brief(hand(HOLDEM, actions=[*DEAL, *play]), "board_dealt")
    assert [board[-1] for board in boards] == ["1", "1", "1", "2", "2", "2"]


def test_a_sixth_card_with_betting_still_on_is_one_too_many_on_the_same_board() -> None:
    play = ["p3 cc", "p1 cc", "p2 cc", "d db 2c3c4c", "d db 5h", "d db 6h", "d db 8c"]
    boards = brief(hand(HOLDEM, actions=[*DEAL, *play]), "board_dealt")
    assert [board[-1] for board in boards] == ["1", "1", "1", "1"]


def test_cards_may_be_shown_unread() -> None:
    play = ["p3 f", "p1 cc", "p2 cc", "d db 2c3c4c", "d db 5h", "d db 6h", "p1 sm AsKs", "p2 sm ????"]
    assert brief(hand(HOLDEM, actions=[*DEAL, *play]), "cards_shown") == ["1 As Ks", "2 ?? ??"]


# --- other games ----------------------------------------------------------------------------------------------------


def test_stud_is_dealt_down_and_up_and_brought_in() -> None:
    play = [
        "p2 pb", "p1 cbr 5", "p2 cc", "d dh p1 3c", "d dh p2 4c", "p1 cc", "p2 cbr 5", "p1 cc",
        "d dh p1 5c", "d dh p2 6c", "p1 cc", "p2 cc", "d dh p1 7c", "d dh p2 8c", "p1 cc", "p2 cc",
        "d dh p1 9c", "d dh p2 Tc", "p1 cbr 10", "p2 cbr 20", "p1 f",
    ]  # fmt: skip
    events = hand(STUD, actions=[*STUD["actions"], *play], finishing_stacks=[179, 221])
    assert brief(events, "forced_bet_posted") == ["1 ante 1", "2 ante 1", "2 bring_in 2"]
    assert [e.face for e in events if e.type == "card_dealt" and e.seat == 1] == ["down"] * 2 + ["up"] * 4 + ["down"]
    assert brief(events, "player_acted") == [
        "1 complete 5", "2 call 3", "1 check 0", "2 bet 5", "1 call 5", "1 check 0", "2 check 0",
        "1 check 0", "2 check 0", "1 bet 10", "2 raise 20", "1 fold 0",
    ]  # fmt: skip
    assert brief(events, "chips_returned", "pot_awarded") == ["2 back 10", "2 wins 42"]
    assert events[1].button_seat is None
    assert end_stacks(events) == [179, 221]


def test_the_bring_in_may_complete_at_once_and_be_raised() -> None:
    events = hand(STUD, actions=[*STUD["actions"], "p2 cbr 5", "p1 cbr 10", "p2 f"])
    assert brief(events, "player_acted") == ["2 complete 5", "1 raise 10", "2 fold 0"]


def test_a_common_card_ends_the_deal_of_a_stud_hand() -> None:
    streets = ["d dh p1 3c", "d dh p2 4c", "d dh p1 5c", "d dh p2 6c", "d dh p1 7c", "d dh p2 8c", "d db 9c"]
    events = hand(STUD, actions=[*STUD["actions"], *streets, "p1 cc", "p2 cc"])
    assert brief(events)[-2:] == ["hand_ended", "table_closed"]


def test_a_draw_is_told_by_its_discards_and_the_new_cards() -> None:
    play = ["p1 sd Ks", "p2 sd", "d dh p1 7s", "p1 cbr 10", "p2 f"]
    events = hand(DRAW, actions=[*DRAW["actions"], *play], finishing_stacks=[202, 198])
    assert brief(events, "cards_discarded") == ["1 1 Ks", "2 0 "]
    drawn = [event for event in events if event.type == "card_dealt" and event.draw]
    assert [(event.seat, event.card, event.face) for event in drawn] == [(1, "7s", "down")]
    assert brief(events, "chips_returned", "pot_awarded") == ["1 back 10", "1 wins 4"]


def test_a_player_who_drew_shows_the_cards_held_now() -> None:
    play = ["p1 sd Ks", "p2 sd", "d dh p1 7s", "p1 cc", "p2 cc", "p1 sm -"]
    assert brief(hand(DRAW, actions=[*DRAW["actions"], *play]), "cards_shown") == ["1 2c 3c 4d 5d 7s"]


@pytest.mark.parametrize(
    ("code", "game", "betting"),
    [
        ("NT", "holdem", "no_limit"),
        ("NS", "short_deck", "no_limit"),
        ("PO", "omaha", "pot_limit"),
        ("N2L1D", "lowball_27", "no_limit"),
        ("FT", "holdem", "limit"),
        ("FO/8", "omaha_hilo", "limit"),
        ("F7S", "stud", "limit"),
        ("F7S/8", "stud_hilo", "limit"),
        ("FR", "razz", "limit"),
        ("F2L3D", "triple_draw_27", "limit"),
        ("FB", "badugi", "limit"),
    ],
)
def test_every_variant_of_a_game_in_the_contract(code: str, game: str, betting: str) -> None:
    opened = hand(HOLDEM | {"bring_in": 1, "small_bet": 2, "big_bet": 4}, variant=code, actions=[])[0]
    assert (opened.game, opened.betting) == (game, betting)


def test_a_variant_without_a_game_is_refused_with_its_text() -> None:
    text = toml(HOLDEM | {"variant": "XYZ"})
    assert read(text) == [
        Reject(source="night/7.phh", offset=1, raw=text.rstrip("\n").encode(),
               reason="line 1: variant XYZ has no game in the event contract")
    ]  # fmt: skip


# --- several hands, broken ones, broken files -----------------------------------------------------------------------


def test_a_file_of_several_hands_loses_only_the_broken_one() -> None:
    broken_hand = "variant = 'NT'\nantes = [0, 0\nactions = []"
    text = f"# a session\n\n[1]\n{toml(HOLDEM)}\n[2]\n{broken_hand}\n[ 3 ] # last\n{toml(HEADS_UP)}"
    items = read(text, "night.phhs")
    (broken,) = [item for item in items if isinstance(item, Reject)]
    records = [item for item in items if isinstance(item, Record)]
    assert broken.raw == broken_hand.encode()
    assert broken.reason.startswith("line 12: not TOML: ")
    assert "(at line 15," in broken.reason
    assert [item.offset for item in items] == list(range(1, len(items) + 1))
    events = [parse(record.raw) for record in records]
    assert [event.hand_id for event in events if event.type == "hand_started"] == ["1", "3"]


def test_the_user_s_own_sections_are_part_of_the_hand() -> None:
    assert brief(hand(HOLDEM)) == brief([parse(r.raw) for r in read(toml(HOLDEM) + "[_notes]\nweather = 'fine'\n")])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"actions": ["d dh p1 AsKx"]}, "action 1 is none of the notation: 'd dh p1 AsKx'"),
        ({"actions": [*DEAL, "p4 f"]}, "action 4 is none of the notation: 'p4 f'"),
        ({"actions": ["p1 bets 5"]}, "action 1 is none of the notation: 'p1 bets 5'"),
        ({"actions": ["p1 cbr -5"]}, "action 1 is none of the notation: 'p1 cbr -5'"),
        ({"actions": [7]}, "action 1 is none of the notation: 7"),
        ({"actions": [*DEAL, "p2 cbr 2"]}, "p2 raises to 2 chips, 2 are in already"),
        ({"antes": [0, 0]}, "`antes`: 2 values for 3 players"),
        ({"antes": 0}, "`antes`: a list is expected, not 0"),
        ({"antes": [0, 0, -1]}, "`antes`: less than nothing: -1"),
        ({"antes": [0, 0, "x"]}, "`antes`: a number is expected, not 'x'"),
        ({"starting_stacks": [200]}, "1 players: a hand has 2 to 100"),
        ({"month": 13, "year": 2024}, "no date: year 2024, month 13, day 1"),
        ({"year": "last"}, "`year`: a number of the calendar is expected, not 'last'"),
        ({"time_zone": "Mars/Olympus"}, "`time_zone`: no time zone that this machine knows: 'Mars/Olympus'"),
    ],
)
def test_a_broken_hand_is_refused_in_plain_words(change: dict[str, Any], reason: str) -> None:
    assert refusal(HOLDEM, **change) == reason


@pytest.mark.parametrize("field", ["variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks", "actions"])
def test_a_hand_without_a_needed_field_is_refused(field: str) -> None:
    assert refusal({key: value for key, value in HOLDEM.items() if key != field}) == f"`{field}` is missing"


def test_bytes_that_are_no_text_refuse_the_hand_only() -> None:
    text = f'[1]\nplayers = ["\xe9"]\n{toml(HOLDEM)}[2]\n'.encode("latin-1") + toml(HOLDEM).encode()
    first, *rest = read(text)
    assert isinstance(first, Reject)
    assert first.reason.startswith("line 1: not UTF-8: ")
    assert rest
    assert not any(isinstance(item, Reject) for item in rest)


def test_a_hand_that_is_too_long_is_refused_and_the_next_is_read() -> None:
    long = f"# {'x' * 998}\n" * 1100
    first, *rest = read(f"[1]\n{long}{toml(HOLDEM)}[2]\n{toml(HOLDEM)}")
    assert isinstance(first, Reject)
    assert "longer than a hand may be" in first.reason
    assert len(first.raw) <= 1 << 20
    assert brief([parse(item.raw) for item in rest]) == brief(hand(HOLDEM))


def test_a_file_that_breaks_off_refuses_the_hand_it_broke_in() -> None:
    text = f"[1]\n{toml(HOLDEM)}[2]\n{toml(HOLDEM)}hand = 12"
    packed = gzip.compress(text.encode())[:-8]
    *whole, broken = read(packed)
    assert brief([parse(item.raw) for item in whole]) == brief(hand(HOLDEM))
    assert isinstance(broken, Reject)
    assert broken.reason.startswith("line 9: cut off")


@settings(max_examples=200)
@given(st.data())
def test_whatever_is_cut_out_of_a_hand_it_is_told_or_refused(data: st.DataObject) -> None:
    text = toml(STUD | {"finishing_stacks": [199, 201], "actions": [*STUD["actions"], "p2 pb", "p1 cbr 5", "p2 f"]})
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    for item in read(text[:start] + data.draw(st.text("0123456789.,-\"'[]#pdfce ", max_size=5)) + text[end:]):
        if isinstance(item, Record):
            parse(item.raw)
        else:
            assert item.reason


@given(st.lists(st.tuples(st.sampled_from(["f", "cc", "cbr"]), st.integers(1, 60)), max_size=25))
def test_chips_are_conserved_whatever_is_played(play: list[tuple[str, int]]) -> None:
    actions = list(DEAL)
    levels: dict[int, int] = defaultdict(int, {1: 1, 2: 2})
    for turn, (verb, more) in enumerate(play):
        player = turn % 3 + 1
        if verb == "cbr":
            levels[player] = max(levels.values()) + more
        actions.append(f"p{player} {verb}" + (f" {levels[player]}" if verb == "cbr" else ""))
    events = hand(HOLDEM, actions=actions, starting_stacks=["=inf"] * 3)
    put_in = sum(e.amount for e in events if e.type in ("forced_bet_posted", "player_acted"))
    back = sum(e.amount for e in events if e.type == "chips_returned")
    assert 0 <= back < put_in


def test_the_same_file_gives_the_same_bytes() -> None:
    assert read(toml(HOLDEM)) == read(toml(HOLDEM))
