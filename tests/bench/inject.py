"""Real hands with one irregularity injected: `injected(hands, seed)` yields the lines of a hand and the code.

A hand is the lines of one table of its own, as the PHH feed tells them: hold'em, or stud. The edits work on the events
as they are written, without a dealer and without the rules: only such as leave no doubt about what went wrong.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise
from random import Random
from typing import Any

from auditor.findings import Reject
from auditor.intake import Record

Row = dict[str, Any]
Injector = Callable[[list[Row], Random], list[Row] | None]

_RANKS, _SUITS = "23456789TJQKA", "cdhs"
_DECK = tuple(rank + suit for rank in _RANKS for suit in _SUITS)
_PASSIVE = ("check", "call")
_BETS = ("forced_bet_posted", "player_acted")

#: What else may rightly be found in a hand with one of these, because nobody at the table did anything about it.
CONSEQUENCES: dict[str, frozenset[str]] = {
    "DCK101": frozenset({"DCK108", "RUL103"}),
    "BRD101": frozenset({"RUL106"}),
}

_BROKEN = "broken"  # a row with this key is written as bytes that are no event
_TWIN = "twin"  # and one with this takes the number of the row before it


def hands_of(feed: Iterable[Record | Reject]) -> Iterator[list[bytes]]:
    """The lines of each hand of a feed whose hands have a table of their own. What is no event is left out."""
    records = (item[0] for item in feed if isinstance(item, Record))
    for _, lines in groupby(records, key=lambda raw: json.loads(raw)["table_id"]):
        yield list(lines)


def injected(hands: Iterable[list[bytes]], seed: int) -> Iterator[tuple[list[bytes], str]]:
    """Each hand with one irregularity that it has room for, of the rarest kind so far; its lines, and the code."""
    rng, made = Random(seed), Counter[str]()
    for lines in hands:
        codes = sorted(STUD if b'"bring_in"' in b"".join(lines) else INJECTORS)
        for code in sorted(rng.sample(codes, len(codes)), key=lambda each: made[each]):
            rows = INJECTORS[code]([json.loads(line) for line in lines], rng)
            if rows is not None:
                made[code] += 1
                yield _written(rows), code
                break


def _written(rows: list[Row]) -> list[bytes]:
    """The rows as lines, numbered anew; a number that a row lacks is left out of the order."""
    lines, seq = [], 0
    for row in rows:
        broken, twin = row.pop(_BROKEN, False), row.pop(_TWIN, False)
        seq += 1 - (broken or twin) + row.pop("skip", 0)
        row["seq"] = seq + broken
        line = json.dumps(row, separators=(",", ":")).encode()
        lines.append(line[: len(line) * 2 // 3] if broken else line)
    return lines


# --- reading a hand -------------------------------------------------------------------------------------------------


def _of(rows: list[Row], *kinds: str) -> list[int]:
    return [i for i, row in enumerate(rows) if row["type"] in kinds]


def _boards(rows: list[Row]) -> list[int]:
    """Where the streets are dealt; none where the board was run more than once."""
    dealt = [i for i in _of(rows, "board_dealt") if not rows[i].get("rabbit")]
    return [] if any(rows[i].get("board", 1) > 1 for i in dealt) else dealt


def _faces(row: Row) -> list[str]:
    items = [*row.get("cards", ()), *([row["card"]] if "card" in row else [])]
    return [item if isinstance(item, str) else item["card"] for item in items]


def _spare(rows: list[Row], rng: Random) -> str:
    """A card that is nowhere in the hand."""
    seen = {face for row in rows for face in _faces(row)}
    return rng.choice([face for face in _DECK if face not in seen])


def _event(like: Row, **fields: Any) -> Row:
    """An event of the same hand and moment."""
    kept = ("table_id", "hand_id", "at", "source")
    return {"seq": 0, **{name: like[name] for name in kept if name in like}, **fields}


def _net(rows: list[Row]) -> Counter[int]:
    """What each seat has in the pot, less what came back."""
    chips: Counter[int] = Counter()
    for row in rows:
        if row["type"] in _BETS:
            chips[row["seat"]] += row.get("amount", 0)
        elif row["type"] == "chips_returned":
            chips[row["seat"]] -= row["amount"]
    return chips


def _one_winner(rows: list[Row]) -> Row | None:
    """The one award of a hand in which nobody was all-in."""
    stacks = {seat["seat"]: seat.get("stack", 0) for seat in rows[_of(rows, "hand_started")[0]]["seats"]}
    put_in: Counter[int] = Counter()
    for row in rows:
        if row["type"] in _BETS:
            put_in[row["seat"]] += row.get("amount", 0)
    awards = _of(rows, "pot_awarded")
    if len(awards) != 1 or any(chips >= stacks.get(seat, 0) for seat, chips in put_in.items()):
        return None
    return rows[awards[0]]


# --- the deck and the board -----------------------------------------------------------------------------------------


def _duplicate_card(rows: list[Row], rng: Random) -> list[Row] | None:
    """DCK101: a hole card of a player who does not show is a card that another player was dealt."""
    pairs = _twins(rows)
    if not pairs:
        return None
    changed, other = rng.choice(pairs)
    rows[changed]["card"] = rows[other]["card"]
    return rows


def _cross_read(rows: list[Row], rng: Random) -> list[Row] | None:
    """DCK113: the antennas in the table read a card at two neighbouring seats, and neither of them shows its hand."""
    seats = [seat["seat"] for seat in rows[_of(rows, "hand_started")[0]]["seats"]]
    beside = {frozenset(pair) for pair in zip(seats, seats[1:] + seats[:1], strict=True)}
    hidden = set(seats) - _showing(rows)
    pairs = [
        (i, j)
        for i, j in _twins(rows)
        if frozenset((rows[i]["seat"], rows[j]["seat"])) in beside and rows[j]["seat"] in hidden
    ]
    if not pairs:
        return None
    changed, other = rng.choice(pairs)
    rows[changed]["card"] = rows[other]["card"]
    for i in _of(rows, "card_dealt"):
        rows[i]["read_at"] = "seat"
    return rows


def _showing(rows: list[Row]) -> set[int]:
    return {rows[i]["seat"] for i in _of(rows, "cards_shown")}


def _twins(rows: list[Row]) -> list[tuple[int, int]]:
    """A downcard that nobody will see, and one that another seat was dealt: the first could as well be the second."""
    shown = _showing(rows)
    down = [i for i in _of(rows, "card_dealt") if rows[i].get("card", "??") != "??" and rows[i].get("face") != "up"]
    return [(i, j) for i in down for j in down if rows[i]["seat"] != rows[j]["seat"] and rows[i]["seat"] not in shown]


def _premature_board(rows: list[Row], rng: Random) -> list[Row] | None:
    """BRD101: a street is dealt before the last action of the round that it had to wait for."""
    fitting = [i for i in _boards(rows) if rows[i - 1]["type"] == "player_acted"]
    if not fitting:
        return None
    at = rng.choice(fitting)
    rows[at - 1], rows[at] = rows[at], rows[at - 1]
    return rows


def _long_flop(rows: list[Row], rng: Random) -> list[Row] | None:
    """BRD102: four cards on the flop."""
    boards = _boards(rows)
    if not boards or len(rows[boards[0]]["cards"]) != 3:
        return None
    rows[boards[0]]["cards"].append(_spare(rows, rng))
    return rows


def _long_street(rows: list[Row], rng: Random) -> list[Row] | None:
    """BRD103: two cards on the turn or the river."""
    fitting = [i for i in _boards(rows)[1:] if len(rows[i]["cards"]) == 1]
    if not fitting:
        return None
    rows[rng.choice(fitting)]["cards"].append(_spare(rows, rng))
    return rows


# --- the betting and the pot ----------------------------------------------------------------------------------------


def _out_of_turn(rows: list[Row], rng: Random) -> list[Row] | None:
    """BET101: a player checks or calls before the one whose turn it is."""
    acts = [(i, j) for i, j in pairwise(_of(rows, "player_acted")) if j == i + 1]
    fitting = [i for i, j in acts if rows[i]["action"] in (*_PASSIVE, "fold") and rows[j]["action"] in _PASSIVE]
    if not fitting:
        return None
    at = rng.choice(fitting)
    rows[at], rows[at + 1] = rows[at + 1], rows[at]
    return rows


def _without_cards(rows: list[Row], rng: Random) -> list[Row] | None:
    """BET102: a player who folded folds again."""
    acts = _of(rows, "player_acted")
    fitting = [(i, j) for i in acts for j in acts if i < j and rows[i]["action"] == "fold"]
    if not fitting:
        return None
    folded, before = rng.choice(fitting)
    rows.insert(before, _event(rows[before], type="player_acted", seat=rows[folded]["seat"], action="fold", amount=0))
    return rows


def _check_facing_bet(rows: list[Row], rng: Random) -> list[Row] | None:
    """BET103: a call by a player who folds later is a check."""
    return _pay_less(rows, rng, everything=True)


def _under_call(rows: list[Row], rng: Random) -> list[Row] | None:
    """BET104: a call by a player who folds later is for less than the bet."""
    return _pay_less(rows, rng, everything=False)


def _pay_less(rows: list[Row], rng: Random, *, everything: bool) -> list[Row] | None:
    award = _one_winner(rows)
    calls = [i for i in _of(rows, "player_acted") if rows[i]["action"] == "call" and rows[i]["amount"] > 1]
    calls = [i for i in calls if _is_given_up(rows, i) and _others_match(rows, rows[i]["seat"])]
    if award is None or not calls:
        return None
    call = rows[rng.choice(calls)]
    less = call["amount"] if everything else rng.randint(1, call["amount"] - 1)
    call["amount"] -= less
    award["amount"] -= less
    if everything:
        call["action"] = "check"
    return rows


def _is_given_up(rows: list[Row], call: int) -> bool:
    """The player puts nothing in behind this call, and folds."""
    seat = rows[call]["seat"]
    later = [row for row in rows[call + 1 :] if row["type"] == "player_acted" and row["seat"] == seat]
    return bool(later) and later[-1]["action"] == "fold" and not any(row.get("amount", 0) for row in later)


def _others_match(rows: list[Row], without: int) -> bool:
    """Two other seats put the most in: no bet is left without an answer."""
    paid = sorted((chips for seat, chips in _net(rows).items() if seat != without), reverse=True)
    return len(paid) > 1 and paid[0] == paid[1]


def _under_raise(rows: list[Row], rng: Random) -> list[Row] | None:
    """BET105: a raise that nobody called is smaller than the least one."""
    back = _of(rows, "chips_returned")
    if len(back) != 1 or _one_winner(rows) is None:
        return None
    made = _raises(rows)
    last = [i for i in made if rows[i]["seat"] == rows[back[0]]["seat"]]
    if not last or any(rows[i].get("amount", 0) for i in _of(rows, "player_acted") if i > last[-1]):
        return None
    raised_by, least = made[last[-1]]
    cut = raised_by - rng.randint(1, least - 1) if least > 1 else 0
    if cut <= 0:
        return None
    rows[last[-1]]["amount"] -= cut
    rows[back[0]]["amount"] -= cut
    return rows


def _raises(rows: list[Row]) -> dict[int, tuple[int, int]]:
    """Where a bet was raised: by how much, and by how much it had to be at least."""
    big = rows[_of(rows, "table_opened")[0]].get("stakes", {}).get("big_blind", 0)
    paid: defaultdict[int, int] = defaultdict(int)
    step, made = big, {}
    for i, row in enumerate(rows):
        if row["type"] == "board_dealt":
            paid.clear()
            step = big
        elif row["type"] in _BETS and row.get("kind") not in ("ante", "dead_blind"):
            high = max(paid.values(), default=0)
            paid[row["seat"]] += row.get("amount", 0)
            by = paid[row["seat"]] - high
            if row["type"] == "player_acted" and high and by > 0:
                made[i] = by, step
                step = max(step, by)
            elif row["type"] == "player_acted" and by > 0:
                step = max(step, by)
    return made


def _wrong_award(rows: list[Row], rng: Random) -> list[Row] | None:
    """POT101: an award is too small or too large."""
    award = rows[rng.choice(_of(rows, "pot_awarded") or [0])]
    if award["type"] != "pot_awarded" or award["amount"] < 2:
        return None
    by = rng.randint(1, award["amount"] - 1)
    award["amount"] += rng.choice((-by, by))
    return rows


def _other_totals(rows: list[Row], rng: Random) -> list[Row] | None:
    """POT109: the source says of one stack, or of the pot, something else than its events come to."""
    ended, started = _of(rows, "hand_ended"), rows[_of(rows, "hand_started")[0]]
    if not ended or any("stack" not in seat for seat in started["seats"]):
        return None
    net, left = _net(rows), {}
    for seat in started["seats"]:
        won = sum(rows[i]["amount"] for i in _of(rows, "pot_awarded") if rows[i]["seat"] == seat["seat"])
        left[seat["seat"]] = seat["stack"] - net[seat["seat"]] + won
    pot = sum(net.values())
    if rng.random() < 0.5:
        left[rng.choice(sorted(left))] += rng.randint(2, 500)
    else:
        pot += rng.randint(2, 500)
    stacks = [{"seat": seat, "stack": chips} for seat, chips in left.items()]
    rows[ended[0]]["reported"] = {"pot": pot, "stacks": stacks}
    return rows


# --- stud -----------------------------------------------------------------------------------------------------------


def _bring_in(rows: list[Row]) -> list[int]:
    """Where it is brought in; nowhere in the other games."""
    return [i for i in _of(rows, "forced_bet_posted") if rows[i]["kind"] == "bring_in"]


def _wrong_bring_in(rows: list[Row], rng: Random) -> list[Row] | None:
    """BTN106: the upcards of the seat that brings it in and of another one change places; neither shows its hand."""
    posts = _bring_in(rows)
    if not posts:
        return None
    seat = rows[posts[0]]["seat"]
    up = [i for i in _of(rows, "card_dealt") if i < posts[0] and rows[i].get("face") == "up"]
    own = [i for i in up if rows[i]["seat"] == seat]
    others = [i for i in up if rows[i]["seat"] not in _showing(rows) | {seat}]
    if len(own) != 1 or not others or seat in _showing(rows) or not all("card" in rows[i] for i in up):
        return None
    other = rng.choice(others)
    rows[own[0]]["card"], rows[other]["card"] = rows[other]["card"], rows[own[0]]["card"]
    return rows


def _upcards_picked_up(rows: list[Row], rng: Random) -> list[Row] | None:
    """HND103: a player who faces a bet picks the upcards up, and folds then."""
    if not _bring_in(rows):
        return None
    acts = _of(rows, "player_acted")
    opened = next((i for i in acts if rows[i]["action"] in ("complete", "bet")), len(rows))
    folds = [i for i in acts if i > opened and rows[i]["action"] == "fold"]
    if not folds:
        return None
    at = rng.choice(folds)
    manner = rng.choice(("picked_up_upcards", "turned_down_upcards", "mixed_cards"))
    rows.insert(at, _event(rows[at], type="cards_released", seat=rows[at]["seat"], manner=manner))
    return rows


# --- the feed -------------------------------------------------------------------------------------------------------


def _within(rows: list[Row]) -> range:
    """Places in the hand behind which it goes on."""
    return range(_of(rows, "hand_started")[0] + 1, len(rows) - 2)


def _gap(rows: list[Row], rng: Random) -> list[Row] | None:
    """FEED101: an event never arrives."""
    at = rng.choice(_within(rows))
    del rows[at]
    rows[at]["skip"] = 1
    return rows


def _conflict(rows: list[Row], rng: Random) -> list[Row] | None:
    """FEED102: two events under one number say different things."""
    at = rng.choice(_of(rows, "player_acted", "forced_bet_posted"))
    rows.insert(at + 1, {**rows[at], "amount": rows[at].get("amount", 0) + rng.randint(1, 1000), _TWIN: True})
    return rows


def _unknown_seat(rows: list[Row], rng: Random) -> list[Row] | None:
    """FEED107: an event of a seat that the table does not have."""
    seat = rows[0].get("max_seats", 10) + rng.randint(1, 5)
    at = rng.choice(_within(rows))
    kind = rng.choice(("cards_released", "clock_called"))
    rows.insert(at, _event(rows[at], type=kind, seat=seat))
    return rows


def _invalid(rows: list[Row], rng: Random) -> list[Row] | None:
    """FEED108: a line is cut off, and comes again whole."""
    at = rng.choice(_within(rows))
    rows.insert(at, {**rows[at], _BROKEN: True})
    return rows


INJECTORS: dict[str, Injector] = {
    "DCK101": _duplicate_card,
    "DCK113": _cross_read,
    "BRD101": _premature_board,
    "BRD102": _long_flop,
    "BRD103": _long_street,
    "BET101": _out_of_turn,
    "BET102": _without_cards,
    "BET103": _check_facing_bet,
    "BET104": _under_call,
    "BET105": _under_raise,
    "POT101": _wrong_award,
    "POT109": _other_totals,
    "BTN106": _wrong_bring_in,
    "HND103": _upcards_picked_up,
    "FEED101": _gap,
    "FEED102": _conflict,
    "FEED107": _unknown_seat,
    "FEED108": _invalid,
}

#: Those for which it is all one that the hand is stud, and those that are of stud alone.
STUD = frozenset({"BTN106", "HND103", "DCK101", "POT101", "POT109", "FEED101", "FEED102", "FEED107", "FEED108"})
