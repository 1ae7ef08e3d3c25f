"""What a hand of a session says, checked: seats, chips, cards, and the time it took."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from auditor.cards import RANKS, SUITS, UNREAD
from auditor.events import Betting, GameName
from auditor.feeds.chips import MOST_CHIPS, shown
from auditor.feeds.telling import BrokenHandError

#: Players that a table of the contract can seat.
MOST_PLAYERS = 100

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_HAND = timedelta(days=1)

_GAMES: dict[str, GameName] = {
    "HOLDEM": "holdem",
    "HOLDEMSIXPLUS": "short_deck",
    "HOLDEMSIXPLUSSTRAIGHTBEATSTRIPS": "short_deck",
    "HOLDEMSIXPLUSTRIPSBEATSSTRAIGHT": "short_deck",
    "SIXPLUSHOLDEM": "short_deck",
    "SHORTDECK": "short_deck",
    "OMAHA": "omaha",
    "OMAHAHILO": "omaha_hilo",
    "OMAHA5": "omaha5",
    "OMAHA5HILO": "omaha5_hilo",
    "OMAHA6": "omaha6",
    "DRAW5": "draw_high",
    "DEUCE7DRAW": "lowball_27",
    "DEUCE7TRIPLE": "triple_draw_27",
    "BADUGI": "badugi",
    "STUD7": "stud",
    "STUD": "stud",
    "STUD7HILO8": "stud_hilo",
    "STUD7HILO": "stud_hilo",
    "RAZZ": "razz",
}
_TRIPS_FIRST = ("HOLDEMSIXPLUSTRIPSBEATSSTRAIGHT",)
_BETTING: dict[str, Betting] = {
    "NOLIMIT": "no_limit",
    "POTLIMIT": "pot_limit",
    "LIMIT": "limit",
    "FIXEDLIMIT": "limit",
}

#: Who posts the antes: everybody, or one for all.
EVERYBODY = ("STDANTE", "STD", "TRADITIONAL", "ANTEALL", "NONE", "")
LIVE = ("LIVEANTE", "LIVE")
BUTTON = ("BUTTONANTE", "BTNANTE", "ANTEBUTTON")
BIG_BLIND = ("BBANTE", "BBANTEBB1ST")
THIRD_BLIND = ("TBANTE", "TBANTETB1ST")
#: Of these the blind goes in first, and the ante as far as the stack then goes.
BLIND_FIRST = ("BBANTEBB1ST", "TBANTETB1ST")


class Player(NamedTuple):
    seat: int
    name: str | None
    stack: int
    finishing: int | None
    cards: tuple[str, ...]  # as far as they were read
    sits_out: bool
    straddle: int


class Event(NamedTuple):
    """One event. `seat` is 0 for the board's."""

    name: str  # FOLD CHECK CALL BET ALLIN BOARDCARD DRAW
    where: str
    seat: int
    to: int  # chips: what it makes the player's bet on the street
    cards: tuple[str, ...]
    board: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as its file tells it. A seat of the blinds is None where nobody is named."""

    hand_id: str
    whole: bool  # the file does not break off in it
    at: datetime
    lasted: timedelta | None
    game: GameName
    trips_first: bool  # short deck: three of a kind beat a straight
    betting: Betting
    ante: int
    ante_type: str
    bomb_pot: int
    runs: int
    button: int | None
    small_blind: tuple[int | None, int]  # seat, chips
    big_blind: tuple[int | None, int]
    third_blind: tuple[int | None, int]
    bring_in: tuple[int | None, int]
    low_limit: int
    high_limit: int
    players: tuple[Player, ...]
    events: tuple[Event, ...]


def hand_of(fields: Mapping[str, Any], *, whole: bool) -> Hand:
    """The hand that an object of `Hands` describes.

    Raises `BrokenHandError` where a field is missing or makes no sense.
    """
    if not whole and "Players" not in fields:
        raise BrokenHandError("the file breaks off in this hand, before it names the players")
    if not {"Players", "Events"} & fields.keys():
        raise BrokenHandError("no hand: an object with `Players` and `Events` is expected")
    blinds, stud = _object(fields, "FlopDrawBlinds"), _object(fields, "StudLimits")
    players = _players(fields)
    ante_type = _plain(blinds.get("AnteType"))
    if _chips(fields, "AnteAmt") and ante_type not in (*EVERYBODY, *LIVE, *BUTTON, *BIG_BLIND, *THIRD_BLIND):
        raise BrokenHandError(f"`AnteType`: not understood: {shown(blinds['AnteType'])}")
    return Hand(
        hand_id=_hand_id(fields),
        whole=whole,
        at=_at(fields),
        lasted=_duration(fields.get("Duration")),
        game=_game(fields),
        trips_first=_plain(fields.get("GameVariant")) in _TRIPS_FIRST,
        betting=_betting(fields),
        ante=_chips(fields, "AnteAmt"),
        ante_type=ante_type,
        bomb_pot=_chips(fields, "BombPotAmt"),
        runs=_count(fields, "RunItNumTimes"),
        button=_seat(blinds.get("ButtonPlayerNum")),
        small_blind=(_seat(blinds.get("SmallBlindPlayerNum")), _chips(blinds, "SmallBlindAmt")),
        big_blind=(_seat(blinds.get("BigBlindPlayerNum")), _chips(blinds, "BigBlindAmt")),
        third_blind=(_seat(blinds.get("ThirdBlindPlayerNum")), _chips(blinds, "ThirdBlindAmt")),
        bring_in=(_seat(stud.get("BringInPlayerNum")), _chips(stud, "BringInAmt")),
        low_limit=_chips(stud, "LowLimitAmt"),
        high_limit=_chips(stud, "HighLimitAmt"),
        players=players,
        events=_events(fields, {player.seat for player in players}),
    )


# --- players ----------------------------------------------------------------------------------------------------------


def _players(fields: Mapping[str, Any]) -> tuple[Player, ...]:
    given = _list(fields, "Players")
    players = tuple(_player(number, each) for number, each in enumerate(given, 1))
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise BrokenHandError(f"{len(players)} players: a hand has 2 to {MOST_PLAYERS}")
    if len({player.seat for player in players}) < len(players):
        raise BrokenHandError("`Players`: two have the same `PlayerNum`")
    return tuple(sorted(players))


def _player(number: int, given: object) -> Player:
    where = f"player {number}"
    if not isinstance(given, dict):
        raise BrokenHandError(f"{where}: an object is expected, not {shown(given)}")
    seat = _seat(given.get("PlayerNum"))
    if seat is None or seat > MOST_PLAYERS:
        raise BrokenHandError(f"{where}: `PlayerNum`: a seat is expected, not {shown(given.get('PlayerNum'))}")
    if given.get("StartStackAmt") is None:
        raise BrokenHandError(f"{where}: `StartStackAmt` is missing")
    names = (given.get(key) for key in ("LongName", "Name"))
    return Player(
        seat=seat,
        name=next((name.strip() for name in names if isinstance(name, str) and name.strip()), None),
        stack=_chips(given, "StartStackAmt"),
        finishing=None if given.get("EndStackAmt") is None else _chips(given, "EndStackAmt"),
        cards=_cards(given.get("HoleCards"), where),
        sits_out=given.get("SittingOut") is True,
        straddle=_chips(given, "BlindBetStraddleAmt"),
    )


# --- events -----------------------------------------------------------------------------------------------------------

_ACTS = ("FOLD", "CHECK", "CALL", "BET", "ALLIN")
_ALIASES = {"RAISE": "BET", "RAISETO": "BET", "BOARD": "BOARDCARD", "BOARDCARDS": "BOARDCARD", "CARDSDRAWN": "DRAW",
            "DISCARD": "DRAW", "STANDPAT": "DRAW"}  # fmt: skip


def _events(fields: Mapping[str, Any], seats: set[int]) -> tuple[Event, ...]:
    return tuple(_event(f"event {number}", each, seats) for number, each in enumerate(_list(fields, "Events"), 1))


def _event(where: str, given: object, seats: set[int]) -> Event:
    if not isinstance(given, dict):
        raise BrokenHandError(f"{where}: an object is expected, not {shown(given)}")
    name = _ALIASES.get(_plain(given.get("EventType")), _plain(given.get("EventType")))
    if name not in (*_ACTS, "BOARDCARD", "DRAW"):
        raise BrokenHandError(f"{where}: not understood: {shown(given.get('EventType'))}")
    seat = _seat(given.get("PlayerNum")) or 0
    if name != "BOARDCARD" and seat not in seats:
        raise BrokenHandError(f"{where}: `PlayerNum` {shown(given.get('PlayerNum'))} is none of the players")
    cards = _cards(given.get("BoardCards"), where)
    return Event(
        name=name,
        where=where,
        seat=seat,
        to=_chips(given, "BetAmt"),
        cards=cards or ((UNREAD,) if name == "BOARDCARD" else ()),
        board=max(1, _count(given, "BoardNum")),
        drawn=_count(given, "NumCardsDrawn"),
    )


# --- the game, the time -----------------------------------------------------------------------------------------------


def _game(fields: Mapping[str, Any]) -> GameName:
    game = _GAMES.get(_plain(fields.get("GameVariant")))
    if game is None:
        raise BrokenHandError(f"`GameVariant`: {shown(fields.get('GameVariant'))} has no game in the event contract")
    return game


def _betting(fields: Mapping[str, Any]) -> Betting:
    betting = _BETTING.get(_plain(fields.get("BetStructure")))
    if betting is None:
        raise BrokenHandError(
            f"`BetStructure`: {shown(fields.get('BetStructure'))} is no betting of the event contract"
        )
    return betting


def _hand_id(fields: Mapping[str, Any]) -> str:
    number = fields.get("HandNum")
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < MOST_CHIPS:
        raise BrokenHandError(f"`HandNum`: a number is expected, not {shown(number)}")
    return str(number)


def _at(fields: Mapping[str, Any]) -> datetime:
    """When the hand began, UTC unless the file says another zone; the beginning of 1970 where it says nothing."""
    given = fields.get("StartDateTimeUTC")
    if given is None or given == "":
        return _BEGINNING
    try:
        at = datetime.fromisoformat(given.strip()) if isinstance(given, str) else None
        if at is not None and 1 < at.year < 9998:
            return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(UTC)
    except ValueError:
        pass
    raise BrokenHandError(f"`StartDateTimeUTC`: no date: {shown(given)}")


_DURATION = re.compile(
    r"P(?:(?P<days>\d{1,6})D)?(?:T(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,6})M)?(?:(?P<seconds>\d{1,9}(?:\.\d+)?)S)?)?"
)


def _duration(given: object) -> timedelta | None:
    """How long the hand took; None where the file does not say, or says what cannot be."""
    found = _DURATION.fullmatch(given) if isinstance(given, str) else None
    if found is None:
        return None
    parts = {name: float(value) for name, value in found.groupdict().items() if value}
    lasted = timedelta(**parts)
    return lasted if lasted <= _LONGEST_HAND else None


# --- single values ----------------------------------------------------------------------------------------------------

_NO_LETTER = re.compile(r"[^A-Z0-9]")
_CARD_BREAK = re.compile(r"[\s,]+")


def _plain(name: object) -> str:
    return _NO_LETTER.sub("", name.upper()) if isinstance(name, str) else ""


def _chips(fields: Mapping[str, Any], field: str) -> int:
    """A number of chips, 0 where the file has none."""
    value = fields.get(field)
    if value is None:
        return 0
    if isinstance(value, Decimal) and value.is_finite() and abs(value) <= MOST_CHIPS and value == value.to_integral():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BrokenHandError(f"`{field}`: whole chips are expected, not {shown(value)}")
    if not 0 <= value <= MOST_CHIPS:
        raise BrokenHandError(f"`{field}`: {'less than nothing' if value < 0 else 'too many chips'}: {shown(value)}")
    return value


def _count(fields: Mapping[str, Any], field: str) -> int:
    value = fields.get(field)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_PLAYERS else 0


def _seat(value: object) -> int | None:
    """A seat; 0 is nobody's."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _list(fields: Mapping[str, Any], field: str) -> list[Any]:
    value = fields.get(field)
    if value is None:
        return []
    if not isinstance(value, list):
        raise BrokenHandError(f"`{field}`: a list is expected, not {shown(value)}")
    return value


def _object(fields: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    value = fields.get(field)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BrokenHandError(f"`{field}`: an object is expected, not {shown(value)}")
    return value


def _cards(given: object, where: str) -> tuple[str, ...]:
    """Cards in one text, or in a list of texts that hold one or more each; what was not read is left out."""
    if given is None:
        return ()
    texts = given if isinstance(given, list) else [given]
    cards = []
    for text in texts:
        if not isinstance(text, str):
            raise BrokenHandError(f"{where}: {shown(text)} is no card")
        cards += [_card(each, where) for each in _CARD_BREAK.split(text.strip()) if each]
    return tuple(cards)


def _card(given: str, where: str) -> str:
    if given in ("?", "??", "xx"):
        return UNREAD
    card = given[:-1].upper().replace("10", "T") + given[-1].lower()
    if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:
        raise BrokenHandError(f"{where}: {shown(given)} is no card")
    return card
