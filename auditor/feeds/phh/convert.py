"""A hand history told as events of the contract.

The events carry what the file says and what follows from it, nothing more: no burns, no order of the deal, no backs.
`observes` says so, for silence must not be taken for evidence.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from auditor.events import Event, HandSeat, Stakes, TableClosed, TableOpened
from auditor.feeds.phh.hand import Action, Hand
from auditor.feeds.telling import BrokenHandError, Script, Telling
from auditor.games import GAMES

Blind = Literal["small_blind", "big_blind", "straddle", "missed_blind"]


def convert(hand: Hand, table_id: str) -> list[Event]:
    """The hand as the events of a table of its own, in order.

    Raises `BrokenHandError` where its parts contradict each other.
    """
    return _Converting(hand, table_id).events()


class _Converting:
    """One hand on its way into events. Players are told by their seats."""

    def __init__(self, hand: Hand, table_id: str) -> None:
        self._hand = hand
        self._game = GAMES[hand.variant.game]
        self._blinds = _blinds(hand)
        self._script = Script(table_id, hand.at)
        seats = [
            HandSeat(seat=seat, player_id=player, stack=stack)
            for seat, player, stack in zip(hand.seats, hand.players, hand.stacks, strict=True)
        ]
        self._telling = Telling(self._script, hand.hand_id, self._game, seats)
        self._bets = self._telling.bets
        self._draws: Counter[int] = Counter()  # of each seat
        self._runs_from: int | None = None  # board cards that lay when the last bet was in
        self._bring_in_only = not self._game.button  # stud, third street: nobody has bet or completed yet
        self._betting = True  # chips may lie in front of the players
        self._played = False  # the last bet is in: only hands are shown from here on

    def events(self) -> list[Event]:
        opened = self._script.tell(TableOpened)
        self._start()
        self._post_forced_bets()
        for action in self._hand.actions:
            self._act(action)
        awards = self._finish()
        opened.update(self._table(), observes=self._telling.observes(awards=awards))
        return self._script.events()

    def _table(self) -> dict[str, Any]:
        hand = self._hand
        return {
            "game": hand.variant.game,
            "betting": hand.variant.betting,
            "stakes": self._stakes(),
            "max_seats": hand.max_seats,
            "location": hand.location,
            "currency": hand.currency,
            "scale": hand.scale,
        }

    def _seat(self, action: Action) -> int:
        return self._hand.seats[action.player]

    # --- the start --------------------------------------------------------------------------------------------------

    def _stakes(self) -> Stakes:
        hand = self._hand
        blinds = {kind: amount for _, kind, amount in self._blinds}
        big_blind = blinds.get("big_blind") or hand.min_bet
        # The contract has no least bet of its own; where it is not the big blind, the bets of a limit game say it.
        least = hand.min_bet if hand.min_bet != big_blind else 0
        return Stakes(
            small_blind=blinds.get("small_blind", 0),
            big_blind=big_blind,
            ante=max(hand.antes),
            bring_in=hand.bring_in,
            small_bet=hand.small_bet or least,
            big_bet=hand.big_bet or least,
        )

    def _start(self) -> None:
        hand = self._hand
        seat_of = {kind: hand.seats[player] for player, kind, _ in self._blinds}
        self._telling.start(
            button_seat=hand.seats[-1] if self._game.button else None,
            small_blind_seat=seat_of.get("small_blind"),
            big_blind_seat=seat_of.get("big_blind"),
        )

    def _post_forced_bets(self) -> None:
        # As far as the stack goes: a player whose last chips went into the ante posts no blind.
        seats = self._hand.seats
        for seat, ante in zip(seats, self._hand.antes, strict=True):
            self._telling.post(seat, "ante", self._bets.within_stack(seat, ante))
        for player, kind, amount in self._blinds:
            self._telling.post(seats[player], kind, self._bets.within_stack(seats[player], amount))

    # --- the actions ------------------------------------------------------------------------------------------------

    def _act(self, action: Action) -> None:
        match action.verb:
            case "db":
                self._deal_board(action)
            case "dh":
                self._deal(action)
            case "sd":
                self._draw(action)
            case "sm":
                self._show(action)
            case "pb":
                self._betting = True
                seat = self._seat(action)
                self._telling.post(seat, "bring_in", self._bets.within_stack(seat, self._hand.bring_in))
            case _:
                self._betting = True
                self._bet(action)

    def _deal(self, action: Action) -> None:
        seat = self._seat(action)
        if self._telling.dealt[seat] >= self._game.starting_cards:
            self._gather()
        self._telling.deal(seat, action.cards, draw=seat in self._draws)

    def _deal_board(self, action: Action) -> None:
        self._gather()
        if self._runs_from is None and self._bets.locked():
            self._runs_from = self._telling.board
        self._telling.deal_board(action.cards, board=self._run())

    def _run(self) -> int:
        """Which board the next cards belong to: all-in players may have it run more than once."""
        whole = sum(street.board for street in self._game.streets)
        board = self._telling.board
        if self._runs_from is None or board < whole or self._runs_from >= whole:
            return 1
        return 1 + (board - self._runs_from) // (whole - self._runs_from)

    def _draw(self, action: Action) -> None:
        self._gather()
        self._draws[self._seat(action)] += 1
        self._telling.discard(self._seat(action), action.cards)

    def _show(self, action: Action) -> None:
        self._played = self._played or self._over()
        self._gather()
        if action.muck:
            self._telling.muck(self._seat(action))
        else:
            self._telling.show(self._seat(action), action.cards)

    def _bet(self, action: Action) -> None:
        bets, seat = self._bets, self._seat(action)
        if action.verb == "f":
            self._telling.fold(seat)
        elif action.verb == "cc":
            to_call = bets.to_call(seat)
            self._telling.act(seat, "call" if to_call else "check", bets.within_stack(seat, to_call))
        else:
            there = bets.street[seat]
            if action.to <= there:
                raise BrokenHandError(f"p{action.player + 1} raises to {action.to} chips, {there} are in already")
            name = "complete" if self._bring_in_only else "raise" if bets.level else "bet"
            self._bring_in_only = False
            self._telling.act(seat, name, action.to - there)

    def _gather(self) -> None:
        """A round of betting is over: what nobody called goes back, the rest to the pot."""
        if not self._betting:
            return
        self._betting = self._bring_in_only = False
        seat, amount = self._bets.uncalled()
        self._telling.give_back(seat, min(amount, self._room(seat)))
        self._bets.next_street()

    def _room(self, seat: int) -> int:
        """How much can have gone back to a player, if the file is right about how it ended."""
        hand, bets = self._hand, self._bets
        stack = bets.stack[seat]
        finishing = hand.finishing[hand.seats.index(seat)] if hand.finishing is not None else None
        if stack is not None and finishing is not None:
            return finishing - stack
        if hand.winnings is not None:
            # Some rooms count an uncalled blind as won, and then it did not go back.
            return bets.pot - sum(hand.winnings)
        return bets.pot

    # --- the end ----------------------------------------------------------------------------------------------------

    def _finish(self) -> bool:
        """The result, and the end if the hand has one; true where the awards are known.

        A file may stop in the middle of a hand: then the hand stays open.
        """
        over = self._played or self._over()
        if over or self._bets.done():
            self._gather()
        awards = self._awards()
        known = sum(awards) > 0
        for seat, amount in zip(self._hand.seats, awards, strict=True):
            self._telling.award(seat, amount)
        # The format has no word for the rake: it is what the players' stacks lack in the end.
        if known and self._bets.pot > sum(awards):
            self._telling.rake(self._bets.pot - sum(awards))
        if known or over:
            self._telling.end()
            self._script.tell(TableClosed)
        return known

    def _over(self) -> bool:
        """Whether the play is complete: one player left, or all cards dealt and all betting done."""
        if len(self._bets.live) <= 1:
            return True
        if not self._bets.done():
            return False
        if self._game.has_board:
            return self._telling.board >= sum(street.board for street in self._game.streets)
        if self._game.button:
            draws = sum(street.draw for street in self._game.streets)
            return all(self._draws[seat] >= draws for seat in self._bets.live)
        # Stud; a common card takes the place of the last one when the deck runs out.
        streets = self._game.streets
        whole = sum(street.down + street.up for street in streets)
        return self._telling.board > 0 or all(self._telling.dealt[seat] >= whole for seat in self._bets.live)

    def _awards(self) -> list[int]:
        """What each player won, nothing where the file does not say."""
        hand = self._hand
        nothing = [0] * len(hand.seats)
        if hand.finishing is None:
            return list(hand.winnings) if hand.winnings is not None else nothing
        awards = []
        for player, (finishing, seat) in enumerate(zip(hand.finishing, hand.seats, strict=True), 1):
            left = self._bets.stack[seat]
            if finishing is None or left is None:
                return list(hand.winnings) if hand.winnings is not None else nothing
            if finishing < left:
                raise BrokenHandError(f"`finishing_stacks`: p{player} has {finishing} chips, the actions leave {left}")
            awards.append(finishing - left)
        return awards


def _blinds(hand: Hand) -> list[tuple[int, Blind, int]]:
    """Who posts what, in order: (player, kind, chips)."""
    # Heads-up the last player, on the button, is the small blind.
    small, big = (0, 1) if len(hand.seats) > 2 else (1, 0)
    posted: list[tuple[int, Blind, int]] = []
    highest = 0
    for player in sorted(range(len(hand.seats)), key=lambda p: (p != small, p != big, p)):
        amount = abs(hand.blinds[player])
        if not amount:
            continue
        kind: Blind = "big_blind"  # also the only blind of a game that is played with a button blind
        if hand.blinds[player] < 0:
            kind = "missed_blind"
        elif player == small and any(blind > 0 for p, blind in enumerate(hand.blinds) if p != small):
            kind = "small_blind"
        elif any(kind == "big_blind" for _, kind, _ in posted):
            kind = "straddle" if amount > highest else "missed_blind"
        highest = max(highest, amount)
        posted.append((player, kind, amount))
    return posted
