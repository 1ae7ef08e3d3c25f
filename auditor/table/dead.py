"""Dead hands: cards that were thrown away, killed, timed out or ruled dead, and hands that come back.

A hand that is dead by the rules and that nobody at the table took away (one card too many, a joker in it) stays in the
betting here: what the table does with it is a fact. Rules say that it is dead.
"""

from __future__ import annotations

from auditor.events import CardsReleased, CardsRetrieved, ClockExpired, PlayerActed, RulingMade, face
from auditor.table import betting
from auditor.table.hand import Death, DeathCause, Hand, Irregularity, Release

#: Manners of throwing a hand away.
THROWN = ("forward_motion", "muck")
_UPCARDS = ("picked_up_upcards", "turned_down_upcards", "mixed_cards")
#: Findings about what a dead hand did: another cause made it dead.
_CONSEQUENCES = ("HND108", "POT105", "RUL107")
#: Findings on a hand that its player gave up or lost to the clock: where it is given back with good cause, they lapse.
_GIVEN_UP = ("HND102", "HND103", "HND106")
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


def has_checked(hand: Hand, seat: int) -> bool:
    """Whether a clock that runs out makes this player check: the action is his, and there is nothing to call."""
    return seat in hand.live and seat in hand.pending and hand.turn in (-1, seat) and not faces_bet(hand, seat)


def gives_up(hand: Hand, seat: int, release: Release) -> bool:
    """Cards thrown away by a player who owed an action: without a fold, and not dead by the rules yet."""
    return release.owed and release.manner in THROWN and seat not in hand.dead and seat not in hand.folded


def throws_away(hand: Hand, seat: int, release: Release) -> bool:
    """A hand thrown forward that nobody has acted behind yet, and that its player did not fold besides."""
    return release.manner == "forward_motion" and gives_up(hand, seat, release)


def is_behind(hand: Hand, seat: int, release: Release) -> bool:
    """Whether a seat that acts now does so behind these cards: in the same round, and not ahead of their player."""
    return hand.street == release.street and seat not in release.ahead


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
    released = Release(event.manner, event.seq, owed, event.protected, hand.street, _ahead(hand, seat))
    hand.released[seat] = released
    cause = _death(hand, event, released)
    if cause is not None:
        hand.dead[seat] = Death(cause, event.seq)
    if cause is not None or event.manner == "forward_motion" or (event.manner == "muck" and _is_fold(hand, released)):
        betting.leave(hand, seat)


def _ahead(hand: Hand, seat: int) -> set[int]:
    """Who is to act in this round before the action comes to this seat, as far as anybody can say."""
    if hand.betting_started:
        players, first = hand.pending, hand.turn
    else:  # the blinds are posted, and the seat behind them opens
        players, first = hand.live - hand.all_in, -1 if hand.last_blind == -1 else hand.last_blind + 1
    if first == -1:
        return set()
    return {other for other in players if (other < first, other) < (seat < first, seat)}


def _death(hand: Hand, event: CardsReleased, released: Release) -> DeathCause | None:
    seat, manner = event.seat, event.manner
    if manner == "into_other_hand":
        return "into_other_hand"
    if manner == "killed_by_dealer":
        return None if seat in hand.shown else "killed_by_dealer"  # a tabled hand cannot be killed any more
    if manner == "muck":
        return "thrown_away" if _is_fold(hand, released) and faces_bet(hand, seat) and seat not in hand.shown else None
    return "upcards" if abandons_upcards(hand, event) else None


def _is_fold(hand: Hand, released: Release) -> bool:
    """Cards that go into the muck while their player owes an action; not those of a showdown, when nobody does."""
    return released.owed and "betting" in hand.observes


def act_behind(hand: Hand, event: PlayerActed) -> None:
    """Somebody acts while a hand lies there that was thrown away: behind one thrown forward, that hand is dead."""
    own = hand.released.get(event.seat)
    if own is not None:
        _act_after_all(hand, event, own)
    for seat, released in hand.released.items():
        if seat != event.seat and throws_away(hand, seat, released) and is_behind(hand, event.seat, released):
            hand.dead[seat] = Death("thrown_away", released.seq)
        released.ahead.discard(event.seat)


def _act_after_all(hand: Hand, event: PlayerActed, released: Release) -> None:
    """The player whose cards lie there acts: has taken them back in time, or says the fold that the throw was."""
    seat = event.seat
    if event.action != "fold":
        if gives_up(hand, seat, released):
            betting.come_back(hand, seat, owes=True)
            del hand.released[seat]
    elif _was_due(hand, seat, released) and seat not in hand.live and seat not in hand.folded:
        hand.live.add(seat)  # up to this fold, which stands where the throw was
        hand.turn = seat


def _was_due(hand: Hand, seat: int, released: Release) -> bool:
    """Whether the action was on this player when the cards were thrown away, or has come there since."""
    return released.owed and released.manner in THROWN and is_behind(hand, seat, released) and not released.ahead


def retrieve(hand: Hand, event: CardsRetrieved) -> None:
    """A player gets the cards back."""
    seat = event.seat
    if event.reason != "none":
        hand.given_back[seat] = event.seq
    elif hand.awards:
        return  # to be shown: nothing is left to win
    if seat in hand.dead or seat in hand.folded or seat in hand.released:
        _give_back(hand, seat)


def _give_back(hand: Hand, seat: int) -> None:
    """A hand that was out of it is in again, and owes the action that it did not make."""
    released = hand.released.pop(seat, None)
    hand.dead.pop(seat, None)
    hand.folded.discard(seat)
    betting.come_back(hand, seat, owes=faces_bet(hand, seat) or (released is not None and released.owed))


def expire(hand: Hand, event: ClockExpired) -> None:
    """The clock runs out on a player."""
    if times_out(hand, event.seat):
        hand.dead[event.seat] = Death("clock", event.seq)
        betting.leave(hand, event.seat)
    elif has_checked(hand, event.seat):
        betting.check_by_clock(hand, event.seat)


def lets_live(hand: Hand, event: RulingMade, seat: int) -> bool:
    """Whether a ruling on a seat lets its hand live.

    That the action stands says so of a dead hand only where it has acted since: the chips of any dead hand stay in.
    """
    if event.ruling == "action_stands" and seat in hand.dead:
        return told(hand, "HND108", seat) is not None
    return event.ruling in _LETS_LIVE


def rule_on(hand: Hand, event: RulingMade, seat: int) -> None:
    """The floor rules on one player's hand."""
    if event.ruling == "hand_dead":
        hand.dead[seat] = Death("ruled", event.seq)
        betting.leave(hand, seat)
    elif event.ruling in _LETS_LIVE:
        hand.let_live.add(seat)
        released = hand.released.get(seat)
        out = seat in hand.dead or (released is not None and gives_up(hand, seat, released))
        if out and lets_live(hand, event, seat):
            _give_back(hand, seat)


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
        if irregularity.seats[:1] == (seat,) and not is_given_back(hand, irregularity, seat):
            return irregularity
    return None


def is_given_back(hand: Hand, irregularity: Irregularity, seat: int) -> bool:
    """Whether a hand that this irregularity made dead was given back with good cause: after false information, say."""
    return irregularity.code in _GIVEN_UP and irregularity.seq < hand.given_back.get(seat, 0)


def told(hand: Hand, code: str, seat: int) -> Irregularity | None:
    """The finding of this code on this seat, if there is one already."""
    for irregularity in hand.irregularities:
        if irregularity.code == code and irregularity.seats[:1] == (seat,):
            return irregularity
    return None
