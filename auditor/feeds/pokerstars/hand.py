"""A hand's lines in order: its first line, its seats, what was done, and the summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from auditor.feeds.pokerstars.amounts import AMOUNT, Money
from auditor.feeds.pokerstars.header import Header, header_of
from auditor.feeds.pokerstars.lines import Line, Reader
from auditor.feeds.pokerstars.summary import Summary, summary_of
from auditor.feeds.telling import BrokenHandError

#: Players that a table of the contract can seat.
MOST_PLAYERS = 100

_TABLE = re.compile(
    r"Table (?:ID )?'(?P<name>.*)'(?: ?\(\d+\))?(?: (?P<seats>\d{1,3})-max)?(?: \((?:Play|Real) Money\))?"
    r"(?:\s*Seat #(?P<button>\d{1,3}) is the button)?.*",
    re.IGNORECASE,
)
_SEAT = re.compile(rf"Seat (\d{{1,3}}): (.+) \({AMOUNT} in chips(?:, ?[^()]*)?\)(?P<state>.*)", re.IGNORECASE)
_AWAY = re.compile(r" ?(?:is sitting out|out of hand.*)")
# In a stack or a bet: what a tournament pays has decimals too, and its chips have none.
_DECIMALS = re.compile(r"(?:\([^\d()]{0,4}|: (?:posts|bets|calls|raises)\b[^\[\]]*?)[\d,]*(?:\.\d|\d,\d{1,2}(?!\d))")
_SUMMARY = "*** SUMMARY ***"
#: Lines that end in an amount, or in cards, may have lost the end of it where a hand breaks off.
_MAY_BE_CUT = re.compile(r"[\d.,$€£]$|\[[^\]]*$")


@dataclass(frozen=True, slots=True)
class Player:
    seat: int
    name: str
    stack: int
    away: bool  # marked as sitting out, or as not in this hand


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as its file tells it, amounts in chips."""

    header: Header
    table: str
    max_seats: int
    button: int | None
    players: tuple[Player, ...]  # by seat; none where the hand breaks off before them
    lines: tuple[Line, ...]
    summary: Summary | None  # None where the hand breaks off before it
    #: The room lost track of the cards of the player whose view this is: an error of its programs, some time in 2012.
    cards_garbled: bool


def hand_of(text: Sequence[str]) -> Hand:
    """The hand that these lines tell. Raises `BrokenHandError` where they make no sense."""
    header = _header(text)
    table, seats, button = _table(text)
    players, begins = _players(text, header.money)
    ends = next((place for place, line in enumerate(text) if line == _SUMMARY), len(text))
    summary = None
    if ends < len(text):
        names = {player.seat: player.name for player in players}
        summary = summary_of(text[ends + 1 :], ends + 2, names, header.money)
    return Hand(
        header=header,
        table=table,
        max_seats=max([seats or 10, 2, *(player.seat for player in players)]),
        button=button,
        players=players,
        lines=_lines(text, begins, ends, Reader({each.name: each.seat for each in players}, header.money)),
        summary=summary,
        cards_garbled=any(line.endswith(" []") and ": discards " in line for line in text),
    )


def _header(text: Sequence[str]) -> Header:
    decimals = any(_has_decimals(line) for line in text[1:])
    try:
        return header_of(text[0], decimals=decimals)
    except BrokenHandError as broken:
        if len(text) == 1:
            raise BrokenHandError(f"the hand breaks off in its first line: {broken}") from None
        raise


def _has_decimals(line: str) -> bool:
    return ("." in line or "," in line) and ' said, "' not in line and _DECIMALS.search(line) is not None


def _table(text: Sequence[str]) -> tuple[str, int, int | None]:
    """The name of the table, how many it seats, and the button's seat."""
    for number, line in enumerate(text[1:4], 2):
        if line.startswith("Table "):
            found = _TABLE.fullmatch(line)
            if found is None and number == len(text):
                return "", 0, None
            if found is None:
                raise BrokenHandError("the line of the table makes no sense", number)
            seats = int(found["seats"] or 0)
            if seats > MOST_PLAYERS:
                raise BrokenHandError(f"a table of {seats} seats", number)
            return found["name"], seats, int(found["button"]) if found["button"] else None
    if len(text) <= 2:
        return "", 0, None
    raise BrokenHandError("the line of the table is missing", 2)


def _players(text: Sequence[str], money: Money) -> tuple[tuple[Player, ...], int]:
    """Who is at the table, and the place of the first line below."""
    players: dict[int, Player] = {}
    below = 2
    for place, line in enumerate(text[1:], 1):
        if line.startswith("*** "):
            break
        found = _SEAT.fullmatch(line) if line.startswith("Seat ") else None
        if found is None and players:
            break
        if found is None:
            continue
        seat, name = int(found[1]), found[2]
        if seat in players:
            raise BrokenHandError(f"seat {seat} is there twice", place + 1)
        if any(player.name == name for player in players.values()):
            raise BrokenHandError(f"two players have the name {name[:40]!r}", place + 1)
        if seat > MOST_PLAYERS:
            raise BrokenHandError(f"seat {seat}: a table has {MOST_PLAYERS} at most", place + 1)
        away = _AWAY.fullmatch(found["state"]) is not None
        players[seat] = Player(seat, name, money.chips(found[3]), away)
        below = place + 1
    if not players and len(text) > below + 1:
        raise BrokenHandError("nobody has a seat")
    return tuple(players[seat] for seat in sorted(players)), below


def _lines(text: Sequence[str], begins: int, ends: int, reader: Reader) -> tuple[Line, ...]:
    """What was done, from the first line below the seats. A hand that breaks off may do so within its last line."""
    told: list[Line] = []
    for place in range(begins, ends):
        line = text[place]
        cut = ends == len(text) and place == ends - 1
        if cut and _MAY_BE_CUT.search(line):
            break
        try:
            said = reader.line(line, place + 1)
        except BrokenHandError:
            if cut:
                break
            raise
        if cut and said.verb in ("flop", "turn", "river") and not said.cards:
            break
        if said.verb != "talk":
            told.append(said)
    return tuple(told)
