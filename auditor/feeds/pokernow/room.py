"""A log told as one table: who sits down, buys in, stands up and leaves, and hand after hand.

What is told of a hand depends on nothing behind it, so that a log that has grown begins with the same events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import NamedTuple

from auditor.events import (
    Betting,
    ChipsBought,
    ChipsCashed,
    ChipsReason,
    Event,
    GameName,
    HandSeat,
    PlayerLeft,
    PlayerReturned,
    PlayerSatOut,
    PlayerSeated,
    Stakes,
    TableOpened,
)
from auditor.feeds.chips import chips
from auditor.feeds.pokernow.entries import Entry, entry_of, seats_in
from auditor.feeds.pokernow.hand import AFTERWARDS, OF_A_HAND, Start, TellHand, Told, game_of, stakes_of
from auditor.feeds.pokernow.rows import Row
from auditor.feeds.streams import KEPT
from auditor.feeds.telling import BrokenHandError, Script
from auditor.house import HouseRules

#: What a log shows. The button is seen, too, but where it goes when players came in is the software's own rule.
OBSERVES = ("seating", "buy_ins", "stacks", "betting", "awards")

#: The owner of a game lets players buy in for what they like, and asks of those who come back what the owner likes.
_HOUSE = HouseRules(buy_in_big_blinds=0, limit_buy_in_bets=0, missed_blinds=False, odd_chip="any")

_MAX_SEATS = 10
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Broken(NamedTuple):
    """Rows that could not be told, and why."""

    line: int
    raw: bytes
    reason: str


@dataclass(slots=True)
class _Part:
    """A hand with what comes before the next one; the first one also with what comes before it."""

    before: list[Told] = field(default_factory=list)  # before the cards: who came, who left
    hand: list[Told] = field(default_factory=list)
    after: list[Told] = field(default_factory=list)  # told while it was played, or behind its end
    start: Told | None = None
    ended: datetime | None = None
    rows: list[Row] = field(default_factory=list)  # from its first to its end
    broken: BrokenHandError | None = None
    loose: list[Broken] = field(default_factory=list)  # rows between the hands that were not understood


class _Purchase(NamedTuple):
    amount: int
    reason: ChipsReason


class Room:
    """One log on its way into events."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self.table_id = _table_id(rows)
        self._seq = 1
        self._clock = _EPOCH
        self._opened: tuple[GameName, Betting, Stakes] | None = None
        self._scale = 0
        self._stakes = Stakes()
        self._ids = _Ids()
        self._seat_of: dict[str, int] = {}
        self._stack: dict[str, int | None] = {}
        self._joining: dict[str, list[_Purchase]] = {}
        self._last: tuple[int, dict[int, str]] | None = None  # the last hand: its number, and who sat where
        self._stopped = False  # where the button goes when a game is taken up again is not said

    def tell(self) -> Iterator[Event | Broken]:
        """The log's events in order, and rows that could not be told in the place where they are missing."""
        for part, last in _with_last(_parts(self._rows)):
            if part.start is not None:
                try:
                    yield from self._part(part, last=last)
                except BrokenHandError as broken:
                    yield _refused(part, broken)
                    self._forget()
            yield from part.loose
            if part.loose or (part.ended is None and not last):
                self._forget()

    def _forget(self) -> None:
        """Something is missing: nothing follows from what was known, and the table is opened anew."""
        self._opened, self._last = None, None
        self._seat_of, self._stack, self._joining = {}, {}, {}

    # --- a hand and what is around it -------------------------------------------------------------------------------

    def _part(self, part: _Part, *, last: bool) -> list[Event]:
        assert part.start is not None
        for told in (*part.before, *part.hand, *part.after):
            if told.entry.kind == "id":
                self._ids.change(told.entry)
        if part.broken is not None:
            raise part.broken
        seated = next((told for told in part.hand if told.entry.kind == "stacks"), None)
        if seated is None:
            if last and not part.hand:
                return []  # the log ends before the hand has begun
            raise BrokenHandError("no row says who is in the hand", part.start.line)
        if self._last is not None and int(part.start.entry.amount) != self._last[0] + 1:
            self._forget()  # hands are missing
        scale, clock, stakes = self._scale, self._clock, self._stakes
        if not scale and any(map(_has_decimals, (*part.before, *part.hand, *part.after))):
            self._scale, self._stakes = 2, Stakes()
            self._forget()
        script = Script(self.table_id, clock, seq=self._seq)
        try:
            self._play(script, part, part.start, seated)
            events = script.events()
        except BrokenHandError:
            self._scale, self._clock, self._stakes = scale, clock, stakes
            raise
        self._seq += len(events)
        return events

    def _play(self, script: Script, part: _Part, first: Told, stacks: Told) -> None:
        start = self._start(part, first, stacks)
        if self._opened is None:
            self._open(script, start, part)
        for told in part.before:
            self._around(script, told)
        names = {seat.seat: seat.player_id or "" for seat in start.seats}
        seat_of = {self._ids.of(seated.who): seated.seat for seated in seats_in(stacks.entry.to)}
        self._take_seats(script, seat_of, names, stacks)
        hand = TellHand(script, start, lambda who: seat_of.get(self._ids.of(who)), self._scale)
        assert self._opened is not None
        hand.begin(part.hand, self._at(stacks.at), self._opened, whole=part.ended is not None)
        for told in part.hand:
            hand.tell(told._replace(at=self._at(told.at)))
        self._seat_of.update(seat_of)
        self._stack.update({player: hand.stacks[seat] for player, seat in seat_of.items()})
        self._last, self._stopped = (int(start.number), names), False
        if part.ended is not None:
            hand.end(self._at(part.ended))
            for told in part.after:
                self._around(script, told)

    def _start(self, part: _Part, first: Told, stacks: Told) -> Start:
        game, betting = game_of(first.entry.to)
        self._stakes = stakes_of(
            [told.entry for told in part.hand if told.entry.kind in _STAKES], self._stakes, self._scale
        )
        seated = seats_in(stacks.entry.to)
        seats = tuple(
            HandSeat(seat=each.seat, player_id=self._ids.name(each.who), stack=chips(each.stack, self._scale))
            for each in seated
        )
        numbers = [seat.seat for seat in seats]
        if len(seats) < 2 or len(set(numbers)) < len(numbers) or max(numbers) > 100:
            raise BrokenHandError("the seats contradict each other", stacks.line)
        dealer = self._ids.of(first.entry.who) if first.entry.who else ""
        by_player = {self._ids.of(each.who): each.seat for each in seated}
        button = by_player.get(dealer, self._seat_of.get(dealer))
        observes = OBSERVES if self._awarded(part) else tuple(each for each in OBSERVES if each != "awards")
        came = {
            self._ids.of(told.entry.who) for told in part.before if told.entry.kind == "join"
        } | self._joining.keys()
        if button is not None and not came & by_player.keys() and self._steady(seats):
            observes = (*observes, "button")
        return Start(first.entry.amount, game, betting, self._stakes, button, seats, observes)

    def _awarded(self, part: _Part) -> bool:
        """Whether the awards are seen. A hand that goes on where the log ends is not known to have none."""
        return part.ended is None or any(told.entry.kind == "collect" for told in part.hand)

    def _steady(self, seats: Sequence[HandSeat]) -> bool:
        """Whether nobody came in since the last hand: then the rules say where the button goes."""
        if self._last is None or self._stopped:
            return False
        before = self._last[1]
        return all(before.get(seat.seat) == seat.player_id for seat in seats)

    def _open(self, script: Script, start: Start, part: _Part) -> None:
        first = (part.before or part.hand)[0]
        self._opened = (start.game, start.betting, start.stakes)
        script.tell(
            TableOpened,
            at=self._at(first.at),
            game=start.game,
            betting=start.betting,
            stakes=start.stakes,
            max_seats=max(_MAX_SEATS, *(seat.seat for seat in start.seats)),
            observes=OBSERVES,
            house_rules=_HOUSE,
            location="PokerNow",
            scale=self._scale,
        )

    def _at(self, at: datetime) -> datetime:
        """The time of a row; never before the one that was told last."""
        self._clock = max(at, self._clock)
        return self._clock

    # --- between the hands ------------------------------------------------------------------------------------------

    def _around(self, script: Script, told: Told) -> None:
        entry, at = told.entry, self._at(told.at)
        player = self._ids.of(entry.who)
        seat = self._seat_of.get(player)
        if entry.kind == "join":
            self._joining[player] = [_Purchase(self._chips(entry.amount), "purchase")]
        elif entry.kind == "update":
            self._adjust(script, player, self._chips(entry.to) - self._chips(entry.amount), at)
        elif entry.kind in ("small", "big"):
            name = f"{entry.kind}_blind"
            self._stakes = replace(self._stakes, **{name: self._chips(entry.to)})
        elif entry.kind == "stop":
            self._stopped = True
        elif entry.kind == "bounty_paid":
            amount = self._chips(entry.amount)
            self._pay(script, player, -amount, "bounty", at)
            self._pay(script, self._ids.of(entry.to), amount, "bounty", at)
        elif entry.kind == "quit":
            self._joining.pop(player, None)
            if seat is not None:
                self._pay(script, player, -self._chips(entry.amount), "purchase", at)
                script.tell(PlayerLeft, at=at, seat=seat)
                del self._seat_of[player]
        elif seat is not None and entry.kind == "stand":
            script.tell(PlayerSatOut, at=at, seat=seat)
        elif seat is not None and entry.kind == "sit":
            script.tell(PlayerReturned, at=at, seat=seat)
        elif seat is not None and entry.kind == "rebuy":
            have = self._stack.get(player) or 0
            self._pay(script, player, self._chips(entry.amount) - have, "purchase", at, buy_in=not have)

    def _chips(self, text: str) -> int:
        return chips(text, self._scale)

    def _adjust(self, script: Script, player: str, amount: int, at: datetime) -> None:
        if player in self._joining:  # has no seat yet
            self._joining[player].append(_Purchase(amount, "adjustment"))
        else:
            self._pay(script, player, amount, "adjustment", at)

    def _pay(
        self, script: Script, player: str, amount: int, reason: ChipsReason, at: datetime, *, buy_in: bool = False
    ) -> None:
        """Chips come to a seat, or leave it where they are less than none."""
        seat = self._seat_of.get(player)
        if seat is None or not amount:
            return
        if amount > 0:
            kind = "buy_in" if buy_in else "add_on"
            script.tell(ChipsBought, at=at, seat=seat, kind=kind, amount=amount, reason=reason)
        else:
            script.tell(ChipsCashed, at=at, seat=seat, amount=-amount, reason=reason)
        have = self._stack.get(player)
        self._stack[player] = None if have is None else have + amount

    def _take_seats(self, script: Script, seat_of: dict[str, int], names: dict[int, str], stacks: Told) -> None:
        """Players who joined, now that their seats are known."""
        at = self._at(stacks.at)
        for player in [each for each in self._joining if each in seat_of]:
            seat = self._seat_of[player] = seat_of[player]
            self._stack[player] = 0
            script.tell(PlayerSeated, at=at, seat=seat, player_id=names[seat])
            for purchase in self._joining.pop(player):
                self._pay(script, player, *purchase, at, buy_in=purchase.reason == "purchase")


#: What tells the stakes.
_STAKES = ("small_blind", "big_blind", "ante", "bomb")


class _Ids:
    """Players by their ids: names change, and ids do when somebody logs in."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}  # an id, and the one that the player had first
        self._names: dict[str, str] = {}

    def of(self, who: str) -> str:
        """The id that stands for a player as written, `Ada @ x1`."""
        own = who.rpartition(" @ ")[2]
        return self._first.get(own, own)

    def name(self, who: str) -> str:
        """A player's name with its id, as it was first written."""
        return self._names.setdefault(self.of(who), who)

    def change(self, entry: Entry) -> None:
        """A player has another id from now on."""
        old, new = entry.amount, entry.to
        if old != new:
            self._first.setdefault(new, self._first.get(old, old))


# --- a log in parts -------------------------------------------------------------------------------------------------


def _parts(rows: Iterable[Row]) -> Iterator[_Part]:
    """A log's hands in order, each with what is around it."""
    part = _Part()
    at = _EPOCH
    for row in rows:
        at = row.at or at
        entry, broken = _read(row)
        starts = row.text.startswith("-- starting hand ")
        lost = not starts and entry is not None and _lies_outside(part, entry.kind)
        if starts or lost:
            yield part
            before = part.before if part.start is None else []
            part = _Part(before=before, start=Told(row.line, at, entry or Entry("start")))
            broken = broken or (BrokenHandError("the row that starts this hand is missing", row.line) if lost else None)
        if part.start is not None and part.ended is None:
            part.rows.append(row)
        if broken is not None:
            _add_broken(part, row, broken)
        elif entry is not None and not starts:
            _add(part, Told(row.line, at, entry))
    yield part


def _read(row: Row) -> tuple[Entry | None, BrokenHandError | None]:
    if row.broken is not None:
        return None, BrokenHandError(row.broken, row.line)
    try:
        return entry_of(row.text), None
    except BrokenHandError as broken:
        return None, None if row.cut else BrokenHandError(str(broken), row.line)


def _lies_outside(part: _Part, kind: str) -> bool:
    """A row of a hand, behind a hand's end: its own has no beginning."""
    return part.ended is not None and kind in OF_A_HAND and kind not in AFTERWARDS


def _add(part: _Part, told: Told) -> None:
    kind = told.entry.kind
    if kind not in OF_A_HAND:
        (part.after if part.hand else part.before).append(told)
    elif part.start is None:
        return  # the end of a hand that began before the log did
    elif kind == "end":
        part.ended = told.at
        if told.entry.amount != part.start.entry.amount:
            part.broken = part.broken or BrokenHandError("another hand ends than the one that began", told.line)
    elif part.hand or kind == "stacks":
        part.hand.append(told)
    else:
        part.broken = part.broken or BrokenHandError("no row says who is in the hand", told.line)


#: How rows begin that tell of the table, and of no hand.
_OF_THE_TABLE = ("The player ", "The admin ", "The game")


def _add_broken(part: _Part, row: Row, broken: BrokenHandError) -> None:
    if part.start is None or part.ended is not None or row.text.startswith(_OF_THE_TABLE):
        part.loose.append(Broken(row.line, row.raw, str(broken)))
    else:
        part.broken = part.broken or broken


def _refused(part: _Part, broken: BrokenHandError) -> Broken:
    """A hand as rows that could not be told."""
    line = broken.line or (part.start.line if part.start else 1)
    return Broken(line, b"\n".join(row.raw for row in part.rows)[:KEPT], str(broken))


def _with_last(parts: Iterable[_Part]) -> Iterator[tuple[_Part, bool]]:
    """Each part, and whether it is the last."""
    before: _Part | None = None
    for part in parts:
        if before is not None:
            yield before, False
        before = part
    if before is not None:
        yield before, True


def _table_id(rows: Sequence[Row]) -> str:
    """A log's name, of its oldest row: a log that has grown has the same."""
    oldest = next((row for row in rows if row.broken is None), rows[0])
    key = f"{oldest.order}\n{oldest.at}\n{oldest.text}".encode() if oldest.text else oldest.raw
    return f"pokernow-{blake2b(key, digest_size=8).hexdigest()}"


def _has_decimals(told: Told) -> bool:
    entry = told.entry
    if entry.kind == "stacks":
        return any("." in seated.stack for seated in seats_in(entry.to))
    if entry.kind in ("update", "small", "big"):
        return "." in entry.amount or "." in entry.to
    return entry.kind != "id" and "." in entry.amount
