"""BET103 and BET104: a bet is answered for less than it is."""

from __future__ import annotations

from auditor.events import PlayerActed
from auditor.rules.rule import CALLS, CHECKS, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import betting
from auditor.table.hand import Hand
from auditor.table.table import Table


def _really_owed(hand: Hand, seat: int) -> int:
    """What the seat lacks of the largest bet that lies on the table.

    A blind that is all-in for less is called in full, or, at some tables, for what is really in.
    """
    return max(hand.commit.values(), default=0) - hand.commit.get(seat, 0)


def _acts_at_all(hand: Hand, seat: int) -> bool:
    """It is this seat's to act: anything else is an irregularity of its own."""
    return seat in hand.live and seat not in hand.all_in and betting.in_turn(hand, seat)


def _told(hand: Hand, seat: int) -> bool:
    """The seat is behind on this street already: the same chips are still missing."""
    return any(
        i.code in ("BET103", "BET104") and i.street == hand.street and i.seats == (seat,) for i in hand.irregularities
    )


def _check_facing_bet(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if hand.commit.get(seat, 0) >= hand.bet or event.amount or not _acts_at_all(hand, seat):
        return None
    owed = _really_owed(hand, seat)
    if owed <= 0 or _told(hand, seat):
        return None
    return [Hit(f"Seat {seat} checked, and {owed} was to call.", seats=(seat,))]


def _under_call(table: Table, event: PlayerActed) -> list[Hit] | None:
    if event.all_in:
        return None
    hand, seat, amount = table.hand, event.seat, event.amount
    if hand.commit.get(seat, 0) + amount >= hand.bet or not _acts_at_all(hand, seat):
        return None
    left = hand.stack.get(seat)
    if left is None or left <= amount:
        return None  # all-in, or nobody knows whether it is
    owed = _really_owed(hand, seat)
    if amount >= owed or hand.found("BTN105") or _told(hand, seat):
        return None  # of a blind that was too large, the right amount was called
    return [Hit(f"Seat {seat} called {amount} and was not all-in: {owed} was to call.", seats=(seat,))]


CHECK_FACING_BET = Rule(
    code="BET103",
    name="check-facing-bet",
    severity="minor",
    source="+",
    what="A player checked who had a bet to call. Chips that a call holds above the bet raise nothing.",
    why="The player stays in the hand without paying for it.",
    prescription="The player calls, raises or folds.",
    observes=frozenset({"betting"}),
    triage="See on camera whether the player called after all, or how large the bet was.",
    false_positives="A bet, a call or a dead blind that the feed reports wrongly.",
    checks={CHECKS: _check_facing_bet},
    examples=lambda: (
        flags("a check behind a bet", Scene().opened().limp().flop().raise_to(1, 200).check(2).call(3).script()),
        flags("the small blind checks before the flop", Scene().opened().call(3).check(1).check(2).script()),
        passes(
            "who called too much did not raise",
            Scene(2).opened().act(2, "call", 100).check(1).flop().check(1, 2).script(),
        ),
        passes("the big blind has the option", Scene().opened().call(3, 1).check(2).flop().script()),
        passes(
            "a live missed blind may check",
            Scene(5).start().blinds().post(4, "missed_blind", 100).deal().fold(3).check(4).fold(5).call(1)
            .check(2).script(),
        ),
        passes(
            "the big blind is all-in for less than the small blind put in",
            Scene(2, short={1: 30}).start().post(2, "small_blind", 50).post(1, "big_blind", 30, all_in=True).deal()
            .check(2).flop().turn().river().script(),
        ),
        passes(
            "a dead blind counts for no bet, and a player who folded owes nothing",
            Scene(4).start().blinds().post(4, "dead_blind", 50).deal().fold(3).call(4, 1).check(2).script(),
        ),
        passes(
            "a feed that does not see the betting",
            Scene(observes=tuple(c for c in EVERYTHING if c != "betting")).opened().limp().flop().raise_to(1, 200)
            .check(2).script(),
        ),
    ),
)  # fmt: skip

UNDER_CALL = Rule(
    code="BET104",
    name="under-call",
    severity="minor",
    source="+",
    what="A call of less than the bet, by a player who has chips left.",
    why="The pot is short of chips that the player owes it.",
    prescription="The player completes the call.",
    observes=frozenset({"betting"}),
    triage="Count the chips on camera. Was the player all-in after all?",
    false_positives="Stacks that the feed reports wrongly; a blind that was reported too large.",
    checks={CALLS: _under_call},
    examples=lambda: (
        flags("half the blind is called", Scene().opened().act(3, "call", 50).call(1).check(2).script()),
        flags(
            "a raise is called with what an earlier bet was",
            Scene().opened().limp().flop().raise_to(1, 200).raise_to(2, 600).act(3, "call", 200).call(1).script(),
        ),
        flags(
            "what was missing is added at once, as it should be",
            Scene().opened().raise_to(3, 300).act(1, "call", 200).act(1, "call", 50).fold(2).flop().check(1, 3)
            .script(),
        ),
        flags(
            "the chips that were missing are still missing a raise later: one finding",
            Scene().opened().act(3, "call", 50).call(1).raise_to(2, 300).act(3, "call", 200).call(1).script(),
        ),
        passes(
            "a call for less that is all-in",
            Scene(short={3: 70}).opened().act(3, "call", 70, all_in=True).call(1).check(2).script(),
        ),
        passes(
            "all-in by the stack, though the feed does not say so",
            Scene(short={3: 70}).opened().act(3, "call", 70).call(1).check(2).script(),
        ),
        passes("the small blind completes", Scene().opened().call(3).act(1, "call", 50).check(2).script()),
        passes(
            "the big blind is all-in for less, and what is really in is called",
            Scene(4, short={2: 60}).start().post(1, "small_blind", 50).post(2, "big_blind", 60, all_in=True).deal()
            .act(3, "call", 60).fold(4).act(1, "call", 10).script(),
        ),
        passes(
            "the big blind is all-in for less, and the whole blind is called",
            Scene(4, short={2: 60}).start().post(1, "small_blind", 50).post(2, "big_blind", 60, all_in=True).deal()
            .act(3, "call", 100).fold(4).act(1, "call", 50).script(),
        ),
    ),
)  # fmt: skip

RULES = (CHECK_FACING_BET, UNDER_CALL)
