"""What stands above the cards: which hand of which game, when, and who sits where with how many chips."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

from auditor.events import Betting, GameName
from auditor.feeds.bovada.cut import HEADER, ROOMS, HandText
from auditor.feeds.bovada.lines import Line, line_of, summary_line_of
from auditor.feeds.chips import chips
from auditor.feeds.telling import BrokenHandError

#: Seats that a table of the contract can have.
MOST_SEATS = 100

_FIRST = re.compile(
    rf"(?P<room>{ROOMS})(?: Casino| Poker)? Hand #(?P<id>[A-Za-z0-9-]{{1,64}}):?\s+(?P<what>.*?)\s*-\s+"
    r"(?P<date>\d{4}-\d\d-\d\d)[ -]+(?P<time>\d{1,2}:\d\d:\d\d)(?: UTC)?\s*"
)
_GAME = re.compile(r"\b(?P<game>HOLDEM|OMAHA|7CARD)(?P<hilo>[ _](?:HiLo|HL))?(?:ZonePoker)?\b", re.IGNORECASE)
_LEVEL = re.compile(r"Level \S+ ?\([$€£]?(?P<small>[\d,.]+)/[$€£]?(?P<big>[\d,.]+)\)")
_SEAT = re.compile(
    r"Seat (?P<seat>\d{1,6}): ?(?P<label>[A-Za-z][A-Za-z0-9+ ]{0,30}?)\s*(?P<me>\[ME\])?\s*"
    r"\((?P<sign>[$€£]?)(?P<stack>\d[\d,]*(?:\.\d+)?) in chips\)\s*"
)
_STUD_SEAT = re.compile(
    r"(?P<label>Seat\+(?P<seat>\d{1,6}))\s*(?P<me>\[ME\])?: (?P<sign>[$€£]?)(?P<stack>\d[\d,]*(?:\.\d+)?) in chips\s*"
)
_PLAYERS = re.compile(r"Seat ?(\d+): (P\d+-[0-9a-f]{8,64})")

_GAMES: Mapping[tuple[str, bool], GameName] = {
    ("HOLDEM", False): "holdem",
    ("OMAHA", False): "omaha",
    ("OMAHA", True): "omaha_hilo",
    ("7CARD", False): "stud",
    ("7CARD", True): "stud_hilo",
}
_LIMITS: tuple[tuple[str, Betting], ...] = (
    ("No Limit", "no_limit"), ("Pot Limit", "pot_limit"), ("Fixed Limit", "limit"),
)  # fmt: skip
#: How a game is played where the header does not say: tournaments name their speed in that place.
_USUAL: Mapping[str, Betting] = {"HOLDEM": "no_limit", "OMAHA": "pot_limit", "7CARD": "limit"}
_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "": None}


class Seat(NamedTuple):
    seat: int
    label: str
    player: str | None
    stack: int


@dataclass(frozen=True, slots=True)
class Head:
    """A hand's beginning, in chips."""

    hand_id: str
    at: datetime
    game: GameName
    betting: Betting
    location: str
    level: tuple[int, int] | None  # the blinds that a tournament's level is said to have
    currency: str | None
    scale: int
    seats: tuple[Seat, ...]
    max_seats: int
    button: int | None  # the seat that the hand says has the button

    def chips(self, text: str) -> int:
        """An amount as it is written, in whole chips. Raises `BrokenHandError` where there are none such."""
        return chips(text, self.scale)


def head_of(hand: HandText) -> tuple[Head, list[Line]] | None:
    """The hand's beginning, and the lines below it; None for one that breaks off before anything happened.

    Raises `BrokenHandError` where it is no hand of this format, or not understood.
    """
    if hand.broken is not None:
        raise BrokenHandError(hand.broken)
    text = hand.text.decode("utf-8", "replace").replace("\ufeff", "").splitlines()
    if not HEADER.match(hand.text):
        raise BrokenHandError(f"not a hand of this format: {text[0][:80]!r}")
    whole = any(line.startswith("*** SUMMARY") for line in text)
    if not whole:
        text.pop()  # the line that the hand breaks off in
    found = _find_seats(text)
    if not whole and len(found) < 2:
        return None
    labels = [seat["label"] for seat in found.values()]
    if not 2 <= len(labels) <= MOST_SEATS:
        raise BrokenHandError(f"{len(labels)} seats: a hand has 2 to {MOST_SEATS}")
    if len(set(labels)) < len(labels):
        raise BrokenHandError("two seats of one name")
    lines = _lines(text, found)
    return _head(text, found, lines), lines


def _head(text: Sequence[str], found: Mapping[int, re.Match[str]], lines: Sequence[Line]) -> Head:
    first = _FIRST.fullmatch(text[0].strip())
    if first is None:
        raise BrokenHandError(f"not a hand of this format: {text[0][:80]!r}")
    what = first["what"]
    game = _GAME.search(what)
    name = game["game"].upper() if game else ""
    kind = _GAMES.get((name, game is not None and game["hilo"] is not None))
    if kind is None:
        raise BrokenHandError(f"no game of the event contract: {what[:80]!r}")
    sign = next(iter(found.values()))["sign"]
    scale = 2 if sign or any("." in each["stack"] for each in found.values()) else 0
    seats = _seats(found, text, scale)
    renumbered = any(seat.seat != int(each["seat"]) for seat, each in zip(seats, found.values(), strict=True))
    level = _LEVEL.search(what)
    return Head(
        hand_id=first["id"],
        at=_at(first),
        game=kind,
        betting=next((betting for words, betting in _LIMITS if words in what), _USUAL[name]),
        location=f"{first['room']} · {_table(what)}",
        level=(chips(level["small"], scale), chips(level["big"], scale)) if level else None,
        currency=_CURRENCIES[sign],
        scale=scale,
        seats=seats,
        max_seats=max(9, len(seats), *(seat.seat for seat in seats)),
        button=_button(seats, lines, renumbered=renumbered),
    )


def _at(first: re.Match[str]) -> datetime:
    # No export but the newest says its time zone, and that one says UTC.
    try:
        return datetime.strptime(f"{first['date']} {first['time']}", "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        raise BrokenHandError(f"no date: {first['date']} {first['time']}") from None


def _table(what: str) -> str:
    tournament = re.search(r"Tournament #(\S+)", what)
    table = re.search(r"TBL#([^\s,]+)", what)
    zone = re.search(r"Zone Poker ID#(\S+)", what)
    parts = [
        f"tournament {tournament[1]}" if tournament else "",
        f"Zone Poker {zone[1]}" if zone else "",
        f"table {table[1]}" if table else "",
    ]
    return ", ".join(filter(None, parts)) or "table unknown"


def _find_seats(text: Sequence[str]) -> dict[int, re.Match[str]]:
    """The lines that name the seats, by their place in the text."""
    found = {}
    for place, line in enumerate(text):
        if line.startswith("*** "):
            break
        if seat := _SEAT.fullmatch(line.strip()) or _STUD_SEAT.fullmatch(line.strip()):
            found[place] = seat
    return found


def _seats(found: Mapping[int, re.Match[str]], text: Sequence[str], scale: int) -> tuple[Seat, ...]:
    """The seats as they are printed, which is clockwise.

    Tournaments of late number their seats through the field, not round the table: those are numbered anew.
    """
    numbers = [int(each["seat"]) for each in found.values()]
    clockwise = all(here < after for here, after in pairwise(numbers))
    if not clockwise or not numbers[0] >= 1 or numbers[-1] > MOST_SEATS:
        numbers = list(range(1, len(numbers) + 1))
    known = {
        seat: player for line in text if line.startswith("Player Info:") for seat, player in _PLAYERS.findall(line)
    }
    return tuple(
        Seat(number, each["label"], "ME" if each["me"] else known.get(each["seat"]), chips(each["stack"], scale))
        for number, each in zip(numbers, found.values(), strict=True)
    )


def _button(seats: Sequence[Seat], lines: Sequence[Line], *, renumbered: bool) -> int | None:
    """The seat called Dealer. Where there is none the button is dead, and may be on an empty seat.

    The number behind `Set dealer` is a seat in some exports, a place in the order of the seats in others.
    """
    named = next((seat.seat for seat in seats if seat.label == "Dealer"), None)
    if named is not None or renumbered:
        return named
    number = next((line.amount for line in lines if line.verb == "dealer" and line.amount), "")
    empty = number.isdigit() and 1 <= int(number) <= MOST_SEATS and all(seat.seat != int(number) for seat in seats)
    return int(number) if empty else None


def _lines(text: Sequence[str], found: Mapping[int, re.Match[str]]) -> list[Line]:
    labels = {seat["label"] for seat in found.values()}
    lines: list[Line] = []
    summary = False
    for place, raw in enumerate(text[1:], 1):
        if place in found or not raw.strip():
            continue
        if summary and raw.startswith("***"):
            raise BrokenHandError("two hands in one", place + 1)
        try:
            read = summary_line_of(place + 1, raw.strip()) if summary else line_of(place + 1, raw.strip(), labels)
        except BrokenHandError as broken:
            raise BrokenHandError(str(broken), place + 1) from None
        if read is None:
            continue
        summary = summary or read.verb == "summary"
        lines.append(read)
    return lines
