"""The showdown: who wins which pot on which board, who must show, and what the house takes."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

from pokerkit import Card, Lookup, ShortDeckHoldemHand, StandardHighHand

from auditor.simulate.deck import PlayingCard
from auditor.simulate.plan import Pot
from auditor.simulate.setting import Setting


class Award(NamedTuple):
    """Chips of one pot for one seat."""

    seat: int
    amount: int
    pot: int


class Result(NamedTuple):
    """How the pots are paid out."""

    rake: int
    awards: list[Award]

    @property
    def winners(self) -> set[int]:
        return {award.seat for award in self.awards}


Holes = dict[int, list[PlayingCard]]
Board = list[PlayingCard]


def judge(setting: Setting, pots: list[Pot], holes: Holes, boards: list[Board], flop_seen: bool) -> Result:
    """Split the pots. `holes` is in the order of the deal: an odd chip goes to the first of the winners in it.

    Each board has half of every pot, the first one the odd chip. No flop, no drop.
    """
    lookup = ShortDeckHoldemHand.lookup if setting.short_deck else StandardHighHand.lookup
    strengths = [{seat: _strength(lookup, cards, board) for seat, cards in holes.items()} for board in boards]
    rake = contested = 0
    awards: list[Award] = []
    for number, pot in enumerate(pots):
        contested += pot.amount
        taken = setting.rake(contested) - rake if flop_seen else 0
        rake += taken
        shares: dict[int, int] = {}
        for part, strength in zip(_split(pot.amount - taken, len(boards)), strengths, strict=True):
            best = max(strength[seat] for seat in pot.seats)
            winners = [seat for seat in holes if seat in pot.seats and strength[seat] == best]
            for seat, chips in zip(winners, _split(part, len(winners)), strict=True):
                shares[seat] = shares.get(seat, 0) + chips
        awards += [Award(seat, chips, number) for seat, chips in shares.items() if chips]
    return Result(rake, awards)


def uncontested(setting: Setting, seat: int, amount: int, flop_seen: bool) -> Result:
    """Everyone else has folded."""
    rake = setting.rake(amount) if flop_seen else 0
    return Result(rake, [Award(seat, amount - rake, 0)])


def _split(amount: int, parts: int) -> list[int]:
    whole, odd = divmod(amount, parts)
    return [whole + (i < odd) for i in range(parts)]


def _strength(lookup: Lookup, hole: list[PlayingCard], board: Board) -> int:
    """The greater, the better. Five cards that no deck allows, because one is there twice, make no hand."""
    cards = [_card(card.face) for card in (*hole, *board)]
    entries = (lookup.get_entry_or_none(five) for five in combinations(cards, 5))
    return max(entry.index for entry in entries if entry is not None)


@cache
def _card(face: str) -> Card:
    return next(iter(Card.parse(face)))
