"""The pots of a hand, divided by what each seat put in; and the bet that nobody called."""

from __future__ import annotations

from typing import NamedTuple

from auditor.table.hand import Hand


class Pot(NamedTuple):
    """Chips, and the live seats that can win them: the main pot first, then the side pots."""

    amount: int
    seats: tuple[int, ...]


def unpaid(hand: Hand) -> int:
    """Chips of the pot that nobody has yet; less than nothing where too many came out."""
    return hand.pot - sum(hand.awarded.values()) - sum(hand.returned.values()) - hand.taken


def paid_out(hand: Hand) -> bool:
    """The hand came to its end, and exactly what went in came out: only then can one say who should have had what."""
    return bool(hand.awarded) and not unpaid(hand) and not hand.voided and not hand.void_returns


def uncalled(hand: Hand) -> tuple[int, int]:
    """Who bet what nobody called, and how much: (seat, chips), 0 chips where there is no such bet."""
    top = second = 0
    owner = -1
    for seat, put_in in hand.total.items():
        bet = put_in - hand.dead_chips.get(seat, 0)
        if bet > top:
            owner, top, second = seat, bet, top
        elif bet > second:
            second = bet
    return owner, top - second


def called_back(hand: Hand) -> tuple[int, int]:
    """Who got back, as uncalled, what had been called, and how much: (seat, chips), 0 chips where nobody did.

    Where several did, they agreed on something; chips that went back for another reason have one.
    """
    if not hand.returned or hand.refunds:
        return -1, 0
    owner, chips = uncalled(hand)
    beyond = {seat: back - (chips if seat == owner else 0) for seat, back in hand.returned.items()}
    called = [(seat, more) for seat, more in beyond.items() if more > 0]
    return called[0] if len(called) == 1 else (-1, 0)


def divide(hand: Hand) -> list[Pot]:
    """The pots as the live seats contest them; none where nobody can say how they are divided.

    Chips of players who folded are in them, and those that came back to a player are not, unless they had been called.
    Antes and dead blinds are in the main pot.
    """
    bets = {seat: _bets(hand, seat) for seat in hand.total}
    seat, chips = called_back(hand)
    if chips:
        bets[seat] = bets.get(seat, 0) + chips
    live = sorted(hand.live)
    if not live or min(bets.values(), default=0) < 0 or _short_ante(hand, bets):
        return []
    dead = sum(hand.dead_chips.values()) + hand.carried_pot + hand.splash
    levels = sorted({bets.get(seat, 0) for seat in live})
    if len(levels) == 1:  # as nearly always: one pot, which every live hand contests
        amount = dead + sum(bets.values())
        return [Pot(amount, tuple(live))] if amount else []
    pots: list[Pot] = []
    below = 0
    for level in levels:
        amount = dead + sum(min(bet, level) - min(bet, below) for bet in bets.values())
        dead, below = 0, level
        if amount:
            pots.append(Pot(amount, tuple(seat for seat in live if bets.get(seat, 0) >= level)))
    beyond = sum(max(0, bet - below) for bet in bets.values())
    if beyond and pots:  # a bettor who threw the hand away at the showdown
        pots[-1] = Pot(pots[-1].amount + beyond, pots[-1].seats)
    return pots


def _bets(hand: Hand, seat: int) -> int:
    return hand.total[seat] - hand.dead_chips.get(seat, 0) - hand.returned.get(seat, 0)


def _short_ante(hand: Hand, bets: dict[int, int]) -> bool:
    """A live player had chips for the ante alone, and for less of it than others posted: a pot of its own kind."""
    dead = hand.dead_chips
    if not dead:
        return False
    full = max(dead.values())
    return any(not bets.get(seat, 0) and (dead[seat] < full or len(dead) == 1) for seat in hand.live if dead.get(seat))
