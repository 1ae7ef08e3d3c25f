"""Dead hands: cards that were thrown away, killed, timed out or ruled dead, and hands that come back.

A hand that is dead by the rules and that nobody at the table took away (one card too many, a joker in it) stays in the
betting here: what the table does with it is a fact. Rules say that it is dead.
"""

from __future__ import annotations

from auditor.events import CardsReleased, CardsRetrieved, ClockExpired, PlayerActed, RulingMade, face
from auditor.table import betting
from auditor.table.hand import Death, DeathCause, Hand, Irregularity, Release

_UPCARDS = ("picked_up_upcards", "turned_down_upcards", "mixed_cards")
#: Findings about what a dead hand did: another cause made it dead.
_CONSEQUENCES = ("HND108", "POT105", "RUL107")
_LETS_LIVE = ("play_on", "action_stands", "card_stands")


def faces_bet(hand: Hand, seat: int) -> bool:
    """Whether there is a bet that this seat has not matched yet."""
    return hand.bet > hand.commit.get(seat, 0) and seat not in hand.all_in


def abandons_upcards(hand: Hand, event: CardsReleased) -> bool:
    """Stud, facing a bet: the upcards leave their place on the table."""
    if event.manner not in _UPCARDS or event.seat not in hand.live:
        return False
    return hand.game.streets[0].up > 0 and faces_bet(hand, event.seat)


def times_out(hand: Hand, seat: int) -> bool:
    """Whether a clock that runs out kills this hand: it faces a bet, and the action is its own."""
    return seat in hand.live and seat in hand.pending and faces_bet(hand, seat)


def throws_away(hand: Hand, seat: int, release: Release) -> bool:
    """A hand thrown forward that nobody has acted behind yet, and that its player did not fold besides."""
    return (
        release.manner == "forward_motion" and release.owed and seat not in hand.dead and seat not in hand.folded
    )  # fmt: skip


def release(hand: Hand, event: CardsReleased) -> None:
    """Cards leave a player's hand."""
    seat = event.seat
    if event.manner == "dropped":
        hand.dropped[seat] = tuple(face(item) for item in event.cards)
        return
    if event.into_seat is not None and event.into_seat != seat:
        hand.fouled.add(event.into_seat)
    if seat not in hand.live or len(hand.live) < 2:
        return  # it has no hand any more, or the only one that is left
    owed = seat in hand.pending or not hand.betting_started
    hand.released[seat] = Release(event.manner, event.seq, owed, event.protected)
    cause = _death(hand, event)
    if cause is not None:
        hand.dead[seat] = Death(cause, event.seq)
    if cause is not None or event.manner == "forward_motion":
        betting.leave(hand, seat)


def _death(hand: Hand, event: CardsReleased) -> DeathCause | None:
    if event.manner == "into_other_hand":
        return "into_other_hand"
    if event.manner == "killed_by_dealer":
        return None if event.seat in hand.shown else "killed_by_dealer"  # a tabled hand cannot be killed any more
    return "upcards" if abandons_upcards(hand, event) else None


def act_behind(hand: Hand, event: PlayerActed) -> None:
    """Somebody acts while a hand lies there that was thrown away: behind it, that hand is dead."""
    for seat, released in list(hand.released.items()):
        if not throws_away(hand, seat, released):
            continue
        if seat != event.seat:
            hand.dead[seat] = Death("thrown_away", released.seq)
        elif event.action != "fold":
            betting.come_back(hand, seat, owes=True)  # the player took the cards back in time
            del hand.released[seat]


def retrieve(hand: Hand, event: CardsRetrieved) -> None:
    """A player gets the cards back."""
    seat = event.seat
    released = hand.released.pop(seat, None)
    if hand.dead.pop(seat, None) is not None or seat in hand.folded or released is not None:
        hand.folded.discard(seat)
        betting.come_back(hand, seat, owes=faces_bet(hand, seat) or (released is not None and released.owed))


def expire(hand: Hand, event: ClockExpired) -> None:
    """The clock runs out on a player."""
    if times_out(hand, event.seat):
        hand.dead[event.seat] = Death("clock", event.seq)
        betting.leave(hand, event.seat)


def rule_on(hand: Hand, event: RulingMade, seat: int) -> None:
    """The floor rules on one player's hand."""
    if event.ruling == "hand_dead":
        hand.dead[seat] = Death("ruled", event.seq)
        betting.leave(hand, seat)
    elif event.ruling in _LETS_LIVE:
        hand.let_live.add(seat)
        if hand.dead.pop(seat, None) is not None:
            betting.come_back(hand, seat, owes=faces_bet(hand, seat))


def net(hand: Hand, seat: int) -> int:
    """What another hand must match: the bets of a seat, antes and dead blinds aside, less what came back of them."""
    return hand.total.get(seat, 0) - hand.dead_chips.get(seat, 0) - hand.returned.get(seat, 0)


def is_contested(hand: Hand, seat: int) -> bool:
    """Whether another hand, not given up, plays for every chip that this seat has in the pot."""
    mine = net(hand, seat)
    return any(
        other != seat and other not in hand.released and other not in hand.dead and net(hand, other) >= mine
        for other in hand.live
    )


def found_dead(hand: Hand, seat: int) -> Irregularity | None:
    """The irregularity that made this hand dead by the rules, whatever the table did about it.

    Findings about a dead hand name its seat first.
    """
    for irregularity in hand.irregularities:
        if irregularity.prescribed != "hand_dead" or irregularity.code in _CONSEQUENCES:
            continue
        if irregularity.seats[:1] == (seat,):
            return irregularity
    return None


def told(hand: Hand, code: str, seat: int) -> Irregularity | None:
    """The finding of this code on this seat, if there is one already."""
    for irregularity in hand.irregularities:
        if irregularity.code == code and irregularity.seats[:1] == (seat,):
            return irregularity
    return None
