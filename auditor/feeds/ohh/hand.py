"""What a hand's JSON object says, checked: amounts as whole chips, players as seats, the date as an instant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from auditor.cards import RANKS, SUITS, UNREAD
from auditor.events import Betting, GameName
from auditor.feeds.chips import shown
from auditor.feeds.ohh.amounts import Amounts
from auditor.feeds.telling import BrokenHandError

#: Players that a table of the contract can seat.
MOST_PLAYERS = 100

_LONGEST_ID = 64
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)

# By the specification's names and those that are in use, letters and digits only.
_GAMES: dict[str, GameName] = {
    "holdem": "holdem",
    "texasholdem": "holdem",
    "shortdeck": "short_deck",
    "shortdeckholdem": "short_deck",
    "sixplusholdem": "short_deck",
    "6plusholdem": "short_deck",
    "omaha": "omaha",
    "omahahi": "omaha",
    "omahahilo": "omaha_hilo",
    "omaha8": "omaha_hilo",
    "omaha5": "omaha5",
    "5cardomaha": "omaha5",
    "omaha5hilo": "omaha5_hilo",
    "omahahilo5": "omaha5_hilo",
    "5cardomahahilo": "omaha5_hilo",
    "omaha6": "omaha6",
    "6cardomaha": "omaha6",
    "stud": "stud",
    "studhi": "stud",
    "7cardstud": "stud",
    "studhilo": "stud_hilo",
    "stud8": "stud_hilo",
    "razz": "razz",
}
# The specification has one name for Omaha, however many cards it is dealt with.
_BY_CARDS: dict[tuple[str, int], GameName] = {
    ("omaha", 5): "omaha5",
    ("omaha_hilo", 5): "omaha5_hilo",
    ("omaha", 6): "omaha6",
}
_BETTING: dict[str, Betting] = {
    "nl": "no_limit",
    "nolimit": "no_limit",
    "pl": "pot_limit",
    "potlimit": "pot_limit",
    "fl": "limit",
    "limit": "limit",
    "fixedlimit": "limit",
    "l": "limit",
}
#: Currencies of the format that are no money.
_PLAY_MONEY = ("", "ppc", "xpm", "chips", "chip", "play", "playmoney", "points", "t", "tournament")


class Player(NamedTuple):
    seat: int
    name: str | None
    stack: int | None
    sits_out: bool
    cards: tuple[str, ...]  # some writers name them here


class Action(NamedTuple):
    """One action. `seat` is None where it is nobody's; `amount` None where the file leaves it out."""

    name: str  # of the specification, letters only: postsb, dealtcards
    where: str
    seat: int | None
    amount: int | None
    all_in: bool
    cards: tuple[str, ...]


class Round(NamedTuple):
    street: str
    cards: tuple[str, ...]
    actions: tuple[Action, ...]


class Win(NamedTuple):
    seat: int
    amount: int
    cash_out: int
    bonus: int


class Pot(NamedTuple):
    number: int  # 0 the main pot
    amount: int
    rake: int
    jackpot: int
    wins: tuple[Win, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as its file tells it, in chips."""

    hand_id: str
    whole: bool  # the file does not break off in it
    at: datetime
    game: GameName
    betting: Betting
    capped: bool
    bomb_pot: bool
    small_blind: int
    big_blind: int
    ante: int
    button: int | None
    max_seats: int
    players: tuple[Player, ...]
    rounds: tuple[Round, ...]
    pots: tuple[Pot, ...]
    scale: int
    currency: str | None
    location: str | None


def hand_of(fields: Mapping[str, Any], *, whole: bool) -> Hand:
    """The hand that an object describes, wrapped in `ohh` or bare.

    Raises `BrokenHandError` where a field is missing or makes no sense.
    """
    inner = fields.get("ohh", fields)
    if not isinstance(inner, dict) or not ("players" in inner or "rounds" in inner or "spec_version" in inner):
        raise BrokenHandError("no hand: an object `ohh` with `players` and `rounds` is expected")
    return _Reading(inner, fields).hand(whole=whole)


class _Reading:
    """One object on its way into a hand."""

    def __init__(self, fields: dict[str, Any], wrapping: Mapping[str, Any]) -> None:
        self._fields = fields
        self._wrapping = wrapping
        self._money = not fields.get("tournament") and _plain(_text(fields, "currency") or "") not in _PLAY_MONEY
        self._amounts = Amounts(fields, money=self._money)
        self._seats: dict[str, int] = {}

    def hand(self, *, whole: bool) -> Hand:
        fields, chips = self._fields, self._amounts.chips
        players = self._players()
        rounds = tuple(self._round(number, each) for number, each in enumerate(self._list(fields, "rounds"), 1))
        limit = self._object(fields, "bet_limit")
        flags = [_plain(flag) for flag in self._list(fields, "flags") if isinstance(flag, str)]
        return Hand(
            hand_id=self._hand_id(),
            whole=whole,
            at=self._at(),
            game=self._game([action for each in rounds for action in each.actions], players),
            betting=self._betting(limit),
            capped=bool(chips(limit.get("bet_cap"), "`bet_cap`")),
            bomb_pot="bombpot" in flags,
            small_blind=chips(fields.get("small_blind_amount"), "`small_blind_amount`"),
            big_blind=chips(fields.get("big_blind_amount"), "`big_blind_amount`"),
            ante=chips(fields.get("ante_amount"), "`ante_amount`"),
            button=_seat_number(fields.get("dealer_seat")),
            max_seats=self._max_seats(players),
            players=players,
            rounds=tuple(_in_order(rounds, self._list(fields, "rounds"), "id")),
            pots=self._pots(),
            scale=self._amounts.scale,
            currency=(_text(fields, "currency") or None) if self._money else None,
            location=" · ".join(filter(None, (_text(fields, "site_name"), _text(fields, "table_name")))) or None,
        )

    # --- who ----------------------------------------------------------------------------------------------------------

    def _players(self) -> tuple[Player, ...]:
        given = self._list(self._fields, "players")
        if not 2 <= len(given) <= MOST_PLAYERS:
            raise BrokenHandError(f"{len(given)} players: a hand has 2 to {MOST_PLAYERS}")
        return tuple(self._player(number, each) for number, each in enumerate(given, 1))

    def _player(self, number: int, given: object) -> Player:
        where = f"player {number}"
        if not isinstance(given, dict):
            raise BrokenHandError(f"{where}: an object is expected, not {shown(given)}")
        seat = _seat_number(given.get("seat"))
        if seat is None or seat > MOST_PLAYERS:
            raise BrokenHandError(f"{where}: `seat`: a seat is expected, not {shown(given.get('seat'))}")
        player_id = _id(given.get("id"))
        if player_id is None:
            raise BrokenHandError(f"{where}: `id`: a player's id is expected, not {shown(given.get('id'))}")
        if player_id in self._seats or seat in self._seats.values():
            raise BrokenHandError(f"{where}: another player has the id {player_id}, or seat {seat}")
        self._seats[player_id] = seat
        stack = given.get("starting_stack")
        return Player(
            seat=seat,
            name=_text(given, "name") or None,
            stack=None if stack is None else self._amounts.chips(stack, f"{where}: `starting_stack`"),
            sits_out=given.get("is_sitting_out") is True,
            cards=_cards(given.get("cards"), where),
        )

    def _seat_of(self, given: object, where: str) -> int:
        seat = self._seats.get(_id(given) or "")
        if seat is None:
            raise BrokenHandError(f"{where}: `player_id` {shown(given)} is none of the players")
        return seat

    # --- what they did ------------------------------------------------------------------------------------------------

    def _round(self, number: int, given: object) -> Round:
        where = f"round {number}"
        if not isinstance(given, dict):
            raise BrokenHandError(f"{where}: an object is expected, not {shown(given)}")
        actions = self._list(given, "actions")
        told = [self._action(f"{where}, action {place}", each) for place, each in enumerate(actions, 1)]
        return Round(
            street=_plain(_text(given, "street") or ""),
            cards=_cards(given.get("cards"), where),
            actions=tuple(_in_order(told, actions, "action_number")),
        )

    def _action(self, where: str, given: object) -> Action:
        if not isinstance(given, dict):
            raise BrokenHandError(f"{where}: an object is expected, not {shown(given)}")
        name = given.get("action")
        if not isinstance(name, str):
            raise BrokenHandError(f"{where}: `action`: a text is expected, not {shown(name)}")
        plain = _ALIASES.get(_plain(name), _plain(name))
        if plain not in ACTIONS:
            raise BrokenHandError(f"{where}: not understood: {shown(name)}")
        amount = given.get("amount")
        # Who comes and goes need not be in the hand, and the house may add to the pot.
        nobody = plain in COMINGS_AND_GOINGS or (plain == "addtopot" and given.get("player_id") is None)
        return Action(
            name=plain,
            where=where,
            seat=None if nobody else self._seat_of(given.get("player_id"), where),
            amount=None
            if amount is None
            else self._amounts.chips(amount, f"{where}: `amount`", signed=plain == "playeradjustment"),
            all_in=given.get("is_allin") is True,
            cards=_cards(given.get("cards"), where),
        )

    # --- the end ------------------------------------------------------------------------------------------------------

    def _pots(self) -> tuple[Pot, ...]:
        given = self._list(self._fields, "pots")
        for number, each in enumerate(given, 1):
            if not isinstance(each, dict):
                raise BrokenHandError(f"pot {number}: an object is expected, not {shown(each)}")
        # Some writers count from 1.
        numbers = sorted({each["number"] for each in given if isinstance(each.get("number"), int)})
        return tuple(self._pot(place, each, numbers) for place, each in enumerate(given))

    def _pot(self, place: int, given: Mapping[str, Any], numbers: list[int]) -> Pot:
        where, chips = f"pot {place + 1}", self._amounts.chips
        number = given.get("number")
        return Pot(
            number=numbers.index(number) if isinstance(number, int) else place,
            amount=chips(given.get("amount"), f"{where}: `amount`"),
            rake=chips(given.get("rake"), f"{where}: `rake`"),
            jackpot=chips(given.get("jackpot"), f"{where}: `jackpot`"),
            wins=tuple(self._win(where, each) for each in self._list(given, "player_wins")),
        )

    def _win(self, where: str, given: object) -> Win:
        if not isinstance(given, dict):
            raise BrokenHandError(f"{where}: an object is expected, not {shown(given)}")
        chips = self._amounts.chips
        return Win(
            seat=self._seat_of(given.get("player_id"), where),
            amount=chips(given.get("win_amount"), f"{where}: `win_amount`"),
            cash_out=chips(given.get("cashout_amount"), f"{where}: `cashout_amount`"),
            bonus=chips(given.get("bonus_amount"), f"{where}: `bonus_amount`"),
        )

    # --- the game, the place, the time --------------------------------------------------------------------------------

    def _game(self, actions: Iterable[Action], players: Iterable[Player]) -> GameName:
        given = self._fields.get("game_type")
        name = _plain(given) if isinstance(given, str) else ""
        game = _GAMES.get(name)
        if game is None:
            if name.endswith("draw"):
                raise BrokenHandError(
                    "`game_type` Draw: the format tells neither which draw game it is, nor what is drawn"
                )
            raise BrokenHandError(f"`game_type`: {shown(given)} has no game in the event contract")
        held = max([len(action.cards) for action in actions] + [len(player.cards) for player in players], default=0)
        return _BY_CARDS.get((game, held), game)

    def _betting(self, limit: Mapping[str, Any]) -> Betting:
        given = limit.get("bet_type")
        if given is None:
            return "no_limit"
        betting = _BETTING.get(_plain(given)) if isinstance(given, str) else None
        if betting is None:
            raise BrokenHandError(f"`bet_type`: {shown(given)} is no betting of the event contract")
        return betting

    def _max_seats(self, players: Sequence[Player]) -> int:
        size = _seat_number(self._fields.get("table_size")) or 0
        return max(size if 2 <= size <= MOST_PLAYERS else 10, *(each.seat for each in players))

    def _hand_id(self) -> str:
        for given in (self._fields.get("game_number"), self._wrapping.get("id"), self._wrapping.get("_id")):
            name = _id(given)
            if name is not None and 1 <= len(name.strip()) <= _LONGEST_ID:
                return name.strip()
        return "1"

    def _at(self) -> datetime:
        """When the hand began, UTC unless the file says another zone; the beginning of 1970 where it says nothing."""
        given = self._fields.get("start_date_utc")
        if given is None or given == "":
            return _BEGINNING
        try:
            at = datetime.fromisoformat(given.strip().replace("/", "-")) if isinstance(given, str) else None
            if at is not None and at.year < 9999:  # events follow by the millisecond, in the same era
                return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise BrokenHandError(f"`start_date_utc`: no date: {shown(given)}")

    def _list(self, fields: Mapping[str, Any], field: str) -> list[Any]:
        value = fields.get(field)
        if value is None:
            return []
        if not isinstance(value, list):
            raise BrokenHandError(f"`{field}`: a list is expected, not {shown(value)}")
        return value

    def _object(self, fields: Mapping[str, Any], field: str) -> Mapping[str, Any]:
        value = fields.get(field)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise BrokenHandError(f"`{field}`: an object is expected, not {shown(value)}")
        return value


#: Who takes or leaves a seat is no part of the hand.
COMINGS_AND_GOINGS = frozenset(("sitsdown", "standsup"))
#: The specification's actions, letters only.
ACTIONS = COMINGS_AND_GOINGS | frozenset(
    ("dealtcards", "muckscards", "showscards", "postante", "postsb", "postbb", "straddle", "postdead",
     "postextrablind", "fold", "check", "bet", "raise", "call", "addedchips", "addtopot", "playeradjustment")
)  # fmt: skip
_ALIASES = {
    "addedtopot": "addtopot",
    "dealtcard": "dealtcards",
    "muckcards": "muckscards",
    "showcards": "showscards",
    "poststraddle": "straddle",
    "postsmallblind": "postsb",
    "postbigblind": "postbb",
    "folds": "fold",
    "checks": "check",
    "bets": "bet",
    "raises": "raise",
    "calls": "call",
}

_NO_LETTER = re.compile(r"[^a-z0-9]")
_CARD_BREAK = re.compile(r"[\s,]+")
_DIGITS = re.compile(r"[0-9]{1,3}")
_SUIT_SIGNS = str.maketrans("♣♦♥♠", "cdhs")
_NOT_SEEN = frozenset(("", "?", "??", "x", "xx", "-", "--"))


def _plain(name: str) -> str:
    return _NO_LETTER.sub("", name.lower())


def _text(fields: Mapping[str, Any], field: str) -> str | None:
    value = fields.get(field)
    return value.strip() if isinstance(value, str) else None


def _id(given: object) -> str | None:
    if isinstance(given, bool) or not isinstance(given, int | str):
        return None
    return str(given)


def _seat_number(given: object) -> int | None:
    if isinstance(given, str) and _DIGITS.fullmatch(given):
        return int(given)  # some writers quote every number
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        return None
    return given


_T = TypeVar("_T")


def _in_order(told: Sequence[_T], given: Sequence[Any], field: str) -> Sequence[_T]:
    """By the number that the file gives each, where it gives one to all of them and no two the same."""
    numbers = [each.get(field) if isinstance(each, dict) else None for each in given]
    if len(set(map(str, numbers))) < len(numbers) or not all(isinstance(number, int) for number in numbers):
        return told
    by_number: Callable[[int], Any] = numbers.__getitem__
    return [told[place] for place in sorted(range(len(told)), key=by_number)]


def _cards(given: object, where: str) -> tuple[str, ...]:
    """Cards in a list, or in one text."""
    if given is None or given == "":
        return ()
    if isinstance(given, str):
        given = _CARD_BREAK.split(given.strip())
    if not isinstance(given, list):
        raise BrokenHandError(f"{where}: `cards`: a list is expected, not {shown(given)}")
    return tuple(_card(each, where) for each in given)


def _card(given: object, where: str) -> str:
    text = given.strip(" ,\t\n").translate(_SUIT_SIGNS) if isinstance(given, str) else None
    if text is None:
        if given is None:
            return UNREAD
        raise BrokenHandError(f"{where}: {shown(given)} is no card")
    if text.lower() in _NOT_SEEN:
        return UNREAD
    card = text[:-1].upper().replace("10", "T") + text[-1].lower()
    if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:
        raise BrokenHandError(f"{where}: {shown(given)} is no card")
    return card
