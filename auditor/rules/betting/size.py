"""BET105: how much a raise must be."""

from __future__ import annotations

from auditor.events import PlayerActed
from auditor.rules.rule import RAISES, Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Hand
from auditor.table.table import Table


def _under_raise(table: Table, event: PlayerActed) -> list[Hit] | None:
    if event.all_in:
        return None
    hand, seat = table.hand, event.seat
    if hand.stack.get(seat) == event.amount or not hand.raise_size:
        return None  # all-in, or nobody knows the least bet
    level = hand.commit.get(seat, 0) + event.amount
    least = min(hand.bet + hand.raise_size, max(hand.full_bet + hand.raise_size, hand.bet + 1))
    if level >= least or _covers_the_others(hand, seat, level):
        return None
    made = "bet" if hand.bet == 0 else "raised to"
    return [
        Hit(
            f"Seat {seat} {made} {level}, not all-in; the least it may {made.split()[0].rstrip('d')} is {least}.",
            seats=(seat,),
        )
    ]


def _covers_the_others(hand: Hand, seat: int, level: int) -> bool:
    """The raise puts everybody else all-in: nobody could call more."""
    others = hand.live - {seat}
    return all(s in hand.stack and hand.commit.get(s, 0) + hand.stack[s] <= level for s in others)


def _big_blind_in_ante() -> Scene:
    """Four players, an ante of 25 each: it is all that seat 2, who has the big blind, has."""
    scene = Scene(4, short={2: 25}).start()
    for seat in scene.players:
        scene.post(seat, "ante", 25)
    return scene.post(1, "small_blind", 50).deal()


UNDER_RAISE = Rule(
    code="BET105",
    name="under-raise",
    severity="minor",
    source="+",
    what="A bet below the least bet, or a raise below the size of the last full bet or raise, by a player who is not "
    "all-in.",
    why="It buys a look at the others' answers below its price.",
    prescription="The player makes the bet or raise up to its least size, or only calls, as the house has it.",
    observes=frozenset({"betting"}),
    triage="Count the chips on camera. Was the player all-in after all?",
    false_positives="Stakes that changed without the feed saying so; a straddle reported as a raise.",
    checks={RAISES: _under_raise},
    examples=lambda: (
        flags("a raise of half the big blind", Scene().opened().raise_to(3, 150).call(1, 2).script()),
        flags("a bet below the big blind", Scene().opened().limp().flop().raise_to(1, 40).call(2, 3).script()),
        flags(
            "a reraise smaller than the raise",
            Scene().opened().raise_to(3, 400).raise_to(1, 600).script(),
        ),
        flags(
            "the raise is made up at once, as it should be",
            Scene().opened().raise_to(3, 150).raise_to(3, 200).raise_to(1, 300).fold(2, 3).script(),
        ),
        passes(
            "the last chips of the big blind went into the ante: a raise is on top of the whole blind",
            _big_blind_in_ante().raise_to(3, 250).raise_to(4, 400).fold(1, 3).script(),
        ),
        passes("a minimum raise", Scene().opened().raise_to(3, 200).call(1, 2).script()),
        passes(
            "all-in for less than a full raise",
            Scene(stack=150).opened().raise_to(3, 150, all_in=True).call(1, 2).script(),
        ),
        passes("all-in by the stack, though the feed does not say so",
               Scene(stack=150).opened().raise_to(3, 150).call(1, 2).script()),
        passes(
            "limit: a bet and a raise of the fixed size",
            Scene(betting="limit").opened().raise_to(3, 200).raise_to(1, 300).call(2, 3).script(),
        ),
        passes(
            "a raise that puts the only opponent all-in",
            Scene(2, short={1: 450}).opened().raise_to(2, 400).call(1).flop().raise_to(1, 40, all_in=True)
            .raise_to(2, 50).script(),
        ),
        passes(
            "limit: completing a short all-in",
            Scene(betting="limit", stack=130).opened().raise_to(3, 130, all_in=True).script(),
        ),
    ),
)  # fmt: skip

RULES = (UNDER_RAISE,)
