"""What kind of table it is: stakes, customs of the house, and what its readers miss."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from auditor.events import Betting, Capability, Stakes

#: All that a full feed sees.
OBSERVES: tuple[Capability, ...] = (
    "shuffle", "deal_order", "hole_cards", "orientation", "backs", "burns", "exposure", "stub", "button", "seating",
    "buy_ins", "stacks", "betting", "awards", "clock", "officiating",
)  # fmt: skip

_STAKES = ((50, 100), (100, 200), (200, 500), (500, 1000))
_LOCATIONS = ("Main floor", "High-limit room", "Terrace")

#: A full buy-in, in big blinds.
BUY_IN = 100


@dataclass(frozen=True, slots=True)
class Setting:
    """The customs of one table. Amounts are in cents; rates are chances a hand, or a card."""

    table_id: str
    location: str
    betting: Betting
    small_blind: int
    big_blind: int
    ante: int  # posted by everyone
    big_blind_ante: int  # posted by the big blind for the table
    max_seats: int
    straddle_rate: float
    run_twice_rate: float
    rake_percent: int
    rake_cap: int
    burns_read: bool  # the readers see the faces of burned cards
    unread_rate: float  # of the hole cards
    machine_shuffle: bool
    player_dealt: bool  # the players shuffle, cut and deal
    short_deck: bool  # the game is short deck

    @property
    def stakes(self) -> Stakes:
        ante = self.ante or self.big_blind_ante
        if self.betting != "limit":
            return Stakes(small_blind=self.small_blind, big_blind=self.big_blind, ante=ante)
        return Stakes(
            small_blind=self.small_blind,
            big_blind=self.big_blind,
            ante=ante,
            small_bet=self.big_blind,
            big_bet=2 * self.big_blind,
        )

    @property
    def buy_in(self) -> int:
        return BUY_IN * self.big_blind

    @property
    def full_buy_in(self) -> int:
        """The least that the book calls a full one: ten of the largest bets, or forty big blinds."""
        return (20 if self.betting == "limit" else 40) * self.big_blind

    def rake(self, pot: int) -> int:
        """What the house takes of a hand's pots, all in all: a percentage, up to a cap."""
        return min(pot * self.rake_percent // 100, self.rake_cap)

    @property
    def least_stack(self) -> int:
        """A player with less tops up before the next hand, so that every forced bet can be posted in full."""
        return 10 * self.big_blind


def draw_setting(
    rng: Random, table_id: str, betting: Betting | None, most_players: int, *, player_dealt: bool, short_deck: bool
) -> Setting:
    """A table at random."""
    betting = betting or rng.choices(("no_limit", "pot_limit", "limit"), (6, 2, 2))[0]
    small, big = rng.choice(_STAKES)
    antes = rng.random()
    return Setting(
        table_id=table_id,
        location=rng.choice(_LOCATIONS),
        betting=betting,
        small_blind=small,
        big_blind=big,
        ante=small // 5 if antes < 0.2 else 0,
        big_blind_ante=big if 0.2 <= antes < 0.35 else 0,
        max_seats=min(10, most_players + rng.randrange(3)),
        straddle_rate=0.15 if betting != "limit" and rng.random() < 0.3 else 0.0,
        run_twice_rate=0.5 if rng.random() < 0.5 else 0.0,
        rake_percent=5 if rng.random() < 0.6 else 0,
        rake_cap=3 * big,
        burns_read=rng.random() < 0.5,
        unread_rate=0.01 if rng.random() < 0.3 else 0.0,
        machine_shuffle=rng.random() < 0.5,
        player_dealt=player_dealt,
        short_deck=short_deck,
    )
