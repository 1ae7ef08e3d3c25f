"""The entries of a log, each taken apart: who, what, chips and cards.

Players are quoted, `"Ada @ x1"`; a name may hold anything, quotes and the word "all in" too, so a line is read from its
end.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from auditor.feeds.telling import BrokenHandError


class Entry(NamedTuple):
    """What one row says."""

    kind: str
    who: str = ""  # as written, without the quotes
    amount: str = ""  # as written
    to: str = ""  # a second amount, or a second player
    cards: tuple[str, ...] = ()
    board: int = 1
    all_in: bool = False


class Seated(NamedTuple):
    """A player of the line that says who is in a hand, and with how many chips."""

    seat: int
    who: str
    stack: str


_P = r'(?:"(?P<who>.+)"|(?P<bare>[^"]+))'
_N = r"(?P<amount>\d[\d,]{0,20}(?:\.\d{1,6})?)"
_M = r"(?P<to>\d[\d,]{0,20}(?:\.\d{1,6})?)"
_ALL_IN = r"(?P<all_in> and go(?:es)? all in)?"
_RUN = r"(?: \((?P<run>\w+) (?:run|board)\))?"

# In the order in which they are tried. A name is as long as it can be: what follows it is the log's own.
_ENTRIES = tuple(
    (kind, re.compile(pattern + r"\s*", re.DOTALL))
    for kind, pattern in (
        ("fold", rf"{_P} folds"),
        ("check", rf"{_P} checks"),
        ("bomb", rf"{_P} (?:posts a bet of|calls|bets) {_N}{_ALL_IN} \(bomb pot bet\)(?: and go all in)?"),
        ("bomb", rf"{_P} posts {_N} for the bomb pot"),
        ("call", rf"{_P} calls {_N}{_ALL_IN}"),
        ("bet", rf"{_P} bets {_N}{_ALL_IN}"),
        ("raise", rf"{_P} raises to {_N}{_ALL_IN}"),
        ("small_blind", rf"{_P} posts a small blind of {_N}{_ALL_IN}"),
        ("big_blind", rf"{_P} posts a big blind of {_N}{_ALL_IN}"),
        ("missed_small", rf"{_P} posts a (?:missing|missed|dead) small blind of {_N}{_ALL_IN}"),
        ("missed_big", rf"{_P} posts a (?:missing|missed) big blind of {_N}{_ALL_IN}"),
        ("dead", rf"{_P} posts a dead big blind of {_N}{_ALL_IN}"),
        ("straddle", rf"{_P} posts a straddle of {_N}{_ALL_IN}"),
        ("ante", rf"{_P} posts an? (?:big blind )?ante of {_N}{_ALL_IN}"),
        ("uncalled", rf"Uncalled bet of {_N} returned to {_P}\.?"),
        ("bounty_paid", rf'{_P} paid {_N} for the .{{1,40}}? bounty to "(?P<to>.+)"\.?'),
        ("bounty", rf"{_P} collected {_N} from the .{{1,40}} bounty\.?"),
        ("collect", rf"{_P} collected {_N} from pot(?: with (?P<rank>.*))?\.?"),
        ("show", rf"{_P} shows (?:a |an )?(?P<cards>[^\"]*?)\.?"),
        ("twice", rf"{_P} chooses to\s+(?:not )?run it twice\.?"),
        ("join", rf"The player {_P} (?:joined|created) the game with a stack of {_N}\.?"),
        ("quit", rf"The player {_P} quits the game with a stack of {_N}\.?"),
        ("stand", rf"The player {_P} stands? up with the stack of {_N}\.?"),
        ("sit", rf"The player {_P} sits? back with the stack of {_N}\.?"),
        ("rebuy", rf"The player {_P} rebought\. New stack {_N}\.?"),
        ("update", rf"The admin updated the player {_P} stack from {_N} to {_M}\.?"),
        ("id", rf"The player {_P} changed the ID from (?P<amount>\S+) to (?P<to>\S+) because .*"),
        ("stop", r"The admin .* enqueued the game stop on next hand\.?"),
        ("small", rf"The game's small blind was changed from {_N} to {_M}\.?"),
        ("big", rf"The game's big blind was changed from {_N} to {_M}\.?"),
    )
)

# What moves no chips by itself: what is asked for and what is announced is told again when it is done.
_TALK = re.compile(
    r"The player .* requested a (?:seat|rebuy of [\d,.]+)\.?|The player .* canceled the (?:seat|rebuy) request\.?|"
    r"The player .* passed the room ownership to .*|The player .* (?:is|was|has|changed|became|left|entered) .*|"
    r"The admin approved the player .* participation with a stack of [\d,.]+\.?|"
    r"The admin .* (?:canceled the game stop|enqueued the removal|rejected the|forced the player|approved the) .*|"
    r"WARNING: .*|IMPORTANT: .*|The game's (?:ante|.*) was changed from [\d,.]+ to [\d,.]+\.?|Game Config Changes.*|"
    r"(?:All|Some|Remaining) players .* run it twice\.?|Asking to busted players .*|Waiting for the game owner .*|"
    r"Dead (?:Small|Big) Blind|Your hand is .*",
    re.DOTALL,
)
_STARTING = re.compile(
    r"-- starting hand #(?P<number>\d{1,12})(?: \(id: (?P<id>[^)]{1,64})\))?\s+(?P<game>.*?)\s*"
    r'\((?:dealer: "?(?P<dealer>.+?)"?|dead button)\) --\s*'
)
_ENDING = re.compile(r"-- ending hand #(?P<number>\d{1,12}) --\s*")
_STACKS = re.compile(r"Player stacks: (?P<seats>.*)")
_SEAT = re.compile(r'#(?P<seat>\d{1,3}) "?(?P<who>.+?)"? \((?P<stack>\d[\d,]*(?:\.\d+)?)\)(?:\s*\|\s*(?=#)|\s*$)')
_BOARD = re.compile(rf"(?P<street>Flop|Turn|River){_RUN}:\s*(?P<lying>[^\[]*)\[(?P<cards>[^\]]*)\]\s*", re.IGNORECASE)
_UNDEALT = re.compile(r"Undealt cards(?: \((?P<run>\w+) (?:run|board)\))?:\s*(?P<lying>[^\[]*)\[(?P<cards>[^\]]*)\]\s*")
_ON_BOARD = re.compile(r"on the (?P<run>second|third|fourth) (?:board|run)\b")
_CARD = re.compile(r"(?P<rank>10|[2-9TJQKA])(?P<suit>[♠♥♦♣shdcSHDC])\ufe0f?")

_SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_RUNS = {"first": 1, "second": 2, "third": 3, "fourth": 4}


def cards_in(text: str) -> tuple[str, ...]:
    """The cards of a list: A♠, 10h. Raises `BrokenHandError` where there is anything else in it."""
    words = [word for word in re.split(r"[,\s]+", text.strip()) if word]
    found = [_CARD.fullmatch(word) for word in words]
    cards = [
        f"{each['rank'].replace('10', 'T')}{_SUITS.get(each['suit'], each['suit'].lower())}" for each in found if each
    ]
    if len(cards) < len(words) or not cards:
        raise BrokenHandError(f"not understood: {text[:60]!r} are no cards")
    return tuple(cards)


def entry_of(text: str) -> Entry | None:
    """What an entry says; None for talk. Raises `BrokenHandError` where it is not understood."""
    if starting := _STARTING.fullmatch(text):
        number, game = starting["number"], starting["game"].strip("() ")
        return Entry("start", starting["dealer"] or "", number, game)
    if ending := _ENDING.fullmatch(text):
        return Entry("end", amount=ending["number"])
    if stacks := _STACKS.fullmatch(text):
        return Entry("stacks", to=stacks["seats"])
    if board := _BOARD.fullmatch(text):
        return Entry("board", board["street"].lower(), cards=cards_in(board["cards"]), board=_run(board["run"]))
    if undealt := _UNDEALT.fullmatch(text):
        return Entry("undealt", cards=cards_in(undealt["cards"]), board=_run(undealt["run"]))
    for kind, pattern in _ENTRIES:
        if found := pattern.fullmatch(text):
            return _entry(kind, found)
    if _TALK.fullmatch(text):
        return None
    raise BrokenHandError(f"not understood: {text[:80]!r}")


def seats_in(text: str) -> list[Seated]:
    """The players of the line that tells the stacks. Raises `BrokenHandError` where it is not understood."""
    seats = []
    place = 0
    while place < len(text):
        found = _SEAT.match(text, place)
        if found is None:
            raise BrokenHandError(f"not understood: {text[place : place + 80]!r}")
        seats.append(Seated(int(found["seat"]), found["who"], found["stack"]))
        place = found.end()
    return seats


def _entry(kind: str, found: re.Match[str]) -> Entry:
    parts = found.groupdict()
    cards = cards_in(parts["cards"]) if kind == "show" else ()
    on = _ON_BOARD.search(parts.get("rank") or "")
    return Entry(
        kind,
        parts.get("who") or parts.get("bare") or "",
        parts.get("amount") or "",
        parts.get("to") or "",
        cards,
        _run(on["run"]) if on else 1,
        "go all in" in found[0][-40:] if kind == "bomb" else bool(parts.get("all_in")),
    )


def _run(word: str | None) -> int:
    return _RUNS.get(word.lower(), 2) if word else 1
