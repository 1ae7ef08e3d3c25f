"""BET107 and BET108: more than the game allows, more than the player has."""

from __future__ import annotations

from auditor.events import ChipsBought, ForcedBetPosted, PlayerActed
from auditor.rules.rule import CALLS, RAISES, Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import betting
from auditor.table.hand import Hand
from auditor.table.table import Table


def _over_limit(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand = table.hand
    if hand.betting == "no_limit":
        return None
    seat = event.seat
    level = hand.commit.get(seat, 0) + event.amount
    if level <= hand.bet:
        return None
    most = _pot_limit(table, seat) if hand.betting == "pot_limit" else _fixed_limit(hand)
    if most and level > most and not _pot_is_short(hand):
        made = "raised to" if hand.bet else "bet"
        return [Hit(f"Seat {seat} {made} {level}: the most that the limit allows is {most}.", seats=(seat,))]
    if hand.betting == "limit" and _capped(table, event, level):
        return [Hit(f"Seat {seat} raised to {level} when {hand.raises} raises had capped the betting.", seats=(seat,))]
    return None


def _pot_is_short(hand: Hand) -> bool:
    """The pot lacks chips that belong in it: the player bet what it should have held."""
    codes = ("BET103", "BET104", "BTN104", "BTN105")
    return hand.betting == "pot_limit" and any(i.code in codes for i in hand.irregularities)


def _pot_limit(table: Table, seat: int) -> int:
    """The call, and then the pot as it would be: the most that a bet may be raised to."""
    hand = table.hand
    owed = hand.bet - hand.commit.get(seat, 0)
    pot = hand.pot - sum(hand.returned.values())
    stakes = hand.stakes
    if hand.street == 0 and hand.small_blind is not None and table.memory.house.pot_limit_small_blind != "as_posted":
        pot += max(0, stakes.big_blind - stakes.small_blind)
    most = hand.bet + owed + pot
    unit = stakes.smallest_chip
    return -(-most // unit) * unit if unit else most


def _fixed_limit(hand: Hand) -> int:
    """One bet more; 0 where the stakes do not say how much that is."""
    size = max(hand.raise_size, betting.limit_bet(hand))
    if not hand.game.button and hand.street == 1:
        size = max(size, hand.stakes.big_bet)  # with a pair showing on fourth street
    return hand.bet + size if size else 0


def _capped(table: Table, event: PlayerActed, level: int) -> bool:
    """More raises than the house allows. Two players may raise for ever; a small all-in is no raise."""
    hand, cap = table.hand, table.memory.house.raise_cap
    if not cap or hand.raises < cap or len(hand.live - hand.all_in) < 3:
        return False
    return not event.all_in or 2 * (level - hand.bet) >= hand.raise_size


def _more_than_stack(table: Table, event: PlayerActed | ForcedBetPosted) -> list[Hit] | None:
    hand, seat, amount = table.hand, event.seat, event.amount
    left = hand.stack.get(seat)
    if left is None or amount <= left or seat in hand.all_in:
        return None
    bought = table.memory.stacks.get(seat)
    if bought is not None and bought.chips > (hand.seats[seat].stack or 0):
        return None  # it bought chips during the hand: BUY103
    return [Hit(f"Seat {seat} put {amount} in with {left} left of its stack.", seats=(seat,))]


OVER_LIMIT = Rule(
    code="BET107",
    name="over-limit",
    severity="minor",
    source="+",
    what="A bet or raise above what the game's limit allows: the size of the pot in pot-limit, one fixed bet in limit, "
    "or one more raise than the house's cap (`raise_cap`; two players may raise for ever). Before the flop the small "
    "blind counts for a big blind in the size of the pot, unless the house says that it does not "
    "(`pot_limit_small_blind`).",
    why="Opponents face a price that the game does not know.",
    prescription="What is above the limit goes back to the player.",
    observes=frozenset({"betting"}),
    triage="Count the pot as it stood, the call included.",
    false_positives="A house that rounds the pot up to a larger chip; stakes that changed unreported.",
    checks={RAISES: _over_limit},
    examples=lambda: (
        flags(
            "pot-limit: more than the pot after the flop",
            Scene(betting="pot_limit").opened().limp().flop().raise_to(1, 350).call(2).fold(3).script(),
        ),
        flags(
            "pot-limit: an opening raise to five big blinds",
            Scene(betting="pot_limit").opened().raise_to(3, 500).fold(1, 2).script(),
        ),
        flags(
            "pot-limit: the small blind counts for what it is, and the house says so",
            Scene(betting="pot_limit", house={"pot_limit_small_blind": "as_posted"}).opened().raise_to(3, 400)
            .fold(1, 2).script(),
        ),
        flags(
            "limit: a raise of two bets",
            Scene(betting="limit").opened().raise_to(3, 300).fold(1, 2).script(),
        ),
        flags(
            "limit: a small-bet raise too many",
            Scene(4, betting="limit", house={"raise_cap": 3}).opened().raise_to(3, 200).raise_to(4, 300)
            .raise_to(1, 400).raise_to(2, 500).script(),
        ),
        passes(
            "pot-limit: the pot, exactly",
            Scene(betting="pot_limit").opened().limp().flop().raise_to(1, 300).raise_to(2, 1_200).script(),
        ),
        passes(
            "pot-limit: opening for four big blinds",
            Scene(betting="pot_limit").opened().raise_to(3, 400).script(),
        ),
        passes(
            "pot-limit: the pot, had everybody called",
            Scene(betting="pot_limit").opened().act(3, "call", 50).call(1).check(2).flop().raise_to(1, 300).script(),
            also=("BET104",),
        ),
        passes(
            "pot-limit: the house has splashed the pot",
            Scene(betting="pot_limit").start(splash=500).blinds().deal().limp().flop().raise_to(1, 800).script(),
        ),
        flags(
            "pot-limit: more than a bomb pot's antes",
            Scene(betting="pot_limit").start(bomb_pot=True).post(1, "ante", 200).post(2, "ante", 200)
            .post(3, "ante", 200).deal().flop().raise_to(1, 700).fold(2, 3).script(),
        ),
        passes("no-limit: any amount", Scene().opened().raise_to(3, 15_000).script()),
        passes(
            "limit: the big bet on the turn",
            Scene(betting="limit").opened().limp().flop().checks_around().turn().raise_to(1, 200).raise_to(2, 400)
            .script(),
        ),
        passes(
            "limit: two players raise on and on",
            Scene(2, betting="limit", house={"raise_cap": 3}).opened().raise_to(2, 200).raise_to(1, 300)
            .raise_to(2, 400).raise_to(1, 500).raise_to(2, 600).script(),
        ),
        passes(
            "limit: a bet and three raises",
            Scene(4, betting="limit", house={"raise_cap": 3}).opened().limp().flop().raise_to(1, 100).raise_to(2, 200)
            .raise_to(3, 300).raise_to(4, 400).script(),
        ),
        passes(
            "limit: a call of too much is no raise",
            Scene(4, betting="limit", house={"raise_cap": 3}).opened().raise_to(3, 200).act(4, "call", 300)
            .refund_to(4, 100, "correction").raise_to(1, 300).raise_to(2, 400).script(),
        ),
        flags(
            "limit: what is above the limit goes back, and one raise is left",
            Scene(4, betting="limit", house={"raise_cap": 3}).opened().raise_to(3, 300)
            .refund_to(3, 100, "correction").raise_to(4, 300).raise_to(1, 400).call(2).script(),
        ),
        passes(
            "limit: the last chips of the big blind went into the ante, and the blind is raised by one bet",
            Scene(4, betting="limit", short={2: 25}).start().post(2, "ante", 25, all_in=True).post(1, "small_blind", 50)
            .deal().raise_to(3, 200).fold(4, 1).script(),
        ),
        passes(
            "limit: completing a short all-in is within the limit",
            Scene(betting="limit", short={1: 130}).opened().limp().flop().raise_to(1, 30, all_in=True)
            .raise_to(2, 100).script(),
        ),
    ),
)  # fmt: skip

MORE_THAN_STACK = Rule(
    code="BET108",
    name="more-than-stack",
    severity="major",
    source="+",
    what="A player put more chips in than the stack held.",
    why="Chips came to the table in the middle of the hand: from a pocket, from another player, or from nowhere.",
    prescription="The player plays for what was on the table when the hand began; the rest goes back.",
    observes=frozenset({"betting", "stacks"}),
    triage="Count the stack on camera as it was before the hand.",
    false_positives="A stack that the feed counted wrongly, or a purchase that it did not report.",
    checks={CALLS: _more_than_stack, RAISES: _more_than_stack, ForcedBetPosted: _more_than_stack},
    examples=lambda: (
        flags(
            "a bet of more than the stack",
            Scene(short={3: 500}).opened().raise_to(3, 600).fold(1, 2).script(),
        ),
        flags(
            "the last chips were counted twice",
            Scene(short={1: 500}).opened().limp().flop().raise_to(1, 450).fold(2, 3).script(),
        ),
        flags(
            "a blind that the stack does not hold",
            Scene(short={2: 80}).opened().fold(3, 1).script(),
        ),
        passes("all-in, to the last chip", Scene(short={3: 500}).opened().raise_to(3, 500, all_in=True).script()),
        passes(
            "chips of a bet that went back are bet later",
            Scene(short={1: 500}).opened().limp().flop().raise_to(1, 300).refund_to(1, 100, "correction")
            .act(2, "call", 200).act(3, "call", 200).turn().raise_to(1, 200, all_in=True).call(2, 3).script(),
        ),
        passes(
            "chips that were bought during the hand have a finding of their own",
            Scene(short={1: 500}).opened().limp().flop().add(ChipsBought, seat=1, kind="add_on", amount=1_000)
            .raise_to(1, 900).fold(2, 3).script(),
            also=("BUY103",),
        ),
        passes(
            "a feed that does not know the stacks",
            Scene(observes=("betting",), short={3: 500}).opened().raise_to(3, 600).script(),
        ),
    ),
)  # fmt: skip

RULES = (OVER_LIMIT, MORE_THAN_STACK)
