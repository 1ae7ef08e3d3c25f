"""What a hand's fields say, checked: amounts as whole chips, actions taken apart, the date as an instant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, tzinfo
from decimal import Decimal
from typing import NamedTuple
from zoneinfo import ZoneInfo

from auditor.cards import UNREAD
from auditor.events import Betting, GameName
from auditor.feeds.chips import MOST_CHIPS, shown
from auditor.feeds.telling import BrokenHandError


class Variant(NamedTuple):
    """A PHH variant in the words of the event contract."""

    game: GameName
    betting: Betting
    needs: tuple[str, ...]  # fields, apart from those that every variant needs


_NO_LIMIT = ("blinds_or_straddles", "min_bet")
_LIMIT = ("blinds_or_straddles", "small_bet", "big_bet")
_STUD = ("bring_in", "small_bet", "big_bet")
_ALWAYS = ("antes", "starting_stacks", "actions")

VARIANTS: dict[str, Variant] = {
    "NT": Variant("holdem", "no_limit", _NO_LIMIT),
    "FT": Variant("holdem", "limit", _LIMIT),
    "NS": Variant("short_deck", "no_limit", _NO_LIMIT),
    "PO": Variant("omaha", "pot_limit", _NO_LIMIT),
    "FO/8": Variant("omaha_hilo", "limit", _LIMIT),
    "F7S": Variant("stud", "limit", _STUD),
    "F7S/8": Variant("stud_hilo", "limit", _STUD),
    "FR": Variant("razz", "limit", _STUD),
    "N2L1D": Variant("lowball_27", "no_limit", _NO_LIMIT),
    "F2L3D": Variant("triple_draw_27", "limit", _LIMIT),
    "FB": Variant("badugi", "limit", _LIMIT),
}

#: Players that a table of the contract can seat.
MOST_PLAYERS = 100

_MOST_PLACES = 18  # decimals that the contract's `scale` allows
_LONGEST_ID = 64


class Action(NamedTuple):
    """One action of the notation. `player` is an index from 0, -1 for the dealer."""

    verb: str  # db dh pb f cc cbr sd sm
    player: int
    cards: tuple[str, ...] = ()
    to: int = 0  # chips: what a bet, raise or completion makes it on this street
    muck: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as its file tells it, in chips. Tuples go by player; None is what the file does not know."""

    variant: Variant
    antes: tuple[int, ...]
    blinds: tuple[int, ...]  # negative: posted late by a player who is in no blind
    bring_in: int
    small_bet: int
    big_bet: int
    min_bet: int
    stacks: tuple[int | None, ...]
    finishing: tuple[int | None, ...] | None
    winnings: tuple[int, ...] | None
    actions: tuple[Action, ...]
    scale: int
    seats: tuple[int, ...]
    max_seats: int
    players: tuple[str | None, ...]
    hand_id: str
    at: datetime
    currency: str | None
    location: str | None


def hand_of(fields: Mapping[str, object], name: str) -> Hand:
    """The hand that a file's fields describe; `name` is its number where the file gives none.

    Raises `BrokenHandError` where a field is missing or makes no sense.
    """
    variant = _variant(fields)
    count = len(_list(fields, "starting_stacks"))
    if not 2 <= count <= MOST_PLAYERS:
        raise BrokenHandError(f"{count} players: a hand has 2 to {MOST_PLAYERS}")
    told = [_told(number, each, count) for number, each in enumerate(_list(fields, "actions"), 1)]
    amounts = _Amounts(fields, count, [each.amount for each in told if each is not None])
    seats = _seats(fields, count)
    return Hand(
        variant=variant,
        antes=_heads_up_reversed(amounts.row("antes")),
        blinds=_heads_up_reversed(amounts.row("blinds_or_straddles", signed=True)),
        bring_in=amounts.one("bring_in"),
        small_bet=amounts.one("small_bet"),
        big_bet=amounts.one("big_bet"),
        min_bet=amounts.one("min_bet"),
        stacks=amounts.stacks("starting_stacks"),
        finishing=amounts.stacks("finishing_stacks") if "finishing_stacks" in fields else None,
        winnings=amounts.row("winnings") if "winnings" in fields else None,
        actions=tuple(
            Action(each.verb, each.player, each.cards, amounts.chips(each.amount), each.muck)
            for each in told
            if each is not None
        ),
        scale=amounts.scale,
        seats=seats,
        max_seats=_max_seats(fields, seats),
        players=_players(fields, count),
        hand_id=_hand_id(fields, name),
        at=_at(fields),
        currency=_text(fields, "currency"),
        location=", ".join(filter(None, (_text(fields, key) for key in ("venue", "city", "region", "country"))))
        or None,
    )


def _variant(fields: Mapping[str, object]) -> Variant:
    code = fields.get("variant")
    if not isinstance(code, str):
        raise BrokenHandError(
            "`variant` is missing" if code is None else f"`variant`: a text is expected, not {shown(code)}"
        )
    variant = VARIANTS.get(code)
    if variant is None:
        raise BrokenHandError(f"variant {code[:40]} has no game in the event contract")
    for field in (*_ALWAYS, *variant.needs):
        if field not in fields:
            raise BrokenHandError(f"`{field}` is missing")
    return variant


def _list(fields: Mapping[str, object], field: str) -> list[object]:
    value = fields[field]
    if not isinstance(value, list):
        raise BrokenHandError(f"`{field}`: a list is expected, not {shown(value)}")
    return value


def _row(fields: Mapping[str, object], field: str, count: int) -> list[object]:
    """A list with a value for each player."""
    row = _list(fields, field)
    if len(row) != count:
        raise BrokenHandError(f"`{field}`: {len(row)} values for {count} players")
    return row


def _text(fields: Mapping[str, object], field: str) -> str | None:
    value = fields.get(field)
    return value if isinstance(value, str) and value else None


def _heads_up_reversed(row: tuple[int, ...]) -> tuple[int, ...]:
    # By the format's rule antes and blinds are written small blind first, and heads-up the last player, who has the
    # button, posts the small blind.
    return row[::-1] if len(row) == 2 else row


# --- amounts --------------------------------------------------------------------------------------------------------


class _Amounts:
    """Every amount of a hand in whole chips: scaled by the smallest power of ten that makes all of them exact."""

    def __init__(self, fields: Mapping[str, object], count: int, acted: Sequence[Decimal | int]) -> None:
        self._fields = fields
        self._count = count
        rows = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings")
        singles = ("bring_in", "small_bet", "big_bet", "min_bet")
        given = [value for field in rows if field in fields for value in _row(fields, field, count)]
        given += [fields[field] for field in singles if field in fields]
        decimals = [value for value in (*given, *acted) if isinstance(value, Decimal) and value.is_finite()]
        self.scale = max(map(_places, decimals), default=0)
        self._unit = int("1" + "0" * self.scale)  # chips in one

    def one(self, field: str) -> int:
        """A single amount, 0 where the file has none."""
        return self._amount(field, self._fields.get(field, 0))

    def row(self, field: str, *, signed: bool = False) -> tuple[int, ...]:
        """An amount a player, 0 where the file has none."""
        if field not in self._fields:
            return (0,) * self._count
        return tuple(self._amount(field, value, signed=signed) for value in _row(self._fields, field, self._count))

    def stacks(self, field: str) -> tuple[int | None, ...]:
        """A stack a player; None for an infinite one, which is how the format says that it is not known."""
        return tuple(
            None if isinstance(value, Decimal) and value.is_infinite() else self._amount(field, value)
            for value in _row(self._fields, field, self._count)
        )

    def _amount(self, field: str, value: object, *, signed: bool = False) -> int:
        # A truth value is an int to Python.
        if not isinstance(value, int | Decimal) or isinstance(value, bool):
            raise BrokenHandError(f"`{field}`: a number is expected, not {shown(value)}")
        if isinstance(value, Decimal) and not value.is_finite():
            raise BrokenHandError(f"`{field}`: a number is expected, not {shown(value)}")
        if value < 0 and not signed:
            raise BrokenHandError(f"`{field}`: less than nothing: {shown(value)}")
        return self.chips(value)

    def chips(self, value: Decimal | int) -> int:
        """An amount in whole chips."""
        if isinstance(value, int):
            chips = value * self._unit
        else:
            whole, _, fraction = f"{value:f}".partition(".")
            chips = int(whole + fraction.ljust(self.scale, "0")[: self.scale])
        if abs(chips) > MOST_CHIPS:
            raise BrokenHandError(f"an amount is too large: {shown(value)}, with {self.scale} decimals in one chip")
        return chips


def _places(value: Decimal) -> int:
    """Decimals that a number really has: 9775.0 has none."""
    if not value:
        return 0
    # Looked at before it is written out: 1e-999999999 would take a gigabyte.
    if abs(value.adjusted()) > _MOST_PLACES:
        raise BrokenHandError(f"an amount is too large or too small: {shown(value)}")
    places = len(f"{value:f}".partition(".")[2].rstrip("0"))
    if places > _MOST_PLACES:
        raise BrokenHandError(f"an amount has {places} decimals, at most {_MOST_PLACES}: {shown(value)}")
    return places


# --- actions --------------------------------------------------------------------------------------------------------


class _Told(NamedTuple):
    """An action whose amount is as written."""

    verb: str
    player: int
    cards: tuple[str, ...] = ()
    amount: Decimal | int = 0
    muck: bool = False


_CARD = re.compile(r"[2-9TJQKA?][cdhs?]")
_PLAYER = re.compile(r"p([1-9][0-9]{0,2})")
_AMOUNT = re.compile(r"[0-9][0-9,]{0,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40}")


class _NotationError(ValueError):
    """An action that is none of the notation."""


def _told(number: int, text: object, count: int) -> _Told | None:
    """An action taken apart; None for a comment that stands alone."""
    try:
        words = text.partition("#")[0].split() if isinstance(text, str) else [""]
        return _taken_apart(words, count) if words else None
    except _NotationError:
        raise BrokenHandError(f"action {number} is none of the notation: {shown(text)}") from None


def _taken_apart(words: list[str], count: int) -> _Told:
    match words:
        case ["d", "db", cards]:
            return _Told("db", -1, _cards(cards))
        case ["d", "dh", who, cards]:
            return _Told("dh", _player(who, count), _cards(cards))
        case [who, ("pb" | "f" | "cc" | "sd") as verb]:
            return _Told(verb, _player(who, count))
        case [who, "cbr", amount]:
            return _Told("cbr", _player(who, count), amount=_number(amount))
        case [who, "sd", cards]:
            return _Told("sd", _player(who, count), _cards(cards))
        case [who, "sm"]:
            return _Told("sm", _player(who, count), muck=True)
        case [who, "sm", "-"]:  # the cards that were dealt
            return _Told("sm", _player(who, count))
        case [who, "sm", cards]:
            return _Told("sm", _player(who, count), _cards(cards))
    raise _NotationError


def _number(text: str) -> Decimal | int:
    if not _AMOUNT.fullmatch(text):
        raise _NotationError
    plain = text.replace(",", "")
    return int(plain) if plain.isdigit() else Decimal(plain)


def _player(text: str, count: int) -> int:
    found = _PLAYER.fullmatch(text)
    if found is None or int(found[1]) > count:
        raise _NotationError
    return int(found[1]) - 1


def _cards(text: str) -> tuple[str, ...]:
    pairs = tuple(text[place : place + 2] for place in range(0, len(text), 2))
    if not all(map(_CARD.fullmatch, pairs)):
        raise _NotationError
    # A card of which only the rank or the suit is known is an unread card to the contract.
    return tuple(UNREAD if "?" in pair else pair for pair in pairs)


# --- who, where, when -----------------------------------------------------------------------------------------------


def _seats(fields: Mapping[str, object], count: int) -> tuple[int, ...]:
    """The players' seats. They go clockwise from 1 where the file gives none, or gives some that are not clockwise.

    The order of the players is the order of play, and by the format's rule it is clockwise.
    """
    by_order = tuple(range(1, count + 1))
    if "seats" not in fields:
        return by_order
    seats = [seat for seat in _row(fields, "seats", count) if isinstance(seat, int) and 0 <= seat <= MOST_PLAYERS]
    turns = sum(here >= after for here, after in zip(seats, seats[1:] + seats[:1], strict=True))
    return tuple(seats) if len(seats) == count and turns == 1 else by_order


def _max_seats(fields: Mapping[str, object], seats: tuple[int, ...]) -> int:
    given = fields.get("seat_count")
    stated = given if isinstance(given, int) and 2 <= given <= MOST_PLAYERS else 10
    return max(stated, len(seats), *seats)


def _players(fields: Mapping[str, object], count: int) -> tuple[str | None, ...]:
    if "players" not in fields:
        return (None,) * count
    return tuple(name if isinstance(name, str) and name else None for name in _row(fields, "players", count))


def _hand_id(fields: Mapping[str, object], name: str) -> str:
    given = fields.get("hand")
    number = str(given) if isinstance(given, int | str) and not isinstance(given, bool) else ""
    return number if 1 <= len(number) <= _LONGEST_ID else name[:_LONGEST_ID]


def _at(fields: Mapping[str, object]) -> datetime:
    """When the hand began; the beginning of 1970 where the file does not say."""
    year, month, day = (_part(fields, "year", 1970), _part(fields, "month", 1), _part(fields, "day", 1))
    clock = fields.get("time", time())
    if not isinstance(clock, time):
        raise BrokenHandError(f"`time`: a time of day is expected, not {shown(clock)}")
    zone = _zone(fields)
    try:
        return datetime.combine(datetime(year, month, day), clock, zone).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BrokenHandError(f"no date: year {year}, month {month}, day {day}") from None


def _part(fields: Mapping[str, object], field: str, default: int) -> int:
    value = fields.get(field, default)
    if not isinstance(value, int) or not 1 <= value < 9999:  # events follow by the millisecond, in the same era
        raise BrokenHandError(f"`{field}`: a number of the calendar is expected, not {shown(value)}")
    return value


def _zone(fields: Mapping[str, object]) -> tzinfo:
    name = _text(fields, "time_zone")
    if name is None:
        return UTC
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        # ZoneInfoNotFoundError is a LookupError; a name that is a path or a folder raises the others.
        raise BrokenHandError(f"`time_zone`: no time zone that this machine knows: {shown(name)}") from None
