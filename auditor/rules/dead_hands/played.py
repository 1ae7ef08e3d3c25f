"""HND108: a dead hand that acts again, or wins."""

from __future__ import annotations

from auditor.events import CardsReleased, CardsRetrieved, ClockExpired, PlayerActed, PotAwarded
from auditor.rules.rule import ODDLY, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import dead
from auditor.table.hand import Hand, Irregularity
from auditor.table.table import Table

_BECAUSE = {
    "ruled": "it was ruled dead",
    "clock": "the clock had run out on it",
    "thrown_away": "it had been thrown away",
    "upcards": "its upcards had left the table",
    "into_other_hand": "its cards had been thrown into another hand",
    "killed_by_dealer": "the dealer had killed it",
}


def _acted(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if seat not in hand.dead and seat not in hand.folded:
        return _acted_after_return(hand, event) if hand.irregularities else None
    death = hand.dead.get(seat)
    if death is not None and event.action != "fold":
        return _hit(hand, event, _BECAUSE[death.cause], death.seq, dead.found_dead(hand, seat))
    if event.amount and seat in hand.folded:  # one that acts without chips is BET102 alone
        return _hit(hand, event, "it had been folded", event.seq, dead.told(hand, "BET102", seat))
    return None


def _acted_after_return(hand: Hand, event: PlayerActed) -> list[Hit] | None:
    """A hand that was taken back without cause stays dead."""
    seat = event.seat
    back = dead.told(hand, "HND109", seat)
    if back is None or event.action == "fold" or seat in hand.let_live or hand.given_back.get(seat, 0) > back.seq:
        return None
    return _hit(hand, event, "it had been given up, and was taken back without cause", back.seq, back)


def _awarded(table: Table, event: PotAwarded) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    found = dead.found_dead(hand, seat) if hand.irregularities else None
    death = hand.dead.get(seat)
    if death is not None:
        return _hit(hand, event, _BECAUSE[death.cause], death.seq, found)
    if found is not None:
        return _hit(hand, event, "the rules make it dead", found.seq, found)
    if seat in hand.folded and dead.is_contested(hand, seat):
        return _hit(hand, event, "it had been folded", event.seq, None)
    return None


def _hit(
    hand: Hand, event: PlayerActed | PotAwarded, because: str, seq: int, cause: Irregularity | None
) -> list[Hit] | None:
    seat = event.seat
    if dead.told(hand, "HND108", seat):
        return None
    did = f"was awarded {event.amount}" if isinstance(event, PotAwarded) else f"acted ({event.action})"
    return [
        Hit(
            f"The dead hand of seat {seat} {did}: {because}.",
            seats=(seat,),
            evidence=(seq, event.seq) if seq != event.seq else (),
            cause=cause.incident if cause else None,
        )
    ]


def _killed(seat: int = 3) -> Scene:
    """The dealer takes in a hand that nobody protected."""
    return Scene().opened().limp().flop().check(1, 2).add(CardsReleased, seat=seat, manner="killed_by_dealer")


DEAD_HAND_PLAYED = Rule(
    code="HND108",
    name="dead-hand-played",
    severity="critical",
    source="Seed A, dead hands; seed C, dead hands",
    what="A dead hand acted again, or won a pot: one that was thrown away, killed, timed out or ruled dead, that "
    "was taken back without cause, that the rules make dead, or that was folded. Cards that go into the muck without a "
    "word, facing a bet, are thrown away. The ordinary fold (HND101) is no finding: it makes the hand dead. A folded "
    "hand that acts without chips is BET102 alone.",
    why="A hand that is out of it took chips from those who are in.",
    prescribes="hand_dead",
    prescription="The hand is dead, and wins nothing. Its chips stay in the pot.",
    triage="See who let the hand play, and what the live hands lost by it.",
    false_positives="A hand that was given back to its player with good reason, and the feed did not report it.",
    checks={ODDLY: _acted, PotAwarded: _awarded},
    examples=lambda: (
        flags(
            "a hand that was ruled dead calls",
            Scene(4).opened().rule("hand_dead", seat=3).raise_to(4, 300).fold(1, 2).call(3).script(),
        ),
        flags(
            "the clock ran out on it, and it calls",
            Scene().opened().raise_to(3, 600).add(ClockExpired, seat=1).call(1, 2).script(),
            also=("HND106",),
        ),
        flags(
            "a hand that was killed by the dealer wins",
            _killed().turn().check(1, 2).river().check(1, 2).win(3).script(),
            also=("RUL107",),
        ),
        flags(
            "a hand that was folded wins",
            Scene().opened().fold(3).call(1).check(2).flop().check(1, 2).turn().check(1, 2).river().check(1, 2).win(3)
            .script(),
            also=("POT105",),
        ),
        flags(
            "a hand that was folded calls",
            Scene(4).opened().fold(3).call(4, 1).call(3).check(2).script(),
            also=("BET102",),
        ),
        flags(
            "cards go into the muck in the face of a bet, and their player calls",
            Scene(2).opened().limp().flop().raise_to(1, 300).add(CardsReleased, seat=2).call(2).turn().check(1)
            .raise_to(2, 300).fold(1).refund_to(2, 300).award(2, 800).end().script(),
            also=("RUL107",),
        ),
        passes(
            "cards go into the muck in the face of a bet, and that was the fold",
            Scene().opened().limp().flop().raise_to(1, 300).call(2).add(CardsReleased, seat=3).turn().check(1, 2)
            .river().check(1, 2).win(2).script(),
        ),
        passes(
            "cards go into the muck, and the fold is reported behind it",
            Scene().opened().add(CardsReleased, seat=3).fold(3).call(1).check(2).flop().check(1, 2).script(),
        ),
        passes(
            "the first to act mucks without a word",
            Scene().opened().add(CardsReleased, seat=3).call(1).check(2).flop().check(1, 2).script(),
        ),
        passes(
            "cards go into the muck with nothing to call, and the hand goes on without them",
            Scene().opened().limp().flop().check(1).add(CardsReleased, seat=2).check(3).turn().check(1, 3).river()
            .check(1, 3).win(1).script(),
        ),
        passes(
            "with nothing to call, they are taken back when the action comes",
            Scene().opened().limp().flop().check(1).add(CardsReleased, seat=2).check(2, 3).turn().check(1, 2, 3)
            .script(),
        ),
        passes(
            "thrown away at the showdown, by a feed that does not see the betting",
            Scene(2, observes=tuple(c for c in EVERYTHING if c != "betting")).opened().flop().turn().river()
            .show(1, "7c 7d").show(2, "9c 9d").add(CardsReleased, seat=2).award(2, 200).end().script(),
        ),
        flags(
            "a fold is taken back without cause, and the player calls",
            Scene(2).opened().limp().flop().raise_to(1, 300).fold(2).add(CardsRetrieved, seat=2, by="player").call(2)
            .turn().raise_to(1, 300).fold(2).refund_to(1, 300).award(1, 800).end().script(),
            also=("HND109",),
        ),
        passes(
            "a fold is taken back without cause, and folded again",
            Scene().opened().raise_to(3, 600).fold(1).add(CardsRetrieved, seat=1, by="player").fold(1, 2).script(),
            also=("HND109",),
        ),
        passes(
            "its chips stand, and the hand stays dead",
            Scene().opened().limp().flop().raise_to(1, 300).add(ClockExpired, seat=2).rule("hand_dead", seat=2)
            .rule("action_stands", seat=2).call(3).turn().check(1, 3).river().check(1, 3).win(1).script(),
            also=("HND106",),
        ),
        passes("a dead hand is out of it", _killed().turn().check(1, 2).river().check(1, 2).win(1).script()),
        passes(
            "a hand that was folded on false information is given back, and wins",
            Scene().opened().fold(3).add(CardsRetrieved, seat=3, by="floor", reason="misinformation").call(3, 1)
            .check(2).flop().check(1, 2, 3).turn().check(1, 2, 3).river().check(1, 2, 3).win(3).script(),
        ),
        passes(
            "the last hand that is left is taken in before it is paid",
            Scene().opened().raise_to(3, 600).fold(1, 2).add(CardsReleased, seat=3, manner="killed_by_dealer")
            .refund_to(3, 500).award(3, 250).end().script(),
        ),
        passes(
            "a tabled hand is taken in before it is paid",
            Scene(2).opened().limp().flop().checks_around().turn().checks_around().river().checks_around()
            .show(1, "7c 7d").add(CardsReleased, seat=1, manner="killed_by_dealer").win(1).script(),
        ),
        passes(
            "the main pot goes elsewhere, and who folded to it at the end takes the side pot alone",
            Scene(3, short={3: 1_000}).opened().raise_to(3, 1_000, all_in=True).call(1, 2).flop().raise_to(1, 500)
            .call(2).turn().raise_to(1, 500).fold(2).refund_to(1, 500).river().fold(1).award(3, 3_000)
            .award(1, 1_000).end().script(),
        ),
        passes(
            "the clock ran out on it, and its player folds",
            Scene().opened().raise_to(3, 600).add(ClockExpired, seat=1).fold(1).call(2).script(),
            also=("HND106",),
        ),
    ),
)  # fmt: skip

RULES = (DEAD_HAND_PLAYED,)
