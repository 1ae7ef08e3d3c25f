"""PokerGFX sessions become events: blinds and awards that the file only implies, cards as the antennas read them."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from feed_kit import Words, in_words
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor import audit
from auditor.events import Event
from auditor.feeds import pokergfx
from auditor.feeds.formats import format_of
from auditor.feeds.streams import Stream
from auditor.findings import Reject
from auditor.intake import Record
from auditor.wire import parse

#: A player: seat, chips before and after, cards.
Seated = tuple[int, int, int, str]


def event(kind: str, seat: int = 0, to: int = 0, **other: Any) -> dict[str, Any]:
    return {
        "EventType": kind, "PlayerNum": seat, "BetAmt": to, "Pot": 0, "BoardCards": None, "BoardNum": 0,
        "DateTimeUTC": None, "NumCardsDrawn": 0,
    } | other  # fmt: skip


def board(cards: str, number: int = 1) -> list[dict[str, Any]]:
    return [event("BOARD CARD", BoardCards=card, BoardNum=number) for card in cards.split()]


def player(seat: int, before: int, after: int, cards: str = "", **other: Any) -> dict[str, Any]:
    return {
        "PlayerNum": seat, "Name": f"P{seat}", "LongName": "", "StartStackAmt": before, "EndStackAmt": after,
        "CumulativeWinningsAmt": after - before, "HoleCards": [cards], "SittingOut": False, "EliminationRank": -1,
        "BlindBetStraddleAmt": 0, "VPIPPercent": 0,
    } | other  # fmt: skip


def blinds(**other: Any) -> dict[str, Any]:
    return {
        "AnteType": "BB_ANTE_BB1ST", "BigBlindAmt": 200, "BigBlindPlayerNum": 4, "BlindLevel": 0,
        "ButtonPlayerNum": 2, "SmallBlindAmt": 100, "SmallBlindPlayerNum": 3, "ThirdBlindAmt": 0,
        "ThirdBlindPlayerNum": 0,
    } | other  # fmt: skip


PLAY = [
    event("BET", 2, 400), event("FOLD", 3), event("CALL", 4, 400),
    *board("3h 6d qh"), event("CHECK", 4), event("BET", 2, 500), event("FOLD", 4),
]  # fmt: skip
PLAYERS = [player(2, 9000, 9700, "10s 10d"), player(3, 8000, 7900, "7c 2d"), player(4, 5000, 4400, "as 8h")]
HAND: dict[str, Any] = {
    "AnteAmt": 200, "BetStructure": "NOLIMIT", "BombPotAmt": 0, "Description": "", "Duration": "PT2M7.6071358S",
    "Events": PLAY, "FlopDrawBlinds": blinds(), "GameClass": "FLOP", "GameVariant": "HOLDEM", "HandNum": 12,
    "NumBoards": 1, "Players": PLAYERS, "RecordingOffsetStart": "P739544DT12H33M38.5831017S", "RunItNumTimes": 1,
    "StartDateTimeUTC": "2025-10-21T09:33:38.5831017Z",
    "StudLimits": {"BringInAmt": 0, "BringInPlayerNum": 1, "HighLimitAmt": 0, "LowLimitAmt": 0},
}  # fmt: skip


def session(*hands: dict[str, Any], indent: int | None = None) -> str:
    whole = {
        "CreatedDateTimeUTC": "2025-10-21T08:23:53.1324926Z", "EventTitle": "", "Hands": list(hands),
        "ID": 638966318331324926, "Payouts": [0, 0], "SoftwareVersion": "PokerGFX 3.2", "Type": "FEATURE_TABLE",
    }  # fmt: skip
    return json.dumps(whole, indent=indent, separators=None if indent else (",", ":"))


def read(data: str | bytes) -> list[Record | Reject]:
    raw = data if isinstance(data, bytes) else data.encode()
    return list(pokergfx.read(Stream(io.BytesIO(raw).read), "day1.json"))


def told(**other: Any) -> list[Event]:
    items = read(session(HAND | other))
    assert [item.reason for item in items if isinstance(item, Reject)] == []
    return [parse(item.raw) for item in items if isinstance(item, Record)]


def found(**other: Any) -> list[str]:
    """The rules that an audit of the hand finds broken."""
    return [finding.rule for finding in audit(item.raw for item in read(session(HAND | other)))]


def hand(**other: Any) -> list[Event]:
    """The events of a hand, in which an audit finds nothing."""
    assert found(**other) == []
    return told(**other)


def refusal(**other: Any) -> str:
    (item,) = read(session(HAND | other))
    assert isinstance(item, Reject)
    where, _, reason = item.reason.partition(": ")
    assert where == "line 1"
    return reason


def brief(events: list[Event], *types: str) -> list[str]:
    """The events in a few words each, for comparison."""
    words: Words = {
        "cards_discarded": lambda e: f"{e.seat} discards {e.count}",
    }
    return in_words(events, types, words)


CHIPS = ("forced_bet_posted", "player_acted", "chips_returned", "pot_awarded")


# --- one hand, whole ------------------------------------------------------------------------------------------------


def test_a_hand_becomes_a_table_of_its_own() -> None:
    events = hand()
    assert brief(events) == [
        "table_opened",
        "hand_started",
        "3 small_blind 100",
        "4 big_blind 200",
        "4 ante 200",
        "2 Ts down",
        "2 Td down",
        "3 7c down",
        "3 2d down",
        "4 As down",
        "4 8h down",
        "2 raise 400",
        "3 fold 0",
        "4 call 200",
        "3h 6d Qh board 1",
        "4 check 0",
        "2 bet 500",
        "4 fold 0",
        "2 back 500",
        "2 wins 1100",
        "hand_ended",
        "table_closed",
    ]
    opened, started = events[:2]
    assert (opened.game, opened.betting, opened.scale, opened.currency) == ("holdem", "no_limit", 0, None)
    assert set(opened.observes) == {"hole_cards", "betting", "stacks", "awards"}
    assert (started.button_seat, started.small_blind_seat, started.big_blind_seat) == (2, 3, 4)
    assert [(seat.seat, seat.player_id, seat.stack) for seat in started.seats] == [
        (2, "P2", 9000),
        (3, "P3", 8000),
        (4, "P4", 5000),
    ]
    assert [(seat.seat, seat.stack) for seat in events[-2].reported.stacks] == [(2, 9700), (3, 7900), (4, 4400)]
    assert {event.source for event in events} == {"rfid"}
    assert {event.hand_id for event in events[1:-1]} == {"12"}
    assert {event.read_at for event in events if event.type == "card_dealt"} == {"seat"}


def test_a_hand_lasts_as_long_as_the_file_says() -> None:
    begun = datetime(2025, 10, 21, 9, 33, 38, 583101, tzinfo=UTC)
    events = hand()
    assert events[0].at == begun
    assert events[-2].at - begun == timedelta(minutes=2, seconds=7, microseconds=607136)
    for duration in (None, "", "soon", "PT0S", "P800DT1S"):
        assert hand(Duration=duration)[-2].at - begun < timedelta(seconds=1)


def test_a_hand_read_twice_is_one_table_and_one_recorded_again_is_another() -> None:
    again = HAND | {"StartDateTimeUTC": "2025-10-21T09:36:40.1214820Z"}
    once, twice = read(session(HAND)), read(session(HAND, HAND, again))
    assert [item.raw for item in twice[: 2 * len(once)]] == [item.raw for item in once] * 2
    assert parse(twice[-1].raw).table_id != parse(once[0].raw).table_id


_SECOND = HAND | {"HandNum": 13}


@pytest.mark.parametrize(
    "data",
    [
        session(HAND, _SECOND),
        session(HAND, _SECOND, indent=2),
        "\ufeff" + session(HAND, _SECOND, indent=2).replace("\n", "\r\n"),
        session(HAND) + "\n" + session(_SECOND),
        session(HAND) + session(_SECOND),
        f"[{session(HAND)},{session(_SECOND)}]",
        json.dumps([HAND, _SECOND]),
        json.dumps({"ID": 1, "Payouts": [1, 2], "Type": "FINAL_TABLE", "Hands": [HAND, _SECOND]}),
        json.dumps(HAND) + "\n" + json.dumps(dict(reversed(_SECOND.items()))),
    ],
    ids=["as exported", "pretty", "windows", "two sessions", "with nothing between", "an array of sessions",
         "hands alone", "the hands last", "a hand a line"],
)  # fmt: skip
def test_hands_are_found_however_they_lie(data: str) -> None:
    stream = Stream(io.BytesIO(data.encode()).read)
    form = format_of(stream)
    assert form is not None
    assert form.name == "pokergfx"
    items = list(form.read(stream, "day1"))
    assert [item.reason for item in items if isinstance(item, Reject)] == []
    events = [parse(item.raw) for item in items]
    assert [each.hand_id for each in events if each.type == "hand_started"] == ["12", "13"]
    assert brief(events) == brief(hand()) * 2


def test_a_session_without_hands_holds_none() -> None:
    assert read(session()) == []


# --- blinds and antes, which are no events --------------------------------------------------------------------------

_FOLDS = [event("FOLD", 2), event("FOLD", 3)]


def _walk(won: int, **ante: int) -> list[dict[str, Any]]:
    lost = {2: ante.get("all", 0), 3: 100 + ante.get("all", 0)}
    return [player(2, 9000, 9000 - lost[2] - ante.get("button", 0)), player(3, 8000, 8000 - lost[3]),
            player(4, 5000, 5000 + won)]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "players", "posted"),
    [
        ({"AnteAmt": 0}, _walk(100), ["3 small_blind 100", "4 big_blind 200"]),
        ({}, _walk(100), ["3 small_blind 100", "4 big_blind 200", "4 ante 200"]),
        ({"FlopDrawBlinds": blinds(AnteType="BB_ANTE")}, _walk(100),
         ["4 ante 200", "3 small_blind 100", "4 big_blind 200"]),
        ({"FlopDrawBlinds": blinds(AnteType="BUTTON_ANTE")}, _walk(300, button=200),
         ["2 ante 200", "3 small_blind 100", "4 big_blind 200"]),
        ({"FlopDrawBlinds": blinds(AnteType="STD_ANTE"), "AnteAmt": 25}, _walk(150, all=25),
         ["2 ante 25", "3 ante 25", "4 ante 25", "3 small_blind 100", "4 big_blind 200"]),
        ({"FlopDrawBlinds": blinds(SmallBlindPlayerNum=0), "AnteAmt": 0}, [player(2, 9000, 9000), player(3, 8000, 8000),
         player(4, 5000, 5000)], ["4 big_blind 200"]),
        ({"FlopDrawBlinds": blinds(SmallBlindPlayerNum=9, ButtonPlayerNum=8), "AnteAmt": 0},
         [player(2, 9000, 9000), player(3, 8000, 8000), player(4, 5000, 5000)], ["4 big_blind 200"]),
    ],
    ids=["none", "the big blind's, blind first", "the big blind's", "the button's", "everybody's", "no small blind",
         "the small blind's seat is empty"],
)  # fmt: skip
def test_forced_bets(change: dict[str, Any], players: list[Any], posted: list[str]) -> None:
    assert brief(hand(Events=_FOLDS, Players=players, **change), "forced_bet_posted") == posted


def test_a_short_big_blind_posts_the_blind_first_or_the_ante() -> None:
    players = [player(2, 9000, 9000), player(3, 8000, 7900), player(4, 250, 350)]
    for kind, posted in (("BB_ANTE_BB1ST", ["4 big_blind 200", "4 ante 50!"]),
                         ("BB_ANTE", ["4 ante 200", "4 big_blind 50!"])):  # fmt: skip
        events = told(Events=_FOLDS, Players=players, FlopDrawBlinds=blinds(AnteType=kind))
        assert [word for word in brief(events, "forced_bet_posted") if word.startswith("4")] == posted


def test_a_third_blind_is_a_straddle() -> None:
    players = [player(2, 9000, 9300), player(3, 8000, 7900), player(4, 5000, 4800)]
    events = hand(
        AnteAmt=0, Events=[event("FOLD", 3), event("FOLD", 4)], Players=players,
        FlopDrawBlinds=blinds(ThirdBlindAmt=400, ThirdBlindPlayerNum=2),
    )  # fmt: skip
    assert brief(events, *CHIPS) == [
        "3 small_blind 100", "4 big_blind 200", "2 straddle 400", "3 fold 0", "4 fold 0", "2 back 200", "2 wins 500",
    ]  # fmt: skip


def test_a_bomb_pot_has_antes_and_no_blinds() -> None:
    play = [*board("3h 6d qh"), event("CHECK", 3), event("CHECK", 4), event("BET", 2, 900), event("FOLD", 3),
            event("FOLD", 4)]  # fmt: skip
    players = [player(2, 9000, 10000), player(3, 8000, 7500), player(4, 5000, 4500)]
    events = hand(BombPotAmt=500, Events=play, Players=players)
    assert events[1].bomb_pot
    assert brief(events, "forced_bet_posted") == ["2 ante 500", "3 ante 500", "4 ante 500"]


def test_heads_up_and_the_button_at_an_empty_seat() -> None:
    players = [player(7, 9000, 8500), player(8, 9000, 9500)]
    events = hand(
        AnteAmt=1000, Events=[event("FOLD", 7)], Players=players,
        FlopDrawBlinds=blinds(ButtonPlayerNum=1, SmallBlindPlayerNum=7, SmallBlindAmt=500, BigBlindPlayerNum=8,
                              BigBlindAmt=1000),
    )  # fmt: skip
    assert events[1].button_seat == 1
    assert brief(events, *CHIPS)[-2:] == ["8 back 500", "8 wins 2000"]


# --- betting --------------------------------------------------------------------------------------------------------


def test_amounts_are_what_they_make_the_bet_on_the_street() -> None:
    play = [event("BET", 2, 400), event("BET", 3, 800), event("FOLD", 4), event("BET", 2, 4000),
            event("ALL IN", 3, 1025)]  # fmt: skip
    players = [player(2, 15325, 16750, "kc jd"), player(3, 1025, 0, "7s 7c"), player(4, 3725, 3325, "10c 4h")]
    events = hand(Events=[*play, *board("qh kh ah 10d 6d")], Players=players)
    assert brief(events)[-14:] == [
        "2 raise 400",
        "3 raise 700",
        "4 fold 0",
        "2 raise 3600",
        "3 call 225!",
        "2 back 2975",
        "Qh Kh Ah board 1",
        "Td board 1",
        "6d board 1",
        "2 shows Kc Jd",
        "3 shows 7s 7c",
        "2 wins 2450",
        "hand_ended",
        "table_closed",
    ]


@pytest.mark.parametrize(
    ("play", "told_as"),
    [
        ([event("ALL IN", 2, 9000)], "2 raise 9000!"),
        ([event("BET", 2, 5000), event("FOLD", 3), event("ALL IN", 4, 4800)], "4 call 4600!"),
        ([event("CALL", 2, 200), event("CALL", 3, 200), event("CHECK", 4), *board("3h 6d qh"),
          event("ALL IN", 3, 7800)], "3 bet 7800!"),
        ([event("FOLD", 2), event("CALL", 3)], "3 call 100"),
        ([event("RAISE", 2, 400)], "2 raise 400"),
    ],
    ids=["raise", "call", "bet", "a call without its amount", "another word"],
)  # fmt: skip
def test_a_wager_is_called_what_its_chips_are(play: list[Any], told_as: str) -> None:
    assert brief(told(Events=play), "player_acted")[-1] == told_as


def test_a_big_blind_who_had_less_is_called_for_the_whole_blind() -> None:
    play = [event("CALL", 2, 200), event("FOLD", 3), *board("3h 6d qh 2c 9s")]
    players = [player(2, 9000, 9250, "ks kd"), player(3, 8000, 7900, "7c 2d"), player(4, 150, 0, "5s 7d")]
    events = hand(Events=play, Players=players)
    assert brief(events, "player_acted", "chips_returned") == ["2 call 200", "3 fold 0", "2 back 50"]


def test_a_side_pot_goes_with_the_cards() -> None:
    play = [event("ALL IN", 2, 9000), event("ALL IN", 3, 8000), event("ALL IN", 4, 4800), *board("3h 6d qh 2c 9s")]
    players = [player(2, 9000, 7400, "ks kd"), player(3, 8000, 0, "7c 2d"), player(4, 5000, 14600, "as ad")]
    events = hand(Events=play, Players=players)
    assert brief(events, "chips_returned", "pot_awarded") == ["2 back 1000", "2 wins 6400", "4 wins 14600"]


def test_the_wrong_winner_is_found() -> None:
    play = [event("ALL IN", 2, 4800), event("FOLD", 3), event("ALL IN", 4, 4800), *board("3h 6d qh 2c 9s")]
    players = [player(2, 9000, 14100, "ks kd"), player(3, 8000, 7900, "7c 2d"), player(4, 5000, 0, "as ad")]
    assert found(Events=play, Players=players) == ["POT104"]


def test_an_uncalled_bet_that_was_paid_to_the_winner_is_found() -> None:
    play = [event("BET", 2, 6000), event("FOLD", 3), event("ALL IN", 4, 4800), *board("3h 6d qh 2c 9s")]
    players = [player(2, 9000, 3000, "ks kd"), player(3, 8000, 7900, "7c 2d"), player(4, 5000, 11100, "as ad")]
    assert found(Events=play, Players=players) == ["POT103"]


@pytest.mark.parametrize(
    ("after", "rule"),
    [((9600, 7900, 4400), "POT101"), ((9800, 7900, 4400), "POT101"), ((9700, 7900, 4500), "POT109"),
     ((9700, 7800, 4400), "POT109"), ((8600, 7900, 5500), "POT105")],
    ids=["won too little", "won too much", "more than before", "less than before", "won though folded"],
)  # fmt: skip
def test_stacks_at_the_end_that_the_betting_does_not_explain_are_found(after: tuple[int, ...], rule: str) -> None:
    players = [each | {"EndStackAmt": chips} for each, chips in zip(PLAYERS, after, strict=True)]
    assert rule in found(Players=players)


def test_a_pot_that_is_split() -> None:
    checks = [event("CHECK", 4), event("CHECK", 2)]
    play = [event("BET", 2, 1125), event("FOLD", 3), event("CALL", 4, 1125), *board("3h 6d qh"), *checks, *board("2c"),
            *checks, *board("9s"), *checks]  # fmt: skip
    players = [player(2, 9000, 9150, "as kd"), player(3, 8000, 7900, "7c 2d"), player(4, 5000, 4950, "ac kh")]
    assert brief(hand(Events=play, Players=players), "pot_awarded") == ["2 wins 1275", "4 wins 1275"]


# --- cards ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ([""], ["2 ?? down", "2 ?? down"]),
        ([], ["2 ?? down", "2 ?? down"]),
        (None, ["2 ?? down", "2 ?? down"]),
        (["10h"], ["2 Th down", "2 ?? down"]),
        (["10h", "ac"], ["2 Th down", "2 Ac down"]),
        (["10h ac"], ["2 Th down", "2 Ac down"]),
    ],
)
def test_hole_cards(cards: Any, expected: list[str]) -> None:
    events = hand(Players=[PLAYERS[0] | {"HoleCards": cards}, *PLAYERS[1:]])
    assert brief(events, "card_dealt")[:2] == expected
    assert ("hole_cards" in events[0].observes) == ("??" not in " ".join(expected))


@pytest.mark.parametrize("showdown", [False, True])
def test_a_card_read_at_two_neighbouring_seats_is_a_cross_read(showdown: bool) -> None:
    crossed = [PLAYERS[0], PLAYERS[1], player(4, 5000, 4400, "10s 8h")]
    if not showdown:
        assert found(Players=crossed) == ["DCK113"]
        return
    checks = [event("CHECK", 4), event("CHECK", 2)]
    play = [*PLAY[:3], *board("3h 6d qh"), *checks, *board("2c"), *checks, *board("9s"), *checks]
    assert found(Players=crossed, Events=play) == ["DCK113"]


def test_a_card_in_the_hole_and_on_the_board_is_a_fouled_deck() -> None:
    assert "DCK101" in found(Players=[player(2, 9000, 9700, "qh 10d"), *PLAYERS[1:]])


def test_a_board_run_twice_from_the_turn() -> None:
    play = [event("ALL IN", 2, 4800), event("FOLD", 3), event("ALL IN", 4, 4800), *board("3h 6d qh 2c 9s"),
            *board("kc 4s", 2)]  # fmt: skip
    players = [player(2, 9000, 9150, "ks kd"), player(3, 8000, 7900, "7c 2d"), player(4, 5000, 4950, "as ad")]
    events = hand(Events=play, Players=players, RunItNumTimes=2, NumBoards=1)
    assert brief(events, "board_dealt") == [
        "3h 6d Qh board 1", "2c board 1", "9s board 1", "Kc board 2", "4s board 2",
    ]  # fmt: skip


def test_a_board_run_twice_from_the_flop() -> None:
    play = [event("ALL IN", 2, 4800), event("FOLD", 3), event("ALL IN", 4, 4800), *board("3h 6d qh 2c 9s"),
            *board("kc 4s 5s 5d 9d", 2)]  # fmt: skip
    players = [player(2, 9000, 9150, "ks kd"), player(3, 8000, 7900, "7c 2d"), player(4, 5000, 4950, "as ad")]
    events = hand(Events=play, Players=players, RunItNumTimes=2, NumBoards=2)
    assert brief(events, "board_dealt")[3:] == ["Kc 4s 5s board 2", "5d board 2", "9d board 2"]


def test_players_who_are_out_stay_in_the_list() -> None:
    out = [player(8, 0, 0, SittingOut=True, EliminationRank=8), player(9, 4000, 4000, SittingOut=True)]
    events = hand(Players=[*PLAYERS, *out])
    assert [(seat.seat, seat.entitled) for seat in events[1].seats] == [
        (2, True), (3, True), (4, True), (8, False), (9, False),
    ]  # fmt: skip
    assert brief(events, *CHIPS) == brief(hand(), *CHIPS)


def test_stud_is_dealt_street_by_street() -> None:
    players = [player(2, 1000, 1025, "as ks qs js 10h 9h 8h"), player(3, 1000, 975, "7c 2d 2c")]
    play = [event("BET", 2, 20), event("CALL", 3, 20), event("BET", 2, 20), event("FOLD", 3)]
    events = told(
        GameClass="STUD", GameVariant="STUD7", BetStructure="LIMIT", AnteAmt=5, Players=players, Events=play,
        FlopDrawBlinds=blinds(AnteType="STD_ANTE", BigBlindAmt=0, SmallBlindAmt=0),
        StudLimits={"BringInAmt": 10, "BringInPlayerNum": 3, "LowLimitAmt": 20, "HighLimitAmt": 40},
    )  # fmt: skip
    assert brief(events) == [
        "table_opened", "hand_started", "2 ante 5", "3 ante 5", "3 bring_in 10",
        "2 As down", "2 Ks down", "2 Qs up", "3 7c down", "3 2d down", "3 2c up",
        "2 complete 20", "3 call 10", "2 Js up", "3 ?? up", "2 bet 20", "3 fold 0", "2 back 20", "2 wins 50",
        "hand_ended", "table_closed",
    ]  # fmt: skip


def test_a_draw_is_told_by_how_many_cards_were_drawn() -> None:
    players = [player(3, 8000, 8200, "2c 3c 4c 5d 7s"), player(4, 5000, 4800, "9c 9d 2h 3h 4h")]
    play = [event("CALL", 3, 200), event("CHECK", 4), event("DRAW", 4, NumCardsDrawn=2), event("DRAW", 3),
            event("CHECK", 4), event("BET", 3, 400), event("FOLD", 4)]  # fmt: skip
    events = told(GameClass="DRAW", GameVariant="DEUCE7_DRAW", AnteAmt=0, Players=players, Events=play,
                  FlopDrawBlinds=blinds(ButtonPlayerNum=3))  # fmt: skip
    assert brief(events, "cards_discarded", "pot_awarded") == ["4 discards 2", "3 discards 0", "3 wins 400"]
    assert [each.card for each in events if each.type == "card_dealt" and each.seat == 4] == ["??"] * 7
    assert [each.card for each in events if each.type == "card_dealt" and each.seat == 3][:2] == ["2c", "3c"]


# --- hands that were stopped, cancelled, broken ---------------------------------------------------------------------


_BEHIND = [(9000, 7900, 4600), *[(8600, 7900, 4600)] * 2, *[(8600, 7900, 4400)] * 5, (8100, 7900, 4400)]


@pytest.mark.parametrize("restored", [False, True])
@pytest.mark.parametrize("stop", range(len(PLAY)))
def test_a_hand_that_was_stopped_stays_open(stop: int, restored: bool) -> None:
    after = (9000, 8000, 5000) if restored else _BEHIND[stop]
    players = [each | {"EndStackAmt": chips} for each, chips in zip(PLAYERS, after, strict=True)]
    events = hand(Events=PLAY[:stop], Players=players)
    assert "hand_ended" not in brief(events)
    assert brief(events, "pot_awarded") == []
    assert "awards" not in events[0].observes


def test_a_hand_that_was_stopped_before_anybody_acted() -> None:
    players = [player(2, 9000, 9000), player(3, 8000, 8000), player(4, 5000, 5000)]
    blind = blinds(ButtonPlayerNum=10, SmallBlindPlayerNum=1, BigBlindPlayerNum=2)
    events = hand(Events=[], Players=players, FlopDrawBlinds=blind)
    assert all(seat.entitled for seat in events[1].seats)
    assert brief(events)[-1] == "4 ?? down"


def test_who_would_have_posted_an_ante_that_there_is_not_is_nobody_s_business() -> None:
    players = [player(2, 9000, 9500, "10s 10d"), PLAYERS[1], player(4, 5000, 4600, "as 8h")]
    events = hand(AnteAmt=0, FlopDrawBlinds=blinds(AnteType="ROBIN_ANTE"), Players=players)
    assert brief(events, "forced_bet_posted") == ["3 small_blind 100", "4 big_blind 200"]


def test_a_player_who_was_not_dealt_in_is_not_in_the_hand() -> None:
    events = hand(Players=[*PLAYERS, player(5, 3000, 3000)])
    assert [seat.seat for seat in events[1].seats if seat.entitled] == [2, 3, 4]


def test_a_hand_of_which_everybody_has_the_chips_back_was_cancelled() -> None:
    events = hand(Players=[each | {"EndStackAmt": each["StartStackAmt"]} for each in PLAYERS])
    assert events[-2].cancelled
    assert brief(events, "pot_awarded", "chips_returned") == []


def test_a_stack_entered_anew_in_a_hand_that_was_cancelled_is_an_adjustment() -> None:
    folded = [event("FOLD", 5), event("FOLD", 6), event("FOLD", 2), event("FOLD", 3)]
    back = [each | {"EndStackAmt": each["StartStackAmt"]} for each in PLAYERS]
    events = hand(Events=folded, Players=[*back, player(5, 6_000, 455_000), player(6, 9_000, 3_000)])
    assert [each.type for each in events[-4:]] == ["hand_ended", "chips_bought", "chips_cashed", "table_closed"]
    assert events[-4].cancelled
    assert [(each.seat, each.amount, each.reason) for each in events[-3:-1]] == [
        (5, 449_000, "adjustment"), (6, 6_000, "adjustment"),
    ]  # fmt: skip


def test_a_folded_player_with_more_than_the_pot_holds_has_not_won_it() -> None:
    players = [PLAYERS[0] | {"EndStackAmt": 9600}, PLAYERS[1], player(4, 5000, 455_000, "as 8h")]
    assert found(Players=players) == ["POT101", "POT109"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"GameVariant": "PINEAPPLE"}, "'PINEAPPLE' has no game in the event contract"),
        ({"BetStructure": "SPREAD"}, "'SPREAD' is no betting of the event contract"),
        ({"FlopDrawBlinds": blinds(AnteType="MOON")}, "`AnteType`: not understood: 'MOON'"),
        ({"Events": [event("CHOP", 2)]}, "event 1: not understood: 'CHOP'"),
        ({"Events": [event("BET", 7, 400)]}, "event 1: `PlayerNum` 7 is none of the players"),
        ({"Events": [event("BET", 4, 100)]}, "event 1: makes it 100 chips, 200 are in already"),
        ({"Events": [event("BET", 2, 400.5)]}, "`BetAmt`: whole chips are expected, not 400.5"),
        ({"Events": board("1x")}, "event 1: '1x' is no card"),
        ({"Players": PLAYERS[:1]}, "1 players: a hand has 2 to 100"),
        ({"Players": [PLAYERS[0]] * 2}, "two have the same `PlayerNum`"),
        ({"Players": [PLAYERS[0], player(3, -5, 0)]}, "`StartStackAmt`: less than nothing: -5"),
        ({"HandNum": None}, "`HandNum`: a number is expected, not None"),
        ({"StartDateTimeUTC": "soon"}, "`StartDateTimeUTC`: no date: 'soon'"),
        ({"Events": {}}, "`Events`: a list is expected, not {}"),
    ],
)
def test_a_broken_hand_is_refused_in_plain_words(change: dict[str, Any], reason: str) -> None:
    assert reason in refusal(**change)


def test_a_file_that_breaks_off_in_a_hand_says_so_and_loses_no_other() -> None:
    whole = session(HAND, _SECOND)
    cut = whole[: whole.index('"HandNum":13')]
    for data in (cut, cut + session(HAND | {"HandNum": 14})):
        items = read(data)
        (broken,) = [item for item in items if isinstance(item, Reject)]
        assert broken.reason == "line 1: the file breaks off in this hand, before it names the players"
        events = [parse(item.raw) for item in items if isinstance(item, Record)]
        started = [each.hand_id for each in events if each.type == "hand_started"]
        assert started == (["12"] if data == cut else ["12", "14"])


def test_rubbish_between_hands_is_refused_alone() -> None:
    items = read(session(HAND, _SECOND).replace(',{"AnteAmt"', ',%%{"oops":1},{"AnteAmt"', 1))
    assert [item.reason.partition(": ")[2][:8] for item in items if isinstance(item, Reject)] == ["no hand:"] * 2
    assert len([item for item in items if isinstance(item, Record)]) == 2 * len(hand())


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_happens_to_a_hand_it_is_told_or_refused_and_costs_no_other(data: st.DataObject) -> None:
    first, spoiled, last = (json.dumps(HAND | {"HandNum": number}) for number in (1, 2, 3))
    start = data.draw(st.integers(0, len(spoiled)))
    end = data.draw(st.integers(start, min(len(spoiled), start + 60)))
    put = data.draw(st.text('0123456789.,-"[]{}: \nabc\\', max_size=6))
    spoiled = spoiled[:start] + put + spoiled[end:]
    items = read(f'{{"EventTitle":"","Hands":[{first},{spoiled},{last}],"ID":7}}')
    assert all(item.reason for item in items if isinstance(item, Reject))
    events = [parse(item.raw) for item in items if isinstance(item, Record)]
    started = [each.hand_id for each in events if each.type == "hand_started"]
    assert (started[0], started[-1]) == ("1", "3")


@given(st.lists(st.tuples(st.sampled_from(["FOLD", "CHECK", "CALL", "BET", "ALL IN", "BOARD CARD", "DRAW"]),
                          st.sampled_from([0, 2, 3, 4]), st.integers(0, 9000)), max_size=20))  # fmt: skip
def test_whatever_is_played_is_told_or_refused(play: list[tuple[str, int, int]]) -> None:
    for item in read(session(HAND | {"Events": [event(*each) for each in play]})):
        if isinstance(item, Record):
            parse(item.raw)
        else:
            assert item.reason
