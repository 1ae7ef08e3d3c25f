"""A hand of a PokerGFX session told as events of the contract.

Blinds and antes are no events of the file: they follow from what it says of them. Nor are the awards: they are what the
players' stacks have more in the end than the betting left.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import takewhile
from typing import Any

from auditor.cards import UNREAD, is_face
from auditor.events import (
    ChipsBought,
    ChipsCashed,
    HandSeat,
    HandStarted,
    SeatStack,
    Stakes,
    TableClosed,
    TableOpened,
    Totals,
)
from auditor.events import Event as ToldEvent
from auditor.feeds.pokergfx import hand as gfx
from auditor.feeds.pokergfx.hand import Event, Hand, Player
from auditor.feeds.telling import BrokenHandError, Forced, Script, Telling
from auditor.feeds.wagers import named
from auditor.games import GAMES
from auditor.house import HouseRules


def convert(hand: Hand, table_id: str) -> list[ToldEvent]:
    """The hand as the events of a table of its own, in order.

    Raises `BrokenHandError` where its parts contradict each other.
    """
    return _Converting(hand, table_id).events()


#: More time than what is told of an event, or of a player, takes.
_AN_EVENT = timedelta(milliseconds=50)


class _Converting:
    """One hand on its way into events."""

    def __init__(self, hand: Hand, table_id: str) -> None:
        self._hand = hand
        self._game = GAMES[hand.game]
        self._script = Script(table_id, hand.at, source="rfid")
        self._players = {player.seat: player for player in hand.players if _plays(player, hand)}
        if len(self._players) < 2:
            raise BrokenHandError(f"{len(self._players)} players are in the hand: there must be 2")
        self._seated = [
            HandSeat(seat=each.seat, player_id=each.name, stack=each.stack, entitled=each.seat in self._players)
            for each in hand.players
        ]
        self._telling = Telling(self._script, hand.hand_id, self._game, [s for s in self._seated if s.entitled])
        self._bets = self._telling.bets
        self._betting = True  # chips may lie in front of the players
        self._bring_in_only = not self._game.button
        self._boards: dict[int, int] = {}  # cards that lie on each board
        self._street = 0  # stud and draw
        self._draws: Counter[int] = Counter()

    def events(self) -> list[ToldEvent]:
        opened = self._script.tell(TableOpened)
        self._start()
        self._post_forced_bets()
        self._deal()
        events = self._hand.events
        place = 0
        while place < len(events):
            if events[place].name == "BOARDCARD":
                cards = list(takewhile(lambda each: each.name == "BOARDCARD", events[place:]))
                self._board_cards(cards)
                place += len(cards)
            else:
                self._act(events[place])
                place += 1
        awards = self._finish()
        opened.update(self._table(), observes=self._telling.observes(awards=awards))
        return self._script.events()

    # --- the start --------------------------------------------------------------------------------------------------

    def _table(self) -> dict[str, Any]:
        hand = self._hand
        limit = hand.betting == "limit"
        return {
            "game": hand.game,
            "betting": hand.betting,
            "stakes": Stakes(
                small_blind=hand.small_blind[1],
                big_blind=hand.big_blind[1],
                ante=hand.ante,
                bring_in=hand.bring_in[1] if not self._game.button else 0,
                small_bet=(hand.low_limit or hand.big_blind[1]) if limit else 0,
                big_bet=(hand.high_limit or 2 * hand.big_blind[1]) if limit else 0,
            ),
            "max_seats": max(10, *(player.seat for player in hand.players)),
            "house_rules": HouseRules(short_deck_ranking="trips_over_straight") if hand.trips_first else HouseRules(),
            "scale": 0,
        }

    def _start(self) -> None:
        hand = self._hand
        blinds = self._game.button and not hand.bomb_pot
        self._telling.tell(
            HandStarted,
            seats=tuple(self._seated),
            button_seat=hand.button if self._game.button else None,
            small_blind_seat=self._in_hand(hand.small_blind) if blinds else None,
            big_blind_seat=self._in_hand(hand.big_blind) if blinds else None,
            bomb_pot=bool(hand.bomb_pot),
        )

    def _in_hand(self, blind: tuple[int | None, int]) -> int | None:
        """Who posts a blind; nobody where it is of no chips, or dead."""
        seat, amount = blind
        return seat if amount and seat in self._players else None

    def _post_forced_bets(self) -> None:
        hand = self._hand
        if hand.bomb_pot:
            for seat in self._players:
                self._post(seat, "ante", hand.bomb_pot)
            return
        if hand.ante_type not in gfx.BLIND_FIRST:
            self._post_antes()
        if self._game.button:
            blinds: tuple[tuple[Forced, tuple[int | None, int]], ...] = (
                ("small_blind", hand.small_blind), ("big_blind", hand.big_blind), ("straddle", hand.third_blind)
            )  # fmt: skip
            for kind, blind in blinds:
                self._post(self._in_hand(blind), kind, blind[1])
            in_blinds = {blind[0] for _, blind in blinds}
            for player in self._players.values():
                if player.seat not in in_blinds:
                    self._post(player.seat, "straddle", player.straddle)
        if hand.ante_type in gfx.BLIND_FIRST:
            self._post_antes()
        if not self._game.button:
            self._post(self._in_hand(hand.bring_in), "bring_in", hand.bring_in[1])

    def _post_antes(self) -> None:
        hand = self._hand
        one_for_all = {gfx.BUTTON: hand.button, gfx.BIG_BLIND: hand.big_blind[0], gfx.THIRD_BLIND: hand.third_blind[0]}
        for types, payer in one_for_all.items():
            if hand.ante_type in types:
                self._post(payer, "ante", hand.ante)
                return
        for seat in self._players:
            # A live ante counts as a bet.
            self._post(seat, "missed_blind" if hand.ante_type in gfx.LIVE else "ante", hand.ante)

    def _post(self, seat: int | None, kind: Forced, amount: int) -> None:
        """As far as the stack goes."""
        if seat is not None and seat in self._players:
            self._telling.post(seat, kind, self._bets.within_stack(seat, amount))

    def _deal(self) -> None:
        """The first cards. Those that no antenna read are unread."""
        drawn = {event.seat for event in self._hand.events if event.drawn}
        for seat, player in self._players.items():
            # After a draw the file knows the last hand only.
            cards = () if seat in drawn else player.cards
            # An antenna may have read one too many; in stud the others come later.
            count = max(self._game.starting_cards, len(cards) if self._game.button else 0)
            self._deal_to(seat, _filled(cards, count))

    def _deal_to(self, seat: int, cards: list[str], *, draw: bool = False) -> None:
        for card in cards:
            self._telling.deal(seat, [card], draw=draw, read_at=None if card == UNREAD else "seat")

    # --- the play ---------------------------------------------------------------------------------------------------

    def _board_cards(self, events: list[Event]) -> None:
        """Cards that came one by one, a street at a time: a flop is told as one."""
        self._gather()
        for number in dict.fromkeys(event.board for event in events):
            cards = [card for event in events if event.board == number for card in event.cards]
            lies = self._boards.setdefault(number, self._run_from(number))
            self._boards[number] += max(len(cards), 3 - lies)
            streets = [_filled(cards[:3], 3)] if lies == 0 else []
            streets += [[card] for card in cards[max(0, 3 - lies) :]]
            for street in streets:
                self._telling.deal_board(street, board=number)

    def _run_from(self, number: int) -> int:
        """Cards that a board shares with the first: one that is run again may hold the later streets only."""
        if number == 1 or self._hand.runs < 2:
            return 0
        whole = self._game.board_through[-1]
        own = sum(
            len(event.cards) for event in self._hand.events if event.name == "BOARDCARD" and event.board == number
        )
        return whole - own if own in (1, 2) else 0

    def _act(self, event: Event) -> None:
        seat = event.seat
        if seat not in self._players:
            raise BrokenHandError(f"{event.where}: seat {seat} is not in the hand")
        if event.name == "DRAW":
            self._draw(event)
            return
        if not self._game.has_board and self._betting and self._bets.done() and event.name != "FOLD":
            self._gather()
            self._next_cards()
        self._betting = True
        if event.name == "FOLD":
            self._telling.fold(seat)
        elif event.name == "CHECK":
            self._telling.act(seat, "check")
        else:
            self._wager(event)

    def _wager(self, event: Event) -> None:
        bets, seat = self._bets, event.seat
        amount = event.to - bets.street[seat]
        if not event.to and event.name == "CALL":
            amount = bets.within_stack(seat, bets.to_call(seat))
        if amount < 0 or (event.name == "BET" and not amount):
            raise BrokenHandError(f"{event.where}: makes it {event.to} chips, {bets.street[seat]} are in already")
        name = named(bets, seat, amount, big_blind=self._opening(), bring_in_only=self._bring_in_only)
        if name in ("bet", "raise", "complete"):
            self._bring_in_only = False
        self._telling.act(seat, name, amount, all_in=event.name == "ALLIN")

    def _opening(self) -> int:
        """What it costs to come in before the flop."""
        before_flop = self._game.has_board and not self._boards and not self._hand.bomb_pot
        return self._hand.big_blind[1] if before_flop else 0

    def _draw(self, event: Event) -> None:
        self._gather()
        self._telling.discard(event.seat, (), event.drawn)
        self._deal_to(event.seat, [UNREAD] * event.drawn, draw=True)
        self._draws[event.seat] += 1
        self._street = max(self._draws.values())

    def _next_cards(self) -> None:
        """Stud: one more card for everybody who is in."""
        if self._game.button or self._street + 1 >= len(self._game.streets):
            return
        self._street += 1
        through = sum(street.down + street.up for street in self._game.streets[: self._street + 1])
        for seat in sorted(self._bets.live):
            dealt = self._telling.dealt[seat]
            self._deal_to(seat, _filled(self._players[seat].cards[dealt:through], through - dealt))

    def _gather(self) -> None:
        """A round of betting is over: what nobody called goes back, the rest to the pot."""
        if not self._betting:
            return
        self._betting = self._bring_in_only = False
        seat, amount = self._bets.uncalled()
        self._telling.give_back(seat, min(amount, self._won(seat)))
        self._bets.next_street()

    # --- the end ----------------------------------------------------------------------------------------------------

    def _won(self, seat: int) -> int:
        """What a player has more in the end than the betting left."""
        finishing, left = self._players[seat].finishing, self._bets.stack[seat]
        return 0 if finishing is None or left is None else max(0, finishing - left)

    def _finish(self) -> bool:
        """The result, and the end if the hand has one; true where the awards are known.

        A hand that was stopped, to be recorded again, stays open: nobody has won its chips.
        """
        over = self._over()
        if not over and not _somebody_gained(self._hand):
            return False
        cancelled = self._taken_back()
        if not cancelled:
            if over or self._bets.done():
                self._gather()
            self._deal_out()
            self._show()
        awards = {} if cancelled else self._awards()
        for seat, chips in awards.items():
            self._telling.award(seat, chips)
        lasted, told = self._hand.lasted, _AN_EVENT * (len(self._hand.events) + len(self._players))
        if lasted is not None and lasted > told:
            self._telling.at = self._hand.at + lasted
        self._telling.end(reported=self._reported() if awards else None, cancelled=cancelled)
        if cancelled:
            self._correct_stacks()
        self._script.tell(TableClosed)
        return bool(awards)

    def _awards(self) -> dict[int, int]:
        """What each player won. Where those who are in won the whole pot, nobody else won more with other chips.

        Nor is it from the pot that a player who had folded has more than is in it: a stack was entered anew.
        """
        pot, in_hand = self._bets.pot, self._bets.live
        won = {
            seat: chips for seat in self._players if (chips := self._won(seat)) and (seat in in_hand or chips <= pot)
        }
        live = {seat: chips for seat, chips in won.items() if seat in in_hand}
        return live if sum(live.values()) == pot else won

    def _over(self) -> bool:
        """Whether the play is complete: one player left, or all cards dealt and all betting done."""
        if len(self._bets.live) <= 1:
            return True
        if not self._bets.done():
            return False
        if self._game.has_board:
            return self._boards.get(1, 0) >= self._game.board_through[-1]
        return self._bets.locked() or self._street + 1 >= len(self._game.streets)

    def _taken_back(self) -> bool:
        """Whoever put chips in has in the end what they had before, a player who folded them among them."""
        paid = [player for player in self._players.values() if self._bets.stack[player.seat] != player.stack]
        if any(player.finishing != player.stack for player in paid):
            return False
        return any(player.seat not in self._bets.live for player in paid)

    def _correct_stacks(self) -> None:
        """What the operator entered anew while a hand was on that moved no chips."""
        for player in self._players.values():
            more = (player.stack if player.finishing is None else player.finishing) - player.stack
            if more > 0:
                self._script.tell(ChipsBought, seat=player.seat, kind="add_on", amount=more, reason="adjustment")
            elif more < 0:
                self._script.tell(ChipsCashed, seat=player.seat, amount=-more, reason="adjustment")

    def _deal_out(self) -> None:
        """Stud: the cards that come when nobody can bet any more."""
        while len(self._bets.live) > 1 and not self._game.button and self._street + 1 < len(self._game.streets):
            self._next_cards()

    def _show(self) -> None:
        """The antennas have read what is in at a showdown; a hand of which a card was read elsewhere is not known."""
        live = sorted(self._bets.live)
        if len(live) < 2 or not self._over():
            return
        size = sum(street.down + street.up for street in self._game.streets)
        read = Counter(card for player in self._players.values() for card in player.cards)
        for seat in live:
            cards = self._players[seat].cards
            if len(cards) == size and all(is_face(card) and read[card] == 1 for card in cards):
                self._telling.show(seat, cards)

    def _reported(self) -> Totals:
        return Totals(
            stacks=tuple(
                SeatStack(seat=player.seat, stack=player.finishing)
                for player in self._hand.players
                if player.finishing is not None
            )
        )


def _plays(player: Player, hand: Hand) -> bool:
    """Whether a player is in the hand: who is out, or away, stays in the list."""
    if any(event.seat == player.seat for event in hand.events):
        return True
    if player.stack != player.finishing is not None:
        return player.stack > 0
    if not player.stack or player.sits_out:
        return False
    # Who is in a hand that was won has acted, unless it was for the big blind to win it.
    blinds = (hand.small_blind[0], hand.big_blind[0], hand.third_blind[0])
    return bool(player.cards) or player.seat in blinds or not _somebody_gained(hand)


def _somebody_gained(hand: Hand) -> bool:
    return any(player.finishing is not None and player.finishing > player.stack for player in hand.players)


def _filled(cards: tuple[str, ...] | list[str], count: int) -> list[str]:
    """So many cards, unread where they are not known."""
    return [*cards[:count], *[UNREAD] * (count - len(cards))]
