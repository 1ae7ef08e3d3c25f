"""Open Hand History becomes events: every chip and every card that a hand tells, and nothing that it does not."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from feed_kit import Words, in_words
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor import audit
from auditor.events import Event
from auditor.feeds import ohh
from auditor.feeds.formats import format_of
from auditor.feeds.objects import LONGEST_HAND
from auditor.feeds.streams import Stream
from auditor.findings import Reject
from auditor.intake import Record
from auditor.wire import parse

#: A name of an action and what it says: who, how much.
Act = tuple[Any, ...]

BLINDS: list[Act] = [("Post SB", 2, 0.01), ("Post BB", 3, 0.02)]
FLOP, TURN, RIVER = ["8d", "Kh", "2s"], ["Ts"], ["Kd"]


def actions(acts: Iterable[Act]) -> list[dict[str, Any]]:
    told = []
    for number, (name, player, *rest) in enumerate(acts, 1):
        action: dict[str, Any] = {"action_number": number, "player_id": player, "action": name}
        for value in rest:
            action |= {"cards": value} if isinstance(value, list) else {"amount": value}
        told.append(action)
    return told


def rounds(*streets: tuple[str, list[str], list[Act]]) -> list[dict[str, Any]]:
    return [
        {"id": number, "street": street, "cards": cards, "actions": actions(acts)}
        for number, (street, cards, acts) in enumerate(streets)
    ]


def pot(amount: float, *wins: tuple[int, float], **other: Any) -> dict[str, Any]:
    told = [{"player_id": player, "win_amount": won} for player, won in wins]
    return {"number": 0, "amount": amount, "rake": 0.00, "player_wins": told} | other


HAND: dict[str, Any] = {
    "spec_version": "1.4.7",
    "site_name": "The Lamp",
    "network_name": "Lamplight",
    "internal_version": "1.4.7",
    "tournament": False,
    "game_number": "481325",
    "start_date_utc": "2024-05-06T20:15:30Z",
    "table_name": "Gent 3",
    "game_type": "Holdem",
    "bet_limit": {"bet_type": "NL", "bet_cap": 0.00},
    "table_size": 6,
    "currency": "EUR",
    "dealer_seat": 1,
    "small_blind_amount": 0.01,
    "big_blind_amount": 0.02,
    "ante_amount": 0.00,
    "hero_player_id": 1,
    "players": [
        {"id": 1, "seat": 1, "name": "Ada", "starting_stack": 2.00},
        {"id": 2, "seat": 3, "name": "Bram", "starting_stack": 1.50},
        {"id": 3, "seat": 5, "name": "Cleo", "starting_stack": 2.50},
    ],
    "rounds": rounds(
        (
            "Preflop",
            [],
            [
                *BLINDS,
                ("Dealt Cards", 1, ["Ad", "Jh"]),
                ("Raise", 1, 0.06),
                ("Fold", 2, 0.00),
                ("Call", 3, 0.04),
            ],
        ),
        ("Flop", FLOP, [("Check", 3), ("Bet", 1, 0.08), ("Fold", 3)]),
    ),
    "pots": [pot(0.13, (1, 0.12), rake=0.01)],
}


def text(**other: Any) -> str:
    return json.dumps({"ohh": HAND | other})


def read(data: str | bytes) -> list[Record | Reject]:
    raw = data if isinstance(data, bytes) else data.encode()
    return list(ohh.read(Stream(io.BytesIO(raw).read), "night/lamp.ohh"))


def hand(**other: Any) -> list[Event]:
    """The events of a hand, in which an audit finds nothing."""
    items = read(text(**other))
    assert [item.reason for item in items if isinstance(item, Reject)] == []
    records = [item for item in items if isinstance(item, Record)]
    assert [finding.message for finding in audit(record.raw for record in records)] == []
    return [parse(record.raw) for record in records]


def refusal(**other: Any) -> str:
    (item,) = read(text(**other))
    assert isinstance(item, Reject)
    where, _, reason = item.reason.partition(": ")
    assert where == "line 1"
    return reason


def brief(events: list[Event], *types: str) -> list[str]:
    """The events in a few words each, for comparison."""
    words: Words = {
        "cards_released": lambda e: f"{e.seat} mucks {' '.join(e.cards)}".strip(),
        "pot_awarded": lambda e: f"{e.seat} wins {e.amount} of {e.pot}",
    }
    return in_words(events, types, words)


CHIPS = ("forced_bet_posted", "player_acted", "chips_returned", "pot_awarded", "rake_taken")


# --- one hand, whole ------------------------------------------------------------------------------------------------


def test_a_hand_becomes_a_table_of_its_own() -> None:
    events = hand()
    assert brief(events) == [
        "table_opened",
        "hand_started",
        "3 small_blind 1",
        "5 big_blind 2",
        "1 Ad down",
        "1 Jh down",
        "3 ?? down",
        "3 ?? down",
        "5 ?? down",
        "5 ?? down",
        "1 raise 6",
        "3 fold 0",
        "5 call 4",
        "8d Kh 2s board 1",
        "5 check 0",
        "1 bet 8",
        "5 fold 0",
        "1 back 8",
        "1 wins 12 of 0",
        "rake 1",
        "hand_ended",
        "table_closed",
    ]
    opened, started = events[:2]
    assert (opened.game, opened.betting, opened.currency, opened.scale) == ("holdem", "no_limit", "EUR", 2)
    assert (opened.location, opened.max_seats) == ("The Lamp · Gent 3", 6)
    assert set(opened.observes) == {"betting", "stacks", "awards"}
    assert started.at == datetime(2024, 5, 6, 20, 15, 30, 1000, tzinfo=UTC)
    assert [(seat.seat, seat.player_id, seat.stack) for seat in started.seats] == [
        (1, "Ada", 200),
        (3, "Bram", 150),
        (5, "Cleo", 250),
    ]
    assert (started.button_seat, started.small_blind_seat, started.big_blind_seat) == (1, 3, 5)
    reported = events[-2].reported
    assert (reported.pot, reported.rake) == (13, 1)
    assert {event.hand_id for event in events[1:-1]} == {"481325"}


def test_the_same_hand_read_twice_is_the_same_table() -> None:
    once, twice = read(text()), read(f"{text()}\n\n{text()}")
    assert [item.raw for item in twice] == [item.raw for item in once] * 2
    assert parse(read(text(game_number="481326"))[0].raw).table_id != parse(once[0].raw).table_id


@pytest.mark.parametrize(
    ("change", "hand_id"),
    [({"game_number": 77}, "77"), ({"game_number": ""}, "1"), ({"game_number": "x" * 65}, "1")],
)
def test_the_hand_is_named_by_its_number(change: dict[str, Any], hand_id: str) -> None:
    assert hand(**change)[1].hand_id == hand_id


# --- how hands lie in a file ----------------------------------------------------------------------------------------

_TWO = [HAND, HAND | {"game_number": "481326"}]
_FILES = {
    "a blank line between": "\n\n".join(json.dumps({"ohh": each}) for each in _TWO),
    "a line each": "\n".join(json.dumps({"ohh": each}) for each in _TWO),
    "nothing between": "".join(json.dumps({"ohh": each}) for each in _TWO),
    "pretty": "\n\n".join(json.dumps({"ohh": each}, indent=4) for each in _TWO),
    "windows": "\ufeff" + "\r\n\r\n".join(json.dumps({"ohh": each}, indent=4) for each in _TWO).replace("\n", "\r\n"),
    "an array": json.dumps([{"ohh": each} for each in _TWO]),
    "an array, pretty": json.dumps([{"ohh": each} for each in _TWO], indent=2),
    "bare": "\n".join(json.dumps(each) for each in _TWO),
    "bare in an array": json.dumps(_TWO),
    "wrapped in more": "\n".join(json.dumps({"id": "q", "ohh": each, "_profits": {"q": -1.5}}) for each in _TWO),
    "one object with a list": json.dumps({"version": "1", "hands": [{"ohh": each} for each in _TWO], "n": [1, 2]}),
    "two files in one": f"\ufeff{json.dumps({'ohh': _TWO[0]})}\n\ufeff{json.dumps({'ohh': _TWO[1]})}",
}


@pytest.mark.parametrize("data", _FILES.values(), ids=_FILES)
def test_hands_are_found_however_they_lie(data: str) -> None:
    raw = data.encode()
    stream = Stream(io.BytesIO(raw).read)
    found = format_of(stream)
    assert found is not None
    assert found.name == "ohh"
    items = list(found.read(stream, "lamp"))
    assert [item.reason for item in items if isinstance(item, Reject)] == []
    events = [parse(item.raw) for item in items]
    assert [event.hand_id for event in events if event.type == "hand_started"] == ["481325", "481326"]
    assert brief(events) == brief(hand()) * 2


def test_numbers_may_be_quoted() -> None:
    players = [each | {"seat": str(each["seat"])} for each in HAND["players"]]
    quoted = hand(players=players, dealer_seat=str(HAND["dealer_seat"]), table_size=str(HAND["table_size"]))
    assert brief(quoted) == brief(hand())
    assert quoted[0].max_seats == hand()[0].max_seats


def test_a_date_may_have_slashes() -> None:
    assert hand(start_date_utc="2024/05/17 20:04:31")[1].at.date() == date(2024, 5, 17)


def test_the_order_of_keys_is_nobody_s_business() -> None:
    turned = json.dumps({"ohh": dict(reversed(HAND.items()))})
    assert brief([parse(item.raw) for item in read(turned)]) == brief(hand())


def test_rounds_and_actions_go_by_their_numbers() -> None:
    turned = [each | {"actions": each["actions"][::-1]} for each in HAND["rounds"][::-1]]
    assert brief(hand(rounds=turned)) == brief(hand())


# --- amounts --------------------------------------------------------------------------------------------------------

_PREFLOP: list[Act] = [*BLINDS, ("Raise", 1, 0.06), ("Raise", 2, 0.17), ("Fold", 3), ("Call", 1, 0.12)]
_CHECKED = ("Flop", FLOP, [("Check", 2), ("Check", 1)])
_TOLD = ["3 small_blind 1", "5 big_blind 2", "1 raise 6", "3 raise 17", "5 fold 0", "1 call 12"]


def _to_the_river(preflop: list[Act], *wins: Any, **other: Any) -> dict[str, Any]:
    streets = [("Preflop", [], preflop), *(
        (street, cards, [("Check", 2), ("Check", 1)])
        for street, cards in (("Flop", FLOP), ("Turn", TURN), ("River", RIVER))
    )]  # fmt: skip
    return {"rounds": rounds(*streets), "pots": [pot(0.38, *wins, **other)]}


def test_amounts_are_the_chips_that_an_action_adds() -> None:
    assert brief(hand(**_to_the_river(_PREFLOP, (1, 0.38))), *CHIPS)[:6] == _TOLD


@pytest.mark.parametrize(
    "preflop",
    [
        [*BLINDS, ("Raise", 1, 0.06), ("Raise", 2, 0.18), ("Fold", 3), ("Call", 1, 0.12)],
        [*BLINDS, ("Raise", 1, 0.06), ("Raise", 2, 0.18), ("Fold", 3), ("Call", 1, 0.18)],
    ],
    ids=["raises", "raises and calls"],
)
def test_a_writer_who_names_the_whole_bet_is_understood_by_the_pot(preflop: list[Act]) -> None:
    assert brief(hand(**_to_the_river(preflop, (1, 0.38))), *CHIPS)[:6] == _TOLD


def test_a_pot_that_no_reading_makes_right_is_left_for_the_audit() -> None:
    records = [item for item in read(text(pots=[pot(0.55, (1, 0.55))])) if isinstance(item, Record)]
    assert {finding.rule for finding in audit(record.raw for record in records)} >= {"POT101"}


@pytest.mark.parametrize(
    ("pots", "told"),
    [
        ([pot(0.13, (1, 0.12), rake=0.01)], ["1 back 8", "1 wins 12 of 0", "rake 1"]),
        ([pot(0.21, (1, 0.20), rake=0.01)], ["1 wins 20 of 0", "rake 1"]),
        ([pot(0.13, (1, 0.13), rake=0.01)], ["1 back 8", "1 wins 12 of 0", "rake 1"]),
        ([pot(0.12, (1, 0.12), rake=0.01)], ["1 back 8", "1 wins 12 of 0", "rake 1"]),
        ([pot(0.13, (1, 0.10), rake=0.01, jackpot=0.02)], ["1 back 8", "1 wins 10 of 0", "rake 1", "jackpot 2"]),
        ([], ["1 back 8"]),
        ([pot(0.13)], ["1 back 8"]),
    ],
    ids=["as specified", "with the uncalled bet", "won before the rake", "pot after the rake", "jackpot",
         "no pots", "no winner"],
)  # fmt: skip
def test_what_nobody_called_and_what_the_house_took(pots: list[Any], told: list[str]) -> None:
    events = hand(pots=pots)
    assert brief(events, "chips_returned", "pot_awarded", "rake_taken") == told
    assert ("awards" in events[0].observes) == any("wins" in word for word in told)
    assert brief(events)[-2:] == ["hand_ended", "table_closed"]


@pytest.mark.parametrize(
    ("change", "scale", "raised"),
    [
        ({}, 2, 6),
        ({"currency": "XPM"}, 2, 6),  # as many decimals as the amounts have
        ({"currency": "BTC", "players": [p | {"starting_stack": 2.00005} for p in HAND["players"]]}, 5, 6000),
    ],
)
def test_scale(change: dict[str, Any], scale: int, raised: int) -> None:
    events = hand(**change)
    assert events[0].scale == scale
    assert brief(events, "player_acted")[0] == f"1 raise {raised}"


def test_chips_of_a_tournament_are_whole() -> None:
    def whole(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: whole(value) for key, value in node.items()}
        if isinstance(node, list):
            return [whole(value) for value in node]
        return round(node * 100) if isinstance(node, float) else node

    events = hand(**whole(HAND | {"tournament": True, "tournament_info": {"buyin_amount": 0.935}}))
    assert (events[0].scale, events[0].currency) == (0, None)
    assert brief(events) == brief(hand())


def test_what_a_binary_number_cannot_hold_is_no_amount() -> None:
    written = text().replace('"amount": 0.13', '"amount": 0.13000000000000003').replace("0.04", "0.039999999999999994")
    assert brief([parse(item.raw) for item in read(written)]) == brief(hand())


@pytest.mark.parametrize(
    ("amount", "reason"),
    [
        ("1e30", "too large"),
        ("1e999999999", "too large"),
        ("1e99999999999999999999", "out of all bounds"),
        ("0.123456789", "9 decimals, at most 8"),
        ("-1", "less than nothing"),
        ("NaN", "NaN is no number"),
        ("true", "a number is expected"),
        ('"much"', "a number is expected"),
        ("9" * 5000, "not JSON"),
    ],
)
def test_amounts_beyond_all_bounds_refuse_the_hand(amount: str, reason: str) -> None:
    (item,) = read(text().replace('"amount": 0.06', f'"amount": {amount}'))
    assert isinstance(item, Reject)
    assert reason in item.reason


# --- forced bets ----------------------------------------------------------------------------------------------------

_WALK = [("Fold", 1), ("Fold", 2)]


@pytest.mark.parametrize(
    ("posts", "ends", "posted"),
    [
        ([("Post Ante", 1, 0.01), ("Post Ante", 2, 0.01), ("Post Ante", 3, 0.01), *BLINDS, *_WALK], (3, 0.05),
         ["1 ante 1", "3 ante 1", "5 ante 1", "3 small_blind 1", "5 big_blind 2"]),
        ([*BLINDS, ("Straddle", 1, 0.04), ("Fold", 2), ("Fold", 3)], (1, 0.05),
         ["3 small_blind 1", "5 big_blind 2", "1 straddle 4"]),
        ([*BLINDS, ("Post Extra Blind", 1, 0.02), ("Check", 1), ("Fold", 2), ("Check", 3)], None,
         ["3 small_blind 1", "5 big_blind 2", "1 missed_blind 2"]),
        ([*BLINDS, ("Post Dead", 1, 0.01), ("Post Extra Blind", 1, 0.02), ("Check", 1), ("Fold", 2), ("Check", 3)],
         None, ["3 small_blind 1", "5 big_blind 2", "1 dead_blind 1", "1 missed_blind 2"]),
        ([*BLINDS, ("Post Extra Blind", 1, 0.03), ("Check", 1), ("Fold", 2), ("Check", 3)], None,
         ["3 small_blind 1", "5 big_blind 2", "1 dead_blind 1", "1 missed_blind 2"]),
        ([("Post BB", 1, 0.02), *BLINDS, ("Check", 1), ("Fold", 2), ("Check", 3)], None,
         ["1 missed_blind 2", "3 small_blind 1", "5 big_blind 2"]),
        ([*BLINDS, ("Post SB", 1, 0.01), ("Call", 1, 0.02), ("Fold", 2), ("Check", 3)], None,
         ["3 small_blind 1", "5 big_blind 2", "1 dead_blind 1"]),
    ],
    ids=["antes", "straddle", "extra blind", "dead and extra blind", "both in one post", "another big blind",
         "another small blind"],
)  # fmt: skip
def test_forced_bets(posts: list[Act], ends: tuple[int, float] | None, posted: list[str]) -> None:
    pots = [pot(0.05, ends)] if ends else []
    assert brief(hand(rounds=rounds(("Preflop", [], posts)), pots=pots), "forced_bet_posted") == posted


def test_a_dead_button_is_at_an_empty_seat() -> None:
    assert hand(dealer_seat=2)[1].button_seat == 2


def test_a_bomb_pot_begins_on_the_flop() -> None:
    antes: list[Act] = [("Post Ante", player, 0.10) for player in (1, 2, 3)]
    play = rounds(("Preflop", [], antes), ("Flop", FLOP, [("Bet", 2, 0.30), ("Fold", 3), ("Fold", 1)]))
    for flags in ([], ["Bomb_Pot"]):
        events = hand(rounds=play, pots=[pot(0.30, (2, 0.30))], flags=flags)
        assert events[1].bomb_pot
        assert (events[1].small_blind_seat, events[1].big_blind_seat) == (None, None)
        assert brief(events, *CHIPS)[-2:] == ["3 back 30", "3 wins 30 of 0"]


def test_a_splash_comes_from_the_house() -> None:
    play = rounds(("Preflop", [], [("Add to Pot", None, 1.00), *BLINDS, *_WALK]))
    events = hand(rounds=play, pots=[pot(1.02, (3, 1.02))])
    assert events[1].splash == 100
    assert brief(events, *CHIPS)[-2:] == ["5 back 1", "5 wins 102 of 0"]


# --- betting --------------------------------------------------------------------------------------------------------


def test_an_all_in_with_a_side_pot() -> None:
    play: list[Act] = [*BLINDS, ("Raise", 1, 2.00), ("Call", 2, 1.49), ("Call", 3, 1.98)]
    shown: list[Act] = [
        ("Shows Cards", 1, ["As", "Ac"]),
        ("Shows Cards", 2, ["Kc", "Ks"]),
        ("Mucks Cards", 3, ["7c", "7h"]),
    ]
    events = hand(
        rounds=rounds(("Preflop", [], play), ("Flop", FLOP, []), ("Turn", TURN, []), ("River", RIVER, []),
                      ("Showdown", [], shown)),
        pots=[pot(4.50, (2, 4.50)), pot(1.00, (1, 1.00), number=1)],
    )  # fmt: skip
    assert brief(events)[-13:] == [
        "1 raise 200!",
        "3 call 149!",
        "5 call 198",
        "8d Kh 2s board 1",
        "Ts board 1",
        "Kd board 1",
        "1 shows As Ac",
        "3 shows Kc Ks",
        "5 mucks 7c 7h",
        "3 wins 450 of 0",
        "1 wins 100 of 1",
        "hand_ended",
        "table_closed",
    ]


@pytest.mark.parametrize("base", [0, 1])
def test_pots_are_counted_from_the_main_one(base: int) -> None:
    play: list[Act] = [*BLINDS, ("Raise", 1, 2.00), ("Call", 2, 1.49), ("Call", 3, 1.98)]
    events = [parse(item.raw) for item in read(text(
        rounds=rounds(("Preflop", [], play)),
        pots=[pot(1.00, (1, 1.00), number=base + 1), pot(4.50, (2, 4.50), number=base)],
    ))]  # fmt: skip
    assert brief(events, "pot_awarded") == ["1 wins 100 of 1", "3 wins 450 of 0"]


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (("Bet", 1, 0.06), "1 raise 6"),
        (("Raise", 1, 0.06), "1 raise 6"),
        (("raises", 1, 0.06), "1 raise 6"),
    ],
)
def test_a_wager_is_called_what_its_chips_are(act: Act, told: str) -> None:
    play = rounds(("Preflop", [], [*BLINDS, act, ("Fold", 2), ("Fold", 3)]))
    assert brief(hand(rounds=play, pots=[]), "player_acted")[0] == told


def test_a_big_blind_who_had_less_is_called_for_the_whole_blind() -> None:
    players = [*HAND["players"][:2], HAND["players"][2] | {"starting_stack": 0.01}]
    play = rounds(("Preflop", [], [("Post SB", 2, 0.01), ("Post BB", 3, 0.01), ("Call", 1, 0.02), ("Raise", 2, 0.05)]))
    assert brief(hand(players=players, rounds=play, pots=[]), "player_acted") == ["1 call 2", "3 raise 5"]


def test_a_raise_where_nobody_has_bet_is_a_bet() -> None:
    streets = [HAND["rounds"][0], *rounds(("Flop", FLOP, [("Check", 3), ("Raise", 1, 0.08), ("Fold", 3)]))]
    streets[1]["id"] = 1
    assert "1 bet 8" in brief(hand(rounds=streets))


def test_a_call_without_its_amount_costs_what_there_is_to_call() -> None:
    streets = json.loads(json.dumps(HAND["rounds"]))
    del streets[0]["actions"][-1]["amount"]
    assert brief(hand(rounds=streets)) == brief(hand())


def test_players_who_only_sit_at_the_table_are_in_no_hand() -> None:
    away = [
        {"id": 4, "seat": 2, "name": "Dov", "starting_stack": 1.00, "is_sitting_out": True},
        {"id": 5, "seat": 6, "name": "Eva", "starting_stack": 1.00},
    ]
    events = hand(players=HAND["players"] + away)
    assert [seat.seat for seat in events[1].seats if seat.entitled] == [1, 3, 5]
    assert brief(events, *CHIPS) == brief(hand(), *CHIPS)


# --- cards ----------------------------------------------------------------------------------------------------------


def test_a_board_run_twice_is_two_boards() -> None:
    play: list[Act] = [
        *BLINDS, ("Raise", 1, 1.50), ("Call", 2, 1.49), ("Fold", 3),
        ("Shows Cards", 1, ["As", "Ac"]), ("Shows Cards", 2, ["Qc", "Qs"]),
    ]  # fmt: skip
    streets = rounds(
        ("Preflop", [], play),
        ("Flop", FLOP, []),
        ("Turn", TURN, []),
        ("River", RIVER, []),
        ("Turn", ["Qd"], []),
        ("River", ["3c"], []),
    )
    events = hand(rounds=streets, flags=["Run_It_Twice"], pots=[pot(3.02, (1, 1.51), (2, 1.51))])
    assert brief(events, "board_dealt") == [
        "8d Kh 2s board 1", "Ts board 1", "Kd board 1", "Qd board 2", "3c board 2",
    ]  # fmt: skip


def test_the_whole_board_on_every_street_is_one_board() -> None:
    streets = json.loads(json.dumps(_to_the_river(_PREFLOP, (1, 0.38))["rounds"]))
    streets[2]["cards"], streets[3]["cards"] = FLOP + TURN, FLOP + TURN + RIVER
    streets.append({"id": 4, "street": "Showdown", "cards": FLOP + TURN + RIVER, "actions": []})
    events = hand(rounds=streets, pots=[pot(0.38, (1, 0.38))])
    assert brief(events, "board_dealt") == ["8d Kh 2s board 1", "Ts board 1", "Kd board 1"]


def test_a_hand_shown_after_it_was_folded() -> None:
    showdown = rounds(("Showdown", [], [("Shows Cards", 3, ["6c", "3s"]), ("Shows Cards", 1)]))
    events = hand(rounds=[*HAND["rounds"], showdown[0] | {"id": 2, "cards": None}])
    assert brief(events, "cards_shown", "chips_returned") == ["1 back 8", "5 shows 6c 3s", "1 shows Ad Jh"]


def test_a_showdown_that_begins_before_the_betting_is_over() -> None:
    flop = rounds(("Flop", FLOP, [("Check", 3)]), ("Showdown", [], [("Shows Cards", 2, ["6c", "3s"]), ("Bet", 1, 0.08),
                                                                  ("Fold", 3)]))  # fmt: skip
    streets = [HAND["rounds"][0], *(each | {"id": number} for number, each in enumerate(flop, 1))]
    events = hand(rounds=streets)
    assert brief(events, "cards_shown", *CHIPS)[-7:] == [
        "5 check 0", "3 shows 6c 3s", "1 bet 8", "5 fold 0", "1 back 8", "1 wins 12 of 0", "rake 1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cards", "told"),
    [(["ad", "10H"], ["1 Ad down", "1 Th down"]), ("Ad Th", ["1 Ad down", "1 Th down"]),
     (["A♦", "T♥"], ["1 Ad down", "1 Th down"]), (["Ad", "??"], ["1 Ad down", "1 ?? down"]),
     (["Ad", None], ["1 Ad down", "1 ?? down"]), (["Ad,", "Th"], ["1 Ad down", "1 Th down"])],
)  # fmt: skip
def test_cards_as_writers_write_them(cards: Any, told: list[str]) -> None:
    streets = json.loads(json.dumps(HAND["rounds"]))
    streets[0]["actions"][2]["cards"] = cards
    assert brief(hand(rounds=streets), "card_dealt")[:2] == told


def test_cards_may_be_named_with_the_players() -> None:
    streets = json.loads(json.dumps(HAND["rounds"]))
    del streets[0]["actions"][2]
    players = [HAND["players"][0] | {"cards": ["Ad", "Jh"]}, *HAND["players"][1:]]
    assert sorted(brief(hand(rounds=streets, players=players))) == sorted(brief(hand()))


@pytest.mark.parametrize(
    ("game_type", "held", "game"),
    [("Omaha", 4, "omaha"), ("Omaha", 5, "omaha5"), ("Omaha", 6, "omaha6"), ("OmahaHiLo", 4, "omaha_hilo"),
     ("OmahaHiLo", 5, "omaha5_hilo"), ("Holdem", 2, "holdem")],
)  # fmt: skip
def test_games(game_type: str, held: int, game: str) -> None:
    streets = json.loads(json.dumps(HAND["rounds"]))
    streets[0]["actions"][2]["cards"] = ["Ad", "Jh", "4c", "5c", "6c", "7c"][:held]
    assert hand(rounds=streets, game_type=game_type)[0].game == game


def test_stud_is_padded_with_cards_that_nobody_saw() -> None:
    third: list[Act] = [
        ("Post Ante", 1, 0.01), ("Post Ante", 2, 0.01),
        ("Dealt Cards", 1, ["As", "Ks", "Qs"]), ("Dealt Cards", 2, ["2c"]),
        ("Post SB", 2, 0.01), ("Raise", 1, 0.04), ("Call", 2, 0.03),
    ]  # fmt: skip
    fourth: list[Act] = [("Dealt Cards", 1, ["Js"]), ("Bet", 1, 0.04), ("Fold", 2)]
    events = [parse(item.raw) for item in read(text(
        game_type="Stud", bet_limit={"bet_type": "FL"}, players=HAND["players"][:2], dealer_seat=None,
        rounds=rounds(("Third", [], third), ("Fourth", [], fourth)), pots=[pot(0.10, (1, 0.10))],
    ))]  # fmt: skip
    assert brief(events, "card_dealt") == [
        "1 As down", "1 Ks down", "1 Qs up", "3 ?? down", "3 ?? down", "3 2c up", "1 Js up", "3 ?? up",
    ]  # fmt: skip
    assert brief(events, *CHIPS) == [
        "1 ante 1", "3 ante 1", "3 bring_in 1", "1 complete 4", "3 call 3", "1 bet 4", "3 fold 0", "1 back 4",
        "1 wins 10 of 0",
    ]  # fmt: skip


# --- beside the pot -------------------------------------------------------------------------------------------------


def test_what_is_settled_beside_the_pot_comes_after_the_hand() -> None:
    streets = json.loads(json.dumps(HAND["rounds"]))
    streets[0]["actions"] += actions(
        [("Added Chips", 2, 1.00), ("Player Adjustment", 3, -0.05), ("Player Adjustment", 1, 0.07), ("Sits Down", 9)]
    )
    for number, each in enumerate(streets[0]["actions"]):
        each["action_number"] = number
    wins = pot(0.13, (1, 0.12), rake=0.01)
    wins["player_wins"][0] |= {"cashout_amount": 0.10, "cashout_fee": 0.01, "bonus_amount": 0.50}
    events = hand(rounds=streets, pots=[wins])
    assert brief(events)[-8:] == [
        "hand_ended",
        "3 gets 100 purchase",
        "5 gives 5 adjustment",
        "1 gets 7 adjustment",
        "1 gives 12 cash_out",
        "1 gets 10 cash_out",
        "1 gets 50 adjustment",
        "table_closed",
    ]


# --- broken hands, broken files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game_type": "Draw"}, "neither which draw game it is, nor what is drawn"),
        ({"game_type": "Pai Gow"}, "'Pai Gow' has no game in the event contract"),
        ({"bet_limit": {"bet_type": "spread"}}, "'spread' is no betting of the event contract"),
        ({"players": HAND["players"][:1]}, "1 players: a hand has 2 to 100"),
        ({"players": [HAND["players"][0]] * 2}, "player 2: another player has the id 1, or seat 1"),
        ({"players": [{"id": 1}, {"id": 2}]}, "player 1: `seat`: a seat is expected, not None"),
        ({"players": [7, 8]}, "player 1: an object is expected, not 7"),
        ({"rounds": rounds(("Preflop", [], [("Fold", 9)]))}, "`player_id` 9 is none of the players"),
        ({"rounds": rounds(("Preflop", [], [("Buys Insurance", 1)]))}, "action 1: not understood: 'Buys Insurance'"),
        ({"rounds": rounds(("Preflop", [], [*BLINDS, ("Raise", 1)]))}, "action 3: `amount` is missing"),
        ({"rounds": rounds(("Preflop", [], [*BLINDS, ("Check", 1, 0.02)]))}, "action 3: a check of 2 chips"),
        ({"rounds": rounds(("Flop", ["1d"], []))}, "round 1: '1d' is no card"),
        ({"rounds": {}}, "`rounds`: a list is expected, not {}"),
        ({"pots": [pot(1, (9, 1))]}, "pot 1: `player_id` 9 is none of the players"),
        ({"start_date_utc": "yesterday"}, "`start_date_utc`: no date: 'yesterday'"),
        ({"rounds": [], "pots": [pot(0.13, (1, 0.13))]}, "0 players are in the hand: there must be 2"),
    ],
)
def test_a_broken_hand_is_refused_in_plain_words(change: dict[str, Any], reason: str) -> None:
    assert reason in refusal(**change)


@pytest.mark.parametrize("data", ["no JSON at all", "{}", '{"ots": {}}', "[1, 2]", '"ohh"', '{"ohh": 7}', "{" * 5000])
def test_what_is_no_hand_is_refused(data: str) -> None:
    items = read(data)
    assert items
    assert all(isinstance(item, Reject) and item.reason for item in items)


def test_bytes_that_are_no_text_are_part_of_a_name() -> None:
    events = [parse(item.raw) for item in read(text().encode().replace(b'"Bram"', b'"Br\xe4m"'))]
    assert events[1].seats[1].player_id == "Br\ufffdm"


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("left", [0.5, 0.8, 0.93])
def test_a_hand_that_breaks_off_is_told_as_far_as_it_goes_and_stays_open(left: float, indent: int | None) -> None:
    whole = json.dumps({"ohh": HAND}, indent=indent)
    cut = whole[: int(len(whole) * left)]
    for data in (cut, f"{cut}\n\n{whole}"):
        items = read(data)
        events = [parse(item.raw) for item in items if isinstance(item, Record)]
        assert len(events) == len(items)
        first = [event for event in events if event.table_id == events[0].table_id]
        assert "hand_ended" not in brief(first)
        assert "awards" not in first[0].observes
        assert list(audit(item.raw for item in items)) == []
        rest = events[len(first) :]
        assert brief(rest) == (brief(hand()) if data != cut else [])


def test_a_hand_in_which_nothing_was_done_stays_open() -> None:
    assert brief(hand(rounds=[], pots=[])) == ["table_opened", "hand_started"]


def test_a_broken_hand_costs_no_other() -> None:
    broken = text(game_number="2").replace('"rounds": [', '"rounds": [[}', 1)
    items = read(f"{text()}\n\n{broken}\n\n{text(game_number='3')}\n\nrubbish\n")
    refused = [item for item in items if isinstance(item, Reject)]
    assert [item.reason.partition(",")[0] for item in refused] == [
        "line 3: not JSON: Expecting value",
        "line 7: no hand: text that is no JSON object",
    ]
    assert refused[0].raw == broken.encode()
    assert [item.offset for item in items] == list(range(1, len(items) + 1))
    started = [parse(item.raw) for item in items if isinstance(item, Record)]
    assert [event.hand_id for event in started if event.type == "hand_started"] == ["481325", "3"]


def test_a_hand_that_has_lost_a_bracket_does_not_swallow_the_next() -> None:
    first, second = text(), text(game_number="7")
    lost = first.replace('}], "pots"', '}, "pots"', 1)
    assert lost != first
    items = read(f"[{lost}, {second}]")
    assert len([item for item in items if isinstance(item, Reject)]) == 1
    events = [parse(item.raw) for item in items if isinstance(item, Record)]
    assert [each.hand_id for each in events if each.type == "hand_started"] == ["7"]


def test_a_hand_that_is_too_long_is_refused_and_the_next_is_read() -> None:
    long = text(notes=["x" * 1000] * 1500)
    first, *rest = read(f"{long}\n{text()}")
    assert isinstance(first, Reject)
    assert "longer than a hand may be" in first.reason
    assert len(first.raw) <= LONGEST_HAND
    assert brief([parse(item.raw) for item in rest]) == brief(hand())


def test_a_file_that_is_damaged_says_so() -> None:
    packed = gzip.compress(f"{text()}\n\n{text(game_number='2')}".encode(), 1)[:-12]
    *whole, broken = read(packed)
    assert isinstance(broken, Reject)
    assert "cut off" in broken.reason
    assert brief([parse(item.raw) for item in whole]) == brief(hand())


def test_blocks_of_any_size_make_no_difference() -> None:
    raw = "\n\n".join(json.dumps({"ohh": each}, indent=2) for each in _TWO).encode()
    source = io.BytesIO(raw)
    assert list(ohh.read(Stream(lambda _size: source.read(97)), "night/lamp.ohh")) == read(raw)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_happens_to_a_hand_it_is_told_or_refused_and_costs_no_other(data: st.DataObject) -> None:
    spoiled = json.dumps({"ohh": HAND | {"game_number": "spoiled"}}, indent=data.draw(st.sampled_from([None, 1])))
    start = data.draw(st.integers(0, len(spoiled)))
    end = data.draw(st.integers(start, min(len(spoiled), start + 60)))
    put = data.draw(st.text('0123456789.,-"[]{}: \nabc\\', max_size=6))
    spoiled = spoiled[:start] + put + spoiled[end:]
    between = data.draw(st.sampled_from(["\n\n", "\n"]))
    items = read(between.join([text(), spoiled, text(game_number="last")]))
    events = [parse(item.raw) for item in items if isinstance(item, Record)]
    assert all(item.reason for item in items if isinstance(item, Reject))
    started = [event.hand_id for event in events if event.type == "hand_started"]
    assert started[0] == "481325"
    assert started[-1] == "last"


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_a_fault(raw: bytes) -> None:
    for item in read(raw):
        assert isinstance(item, Reject)
