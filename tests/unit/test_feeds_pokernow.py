"""Logs of PokerNow become one table each: who comes and goes, and hand after hand, each trap in a few rows."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from feed_kit import Words, in_words
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor import audit
from auditor.events import Event
from auditor.feeds import pokernow
from auditor.feeds.formats import format_of
from auditor.feeds.streams import Stream
from auditor.findings import Reject, at_least
from auditor.intake import Record
from auditor.wire import parse

START = datetime(2024, 3, 10, 20, 0, tzinfo=UTC)
ADA, BRAM, CLEO = '"Ada @ aA-1_x"', '"Bram @ b2"', '"Cleo @ c3"'
HOLDEM = "No Limit Texas Hold'em"


def begin(number: int, dealer: str | None, stacks: str, game: str = HOLDEM) -> list[str]:
    who = f"dealer: {dealer}" if dealer else "dead button"
    return [
        f"-- starting hand #{number} (id: h{number}x)  {game} ({who}) --",
        f"Player stacks: {stacks}",
        "Your hand is 7h, 2c",
    ]


JOINS = [f"The player {who} joined the game with a stack of 1000." for who in (ADA, BRAM, CLEO)]
#: Ada, Bram and Cleo; Bram's blind is raised and folded to.
FIRST = [
    *begin(1, ADA, f"#1 {ADA} (1000) | #2 {BRAM} (1000) | #10 {CLEO} (1000)"),
    f"{BRAM} posts a small blind of 5", f"{CLEO} posts a big blind of 10", f"{ADA} folds", f"{BRAM} raises to 30",
    f"{CLEO} folds", f"Uncalled bet of 20 returned to {BRAM}", f"{BRAM} collected 20 from pot", "-- ending hand #1 --",
]  # fmt: skip
#: A call is the street's total: Ada adds 20, and 30 on the flop.
SECOND = [
    *begin(2, BRAM, f"#1 {ADA} (1000) | #2 {BRAM} (1010) | #10 {CLEO} (990)"),
    f"{CLEO} posts a small blind of 5", f"{ADA} posts a big blind of 10", f"{BRAM} raises to 30", f"{CLEO} folds",
    f"{ADA} calls 30", "Flop:  [K♥, 7♦, 2♠]", f"{ADA} bets 10", f"{BRAM} raises to 40", f"{ADA} calls 40",
    "Turn: K♥, 7♦, 2♠ [10♣]", f"{ADA} checks", f"{BRAM} checks", "River: K♥, 7♦, 2♠, 10♣ [3h]", f"{ADA} checks",
    f"{BRAM} checks", f"{ADA} shows a A♠, 9♠.", f"{BRAM} shows a K♠, Q♠.",
    f"{BRAM} collected 145 from pot with Pair, K's (combination: K♠, K♥, Q♠, 10♣, 7♦)", "-- ending hand #2 --",
]  # fmt: skip
NIGHT = [
    f"The player {ADA} requested a seat.", f"The admin approved the player {ADA} participation with a stack of 1000.",
    *FIRST[:1], *JOINS, *FIRST[1:], *SECOND,
]  # fmt: skip


#: How the rows begin that begin a hand, but for the first.
BEGINNING = ("Player stacks: ", "Your hand is ", f"{BRAM} posts", f"{CLEO} posts", f"{ADA} posts")


def log(entries: Iterable[str], *, header: str = "entry,at,order\n") -> str:
    """The rows as the room writes them: the newest first, quotes doubled."""
    rows = []
    for number, entry in enumerate(entries):
        at = START + timedelta(seconds=number)
        quoted = entry.replace('"', '""')
        rows.append(f'"{quoted}",{at:%Y-%m-%dT%H:%M:%S}.000Z,{int(at.timestamp()) * 100_000 + number}\n')
    return header + "".join(reversed(rows))


def read(text: str | bytes) -> list[Record | Reject]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(pokernow.read(Stream(io.BytesIO(data).read), "night.csv"))


def table(entries: Iterable[str]) -> list[Event]:
    items = read(log(entries))
    assert [item.reason for item in items if isinstance(item, Reject)] == []
    return [parse(item.raw) for item in items if isinstance(item, Record)]


def reasons(text: str) -> list[str]:
    return [item.reason for item in read(text) if isinstance(item, Reject)]


_WORDS: Words = {
    "player_seated": lambda e: f"{e.seat} seated {e.player_id}",
    "player_left": lambda e: f"{e.seat} left",
    "player_sat_out": lambda e: f"{e.seat} away",
    "player_returned": lambda e: f"{e.seat} back again",
    "chips_bought": lambda e: f"{e.seat} bought {e.amount} {e.kind} {e.reason}",
    "chips_cashed": lambda e: f"{e.seat} cashed {e.amount} {e.reason}",
    "hand_started": lambda e: f"hand {e.hand_id} button {e.button_seat}",
    "board_dealt": lambda e: f"{' '.join(e.cards)} board {e.board}" + (" rabbit" if e.rabbit else ""),
    "pot_awarded": lambda e: f"{e.seat} wins {e.amount}" + (f" on {e.board}" if e.board else ""),
}


def told(events: Sequence[Event], *types: str) -> list[str]:
    """The events in a few words each."""
    return in_words(events, types, _WORDS)


def alarms(text: str) -> list[str]:
    """Findings above info of what is told."""
    raws = [item.raw for item in read(text) if isinstance(item, Record)]
    return [f"{f.rule} {f.message}" for f in audit(raws) if at_least(f.severity, "minor")]


# --- a log, whole ---------------------------------------------------------------------------------------------------


def test_a_log_is_one_table() -> None:
    events = table(NIGHT)
    assert told(events) == [
        "table_opened",
        "1 seated Ada @ aA-1_x", "1 bought 1000 buy_in purchase", "2 seated Bram @ b2", "2 bought 1000 buy_in purchase",
        "10 seated Cleo @ c3", "10 bought 1000 buy_in purchase",
        "hand 1 button 1", "2 small_blind 5", "10 big_blind 10", "1 fold 0", "2 raise 25", "10 fold 0", "2 back 20",
        "2 wins 20", "hand_ended",
        "hand 2 button 2", "10 small_blind 5", "1 big_blind 10", "2 raise 30", "10 fold 0", "1 call 20",
        "Kh 7d 2s board 1", "1 bet 10", "2 raise 40", "1 call 30", "Tc board 1", "1 check 0", "2 check 0", "3h board 1",
        "1 check 0", "2 check 0", "1 shows As 9s", "2 shows Ks Qs", "2 wins 145", "hand_ended",
    ]  # fmt: skip
    assert {event.table_id for event in events} == {events[0].table_id}
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert alarms(log(NIGHT)) == []


def test_what_a_log_shows() -> None:
    events = table(NIGHT)
    opened, second = events[0], [e for e in events if e.type == "hand_started"][1]
    assert (opened.game, opened.betting, opened.scale, opened.location) == ("holdem", "no_limit", 0, "PokerNow")
    assert (opened.stakes.small_blind, opened.stakes.big_blind) == (5, 10)
    assert opened.observes == ("seating", "buy_ins", "stacks", "betting", "awards")
    assert second.observes == (*opened.observes, "button")
    assert events[-1].at == START + timedelta(seconds=len(NIGHT) - 1)


def test_the_file_is_told_by_its_columns() -> None:
    for head in ("entry,at,order\n", '"entry","at","order"\r\n', "entry,at\n"):
        data = log(NIGHT, header=head).encode()
        assert format_of(Stream(io.BytesIO(data).read)).name == "pokernow"
    assert format_of(Stream(io.BytesIO(log(NIGHT, header="").encode()).read)).name == "pokernow"


@pytest.mark.parametrize(
    ("game", "is_told_as"),
    [
        ("(No Limit Texas Hold'em)", ("holdem", "no_limit")),
        ("Limit Texas Hold'em", ("holdem", "limit")),
        ("Pot Limit Omaha Hi", ("omaha", "pot_limit")),
        ("Pot Limit Omaha Hi/Lo 8 or Better", ("omaha_hilo", "pot_limit")),
        ("Pot Limit Omaha 5 Hi", ("omaha5", "pot_limit")),
        ("Pot Limit Omaha 5 Hi/Lo 8 or Better", ("omaha5_hilo", "pot_limit")),
        ("Pot Limit Omaha 6 Hi", ("omaha6", "pot_limit")),
    ],
)
def test_every_game(game: str, is_told_as: tuple[str, str]) -> None:
    opened = table([each.replace(HOLDEM, game) for each in FIRST])[0]
    assert (opened.game, opened.betting) == is_told_as


def test_another_game_on_the_same_table() -> None:
    second = [
        each.replace(HOLDEM, "Pot Limit Omaha Hi")
        .replace("A♠, 9♠", "A♠, 9♠, 8♠, 4c")
        .replace("K♠, Q♠", "K♠, Q♠, J♠, 4d")
        for each in SECOND
    ]
    events = table([*FIRST, *second])
    started = [e for e in events if e.type == "hand_started"]
    assert [(e.game, e.betting) for e in started] == [(None, None), ("omaha", "pot_limit")]
    assert alarms(log([*FIRST, *second])) == []


def test_the_old_first_line_without_an_id() -> None:
    assert (
        told(table([each.replace(" (id: h1x)  ", "  (").replace("em (dealer", "em) (dealer") for each in FIRST]))[1]
        == "hand 1 button 1"
    )


def test_cents_are_the_chips_of_a_table_with_decimals() -> None:
    amounts = {
        "1000": "10.00",
        "of 5": "of 0.05",
        "of 10": "of 0.10",
        "to 30": "to 0.30",
        "of 20": "of 0.20",
        "d 20": "d 0.20",
    }
    entries = FIRST
    for whole, cents in amounts.items():
        entries = [each.replace(whole, cents) for each in entries]
    events = table(entries)
    assert (events[0].scale, events[0].stakes.big_blind) == (2, 10)
    assert told(events, "player_acted", "pot_awarded") == ["1 fold 0", "2 raise 25", "10 fold 0", "2 wins 20"]
    # A table that goes over to cents is opened anew.
    both = table([*FIRST, *(each.replace("#1 (", "#2 (").replace("hand #1", "hand #2") for each in entries)])
    assert [e.scale for e in both if e.type == "table_opened"] == [0, 2]


# --- forced bets ----------------------------------------------------------------------------------------------------


def posts(*entries: str) -> list[str]:
    return told(table([*FIRST[:5], *entries]), "forced_bet_posted")[2:]


def test_a_missed_big_blind_is_live_and_a_missing_small_one_dead() -> None:
    assert posts(f"{ADA} posts a missing small blind of 5", f"{ADA} posts a missed big blind of 10") == [
        "1 dead_blind 5", "1 missed_blind 10",
    ]  # fmt: skip


def test_a_blind_told_a_second_time_as_missed_is_paid_once() -> None:
    assert posts(f"{BRAM} posts a missing small blind of 5") == []
    assert posts(f"{CLEO} posts a missed big blind of 10") == []
    # Who owes the big blind and posts the small one has no more than a big blind that counts.
    assert posts(f"{BRAM} posts a missed big blind of 10") == ["2 missed_blind 5", "2 dead_blind 5"]


def test_straddles_antes_and_last_chips() -> None:
    assert posts(f"{ADA} posts a straddle of 20", f"{ADA} posts an ante of 2 and go all in") == [
        "1 straddle 20",
        "1 ante 2",
    ]
    short = FIRST[1].replace("#10 " + CLEO + " (1000)", "#10 " + CLEO + " (7)")
    events = table([FIRST[0], short, FIRST[3], f"{CLEO} posts a big blind of 7 and go all in "])
    assert told(events, "forced_bet_posted")[-1] == "10 big_blind 7!"


def test_a_dead_button_and_a_dead_small_blind() -> None:
    events = table([
        *FIRST, f"The player {ADA} quits the game with a stack of 1000.",
        *begin(2, None, f"#2 {BRAM} (1010) | #10 {CLEO} (990)"), "Dead Small Blind", f"{BRAM} posts a big blind of 10",
    ])  # fmt: skip
    assert told(events, "hand_started", "player_left", "chips_cashed")[1:] == [
        "1 cashed 1000 purchase",
        "1 left",
        "hand 2 button None",
    ]


def test_a_bomb_pot_is_antes_and_begins_on_two_flops() -> None:
    bomb = [
        *begin(2, BRAM, f"#1 {ADA} (1000) | #2 {BRAM} (1010) | #10 {CLEO} (990)"),
        f"{CLEO} posts a bet of 40 (bomb pot bet)", f"{ADA} calls 40 (bomb pot bet)", f"{BRAM} calls 40 (bomb pot bet)",
        "Flop:  [A♣, 7♥, 7♦]", "Flop (second board):  [10♦, J♠, 5♦]", f"{CLEO} bets 60", f"{ADA} calls 60",
        f"{BRAM} folds", "Turn: A♣, 7♥, 7♦ [2♠]", "Turn (second board): 10♦, J♠, 5♦ [Q♣]", f"{CLEO} checks",
        f"{ADA} checks", "River: A♣, 7♥, 7♦, 2♠ [9♣]", "River (second board): 10♦, J♠, 5♦, Q♣ [A♦]", f"{CLEO} checks",
        f"{ADA} checks", f"{CLEO} shows a 7♠, 3♦.", f"{ADA} shows a K♠, 9♦.",
        f"{CLEO} collected 120 from pot with Three of a Kind, 7's",
        f"{ADA} collected 120 from pot with Straight, A High on the second board  (combination: A♦, K♠, Q♣, J♠, 10♦)",
        "-- ending hand #2 --",
    ]  # fmt: skip
    events = table([*FIRST, *bomb])
    started = next(e for e in events if e.type == "hand_started" and e.hand_id == "2")
    assert (started.bomb_pot, started.stakes.ante) == (True, 40)
    assert told(events, "forced_bet_posted", "board_dealt", "pot_awarded")[3:] == [
        "10 ante 40", "1 ante 40", "2 ante 40", "Ac 7h 7d board 1", "Td Js 5d board 2", "2s board 1", "Qc board 2",
        "9c board 1", "Ad board 2", "10 wins 120 on 1", "1 wins 120 on 2",
    ]  # fmt: skip
    assert alarms(log([*FIRST, *bomb])) == []


# --- the end of a hand ----------------------------------------------------------------------------------------------


def test_a_board_that_is_run_twice_from_the_turn() -> None:
    hand = [
        *begin(2, BRAM, f"#1 {ADA} (1000) | #2 {BRAM} (1010)"), f"{BRAM} posts a small blind of 5",
        f"{ADA} posts a big blind of 10", f"{BRAM} raises to 30", f"{ADA} calls 30", "Flop:  [2♣, 7♦, 9♥]",
        f"{ADA} bets 970 and go all in", f"{BRAM} calls 970", "Remaining players decide whether to run it twice.",
        f"{ADA} chooses to  run it twice.", f"{BRAM} chooses to  run it twice.",
        "All players in hand choose to run it twice.", f"{ADA} shows a A♠, A♥.", f"{BRAM} shows a 9♠, 8♠.",
        "Flop (second run):  [2♣, 7♦, 9♥]", "Turn: 2♣, 7♦, 9♥ [3♠]", "River: 2♣, 7♦, 9♥, 3♠ [5♦]",
        "Turn (second run): 2♣, 7♦, 9♥ [4♦]", "River (second run): 2♣, 7♦, 9♥, 4♦ [9♦]",
        f"{ADA} collected 1000 from pot with Pair, A's", f"{BRAM} collected 1000 from pot with Three of a Kind, 9's",
        "-- ending hand #2 --",
    ]  # fmt: skip
    assert told(table(hand), "board_dealt", "pot_awarded") == [
        "2c 7d 9h board 1", "3s board 1", "5d board 1", "4d board 2", "9d board 2", "1 wins 1000", "2 wins 1000",
    ]  # fmt: skip
    assert alarms(log(hand)) == []


def test_cards_shown_behind_the_end_and_cards_undealt_belong_to_the_hand() -> None:
    rows = [*FIRST, f"{BRAM} shows a 7♦.", f"The player {ADA} quits the game with a stack of 1000.",
            "Undealt cards: 5♠, 5♦, K♣ [A♥, 2♦]", f"{BRAM} shows a 2♣."]  # fmt: skip
    assert told(table(rows))[-7:] == ["2 wins 20", "2 shows 7d", "Ah 2d board 1 rabbit", "2 shows 2c", "hand_ended",
                                      "1 cashed 1000 purchase", "1 left"]  # fmt: skip
    assert alarms(log(rows)) == []


def test_a_bounty_goes_from_player_to_player() -> None:
    rows = [*FIRST, f"{ADA} paid 3 for the 7-2 bounty to {BRAM}", f"{CLEO} paid 3 for the 7-2 bounty to {BRAM}",
            f"{BRAM} collected 6 from the 7-2 bounty",
            *begin(2, BRAM, f"#1 {ADA} (997) | #2 {BRAM} (1016) | #10 {CLEO} (987)"), *SECOND[3:]]  # fmt: skip
    assert told(table(rows), "chips_bought", "chips_cashed") == [
        "1 cashed 3 bounty", "2 bought 3 add_on bounty", "10 cashed 3 bounty", "2 bought 3 add_on bounty",
    ]  # fmt: skip
    assert alarms(log(rows)) == []


def test_a_bet_that_nobody_called_goes_back_though_an_old_log_does_not_say_so() -> None:
    rows = [each for each in FIRST if not each.startswith("Uncalled")]
    assert told(table(rows), "chips_returned", "pot_awarded") == ["2 back 20", "2 wins 20"]
    assert alarms(log(rows)) == []


# --- between the hands ----------------------------------------------------------------------------------------------


def test_the_owner_changes_a_stack() -> None:
    rows = [
        *FIRST, f"WARNING: the admin queued the stack change for the player {ADA} adding 500 chips in the next hand.",
        f"The admin updated the player {ADA} stack from 1000 to 1500.",
        f"The admin updated the player {CLEO} stack from 990 to 90.",
        *begin(2, BRAM, f"#1 {ADA} (1500) | #2 {BRAM} (1010) | #10 {CLEO} (90)"), *SECOND[3:],
    ]  # fmt: skip
    assert told(table(rows), "chips_bought", "chips_cashed") == [
        "1 bought 500 add_on adjustment",
        "10 cashed 900 adjustment",
    ]
    assert alarms(log(rows)) == []


def test_chips_that_nobody_bought_are_found() -> None:
    rows = [*FIRST, *(each.replace("(1010)", "(2010)") for each in SECOND)]
    assert [alarm[:6] for alarm in alarms(log(rows))] == ["BUY104"]


def test_a_button_that_goes_astray_is_found() -> None:
    rows = [*FIRST, *(each.replace(f"dealer: {BRAM}", f"dealer: {CLEO}") for each in SECOND[:3])]
    assert "BTN101" in [alarm[:6] for alarm in alarms(log([*rows, *SECOND[3:]]))]


def test_who_stands_up_comes_back_and_rebuys() -> None:
    rows = [
        *FIRST,
        f"The player {CLEO} stand up with the stack of 990.", f"The player {CLEO} sit back with the stack of 990.",
        f"The player {ADA} requested a rebuy of 500.", f"The player {ADA} rebought. New stack 1500.",
        *begin(2, BRAM, f"#1 {ADA} (1500) | #2 {BRAM} (1010) | #10 {CLEO} (990)"), *SECOND[3:],
    ]  # fmt: skip
    assert told(table(rows), "player_sat_out", "player_returned", "chips_bought") == [
        "10 away", "10 back again", "1 bought 500 add_on purchase",
    ]  # fmt: skip
    assert alarms(log(rows)) == []


def test_a_player_keeps_the_name_under_which_the_id_was_first_seen() -> None:
    renamed = [each.replace("Bram @ b2", "Bram the Great @ b9") for each in SECOND]
    rows = [*FIRST, 'The player "Bram @ b9" changed the ID from b2 to b9 because authenticated login.', *renamed]
    started = [e for e in table(rows) if e.type == "hand_started"]
    assert [seat.player_id for seat in started[1].seats] == ["Ada @ aA-1_x", "Bram @ b2", "Cleo @ c3"]
    assert alarms(log(rows)) == []


def test_where_the_button_goes_is_the_software_s_when_players_come_in() -> None:
    dov = '"Dov @ d4"'
    second = [each.replace(f"#10 {CLEO}", f"#4 {dov} (500) | #10 {CLEO}") for each in SECOND]
    rows = [*FIRST, f"The player {dov} joined the game with a stack of 500.", *second]
    events = table(rows)
    assert told(events, "player_seated", "chips_bought") == ["4 seated Dov @ d4", "4 bought 500 buy_in purchase"]
    assert "button" not in [e for e in events if e.type == "hand_started"][1].observes


def test_names_may_hold_anything() -> None:
    hostile = '""quoted" @ x" and go all in @ q1"'
    rows = [each.replace(BRAM, hostile) for each in NIGHT]
    assert told(table(rows))[7:] == told(table(NIGHT))[7:]
    assert alarms(log(rows)) == []


def test_settings_in_a_row_of_several_lines_move_nothing() -> None:
    settings_row = "Game Config Changes\n* Bomb Pot: off » on\n* 7-2 bounty: off » 300"
    assert told(table([*FIRST, settings_row, *SECOND])) == told(table([*FIRST, *SECOND]))


# --- logs that grew, broke off, were put together -------------------------------------------------------------------


def test_a_log_that_has_grown_begins_with_the_same_events() -> None:
    whole = [item.raw for item in read(log(NIGHT))]
    for length in range(4, len(NIGHT)):
        if not NIGHT[length].startswith(BEGINNING):  # the room writes these rows at once: no log ends between them
            short = [item.raw for item in read(log(NIGHT[:length]))]
            assert short == whole[: len(short)]


def test_wherever_a_log_breaks_off_there_is_no_alarm() -> None:
    text = log(NIGHT)
    for place in range(len("entry,at,order\n"), len(text), 7):
        for part in (text[:place], text[place:]):  # the oldest rows are lost, or the newest
            assert reasons(part) == []
            assert alarms(part) == []


def test_a_log_that_is_in_a_file_again_adds_what_is_new() -> None:
    whole = [item.raw for item in read(log(NIGHT))]
    earlier = log(NIGHT[: NIGHT.index(FIRST[-1]) + 1])
    for text in (log(NIGHT) + log(NIGHT), earlier + log(NIGHT), log(NIGHT) + earlier):
        assert [item.raw for item in read(text)] == whole
        assert [item.offset for item in read(text)] == list(range(1, len(whole) + 1))
        assert alarms(text) == []


def test_a_refused_hand_that_is_there_again_is_refused_once() -> None:
    text = log([*FIRST[:4], "the cat walks over the keyboard 30", *FIRST[4:], *SECOND])
    assert reasons(text + text) == reasons(text)
    assert len(reasons(text)) == 1


def test_a_copy_that_contradicts_the_log_is_told() -> None:
    assert alarms(log(SECOND) + log([row.replace("checks", "bets 50") for row in SECOND])) != []


def test_rows_in_another_order_and_twice_line_ends_and_byte_order_marks_change_nothing() -> None:
    once = [item.raw for item in read(log(NIGHT))]
    head, *rows = log(NIGHT).splitlines(keepends=True)
    assert [item.raw for item in read("".join((head, *rows[::-1])))] == once
    assert [item.raw for item in read("".join((head, *rows[5:], *rows)))] == once
    assert [item.raw for item in read(("\ufeff" + log(NIGHT)).replace("\n", "\r\n"))] == once


def test_a_log_without_numbers_is_turned_round() -> None:
    bare = "\n".join(line.rpartition(",")[0] for line in log(NIGHT).splitlines())
    assert told([parse(item.raw) for item in read(bare)]) == told(table(NIGHT))


def test_a_log_that_went_through_a_spreadsheet_keeps_what_is_said_twice() -> None:
    lines = log([*NIGHT, *(each.replace("#2", "#3", 1) for each in SECOND)])
    spoiled = re.sub(r",\d{15,}$", ",1.71009E+14", lines, flags=re.MULTILINE)
    assert spoiled != lines
    assert told([parse(item.raw) for item in read(spoiled)]) == told([parse(item.raw) for item in read(lines)])


@pytest.mark.parametrize("codec", ["cp1252", "latin-1"])
def test_suits_whose_bytes_were_taken_for_another_code_are_read(codec: str) -> None:
    spoiled = log(NIGHT).encode().decode(codec)
    assert "♠" not in spoiled
    assert [item.raw for item in read(spoiled)] == [item.raw for item in read(log(NIGHT))]


@pytest.mark.parametrize(
    ("row", "instead", "reason"),
    [
        (f"{BRAM} raises to 30", f"{BRAM} wagers 30", "not understood: '\"Bram @ b2\" wagers 30'"),
        (f"{BRAM} raises to 30", '"Eve @ e5" raises to 30', "'Eve @ e5' is not in the hand"),
        (f"{BRAM} raises to 30", f"{BRAM} raises to 5", "raise of 5, and 5 chips lie there already"),
        (f"{BRAM} raises to 30", f"{BRAM} raises to 7.555", "7.555 is no whole number of chips"),
        (FIRST[1], "Player stacks: #1 Ada (many)", "not understood: '#1 Ada (many)'"),
        (FIRST[1], f"Player stacks: #1 {ADA} (5) | #1 {BRAM} (5)", "the seats contradict each other"),
        (FIRST[0], FIRST[0].replace(HOLDEM, "Big Two"), "no game of the event contract: 'Big Two'"),
        ("-- ending hand #1 --", "-- ending hand #7 --", "another hand ends than the one that began"),
    ],
)  # fmt: skip
def test_a_broken_hand_is_refused_in_plain_words_and_costs_no_other(row: str, instead: str, reason: str) -> None:
    rows = [instead if each == row else each for each in FIRST]
    items = read(log([*rows, *SECOND]))
    (broken,) = [item for item in items if isinstance(item, Reject)]
    assert broken.reason.partition(": ")[2] == reason
    rest = [parse(item.raw) for item in items if isinstance(item, Record)]
    assert told(rest) == ["table_opened", *told(table(NIGHT))[-len(told(table(SECOND))) + 1 :]]
    assert alarms(log([*rows, *SECOND])) == []


def test_a_row_between_the_hands_that_is_not_understood_is_refused_alone() -> None:
    rows = [*FIRST, f"The admin gave {ADA} 500 chips", *(each.replace("(1000)", "(1500)") for each in SECOND)]
    assert reasons(log(rows)) == [
        f"line {len(SECOND) + 2}: not understood: 'The admin gave \"Ada @ aA-1_x\" 500 chips'"
    ]
    assert alarms(log(rows)) == []


def test_a_row_of_the_table_that_is_not_understood_does_not_cost_the_hand_it_stands_in() -> None:
    rows = [*FIRST[:5], f"The admin gave {ADA} 500 chips", *FIRST[5:]]
    assert reasons(log(rows)) == ["line 8: not understood: 'The admin gave \"Ada @ aA-1_x\" 500 chips'"]
    assert told([parse(item.raw) for item in read(log(rows)) if isinstance(item, Record)]) == told(table(FIRST))
    changed = [each.replace("(1000)", "(1500)") for each in SECOND]
    assert alarms(log([*rows, *changed])) == []


def test_hands_that_are_missing_leave_nothing_to_compare_with() -> None:
    assert alarms(log([*FIRST, *(each.replace("#2", "#9", 1).replace("(1000)", "(300)") for each in SECOND)])) == []


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_whatever_happens_to_a_log_it_is_told_or_refused(data: st.DataObject) -> None:
    text = bytearray(log([*NIGHT, *NIGHT[2:]]).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text) - 1))
        text[start : start + data.draw(st.integers(0, 60))] = data.draw(st.binary(max_size=6))
    items = read(bytes(text))
    assert all(item.reason for item in items if isinstance(item, Reject))
    events = [parse(item.raw) for item in items if isinstance(item, Record)]
    for of_a_table in {event.table_id for event in events}:
        numbers = [event.seq for event in events if event.table_id == of_a_table]
        assert numbers == sorted(numbers)
