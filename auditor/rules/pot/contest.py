"""Who can win which pot at a showdown: what POT104 and POT106 judge, and what else may decide who gets the chips."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from auditor.table import pots, showdown
from auditor.table.hand import Hand, Irregularity
from auditor.table.pots import Pot
from auditor.table.showdown import Key, Strength
from auditor.table.table import Table

#: A bet that was answered wrongly, or never: whose chips are whose follows from that, and is no fault of its own.
ANSWERED_WRONGLY = ("BET103", "BET104", "BET109", "BET110")
#: While one of these is prescribed, and was not done, the cards are not what decides the pot.
_NOBODY_WINS = ("void_action", "pot_carries_over")
_REPAIRS = ("redeal_flop", "fix_turn", "fix_river")
_EXPLAINS = ("POT102", "POT103", "POT105", *ANSWERED_WRONGLY)
#: What became of a card in the deal, and how the deck was prepared for it: the hand is there to be won all the same.
_WON_ALL_THE_SAME = ("RUL108", "RUL109", "RUL110")


class Contest(NamedTuple):
    """A showdown whose chips add up. `hands` are those that are known: shown, or read and awarded chips."""

    pots: list[Pot]
    boards: int
    hands: dict[int, list[Strength]]  # a strength for each board
    shown: frozenset[int]
    sides: tuple[str, ...]
    called_back: tuple[int, int]  # who got back chips that had been called, and how many
    board: int = 0  # the one that it is about; 0: all of them
    shared_by: int = 1  # boards that each pot had to be divided among, before it came to this

    def parts(self, pot: Pot) -> Iterator[dict[int, Key]]:
        """Each board's and each side's share of a pot: the known hands that contest it, as strong as they are."""
        for board in range(self.boards):
            yield from self.sides_of(pot, board)

    def sides_of(self, pot: Pot, board: int) -> Iterator[dict[int, Key]]:
        """The sides into which a board's share of a pot is split: the low is one where a hand qualifies for it."""
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
    called_back = pots.called_back(hand)
    won = hand.awarded.keys() | {called_back[0]} if called_back[1] else hand.awarded.keys()
    if hand.cross_reads or not hand.live >= won:
        return None  # whose card is whose is not known; or a hand that was not live won: that has a finding of its own
    divided, boards = pots.divide(hand), showdown.boards(hand)
    if not divided or not boards:
        return None
    shown = frozenset(seat for seat in hand.live if _claims(hand, seat))
    trips_first = table.memory.house.short_deck_ranking == "trips_over_straight"
    hands: dict[int, list[Strength]] = {}
    for seat in shown.union(won):
        cards = showdown.cards_of(hand, seat)
        if not cards:
            continue
        values = [showdown.strength(hand.game, cards, board, trips_first=trips_first) for board in boards]
        if None in values:
            return None  # a card is there twice
        hands[seat] = [value for value in values if value is not None]
    return Contest(divided, len(boards), hands, shown, showdown.sides(hand.game), called_back)


def on_each_board(hand: Hand, held: Contest) -> list[Contest]:
    """The contest on each board alone, where the feed says which award is of which; otherwise the one contest."""
    numbers = (1, *hand.boards)
    seat, uncalled = pots.uncalled(hand)
    if held.boards == 1 or held.called_back[1] or uncalled > hand.returned.get(seat, 0):
        return [held]
    if not all(award.board in numbers for award in hand.awards):
        return [held]
    shares = [Pot(-(-pot.amount // held.boards), pot.seats) for pot in held.pots]
    return [
        held._replace(
            pots=shares,
            boards=1,
            hands={seat: [each[i]] for seat, each in held.hands.items()},
            board=number,
            shared_by=held.boards,
        )
        for i, number in enumerate(numbers)
    ]


def paid(hand: Hand, held: Contest) -> dict[int, int]:
    """Chips that each seat got of what this contest is about: awarded, or given back though they had been called."""
    if not held.board:
        seat, chips = held.called_back
        return {**hand.awarded, seat: hand.awarded.get(seat, 0) + chips} if chips else hand.awarded
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


def smallest_chip(table: Table) -> int:
    """In what units a pot is split; 0 where neither the house nor the stakes say it: one is what a feed says of any."""
    house = table.memory.house
    unit = house.odd_chip_unit or table.hand.stakes.smallest_chip
    return unit if unit > 1 or house.odd_chip_unit else 0


def at_most_an_odd_chip(table: Table) -> int:
    """What the smallest chip is not larger than, whoever says what: a small blind, or an ante, is paid in chips."""
    hand = table.hand
    paid_in = (post.amount for post in hand.posts if post.kind in ("small_blind", "ante"))
    return max(1, smallest_chip(table), hand.stakes.small_blind, hand.stakes.ante, *paid_in)


def decided_otherwise(hand: Hand) -> bool:
    """An irregularity, a ruling or another fault of the pot decides who gets the chips, and not the cards."""
    return stakes_in_doubt(hand) or any(
        i.code in _EXPLAINS
        or (i.family == "RUL" and i.code not in _WON_ALL_THE_SAME)
        or (i.prescribed in _REPAIRS and not _board_put_right(hand, i))
        for i in hand.irregularities
    )


def stakes_in_doubt(hand: Hand) -> bool:
    """Who has a stake in the pot follows from an irregularity, or from a ruling on a hand that nobody can name."""
    if not hand.irregularities and not hand.rulings:
        return False
    ruled_out = {death.seq for seat, death in hand.dead.items() if seat not in hand.live}
    if any(ruling == "hand_dead" and seq not in ruled_out for ruling, seq in hand.rulings):
        return True
    return any(
        i.prescribed in _NOBODY_WINS
        or i.code in ANSWERED_WRONGLY
        or (i.prescribed == "hand_dead" and not (i.seats and hand.live.isdisjoint(i.seats)))
        for i in hand.irregularities
    )


def _board_put_right(hand: Hand, irregularity: Irregularity) -> bool:
    """The cards that came wrongly have left the board, and what came in their place came rightly; or they stand."""
    if irregularity.code == "BRD104" and hand.actions > irregularity.actions and not hand.put_right:
        return True  # a missing burn that was acted on
    if irregularity.code in ("BRD106", "BRD107", "BRD108") or not irregularity.cards:
        return False
    return not any(card in board for board in (hand.board, *hand.boards.values()) for card in irregularity.cards)
