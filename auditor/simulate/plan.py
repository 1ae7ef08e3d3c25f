"""What is settled before a hand's first card: who plays it, from which deck, and what is going to go wrong."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple

from auditor.simulate.deck import PlayingCard, PlayingDeck
from auditor.simulate.setting import Setting


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
        return replace(self, cards=cards, button=self.right_button, skipped=None, must_fold=set(), unread=set())

    def holder(self, seat: int) -> Holder:
        return next(holder for holder in self.holders if holder.seat == seat)


def clockwise(seats: list[int], after: int) -> list[int]:
    """The seats in clockwise order, beginning with the first one after a seat."""
    return sorted(seats, key=lambda seat: (seat <= after, seat))


def blind_seats(order: list[int]) -> tuple[int, int]:
    """The blinds of an order from the left of the button. Heads-up the button posts the small one."""
    return (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
