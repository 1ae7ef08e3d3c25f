"""Hands of Bovada, Ignition and Bodog become events: twelve years of one text format, each trap in a small hand."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from feed_kit import Words, in_words
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor import audit
from auditor.events import Event
from auditor.feeds import bovada
from auditor.feeds.formats import format_of
from auditor.feeds.streams import Stream
from auditor.findings import Reject, at_least
from auditor.intake import Record
from auditor.wire import parse

HEAD = "Ignition Hand #4001 TBL#77 HOLDEM No Limit - 2022-05-26 09:16:24"
SEATS = """\
Seat 1: Dealer ($10 in chips)
Seat 3: Small Blind [ME] ($10.50 in chips)
Seat 4: Big Blind ($1,010 in chips)"""
BLINDS = """\
Dealer : Set dealer [1]
Small Blind  [ME] : Small Blind $0.10
Big Blind : Big blind $0.25"""
CARDS = """\
*** HOLE CARDS ***
Dealer : Card dealt to a spot [Kh 2d]
Small Blind  [ME] : Card dealt to a spot [4d 4s]
Big Blind : Card dealt to a spot [Ad 2h]"""
FOLDED = """\
Dealer : Raises $0.75 to $0.75
Small Blind  [ME] : Folds(timeout)
Big Blind : Fold(Blind Disconnected)
Dealer : Return uncalled portion of bet $0.50
Dealer : Does not show [Kh 2d] (High Card)
Dealer : Hand result $0.60"""
SUMMARY = """\
*** SUMMARY ***
Total Pot($0.60)
Seat+1: Dealer $0.60 [Does not show]"""
HAND = "\n".join((HEAD, SEATS, BLINDS, CARDS, FOLDED, SUMMARY))

STUD = """\
Bovada Hand #4002 TBL#8 7CARD HiLo Fixed Limit - 2012-09-19 13:11:08
Seat+1: $5 in chips
Seat+2 [ME]: $6 in chips
Seat+1 : Ante chip $0.05
Seat+2 [ME] : Ante chip $0.05
*** 3RD STREET ***
Seat+1 : Card dealt to a spot [6d Ad 2s]
Seat+2 [ME] : Card dealt to a spot [4d Qd Ac]
Seat+1 : Bring_in chip $0.10
Seat+2 [ME] : Raises $0.25 to $0.25
Seat+1 : Calls $0.15
*** 4TH STREET ***
Seat+1 : Card dealt to a spot [3s]
Seat+2 [ME] : Card dealt to a spot [5c]
Seat+2 [ME] : Checks
Seat+1 : Checks
*** 5TH STREET ***
Seat+1 : Card dealt to a spot [7h]
Seat+2 [ME] : Card dealt to a spot [9c]
Seat+2 [ME] : Checks
Seat+1 : Checks
*** 6TH STREET ***
Seat+1 : Card dealt to a spot [4h]
Seat+2 [ME] : Card dealt to a spot [9h]
Seat+2 [ME] : Double bets $0.50
Seat+1 : Calls $0.50
*** RIVER ***
Seat+1 : Card dealt to a spot [Jh]
Seat+2 [ME] : Card dealt to a spot [Qs]
Seat+2 [ME] : Checks
Seat+1 : Checks
Seat+2 [ME] : Showdown [Qs Qd 9c 9h Ac] (Two pair)
Seat+1 : Showdown [Ad Jh 7h 6d 4h Ad 2s 3s 4h 6d] (High Card)
Seat+1 : Hand result $0.77
Seat+2 [ME] : Hand result $0.78
*** SUMMARY ***
Total Pot($1.60) | Rake ($0.05)
Seat+1:   with High Card [6d Ad 2s 3s 7h 4h Jh-Ad Jh 7h 6d 4h] LO $0.77 [6d Ad 2s 3s 7h 4h Jh-Ad 2s 3s 4h 6d]
Seat+2:  HI $0.78  with Two pair [4d Qd Ac 5c 9c 9h Qs-Qs Qd 9c 9h Ac]"""

# 2012: no street is marked, the board is in the summary alone, and a raise of one number names the total.
UNMARKED = """\
Bodog.eu Hand #4003 TBL#9 HOLDEM Fixed Limit - 2012-05-22 14:54:12
Seat 1: Dealer ($41.21 in chips)
Seat 3: Small Blind ($85 in chips)
Seat 5: Big Blind [ME] ($252.15 in chips)
Dealer : Set dealer/Bring in spot [1]
Small Blind : Ante/Small Blind $1
Big Blind  [ME] : Big blind/Bring in $2
*** HOLE CARDS ***
Dealer : Card dealt to a spot [Kh 2d]
Small Blind : Card dealt to a spot [4d 4s]
Big Blind  [ME] : Card dealt to a spot [Ad 2h]
Dealer : Folds
Small Blind : Raises $4
Big Blind  [ME] : Calls $2
Small Blind : Bets $2
Big Blind  [ME] : Calls $2
Small Blind : Checks
Big Blind  [ME] : Checks
Small Blind : Checks
Big Blind  [ME] : Checks
Small Blind : Showdown [5s 5c 4s 4d Kd] (Two pair)
Big Blind  [ME] : Mucks [Ad 2h] (Two pair)
Small Blind : Hand result $11.50
*** SUMMARY ***
Total Pot($12) | Rake ($0.50)
Board [2s Qh 5c 5s Kd]
Seat 1: Dealer Folded on the POCKET CARDS
Seat 3: Small Blind $11.50  with Two pair [4d 4s-5s 5c 4s 4d Kd]
Seat 5: Big Blind [Mucked] [Ad 2h]"""

# Tournaments of late number the seats through the field, and print them clockwise.
TOURNAMENT = """\
Ignition Hand #4004: HOLDEM Tournament #42 TBL#17, Normal- Level 19 (1000/2000) - 2021-08-17 23:16:04
Seat 208: UTG (18,695 in chips)
Seat 53: Dealer [ME] (20,000 in chips)
Seat 242: Small Blind (700 in chips)
Seat 25: Big Blind (150 in chips)
UTG : Draw for dealer [2s]
Dealer [ME] : Rebuyin 1500
Dealer [ME] : Set dealer [2]
UTG : Ante chip 200
Dealer [ME] : Ante chip 200
Small Blind : Ante chip 200
Big Blind : All-in 150
Small Blind : All-in 500
*** HOLE CARDS ***
UTG : Card dealt to a spot [6h Qd]
Dealer [ME] : Card dealt to a spot [Jh Ah]
Small Blind : Card dealt to a spot [5c 6c]
Big Blind : Card dealt to a spot [2h 9h]
UTG : Folds
Dealer [ME] : Call 2000
Dealer [ME] : Return uncalled portion of bet 1500
*** FLOP *** [2c 4s Ts]
*** TURN *** [2c 4s Ts] [4c]
*** RIVER *** [2c 4s Ts 4c] [3s]
Dealer [ME] : Showdown [4s 4c Ah Jh Ts] (One pair)
Small Blind : Mucks [5c 6c] (Straight)
Big Blind : Showdown [4s 4c 2h 2c Ts] (Two pair)
Small Blind : Hand Result-Side pot 1150
Small Blind : Hand Result 600
Big Blind : Ranking 93
Big Blind : Stand
Small Blind : BOUNTY PRIZE [$5]
*** SUMMARY ***
Total Pot(1750)
Board [2c 4s Ts 4c 3s]"""

SAMPLES = (HAND, STUD, UNMARKED, TOURNAMENT)


def read(text: str | bytes) -> list[Record | Reject]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(bovada.read(Stream(io.BytesIO(data).read), "night.txt"))


def hand(text: str) -> list[Event]:
    items = read(text)
    assert [item.reason for item in items if isinstance(item, Reject)] == []
    return [parse(item.raw) for item in items if isinstance(item, Record)]


def reasons(text: str) -> list[str]:
    return [item.reason for item in read(text) if isinstance(item, Reject)]


def told(events: Sequence[Event], *types: str) -> list[str]:
    """The events in a few words each, for comparison."""
    words: Words = {
        "board_dealt": lambda e: " ".join(e.cards),
        "cards_released": lambda e: f"{e.seat} mucks",
        "pot_awarded": lambda e: f"{e.seat} wins {e.amount} {e.share}",
        "rake_taken": lambda e: f"rake {e.amount}",
    }
    return in_words(events, types, words)


def alarms(text: str) -> list[str]:
    """Findings above info of what is told."""
    raws = [item.raw for item in read(text) if isinstance(item, Record)]
    return [f"{f.rule} {f.message}" for f in audit(raws) if at_least(f.severity, "minor")]


def played(*lines: str, seats: str = SEATS, blinds: str = BLINDS) -> str:
    """A hand with these lines behind its cards; one without a summary breaks off in the next line."""
    breaks_off = [] if any("***" in line for line in lines) else ["Dealer : Ca"]
    return "\n".join((HEAD, seats, blinds, CARDS, *lines, *breaks_off))


# --- a hand, whole --------------------------------------------------------------------------------------------------


def test_a_hand_becomes_a_table_of_its_own() -> None:
    events = hand(HAND)
    opened, started = events[0], events[1]
    assert opened.type == "table_opened"
    assert (opened.game, opened.betting, opened.currency, opened.scale) == ("holdem", "no_limit", "USD", 2)
    assert opened.location == "Ignition · table 77"
    assert (opened.stakes.small_blind, opened.stakes.big_blind) == (10, 25)
    assert opened.observes == ("awards", "betting", "hole_cards", "stacks")
    assert opened.at == datetime(2022, 5, 26, 9, 16, 24, tzinfo=UTC)
    assert (started.hand_id, started.button_seat) == ("4001", 1)
    assert [(s.seat, s.player_id, s.stack) for s in started.seats] == [
        (1, None, 1000),
        (3, "ME", 1050),
        (4, None, 101000),
    ]
    assert told(events[2:]) == [
        "3 small_blind 10", "4 big_blind 25", "1 Kh down", "1 2d down", "3 4d down", "3 4s down", "4 Ad down",
        "4 2h down", "1 raise 75", "3 fold 0", "4 fold 0", "1 back 50", "1 wins 60 whole", "hand_ended", "table_closed",
    ]  # fmt: skip
    assert events[-2].reported.pot == 60


@pytest.mark.parametrize("sample", SAMPLES, ids=["holdem", "stud", "unmarked", "tournament"])
def test_a_legal_hand_raises_no_alarm(sample: str) -> None:
    assert alarms(sample) == []


@pytest.mark.parametrize("room", ["Bovada", "Bodog", "Bodog.com", "Bodog.eu", "Bodog UK", "Bodog Canada", "Bodog88"])
def test_every_name_of_the_room_tells_the_format(room: str) -> None:
    text = HAND.replace("Ignition", room)
    assert format_of(Stream(io.BytesIO(text.encode()).read)).name == "bovada"
    assert hand(text)[0].location == f"{room} · table 77"


@pytest.mark.parametrize(
    ("what", "game", "betting", "where"),
    [
        (" Zone Poker ID#14 HOLDEMZonePoker No Limit", "holdem", "no_limit", "Zone Poker 14"),
        (": Zone Poker ID#14 HOLDEMZonePoker No Limit", "holdem", "no_limit", "Zone Poker 14"),
        (" TBL#9 HOLDEM No Limit [MVS]", "holdem", "no_limit", "table 9"),
        (" TBL#9 HOLDEM Fixed Limit", "holdem", "limit", "table 9"),
        (": HOLDEM Tournament #M-5 TBL#3, Turbo- Level 2 (10/20)", "holdem", "no_limit", "tournament M-5, table 3"),
    ],
)
def test_what_the_first_line_says(what: str, game: str, betting: str, where: str) -> None:
    opened = hand(HAND.replace(" TBL#77 HOLDEM No Limit", what))[0]
    assert (opened.game, opened.betting) == (game, betting)
    assert opened.location == f"Ignition · {where}"


def test_omaha_in_its_kinds() -> None:
    four = (
        HAND.replace("[Kh 2d]", "[Kh 2d Ks 3d]").replace("[4d 4s]", "[4d 4s 5d 5s]").replace("[Ad 2h]", "[Ad 2h 9c 9d]")
    )
    for what, game in (
        ("OMAHA Pot Limit", "omaha"),
        ("OMAHA HiLo Pot Limit", "omaha_hilo"),
        ("OMAHA_HL", "omaha_hilo"),
    ):
        opened = hand(four.replace("HOLDEM No Limit", what))[0]
        assert (opened.game, opened.betting) == (game, "pot_limit")
        assert "hole_cards" in opened.observes


# --- forced bets ----------------------------------------------------------------------------------------------------


def test_dead_chips_are_a_live_big_blind_and_a_dead_small_one() -> None:
    text = played("Dealer : Checks", blinds=BLINDS + "\nDealer : Posts dead chip $0.35")
    assert told(hand(text), "forced_bet_posted")[2:] == ["1 missed_blind 25", "1 dead_blind 10"]


def test_chips_posted_to_come_in_are_live() -> None:
    text = played("Dealer : Checks", blinds=BLINDS + "\nDealer : Posts chip $0.10")
    assert told(hand(text), "forced_bet_posted")[2:] == ["1 missed_blind 10"]


def test_a_blind_that_is_all_in_has_lost_its_name() -> None:
    blinds = BLINDS.replace("Big Blind : Big blind $0.25", "Big Blind : All-in $0.20")
    seats = SEATS.replace("($1,010 in chips)", "($0.20 in chips)")
    events = hand(played("Dealer : Folds", seats=seats, blinds=blinds))
    assert told(events, "forced_bet_posted") == ["3 small_blind 10", "4 big_blind 20!"]
    assert events[0].stakes.big_blind == 25


def test_an_ante_that_is_all_in_has_lost_its_name_too() -> None:
    assert told(hand(TOURNAMENT), "forced_bet_posted") == [
        "1 ante 200", "2 ante 200", "3 ante 200", "4 ante 150!", "3 small_blind 500!",
    ]  # fmt: skip


def test_a_lone_ante_is_a_blind() -> None:
    text = """\
Bovada Hand #4010: HOLDEM Tournament #1 TBL#1, Turbo- Level 9 (300/600) - 2012-11-27 19:46:08
Seat 1: Dealer [ME] (240 in chips)
Seat 4: Big Blind (9,000 in chips)
Dealer [ME] : Ante chip 240
Big Blind : Big blind/Bring in 600
*** HOLE CARDS ***
Dealer [ME] : Card dealt to a spot [6h Qd]
Big Blind : Card dealt to a spot [5c 6c]
"""
    assert told(hand(text + "-"), "forced_bet_posted") == ["1 small_blind 240!", "4 big_blind 600"]


def test_an_ante_is_one_where_it_takes_the_only_other_player_s_last_chips() -> None:
    text = """\
Bovada Hand #4011: HOLDEM Tournament #1 TBL#1, No Limit- Level 24 (24/48) - 2012-11-25 23:56:24
Seat 1: Big Blind [ME] (166 in chips)
Seat 5: Dealer (9,834 in chips)
Dealer : Set dealer/Bring in spot [5]
Big Blind [ME] : All-in 166
Dealer : Ante chip 240
Dealer : Return uncalled portion of bet 74
*** HOLE CARDS ***
Big Blind [ME] : Card dealt to a spot [8h Th]
Dealer : Card dealt to a spot [Kc 9d]
*** FLOP *** [9s 3h Ac]
*** TURN *** [9s 3h Ac] [Qd]
*** RIVER *** [9s 3h Ac Qd] [7c]
Big Blind [ME] : Showdown [Ac Qd Th 9s 8h] (High Card)
Dealer : Showdown [9s 9d Ac Kc Qd] (One pair)
Dealer : Hand Result 332
*** SUMMARY ***
Total Pot(332)
Board [9s 3h Ac Qd 7c]
"""
    assert told(hand(text), "forced_bet_posted", "chips_returned") == ["1 ante 166!", "5 ante 240", "5 back 74"]
    assert alarms(text) == []


def test_no_small_blind_is_a_dead_one() -> None:
    events = hand(HAND.replace("Small Blind  [ME] : Small Blind $0.10\n", "").replace("$0.60", "$0.50"))
    assert told(events, "forced_bet_posted") == ["4 big_blind 25"]
    assert (events[0].stakes.small_blind, events[1].small_blind_seat) == (10, None)


# --- seats ----------------------------------------------------------------------------------------------------------


def test_seats_that_are_numbered_through_the_field_are_numbered_round_the_table() -> None:
    started = hand(TOURNAMENT)[1]
    assert [seat.seat for seat in started.seats] == [1, 2, 3, 4]
    assert started.button_seat == 2


def test_a_button_with_no_player_may_be_on_an_empty_seat() -> None:
    text = (
        HAND.replace("Seat 1: Dealer", "Seat 1: UTG")
        .replace("Dealer : Set dealer [1]", "Set dealer [9]")
        .replace("Dealer", "UTG")
    )
    assert hand(text.replace("UTG : Set", "Set"))[1].button_seat == 9
    assert hand(text.replace("Set dealer [9]", "Set dealer/Bring in spot"))[1].button_seat is None


def test_who_sits_out_is_in_no_hand() -> None:
    seats = SEATS + "\nSeat 6: UTG ($5 in chips)"
    events = hand(HAND.replace(SEATS, seats).replace("Dealer : Set", "UTG : Seat sit out\nDealer : Set"))
    assert [seat.entitled for seat in events[1].seats] == [True, True, True, False]
    assert "hole_cards" in events[0].observes


def test_players_have_their_hash_where_the_export_has_one() -> None:
    info = "Player Info: Seat1: P1-c71406de5a711d4f3560fcd2f7b1c775, Seat4: P4-5f5cd5577bfe16396f0f37b58309c6c3"
    events = hand(HAND.replace("*** HOLE", f"{info}\n*** HOLE"))
    assert [seat.player_id for seat in events[1].seats] == [
        "P1-c71406de5a711d4f3560fcd2f7b1c775", "ME", "P4-5f5cd5577bfe16396f0f37b58309c6c3",
    ]  # fmt: skip


# --- cards ----------------------------------------------------------------------------------------------------------


def test_streets_that_are_not_marked_lie_where_the_betting_is_complete() -> None:
    assert told(hand(UNMARKED), "board_dealt", "player_acted") == [
        "1 fold 0", "3 raise 300", "5 call 200", "2s Qh 5c", "3 bet 200", "5 call 200", "5s", "3 check 0", "5 check 0",
        "Kd", "3 check 0", "5 check 0",
    ]  # fmt: skip


def test_the_rest_of_the_board_lies_before_the_showdown() -> None:
    text = played(
        "Dealer : Folds", "Small Blind  [ME] : All-in(raise) $10.40 to $10.50", "Big Blind : Calls $10.25",
        "Small Blind  [ME] : Showdown [4d 4s 9c 8c 7d] (One pair)", "Big Blind : Showdown [Ad 9c 8c 7d 3s] (High Card)",
        "Small Blind  [ME] : Hand result $20", "*** SUMMARY ***", "Total Pot($21)", "Board [9c 8c 7d 3s Jh]",
    )  # fmt: skip
    assert told(hand(text), "board_dealt", "cards_shown", "rake_taken") == [
        "9c 8c 7d", "3s", "Jh", "3 shows 4d 4s", "4 shows Ad 2h", "rake 100",
    ]  # fmt: skip
    assert alarms(text) == []


def test_a_board_in_words_of_its_own() -> None:
    text = played("Dealer : Folds", "Small Blind  [ME] : Calls $0.15", "Big Blind : Checks",
                  "Card to the table [Kc Qd Qh]", "Small Blind  [ME] : Checks")  # fmt: skip
    assert told(hand(text), "board_dealt") == ["Kc Qd Qh"]


def test_cards_of_whom_nobody_saw_are_unread() -> None:
    text = played("Dealer : Folds", "Small Blind  [ME] : Folds", "Big Blind : Hand result $0.35", SUMMARY)
    events = hand(text.replace("Big Blind : Card dealt to a spot [Ad 2h]\n", "").replace("0.60", "0.35"))
    assert told(events, "card_dealt")[-2:] == ["4 ?? down", "4 ?? down"]
    assert "hole_cards" not in events[0].observes


def test_stud_is_dealt_down_and_up_and_its_halves_are_told() -> None:
    events = hand(STUD)
    assert [e.face for e in events if e.type == "card_dealt" and e.seat == 1] == ["down"] * 2 + ["up"] * 4 + ["down"]
    assert told(events, "forced_bet_posted", "player_acted")[:5] == [
        "1 ante 5", "2 ante 5", "1 bring_in 10", "2 complete 25", "1 call 15",
    ]  # fmt: skip
    assert told(events, "pot_awarded", "rake_taken") == ["1 wins 77 low", "2 wins 78 high", "rake 5"]
    stakes = events[0].stakes
    assert (stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet) == (5, 10, 25, 50)
    assert events[1].button_seat is None


def test_a_pot_that_nobody_contests_is_shown_by_nobody() -> None:
    text = HAND.replace("Dealer : Does not show [Kh 2d] (High Card)", "Dealer : Showdown(High Card)")
    assert told(hand(text), "cards_shown") == []
    one = HAND.replace("Does not show [Kh 2d] (High Card)", "Does not show [Kh 2d] Show1 [Kh] (High Card)")
    assert told(hand(one), "cards_shown") == ["1 shows Kh"]


# --- betting --------------------------------------------------------------------------------------------------------


def test_all_in_is_a_bet_a_raise_or_a_call_by_what_lies_there() -> None:
    text = played("Dealer : All-in(raise) $10 to $10", "Small Blind  [ME] : All-in(raise-timeout) $10.40 to $10.50",
                  "Big Blind : All-in $10.25")  # fmt: skip
    assert told(hand(text), "player_acted") == ["1 raise 1000!", "3 raise 1040!", "4 call 1025!"]


def test_all_in_of_one_number_may_name_the_total() -> None:
    text = played("Dealer : Calls $0.25", "Small Blind  [ME] : All-in(raise) $10.50", "Big Blind : Folds",
                  "Dealer : All-in $9.75")  # fmt: skip
    assert told(hand(text), "player_acted") == ["1 call 25", "3 raise 1040!", "4 fold 0", "1 call 975!"]


def test_a_line_that_stands_there_twice_is_told_once() -> None:
    doubled = "\n".join(line for line in HAND.splitlines() for _ in range(1 + (" : " in line and "result" not in line)))
    assert told(hand(doubled)) == told(hand(HAND))


def test_who_closes_a_street_that_is_not_marked_may_open_the_next() -> None:
    text = "\n".join((
        HEAD, "Seat 1: Dealer ($10 in chips)", "Seat 4: Big Blind ($10 in chips)", "Dealer : Small Blind $0.10",
        "Big Blind : Big blind $0.25", "*** HOLE CARDS ***", "Dealer : Card dealt to a spot [Kh 2d]",
        "Big Blind : Card dealt to a spot [Ad 2h]", "Dealer : Calls $0.15", "Big Blind : Checks", "Big Blind : Checks",
        "Dealer : Bets $0.25", "Big Blind : Folds", "Dealer : Return uncalled portion of bet $0.25",
        "Dealer : Hand result $0.50", "*** SUMMARY ***", "Total Pot($0.50)", "Board [9c 8c 7d  ]",
    ))  # fmt: skip
    assert told(hand(text), "player_acted", "board_dealt") == [
        "1 call 15", "4 check 0", "9c 8c 7d", "4 check 0", "1 bet 25", "4 fold 0",
    ]  # fmt: skip
    assert alarms(text) == []


def test_a_bet_that_went_back_without_a_word() -> None:
    assert told(hand(HAND.replace("Dealer : Return uncalled portion of bet $0.50\n", "")), "chips_returned") == [
        "1 back 50"
    ]


def test_a_big_blind_that_nobody_called_counts_as_won() -> None:
    text = played("Dealer : Leave(Auto)", "Dealer : Folds", "Small Blind  [ME] : Folds", "Enter(Auto)",
                  "Big Blind : Hand result $0.35", "Table deposit $25", "*** SUMMARY ***")  # fmt: skip
    assert told(hand(text), "chips_returned", "pot_awarded", "rake_taken") == ["4 wins 35 whole"]
    assert alarms(text) == []


# --- hands that break off, are broken, or are not understood --------------------------------------------------------


@pytest.mark.parametrize("sample", SAMPLES, ids=["holdem", "stud", "unmarked", "tournament"])
def test_wherever_a_hand_breaks_off_it_is_left_open_and_no_alarm(sample: str) -> None:
    for end in range(sample.index("#") + 1, sample.index("*** SUMMARY")):
        broken_off = sample[:end]
        assert reasons(broken_off) == [], broken_off[-60:]
        assert "hand_ended" not in told(hand(broken_off))
        assert alarms(broken_off) == [], broken_off[-60:]


def test_a_hand_cut_off_by_the_next_costs_it_nothing() -> None:
    half = HAND[: HAND.index("Big Blind : Fold(")] + "Big Bli"
    assert told(hand(half + HAND))[-len(told(hand(HAND))) :] == told(hand(HAND))


@pytest.mark.parametrize(
    ("line", "instead", "reason"),
    [
        ("Dealer : Hand result $0.60", "Dealer : Hand result $0.6o", "line 17: not understood: 'Dealer : Hand result"),
        ("Dealer : Raises $0.75 to $0.75", "UTG : Raises $0.75 to $0.75", "line 12: not understood: 'UTG : Raises"),
        ("Dealer : Raises $0.75 to $0.75", "Dealer : Straddles $0.75", "line 12: not understood: 'Dealer : Straddles"),
        ("Dealer : Raises $0.75 to $0.75", "Dealer : Raises $0.755 to $0.755", "line 12: 0.755 is no whole number"),
        ("Dealer : Raises $0.75 to $0.75", "Dealer : Folds\nDealer : Checks", "line 13: Dealer acts, and is not in"),
        ("[Kh 2d]", "[Kh 2x]", "line 9: not understood: [Kh 2x] are no cards"),
        ("HOLDEM No Limit", "BADUGI Fixed Limit", "line 1: no game of the event contract"),
        ("2022-05-26", "2022-13-26", "line 1: no date"),
        ("Seat 3: Small", "Seat 3: Big", "line 1: two seats of one name"),
    ],
)
def test_a_broken_hand_is_refused_in_plain_words_and_costs_no_other(line: str, instead: str, reason: str) -> None:
    text = HAND.replace(line, instead, 1)
    first, *rest = read(f"{text}\n\n\n{HAND}")
    assert isinstance(first, Reject)
    assert first.reason.startswith(reason)
    assert told([parse(item.raw) for item in rest]) == told(hand(HAND))


@pytest.mark.parametrize("keeps", [SEATS, "Dealer : Set dealer [1]", "*** HOLE CARDS ***", "Dealer : Card dealt to a"])
def test_a_hand_that_lost_its_first_line_is_refused_and_costs_no_other(keeps: str) -> None:
    lost = HAND[HAND.index(keeps) :]
    first, refused, last = read(HAND), read(lost), read(HAND)
    items = read(f"{HAND}\n{lost}\n\n{HAND}")
    assert reasons(f"{HAND}\n{lost}\n\n{HAND}") == ["line 21: no hand begins here: the first line of a hand is missing"]
    assert len(items) == len(first) + len(refused) + len(last)


def test_what_is_no_hand_is_refused() -> None:
    assert reasons("All my hands of May\n\n" + HAND) == ["line 1: not a hand of this format: 'All my hands of May'"]


def test_copies_line_ends_and_byte_order_marks_change_nothing() -> None:
    whole = read(HAND)
    assert [item.raw for item in read(HAND.replace("\n", "\r\n"))] == [item.raw for item in whole]
    assert [item.raw for item in read("\ufeff" + HAND + "\n\n\n\ufeff" + HAND)] == [item.raw for item in whole] * 2


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_whatever_happens_to_a_file_it_is_told_or_refused(data: st.DataObject) -> None:
    text = bytearray("\n\n\n".join((HAND, *SAMPLES)).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(len(f"{HAND}\n\n\n{HEAD}"), len(text) - 1))
        text[start : start + data.draw(st.integers(0, 60))] = data.draw(st.binary(max_size=6))
    items = read(bytes(text))
    assert all(item.reason for item in items if isinstance(item, Reject))
    # The first hand was left alone.
    whole = read(HAND)
    assert [item.raw for item in items[: len(whole)]] == [item.raw for item in whole]
