"""Events back to PHH: one hand, one section; and what the format has no word for.

Whatever was written is read again and held against the events, so that nothing is lost in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from auditor.events import (
    BoardDealt,
    CardDealt,
    CardsDiscarded,
    CardsReleased,
    CardsShown,
    ChipsReturned,
    Event,
    ForcedBetPosted,
    HandEnded,
    HandSeat,
    HandStarted,
    PlayerActed,
    PotAwarded,
    Stakes,
    TableOpened,
    face,
)
from auditor.feeds.bets import Bets
from auditor.feeds.phh.convert import convert
from auditor.feeds.phh.hand import VARIANTS, hand_of
from auditor.feeds.phh.sections import Section
from auditor.feeds.telling import DEAD, BrokenHandError
from auditor.wire import said

_CODES = {(variant.game, variant.betting): code for code, variant in VARIANTS.items()}


class NotInPhhError(ValueError):
    """A hand that the format cannot hold at all. Its text is the plain reason."""


@dataclass(frozen=True, slots=True)
class Written:
    """A hand as PHH, and what the text does not give back: how many events of a type, or how often a field of one."""

    text: str
    lost: Counter[str] = field(default_factory=Counter)


class Hands:
    """Events in, whole hands out; memory for the hands that are open."""

    def __init__(self) -> None:
        self._tables: dict[str, TableOpened] = {}
        self._open: dict[str, list[Event]] = {}
        self.outside: Counter[str] = Counter()  # events outside any hand, by type: the format has no place for them

    def take(self, event: Event) -> Iterator[tuple[TableOpened, list[Event]]]:
        """One more event; the hand that it ends, if it ends one."""
        table_id = event.table_id
        if isinstance(event, TableOpened):
            self._tables[table_id] = event
        elif isinstance(event, HandStarted):
            yield from self._whole(table_id)
            self._open[table_id] = [event]
        elif event.hand_id is not None and table_id in self._open:
            self._open[table_id].append(event)
            if isinstance(event, HandEnded):
                yield from self._whole(table_id)
        elif event.type == "table_closed":
            yield from self._whole(table_id)
            self._tables.pop(table_id, None)
        else:
            self.outside[event.type] += 1

    def rest(self) -> Iterator[tuple[TableOpened, list[Event]]]:
        """The hands that nothing ended."""
        for table_id in list(self._open):
            yield from self._whole(table_id)

    def _whole(self, table_id: str) -> Iterator[tuple[TableOpened, list[Event]]]:
        events = self._open.pop(table_id, None)
        if events is None:
            return
        opened = self._tables.get(table_id)
        if opened is None:
            self.outside.update(event.type for event in events)
        else:
            yield opened, events


def write(opened: TableOpened, events: Sequence[Event], section: int) -> Written:
    """One hand, from its `hand_started`, as section number `section` of a `.phhs` file.

    Raises `NotInPhhError` where the format has no such game, or the hand has no stacks to begin with.
    """
    started = events[0]
    assert isinstance(started, HandStarted)
    lines = _Writing(opened, started, events[1:]).lines()
    text = "\n".join([f"[{section}]", *lines, ""])
    return Written(text, _lost(events, "\n".join(lines), opened.scale or 0))


class _Writing:
    """One hand on its way into lines. Players are numbered as `hand_started` names the seats: in the order of play."""

    def __init__(self, opened: TableOpened, started: HandStarted, events: Sequence[Event]) -> None:
        self._opened = opened
        self._started = started
        self._events = events
        self._stakes: Stakes = started.stakes or opened.stakes
        game, betting = started.game or opened.game, started.betting or opened.betting
        code = _CODES.get((game, betting))
        if code is None:
            raise NotInPhhError(f"PHH has no variant for {game} {betting.replace('_', '-')}")
        self._variant = code
        self._limit = betting == "limit"
        self._seats = _in_order(started, bring_in="bring_in" in VARIANTS[code].needs)
        self._player = {seat.seat: number for number, seat in enumerate(self._seats, 1)}
        self._bets = Bets({seat.seat: seat.stack for seat in self._seats})
        self._unit = Decimal(1).scaleb(-(opened.scale or 0))
        self._antes = dict.fromkeys(self._player, 0)
        self._blinds = dict.fromkeys(self._player, 0)
        self._won: Counter[int] = Counter()
        self._actions: list[str] = []
        self._over = False

    def lines(self) -> list[str]:
        for event in self._events:
            self._take(event)
        return list(self._fields())

    # --- the actions ------------------------------------------------------------------------------------------------

    def _take(self, event: Event) -> None:
        match event:
            case ForcedBetPosted():
                self._post(event)
            case CardDealt():
                self._deal(event)
            case BoardDealt(rabbit=False):
                self._bets.next_street()
                self._actions.append(f"d db {''.join(map(face, event.cards))}")
            case PlayerActed():
                self._act(event)
            case CardsDiscarded() if event.seat in self._player:
                self._bets.next_street()
                cards = "".join(map(face, event.cards))
                self._actions.append(f"p{self._player[event.seat]} sd {cards}".rstrip())
            case CardsShown() if event.seat in self._player:
                cards = "".join(map(face, event.cards))
                self._actions.append(f"p{self._player[event.seat]} sm {cards or '-'}")
            case CardsReleased() if event.seat in self._player:
                self._actions.append(f"p{self._player[event.seat]} sm")
            case PotAwarded() if event.seat in self._player:
                self._won[event.seat] += event.amount
            case ChipsReturned() if event.seat in self._player:
                self._bets.take_back(event.seat, event.amount)
            case HandEnded():
                self._over = True

    def _post(self, event: ForcedBetPosted) -> None:
        seat, amount = event.seat, event.amount
        if seat not in self._player:
            return
        self._bets.post(seat, amount, dead=event.kind in DEAD)
        if event.kind == "bring_in":
            self._actions.append(f"p{self._player[seat]} pb")
        elif event.kind == "ante":
            self._antes[seat] += amount
        elif event.kind == "missed_blind":
            self._blinds[seat] = -amount
        elif event.kind != "dead_blind":
            # A blind that is all-in for less is written whole: the stack says how much of it there was.
            whole = {"small_blind": self._stakes.small_blind, "big_blind": self._stakes.big_blind}.get(event.kind, 0)
            self._blinds[seat] = max(amount, whole) if event.all_in else amount

    def _deal(self, event: CardDealt) -> None:
        player = self._player.get(event.seat)
        if player is None:
            return
        head = f"d dh p{player} "
        if self._actions and self._actions[-1].startswith(head):
            self._actions[-1] += event.card
        else:
            if self._actions and not self._actions[-1].startswith("d dh"):
                self._bets.next_street()
            self._actions.append(head + event.card)

    def _act(self, event: PlayerActed) -> None:
        player = self._player.get(event.seat)
        if player is None:
            return
        if event.action == "fold":
            self._bets.fold(event.seat)
            self._actions.append(f"p{player} f")
            return
        self._bets.bet(event.seat, event.amount)
        if event.action in ("check", "call"):
            self._actions.append(f"p{player} cc")
        else:
            self._actions.append(f"p{player} cbr {self._money(self._bets.street[event.seat])}")

    # --- the fields -------------------------------------------------------------------------------------------------

    def _fields(self) -> Iterator[str]:
        needs = VARIANTS[self._variant].needs
        stakes = self._stakes
        yield f"variant = {_text(self._variant)}"
        yield f"antes = {self._row(self._antes)}"
        if "blinds_or_straddles" in needs:
            yield f"blinds_or_straddles = {self._row(self._blinds)}"
        if "bring_in" in needs:
            yield f"bring_in = {self._money(stakes.bring_in)}"
        if self._limit:
            yield f"small_bet = {self._money(stakes.small_bet)}"
            yield f"big_bet = {self._money(stakes.big_bet)}"
        else:
            yield f"min_bet = {self._money(stakes.small_bet or stakes.big_blind)}"
        stacks = ["inf" if seat.stack is None else self._money(seat.stack) for seat in self._seats]
        yield f"starting_stacks = [{', '.join(stacks)}]"
        yield f"actions = [{', '.join(map(_text, self._actions))}]"
        yield from self._about()
        yield from self._result()

    def _about(self) -> Iterator[str]:
        started, opened = self._started, self._opened
        yield f"hand = {_text(started.hand_id)}"
        yield f"seats = [{', '.join(str(seat.seat) for seat in self._seats)}]"
        yield f"seat_count = {opened.max_seats}"
        if any(seat.player_id is not None for seat in self._seats):
            yield f"players = [{', '.join(_text(seat.player_id or '') for seat in self._seats)}]"
        at = opened.at
        yield f"year = {at.year}\nmonth = {at.month}\nday = {at.day}\ntime = {at:%H:%M:%S}\ntime_zone = {_text('UTC')}"
        if opened.currency:
            yield f"currency = {_text(opened.currency)}"
        if opened.location:
            yield f"venue = {_text(opened.location)}"

    def _result(self) -> Iterator[str]:
        if not self._over or not self._won:
            return
        if all(left is not None for left in self._bets.stack.values()):
            ends = {seat: (left or 0) + self._won[seat] for seat, left in self._bets.stack.items()}
            yield f"finishing_stacks = {self._row(ends, reverse=False)}"
        else:
            yield f"winnings = {self._row(dict.fromkeys(self._player, 0) | self._won, reverse=False)}"

    def _row(self, amounts: dict[int, int], *, reverse: bool = True) -> str:
        row = [self._money(amounts[seat.seat]) for seat in self._seats]
        if reverse and len(row) == 2:
            row.reverse()  # by the format's rule, small blind first: heads-up that is the last player
        return f"[{', '.join(row)}]"

    def _money(self, chips: int) -> str:
        return f"{chips * self._unit:f}"


def _in_order(started: HandStarted, *, bring_in: bool) -> list[HandSeat]:
    """The seats in the order of play: clockwise from the left of the button, which is the last; in stud as told."""
    seats = [seat for seat in started.seats if seat.entitled]
    if len(seats) < 2:
        raise NotInPhhError("fewer than two players")
    if bring_in or started.button_seat is None:
        return seats
    seats.sort(key=lambda seat: seat.seat)
    return [s for s in seats if s.seat > started.button_seat] + [s for s in seats if s.seat <= started.button_seat]


def _text(value: str) -> str:
    """A TOML basic string."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _lost(events: Sequence[Event], text: str, scale: int) -> Counter[str]:
    """What does not come back when the text is read again: types of events, or fields of a type (`card_dealt.back`)."""
    try:
        hand = hand_of(Section("", 1, text.encode()).fields(), "1")
        told = [event for event in convert(hand, "t") if event.hand_id is not None]
    except BrokenHandError:
        return Counter(event.type for event in events)
    unit = 10 ** (scale - hand.scale)  # a hand whose amounts are whole is told in whole chips
    lost: Counter[str] = Counter()
    for kind in {event.type for event in events}:
        theirs = [_essence(event, unit) for event in told if event.type == kind]
        for number, ours in enumerate(_essence(event, 1) for event in events if event.type == kind):
            lost.update(_missing(kind, ours, theirs[number] if number < len(theirs) else None))
    return lost


def _missing(kind: str, ours: dict[str, Any], theirs: dict[str, Any] | None) -> Iterator[str]:
    if theirs is None:
        yield kind
    elif ours != theirs:
        yield from (f"{kind}.{name}" for name, value in ours.items() if theirs.get(name) != value)


def _essence(event: Event, unit: int) -> dict[str, Any]:
    """What an event says, without where it stands; the seats in one order, its chips in the other scale."""
    told = said(event, without={"type", "table_id", "seq", "at", "source", "v"})
    if "amount" in told:
        told["amount"] *= unit
    if "seats" in told:
        seats = sorted(told["seats"], key=lambda seat: seat["seat"])
        told["seats"] = [{**seat, "stack": seat["stack"] and seat["stack"] * unit} for seat in map(_stacked, seats)]
    return told


def _stacked(seat: dict[str, Any]) -> dict[str, Any]:
    return {"stack": None, **seat}


def sections(hands: Iterable[tuple[TableOpened, list[Event]]]) -> Iterator[Written | NotInPhhError]:
    """The hands, one after the other, as a `.phhs` file has them; what cannot be written in its place."""
    number = 0
    for opened, events in hands:
        try:
            written = write(opened, events, number + 1)
        except NotInPhhError as refused:
            yield refused
            continue
        number += 1
        yield written
