"""A hand told as events of the contract.

The events carry what the file says and what follows from it, nothing more: no burns, no order of the deal, no backs.
`observes` says so, for silence must not be taken for evidence.
"""

from __future__ import annotations

from collections.abc import Callable

from auditor.events import CardsReleased, Event, HandSeat, TableClosed, TableOpened
from auditor.feeds.pokerstars.cards import Known
from auditor.feeds.pokerstars.ending import reported, settled_outside, splash_of
from auditor.feeds.pokerstars.hand import Hand
from auditor.feeds.pokerstars.lines import Line
from auditor.feeds.pokerstars.setting import big_blind_seat, dealt_in, game_of, stakes_of
from auditor.feeds.telling import BrokenHandError, Forced, Script, Telling


def convert(hand: Hand, table_id: str) -> list[Event]:
    """The hand as the events of a table of its own, in order.

    Raises `BrokenHandError` where its parts contradict each other.
    """
    return _Converting(hand, table_id).events()


# Lines in which a player must have had a turn, so that a hand of nothing but blinds takes no more than its length.
_LONGEST_ROUND = 500


class _Converting:
    """One hand on its way into events. Players are told by their seats."""

    def __init__(self, hand: Hand, table_id: str) -> None:
        self._hand = hand
        self._lines = hand.lines
        self._game = game_of(hand)
        self._in = dealt_in(hand)
        self._known = Known(hand, self._game)
        self._script = Script(table_id, hand.header.at)
        seats = [
            HandSeat(seat=each.seat, player_id=each.name, stack=each.stack, entitled=each.seat in self._in)
            for each in hand.players
        ]
        self._telling = Telling(self._script, hand.header.hand_id, self._game, seats)
        self._bets = self._telling.bets
        self._away = {each.seat for each in hand.players if each.away}
        for each in hand.players:
            if each.seat not in self._in:
                self._bets.fold(each.seat)
        self._stakes = stakes_of(hand)
        self._big_blind_seat = big_blind_seat(hand)
        self._splash = splash_of(hand)
        self._at_run_it_once = hand.header.room == "Run It Once Poker"
        self._returns_told = any(line.verb == "uncalled" for line in self._lines)
        self._winners = {line.seat for line in self._lines if line.verb == "wins"}
        self._showing = {line.seat for line in self._lines if line.verb == "show"}
        self._won = dict.fromkeys(self._bets.stack, 0)
        self._shown: set[int] = set()
        self._mucked: set[int] = set()
        self._betting = True  # chips may lie in front of the players
        self._raised = False  # somebody has bet, raised or completed
        self._small_blind_told = False
        self._river_told = False  # stud's last card: told with everybody's
        self._streets = 0  # streets and draws told, the first one not counted
        self._showdown = 0  # which board's, where it is run more than once

    def events(self) -> list[Event]:
        header = self._hand.header
        opened = self._script.tell(
            TableOpened,
            game=self._game.name,
            betting=header.betting,
            stakes=self._stakes,
            max_seats=self._hand.max_seats,
            location=" · ".join(filter(None, (header.room, self._hand.table))),
            currency=header.currency,
            scale=header.money.scale,
        )
        if not self._hand.players:
            return self._script.events()
        self._start()
        for place, line in enumerate(self._lines):
            self._tell(line, place)
        ended = self._finish()
        opened["observes"] = self._telling.observes(awards=ended)
        return self._script.events()

    def _start(self) -> None:
        button = self._hand.button if self._game.button else None
        small = next((line.seat for line in self._lines if line.verb == "small_blind"), None)
        self._telling.start(
            button_seat=button,
            small_blind_seat=small,
            big_blind_seat=self._big_blind_seat,
            splash=self._splash,
            bomb_pot=any(line.verb == "bomb_pot" for line in self._lines),
        )

    def _tell(self, line: Line, place: int) -> None:
        if (tell := _TELLERS.get(line.verb)) is not None:
            tell(self, line)
        elif (tell_at := _TELLERS_AT.get(line.verb)) is not None:
            tell_at(self, line, place)

    # --- forced bets ------------------------------------------------------------------------------------------------

    def _post(self, line: Line, place: int) -> None:
        kind = _POSTS[line.verb]
        amount = line.amount
        match line.verb:
            case "both_blinds":
                self._post_both(line)
                return
            case "straddle_to":  # with what the player has posted already
                amount = max(0, amount - self._bets.street[line.seat])
            case "big_blind" if line.seat != self._big_blind_seat:
                kind = "missed_blind"
            case "small_blind" if self._small_blind_told:
                kind = "missed_blind" if self._calls_the_rest(line, place) else "dead_blind"
            case "blind":
                live = amount == self._stakes.big_blind or self._calls_the_rest(line, place)
                kind = "missed_blind" if live else "dead_blind"
        self._small_blind_told = self._small_blind_told or line.verb == "small_blind"
        self._telling.post(line.seat, kind, amount)

    def _post_both(self, line: Line) -> None:
        """Both blinds of one who comes back: the big one is live, the small one dead."""
        live = min(line.amount, self._stakes.big_blind)
        self._telling.post(line.seat, "dead_blind", line.amount - live)
        self._telling.post(line.seat, "big_blind" if line.seat == self._big_blind_seat else "missed_blind", live)

    def _calls_the_rest(self, post: Line, place: int) -> bool:
        """Whether a blind that was posted late counts as a bet: the player then calls what it lacks."""
        level = self._stakes.big_blind
        for line in self._lines[place + 1 : place + _LONGEST_ROUND]:
            if line.verb in ("raise", "bet", "straddle", "straddle_to"):
                level = max(level, line.amount)
            if line.seat == post.seat and line.verb in ("fold", "check", "call", "raise"):
                return line.verb == "call" and line.amount == level - post.amount
        return False

    # --- cards ------------------------------------------------------------------------------------------------------

    def _deal(self, _: Line) -> None:
        """The first cards of all players. In stud each player's are told in a line of their own."""
        if self._game.button:
            for seat in self._clockwise():
                self._telling.deal(seat, self._known.first(seat))

    def _street(self, line: Line) -> None:
        """A street of stud, or a board."""
        if line.verb == "street" and line.number == 3:
            return
        self._gather()
        self._streets += 1
        if line.cards or self._game.has_board:
            self._telling.deal_board(line.cards or self._untold(line), board=max(1, line.number))
        elif line.verb == "river":
            self._river_told = True
            for seat in self._clockwise():
                if seat in self._bets.live:
                    self._telling.deal(seat, [self._known.river(seat)])

    def _untold(self, line: Line) -> tuple[str, ...]:
        """The cards of a street whose brackets the room's programs left empty: the summary has them."""
        summary = self._hand.summary
        run = max(1, line.number)
        board = summary.boards[run - 1] if summary is not None and run <= len(summary.boards) else ()
        cards = board[_ON_BOARD[line.verb]] if len(board) == self._game.board_through[-1] else ()
        if not cards:
            raise BrokenHandError("no cards are told for the board", line.line)
        return cards

    def _dealt(self, line: Line) -> None:
        """Stud's cards; in other games they are told with everybody's, or with what was thrown away for them."""
        if self._game.button or self._river_told:
            return
        held = self._telling.dealt[line.seat]
        cards = line.cards
        if held == 0 and len(cards) == 1:
            cards = (*self._known.down(line.seat), *cards)
        self._telling.deal(line.seat, cards)

    def _draw(self, line: Line, place: int) -> None:
        self._gather()
        garbled = self._hand.cards_garbled
        self._telling.discard(line.seat, () if garbled else line.cards, line.number)
        if line.number:
            self._telling.deal(line.seat, self._known.drawn(line, place), draw=True)

    def _show(self, line: Line) -> None:
        self._gather()
        if line.seat not in self._shown:
            self._shown.add(line.seat)
            self._telling.show(line.seat, line.cards)

    def _muck(self, line: Line) -> None:
        """Nothing where the hand is shown too, or wins: some programs say so of every hand that nobody had to show."""
        self._gather()
        if line.seat not in self._mucked | self._showing | self._winners:
            self._mucked.add(line.seat)
            self._telling.muck(line.seat)

    def _clockwise(self) -> list[int]:
        """The seats that are in the hand, from the left of the button."""
        seats = sorted(self._in)
        button = self._hand.button or 0
        return [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]

    # --- betting ----------------------------------------------------------------------------------------------------

    def _act(self, line: Line) -> None:
        self._betting = True
        bets, seat = self._bets, line.seat
        if line.verb == "fold":
            self._fold(seat)
            return
        if line.verb == "check":
            # Run It Once has a player check who has nothing left to play with.
            if not (self._at_run_it_once and bets.all_in(seat)):
                self._telling.act(seat, "check")
            return
        amount = line.amount
        name = line.verb
        if name == "raise":
            amount = self._raised_to(line) - bets.street[seat]
            if amount <= 0:
                raise BrokenHandError(f"a raise to what seat {seat} has in already", line.line)
            if not self._game.button and not self._streets and not self._raised:
                name = "complete"
        self._raised = self._raised or name != "call"
        self._telling.act(seat, name, amount, all_in=line.all_in)

    def _raised_to(self, line: Line) -> int:
        """What a raise makes it on this street.

        Of a player who raises again, Run It Once told at first what he adds: the call that follows shows it.
        """
        before = self._bets.street[line.seat]
        if self._at_run_it_once and before:
            later = self._lines[self._lines.index(line) + 1 :]
            after = next((each for each in later if each.verb != "fold"), line)
            if after.verb == "call" and self._bets.street[after.seat] + after.amount == before + line.amount:
                return before + line.amount
        return line.amount

    def _fold(self, seat: int) -> None:
        # Who sits out has his hand folded when it is his turn, also when a blind took his last chips: then it is no act
        # of his, and the room takes his cards.
        if seat in self._away and self._bets.all_in(seat):
            self._bets.fold(seat)
            self._telling.tell(CardsReleased, seat=seat, manner="killed_by_dealer")
        else:
            self._telling.fold(seat)

    def _uncalled(self, line: Line) -> None:
        # A room that splashed the pot counts its own chips among those that come back.
        amount = min(line.amount, self._room()) if self._splash else line.amount
        self._telling.give_back(line.seat, amount)

    def _gather(self, *_: object) -> None:
        """A round of betting is over. Older files do not tell what nobody called: it goes back all the same."""
        if not self._betting:
            return
        self._betting = False
        if not self._returns_told:
            seat, amount = self._bets.uncalled()
            self._telling.give_back(seat, min(amount, self._room()))
        self._bets.next_street()

    def _room(self) -> int:
        """How much can have gone back, by the pot that the summary tells."""
        summary = self._hand.summary
        pot = summary.pot if summary is not None else None
        return self._bets.pot if pot is None else max(0, self._bets.pot + self._splash - pot)

    # --- the end ----------------------------------------------------------------------------------------------------

    def _at_showdown(self, line: Line) -> None:
        self._gather()
        self._showdown = line.number

    def _wins(self, line: Line) -> None:
        self._gather()
        self._award(line.seat, line.amount, pot=line.number, board=self._showdown)

    def _award(self, seat: int, amount: int, *, pot: int = 0, board: int = 0) -> None:
        self._won[seat] += amount
        self._telling.award(seat, amount, pot=pot, board=board)

    def _finish(self) -> bool:
        """The result, and the end if the hand has one; true where the awards are known."""
        summary = self._hand.summary
        if any(line.verb == "cancelled" for line in self._lines):
            self._telling.end(cancelled=True)
            self._script.tell(TableClosed)
            return False
        if summary is None or not summary.whole:
            return False
        self._gather()
        self._award_from_summary()
        if not self._telling.awarded:
            return False  # the summary breaks off before it tells who won
        self._telling.rake(summary.rake)
        self._telling.rake(summary.jackpot, "jackpot")
        self._telling.rake(summary.fees, "fee")
        self._telling.end(reported=reported(self._hand, self._bets, self._won, self._showdown))
        for model, fields in settled_outside(self._hand):
            self._script.tell(model, **fields)
        self._script.tell(TableClosed)
        return True

    def _award_from_summary(self) -> None:
        """What no line above told: a pot whose winner had cashed out, or all of them."""
        assert self._hand.summary is not None
        for seat, told in self._hand.summary.seats.items():
            if told.won and (told.not_awarded or not self._winners):
                self._award(seat, max(0, told.won - self._won[seat]))


#: A street's cards among those of the board.
_ON_BOARD = {"flop": slice(0, 3), "turn": slice(3, 4), "river": slice(4, 5)}

#: The forced bets in the contract's words, as far as the line alone tells.
_POSTS: dict[str, Forced] = {
    "ante": "ante",
    "small_blind": "small_blind",
    "big_blind": "big_blind",
    "both_blinds": "missed_blind",
    "button_blind": "big_blind",  # the only blind of a game that is played with one
    "straddle": "straddle",
    "straddle_to": "straddle",
    "blind": "missed_blind",  # of one who has missed some: which one, and whether it is a bet, is not told
    "dead_blind": "dead_blind",
    "bring_in": "bring_in",
}

_TELLERS: dict[str, Callable[[_Converting, Line], None]] = {
    **dict.fromkeys(("fold", "check", "call", "bet", "raise"), _Converting._act),
    **dict.fromkeys(("flop", "turn", "river", "street"), _Converting._street),
    "deal": _Converting._deal,
    "dealt": _Converting._dealt,
    "draw": _Converting._gather,
    "uncalled": _Converting._uncalled,
    "showdown": _Converting._at_showdown,
    "show": _Converting._show,
    "muck": _Converting._muck,
    "wins": _Converting._wins,
}
#: What is told by looking at the lines around as well.
_TELLERS_AT: dict[str, Callable[[_Converting, Line, int], None]] = {
    **dict.fromkeys(_POSTS, _Converting._post),
    "discard": _Converting._draw,
}
