"""A hand told as events of the contract: what the lines say, and of the rest what follows from it.

Older exports mark no streets. There the board lies where the betting is complete, with the cards that the summary
names. The rake is seldom told: it is what the winners of a cash game did not get.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from auditor.cards import UNREAD
from auditor.events import Event, HandSeat, TableClosed, TableOpened
from auditor.feeds.bovada.head import Head
from auditor.feeds.bovada.lines import Line
from auditor.feeds.bovada.result import result_of
from auditor.feeds.bovada.stakes import stakes_of
from auditor.feeds.telling import BrokenHandError, Forced, Script, Telling
from auditor.games import GAMES

_PLAYS = ("fold", "check", "call", "bet", "raise", "all_in", "bring_in")
_POSTS = ("small_blind", "big_blind", "ante", "post", "dead_post", "all_in")


def convert(head: Head, lines: Sequence[Line], table_id: str) -> list[Event]:
    """The hand as the events of a table of its own, in order.

    Raises `BrokenHandError` where its lines contradict each other.
    """
    return _Converting(head, lines, table_id).events()


class _Converting:
    """One hand on its way into events."""

    def __init__(self, head: Head, lines: Sequence[Line], table_id: str) -> None:
        self._head = head
        self._lines = lines
        self._game = GAMES[head.game]
        self._seat_of = {seat.label: seat.seat for seat in head.seats}
        self._stakes = stakes_of(head, lines)
        self._result = result_of(head, lines)
        self._script = Script(table_id, head.at)
        self._in = _dealt_in(head, lines)
        seats = [
            HandSeat(seat=seat.seat, player_id=seat.player, stack=seat.stack, entitled=seat.label in self._in)
            for seat in head.seats
        ]
        self._telling = Telling(self._script, head.hand_id, self._game, seats)
        self._bets = self._telling.bets
        for seat in head.seats:
            if seat.label not in self._in:
                self._bets.fold(seat.seat)
        self._marked = not self._game.has_board or any(line.verb == "board" for line in lines)
        self._playing = False  # the forced bets are in
        self._unread_dealt = False
        self._gathered = True
        self._brought_in = self._game.button  # stud: somebody has bet or completed
        self._shown: set[str] = set()
        self._antes = self._antes_are_posted()
        self._posted: set[str] = set()
        self._last: Line | None = None

    def events(self) -> list[Event]:
        opened = self._script.tell(TableOpened)
        self._start()
        for line in self._lines:
            self._tell(line)
        awards = self._result.ended and bool(self._result.awards)
        if self._result.ended:
            self._telling.end(reported=self._result.reported)
            self._script.tell(TableClosed)
        opened.update(self._table(), observes=self._observes(awards=awards))
        return self._script.events()

    def _table(self) -> dict[str, Any]:
        head = self._head
        return {
            "game": head.game,
            "betting": head.betting,
            "stakes": self._stakes,
            "max_seats": head.max_seats,
            "location": head.location,
            "currency": head.currency,
            "scale": head.scale,
        }

    def _observes(self, *, awards: bool) -> tuple[str, ...]:
        seen = set(self._telling.observes(awards=awards))
        dealt = [self._telling.cards[self._seat_of[label]] for label in self._in]
        # A seat that sits out gets no cards.
        if all(len(cards) >= self._game.starting_cards and UNREAD not in cards for cards in dealt):
            seen.add("hole_cards")
        return tuple(sorted(seen))

    def _start(self) -> None:
        posted = {
            line.verb: self._seat_of[line.who] for line in self._lines if line.verb in ("small_blind", "big_blind")
        }
        self._telling.start(
            button_seat=self._head.button if self._game.button else None,
            small_blind_seat=posted.get("small_blind") if self._game.button else None,
            big_blind_seat=posted.get("big_blind") if self._game.button else None,
        )

    # --- line by line -----------------------------------------------------------------------------------------------

    def _tell(self, line: Line) -> None:
        before, self._last = self._last, line
        if before is not None and before[1:] == line[1:] and self._is_told_twice(line):
            return
        try:
            self._tell_one(line)
        except BrokenHandError as broken:
            raise BrokenHandError(str(broken), line.number) from None

    def _is_told_twice(self, line: Line) -> bool:
        """Whether a line that is the same as the last one is a copy, as some exports hold them.

        Who closes a street may open the next one, and do the same again; where streets are marked, the mark is
        between.
        """
        new_street = not self._marked and self._bets.done() and len(self._bets.live) > 1
        return line.verb != "result" and (not new_street or line.verb == "fold" or line.verb not in _PLAYS)

    def _tell_one(self, line: Line) -> None:
        verb = line.verb
        if verb == "deal":
            self._deal(line)
        elif verb == "bring_in" or (verb == "big_blind" and not self._game.button):
            self._play()
            self._telling.post(self._seat_of[line.who], "bring_in", self._chips(line))
        elif not self._playing and verb in _POSTS:
            self._post(line)
        elif verb in _PLAYS:
            self._play()
            self._act(line)
        elif verb == "board":
            self._deal_board(line)
        elif verb == "return":
            self._telling.give_back(self._seat_of[line.who], self._chips(line))
        elif verb in ("show", "muck", "show_one"):
            self._show_down()
            self._show(line)
        elif verb == "result":
            self._show_down()
            self._award(line)
        elif verb in ("small_blind", "big_blind", "ante", "post", "dead_post"):
            raise BrokenHandError(f"{line.who} posts a forced bet in the middle of the hand")

    def _chips(self, line: Line) -> int:
        return self._head.chips(line.amount)

    # --- forced bets ------------------------------------------------------------------------------------------------

    def _post(self, line: Line) -> None:
        seat, amount, big = self._seat_of[line.who], self._chips(line), self._stakes.big_blind
        kind = self._kind(line)
        if kind == "ante":
            self._posted.add(line.who)
        if kind == "missed_blind":
            # What is more than the big blind is the small one, and dead.
            live = 0 if line.verb == "dead_post" and amount < big else min(amount, big or amount)
            self._telling.post(seat, "missed_blind", live)
            self._telling.post(seat, "dead_blind", amount - live)
        else:
            self._telling.post(seat, kind, amount)
        self._gathered = False

    def _kind(self, line: Line) -> Forced:
        """What a post is. All-in for it, its name is lost: it was the ante where that was still due, else a blind."""
        if line.verb in ("small_blind", "big_blind"):
            return "small_blind" if line.verb == "small_blind" else "big_blind"
        if line.verb == "ante" and self._antes:
            return "ante"
        if line.verb == "all_in" and self._antes and line.who not in self._posted:
            return "ante"
        if line.verb in ("post", "dead_post"):
            return "missed_blind"
        if line.who == "Small Blind" or (line.who == "Dealer" and "Small Blind" not in self._seat_of):
            return "small_blind"
        return "big_blind" if line.who == "Big Blind" else "missed_blind"

    def _antes_are_posted(self) -> bool:
        """Whether what is called an ante is one: one that a single player posts is a blind, unless another's is all he
        has."""
        posts = list(takewhile(lambda line: line.verb != "deal", self._lines))
        antes = {line.who for line in posts if line.verb == "ante"}
        several = len(antes) > 1 or any(line.verb == "all_in" for line in posts)
        return bool(antes) and (several or len(self._in) <= 1 or not self._game.button)

    # --- cards ------------------------------------------------------------------------------------------------------

    def _deal(self, line: Line) -> None:
        self._playing = True
        seat = self._seat_of[line.who]
        dealt = self._telling.dealt[seat]
        if self._game.button:
            if dealt:
                raise BrokenHandError(f"{line.who} is dealt a second hand")
            if len(line.cards) > self._game.starting_cards:
                raise BrokenHandError(f"{line.who} is dealt {len(line.cards)} cards")
        elif dealt:
            self._gather()
        self._telling.deal(seat, line.cards)

    def _deal_unread(self) -> None:
        """Some exports tell the cards of those who show them only: the others have some, too."""
        if not self._playing or self._unread_dealt or not self._game.button:
            return
        self._unread_dealt = True
        for label, seat in self._seat_of.items():
            if label in self._in and not self._telling.dealt[seat]:
                self._telling.deal(seat, [UNREAD] * self._game.starting_cards)

    def _deal_board(self, line: Line) -> None:
        self._deal_unread()
        self._playing = True
        expected = 3 if self._telling.board == 0 else 1
        if not self._game.has_board or len(line.cards) != expected or self._telling.board >= 5:
            raise BrokenHandError(f"{len(line.cards)} cards on a board of {self._telling.board}")
        self._gather()
        self._telling.deal_board(line.cards)

    def _next_street(self) -> None:
        """The board's next cards, which the summary alone tells; unread where the hand breaks off before it."""
        lying = self._telling.board
        due = 3 if lying == 0 else 1
        more = self._result.board[lying : lying + due] if self._result.board else (UNREAD,) * due
        if len(more) < due or lying >= self._game.board_through[-1]:
            raise BrokenHandError("the betting goes on, and there are no cards for another street")
        self._gather()
        self._telling.deal_board(more)

    def _show_down(self) -> None:
        """The betting is over: the rest of the board, where several players are in."""
        self._gather()
        while len(self._bets.live) > 1 and self._telling.board < len(self._result.board):
            self._next_street()

    def _show(self, line: Line) -> None:
        if len(self._bets.live) <= 1 and line.verb == "show":
            return  # so some exports say that a pot went uncontested
        if line.who in self._shown:
            return
        self._shown.add(line.who)
        seat = self._seat_of[line.who]
        if line.verb == "muck":
            self._telling.muck(seat)
        elif line.cards or self._telling.cards[seat]:
            self._telling.show(seat, line.cards)

    # --- chips ------------------------------------------------------------------------------------------------------

    def _play(self) -> None:
        self._deal_unread()
        self._playing = True
        if not self._marked and self._game.has_board and self._bets.done() and len(self._bets.live) > 1:
            self._next_street()
        self._gathered = False

    def _act(self, line: Line) -> None:
        seat, bets = self._seat_of[line.who], self._bets
        if seat not in bets.live:
            raise BrokenHandError(f"{line.who} acts, and is not in the hand")
        match line.verb:
            case "fold":
                self._telling.fold(seat)
                if line.cards:
                    self._telling.show(seat, line.cards)
            case "check":
                self._telling.act(seat, "check")
            case "call":
                self._telling.act(seat, "call", self._chips(line))
            case "bet":
                self._bet(seat, self._chips(line))
            case "raise":
                self._bet(seat, self._total(line) - bets.street[seat])
            case _:
                self._all_in(line, seat)

    def _total(self, line: Line) -> int:
        """The street's total that a raise makes: a raise of one number names the total."""
        return self._head.chips(line.to or line.amount)

    def _all_in(self, line: Line, seat: int) -> None:
        amount, before, left = self._chips(line), self._bets.street[seat], self._bets.stack[seat]
        if line.to:
            amount = self._total(line) - before
        elif left is not None and amount == before + left:
            amount = left  # it names the total, as a raise of one number does
        if self._bets.street[seat] + amount > self._bets.level:
            self._bet(seat, amount, all_in=True)
        else:
            self._telling.act(seat, "call", amount, all_in=True)

    def _bet(self, seat: int, amount: int, *, all_in: bool = False) -> None:
        if amount <= 0:
            raise BrokenHandError("a raise to less than lies there already")
        name = "complete" if not self._brought_in else "raise" if self._bets.level else "bet"
        self._brought_in = True
        self._telling.act(seat, name, amount, all_in=all_in)

    def _gather(self) -> None:
        if self._gathered:
            return
        self._gathered = self._brought_in = True
        if self._result.returns_untold:
            # As far as the pot that is told leaves room: a big blind that nobody called counts as won here.
            seat, amount = self._bets.uncalled()
            self._telling.give_back(seat, min(amount, self._bets.pot - self._result.pot))
        self._bets.next_street()

    def _award(self, line: Line) -> None:
        seat = self._seat_of[line.who]
        for share, amount in self._result.shares(line, self._chips(line)):
            self._telling.award(seat, amount, share=share)
        if line is self._result.last:
            self._telling.rake(self._rake())

    def _rake(self) -> int:
        """As told; in a cash game, where nothing is told, what the winners did not get."""
        if self._result.rake is not None:
            return self._result.rake
        cash = self._head.currency is not None and self._result.ended
        return max(0, self._bets.pot - self._telling.awarded) if cash else 0


def _dealt_in(head: Head, lines: Sequence[Line]) -> frozenset[str]:
    """Who is in the hand: not who sits out. Before the first card, nobody can say."""
    if not any(line.verb == "deal" for line in lines):
        return frozenset(seat.label for seat in head.seats)
    return frozenset(line.who for line in lines if line.verb in ("deal", *_PLAYS, *_POSTS))
