"""What a hand's summary says: the pot and what was taken out of it, who won what, and cards seen by the room alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.feeds.pokerstars.amounts import AMOUNT, Money
from auditor.feeds.pokerstars.lines import cards_of
from auditor.feeds.telling import BrokenHandError

_BOARD = re.compile(r"(?:(?P<nth>FIRST|SECOND|THIRD) )?Board:? ?\[([^\[\]]*)\]", re.IGNORECASE)
_TOTAL = re.compile(rf"Total pot:? {AMOUNT}(.*)", re.IGNORECASE)
_TAKEN = re.compile(
    rf"\b(?P<kind>Rake|Jackpot|JP Fee|Bad Beat \w*|Bingo|Fortune|Tax|(?:\w+ )?Fee|Drop) {AMOUNT}", re.IGNORECASE
)
_SEAT = re.compile(r"Seat (\d{1,3}): (.*)")
_PLACE = re.compile(r"\((button|small blind|big blind|button blind|small blind/button)\) ?")
_WON = re.compile(rf"\b(?:collected|won) (?:\({AMOUNT}\)|{AMOUNT}(?=$| (?:with|and|net)))")
_SEEN = re.compile(r"(?:mucked|showed|shows) \[([^\[\]]*)\]")
_NOT_AWARDED = "pot not awarded"


@dataclass(slots=True)
class SeatSummary:
    """What the summary says of one seat."""

    places: tuple[str, ...]  # "button", "small blind" …
    won: int | None  # chips, of all pots and boards; None where no amount is told
    cards: tuple[str, ...]  # shown, or seen by the room when they were mucked
    not_awarded: bool  # the winner had cashed out: the house keeps the pot
    last: bool  # of the hand's lines: its end may be missing


@dataclass(slots=True)
class Summary:
    pot: int | None = None  # the total as printed
    rake: int = 0
    jackpot: int = 0
    fees: int = 0
    #: Something stands below the total: it is not cut off.
    whole: bool = False
    seats: dict[int, SeatSummary] = field(default_factory=dict)
    boards: list[tuple[str, ...]] = field(default_factory=list)  # in the order in which they were run

    @property
    def taken(self) -> int:
        return self.rake + self.jackpot + self.fees

    def seat_at(self, place: str) -> int | None:
        """The seat that is marked as the big blind, say."""
        return next((seat for seat, each in self.seats.items() if place in each.places), None)


def summary_of(lines: Sequence[str], first: int, names: dict[int, str], money: Money) -> Summary:
    """The summary in a hand's lines, of which `first` is the number of the first.

    A line that is the last of the text may be cut off: what it says is taken if it makes sense.
    Raises `BrokenHandError` where another one does not.
    """
    told = Summary()
    for number, line in enumerate(lines, first):
        last = number == first + len(lines) - 1
        try:
            if total := _TOTAL.fullmatch(line):
                told.pot = money.chips(total[1])
                _take(told, total[2], money)
                told.whole = not last
            elif board := _BOARD.fullmatch(line):
                told.boards.append(cards_of(board[2]))
            elif seat := _SEAT.match(line):
                each = _seat(seat[2], names.get(int(seat[1])), money, last=last)
                if each is not None:
                    told.seats[int(seat[1])] = each
        except BrokenHandError as broken:
            if not last:
                raise BrokenHandError(str(broken), number) from None
    return told


def _take(told: Summary, text: str, money: Money) -> None:
    for taken in _TAKEN.finditer(text):
        chips = money.chips(taken[2])
        match taken["kind"].lower().split()[0]:
            case "rake" | "drop":
                told.rake += chips
            case "jackpot" | "jp" | "bad":
                told.jackpot += chips
            case _:
                told.fees += chips


def _seat(text: str, name: str | None, money: Money, *, last: bool) -> SeatSummary | None:
    """What a line says of a player; None for one who is not in the hand, or has come to the table since."""
    if name is None or not (text + " ").startswith(name + " "):
        return None
    text = text[len(name) :].lstrip()
    places = tuple(_PLACE.findall(text))
    text = _PLACE.sub("", text)
    if not text or text.startswith("is sitting out"):
        return None
    seen = _SEEN.search(text) if "[" in text else None
    told_won = _WON.findall(text) if "won" in text or "collected" in text else ()
    won = [money.chips(amount or other) for amount, other in told_won]
    return SeatSummary(
        places=tuple(part for place in places for part in place.split("/")),
        won=sum(won) if won else None,
        cards=cards_of(seen[1]) if seen else (),
        not_awarded=_NOT_AWARDED in text,
        last=last,
    )
