"""Who can win which pot at a showdown: what POT104 and POT106 judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from auditor.table import pots, showdown
from auditor.table.hand import Hand
from auditor.table.pots import Pot
from auditor.table.showdown import Key, Strength
from auditor.table.table import Table

#: A bet that was answered wrongly, or never: whose chips are whose follows from that, and is no fault of its own.
ANSWERED_WRONGLY = ("BET103", "BET104", "BET109", "BET110")
#: While one of these is prescribed, the cards are not what decides the pot.
_DECIDED_OTHERWISE = ("void_action", "hand_dead", "redeal_flop", "fix_turn", "fix_river", "pot_carries_over")
_EXPLAINS = ("POT102", "POT103", "POT105", *ANSWERED_WRONGLY)


class Contest(NamedTuple):
    """A showdown whose chips add up. `hands` are those that are known: shown, or read and awarded chips."""

    pots: list[Pot]
    boards: int
    hands: dict[int, list[Strength]]  # a strength for each board
    shown: frozenset[int]
    sides: tuple[str, ...]
    board: int = 0  # the one that it is about; 0: all of them

    def parts(self, pot: Pot) -> Iterator[dict[int, Key]]:
        """Each board's and each side's share of a pot: the known hands that contest it, as strong as they are."""
        for board in range(self.boards):
            for side in self.sides:
                keys = {seat: getattr(self.hands[seat][board], side) for seat in pot.seats if seat in self.hands}
                qualified = {seat: key for seat, key in keys.items() if key is not None}
                if qualified or side == "high":
                    yield qualified


def contest(table: Table) -> Contest | None:
    """The showdown of the hand that ends; None where it had none, or nobody can say who should have won."""
    hand = table.hand
    if not hand.shown or len(hand.live) < 2 or not pots.paid_out(hand) or decided_otherwise(hand):
        return None
    if hand.cross_reads or not hand.live >= hand.awarded.keys():
        return None  # whose card is whose is not known; or a hand that was not live won: that has a finding of its own
    divided, boards = pots.divide(hand), showdown.boards(hand)
    if not divided or not boards:
        return None
    shown = frozenset(seat for seat in hand.live if _claims(hand, seat))
    trips_first = table.memory.house.short_deck_ranking == "trips_over_straight"
    hands: dict[int, list[Strength]] = {}
    for seat in shown.union(hand.awarded):
        cards = showdown.cards_of(hand, seat)
        if not cards:
            continue
        values = [showdown.strength(hand.game, cards, board, trips_first=trips_first) for board in boards]
        if None in values:
            return None  # a card is there twice
        hands[seat] = [value for value in values if value is not None]
    return Contest(divided, len(boards), hands, shown, showdown.sides(hand.game))


def on_each_board(hand: Hand, held: Contest) -> list[Contest]:
    """The contest on each board alone, where the feed says which award is of which; otherwise the one contest."""
    numbers = (1, *hand.boards)
    seat, uncalled = pots.uncalled(hand)
    if held.boards == 1 or uncalled > hand.returned.get(seat, 0) or not all(a.board in numbers for a in hand.awards):
        return [held]
    shares = [Pot(-(-pot.amount // held.boards), pot.seats) for pot in held.pots]
    return [
        held._replace(pots=shares, boards=1, hands={seat: [each[i]] for seat, each in held.hands.items()}, board=number)
        for i, number in enumerate(numbers)
    ]


def paid(hand: Hand, held: Contest) -> dict[int, int]:
    """Chips that each seat was awarded of what this contest is about."""
    if not held.board:
        return hand.awarded
    won: dict[int, int] = {}
    for award in hand.awards:
        if award.board == held.board:
            won[award.seat] = won.get(award.seat, 0) + award.amount
    return won


def _claims(hand: Hand, seat: int) -> bool:
    """The seat has shown its hand, and it did not throw it away before the pot was awarded."""
    released = hand.released.get(seat)
    if seat in hand.dead or (released is not None and released.seq < hand.awards[0].seq):
        return False
    return showdown.has_shown(hand, seat)


def decided_otherwise(hand: Hand) -> bool:
    """An irregularity, a ruling or another fault of the pot decides who gets the chips."""
    if any(ruling == "hand_dead" for ruling, _ in hand.rulings):
        return True
    return any(
        i.prescribed in _DECIDED_OTHERWISE or i.code.startswith("RUL") or i.code in _EXPLAINS
        for i in hand.irregularities
    )
