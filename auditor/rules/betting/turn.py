"""BET101 and BET102: who acts."""

from __future__ import annotations

from auditor.events import PlayerActed
from auditor.games import BUTTON_GAMES
from auditor.rules.rule import ODDLY, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import betting, board
from auditor.table.table import Table


def _out_of_turn(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if seat == hand.turn or betting.in_turn(hand, seat) or seat not in hand.live or seat in hand.all_in:
        return None
    if board.acts_ahead(hand, event):
        return None  # on a board card that came too early: BRD101
    return [Hit(f"Seat {seat} acted out of turn: the action was on seat {hand.turn}.", seats=(seat, hand.turn))]


def _without_cards(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if seat in hand.live and seat not in hand.all_in:
        return None
    if seat not in hand.seats and seat not in table.memory.seated:
        return None  # nobody sits there: FEED107
    if seat in hand.holding and seat not in hand.folded and seat not in hand.all_in:
        return None  # dealt in without a right to it: DEAL109
    if event.action == "fold" and seat in hand.live and hand.round_complete:
        return None  # a player who is all-in gives up the hand at the showdown
    if seat in hand.dead or (seat in hand.released and seat not in hand.folded):
        return None  # HND108, or the cards were taken back in time
    if seat in hand.folded:
        why = "had folded"
    elif seat in hand.all_in:
        why = "was all-in"
    else:
        why = "holds no cards"
    return [Hit(f"Seat {seat} acted ({event.action}) though it {why}.", seats=(seat,))]


OUT_OF_TURN = Rule(
    code="BET101",
    name="out-of-turn",
    severity="minor",
    source="+",
    what="A player acted before the action came to the seat. What puts it right is not told again: whoever was passed "
    "acts when the action comes back, and an action that went back, or was too little, is made once more.",
    why="The players who were passed know more than they should.",
    prescription="The action goes back to the player who was passed; the house decides whether the other action binds.",
    observes=frozenset({"betting"}),
    games=BUTTON_GAMES,
    triage="See whether the player who was passed got to act.",
    false_positives="An action that the feed never reported.",
    checks={ODDLY: _out_of_turn},
    examples=lambda: (
        flags("the small blind acts before the button", Scene().opened().call(1, 3).check(2).script()),
        flags(
            "a player is passed, and play goes on from there: one finding",
            Scene(4).opened().call(4, 1).check(2).script(),
        ),
        flags(
            "a bet out of turn goes back, and is made again in turn: one finding",
            Scene().opened().limp().flop().raise_to(2, 300).refund_to(2, 300, "correction").check(1)
            .act(2, "bet", 300).fold(3, 1).script(),
        ),
        flags(
            "a check out of turn is repeated in turn: one finding",
            Scene().opened().limp().flop().check(2, 1, 2).raise_to(3, 200).fold(1, 2).script(),
        ),
        flags(
            "the player who was passed acts when the action comes back: one finding",
            Scene(6).opened().call(4).fold(5, 6, 3, 1).check(2).flop().check(2, 4).script(),
        ),
        flags(
            "a second player acts out of turn when the first error is put right",
            Scene(4).opened().limp().flop().check(2, 1, 4, 3).script(),
            also=("BET101",),
        ),
        passes(
            "a call of too much is no raise, and what was too much goes back",
            Scene(2).opened().raise_to(2, 300).act(1, "call", 300).refund_to(1, 100, "correction").flop().check(1, 2)
            .script(),
        ),
        passes(
            "a raise goes back, and the call stands: nobody has to answer it",
            Scene().opened().raise_to(3, 300).raise_to(1, 1_000).refund_to(1, 700, "correction").fold(2).flop()
            .check(1, 3).script(),
        ),
        passes(
            "a part of a raise goes back, and the others answer the rest",
            Scene().opened().raise_to(3, 300).raise_to(1, 1_000).refund_to(1, 300, "correction").act(2, "call", 600)
            .act(3, "call", 400).flop().check(1, 2, 3).script(),
        ),
        passes("everybody in turn", Scene(4).opened().fold(3).call(4, 1).check(2).flop().check(1, 2, 4).script()),
        passes(
            "after a straddle the action starts to its left",
            Scene(4).start().blinds().post(3, "straddle", 200).deal().call(4, 1, 2).check(3).script(),
        ),
        passes("heads-up, the button acts first, and last after the flop",
               Scene(2).opened().call(2).check(1).flop().check(1, 2).script()),
        passes(
            "a player who is all-in is passed",
            Scene().opened().raise_to(3, 20_000, all_in=True).call(1, 2).flop().turn().river().win(1).script(),
        ),
        passes(
            "a live missed blind does not move the opening seat",
            Scene(5).start().blinds().post(4, "missed_blind", 100).deal().fold(3).check(4).fold(5).call(1)
            .check(2).script(),
        ),
        passes(
            "a feed that does not see the betting",
            Scene(observes=tuple(c for c in EVERYTHING if c != "betting")).opened().call(1, 3).check(2).script(),
        ),
    ),
)  # fmt: skip

ACTED_WITHOUT_CARDS = Rule(
    code="BET102",
    name="acted-without-cards",
    severity="major",
    source="+",
    what="A seat acted that has no hand to act on: it had folded, was all-in, or was not dealt in.",
    why="Chips of a dead hand are in the pot, or the feed and the table disagree on who plays.",
    prescription="None by itself. A dead hand that acts again or wins is dead all the same.",
    observes=frozenset({"betting"}),
    triage="See whether the player still had cards.",
    false_positives="A fold that the feed put on the wrong seat.",
    checks={ODDLY: _without_cards},
    examples=lambda: (
        flags(
            "a player who folded calls",
            Scene(4).opened().fold(3).call(4, 1).call(3).check(2).script(),
            also=("HND108",),
        ),
        flags(
            "a player who is all-in bets",
            Scene().opened().raise_to(3, 20_000, all_in=True).call(1, 2).flop().act(3, "bet", 0).script(),
        ),
        passes("only players with cards act", Scene(4).opened().fold(3).call(4, 1).check(2).script()),
        passes(
            "a player who is all-in mucks at the showdown, reported as a fold",
            Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().turn().river().fold(2).win(1).script(),
        ),
    ),
)  # fmt: skip

RULES = (OUT_OF_TURN, ACTED_WITHOUT_CARDS)
