"""What is settled before a hand's first card: who plays it, from which deck, and what is going to go wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple

from auditor.simulate.deck import PlayingCard, PlayingDeck
from auditor.simulate.player import Decision, Turn
from auditor.simulate.setting import Setting

#: The small and the big blind as they are posted: seat and chips, or nothing.
Posts = tuple[tuple[int, int] | None, tuple[int, int] | None]

#: What the player to act does, by what he sees; None: whatever he likes.
Scheme = Callable[[Turn], Decision | None]


class Pot(NamedTuple):
    """Chips, and the seats that can win them."""

    amount: int
    seats: tuple[int, ...]


class Holder(NamedTuple):
    """A seat as the hand starts."""

    seat: int
    player_id: str
    stack: int
    entitled: bool
    looseness: float  # 0 a rock, 1 calls anything


@dataclass(slots=True)
class HandPlan:
    """One hand to be dealt. A mistake that has to be made before the deal is made here."""

    setting: Setting
    hand_id: str
    dealer_id: str
    deck: PlayingDeck
    other_deck: PlayingDeck
    cards: list[PlayingCard]  # the deck as it was cut, the top card first
    holders: tuple[Holder, ...]
    right_button: int
    button: int
    redeal_of: str | None = None
    button_settled: bool = True  # one seat alone is right for the button, and all can know it
    skipped: int | None = None  # an entitled seat that the dealer passes over
    must_fold: set[int] = field(default_factory=set)  # seats whose hand is fouled: they give it up
    unread: set[PlayingCard] = field(default_factory=set)  # cards that the readers will miss
    posts: Posts | None = None  # forced bets otherwise than they should be
    scheme: Scheme | None = None  # what the players do, where it is not left to them
    carried_pot: int = 0  # from a hand that nobody won
    counted: frozenset[str] = frozenset()  # players whose stacks follow from the last hand
    hands_left: int = 0  # at this table, after this hand
    moved: tuple[int, int] = (0, 0)  # a seat whose stack has changed with no event for it, and by how much
    newcomer: str = ""  # the next player who comes through the door

    @property
    def entitled(self) -> list[int]:
        """Seats entitled to a hand, from the left of the button: the button is last."""
        return clockwise([holder.seat for holder in self.holders if holder.entitled], self.button)

    @property
    def dealt(self) -> list[int]:
        """Seats that do get a hand, in the order of the deal."""
        return [seat for seat in self.entitled if seat != self.skipped]

    @property
    def blinds(self) -> tuple[int, int]:
        """The seats of the small and the big blind."""
        return blind_seats(self.entitled)

    def again(self, rng: Random) -> HandPlan:
        """The same hand, shuffled afresh and with nothing prepared to go wrong."""
        cards = self.deck.shuffled(rng)
        return replace(
            self,
            cards=cards,
            button=self.right_button,
            skipped=None,
            must_fold=set(),
            unread=set(),
            posts=None,
            scheme=None,
        )

    def holder(self, seat: int) -> Holder:
        return next(holder for holder in self.holders if holder.seat == seat)


def clockwise(seats: list[int], after: int) -> list[int]:
    """The seats in clockwise order, beginning with the first one after a seat."""
    return sorted(seats, key=lambda seat: (seat <= after, seat))


def blind_seats(order: list[int]) -> tuple[int, int]:
    """The blinds of an order from the left of the button. Heads-up the button posts the small one."""
    return (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
