"""PokerStars text becomes events: every chip and every card that the file tells, and nothing that it does not."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from feed_kit import Words, in_words
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor import audit
from auditor.events import Event
from auditor.feeds import pokerstars
from auditor.feeds.formats import format_of
from auditor.feeds.streams import Stream
from auditor.findings import Reject
from auditor.intake import Record
from auditor.wire import parse

HEADER = "PokerStars Hand #101:  Hold'em No Limit ($0.50/$1 USD) - 2024/05/06 20:15:30 CET [2024/05/06 14:15:30 ET]"
TABLE = "Table 'Vega II' 6-max Seat #1 is the button"
SEATS = ["Seat 1: Ada ($100 in chips) ", "Seat 2: Bram ($80.50 in chips) ", "Seat 3: Cleo ($120 in chips) "]
BLINDS = ["Bram: posts small blind $0.50", "Cleo: posts big blind $1"]
START = [HEADER, TABLE, *SEATS, *BLINDS, "*** HOLE CARDS ***"]
FLOP = "*** FLOP *** [2c 7d 9h]"
TURN = "*** TURN *** [2c 7d 9h] [Js]"
RIVER = "*** RIVER *** [2c 7d 9h Js] [3d]"

RAISED = [
    *START,
    "Dealt to Ada [As Kd]",
    "Ada: raises $2 to $3",
    "Bram: folds ",
    "Cleo: calls $2",
    FLOP,
    "Cleo: checks ",
    "Ada: bets $4",
    "Cleo: folds ",
    "Uncalled bet ($4) returned to Ada",
    "Ada collected $6.20 from pot",
    "Ada: doesn't show hand ",
    "*** SUMMARY ***",
    "Total pot $6.50 | Rake $0.30 ",
    "Board [2c 7d 9h]",
    "Seat 1: Ada (button) collected ($6.20)",
    "Seat 2: Bram (small blind) folded before Flop",
    "Seat 3: Cleo (big blind) folded on the Flop",
]
ALL_IN = [
    *START,
    "Ada: raises $99 to $100 and is all-in",
    "Bram: calls $80 and is all-in",
    "Cleo: calls $99",
    FLOP,
    TURN,
    RIVER,
    "*** SHOW DOWN ***",
    "Ada: shows [As Ad] (a pair of Aces)",
    "Cleo: mucks hand ",
    "Ada collected $39 from side pot",
    "Bram: shows [9s 9d] (three of a kind, Nines)",
    "Bram collected $238.50 from main pot",
    "*** SUMMARY ***",
    "Total pot $280.50 Main pot $241.50. Side pot $39. | Rake $3 ",
    "Board [2c 7d 9h Js 3d]",
    "Seat 1: Ada (button) showed [As Ad] and won ($39) with a pair of Aces",
    "Seat 2: Bram (small blind) showed [9s 9d] and won ($238.50) with three of a kind, Nines",
    "Seat 3: Cleo (big blind) mucked [Kc Kh]",
]


def read(text: str | bytes | list[str]) -> list[Record | Reject]:
    whole = "\n".join(text) if isinstance(text, list) else text
    data = whole if isinstance(whole, bytes) else whole.encode()
    return list(pokerstars.read(Stream(io.BytesIO(data).read), "night.txt"))


def told(text: str | bytes | list[str]) -> list[Event]:
    items = read(text)
    assert [item.reason for item in items if isinstance(item, Reject)] == []
    return [parse(item.raw) for item in items]


def refusal(text: str | list[str]) -> str:
    (item,) = read(text)
    assert isinstance(item, Reject)
    return item.reason


def findings(text: str | bytes | list[str]) -> list[str]:
    """What an audit of it says, notes apart."""
    records = [item.raw for item in read(text) if isinstance(item, Record)]
    return [f"{each.rule} {each.message}" for each in audit(records) if each.severity != "info"]


def brief(events: list[Event], *types: str) -> list[str]:
    """The events in a few words each, for comparison."""
    words: Words = {
        "cards_shown": lambda e: f"{e.seat} {' '.join(e.cards)}",
        "pot_awarded": lambda e: f"{e.seat} wins {e.amount} of {e.pot} on {e.board}",
    }
    return in_words(events, types, words)


def changed(hand: list[str], lines: dict[str, str | list[str]]) -> list[str]:
    """A hand with other lines: each is named by words of the line that it stands for."""
    out: list[str] = []
    for line in hand:
        by = next((new for words, new in lines.items() if words in line), line)
        out += [by] if isinstance(by, str) else by
    return out


# --- one hand, whole ------------------------------------------------------------------------------------------------


def test_a_hand_becomes_a_table_of_its_own() -> None:
    events = told(RAISED)
    assert brief(events) == [
        "table_opened",
        "hand_started",
        "2 small_blind 50",
        "3 big_blind 100",
        "2 ?? down",
        "2 ?? down",
        "3 ?? down",
        "3 ?? down",
        "1 As down",
        "1 Kd down",
        "1 raise 300",
        "2 fold 0",
        "3 call 200",
        "2c 7d 9h board 1",
        "3 check 0",
        "1 bet 400",
        "3 fold 0",
        "1 back 400",
        "1 wins 620 of 0 on 0",
        "rake 30",
        "hand_ended",
        "table_closed",
    ]
    opened, started = events[:2]
    assert (opened.game, opened.betting, opened.currency, opened.scale) == ("holdem", "no_limit", "USD", 2)
    assert (opened.stakes.small_blind, opened.stakes.big_blind, opened.max_seats) == (50, 100, 6)
    assert opened.location == "PokerStars · Vega II"
    assert set(opened.observes) == {"betting", "stacks", "awards"}
    assert opened.at == datetime(2024, 5, 6, 18, 15, 30, tzinfo=UTC)
    assert [(each.seat, each.player_id, each.stack) for each in started.seats] == [
        (1, "Ada", 10_000),
        (2, "Bram", 8_050),
        (3, "Cleo", 12_000),
    ]
    assert (started.hand_id, started.button_seat, started.small_blind_seat, started.big_blind_seat) == ("101", 1, 2, 3)
    assert findings(RAISED) == []


def test_what_the_file_says_of_the_whole_is_told_as_found() -> None:
    (ended,) = [event for event in told(RAISED) if event.type == "hand_ended"]
    assert (ended.reported.pot, ended.reported.rake) == (650, 30)
    assert [(each.seat, each.stack) for each in ended.reported.stacks] == [(1, 10_320)]


def test_a_total_that_differs_from_what_was_done_is_found() -> None:
    assert any(
        each.startswith("POT109") for each in findings(changed(RAISED, {"Total pot": "Total pot $7.50 | Rake $0.30"}))
    )


def test_an_award_that_differs_between_the_lines_and_the_summary_is_found() -> None:
    other = changed(RAISED, {"button": "Seat 1: Ada (button) collected ($5.20)"})
    assert any(each.startswith("POT109") for each in findings([HEADER, TABLE, *other[2:]]))


def test_a_side_pot_is_told_as_one_and_a_mucked_hand_is_known_without_being_shown() -> None:
    events = told(ALL_IN)
    assert brief(events, "player_acted") == ["1 raise 10000!", "2 call 8000!", "3 call 9900"]
    assert brief(events, "pot_awarded") == ["1 wins 3900 of 1 on 0", "2 wins 23850 of 0 on 0"]
    assert brief(events, "cards_shown", "cards_released") == ["1 As Ad", "3 muck", "2 9s 9d"]
    assert [each for each in brief(events, "card_dealt") if each.startswith("3")] == ["3 Kc down", "3 Kh down"]
    assert "hole_cards" in events[0].observes
    assert findings(ALL_IN) == []


def test_a_better_hand_that_was_shown_and_did_not_win_is_found() -> None:
    taken = {"Bram collected": "Cleo collected $238.50 from main pot", "Cleo: mucks": "Cleo: shows [Kc Kh]"}
    wrong = changed(ALL_IN, taken)
    assert any(each.startswith("POT104") for each in findings(wrong))


# --- who is in the hand ---------------------------------------------------------------------------------------------


def test_who_sits_out_is_dealt_in_when_something_is_told_of_him() -> None:
    seats = [SEATS[0], SEATS[1] + "is sitting out", SEATS[2], "Seat 4: Dov ($50 in chips) is sitting out"]
    hand = [HEADER, TABLE, *seats, *RAISED[5:]]
    (_, started, *_) = events = told(hand)
    assert [(each.seat, each.entitled) for each in started.seats] == [(1, True), (2, True), (3, True), (4, False)]
    assert {event.seat for event in events if event.type == "card_dealt"} == {1, 2, 3}
    assert findings(hand) == []


def test_who_was_moved_to_the_table_waits_for_the_button() -> None:
    late = "Seat 4: Dov (5000 in chips) out of hand (moved from another table into small blind)"
    hand = [HEADER, TABLE, *SEATS, late, "Dov will be allowed to play after the button", *RAISED[5:]]
    assert not told(hand)[1].seats[3].entitled
    assert findings(hand) == []


@pytest.mark.parametrize(
    "line",
    [
        'Cleo said, "Ada: calls $5 (x)"',
        'a watcher [observer] said, "Ada collected $5 from pot"',
        "Dov joins the table at seat #4 ",
        "Bram leaves the table",
        "Bram is disconnected ",
        "Bram is connected ",
        "Bram has timed out",
        "Bram has timed out while being disconnected",
        "Bram has returned",
        "Dov: sits out ",
        "Dov: is sitting out",
        "Dov was removed from the table for failing to post",
        "Dov will be allowed to play after the button",
        "Betting is capped",
        "No low hand qualified",
        "Pair on board - a double bet is allowed",
        "All players have agreed to skip the break. Game resuming.",
        "Cleo wins the $5 bounty for eliminating Dov",
        "Ada, Cleo split the $2.50 bounty for eliminating Dov",
        "Cleo wins $19.90 for eliminating Dov and their own bounty increases by $19.89 to $155.32",
        "Cleo wins $4.60 for splitting the elimination of Dov and their own bounty increases by $4.59 to $41.32",
        "Dov finished the tournament in 3rd place",
        "Dov finished the tournament in 2nd place and received $141.51.",
        "Cleo wins the tournament and receives $230.36 - congratulations!",
        "Cleo wins an entry to tournament #2900000001",
        "Cleo wins a $5 ticket",
    ],
)
def test_talk_and_what_becomes_of_players_is_passed_over(line: str) -> None:
    hand = [*RAISED[:10], line, *RAISED[10:]]
    assert brief(told(hand)) == brief(told(RAISED))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Ada: wagers $5", "line 11: not understood: wagers $5"),
        ("Ada: bets", "line 11: not understood: bets"),
        ("Dov: calls $1", "line 11: not understood: Dov: calls $1"),
        ("Dov collected $1 from pot", "line 11: 'Dov' has no seat in this hand"),
        ("Ada: calls $1.005", "line 11: 1.005 is no whole number of chips"),
        ("Ada: shows [Ax Kd]", "line 11: not a card: Ax"),
        ("*** EIGHTH STREET *** [As]", "line 11: not understood: *** EIGHTH STREET *** [As]"),
        ("The house adds $5", "line 11: not understood: The house adds $5"),
    ],
)
def test_a_line_that_could_carry_chips_or_cards_is_not_passed_over(line: str, reason: str) -> None:
    assert refusal([*RAISED[:10], line, *RAISED[10:]]) == reason


NAMES = [
    "a: b",
    "Seat 3: a",
    "x (5 in chips)",
    "[As] said",
    "b collected",
    "folds: 5",
    "$5",
    "Ada: folds",
    "Dealt to y",
    "ola :D",
    "été 東京",
    "Kim :P:",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_may_hold_anything(name: str) -> None:
    odd = [line.replace("Cleo", name) for line in ALL_IN]
    others = [line.replace("Ada", "a").replace("Cleo", name) for line in ALL_IN]
    assert brief(told(odd)) == brief(told(ALL_IN))
    assert told(odd)[1].seats[2].player_id == name
    if name != "Ada: folds":
        assert brief(told(others)) == brief(told(ALL_IN))


def test_the_longest_name_is_meant() -> None:
    hand = [line.replace("Ada", "a").replace("Cleo", "a: b") for line in RAISED]
    assert brief(told(hand)) == brief(told(RAISED))


# --- the first lines ------------------------------------------------------------------------------------------------


def test_full_tilt_s_own_format_is_refused_by_its_name() -> None:
    line = (
        "Full Tilt Poker Game #26262274596: Table Vega (heads up) - $5/$10 - No Limit Hold'em - 0:00:07 ET - 2009/07/01"
    )
    assert refusal([line, "Seat 1: Ada ($581.70)"]) == (
        "line 1: a hand in the format that Full Tilt had of its own, which is not read"
    )


def header(line: str) -> Event:
    return told([line, TABLE, *SEATS, "Ada: folds "])[0]


@pytest.mark.parametrize(
    ("named", "game", "betting"),
    [
        ("Hold'em Pot Limit ($1/$2 USD)", "holdem", "pot_limit"),
        ("Hold'em Limit ($1/$2 USD)", "holdem", "limit"),
        ("Hold'em Pot Limit Pre-Flop, No Limit Post-Flop ($1/$2 USD)", "holdem", "no_limit"),
        ("HOLD'EM NO LIMIT ($2/$4)", "holdem", "no_limit"),
        ("Omaha Pot Limit ($1/$2 USD)", "omaha", "pot_limit"),
        ("Omaha Hi/Lo Limit ($1/$2 USD)", "omaha_hilo", "limit"),
        ("5 Card Omaha Pot Limit ($1/$2 USD)", "omaha5", "pot_limit"),
        ("5 Card Omaha Hi/Lo Pot Limit ($1/$2 USD)", "omaha5_hilo", "pot_limit"),
        ("6 Card Omaha Pot Limit ($1/$2 USD)", "omaha6", "pot_limit"),
        ("6+ Hold'em No Limit (Button Blind $1 - Ante $1  USD)", "short_deck", "no_limit"),
        ("7 Card Stud Limit ($1/$2 USD)", "stud", "limit"),
        ("7 Card Stud Hi/Lo Limit ($1/$2 USD)", "stud_hilo", "limit"),
        ("Razz Limit ($1/$2 USD)", "razz", "limit"),
        ("5 Card Draw No Limit ($1/$2 USD)", "draw_high", "no_limit"),
        ("Single Draw 2-7 Lowball No Limit ($1/$2 USD)", "lowball_27", "no_limit"),
        ("Triple Draw 2-7 Lowball Limit ($1/$2 USD)", "triple_draw_27", "limit"),
        ("Badugi Limit ($1/$2 USD)", "badugi", "limit"),
        ("No Limit Texas Hold'em ($0.25/$0.5 USD)", "holdem", "no_limit"),
        ("HORSE (Omaha Hi/Lo Limit, $0.04/$0.08 USD)", "omaha_hilo", "limit"),
        ("8-Game (Triple Draw 2-7 Lowball Limit, $1/$2 USD)", "triple_draw_27", "limit"),
        ("Mixed NLH/PLO (Omaha Pot Limit, $1/$2 USD)", "omaha", "pot_limit"),
    ],
)
def test_every_game_of_the_contract(named: str, game: str, betting: str) -> None:
    opened = header(f"PokerStars Hand #7: {named} - 2024/05/06 14:15:30 ET")
    assert (opened.game, opened.betting) == (game, betting)


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        ("Courchevel Pot Limit ($1/$2 USD)", "Courchevel has no game in the event contract"),
        ("Courchevel Hi/Lo Pot Limit ($1/$2 USD)", "Courchevel Hi/Lo has no game in the event contract"),
        ("6 Card Omaha Hi/Lo Pot Limit ($1/$2 USD)", "6 Card Omaha Hi/Lo has no game in the event contract"),
        ("Split Hold'em No Limit ($1/$2 USD)", "Split Hold'em has no game in the event contract"),
        ("Fusion Pot Limit ($1/$2 USD)", "Fusion has no game in the event contract"),
        ("Whist ($1/$2 USD)", "the first line names no game that is known"),
    ],
)
def test_a_game_that_the_contract_does_not_have_is_refused(named: str, reason: str) -> None:
    hand = [f"PokerStars Hand #7: {named} - 2024/05/06 14:15:30 ET", TABLE, *SEATS]
    assert refusal(hand) == f"line 1: {reason}"


@pytest.mark.parametrize(
    ("line", "room"),
    [
        ("PokerStars Game #7:  Hold'em No Limit ($1/$2) - 2010/05/06 14:15:30 ET", "PokerStars"),
        ("PokerStars Zoom Hand #7:  Hold'em No Limit ($1/$2) - 2013/01/08 22:28:42 CET", "PokerStars"),
        ("PokerStars Home Game Hand #7: {Club #1}  Hold'em No Limit (1/2) - 2012/01/28 20:58:29 ET", "PokerStars"),
        ("POKERSTARS GAME #7:  HOLD'EM NO LIMIT ($2/$4) - 2007/11/11 - 13:27:23 (ET)", "PokerStars"),
        ("Full Tilt Hand #7:  Hold'em No Limit (5/10) - 2016/05/20 8:19:23 ET", "Full Tilt"),
        ("Poker Hand #RC7: Hold'em No Limit ($0.05/$0.10) - 2024/03/15 12:00:00", "GGPoker"),
    ],
)
def test_other_rooms_and_tools_write_the_same(line: str, room: str) -> None:
    opened = header(line)
    assert opened.location == f"{room} · Vega II"
    assert format_of(Stream(io.BytesIO(f"{line}\n".encode()).read)).name == "pokerstars"


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("2024/05/06 20:15:30 CET [2024/05/06 14:15:30 ET]", datetime(2024, 5, 6, 18, 15, 30, tzinfo=UTC)),
        ("2024/01/06 3:04:05 XYZ [2024/01/05 21:04:05 ET]", datetime(2024, 1, 6, 2, 4, 5, tzinfo=UTC)),
        ("2024/01/06 9:04:05 ET", datetime(2024, 1, 6, 14, 4, 5, tzinfo=UTC)),
        ("2007/11/11 - 13:27:23 (ET)", datetime(2007, 11, 11, 18, 27, 23, tzinfo=UTC)),
        ("2024/01/06 9:04:05 MSK", datetime(2024, 1, 6, 6, 4, 5, tzinfo=UTC)),
        ("2024/01/06 9:04:05 XYZ", datetime(2024, 1, 6, 9, 4, 5, tzinfo=UTC)),
        ("2024/01/06 09:04:05", datetime(2024, 1, 6, 9, 4, 5, tzinfo=UTC)),
        ("2024/01/06 9:4:5", datetime(2024, 1, 6, 9, 4, 5, tzinfo=UTC)),
        ("2024-01-06T09:04:05.123Z", datetime(2024, 1, 6, 9, 4, 5, tzinfo=UTC)),
    ],
)
def test_the_time_is_the_room_s_own_where_it_is_told(time: str, expected: datetime) -> None:
    assert header(f"PokerStars Hand #7: Hold'em No Limit ($1/$2 USD) - {time}").at == expected


@pytest.mark.parametrize(
    ("sign", "code", "currency"),
    [("$", " USD", "USD"), ("€", " EUR", "EUR"), ("£", " GBP", "GBP"), ("€", "", "EUR"), ("¥", "", "CNY"),
     ("₹", "", "INR"), ("Rs. ", "", "INR"), ("$", " CAD", "CAD"), ("₽", "", "₽")],
)  # fmt: skip
def test_currencies(sign: str, code: str, currency: str) -> None:
    hand = [line.replace("$", sign) for line in changed(RAISED, {"#101": HEADER.replace(" USD", code)})]
    events = told(hand)
    assert (events[0].currency, events[0].scale) == (currency, 2)
    assert brief(events) == brief(told(RAISED))


def test_tournament_chips_have_no_currency_and_no_decimals() -> None:
    line = "PokerStars Hand #7: Tournament #55, $2.50+$2.40+$0.60 USD Hold'em No Limit - Level VIII (100/200) - "
    hand = [
        line + "2024/05/06 14:15:30 ET",
        "Table '55 27' 9-max Seat #1 is the button",
        "Seat 1: Ada (6,476 in chips, $2.40 bounty)",
        "Seat 2: Bram (5425 in chips, $2.40 bounty)",
        "Ada: posts the ante 25",
        "Bram: posts the ante 25",
        "Ada: posts small blind 100",
        "Bram: posts big blind 200",
        "*** HOLE CARDS ***",
        "Ada: folds ",
        "Uncalled bet (100) returned to Bram",
        "Bram collected 250 from pot",
        "*** SUMMARY ***",
        "Total pot 250 | Rake 0 ",
        "Seat 1: Ada (button) (small blind) folded before Flop",
        "Seat 2: Bram (big blind) collected (250)",
    ]
    opened, started, *rest = told(hand)
    assert (opened.currency, opened.scale, opened.location) == (None, 0, "PokerStars · 55 27")
    assert (opened.stakes.small_blind, opened.stakes.big_blind, opened.stakes.ante) == (100, 200, 25)
    assert [each.stack for each in started.seats] == [6476, 5425]
    assert brief(rest, "forced_bet_posted") == ["1 ante 25", "2 ante 25", "1 small_blind 100", "2 big_blind 200"]
    assert findings(hand) == []


def test_the_stakes_of_a_limit_game_are_its_bets() -> None:
    line = "PokerStars Hand #7: Hold'em Limit ($1/$2 USD) - 2024/05/06 14:15:30 ET"
    stakes = told([line, TABLE, *SEATS, "Bram: posts small blind $0.50", "Cleo: posts big blind $1", "Ada: folds "])[
        0
    ].stakes
    assert (stakes.small_blind, stakes.big_blind, stakes.small_bet, stakes.big_bet) == (50, 100, 100, 200)


# --- forced bets ----------------------------------------------------------------------------------------------------


def posted(*lines: str, play: tuple[str, ...] = ()) -> list[str]:
    return brief(
        told([HEADER, TABLE, *SEATS, *lines, "*** HOLE CARDS ***", *play, 'Ada said, "so"']), "forced_bet_posted"
    )


def test_who_comes_back_posts_a_dead_small_and_a_live_big_blind() -> None:
    assert posted(*BLINDS, "Ada: posts small & big blinds $1.50") == [
        "2 small_blind 50",
        "3 big_blind 100",
        "1 dead_blind 50",
        "1 missed_blind 100",
    ]


def test_a_second_big_blind_is_one_of_who_comes_to_the_table() -> None:
    assert posted(*BLINDS, "Ada: posts big blind $1")[-1] == "1 missed_blind 100"


def test_a_second_small_blind_is_dead_unless_its_owner_calls_only_the_rest() -> None:
    assert posted(*BLINDS, "Ada: posts small blind $0.50", play=("Ada: calls $1",))[-1] == "1 dead_blind 50"
    assert posted(*BLINDS, "Ada: posts small blind $0.50", play=("Ada: calls $0.50",))[-1] == "1 missed_blind 50"


def test_straddles_and_antes() -> None:
    assert posted(*BLINDS, "Ada: posts straddle $2", "Ada: posts the ante $0.20", "Bram: posts ante $0.20") == [
        "2 small_blind 50",
        "3 big_blind 100",
        "1 straddle 200",
        "1 ante 20",
        "2 ante 20",
    ]


def test_a_straddle_without_a_post_is_told_with_what_is_in_already() -> None:
    assert posted(*BLINDS, "Ada: straddle $2", "Bram: straddle $4") == [
        "2 small_blind 50",
        "3 big_blind 100",
        "1 straddle 200",
        "2 straddle 350",
    ]


def test_the_last_chips_may_go_into_an_ante_or_a_blind() -> None:
    seats = ["Seat 1: Ada (20 in chips)", "Seat 2: Bram (90 in chips)", "Seat 3: Cleo (500 in chips)"]
    line = "PokerStars Hand #7: Tournament #55, Freeroll  Hold'em No Limit - Level V (50/100) - 2024/05/06 14:15:30 ET"
    posts = ["Ada: posts the ante 20 and is all-in", "Bram: posts the ante 25", "Cleo: posts the ante 25"]
    blinds = ["Bram: posts small blind 50", "Cleo: posts big blind 100"]
    hand = [line, TABLE, *seats, *posts, *blinds, "*** HOLE CARDS ***", "Bram: calls 15 and is all-in", "Cleo: folds"]
    assert brief(told(hand), "forced_bet_posted")[0] == "1 ante 20!"


def test_who_sits_out_and_is_all_in_by_a_blind_has_the_cards_taken() -> None:
    line = "PokerStars Hand #7: Tournament #55, 2000+110 Hold'em No Limit - Level II (15/30) - 2024/05/06 14:15:30 ET"
    seats = ["Seat 1: Ada (900 in chips)", "Seat 2: Bram (900 in chips)", "Seat 3: Cleo (20 in chips) is sitting out"]
    hand = [
        line, TABLE, *seats, "Bram: posts small blind 15", "Cleo: posts big blind 20 and is all-in",
        "*** HOLE CARDS ***", "Ada: calls 30", "Bram: calls 15", "Cleo: folds ", FLOP, "Bram: checks ", "Ada: bets 60",
        "Bram: folds ", "Uncalled bet (60) returned to Ada", "Ada collected 80 from pot", "*** SUMMARY ***",
        "Total pot 80 | Rake 0 ", "Board [2c 7d 9h]", "Seat 1: Ada (button) collected (80)",
        "Seat 2: Bram (small blind) folded on the Flop", "Seat 3: Cleo (big blind) folded before Flop",
    ]  # fmt: skip
    assert brief(told(hand), "cards_released") == ["3 killed_by_dealer"]
    assert findings(hand) == []


def test_short_deck_is_played_with_a_button_blind() -> None:
    line = "PokerStars Hand #7:  6+ Hold'em No Limit (Button Blind $1 - Ante $0.50  USD) - 2024/05/06 14:15:30 ET"
    antes = [f"{name}: posts the ante $0.50" for name in ("Bram", "Cleo", "Ada")]
    hand = [
        line, TABLE, *SEATS, *antes, "Ada: posts button blind $1", "*** HOLE CARDS ***", "Bram: folds ",
        "Cleo: raises $2 to $3", "Ada: folds ", "Uncalled bet ($2) returned to Cleo", "Cleo collected $3.50 from pot",
        "*** SUMMARY ***", "Total pot $3.50 | Rake $0 ", "Seat 1: Ada (button blind) folded before Flop",
        "Seat 2: Bram folded before Flop", "Seat 3: Cleo collected ($3.50)",
    ]  # fmt: skip
    events = told(hand)
    assert (events[0].stakes.big_blind, events[0].stakes.ante, events[1].big_blind_seat) == (100, 50, 1)
    assert brief(events, "forced_bet_posted")[-1] == "1 big_blind 100"
    assert findings(hand) == []


# --- betting and its end --------------------------------------------------------------------------------------------


def test_older_files_do_not_tell_an_uncalled_bet() -> None:
    hand = changed(RAISED, {"Uncalled": []})
    assert brief(told(hand)) == brief(told(RAISED))


def test_a_blind_that_nobody_called_and_that_the_file_counts_as_won_does_not_go_back() -> None:
    walk = [
        *START, "Ada: folds ", "Bram: folds ", "Cleo collected $1.50 from pot", "*** SUMMARY ***",
        "Total pot $1.50 | Rake $0 ", "Seat 1: Ada (button) folded before Flop",
        "Seat 3: Cleo (big blind) collected ($1.50)",
    ]  # fmt: skip
    assert brief(told(walk), "chips_returned", "pot_awarded") == ["3 wins 150 of 0 on 0"]
    assert findings(walk) == []


def test_a_total_that_a_tool_prints_without_the_rake_is_no_difference() -> None:
    assert findings(changed(RAISED, {"Total pot": "Total pot $6.20 | Rake $0.30"})) == []


def test_a_tool_may_write_a_colon_and_chips_with_a_capital() -> None:
    tools = (
        "\n".join(RAISED).replace("in chips", "in Chips").replace("Total pot", "Total pot:").replace("Board", "Board:")
    )
    assert brief(told(tools)) == brief(told(RAISED))
    assert findings(tools.replace("pot: $6.50", "pot: $6.60")) != []


def test_a_tool_may_write_what_a_raise_makes_it_twice() -> None:
    assert brief(told(changed(RAISED, {"raises": "Ada: raises $3 to $3"}))) == brief(told(RAISED))


def test_run_it_once_told_what_a_second_raise_adds_and_lets_who_is_all_in_check() -> None:
    text = """\
Run It Once Poker Hand #101: Omaha Pot Limit (€1/€2) - 2019/02/17 21:38 UTC [2019/02/17 22:38 CET]
Table ID '9' 6-Max Seat #1 is the button
Seat 1: Ada (€190 in chips) [hero]
Seat 2: Bram (€500 in chips)
Seat 3: Cleo (€200 in chips)
Bram: posts small blind €1
Cleo: posts big blind €2
*** HOLE CARDS ***
Ada: raises €5 to €7
Bram: raises €17 to €24
Cleo: folds
Ada: raises €44.00 to €68
Bram: calls €51
*** FLOP *** [6c Jc Js]
Bram: checks
Ada: bets €115
Bram: calls €115
*** TURN *** [6c Jc Js] [5d]
Bram: checks
Ada: checks
*** RIVER *** [6c Jc Js 5d] [Jh]
Bram: checks
Ada: checks
*** SHOWDOWN ***
Ada shows [Ad 3c As Kh] for Full House [As Ad Js Jh Jc]
Ada shows [Ad 3c As Kh] for Full House [As Ad Js Jh Jc]
Ada collected €378.50 from pot
*** SUMMARY ***
Total pot €382 | Rake €3.50
Board [6c Jc Js 5d Jh]
Seat 3: Cleo (big blind) folded before Flop
Seat 1: Ada (button) showed [Ad 3c As Kh] and won €378.50 with Full House J's and A's
Seat 2: Bram (small blind) mucked [4c 7h 4d 7s] and lost"""
    assert brief(told(text), "player_acted")[3:7] == ["1 raise 6800", "2 call 5100", "2 check 0", "1 bet 11500!"]
    assert findings(text) == []


def test_who_reaches_the_cap_is_all_in() -> None:
    line = "PokerStars Game #7:  Hold'em No Limit ($0.50/$1 - $20 Cap -  USD) - 2010/05/06 14:15:30 ET"
    hand = [
        line, TABLE, *SEATS, *BLINDS, "*** HOLE CARDS ***", "Ada: raises $19 to $20 and has reached the $20 cap",
        "Bram: folds ", "Cleo: calls $19 and has reached the $20 cap", FLOP, TURN, RIVER, "*** SHOW DOWN ***",
        "Ada: shows [As Ad] (a pair of Aces)", "Cleo: mucks hand ", "Ada collected $40.50 from pot", "*** SUMMARY ***",
        "Total pot $40.50 | Rake $0 ", "Seat 1: Ada (button) showed [As Ad] and won ($40.50) with a pair of Aces",
    ]  # fmt: skip
    assert brief(told(hand), "player_acted") == ["1 raise 2000!", "2 fold 0", "3 call 1900!"]
    assert findings(hand) == []


def test_rake_jackpot_and_fees_are_told_apart() -> None:
    total = "Total pot $6.50 | Rake $0.20 | Jackpot $0.05 | Bingo $0 | Fortune $0 | Tax $0.05"
    events = told(changed(RAISED, {"Total pot": total}))
    assert brief(events, "rake_taken") == ["rake 20", "jackpot 5", "fee 5"]
    assert brief(told(changed(RAISED, {"Total pot": "Total pot $6.50 | Rake $0.22 | JP Fee $0.08"})), "rake_taken") == [
        "rake 22",
        "jackpot 8",
    ]


def test_a_raise_to_what_is_in_already_refuses_the_hand() -> None:
    assert refusal(changed(RAISED, {"Cleo: calls": "Cleo: raises $1 to $1"})) == (
        "line 12: a raise to what seat 3 has in already"
    )


# --- cards ----------------------------------------------------------------------------------------------------------


def test_a_board_that_is_run_twice() -> None:
    hand = [
        *START, "Ada: raises $99 to $100 and is all-in", "Bram: folds ", "Cleo: calls $99", FLOP,
        "*** FIRST TURN *** [2c 7d 9h] [Js]", "*** FIRST RIVER *** [2c 7d 9h Js] [3d]",
        "*** SECOND TURN *** [2c 7d 9h] [Kh]", "*** SECOND RIVER *** [2c 7d 9h Kh] [4d]",
        "*** FIRST SHOW DOWN ***", "Ada: shows [As Ad] (a pair of Aces)", "Cleo: mucks hand ",
        "Ada collected $100.25 from pot", "*** SECOND SHOW DOWN ***", "Ada: shows [As Ad] (a pair of Aces)",
        "Cleo: shows [Kc Ks] (three of a kind, Kings)", "Cleo collected $100.25 from pot", "*** SUMMARY ***",
        "Total pot $200.50 | Rake $0 ", "Hand was run twice", "FIRST Board [2c 7d 9h Js 3d]",
        "SECOND Board [2c 7d 9h Kh 4d]",
        "Seat 1: Ada (button) showed [As Ad] and won ($100.25) with a pair of Aces, and lost with a pair of Aces",
        "Seat 2: Bram (small blind) folded before Flop",
        "Seat 3: Cleo (big blind) showed [Kc Ks] and lost with a pair, and won ($100.25) with three of a kind, Kings",
    ]  # fmt: skip
    events = told(hand)
    assert brief(events, "board_dealt") == [
        "2c 7d 9h board 1", "Js board 1", "3d board 1", "Kh board 2", "4d board 2",
    ]  # fmt: skip
    assert brief(events, "pot_awarded") == ["1 wins 10025 of 0 on 1", "3 wins 10025 of 0 on 2"]
    assert brief(events, "cards_shown", "cards_released") == ["1 As Ad", "3 Kc Ks"]
    assert findings(hand) == []


def test_one_card_may_be_shown_and_a_hand_be_folded_face_up() -> None:
    events = told(changed(RAISED, {"Bram: folds": "Bram: folds [Qs Qd]", "doesn't": "Ada: shows [As] (high card)"}))
    assert brief(events, "cards_shown") == ["1 As"]
    assert [each for each in brief(events, "card_dealt") if each.startswith("2")] == ["2 Qs down", "2 Qd down"]


def test_a_winner_who_had_cashed_out_gives_the_pot_to_the_house() -> None:
    hand = changed(
        ALL_IN,
        {
            "Bram collected": ["Bram cashed out the hand for $90.50 | Cash Out Fee $0.91"],
            "won ": "Seat 2: Bram (small blind) showed [9s 9d] and won ($238.50) with three of a kind, Nines "
            "(pot not awarded as player cashed out)",
        },
    )
    events = told(hand)
    assert brief(events, "pot_awarded") == ["1 wins 3900 of 1 on 0", "2 wins 23850 of 0 on 0"]
    assert brief(events, "chips_cashed", "chips_bought") == ["2 gives 23850 cash_out", "2 gets 9050 cash_out"]
    assert findings(hand) == []


def test_a_loser_may_have_cashed_out_too() -> None:
    hand = [*ALL_IN[:17], "Cleo cashed out the hand for $22.77 | Cash Out Fee $0.46", *ALL_IN[17:]]
    assert brief(told(hand), "chips_cashed", "chips_bought") == ["3 gets 2277 cash_out"]
    assert findings(hand) == []


def test_chips_that_are_bought_for_the_next_hand_come_after_this_one() -> None:
    hand = [
        *ALL_IN[:20],
        "Cleo re-buys and receives 1500 chips for $1.00",
        "Ada takes the add-on and receives 20 chips for $1",
    ]
    events = told([*hand, *ALL_IN[20:]])
    assert brief(events)[-4:] == ["hand_ended", "3 gets 150000 purchase", "1 gets 2000 purchase", "table_closed"]


def test_what_is_settled_with_the_house_is_no_part_of_the_pot() -> None:
    told_of = [
        "Bram: Chooses to EV Cashout",
        "Bram: Pays Cashout Risk ($5.06)",
        "Cleo: Receives Cashout ($7)",
        "Cleo: get an all-in insurance (premium ($0/$4/$0) for ($0/$10.8/$0) - (Mandatory/Main/Sub))",
        "Cleo: pay premium of all-in insurance ($4)",
    ]
    hand = [*ALL_IN[:11], *told_of, *ALL_IN[11:]]
    assert brief(told(hand), "chips_cashed", "chips_bought") == [
        "2 gives 506 cash_out",
        "3 gets 700 cash_out",
        "3 gives 400 insurance",
    ]
    assert findings(hand) == []


def test_chips_that_the_house_puts_into_the_pot() -> None:
    more = {"Total pot": "Total pot $8.50 | Rake $0.30", "(button)": "Seat 1: Ada (button) collected ($8.20)"}
    hand = changed(
        [*RAISED[:7], "Cash Drop to Pot : total $2", *RAISED[7:]],
        more | {"Ada collected": "Ada collected $8.20 from pot"},
    )
    assert told(hand)[1].splash == 200
    assert findings(hand) == []


# --- stud and draw --------------------------------------------------------------------------------------------------

STUD = [
    "PokerStars Game #9:  7 Card Stud Limit ($1/$2 USD) - 2010/11/26 10:27:46 ET",
    "Table 'Dawn II' 8-max",
    "Seat 1: Ada ($20 in chips) ",
    "Seat 2: Bram ($20 in chips) ",
    "Seat 5: Cleo ($20 in chips) ",
    "Ada: posts the ante $0.10",
    "Bram: posts the ante $0.10",
    "Cleo: posts the ante $0.10",
    "*** 3rd STREET ***",
    "Dealt to Ada [Td]",
    "Dealt to Bram [7c 3s 5h]",
    "Dealt to Cleo [2c]",
    "Cleo: brings in for $0.30",
    "Ada: raises $0.70 to $1",
    "Bram: folds ",
    "Cleo: calls $0.70",
    "*** 4th STREET ***",
    "Dealt to Ada [Td] [Th]",
    "Dealt to Cleo [2c] [Qs]",
    "Pair on board - a double bet is allowed",
    "Ada: bets $2",
    "Cleo: calls $2",
    "*** 5th STREET ***",
    "Dealt to Ada [Td Th] [4c]",
    "Dealt to Cleo [2c Qs] [Qd]",
    "Cleo: checks ",
    "Ada: checks ",
    "*** 6th STREET ***",
    "Dealt to Ada [Td Th 4c] [8c]",
    "Dealt to Cleo [2c Qs Qd] [9d]",
    "Cleo: checks ",
    "Ada: checks ",
    "*** RIVER ***",
    "Cleo: bets $2",
    "Ada: calls $2",
    "*** SHOW DOWN ***",
    "Cleo: shows [Kh Kd 2c Qs Qd 9d 3h] (two pair, Kings and Queens)",
    "Ada: mucks hand ",
    "Cleo collected $9.90 from pot",
    "*** SUMMARY ***",
    "Total pot $10.30 | Rake $0.40 ",
    "Seat 1: Ada mucked [As Jd Td Th 4c 8c 6c]",
    "Seat 2: Bram folded on the 3rd Street (didn't bet)",
    "Seat 5: Cleo showed [Kh Kd 2c Qs Qd 9d 3h] and won ($9.90) with two pair, Kings and Queens",
]


def test_stud_is_dealt_down_and_up_and_completed() -> None:
    events = told(STUD)
    assert events[1].button_seat is None
    stakes = events[0].stakes
    assert (stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet) == (10, 30, 100, 200)
    assert brief(events, "player_acted")[:3] == ["1 complete 100", "2 fold 0", "5 call 70"]
    assert [each for each in brief(events, "card_dealt") if each.startswith("5")] == [
        "5 Kh down", "5 Kd down", "5 2c up", "5 Qs up", "5 Qd up", "5 9d up", "5 3h down",
    ]  # fmt: skip
    assert [each for each in brief(events, "card_dealt") if each.startswith("1")][-1] == "1 6c down"
    assert [each for each in brief(events, "card_dealt") if each.startswith("2")] == [
        "2 7c down",
        "2 3s down",
        "2 5h up",
    ]
    assert findings(STUD) == []


def test_a_street_that_a_room_left_empty_is_in_the_summary() -> None:
    assert brief(told(changed(ALL_IN, {TURN: "*** TURN *** [2c 7d 9h] []"}))) == brief(told(ALL_IN))
    short = {TURN: "*** TURN *** [2c 7d 9h] []", "Board [": "Board [2c 7d 9h 3d]"}
    assert refusal(changed(ALL_IN, short)) == "line 13: no cards are told for the board"


def test_a_deck_that_runs_out_gives_a_card_for_all() -> None:
    hand = changed(
        STUD,
        {
            "RIVER": "*** RIVER *** [6h]",
            "shows": "Cleo: shows [Kh Kd 2c Qs Qd 9d] (two pair, Kings and Queens)",
            "mucked": "Seat 1: Ada mucked [As Jd Td Th 4c 8c]",
            "showed": "Seat 5: Cleo showed [Kh Kd 2c Qs Qd 9d] and won ($9.90) with two pair, Kings and Queens",
        },
    )
    assert brief(told(hand), "board_dealt") == ["6h board 1"]
    assert findings(hand) == []


DRAW = [
    "PokerStars Game #9:  Triple Draw 2-7 Lowball Limit ($1/$2 USD) - 2010/09/05 10:32:15 ET",
    "Table 'Benk V' 6-max Seat #1 is the button",
    *SEATS,
    *BLINDS,
    "*** DEALING HANDS ***",
    "Dealt to Ada [2s 7h 5c Kd Kh]",
    "Ada: raises $1 to $2",
    "Bram: folds ",
    "Cleo: calls $1",
    "*** FIRST DRAW ***",
    "Cleo: discards 3 cards",
    "Ada: discards 2 cards [Kd Kh]",
    "Dealt to Ada [2s 7h 5c] [3d 9s]",
    "Cleo: checks ",
    "Ada: bets $1",
    "Cleo: calls $1",
    "*** SECOND DRAW ***",
    "Cleo: discards 1 card",
    "Ada: stands pat on [2s 7h 5c 3d 9s]",
    "Cleo: checks ",
    "Ada: bets $2",
    "Cleo: calls $2",
    "*** THIRD DRAW ***",
    "Cleo: stands pat ",
    "Ada: discards 1 card [9s]",
    "Dealt to Ada [2s 7h 5c 3d] [4h]",
    "Cleo: checks ",
    "Ada: checks ",
    "*** SHOW DOWN ***",
    "Cleo: shows [8h 6h 5d 4c 2d] (Lo: 8,6,5,4,2)",
    "Ada: shows [2s 7h 5c 3d 4h] (Lo: 7,5,4,3,2)",
    "Ada collected $10 from pot",
    "*** SUMMARY ***",
    "Total pot $10.50 | Rake $0.50 ",
    "Seat 1: Ada (button) showed [2s 7h 5c 3d 4h] and won ($10) with Lo: 7,5,4,3,2",
    "Seat 2: Bram (small blind) folded before the Draw",
    "Seat 3: Cleo (big blind) showed [8h 6h 5d 4c 2d] and lost with Lo: 8,6,5,4,2",
]


def test_draws_are_told_by_what_is_thrown_away_and_what_comes_for_it() -> None:
    events = told(DRAW)
    assert brief(events, "cards_discarded") == ["3 3 ", "1 2 Kd Kh", "3 1 ", "1 0 ", "3 0 ", "1 1 9s"]
    drawn = [f"{e.seat} {e.card}" for e in events if e.type == "card_dealt" and e.draw]
    assert drawn == ["3 ??", "3 ??", "3 ??", "1 3d", "1 9s", "3 ??", "1 4h"]
    assert findings(DRAW) == []


def test_a_single_draw_has_no_line_of_its_own() -> None:
    single = [DRAW[0].replace("Triple", "Single"), *(line for line in DRAW[1:] if " DRAW ***" not in line)]
    hand = [*single[:14], "Cleo: checks ", "Ada: checks ", "*** SHOW DOWN ***", "Ada: shows [2s 7h 5c 3d 9s] (Lo: 9)"]
    assert brief(told(hand), "cards_discarded") == ["3 3 ", "1 2 Kd Kh"]
    assert findings(hand) == []


def test_cards_that_the_room_s_programs_garbled_are_unread() -> None:
    hand = changed(
        DRAW[:17],
        {"discards 2": "Ada: discards 2 cards []", "[3d 9s]": "Dealt to Ada [2s 7h 5c Kd Kh] [2s 7h 5c Kd Kh]"},
    )
    assert {event.card for event in told(hand) if event.type == "card_dealt"} == {"??"}


# --- hands that break off or were cancelled -------------------------------------------------------------------------


@pytest.mark.parametrize("hand", [RAISED, ALL_IN, STUD, DRAW], ids=["raised", "all-in", "stud", "draw"])
def test_a_hand_may_break_off_anywhere_without_a_finding(hand: list[str]) -> None:
    text = "\n".join(hand)
    for end in range(len(hand[0]) + 1, len(text), 17):
        events = told(text[:end])
        if "hand_ended" not in brief(events):
            assert "awards" not in events[0].observes
        assert findings(text[:end]) == [], text[:end][-80:]


def test_a_hand_that_breaks_off_stays_open_and_costs_no_other() -> None:
    events = told("\n".join(RAISED[:12]) + "\n\n\n" + "\n".join(ALL_IN).replace("#101", "#102"))
    ended = [event.hand_id for event in events if event.type == "hand_ended"]
    assert ended == ["102"]
    assert brief(events)[11:13] == ["2 fold 0", "table_opened"]


def test_an_amount_that_may_have_lost_its_end_is_not_told() -> None:
    assert brief(told([*START, "Ada: raises $2 to $3", "Bram: calls $2"]), "player_acted") == ["1 raise 300"]


def test_a_hand_that_breaks_off_in_its_first_line_is_refused() -> None:
    assert refusal(HEADER[:60]).startswith("line 1: the hand breaks off in its first line: ")


def test_a_cancelled_hand() -> None:
    hand = [HEADER, TABLE, SEATS[0], "Ada: posts small blind $0.50", "Bram: is sitting out ", "Hand cancelled",
            "*** SUMMARY ***", "Seat 1: Ada (button) collected ($0)"]  # fmt: skip
    events = told(hand)
    assert events[-2].cancelled
    assert brief(events)[-2:] == ["hand_ended", "table_closed"]
    assert findings(hand) == []
    assert told(changed(hand, {"cancelled": "** Hand cancelled **"}))[-2].cancelled


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "whole",
    [
        lambda a, b: f"{a}\n\n\n{b}\n",
        lambda a, b: f"\ufeff{a}\n\n\ufeff{b}\n".encode(),
        lambda a, b: f"{a}\n{b}",
        lambda a, b: f"{a}{b}",
        lambda a, b: f"{a}\n\n\n{b}".replace("\n", "\r\n"),
        lambda a, b: f"{a}\n\n\n{b}".replace("\n", "\r"),
        lambda a, b: f"Transcript for tournament #5\n\n*********** # 1 ******\n{a}\n\n*********** # 2 ******\n{b}",
        lambda a, b: "*********** # 1 ******\n" + f"{a}\n\n{b}".replace("\n", "\n ").replace("PokerS", " PokerS"),
        lambda a, b: f"{a}\n\n\n{b}".replace(" \n", "\n"),
    ],
    ids=["blank lines", "marks", "none", "no line end", "windows", "old mac", "transcript", "archive", "trimmed"],
)  # fmt: skip
def test_hands_are_told_apart_and_the_same_hand_is_the_same_table(whole: Callable[[str, str], str | bytes]) -> None:
    events = told(whole("\n".join(RAISED), "\n".join(ALL_IN).replace("#101", "#102")))
    assert brief(events) == brief(told(RAISED)) + brief(told(ALL_IN))
    assert events[0].table_id == told(RAISED)[0].table_id


def test_what_is_said_of_a_hand_begins_none() -> None:
    hand = [*RAISED[:10], f'Cleo said, "{HEADER}"', *RAISED[10:]]
    assert brief(told(hand)) == brief(told(RAISED))


def test_a_copy_of_a_hand_is_the_same_table_and_another_is_not() -> None:
    another = changed(RAISED, {"Ada: bets": "Ada: bets $5"})
    first, copy, other = (told(hand)[0].table_id for hand in (RAISED, RAISED, another))
    assert first == copy
    assert first != other


def test_a_hand_that_lost_its_beginning_is_refused_and_the_next_is_read() -> None:
    first, *rest = read([*RAISED[8:], "", "", *ALL_IN])
    assert isinstance(first, Reject)
    assert first.reason == "line 1: no hand begins here: the first line of a hand is missing"
    assert brief([parse(item.raw) for item in rest]) == brief(told(ALL_IN))


def test_what_follows_a_summary_without_a_first_line_is_no_part_of_the_hand() -> None:
    *hand, last = read([*ALL_IN, "", *RAISED[8:]])
    assert brief([parse(item.raw) for item in hand]) == brief(told(ALL_IN))
    assert isinstance(last, Reject)
    assert last.reason.startswith(f"line {len(ALL_IN) + 2}: no hand begins here")


@pytest.mark.parametrize("long", ["Ada: folds \n" * 100_000, "Ada: folds; " * 100_000], ids=["lines", "one line"])
def test_a_hand_that_is_too_long_is_refused_and_the_next_is_read(long: str) -> None:
    first, *rest = read(f"{HEADER} {long}\n" + "\n".join(RAISED))
    assert isinstance(first, Reject)
    assert "longer than a hand may be" in first.reason
    assert len(first.raw) <= 1 << 20
    assert brief([parse(item.raw) for item in rest]) == brief(told(RAISED))


def test_bytes_that_are_no_utf8_are_read_as_older_programs_wrote_them() -> None:
    text = "\n".join(RAISED).replace("$", "€").replace("Bram", "Bräm")
    events = told(text.encode("cp1252"))
    assert events[0].currency == "USD"  # the code tells, not the sign
    assert events[1].seats[1].player_id == "Bräm"


@pytest.mark.parametrize(
    ("hand", "reason"),
    [
        ([HEADER, *SEATS, "Ada: folds "], "line 2: the line of the table is missing"),
        ([HEADER, TABLE, SEATS[0], SEATS[0].replace("Ada", "Eva"), "Eva: folds "], "line 4: seat 1 is there twice"),
        ([HEADER, TABLE, SEATS[0], SEATS[0].replace("1:", "4:"), "x"], "line 4: two players have the name 'Ada'"),
        ([HEADER, TABLE, "Ada: folds ", "Bram: folds "], "line 1: nobody has a seat"),
        ([HEADER, TABLE, "Seat 700: Ada ($5 in chips)", "x"], "line 3: seat 700: a table has 100 at most"),
        ([HEADER.replace("05/06", "13/06"), TABLE, *SEATS], "line 1: no date: 2024/13/06 14:15:30 ET"),
        (changed(RAISED, {"Dealt": "Dealt to Dov [As Kd]"}), "line 9: not understood: Dealt to Dov [As Kd]"),
        (changed(RAISED, {"bets": "Ada: bets $999999999999999"}), "line 15: an amount is too large: 999999999999999"),
        (changed(RAISED, {"FLOP": "*** FLOP ***"}), "line 13: no cards are told for the board"),
        ([*RAISED[:10], "x" * 5000, *RAISED[10:]], "line 11: a line of 5,000 characters"),
    ],
)  # fmt: skip
def test_a_broken_hand_is_refused_in_plain_words(hand: list[str], reason: str) -> None:
    assert refusal(hand) == reason


def test_the_line_is_counted_in_the_file() -> None:
    reasons = [item.reason for item in read([*RAISED, "", *changed(ALL_IN, {"mucks": "Cleo: hides [Kc Kh]"})])
               if isinstance(item, Reject)]  # fmt: skip
    assert reasons == [f"line {len(RAISED) + 1 + 17}: not understood: hides [Kc Kh]"]


_SAMPLES = [RAISED, ALL_IN, STUD, DRAW]
_NOISE = '0123456789.,$€[]()*:# \n"AKQsh-'


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_becomes_of_a_hand_it_is_told_or_refused_and_its_neighbours_are_read(data: st.DataObject) -> None:
    text = "\n".join(data.draw(st.sampled_from(_SAMPLES)))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 60)))
    middle = text[:start] + data.draw(st.text(_NOISE, max_size=6)) + text[end:]
    neighbours = "\n".join(RAISED), "\n".join(ALL_IN).replace("#101", "#102")
    items = read(f"{neighbours[0]}\n\n\n{middle}\n\n\n{neighbours[1]}\n")
    events = [parse(item.raw) for item in items if isinstance(item, Record)]
    assert all(item.reason for item in items if isinstance(item, Reject))
    assert brief(events)[: len(told(RAISED))] == brief(told(RAISED))
    assert brief(events)[-len(told(ALL_IN)) :] == brief(told(ALL_IN))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_lines_in_any_order_raise_nothing(data: st.DataObject) -> None:
    lines = data.draw(st.permutations(data.draw(st.sampled_from(_SAMPLES))))
    for item in read([HEADER, *lines]):
        if isinstance(item, Record):
            parse(item.raw)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_garbage_raises_nothing(garbage: bytes) -> None:
    assert all(isinstance(item, Reject) for item in read(garbage))
