"""The lines of a hand, each taken apart: who, what, chips and cards."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from auditor.feeds.telling import BrokenHandError


class Line(NamedTuple):
    """One line that says something of the hand."""

    number: int  # in the hand's text, from 1
    verb: str
    who: str = ""  # the seat's label; empty where the line names nobody
    amount: str = ""  # as written
    to: str = ""  # the street's total that a raise says, as written; of the summary, the rest of the line
    cards: tuple[str, ...] = ()


_AMOUNT = r"[$€£]?(?P<amount>\d[\d,]{0,20}(?:\.\d{1,6})?|\.\d{1,6})"
_TO = r"(?: to [$€£]?(?P<to>\d[\d,]{0,20}(?:\.\d{1,6})?|\.\d{1,6}))?"
_WHY = r"(?: ?\([^)]*\))?(?: chip info)?"  # a player who was away: "Folds(timeout)"
_CARDS = r"\[(?P<cards>[^\]]*)\]"

# What a player does, in the words of twelve years of exports.
_DEEDS = tuple(
    (verb, re.compile(rf"{pattern}\s*", re.IGNORECASE))
    for verb, pattern in (
        ("fold", rf"Folds?{_WHY}(?: ?& shows {_CARDS})?"),
        ("check", rf"Checks?{_WHY}"),
        ("call", rf"Calls?{_WHY} {_AMOUNT}"),
        ("bet", rf"(?:D |Double )?Bets?{_WHY} {_AMOUNT}"),
        ("raise", rf"Raises?{_WHY} {_AMOUNT}{_TO}"),
        ("all_in", rf"All-in{_WHY} {_AMOUNT}{_TO}"),
        ("small_blind", rf"(?:Ante/)?Small Blind{_WHY} {_AMOUNT}"),
        ("big_blind", rf"Big Blind(?:/Bring in)?{_WHY} {_AMOUNT}"),
        ("bring_in", rf"Bring[_ ]in(?: chip)?{_WHY} {_AMOUNT}"),
        ("ante", rf"Ante chip{_WHY} {_AMOUNT}"),
        ("post", rf"Posts?(?: dead)? chip{_WHY} {_AMOUNT}"),
        ("deal", rf"Card dealt to a spot {_CARDS}"),
        ("return", rf"Return uncalled (?:portion of bet|blind) {_AMOUNT}"),
        ("result", rf"Hand result(?:-Side pot)? {_AMOUNT}"),
        ("show_one", rf"Does not show {_CARDS.replace('cards', 'held')} Show\d {_CARDS}{_WHY}"),
        ("hide", rf"Does not show(?: {_CARDS})?{_WHY}"),
        ("show", rf"(?:Showdown|Shows)(?: {_CARDS})?{_WHY}"),
        ("muck", rf"Mucks?(?: {_CARDS})?{_WHY}"),
        ("dealer", r"Set dealer(?:/Bring in spot)?(?: \[(?P<amount>\d+)\])?"),
    )
)

# Talk of the table and of the tournament: chips that are no part of the hand, and cards drawn for the button, which
# are of another shuffle.
_TALK = re.compile(
    r"(?:Table (?:deposit|info|enter|leave)|Player Info|Seating Info|Rebuy ?in|Re-?buy|Add-?on|Ranking|Prize|"
    r"BOUNTY|Draw for dealer|Enter|Leave|Sit ?out|Seat (?:sit|stand|re-?join|join)|Stand|Re-join)\b.*",
    re.IGNORECASE,
)
# A line that could carry chips or cards, or tell an action, must be understood.
_WEIGHTY = re.compile(
    r"[\d$€£\[\]]|^(?:fold|check|call|bet|raise|all.?in|muck|show|post|ante|return|hand)", re.IGNORECASE
)

_MARKER = re.compile(r"\*\*\* ?(?P<name>[A-Z0-9 ]+?) ?\*\*\*\s*(?P<boards>(?:\[[^\]]*\]\s*)*)", re.IGNORECASE)
_TO_THE_TABLE = re.compile(rf"Card (?:dealt )?to (?:the )?table\s*{_CARDS}\s*", re.IGNORECASE)
_ACTOR = re.compile(r"(?P<who>[A-Za-z][A-Za-z0-9+ ]{0,30}?)\s*(?:\[ME\])?\s*:\s*(?P<deed>.*)")
_CARD = re.compile(r"(?:10|[2-9TJQKA])[cdhs]")

_TOTAL = re.compile(rf"Total Pot\({_AMOUNT}\)(?: \| Rake ?\([$€£]?(?P<to>[\d,.]+)\))?\s*", re.IGNORECASE)
_BOARD = re.compile(rf"Board {_CARDS}\s*", re.IGNORECASE)
_SEAT_WON = re.compile(r"Seat[+ ](?P<seat>\d+):\s*(?P<rest>.*)", re.IGNORECASE)


def cards_in(text: str) -> tuple[str, ...]:
    """The cards of a list in brackets. Raises `BrokenHandError` where there is anything else in it."""
    words = text.split()
    if not all(map(_CARD.fullmatch, words)):
        raise BrokenHandError(f"not understood: [{text[:40]}] are no cards")
    return tuple(word.replace("10", "T") for word in words)


def line_of(number: int, text: str, labels: Collection[str]) -> Line | None:
    """What a line above the summary says; None for talk. Raises `BrokenHandError` where it is not understood."""
    if marker := _MARKER.fullmatch(text):
        return _marked(number, marker)
    if dealt := _TO_THE_TABLE.fullmatch(text):
        return Line(number, "board", cards=cards_in(dealt["cards"]))
    actor = _ACTOR.fullmatch(text)
    who, deed = (actor["who"], actor["deed"]) if actor else ("", text)
    if _TALK.fullmatch(deed if actor else text) or _TALK.fullmatch(text):
        return None
    for verb, pattern in _DEEDS:
        if (done := pattern.fullmatch(deed)) and (who in labels or verb == "dealer"):
            parts = done.groupdict()
            cards = cards_in(parts.get("cards") or "") if verb in ("deal", "show_one") else ()
            dead = "dead_post" if verb == "post" and "dead" in deed.lower() else verb
            return Line(number, dead, who, parts.get("amount") or "", parts.get("to") or "", cards)
    if _WEIGHTY.search(deed):
        raise BrokenHandError(f"not understood: {text[:80]!r}")
    return None


def _marked(number: int, marker: re.Match[str]) -> Line:
    name = marker["name"].upper()
    if name == "SUMMARY":
        return Line(number, "summary")
    boards = re.findall(r"\[([^\]]*)\]", marker["boards"])
    return Line(number, "board" if boards else "street", cards=cards_in(boards[-1]) if boards else ())


def summary_line_of(number: int, text: str) -> Line | None:
    """What a line of the summary says: the pot, the board, or what a seat won of which half; None for the rest."""
    if total := _TOTAL.fullmatch(text):
        return Line(number, "total", amount=total["amount"], to=total["to"] or "")
    if board := _BOARD.fullmatch(text):
        return Line(number, "whole_board", cards=cards_in(board["cards"]))
    if won := _SEAT_WON.fullmatch(text):
        return Line(number, "seat", who=f"Seat+{won['seat']}", to=won["rest"])
    return None
