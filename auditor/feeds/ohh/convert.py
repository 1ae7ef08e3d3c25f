"""An Open Hand History hand told as events of the contract.

The events carry what the file says and what follows from it, nothing more: no burns, no order of the deal, no backs,
and of the players' cards only those that the writer saw.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from auditor.cards import UNREAD
from auditor.events import (
    CardsReleased,
    ChipsBought,
    ChipsCashed,
    Event,
    HandSeat,
    HandStarted,
    Stakes,
    TableClosed,
    TableOpened,
    Totals,
)
from auditor.feeds.chips import shown
from auditor.feeds.ohh.hand import Action, Hand, Player, Pot, Round, Win
from auditor.feeds.telling import BrokenHandError, Forced, Script, Telling
from auditor.feeds.wagers import named
from auditor.games import GAMES

_POSTS: dict[str, Forced] = {
    "postante": "ante",
    "postsb": "small_blind",
    "postbb": "big_blind",
    "straddle": "straddle",
    "postdead": "dead_blind",
    "postextrablind": "missed_blind",
}
_WAGERS = ("bet", "raise", "call")
#: What a player who was dealt in must have done by the end.
_IN_THE_HAND = frozenset((*_POSTS, *_WAGERS, "fold", "check", "dealtcards"))
#: What is played of a street, as against what is posted and shown.
_PLAYED = frozenset((*_WAGERS, "fold", "check"))


class _Amounts(NamedTuple):
    """What a writer means by its amounts. The specification: chips that an action adds, and pots with the rake."""

    raise_to: bool = False  # a raise names what it makes the bet
    call_to: bool = False  # so does a call
    pot_before_rake: bool = True


_SPECIFIED = _Amounts()
#: Some writers mean otherwise: what makes a hand's own pots right.
_OTHERWISE = tuple(
    _Amounts(raise_to, call_to, before)
    for before in (True, False)
    for raise_to, call_to in ((False, False), (True, False), (True, True))
)[1:]


def convert(hand: Hand, table_id: str) -> list[Event]:
    """The hand as the events of a table of its own, in order.

    Raises `BrokenHandError` where its parts contradict each other.
    """
    specified = _Converting(hand, table_id, _SPECIFIED)
    events = specified.events()
    if specified.adds_up:
        return events
    for meaning in _OTHERWISE:
        other = _Converting(hand, table_id, meaning)
        try:
            told = other.events()
        except BrokenHandError:
            continue  # it means something else, or nothing
        if other.adds_up:
            return told
    return events


class _Converting:
    """One hand on its way into events."""

    def __init__(self, hand: Hand, table_id: str, meaning: _Amounts) -> None:
        self._hand = hand
        self._meaning = meaning
        self._game = GAMES[hand.game]
        self._script = Script(table_id, hand.at)
        self._seated = [HandSeat(seat=p.seat, player_id=p.name, stack=self._stack(p), entitled=self._plays(p))
                        for p in hand.players]  # fmt: skip
        playing = [each for each in self._seated if each.entitled]
        if len(playing) < 2:
            raise BrokenHandError(f"{len(playing)} players are in the hand: there must be 2")
        self._telling = Telling(self._script, hand.hand_id, self._game, playing)
        self._bets = self._telling.bets
        self._blinds = _blind_seats(hand)
        self._splash = 0
        self._boards: dict[str, int] = {}  # how often each street has been dealt
        self._board: list[str] = []  # the first one
        self._betting = True  # chips may lie in front of the players
        self._bring_in_only = not self._game.button
        self._back = 0
        self._uncalled = 0
        self._overdrawn = False
        self._afterwards: list[tuple[type[ChipsBought | ChipsCashed], dict[str, Any]]] = []

    @property
    def adds_up(self) -> bool:
        """Nobody put in more than a stack, and what went in is the file's pot, with or without what nobody called."""
        pot = self._pot()
        went_in = self._bets.pot + self._back + self._splash
        return not self._overdrawn and (pot is None or went_in - pot in (0, self._uncalled))

    def events(self) -> list[Event]:
        opened = self._script.tell(TableOpened)
        started = self._telling.tell(HandStarted, seats=tuple(self._seated))
        self._deal_named_cards()
        for number, each in enumerate(self._hand.rounds):
            self._round(number, each)
        awards = self._finish()
        started.update(self._start())
        opened.update(self._table(), observes=self._telling.observes(awards=awards))
        return self._script.events()

    # --- the start --------------------------------------------------------------------------------------------------

    def _stack(self, player: Player) -> int | None:
        """A stack; not known where no more than a cap of it can be played."""
        return None if self._hand.capped else player.stack

    def _plays(self, player: Player) -> bool:
        """Whether a player is in the hand: some files list all who sit at the table."""
        hand = self._hand
        acts = any(
            action.seat == player.seat and action.name in _IN_THE_HAND
            for each in hand.rounds
            for action in each.actions
        )
        won = hand.whole and any(pot.wins for pot in hand.pots)  # then everybody who was in it has acted
        return acts or bool(player.cards) or not (player.sits_out or won)

    def _table(self) -> dict[str, Any]:
        hand = self._hand
        limit = hand.betting == "limit" and self._game.button
        return {
            "game": hand.game,
            "betting": hand.betting,
            "stakes": Stakes(
                small_blind=hand.small_blind,
                big_blind=hand.big_blind,
                ante=hand.ante,
                small_bet=hand.big_blind if limit else 0,
                big_bet=2 * hand.big_blind if limit else 0,
            ),
            "max_seats": hand.max_seats,
            "location": hand.location,
            "currency": hand.currency,
            "scale": hand.scale,
        }

    def _start(self) -> dict[str, Any]:
        small, big = self._blinds
        return {
            "button_seat": self._hand.button if self._game.button else None,
            "small_blind_seat": small,
            "big_blind_seat": big,
            "splash": self._splash,
            "bomb_pot": self._is_bomb_pot(),
        }

    def _is_bomb_pot(self) -> bool:
        """The flag says so; or all post antes, nobody a blind, and the play begins on the flop."""
        if self._hand.bomb_pot or not self._game.has_board or len(self._hand.rounds) < 2:
            return self._hand.bomb_pot
        before, after = self._hand.rounds[:2]
        posts = [action for action in before.actions if action.name in _POSTS]
        antes = {action.seat for action in posts if action.name == "postante"}
        played = any(action.name in _PLAYED for action in before.actions)
        return bool(after.cards) and not played and len(antes) == len(posts) == len(self._telling.cards)

    def _deal_named_cards(self) -> None:
        """Cards that the list of players names, where no action deals them."""
        dealt = {action.seat for each in self._hand.rounds for action in each.actions if action.name == "dealtcards"}
        for player in self._hand.players:
            if player.seat not in dealt and player.seat in self._telling.cards:
                self._telling.deal(player.seat, player.cards)

    # --- the play ---------------------------------------------------------------------------------------------------

    def _round(self, number: int, told: Round) -> None:
        if told.cards:
            self._deal_board(told)
        elif number and not self._game.has_board and self._bets.done():
            self._gather()
        played = False
        # Some writers begin a showdown where anybody shows a hand, and go on with the betting in it.
        for action in told.actions:
            if not played and action.name in _PLAYED:
                played = True
                self._complete_deal(number, told)
            self._act(action)
        if not played:
            self._complete_deal(number, told)

    def _deal_board(self, told: Round) -> None:
        cards = told.cards
        if told.street == "showdown" and set(cards) <= set(self._board):
            return  # the board again, as a whole
        # Some writers name the whole board on every street.
        already = len(self._board)
        if already and len(cards) > already and list(cards[:already]) == self._board:
            cards = cards[already:]
        self._gather()
        board = self._boards[told.street] = self._boards.get(told.street, 0) + 1
        if board == 1:
            self._board.extend(cards)
        self._telling.deal_board(cards, board=board)

    def _complete_deal(self, number: int, told: Round) -> None:
        """Everybody who is in has as many cards as the street gives; those that the writer did not see are unread."""
        if told.street == "showdown" or (self._game.has_board and number):
            return
        count = sum(street.down + street.up for street in self._game.streets[: number + 1])
        named_here = {action.seat for action in told.actions if action.name == "dealtcards"}
        for seat in sorted(self._bets.live - named_here):
            self._telling.deal(seat, [UNREAD] * (count - self._telling.dealt[seat]))

    def _act(self, action: Action) -> None:
        seat = action.seat
        if seat is None:
            if action.name == "addtopot":
                self._splash += action.amount or 0
            return
        if action.name in ("addedchips", "playeradjustment"):
            self._settle_later(seat, action)
        elif seat not in self._telling.cards:
            raise BrokenHandError(f"{action.where}: seat {seat} sits out")
        elif action.name in _POSTS:
            self._post(seat, action)
        elif action.name in ("dealtcards", "showscards", "muckscards"):
            self._cards(seat, action)
        elif action.name == "addtopot":
            self._telling.post(seat, "ante", action.amount or 0)
        else:
            self._play(seat, action)

    def _post(self, seat: int, action: Action) -> None:
        kind, amount, hand = _POSTS[action.name], action.amount or 0, self._hand
        if not self._game.button and kind != "ante":
            kind = "bring_in"
        elif kind == "small_blind" and seat != self._blinds[0]:
            kind = "dead_blind"  # a small blind missed is dead
        elif kind == "big_blind" and seat != self._blinds[1]:
            kind = "missed_blind"
        if kind == "missed_blind" and hand.big_blind and amount == hand.small_blind + hand.big_blind:
            self._telling.post(seat, "dead_blind", hand.small_blind)
            amount = hand.big_blind
        self._telling.post(seat, kind, amount)

    def _cards(self, seat: int, action: Action) -> None:
        telling, cards = self._telling, action.cards
        if action.name == "dealtcards":
            held = telling.cards[seat]
            if cards and list(cards[: len(held)]) == held:
                cards = cards[len(held) :]  # some writers name the whole hand on every street
            if not self._game.button and not held and len(cards) < self._game.starting_cards:
                cards = (UNREAD,) * (self._game.starting_cards - len(cards)) + cards  # the upcard alone was seen
            telling.deal(seat, cards)
            return
        if self._bets.done():
            self._gather()
        if action.name == "showscards":
            if cards or telling.cards[seat]:
                telling.show(seat, cards)
        elif seat in self._bets.live:
            telling.tell(CardsReleased, seat=seat, cards=cards)

    def _play(self, seat: int, action: Action) -> None:
        self._betting = True
        if action.name == "fold":
            self._telling.fold(seat)
            return
        amount = self._chips(seat, action)
        if action.name == "check" and amount:
            raise BrokenHandError(f"{action.where}: a check of {shown(amount)} chips")
        name = named(self._bets, seat, amount, big_blind=self._opening(), bring_in_only=self._bring_in_only)
        if action.name == "check":
            name = "check"
        elif name in ("bet", "raise", "complete"):
            self._bring_in_only = False
        self._telling.act(seat, name, amount, all_in=action.all_in)
        left = self._bets.stack[seat]
        self._overdrawn = self._overdrawn or (left is not None and left < 0)

    def _opening(self) -> int:
        """What it costs to come in before the flop."""
        before_flop = self._game.has_board and not self._boards and not self._hand.bomb_pot
        return self._hand.big_blind if before_flop else 0

    def _chips(self, seat: int, action: Action) -> int:
        """What the action adds to the pot."""
        bets, amount = self._bets, action.amount
        if amount is None:
            if action.name == "check":
                return 0
            if action.name == "call":
                return bets.within_stack(seat, bets.to_call(seat))
            left = bets.stack[seat]
            if action.all_in and left is not None:
                return left
            raise BrokenHandError(f"{action.where}: `amount` is missing")
        names_all = self._meaning.raise_to if action.name == "raise" else self._meaning.call_to
        if names_all and action.name in ("raise", "call"):
            amount -= bets.street[seat]
            if amount < 0:
                raise BrokenHandError(f"{action.where}: {bets.street[seat]} chips are in already")
        return amount

    def _gather(self) -> None:
        """A round of betting is over: what nobody called goes back, the rest to the pot."""
        if not self._betting:
            return
        self._betting = self._bring_in_only = False
        seat, amount = self._bets.uncalled()
        pot = self._pot()
        self._uncalled += amount
        # Some writers leave it in the pot, and pay it out with it.
        back = amount if pot is None else max(0, min(amount, self._bets.pot + self._splash - pot))
        self._telling.give_back(seat, back)
        self._back += back
        self._bets.next_street()

    # --- the end ----------------------------------------------------------------------------------------------------

    def _pot(self) -> int | None:
        """All that was played for, as the file says it; None where it does not."""
        if not self._hand.whole or not any(pot.amount for pot in self._hand.pots):
            return None
        pot = sum(pot.amount for pot in self._hand.pots)
        return pot if self._meaning.pot_before_rake else pot + self._taken()

    def _taken(self) -> int:
        return sum(pot.rake + pot.jackpot for pot in self._hand.pots)

    def _finish(self) -> bool:
        """The result, and the end if the hand has one; true where the awards are known.

        A hand that breaks off stays open.
        """
        known = self._hand.whole and any(win.amount for pot in self._hand.pots for win in pot.wins)
        over = self._hand.whole and self._over()
        if known or over:
            self._gather()
        if known:
            self._award()
        if known or over:
            self._telling.end(reported=self._reported() if known else None)
            for model, fields in self._afterwards:
                self._script.tell(model, **fields)
            self._script.tell(TableClosed)
        return known

    def _over(self) -> bool:
        """Whether the play is complete: one player left, or all cards dealt and all betting done."""
        if len(self._bets.live) <= 1:
            return True
        streets = self._game.streets
        if self._game.has_board:
            whole = len(self._board) >= sum(street.board for street in streets)
        else:
            whole = all(self._telling.dealt[seat] >= 7 for seat in self._bets.live)
        return whole and self._bets.done()

    def _award(self) -> None:
        for pot in self._hand.pots:
            for win, amount in self._won(pot):
                self._telling.award(win.seat, amount, pot=pot.number)
                if win.cash_out:
                    self._afterwards.append((ChipsCashed, {"seat": win.seat, "amount": amount, "reason": "cash_out"}))
                    self._afterwards.append((ChipsBought, _paid(win.seat, win.cash_out, "cash_out")))
                if win.bonus:
                    self._afterwards.append((ChipsBought, _paid(win.seat, win.bonus, "adjustment")))
        self._telling.rake(sum(pot.rake for pot in self._hand.pots))
        self._telling.rake(sum(pot.jackpot for pot in self._hand.pots), "jackpot")

    def _won(self, pot: Pot) -> Iterator[tuple[Win, int]]:
        """What each winner got of a pot. Some writers name it before the rake, which winners bear by their shares."""
        total, taken = sum(win.amount for win in pot.wins), pot.rake + pot.jackpot
        if total != pot.amount or not self._meaning.pot_before_rake:
            taken = 0
        before = borne = 0
        for win in pot.wins:
            before += win.amount
            share = taken * before // total - borne if taken else 0
            borne += share
            yield win, win.amount - share

    def _reported(self) -> Totals:
        return Totals(pot=self._pot(), rake=self._taken())

    def _settle_later(self, seat: int, action: Action) -> None:
        """Chips that come or go beside the pot count from the next hand on."""
        amount = action.amount or 0
        if action.name == "addedchips":
            self._afterwards.append((ChipsBought, _paid(seat, amount, "purchase")))
        elif amount > 0:
            self._afterwards.append((ChipsBought, _paid(seat, amount, "adjustment")))
        elif amount < 0:
            self._afterwards.append((ChipsCashed, {"seat": seat, "amount": -amount, "reason": "adjustment"}))


def _paid(seat: int, amount: int, reason: str) -> dict[str, Any]:
    return {"seat": seat, "kind": "add_on", "amount": amount, "reason": reason}


def _blind_seats(hand: Hand) -> tuple[int | None, int | None]:
    """Who is in the small and the big blind; who posts one late, to come in, is not."""
    actions = [action for each in hand.rounds[:1] for action in each.actions]
    small = [action.seat for action in actions if action.name == "postsb" and action.seat is not None]
    big = [action.seat for action in actions if action.name == "postbb" and action.seat is not None]
    after = hand.button if hand.button is not None else -1

    def clockwise(seat: int, start: int) -> tuple[bool, int]:
        return seat <= start, seat

    small_seat = min(small, key=lambda seat: clockwise(seat, after), default=None)
    after = after if small_seat is None else small_seat
    return small_seat, min(big, key=lambda seat: clockwise(seat, after), default=None)
