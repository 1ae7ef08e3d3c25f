"""BET109 and BET110: where the betting ends."""

from __future__ import annotations

from auditor.events import PlayerActed, PotAwarded
from auditor.phrases import seats_spoken
from auditor.rules.rule import Hit, OnceStirred, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.hand import Hand
from auditor.table.table import Table


def _closed_early(table: Table, event: PotAwarded) -> list[Hit] | None:
    hand = table.hand
    if not hand.pending or len(hand.live) < 2 or hand.awards:
        return None
    if event.amount == hand.contribution(event.seat) or _of_another_cause(hand):
        return None  # the blinds agree to take their chips back
    waiting = tuple(seat for seat in hand.sorted_seats if seat in hand.pending and seat not in hand.released)
    if not waiting:
        return None
    return [
        Hit(
            f"The pot was awarded to seat {event.seat} when {seats_spoken(waiting)} had still to act.",
            seats=(event.seat, *waiting),
            confidence="likely",
        )
    ]


def _of_another_cause(hand: Hand) -> bool:
    """The hand is void, a hand was ruled dead, a board card proves it (BRD101), or it was open no more (BET110)."""
    if hand.voided or hand.void_returns or hand.ruled("hand_dead"):
        return True
    return any(
        i.code in ("BRD101", "BET110") or i.prescribed in ("void_action", "hand_dead") for i in hand.irregularities
    )


def _after_showdown(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand = table.hand
    if not hand.awards and not hand.shown:
        return None
    seat = event.seat
    if event.action == "fold" or seat not in hand.live or seat in hand.all_in or hand.found("BET110"):
        return None  # cards that are thrown away are no action; a dead hand has a finding of its own
    if hand.awards:
        when = "the pot had been awarded"
    elif hand.round_complete and hand.street == len(hand.game.streets) - 1:
        when = "the showdown had begun"
    else:
        return None  # a hand shown in the middle of the betting
    return [Hit(f"Seat {seat} acted ({event.action}) when {when}.", seats=(seat,))]


ROUND_CLOSED_EARLY = Rule(
    code="BET109",
    name="round-closed-early",
    severity="major",
    source="+",
    what="The pot was awarded while two or more hands were live and one of them had still to act. Where a board card "
    "proves that the round was not complete, it is BRD101.",
    why="A player lost the right to bet, to call or to fold.",
    prescription="The betting round is completed before the pot is awarded.",
    observes=frozenset({"betting", "awards"}),
    triage="Did the player who was passed throw the hand away? Did the players agree to divide the pot?",
    false_positives="A fold that the feed did not report; a pot that the players divided among them.",
    checks={PotAwarded: _closed_early},
    examples=(
        flags(
            "a bet, and the pot goes to the bettor before the other player answers",
            Scene(2).opened().limp().flop().raise_to(1, 200).win(1).script(),
        ),
        flags(
            "a showdown before the last player has acted on the river",
            Scene().opened().limp().flop().checks_around().turn().checks_around().river().check(1, 2).win(1).script(),
        ),
        passes("everybody has folded", Scene().opened().walk().script()),
        passes("the betting is complete", Scene().opened().limp().flop().checks_around().win(1).script()),
        passes(
            "one player with chips against players who are all-in",
            Scene(2, short={1: 500}).opened().raise_to(2, 500).call(1).flop().turn().river().win(2).script(),
        ),
        passes(
            "the blinds agree to take their chips back",
            Scene().opened().fold(3).award(1, 50).award(2, 100).end().script(),
        ),
        passes(
            "a feed that does not see the betting",
            Scene(observes=tuple(c for c in EVERYTHING if c != "betting")).opened().limp().flop().check(1).win(1)
            .script(),
        ),
    ),
)  # fmt: skip

ACTION_AFTER_SHOWDOWN = Rule(
    code="BET110",
    name="action-after-showdown",
    severity="major",
    source="+",
    what="A player checked, called or bet when the last round of betting was complete and a hand had been shown, or "
    "when the pot had been awarded.",
    why="Chips went in when the cards were known.",
    prescription="The action does not count, and the chips go back.",
    observes=frozenset({"betting"}),
    triage="Look at the order of events on camera: did somebody show too early?",
    false_positives="Two topics whose sequence numbers were given in the wrong order.",
    checks={OnceStirred(PlayerActed): _after_showdown},
    examples=(
        flags(
            "a bet when the winner has shown",
            Scene().start().blinds().deal({1: "As Ad"}).limp().flop().checks_around().turn().checks_around().river()
            .checks_around().show(1, "As Ad").act(2, "bet", 200).refund_to(2, 200).award(1, 300).end().script(),
        ),
        flags(
            "a check when the pot has been awarded",
            Scene().opened().limp().flop().checks_around().award(1).check(1).end().script(),
        ),
        passes(
            "a beaten hand is thrown away at the showdown, reported as a fold",
            Scene().start().blinds().deal({1: "As Ad"}).limp().flop().checks_around().turn().checks_around().river()
            .checks_around().show(1, "As Ad").fold(2, 3).win(1).script(),
        ),
        passes(
            "a hand shown in the middle of the betting",
            Scene().start().blinds().deal({1: "As Ad"}).limp().flop().show(1, "As Ad").raise_to(1, 200).fold(2, 3)
            .refund_to(1, 200).award(1, 300).end().script(),
        ),
    ),
)  # fmt: skip

RULES = (ROUND_CLOSED_EARLY, ACTION_AFTER_SHOWDOWN)
