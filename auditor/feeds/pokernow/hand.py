"""One hand of a log, told as events of its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from auditor.events import Betting, GameName, HandSeat, Stakes
from auditor.feeds.chips import chips
from auditor.feeds.pokernow.entries import Entry
from auditor.feeds.telling import BrokenHandError, Script, Telling
from auditor.games import GAMES

#: What is told behind a hand's end and belongs to it: cards shown for curiosity, and bounties.
AFTERWARDS = ("show", "undealt")

_PLAYS = ("fold", "check", "call", "bet", "raise")
_POSTS = ("small_blind", "big_blind", "missed_small", "missed_big", "dead", "straddle", "ante", "bomb")
#: Every kind of entry that is part of a hand.
OF_A_HAND = frozenset((*_PLAYS, *_POSTS, "stacks", "board", "undealt", "uncalled", "collect", "show", "twice", "end"))

_STREETS = {"flop": 3, "turn": 1, "river": 1}


class Told(NamedTuple):
    """An entry with its place and its time."""

    line: int
    at: datetime
    entry: Entry


class Start(NamedTuple):
    """What a hand begins with."""

    number: str
    game: GameName
    betting: Betting
    stakes: Stakes
    button: int | None
    seats: tuple[HandSeat, ...]
    observes: tuple[str, ...]


def game_of(text: str) -> tuple[GameName, Betting]:
    """The game that a hand's first line names. Raises `BrokenHandError` where the contract has none such."""
    name = text.lower()
    betting: Betting = "pot_limit" if "pot limit" in name else "no_limit" if "no limit" in name else "limit"
    high_low = "hi/lo" in name or "8 or better" in name
    if "omaha" in name:
        if "6" in name.replace("8 or better", ""):
            game: GameName | None = None if high_low else "omaha6"
        elif "5" in name:
            game = "omaha5_hilo" if high_low else "omaha5"
        else:
            game = "omaha_hilo" if high_low else "omaha"
    elif "hold" in name:
        game = "short_deck" if "short" in name or "6+" in name else "holdem"
    else:
        game = None
    if game is None:
        raise BrokenHandError(f"no game of the event contract: {text[:60]!r}")
    return game, betting


def stakes_of(entries: Sequence[Entry], known: Stakes, scale: int) -> Stakes:
    """The stakes of a hand, by what is posted; of a player's last chips, as they were known."""
    whole = {each.kind: chips(each.amount, scale) for each in reversed(entries) if not each.all_in}
    bombs = [chips(each.amount, scale) for each in entries if each.kind == "bomb"]
    antes = [chips(each.amount, scale) for each in entries if each.kind == "ante"]
    return Stakes(
        small_blind=whole.get("small_blind", known.small_blind),
        big_blind=whole.get("big_blind", known.big_blind),
        ante=max(bombs or antes, default=0),
    )


class TellHand:
    """Tells one hand into a script. Raises `BrokenHandError` where its entries contradict each other."""

    def __init__(self, script: Script, start: Start, seat_of: Callable[[str], int | None], scale: int) -> None:
        self._telling = Telling(script, start.number, GAMES[start.game], start.seats)
        self._start = start
        self._seat_of = seat_of
        self._scale = scale
        self._bets = self._telling.bets
        self._boards: dict[tuple[str, int], tuple[str, ...]] = {}
        self._posted: set[tuple[int, str]] = set()
        self._named_board = False
        self._won: int | None = None  # all that is collected, where a bet that nobody called goes back without a word

    @property
    def stacks(self) -> Mapping[int, int | None]:
        """What the seats have now."""
        return self._bets.stack

    def begin(
        self, entries: Sequence[Told], at: datetime, table: tuple[GameName, Betting, Stakes], *, whole: bool
    ) -> None:
        """The hand's start. `table`: what is played at the table otherwise; `whole`: all of the hand is told."""
        start = self._start
        collected = [self._chips(told.entry) for told in entries if told.entry.kind == "collect"]
        if whole and collected and not any(told.entry.kind == "uncalled" for told in entries):
            self._won = sum(collected)
        posted = {told.entry.kind: self._seat(told.entry.who) for told in entries if told.entry.kind in _POSTS[:2]}
        self._named_board = any(told.entry.kind == "collect" and told.entry.board > 1 for told in entries)
        self._telling.at = at
        self._telling.start(
            button_seat=start.button,
            small_blind_seat=posted.get("small_blind"),
            big_blind_seat=posted.get("big_blind"),
            game=start.game if start.game != table[0] else None,
            betting=start.betting if start.betting != table[1] else None,
            stakes=start.stakes if start.stakes != table[2] else None,
            bomb_pot=any(told.entry.kind == "bomb" for told in entries),
            observes=start.observes,
        )

    def tell(self, told: Told) -> None:
        entry = told.entry
        self._telling.at = told.at
        try:
            self._tell(entry)
        except BrokenHandError as broken:
            raise BrokenHandError(str(broken), told.line) from None

    def end(self, at: datetime | None) -> None:
        self._telling.at = at
        self._telling.end()

    def _tell(self, entry: Entry) -> None:
        kind = entry.kind
        if kind in _POSTS:
            self._post(entry)
        elif kind in _PLAYS:
            self._act(entry)
        elif kind == "board":
            self._deal_board(entry)
        elif kind == "undealt":
            self._telling.deal_board(entry.cards, board=entry.board, rabbit=True)
        elif kind == "uncalled":
            self._telling.give_back(self._seat(entry.who), self._chips(entry))
        elif kind == "collect":
            self._gather()
            self._telling.award(
                self._seat(entry.who), self._chips(entry), board=entry.board if self._named_board else 0
            )
        elif kind == "show":
            self._telling.show(self._seat(entry.who), entry.cards)

    def _seat(self, who: str) -> int:
        seat = self._seat_of(who)
        if seat is None or seat not in self._bets.stack:
            raise BrokenHandError(f"{who[:60]!r} is not in the hand")
        return seat

    def _chips(self, entry: Entry) -> int:
        return chips(entry.amount, self._scale)

    # --- chips ------------------------------------------------------------------------------------------------------

    def _post(self, entry: Entry) -> None:
        seat, amount, kind = self._seat(entry.who), self._chips(entry), entry.kind
        if kind in ("small_blind", "big_blind"):
            self._posted.add((seat, kind))
            self._telling.post(seat, "small_blind" if kind == "small_blind" else "big_blind", amount)
        elif kind == "missed_small":
            # A blind that is posted anyway is told a second time as missed, and paid once.
            if (seat, "small_blind") not in self._posted:
                self._telling.post(seat, "dead_blind", amount)
        elif kind == "missed_big":
            if (seat, "big_blind") not in self._posted:
                live = max(0, amount - self._bets.street[seat])
                self._telling.post(seat, "missed_blind", live)
                self._telling.post(seat, "dead_blind", amount - live)
        elif kind == "dead":
            self._telling.post(seat, "dead_blind", amount)
        elif kind == "straddle":
            there = self._bets.street[seat]
            self._telling.post(seat, "straddle", amount - there if there < amount else amount)
        else:
            self._telling.post(seat, "ante", amount)

    def _act(self, entry: Entry) -> None:
        seat, kind = self._seat(entry.who), entry.kind
        if seat not in self._bets.live:
            raise BrokenHandError(f"{entry.who[:60]!r} acts, and has folded")
        if kind == "fold":
            self._telling.fold(seat)
        elif kind == "check":
            self._telling.act(seat, "check")
        else:
            # Every amount is what the player has put in on the street, not what this action adds.
            there = self._bets.street[seat]
            added = self._chips(entry) - there
            if added <= 0:
                raise BrokenHandError(f"{kind} of {entry.amount}, and {there} chips lie there already")
            self._telling.act(seat, kind, added, all_in=entry.all_in)

    def _gather(self) -> None:
        """The bets are gathered, without what nobody called, as far as the pot that is won leaves room."""
        if self._won is not None:
            seat, amount = self._bets.uncalled()
            self._telling.give_back(seat, min(amount, self._bets.pot - self._won))
        self._bets.next_street()

    # --- cards ------------------------------------------------------------------------------------------------------

    def _deal_board(self, entry: Entry) -> None:
        street, board = entry.who, entry.board
        if len(entry.cards) != _STREETS[street] or (street, board) in self._boards:
            raise BrokenHandError(f"{street} of {len(entry.cards)} cards")
        if board == 1:
            self._gather()
        self._boards[street, board] = entry.cards
        # What lay already when the board was run again is told again.
        if board == 1 or entry.cards != self._boards.get((street, 1)):
            self._telling.deal_board(entry.cards, board=board)
