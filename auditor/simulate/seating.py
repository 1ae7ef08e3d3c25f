"""Who sits where, who comes and goes between hands, and where the button moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from auditor.events import (
    ChipsBought,
    ChipsCashed,
    PlayerLeft,
    PlayerReturned,
    PlayerSatOut,
    PlayerSeated,
)
from auditor.simulate.beat import Beat
from auditor.simulate.plan import Holder, blind_seats, clockwise
from auditor.simulate.setting import Setting

_LEAVE_RATE = 0.004  # a player and hand
_SIT_OUT_RATE = 0.008
_TOP_UP_RATE = 0.03
_BUST_LEAVE_RATE = 0.3
_ARRIVE_RATE = 0.4  # a hand in which a seat is free where the big blind is due


@dataclass(slots=True)
class Player:
    """Somebody at the table."""

    player_id: str
    stack: int
    looseness: float
    sitting_out: bool = False


class Seating:
    """The seats of one table. `players` is how many may be in play, least and most."""

    def __init__(self, setting: Setting, rng: Random, players: tuple[int, int], first_player: int) -> None:
        self._setting = setting
        self._rng = rng
        self._least, self._most = players
        self._next_player = first_player
        self._seats: dict[int, Player] = {}
        self.button: int | None = None  # where it rightly was on the last hand

    @property
    def entitled(self) -> list[int]:
        return sorted(seat for seat, player in self._seats.items() if not player.sitting_out)

    @property
    def next_button(self) -> int:
        """Where the button belongs on the next hand: the next entitled seat clockwise."""
        if self.button is None:
            return self._rng.choice(self.entitled)
        return clockwise(self.entitled, self.button)[0]

    def holders(self) -> tuple[Holder, ...]:
        return tuple(
            Holder(seat, p.player_id, p.stack, not p.sitting_out, p.looseness)
            for seat, p in sorted(self._seats.items())
        )

    def pay(self, net: dict[int, int]) -> None:
        """What a hand did to the stacks."""
        for seat, chips in net.items():
            self._seats[seat].stack += chips

    @property
    def newcomer(self) -> str:
        """Who comes through the door next."""
        return f"P{self._next_player:04}"

    def replace(self, seat: int) -> None:
        """The newcomer takes the seat of a player who left; the chips in front of it are counted elsewhere."""
        self._seats[seat].player_id = self.newcomer
        self._next_player += 1

    def open(self) -> Iterator[Beat]:
        """The first players sit down."""
        count = self._rng.randint(self._least, self._most)
        for seat in sorted(self._rng.sample(range(1, self._setting.max_seats + 1), count)):
            yield from self._arrive(seat)

    def between_hands(self) -> Iterator[Beat]:
        """Players buy chips, go and come."""
        yield from self._buy_and_leave()
        yield from self._sit_out()
        yield from self._join()

    def _arrive(self, seat: int) -> Iterator[Beat]:
        setting, rng = self._setting, self._rng
        player = Player(self.newcomer, setting.buy_in, round(rng.uniform(0.2, 1.0), 2))
        self._next_player += 1
        self._seats[seat] = player
        yield Beat(PlayerSeated, {"seat": seat, "player_id": player.player_id}, 8.0)
        yield Beat(ChipsBought, {"seat": seat, "kind": "buy_in", "amount": setting.buy_in}, 5.0)

    def _may_lose_one(self) -> bool:
        return len(self.entitled) > self._least

    def _buy_and_leave(self) -> Iterator[Beat]:
        rng, setting = self._rng, self._setting
        for seat in self.entitled:
            player = self._seats[seat]
            leave_rate = _LEAVE_RATE if player.stack else _BUST_LEAVE_RATE
            if self._may_lose_one() and rng.random() < leave_rate:
                if player.stack:
                    yield Beat(ChipsCashed, {"seat": seat, "amount": player.stack}, 6.0)
                yield Beat(PlayerLeft, {"seat": seat}, 4.0)
                del self._seats[seat]
            elif player.stack < setting.least_stack or (
                player.stack < setting.buy_in // 2 and rng.random() < _TOP_UP_RATE
            ):
                kind = "add_on" if player.stack else "buy_in"
                amount = setting.buy_in - player.stack
                player.stack = setting.buy_in
                yield Beat(ChipsBought, {"seat": seat, "kind": kind, "amount": amount}, 5.0)

    def _sit_out(self) -> Iterator[Beat]:
        for seat in self.entitled:
            if self._may_lose_one() and self._rng.random() < _SIT_OUT_RATE:
                self._seats[seat].sitting_out = True
                yield Beat(PlayerSatOut, {"seat": seat}, 2.0)

    def _join(self) -> Iterator[Beat]:
        """Whoever returns or arrives waits for the big blind: then he owes nothing."""
        if self.button is None:
            return
        for seat, player in sorted(self._seats.items()):
            if player.sitting_out and self._would_be_big_blind(seat):
                player.sitting_out = False
                yield Beat(PlayerReturned, {"seat": seat}, 2.0)
                return
        free = [seat for seat in range(1, self._setting.max_seats + 1) if seat not in self._seats]
        free = [seat for seat in free if self._would_be_big_blind(seat)]
        if free and len(self._seats) < self._most and self._rng.random() < _ARRIVE_RATE:
            yield from self._arrive(self._rng.choice(free))

    def _would_be_big_blind(self, seat: int) -> bool:
        assert self.button is not None
        seats = [*self.entitled, seat]
        button = clockwise(seats, self.button)[0]
        return blind_seats(clockwise(seats, button))[1] == seat
