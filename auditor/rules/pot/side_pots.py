"""POT102 and POT103: chips that a seat had no stake in."""

from __future__ import annotations

from auditor.events import ClockExpired, HandEnded, PotAwarded
from auditor.rules.pot.contest import stakes_in_doubt
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import pots
from auditor.table.hand import Hand
from auditor.table.pots import Pot
from auditor.table.table import Table


def _uncalled_kept(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    seat, chips = pots.uncalled(hand)
    if not chips or not pots.paid_out(hand) or not hand.live >= hand.awarded.keys():
        return None  # where a hand that is not live won, that is the fault
    back = hand.returned.get(seat, 0) + hand.awarded.get(seat, 0)
    if back >= chips or seat in hand.dead or stakes_in_doubt(hand):
        return None
    winners = tuple(sorted(hand.awarded.keys() - {seat}))
    return [
        Hit(
            f"Nobody called {chips} of what seat {seat} bet, and {back} of it went back.",
            seats=(seat, *winners),
            evidence=tuple(award.seq for award in hand.awards),
        )
    ]


def _side_pot(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    if len(hand.live) < 2 or not pots.paid_out(hand) or hand.found("POT103") or stakes_in_doubt(hand):
        return None
    if _one_pot(hand):
        return None
    divided = pots.divide(hand)
    if not divided or not hand.live >= hand.awarded.keys():
        return None
    return _beyond_stake(hand, divided) or _by_number(hand, divided)


def _one_pot(hand: Hand) -> bool:
    """Everybody in it is in it for the same: so it is nearly always."""
    stakes = {hand.contribution(seat) for seat in hand.live}
    return len(stakes) == 1 and not any(award.pot for award in hand.awards)


def _beyond_stake(hand: Hand, divided: list[Pot]) -> list[Hit] | None:
    """Whoever is all-in wins of each opponent what it put in itself, and no more."""
    for seat, chips in sorted(hand.awarded.items()):
        most = sum(pot.amount for pot in divided if seat in pot.seats)
        if chips > most:
            return [_hit(hand, f"Seat {seat} won {chips}: the pots that it had a stake in hold {most}.", seat)]
    return None


def _by_number(hand: Hand, divided: list[Pot]) -> list[Hit] | None:
    """Where the feed numbers the pots: who won each of them, and how much there was in it."""
    last = max(award.pot for award in hand.awards)
    if not last or last >= len(divided):
        return None  # not numbered, or numbered in another way
    owner, uncalled = pots.uncalled(hand)
    uncalled -= hand.returned.get(owner, 0)
    paid = [0] * len(divided)
    for award in hand.awards:
        if award.seat not in divided[award.pot].seats:
            told = f"Seat {award.seat} won {award.amount} of the {_name(award.pot)}, and had no stake in it."
            return [_hit(hand, told, award.seat)]
        paid[award.pot] += award.amount
        if award.seat == owner:
            paid[award.pot] -= max(0, min(award.amount, uncalled))  # what nobody called may be paid with any pot
    for award in hand.awards:
        number, pot = award.pot, divided[award.pot]
        if paid[number] > pot.amount:
            told = f"{paid[number]} was paid of the {_name(number)}, which holds {pot.amount}."
            return [_hit(hand, told, award.seat)]
    return None


def _name(number: int) -> str:
    return f"side pot {number}" if number else "main pot"


def _hit(hand: Hand, message: str, seat: int) -> Hit:
    return Hit(message, seats=(seat,), evidence=tuple(award.seq for award in hand.awards))


def _three_handed(short: int = 500, bet: int = 1_500, more: int = 0) -> Scene:
    """Seat 1 is all-in for less, seats 2 and 3 play on for a side pot, and the board is dealt.

    `more`: what seat 2 bets on the river. Seat 3 gives up, and it goes back.
    """
    told = Scene(short={1: short}).start().blinds().deal({1: "As Ad", 2: "Ks Kd", 3: "Qs Qd"})
    told.raise_to(3, bet).call_short(1).call(2).burn().board("3c", "4h", "9s").check(2, 3).burn().board("9d")
    told.check(2, 3).burn().board("2c")
    if more:
        told.raise_to(2, more).fold(3).refund_to(2, more)
    else:
        told.check(2, 3)
    return told.show(1, "As Ad").show(2, "Ks Kd")


def _to_showdown(seat: int, short: int, bet: int) -> Scene:
    """Heads-up: seat 1 is all-in for less than seat 2 bet, and the board is dealt."""
    told = Scene(2, short={seat: short}).opened().raise_to(2, bet).call_short(seat)
    return told.flop().turn().river()


SIDE_POT_WRONG = Rule(
    code="POT102",
    name="side-pot-wrong",
    severity="critical",
    source="+",
    what="A seat won more than the pots that it had a stake in hold, or won a side pot without a stake in it, or more "
    "was paid of a pot than it holds. Pots are numbered from the main pot, 0, up; where the feed gives one sum a seat, "
    "only the sum is judged.",
    why="Chips of the players who bet on went to one who was all-in for less.",
    prescription="None by itself: divide the pots by what each seat put in, and put it right.",
    observes=frozenset({"betting", "awards"}),
    triage="Write down what each seat put in. An all-in player wins of each opponent what it put in itself.",
    false_positives="A feed that numbers its pots in another way.",
    checks={HandEnded: _side_pot},
    examples=lambda: (
        flags("the short stack takes the side pot too", _three_handed().win(1).script()),
        flags(
            "the same, and a fourth hand is out by the clock",
            Scene(4, short={1: 500}).start().blinds().deal({1: "As Ad", 2: "Ks Kd"}).raise_to(3, 1_500)
            .add(ClockExpired, seat=4).fold(4).call_short(1).call(2).burn().board("3c", "4h", "9s").check(2, 3).burn()
            .board("9d").check(2, 3).burn().board("2c").check(2, 3).show(1, "As Ad").show(2, "Ks Kd").win(1).script(),
            also=("HND106",),
        ),
        flags(
            "the side pot, by its number, to a seat without a stake in it",
            _three_handed().add(PotAwarded, seat=2, amount=1_500).add(PotAwarded, seat=1, amount=2_000, pot=1).end()
            .script(),
        ),
        flags(
            "chips of the side pot were paid with the main pot",
            _three_handed(1_000, 1_500).add(PotAwarded, seat=2, amount=3_500).add(PotAwarded, seat=2, amount=500, pot=1)
            .end().script(),
        ),
        flags(
            "the same, where the side pot's uncalled bet has gone back",
            _three_handed(1_000, 1_500, more=800).add(PotAwarded, seat=2, amount=3_500)
            .add(PotAwarded, seat=2, amount=500, pot=1).end().script(),
        ),
        passes("main pot and side pot", _three_handed().award(1, 1_500).award(2, 2_000).end().script()),
        passes(
            "the same, with the pots' numbers",
            _three_handed().add(PotAwarded, seat=2, amount=2_000, pot=1).add(PotAwarded, seat=1, amount=1_500).end()
            .script(),
        ),
        passes(
            "a player who folded left chips in both pots",
            Scene(4, short={1: 500}).start().blinds().deal({1: "As Ad", 2: "Ks Kd"}).raise_to(3, 1_500).fold(4)
            .call_short(1).call(2).burn().board("3c", "4h", "9s").raise_to(2, 800).fold(3).refund_to(2, 800)
            .burn().board("9d").burn().board("2c").show(1, "As Ad").show(2, "Ks Kd").award(1, 1_500).award(2, 2_000)
            .end().script(),
        ),
        passes(
            "an all-in bet that nobody called in full is paid to its owner",
            _to_showdown(1, 500, 800).award(1, 1_000).award(2, 300).end().script(),
        ),
        passes(
            "a splash is in the main pot",
            Scene(short={1: 500}).start(splash=200).blinds().deal({1: "As Ad", 2: "Ks Kd"}).raise_to(3, 1_500)
            .call_short(1).call(2).burn().board("3c", "4h", "9s").check(2, 3).burn().board("9d").check(2, 3).burn()
            .board("2c").check(2, 3).show(1, "As Ad").show(2, "Ks Kd").award(1, 1_700).award(2, 2_000).end().script(),
        ),
        passes(
            "antes, and a dead blind, are in the main pot",
            Scene(4, short={1: 500}).start().post(4, "dead_blind", 50).post(2, "ante", 100).blinds()
            .deal({1: "As Ad", 2: "Ks Kd"}).raise_to(3, 1_500).fold(4).call_short(1).call(2).burn()
            .board("3c", "4h", "9s").check(2, 3).burn().board("9d").check(2, 3).burn().board("2c").check(2, 3)
            .show(1, "As Ad").show(2, "Ks Kd").award(1, 1_650).award(2, 2_000).end().script(),
        ),
        passes("a rake is taken of the pots", _three_handed().rake(50).award(1, 1_475).award(2, 1_975).end().script()),
    ),
)  # fmt: skip

UNCALLED_KEPT = Rule(
    code="POT103",
    name="uncalled-bet-kept",
    severity="critical",
    source="+",
    what="A part of a bet that nobody called went to another seat than its owner. It may be given back before the "
    "award, or paid to its owner with the pot.",
    why="A player cannot lose what nobody matched.",
    prescription="None by itself: what nobody called belongs to the player who bet it.",
    observes=frozenset({"betting", "awards"}),
    triage="See what the last caller put in, and count the bet.",
    false_positives="A call that the feed reports for less than it was.",
    checks={HandEnded: _uncalled_kept},
    examples=lambda: (
        flags(
            "the winner, all-in for less, gets the whole bet",
            _to_showdown(1, 500, 800).win(1).script(),
        ),
        flags(
            "half of it goes back",
            _to_showdown(1, 500, 800).refund_to(2, 150).award(1, 1_150).end().script(),
        ),
        passes("it goes back", _to_showdown(1, 500, 800).refund_to(2, 300).award(1, 1_000).end().script()),
        passes("its owner wins, and gets it with the pot", _to_showdown(1, 500, 800).win(2).script()),
        passes("everybody folds to a bet", Scene().opened().raise_to(3, 600).fold(1, 2).win(3).script()),
        passes("a walk", Scene().opened().walk().script()),
        passes(
            "the larger bet lies under the hands of players who folded",
            Scene(4).opened().raise_to(3, 600).call(4).fold(1, 2).flop().raise_to(3, 500).fold(4).refund_to(3, 500)
            .award(3, 1_350).end().script(),
        ),
        passes(
            "a big blind's ante is no bet",
            Scene(2).start().post(1, "ante", 100).blinds().deal().call(2).check(1).flop().check(1, 2).turn()
            .check(1, 2).river().check(1, 2).award(2, 300).end().script(),
        ),
        passes(
            "a feed that does not see the awards",
            Scene(2, observes=tuple(c for c in EVERYTHING if c != "awards"), short={1: 500}).opened()
            .raise_to(2, 800).call_short(1).flop().turn().river().win(1).script(),
        ),
    ),
)  # fmt: skip

RULES = (UNCALLED_KEPT, SIDE_POT_WRONG)
