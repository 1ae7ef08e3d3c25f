"""A hand history told as events of the contract.

The events carry what the file says and what follows from it, nothing more: no burns, no order of the deal, no backs.
`observes` says so, for silence must not be taken for evidence.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

from pydantic import ValidationError

from auditor.cards import UNREAD
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
    RakeTaken,
    Stakes,
    TableClosed,
    TableOpened,
)  # fmt: skip
from auditor.feeds.phh.bets import Bets
from auditor.feeds.phh.hand import Action, BrokenHandError, Hand
from auditor.games import GAMES

Forced = Literal["small_blind", "big_blind", "straddle", "missed_blind"]

_MILLISECOND = timedelta(milliseconds=1)


def convert(hand: Hand, table_id: str) -> list[Event]:
    """The hand as the events of a table of its own, in order.

    Raises `BrokenHandError` where its parts contradict each other.
    """
    try:
        return _Telling(hand, table_id).events()
    except ValidationError as error:
        # Fields that are each in order can still add up to what no event holds, such as more chips than fit.
        problem = error.errors()[0]
        raise BrokenHandError(f"no event can hold it: {'.'.join(map(str, problem['loc']))}: {problem['msg']}") from None


class _Telling:
    """One hand on its way into events."""

    def __init__(self, hand: Hand, table_id: str) -> None:
        self._hand = hand
        self._table_id = table_id
        self._game = GAMES[hand.variant.game]
        self._faces = [
            face
            for street in self._game.streets
            for face in [*["down"] * street.down, *["up"] * street.up]
        ]  # fmt: skip
        self._blinds = _blinds(hand)
        self._bets = Bets(hand.stacks)
        self._cards: list[list[str]] = [[] for _ in hand.seats]  # held now
        self._dealt = [0] * len(hand.seats)
        self._drawn: set[int] = set()
        self._board = 0
        self._runs_from: int | None = None  # board cards that lay when the last bet was in
        self._all_read = True
        self._bring_in_only = not self._game.button  # stud, third street: nobody has bet or completed yet
        self._betting = True  # chips may lie in front of the players
        self._told: list[Event] = []

    def events(self) -> list[Event]:
        self._start()
        self._post_forced_bets()
        for action in self._hand.actions:
            self._act(action)
        finished = self._finish()
        opened = self._event(1, TableOpened, hand_scope=False, **self._table(awards=finished))
        return [opened, *self._told]

    # --- putting events together ------------------------------------------------------------------------------------

    def _tell(self, model: type[Event], *, hand_scope: bool = True, **fields: Any) -> None:
        # The first place is kept for the table's opening, which says what the whole hand showed.
        self._told.append(self._event(len(self._told) + 2, model, hand_scope=hand_scope, **fields))

    def _event(self, seq: int, model: type[Event], *, hand_scope: bool, **fields: Any) -> Event:
        if hand_scope:
            fields["hand_id"] = self._hand.hand_id
        at = self._hand.at + (seq - 1) * _MILLISECOND
        return model(table_id=self._table_id, seq=seq, at=at, source="import", **fields)

    def _table(self, *, awards: bool) -> dict[str, Any]:
        hand = self._hand
        return {
            "game": hand.variant.game,
            "betting": hand.variant.betting,
            "stakes": self._stakes(),
            "max_seats": hand.max_seats,
            "observes": self._observes(awards=awards),
            "location": hand.location,
            "currency": hand.currency,
            "scale": hand.scale,
        }

    def _observes(self, *, awards: bool) -> tuple[str, ...]:
        whole_deal = all(dealt >= self._game.starting_cards for dealt in self._dealt)
        seen = {
            "hole_cards": self._all_read and whole_deal,
            "betting": True,
            "stacks": all(stack is not None for stack in self._hand.stacks),
            "awards": awards,
        }
        return tuple(name for name, is_seen in seen.items() if is_seen)

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
        self._tell(
            HandStarted,
            button_seat=hand.seats[-1] if self._game.button else None,
            seats=tuple(
                HandSeat(seat=seat, player_id=player, stack=stack)
                for seat, player, stack in zip(hand.seats, hand.players, hand.stacks, strict=True)
            ),
            small_blind_seat=seat_of.get("small_blind"),
            big_blind_seat=seat_of.get("big_blind"),
        )

    def _post_forced_bets(self) -> None:
        for player, ante in enumerate(self._hand.antes):
            if ante:
                self._post(player, "ante", self._bets.post(player, ante, dead=True))
        for player, kind, amount in self._blinds:
            self._post(player, kind, self._bets.post(player, amount))

    def _post(self, player: int, kind: str, amount: int) -> None:
        if amount:  # a player whose last chips went into the ante posts no blind
            self._tell(
                ForcedBetPosted,
                seat=self._hand.seats[player],
                kind=kind,
                amount=amount,
                all_in=self._bets.all_in(player),
            )

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
                self._post(action.player, "bring_in", self._bets.post(action.player, self._hand.bring_in))
            case _:
                self._betting = True
                self._bet(action)

    def _deal(self, action: Action) -> None:
        player = action.player
        if self._dealt[player] >= self._game.starting_cards:
            self._gather()
        for card in action.cards:
            place = self._dealt[player]
            self._dealt[player] += 1
            self._cards[player].append(card)
            self._all_read = self._all_read and card != UNREAD
            self._tell(
                CardDealt,
                seat=self._hand.seats[player],
                card=card,
                face=self._faces[place] if place < len(self._faces) else "down",
                draw=player in self._drawn,
            )

    def _deal_board(self, action: Action) -> None:
        self._gather()
        if self._runs_from is None and self._bets.locked():
            self._runs_from = self._board
        self._tell(BoardDealt, cards=action.cards, board=self._run())
        self._board += len(action.cards)

    def _run(self) -> int:
        """Which board the next cards belong to: all-in players may have it run more than once."""
        whole = sum(street.board for street in self._game.streets)
        if self._runs_from is None or self._board < whole or self._runs_from >= whole:
            return 1
        return 1 + (self._board - self._runs_from) // (whole - self._runs_from)

    def _draw(self, action: Action) -> None:
        self._gather()
        player = action.player
        self._drawn.add(player)
        for card in action.cards:
            held = self._cards[player]
            # A card that was dealt unread may be known when it is thrown away.
            if card in held or UNREAD in held:
                held.remove(card if card in held else UNREAD)
        self._tell(CardsDiscarded, seat=self._hand.seats[player], count=len(action.cards), cards=action.cards)

    def _show(self, action: Action) -> None:
        self._gather()
        seat = self._hand.seats[action.player]
        if action.muck:
            self._tell(CardsReleased, seat=seat)
        else:
            self._tell(CardsShown, seat=seat, cards=action.cards or tuple(self._cards[action.player]))

    def _bet(self, action: Action) -> None:
        bets, player = self._bets, action.player
        amount = 0
        if action.verb == "f":
            name = "fold"
            bets.fold(player)
        elif action.verb == "cc":
            name = "call" if bets.to_call(player) else "check"
            amount = bets.call(player)
        else:
            if action.to <= bets.street[player]:
                raise BrokenHandError(
                    f"p{player + 1} raises to {action.to} chips, {bets.street[player]} are in already"
                )
            name = "complete" if self._bring_in_only else "raise" if max(bets.street) else "bet"
            self._bring_in_only = False
            amount = bets.raise_to(player, action.to)
        self._tell(
            PlayerActed,
            seat=self._hand.seats[player],
            action=name,
            amount=amount,
            all_in=amount > 0 and bets.all_in(player),
        )

    def _gather(self) -> None:
        """A round of betting is over: what nobody called goes back, the rest to the pot."""
        if not self._betting:
            return
        self._betting = self._bring_in_only = False
        player, amount = self._bets.uncalled()
        amount = min(amount, self._room(player))
        if amount > 0:
            self._bets.take_back(player, amount)
            self._tell(ChipsReturned, seat=self._hand.seats[player], amount=amount, reason="uncalled")
        self._bets.next_street()

    def _room(self, player: int) -> int:
        """How much can have gone back to a player, if the file is right about how it ended."""
        hand, bets = self._hand, self._bets
        stack, finishing = bets.stack[player], hand.finishing[player] if hand.finishing is not None else None
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
        over = self._over()
        if over or self._bets.done():
            self._gather()
        awards = self._awards()
        known = sum(awards) > 0
        for seat, amount in zip(self._hand.seats, awards, strict=True):
            if amount:
                self._tell(PotAwarded, seat=seat, amount=amount)
        # The format has no word for the rake: it is what the players' stacks lack in the end.
        if known and self._bets.pot > sum(awards):
            self._tell(RakeTaken, amount=self._bets.pot - sum(awards))
        if known or over:
            self._tell(HandEnded)
            self._tell(TableClosed, hand_scope=False)
        return known

    def _over(self) -> bool:
        """Whether the play is complete: one player left, or all cards dealt and all betting done."""
        if len(self._bets.live) <= 1:
            return True
        if not self._bets.done():
            return False
        if self._game.has_board:
            return self._board >= sum(street.board for street in self._game.streets)
        if self._game.button:
            return self._drawn >= self._bets.live
        # Stud; a common card takes the place of the last one when the deck runs out.
        return self._board > 0 or all(self._dealt[player] >= len(self._faces) for player in self._bets.live)

    def _awards(self) -> list[int]:
        """What each player won, nothing where the file does not say."""
        hand = self._hand
        nothing = [0] * len(hand.seats)
        if hand.finishing is None:
            return list(hand.winnings) if hand.winnings is not None else nothing
        awards = []
        for player, (finishing, left) in enumerate(zip(hand.finishing, self._bets.stack, strict=True), 1):
            if finishing is None or left is None:
                return list(hand.winnings) if hand.winnings is not None else nothing
            if finishing < left:
                raise BrokenHandError(f"`finishing_stacks`: p{player} has {finishing} chips, the actions leave {left}")
            awards.append(finishing - left)
        return awards


def _blinds(hand: Hand) -> list[tuple[int, Forced, int]]:
    """Who posts what, in order: (player, kind, chips)."""
    # Heads-up the last player, on the button, is the small blind.
    small, big = (0, 1) if len(hand.seats) > 2 else (1, 0)
    posted: list[tuple[int, Forced, int]] = []
    highest = 0
    for player in sorted(range(len(hand.seats)), key=lambda p: (p != small, p != big, p)):
        amount = abs(hand.blinds[player])
        if not amount:
            continue
        kind: Forced = "big_blind"  # also the only blind of a game that is played with a button blind
        if hand.blinds[player] < 0:
            kind = "missed_blind"
        elif player == small and any(blind > 0 for p, blind in enumerate(hand.blinds) if p != small):
            kind = "small_blind"
        elif any(kind == "big_blind" for _, kind, _ in posted):
            kind = "straddle" if amount > highest else "missed_blind"
        highest = max(highest, amount)
        posted.append((player, kind, amount))
    return posted
