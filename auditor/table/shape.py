"""The shape of a deal: who got how many cards, in what order, measured once when the deal is over."""

from __future__ import annotations

from datetime import datetime

from auditor.events import CardDealt
from auditor.table.deck import is_scrap
from auditor.table.hand import Hand, Withdrawn


class DealSettled:
    """The moment when the deal is over: play goes on, or (`interrupted`) a ruling ended the hand first."""

    __slots__ = (
        "at", "extra", "first_astray", "ineligible", "interrupted", "out_of_sequence", "seq", "short", "undealt",
    )  # fmt: skip

    def __init__(self, seq: int, at: datetime, interrupted: bool) -> None:
        self.seq = seq
        self.at = at
        self.interrupted = interrupted
        self.undealt: list[int] = []  # entitled seats that got no card
        self.short: list[int] = []  # entitled seats with too few cards
        self.extra: list[CardDealt] = []  # cards beyond the starting hands
        self.ineligible: list[CardDealt] = []  # cards to seats that are entitled to none
        self.first_astray: CardDealt | None = None  # the first card, where it went to a wrong seat
        self.out_of_sequence: CardDealt | None = None  # the first card that came out of its turn


def measure(hand: Hand, moment: DealSettled) -> DealSettled:
    """Fill in the moment. One fault is told once: what follows from an undealt or short seat is not also a fault."""
    order = hand.order
    if not hand.boxed and _as_it_should_be([dealt.seat for dealt in hand.deal], hand):
        return moment
    if not order:
        order = _order_from_first_card(hand)
    order = [seat for seat in order if not hand.absent(seat)]
    deals = _without_scrap(hand)
    vacant = [back for back in hand.withdrawn if back.card not in hand.replaced]
    whole = not moment.interrupted or _is_whole(deals, order, hand.game.starting_cards)
    _measure_counts(hand, moment, deals, vacant)
    if whole:
        _measure_gaps(hand, moment, deals, order)
    if whole or "hole_cards" in hand.observes:
        _measure_order(hand, moment, deals, order, vacant)
    return moment


def _as_it_should_be(seats: list[int], hand: Hand) -> bool:
    """Every entitled seat has its cards, and in order where the feed knows the order: so it is nearly always."""
    order, size = hand.order, hand.game.starting_cards
    if order and seats == order * size:
        return True
    return (
        "deal_order" not in hand.observes
        and len(seats) == size * len(hand.entitled)
        and all(seats.count(seat) == size for seat in hand.entitled)
    )


def _order_from_first_card(hand: Hand) -> list[int]:
    """Where nobody says where the button is, the deal begins where it began."""
    entitled = sorted(hand.entitled)
    first = next((dealt.seat for dealt in hand.deal if dealt.seat in hand.entitled), None)
    if first is None:
        return entitled
    cut = entitled.index(first)
    return entitled[cut:] + entitled[:cut]


def _without_scrap(hand: Hand) -> list[CardDealt]:
    """The deal without boxed cards and jokers that another card followed: those are scraps of paper.

    One that was given back, or that a later event says it replaces, keeps its place in the order: its replacement
    has it.
    """
    gone = hand.replaced.union([back.card for back in hand.withdrawn])
    counts: dict[int, int] = {}
    for dealt in hand.deal:
        if not is_scrap(hand, dealt.card, dealt.boxed) or dealt.card in hand.replaced:
            counts[dealt.seat] = counts.get(dealt.seat, 0) + 1
    kept = []
    for dealt in hand.deal:
        if is_scrap(hand, dealt.card, dealt.boxed) and dealt.card not in gone:
            if counts.get(dealt.seat, 0) >= hand.game.starting_cards:
                continue
            counts[dealt.seat] = counts.get(dealt.seat, 0) + 1
        kept.append(dealt)
    return kept


def _is_whole(deals: list[CardDealt], order: list[int], size: int) -> bool:
    """Whether a deal that a ruling ended had come to its end, so that what is missing from it is missing.

    It had been round as often as there are cards in a hand, and nobody was left, from the seat that got the last card
    on, to whom only one more was due.
    """
    position = {seat: place for place, seat in enumerate(order)}
    counts = dict.fromkeys(order, 0)
    rounds, last = 0, len(order)
    for dealt in deals:
        place = position.get(dealt.seat)
        if place is None:
            continue
        # Heads-up, whoever gets two cards running gets the second one in a round in which the other was passed.
        rounds += place < last or (place == last and len(order) == 2)
        last = place
        counts[dealt.seat] += 1
    return rounds >= size and all(counts[seat] != size - 1 for seat in order[last:])


def _measure_counts(hand: Hand, moment: DealSettled, deals: list[CardDealt], vacant: list[Withdrawn]) -> None:
    """The cards that should have gone to nobody: to a seat that is entitled to none, or that had its hand already."""
    size = hand.game.starting_cards
    counts: dict[int, int] = {}
    for dealt in deals:
        seat = dealt.seat
        counts[seat] = counts.get(seat, 0) + 1
        if seat not in hand.entitled:
            moment.ineligible.append(dealt)
        elif counts[seat] - sum(back.seat == seat and back.seq < dealt.seq for back in vacant) > size:
            moment.extra.append(dealt)


def _measure_gaps(hand: Hand, moment: DealSettled, deals: list[CardDealt], order: list[int]) -> None:
    counts = dict.fromkeys(order, 0)
    for dealt in deals:
        if dealt.seat in counts:
            counts[dealt.seat] += 1
    moment.undealt = [seat for seat in order if not counts[seat]]
    moment.short = [seat for seat in order if 0 < counts[seat] < hand.game.starting_cards]


def _measure_order(
    hand: Hand, moment: DealSettled, deals: list[CardDealt], order: list[int], vacant: list[Withdrawn]
) -> None:
    size, missed = hand.game.starting_cards, {*moment.undealt, *moment.short}
    if not order or order[0] in missed:
        start = 0
    else:
        first = next((dealt for dealt in deals if dealt.seat in hand.entitled), None)
        if first is None:
            return
        start = order.index(first.seat) if first.seat in order else 0
        if start and hand.order:
            moment.first_astray = first
            return
    # A card that a short seat lacks may be the one that another seat has too many.
    uneven = missed | {dealt.seat for dealt in moment.extra} if missed else missed
    due = [seat for seat in order[start:] + order[:start] if seat not in uneven] * size
    vacant = list(vacant)
    came = iter([dealt for dealt in deals if dealt.seat in due])
    for seat in due:
        dealt = next((card for card in came if card.seat == seat or not _fills(card, vacant)), None)
        if dealt is None:
            return
        if dealt.seat != seat:
            # Of two seats whose cards changed places, the card that came late: it might have been left out till then.
            one_too_many = sum(card.seat == dealt.seat for card in deals) > size
            late = None if one_too_many else next((card for card in came if card.seat == seat), None)
            moment.out_of_sequence = late or dealt
            return


def _fills(dealt: CardDealt, vacant: list[Withdrawn]) -> bool:
    """Whether a card out of its turn comes in the place of one that the seat gave back before, which it then does."""
    for back in vacant:
        if back.seat == dealt.seat and back.seq < dealt.seq:
            vacant.remove(back)
            return True
    return False
