"""The shape of a deal: who got how many cards, in what order, measured once when the deal is over."""

from __future__ import annotations

from datetime import datetime

from auditor.cards import JOKER
from auditor.events import CardDealt
from auditor.table.hand import Hand


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
    deals = _without_scrap(hand)
    _measure_counts(hand, moment, deals, order)
    _measure_order(hand, moment, deals, order)
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

    One that a later event says it replaces keeps its place in the order: its replacement has it.
    """
    counts: dict[int, int] = {}
    for dealt in hand.deal:
        if not _is_scrap(hand, dealt):
            counts[dealt.seat] = counts.get(dealt.seat, 0) + 1
    kept = []
    for dealt in hand.deal:
        if _is_scrap(hand, dealt):
            if dealt.card not in hand.replaced and counts.get(dealt.seat, 0) >= hand.game.starting_cards:
                continue
            counts[dealt.seat] = counts.get(dealt.seat, 0) + 1
        kept.append(dealt)
    return kept


def _is_scrap(hand: Hand, dealt: CardDealt) -> bool:
    return dealt.boxed or (dealt.card == JOKER and not hand.jokers)


def _measure_counts(hand: Hand, moment: DealSettled, deals: list[CardDealt], order: list[int]) -> None:
    size = hand.game.starting_cards
    counts: dict[int, int] = {}
    for dealt in deals:
        counts[dealt.seat] = counts.get(dealt.seat, 0) + 1
        if dealt.seat not in hand.entitled:
            moment.ineligible.append(dealt)
        elif counts[dealt.seat] > size:
            moment.extra.append(dealt)
    due = _due(moment, deals, order, size)
    moment.undealt = [seat for seat in order if due[seat] and seat not in counts]
    moment.short = [seat for seat in order if 0 < counts.get(seat, 0) < due[seat]]


def _due(moment: DealSettled, deals: list[CardDealt], order: list[int], size: int) -> dict[int, int]:
    """Cards that each seat should have by now. A deal that was stopped owes only what it had already passed by."""
    if not moment.interrupted:
        return dict.fromkeys(order, size)
    position = {seat: place for place, seat in enumerate(order)}
    mine = [dealt for dealt in deals if dealt.seat in position]
    if not mine:
        return dict.fromkeys(order, 0)
    last = mine[-1].seat
    whole_rounds = min(sum(dealt.seat == last for dealt in mine), size) - 1
    return {seat: whole_rounds + (place <= position[last]) for seat, place in position.items()}


def _measure_order(hand: Hand, moment: DealSettled, deals: list[CardDealt], order: list[int]) -> None:
    missed = {*moment.undealt, *moment.short}
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
    turned = order[start:] + order[:start]
    position = {seat: place for place, seat in enumerate(turned)}
    uneven = missed | {dealt.seat for dealt in moment.extra}
    dealt_so_far: dict[int, int] = {}
    furthest = -1
    for dealt in deals:
        seat = dealt.seat
        if seat not in position or seat in uneven:
            continue
        key = dealt_so_far.get(seat, 0) * len(turned) + position[seat]
        if key < furthest:
            moment.out_of_sequence = dealt
            return
        furthest = key
        dealt_so_far[seat] = dealt_so_far.get(seat, 0) + 1
