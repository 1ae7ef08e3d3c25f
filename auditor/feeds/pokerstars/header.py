"""The first line of a hand: the room, the number, the game, the stakes and the time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from auditor.events import Betting, GameName
from auditor.feeds.pokerstars.amounts import AMOUNT, Money
from auditor.feeds.telling import BrokenHandError

_FIRST_LINE = re.compile(
    r"(?P<room>PokerStars|Full Tilt|Run It Once Poker|PokerMaster|PokerBros|MPLPoker|SupremaPoker|Hive Poker|Poker)"
    r"(?: [A-Z]{1,10}){1,4} ?#(?P<id>[A-Z]{0,4}\d{1,60}):\s*(?P<rest>.*)",
    re.IGNORECASE,
)

_GAMES: Mapping[str, GameName] = {
    "hold'em": "holdem",
    "holdem": "holdem",
    "6+ hold'em": "short_deck",
    "shortdeck": "short_deck",
    "omaha": "omaha",
    "omaha hi/lo": "omaha_hilo",
    "5 card omaha": "omaha5",
    "omaha 5 cards": "omaha5",
    "5 card omaha hi/lo": "omaha5_hilo",
    "6 card omaha": "omaha6",
    "omaha 6 cards": "omaha6",
    "plo": "omaha",
    "plo-5": "omaha5",
    "plo-6": "omaha6",
    "7 card stud": "stud",
    "7 card stud hi/lo": "stud_hilo",
    "razz": "razz",
    "5 card draw": "draw_high",
    "single draw 2-7 lowball": "lowball_27",
    "triple draw 2-7 lowball": "triple_draw_27",
    "badugi": "badugi",
}
#: Games of the room that the contract does not have; a word before a game's name changes its rules.
_OTHERS = ("6 card omaha hi/lo", "courchevel", "courchevel hi/lo", "fusion")
_TWISTS = ("split", "tempest", "swap", "showtime", "unfold", "deep water")

_LIMITS: Mapping[str, Betting] = {
    "no limit": "no_limit",
    # Before the flop it is pot limit; the contract knows one structure a hand, and the loosest accuses nobody.
    "pot limit pre-flop, no limit post-flop": "no_limit",
    "pot limit": "pot_limit",
    "fixed limit": "limit",
    "limit": "limit",
}


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_GAME = re.compile(
    rf"(?:\b(?P<twist>{_any_of(_TWISTS)}) )?(?<![\w+])(?P<game>{_any_of((*_GAMES, *_OTHERS))})(?: "
    rf"(?P<limit>{_any_of(_LIMITS)})|(?<=PLO)|(?<=PLO-[56]))(?![\w-])",
    re.IGNORECASE,
)
#: Some programs have it the other way round: "No Limit Texas Hold'em".
_LIMIT_FIRST = re.compile(
    rf"\b(?P<limit>{_any_of(_LIMITS)}) (?:Texas )?(?:(?P<twist>{_any_of(_TWISTS)}) )?"
    rf"(?P<game>{_any_of((*_GAMES, *_OTHERS))})(?![\w-])",
    re.IGNORECASE,
)
_TOURNAMENT = re.compile(r"(?:\{.*\}\s*)?(?:(?:Zoom|Rush) )?Tournament #\d+", re.IGNORECASE)
_FULL_TILT = re.compile(r"Full Tilt Poker Game #\d+: ", re.IGNORECASE)
_STAKES = re.compile(rf"{AMOUNT} ?/ ?{AMOUNT}")
_BUTTON_BLIND = re.compile(rf"(?:Button Blind |\(){AMOUNT}(?:\s*-\s*Ante {AMOUNT})?\s*(?:[A-Z]{{3}})?\)", re.IGNORECASE)
_ANTE = re.compile(rf"\bante:? {AMOUNT}|\({AMOUNT}\)", re.IGNORECASE)
_CODE = re.compile(r"\b([A-Z]{3})\)")
_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP", "₹": "INR", "Rs.": "INR", "¥": "CNY"}
_SYMBOL = re.compile(r"Rs\.|[^\d\s\w()\[\]|,.:;#+*'\"/&%!?-]")

_TIME = r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?:T|(?: -)? +)(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+Z?|Z)?)?"
_WHEN = re.compile(_TIME + r"(?:\s*\(?([A-Z]{2,5})\b\)?)?")
#: Zones by the letters that the room uses; its own clock is the one of New York.
_ZONES = {
    "ET": "America/New_York", "CT": "America/Chicago", "MT": "America/Denver", "PT": "America/Los_Angeles",
    "CET": "Europe/Paris", "WET": "Europe/Lisbon", "EET": "Europe/Helsinki", "MSK": "Europe/Moscow",
    "JST": "Asia/Tokyo", "BRT": "America/Sao_Paulo", "GMT": "UTC", "UTC": "UTC",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Header:
    """What the first line says, amounts in chips; 0 where there is no such thing, or it is not told."""

    room: str
    hand_id: str
    game: GameName
    betting: Betting
    tournament: bool
    first: int  # of the two amounts of the stakes: the small blind, or the small bet
    second: int
    button_blind: int
    ante: int
    currency: str | None
    money: Money
    at: datetime


def header_of(line: str, *, decimals: bool) -> Header:
    """What a hand's first line says; `decimals`: the hand has amounts with a decimal point.

    Raises `BrokenHandError` for a game that the contract does not have, and for a line that is cut off.
    """
    found = _FIRST_LINE.fullmatch(line)
    if found is None:
        raise BrokenHandError("the first line of the hand makes no sense")
    rest = found["rest"]
    if _FULL_TILT.match(line):
        raise BrokenHandError("a hand in the format that Full Tilt had of its own, which is not read")
    when = _WHEN.search(rest)
    head = rest[: when.start()] if when is not None else rest
    game = _GAME.search(head) or _LIMIT_FIRST.search(head)
    if game is None:
        raise BrokenHandError("the first line names no game that is known")
    name = " ".join(filter(None, (game["twist"], game["game"])))
    told = _GAMES.get(name.lower())
    if told is None:
        raise BrokenHandError(f"{name} has no game in the event contract")
    if when is None:
        raise BrokenHandError("the first line has no date")
    tournament = _TOURNAMENT.match(rest) is not None
    stakes = head[game.end() :]
    currency = None if tournament else _currency(stakes)
    money = Money(2 if currency is not None or decimals else 0)
    return Header(
        room="GGPoker" if found["room"] == "Poker" else "PokerStars" if found["room"].isupper() else found["room"],
        hand_id=found["id"],
        game=told,
        betting=_LIMITS[game["limit"].lower()] if game["limit"] else "pot_limit",
        tournament=tournament,
        **_amounts(stakes, money),
        currency=currency,
        money=money,
        at=_at(rest),
    )


def _amounts(stakes: str, money: Money) -> dict[str, int]:
    """The amounts of the stakes by name."""
    blind = _BUTTON_BLIND.search(stakes)
    if blind is not None and "/" not in stakes:
        return {
            "first": 0,
            "second": 0,
            "button_blind": money.chips(blind[1]),
            "ante": money.chips(blind[2]) if blind[2] else 0,
        }
    both, ante = _STAKES.search(stakes), _ANTE.search(stakes)
    return {
        "first": money.chips(both[1]) if both else 0,
        "second": money.chips(both[2]) if both else 0,
        "button_blind": 0,
        "ante": money.chips(ante[1] or ante[2]) if ante else 0,
    }


def _currency(stakes: str) -> str | None:
    """The ISO code where the line has one, else what its sign stands for, else the sign; None for play money."""
    code = _CODE.search(stakes)
    if code is not None:
        return code[1]
    sign = _SYMBOL.search(stakes)
    return None if sign is None else _SYMBOLS.get(sign[0], sign[0])


def _at(rest: str) -> datetime:
    """When the hand began: by the room's own clock where it is told, else by the zone's name, else UTC."""
    times = list(_WHEN.finditer(rest))
    when = next((each for each in times if each[7] == "ET"), times[0])
    zone = _ZONES.get(when[7] or "UTC")
    year, month, day, hour, minute, second = (int(part or 0) for part in when.groups()[:6])
    try:
        if not 1 < year < 9999:  # events follow by the millisecond, in the same era
            raise ValueError
        at = datetime(year, month, day, hour, minute, second, tzinfo=UTC if zone is None else ZoneInfo(zone))
        return at.astimezone(UTC)
    except ValueError:
        raise BrokenHandError(f"no date: {when[0][:40]}") from None
