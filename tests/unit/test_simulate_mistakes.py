"""Mistakes made on purpose: each kind can be made, and its truth points at the event that shows it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest

from auditor.events import Betting
from auditor.simulate import MISTAKES, Truth, play
from auditor.wire import EventRefused, parse

Row = dict[str, Any]


class Case(NamedTuple):
    """A truth, its hand, and the event that it points at."""

    truth: Truth
    hand: list[Row]
    proof: Row
    table: list[Row]

    def before(self) -> list[Row]:
        return [row for row in self.hand if row["seq"] < self.proof["seq"]]

    def after(self) -> list[Row]:
        return [row for row in self.hand if row["seq"] > self.proof["seq"]]

    def start(self) -> Row:
        return next(row for row in self.hand if row["type"] == "hand_started")

    def order(self) -> list[int]:
        start = self.start()
        seats = sorted(seat["seat"] for seat in start["seats"] if seat.get("entitled", True))
        button = start["button_seat"]
        return [s for s in seats if s > button] + [s for s in seats if s <= button]

    def deal(self) -> list[Row]:
        return [row for row in self.hand if row["type"] == "card_dealt"]


def _rows(raws: list[bytes]) -> list[Row]:
    rows = []
    for raw in raws:
        try:
            parse(raw)
        except EventRefused:
            continue
        rows.append(json.loads(raw))
    return rows


@cache
def _room(kind: str) -> tuple[list[bytes], list[Truth]]:
    truths: list[Truth] = []
    # Some need many hands to come, or a short stack in a no-limit game.
    hands = 30 if kind in ("FEED103", "BET106") else 20
    betting: Betting | None = "no_limit" if kind == "BET106" else None
    room = play(3, hands, mistakes=1.0, seed=4, kinds=[kind], players=(3, 9), betting=betting, tell=truths.append)
    return list(room), truths


def _cases(kind: str) -> list[Case]:
    raws, truths = _room(kind)
    tables: dict[str, list[Row]] = {}
    for row in _rows(raws):
        tables.setdefault(row["table_id"], []).append(row)
    cases = []
    for truth in truths:
        if truth.rule == kind and truth.seq is not None:
            table = tables[truth.table_id]
            hand = [row for row in table if row.get("hand_id") == truth.hand_id]
            proof = next(row for row in table if row["seq"] == truth.seq)
            cases.append(Case(truth, hand, proof, table))
    return cases


def _faces(row: Row) -> list[str]:
    items = [*row.get("cards", ()), *([row["card"]] if "card" in row else [])]
    return [item if isinstance(item, str) else item["card"] for item in items]


def _ids(rows: list[Row], face: str) -> set[str]:
    seen = [row for row in rows if row.get("card") == face and "card_id" in row]
    listed = [item for row in rows for item in row.get("cards", ()) if isinstance(item, dict) and item["card"] == face]
    return {item["card_id"] for item in (*seen, *listed)}


def _other_back(case: Case) -> bool:
    right = case.start()["deck_back"]
    return any(item.get("back", right) != right for item in (case.proof, *case.proof.get("cards", ())))


def _is_exposed(case: Case) -> bool:
    proof = case.proof
    return proof.get("exposed_by") == "dealer" or proof.get("face") == "up" or proof["type"] == "card_exposed"


def _count(case: Case, seat: int) -> int:
    return sum(row["seat"] == seat for row in case.deal())


def _kinds_before(case: Case, kind: str) -> int:
    """Events of a kind since the last board card."""
    rows = case.before()
    boards = [i for i, row in enumerate(rows) if row["type"] == "board_dealt"]
    return sum(row["type"] == kind for row in rows[boards[-1] + 1 if boards else 0 :])


def _actor_before(case: Case) -> bool:
    seat = case.proof["seat"]
    out = {s["seat"] for s in case.start()["seats"] if not s.get("entitled", True)}
    for row in case.before():
        if row["type"] == "player_acted" and (row["action"] == "fold" or row.get("all_in")):
            out.add(row["seat"])
    return seat in out


def _previous_button(case: Case) -> int:
    starts = [row for row in case.table if row["type"] == "hand_started" and row["seq"] < case.proof["seq"]]
    button: int = starts[-1]["button_seat"]
    return button


def _next_entitled(case: Case) -> int:
    seats, last = sorted(case.order()), _previous_button(case)
    return next((seat for seat in seats if seat > last), seats[0])


def _out(rows: list[Row]) -> int:
    return sum(row.get("amount", 0) for row in rows if row["type"] in ("pot_awarded", "chips_returned", "rake_taken"))


def _in(rows: list[Row]) -> int:
    return sum(row.get("amount", 0) for row in rows if row["type"] in ("forced_bet_posted", "player_acted"))


def _acted(case: Case, seat: int) -> list[str]:
    """What a seat did in a hand, in order."""
    return [row["action"] for row in case.hand if row["type"] == "player_acted" and row["seat"] == seat]


def _types(rows: list[Row]) -> list[str]:
    return [row["type"] for row in rows]


def _bets_of(case: Case, seat: int, rows: list[Row]) -> int:
    return sum(
        row.get("amount", 0)
        for row in rows
        if row["type"] in ("forced_bet_posted", "player_acted") and row["seat"] == seat
    )


def _stack(case: Case, seat: int) -> int:
    stack: int = next(s["stack"] for s in case.start()["seats"] if s["seat"] == seat)
    return stack


def _bought_before(case: Case) -> int:
    """Times that the seat of the proof bought in before it."""
    bought = [row for row in case.table if row["type"] == "chips_bought" and row["seq"] < case.proof["seq"]]
    return sum(row["seat"] == case.proof["seat"] and row["kind"] == "buy_in" for row in bought)


def _folded(rows: list[Row]) -> set[int]:
    return {row["seat"] for row in rows if row["type"] == "player_acted" and row["action"] == "fold"}


def _last_before(case: Case, kind: str) -> Row:
    """The last event of a kind before the proof, at the table."""
    return [row for row in case.table if row["type"] == kind and row["seq"] < case.proof["seq"]][-1]


def _since_last_hand(case: Case) -> list[str]:
    """What happened at the table between the hand and the one before."""
    rows = [row for row in case.table if row["seq"] < case.start()["seq"]]
    ended = max(i for i, row in enumerate(rows) if row["type"] == "hand_ended")
    return _types(rows[ended:])


def _ids_twice(case: Case) -> bool:
    """The id of a card of the proof belongs to a card of another face."""
    faces = {row["card_id"]: row["card"] for row in case.deal() if "card_id" in row}
    return any(faces.get(item["card_id"], item["card"]) != item["card"] for item in case.proof["cards"])


SHOWS: dict[str, Callable[[Case], object]] = {
    "DCK101": lambda c: len(_ids([*c.before(), c.proof], c.truth.cards[0])) == 2,
    "DCK102": _other_back,
    "DCK103": lambda c: c.proof["type"] == "stub_inspected" and _other_back(c),
    "DCK107": lambda c: c.proof["type"] == "stub_inspected" and c.truth.cards[0] not in _faces(c.proof),
    "DEAL101": lambda c: _is_exposed(c) and sum(row["type"] == "card_dealt" for row in [*c.before(), c.proof]) <= 2,
    "DEAL102": _is_exposed,
    "DEAL103": lambda c: c.proof["boxed"] and sum(row.get("boxed", False) for row in c.before()) == 1,
    "DEAL104": lambda c: [_count(c, seat) for seat in c.truth.seats] == [3, 3],
    "DEAL105": lambda c: _count(c, c.order()[-1]) == 1 and c.proof == c.deal()[-1],
    "DEAL106": lambda c: c.proof["type"] == "card_dealt" and c.proof["seat"] == c.truth.seats[1],
    "DEAL108": lambda c: c.proof == c.deal()[0] and c.proof["seat"] != c.order()[0],
    "DEAL109": lambda c: c.proof["type"] == "card_dealt" and c.proof["seat"] not in c.order(),
    "DEAL110": lambda c: c.truth.seats[0] in c.order() and _count(c, c.truth.seats[0]) == 0,
    "DEAL111": lambda c: c.proof["seat"] == c.order()[0] and _count(c, c.proof["seat"]) == 3,
    "DEAL112": _is_exposed,
    "BTN101": lambda c: c.proof["button_seat"] != _next_entitled(c),
    "BUY101": lambda c: c.proof["type"] == "chips_bought" and c.proof["kind"] == "buy_in",
    "BUY102": lambda c: _bought_before(c) >= 1 and c.proof["kind"] == "buy_in",
    "BUY103": lambda c: c.proof["kind"] == "add_on" and "hand_id" not in c.proof,
    "BUY104": lambda c: c.proof["type"] == "hand_started",
    "BUY105": lambda c: c.proof["type"] == "hand_started",
    "SHF101": lambda c: "deck_shuffled" not in _since_last_hand(c),
    "SHF102": lambda c: "deck_cut" not in _since_last_hand(c),
    "SHF103": lambda c: c.proof["riffles"] < 4,
    "SHF104": lambda c: min(c.proof["packets"]) < 4,
    "SHF105": lambda c: c.proof["cut_card"] is False,
    "SHF106": lambda c: _last_before(c, "deck_shuffled")["seat"] == c.truth.seats[0] != c.order()[0],
    "SHF107": lambda c: _last_before(c, "deck_cut")["seat"] == c.truth.seats[0] != c.order()[-2],
    "SHF108": lambda c: c.proof["looked"] and c.proof["rule"].startswith("SHF"),
    "DCK104": lambda c: c.proof["boxed"],
    "DCK105": lambda c: c.proof["card"] == "Jk",
    "DCK106": lambda c: any(row["card"] == "Jk" and row["seat"] == c.proof["seat"] for row in c.deal()),
    "DCK108": lambda c: c.proof["action"] in ("bet", "raise"),
    "DCK109": lambda c: c.start()["carried_pot"] > 0,
    "DCK110": lambda c: c.truth.cards[0][0] in "2345",
    "DCK111": lambda c: _last_before(c, "hand_started")["deck_id"] == c.proof["deck_id"],
    "DCK112": _ids_twice,
    "DCK113": lambda c: sum(row.get("card") == c.truth.cards[0] for row in c.deal()) == 2,
    "DEAL113": lambda c: any(row.get("looked") for row in c.before()),
    "BTN102": lambda c: c.proof["button_seat"] == _next_entitled(c),
    "BTN103": lambda c: c.proof["kind"] == "small_blind" and c.proof["seat"] != c.start()["small_blind_seat"],
    "BTN104": lambda c: all(row.get("kind") != "small_blind" for row in c.hand),
    "BTN105": lambda c: c.proof["amount"] != c.table[0]["stakes"]["small_blind"],
    "BRD106": lambda c: _types(c.before()).count("board_dealt") == 1,
    "BRD107": lambda c: "card_returned" in _types(c.before()),
    "BRD108": lambda c: _types(c.before()).count("board_dealt") == 3,
    "BRD109": lambda c: len(c.proof["cards"]) == 1 and _types(c.before()).count("board_dealt") == 1,
    "HND102": lambda c: any(row.get("manner") == "forward_motion" for row in c.before()),
    "HND104": lambda c: _count(c, c.proof["seat"]) != 2,
    "HND106": lambda c: c.proof["type"] == "clock_expired",
    "HND107": lambda c: c.proof["into_seat"] not in _folded(c.before()),
    "HND108": lambda c: c.before()[-1]["type"] == "clock_expired",
    "HND109": lambda c: c.proof["seat"] in _folded(c.before()),
    "HND110": lambda c: c.before()[-1]["manner"] == "killed_by_dealer",
    "HND111": lambda c: any(row.get("manner") == "dropped" for row in c.before()),
    "BRD101": lambda c: c.proof["type"] == "board_dealt" and c.after()[0]["type"] != "card_burned",
    "BRD102": lambda c: len(c.proof["cards"]) == 4,
    "BRD103": lambda c: len(c.truth.cards) == 2,
    "BRD104": lambda c: c.proof["type"] == "board_dealt" and _kinds_before(c, "card_burned") == 0,
    "BRD105": lambda c: c.proof["type"] == "card_burned" and _kinds_before(c, "card_burned") == 1,
    "BET101": lambda c: c.after()[0]["type"] == c.proof["type"] == "player_acted",
    "BET102": _actor_before,
    "BET103": lambda c: c.proof["action"] == "check" and _acted(c, c.proof["seat"])[-1] == "fold",
    "BET104": lambda c: c.proof["action"] == "call" and _acted(c, c.proof["seat"])[-1] == "fold",
    "BET105": lambda c: c.proof["action"] == "raise",
    "BET106": lambda c: c.proof["seat"] in {row["seat"] for row in c.before() if row["type"] == "player_acted"},
    "BET107": lambda c: c.table[0]["betting"] in ("limit", "pot_limit"),
    "BET108": lambda c: _bets_of(c, c.proof["seat"], [*c.before(), c.proof]) > _stack(c, c.proof["seat"]),
    "BET109": lambda c: c.truth.seats[0] not in _folded(c.before()),
    "BET110": lambda c: "cards_shown" in _types(c.before()),
    "POT101": lambda c: c.proof["type"] == "hand_ended" and _in(c.hand) > _out(c.hand),
    "POT102": lambda c: any(row.get("pot") == 1 for row in c.hand),
    "POT103": lambda c: "chips_returned" not in _types(c.hand),
    "POT104": lambda c: {row["seat"] for row in c.hand if row["type"] == "cards_shown"} >= set(c.truth.seats),
    "POT105": lambda c: c.proof["seat"] in _folded(c.before()),
    "POT106": lambda c: len({row["amount"] for row in c.hand if row["type"] == "pot_awarded"}) > 1,
    "POT107": lambda c: "rake_taken" in _types(c.before()),
    "POT108": lambda c: _out(c.hand) > _in(c.hand),
    "POT109": lambda c: c.proof["reported"]["stacks"],
    "FEED103": lambda c: c.table.index(c.proof) > 0,
    "FEED104": lambda c: c.proof["at"] < c.before()[-1]["at"],
    "FEED105": lambda c: len(c.table) > 0 and _last_before(c, "hand_started")["hand_id"] != c.proof["hand_id"],
    "FEED101": lambda c: all(row["seq"] != c.proof["seq"] - 1 for row in c.table),
    "FEED102": lambda c: sum(row["seq"] == c.proof["seq"] for row in c.table) == 2,
    "FEED106": lambda c: any(row["type"] == "hand_ended" for row in c.before()),
    "FEED107": lambda c: c.proof["seat"] > c.table[0].get("max_seats", 10),
    "RUL101": lambda c: c.proof["ruling"] == "misdeal",
    "RUL102": lambda c: c.proof["type"] == "hand_ended" and "pot_awarded" in _types(c.hand),
    "RUL104": lambda c: _in(c.hand) == _out(c.hand) and "pot_awarded" not in _types(c.hand),
    "RUL105": lambda c: c.proof["ruling"] == "void_action",
    "RUL107": lambda c: c.before()[-1]["type"] == "clock_expired",
    "RUL108": lambda c: c.truth.seats[0] not in _folded(c.before()),
    "RUL109": lambda c: c.proof["type"] == "board_dealt",
    "RUL110": lambda c: "redeal_of" in c.proof,
    "RUL111": lambda c: any(row.get("reason") in ("correction", "void") for row in c.hand),
    "RUL103": lambda c: c.proof["type"] == "pot_awarded",
    "RUL106": lambda c: c.proof["type"] in ("player_acted", "board_dealt", "pot_awarded"),
}


@pytest.mark.parametrize("kind", sorted(SHOWS))
def test_the_truth_points_at_the_event_that_shows_it(kind: str) -> None:
    cases = _cases(kind)
    assert len(cases) >= 4
    for case in cases:
        assert SHOWS[kind](case), case.truth


def test_every_kind_is_shown_here() -> None:
    assert SHOWS.keys() | {"FEED108"} == MISTAKES.keys()


def test_a_broken_line_comes_besides_the_event_that_it_was() -> None:
    raws, truths = _room("FEED108")
    refused = len(raws) - len(_rows(raws))
    assert refused == len(truths) > 10
    assert {truth.seq for truth in truths} == {None}
    seqs = [row["seq"] for row in _rows(raws) if row["table_id"] == "T001"]
    assert seqs == list(range(1, len(seqs) + 1))


def test_about_as_many_hands_go_wrong_as_asked_for() -> None:
    truths: list[Truth] = []
    assert list(play(2, 100, mistakes=0.2, seed=1, tell=truths.append))
    assert 20 <= len({truth.hand_id for truth in truths}) <= 60


#: Chips that go nowhere or come from nowhere, that wait for the next hand, or that are told twice.
_UNEVEN = {"POT101", "POT108", "DCK108", "DCK109", "FEED102"}


def test_no_mistake_changes_the_sum_of_the_chips_but_the_one_that_does() -> None:
    truths: list[Truth] = []
    raws = list(play(3, 60, mistakes=1.0, seed=6, kinds=set(MISTAKES) - _UNEVEN, tell=truths.append))
    hands: dict[str, list[Row]] = {}
    for row in _rows(raws):
        hands.setdefault(row.get("hand_id", ""), []).append(row)
    del hands[""]
    assert [hand for hand in hands.values() if _in(hand) != _out(hand)] == []
    assert len({truth.rule for truth in truths}) > 25


def test_a_misdeal_gives_every_chip_back_and_is_dealt_again_from_the_same_button() -> None:
    cases = [case for case in _cases("DEAL101") if case.truth.prescribed == "misdeal"]
    assert cases
    for case in cases:
        redeal = next(row for row in case.table if row.get("redeal_of") == case.truth.hand_id)
        assert redeal["button_seat"] == case.start()["button_seat"]
        assert [(s["seat"], s["stack"]) for s in redeal["seats"]] == [
            (s["seat"], s["stack"]) for s in case.start()["seats"]
        ]
        assert not [row for row in case.hand if row["type"] == "pot_awarded"]


def test_a_table_sometimes_does_what_the_rules_say_and_sometimes_not() -> None:
    handled = Counter(case.truth.handled for case in _cases("DCK101"))
    assert handled["as_prescribed"]
    assert handled["contrary"]


def test_a_wrong_button_is_put_right_on_the_next_hand() -> None:
    for case in _cases("BTN101"):
        starts = [row for row in case.table if row["type"] == "hand_started"]
        following = starts[starts.index(case.start()) + 1 :][:1]
        rightful = _next_entitled(case)
        for start in following:
            seats = sorted(seat["seat"] for seat in start["seats"] if seat.get("entitled", True))
            assert start["button_seat"] == next((seat for seat in seats if seat > rightful), seats[0])


def test_truth_is_one_line_of_json() -> None:
    truth = _cases("DCK101")[0].truth
    told = json.loads(truth.line())
    assert told.keys() == {
        "table_id", "hand_id", "rule", "seq", "seats", "cards", "prescribed", "handled", "what",
    }  # fmt: skip
    assert b"\n" not in truth.line()
