"""BET109 and BET110: where the betting ends."""

from __future__ import annotations

from auditor.events import (
    CardDealt,
    CardsDiscarded,
    CardsShown,
    ChipsReturned,
    PlayerActed,
    PotAwarded,
    RakeTaken,
)
from auditor.phrases import seats_spoken
from auditor.rules.rule import Hit, OnceStirred, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import deal
from auditor.table.hand import Hand
from auditor.table.table import Table


def _awarded(table: Table, event: PotAwarded) -> list[Hit] | None:
    if not table.hand.pending or event.amount == table.hand.contribution(event.seat):
        return None  # the blinds agree to take their chips back
    return _closed_early(table.hand, f"The pot was awarded to seat {event.seat}", (event.seat,))


def _raked(table: Table, event: RakeTaken) -> list[Hit] | None:
    if not table.hand.pending or not event.amount:
        return None
    return _closed_early(table.hand, "The house took its part of the pot")


def _returned(table: Table, event: ChipsReturned) -> list[Hit] | None:
    """A bet goes back for that nobody called it. The blinds may take theirs back; that is no bet."""
    hand, seat = table.hand, event.seat
    if not hand.pending or event.reason != "uncalled" or not event.amount or seat not in hand.acted & hand.live:
        return None
    return _closed_early(hand, f"The bet of seat {seat} went back as if nobody could call it", (seat,))


def _shown(table: Table, event: CardsShown) -> list[Hit] | None:
    """Every hand that is in it has been shown or thrown away: that is a showdown."""
    hand, seat = table.hand, event.seat
    if not hand.pending or not event.cards or any(s != seat and not _is_open(hand, s) for s in hand.live):
        return None
    return _closed_early(hand, "The hands were shown", (seat,))


def _is_open(hand: Hand, seat: int) -> bool:
    return seat in hand.shown or seat in hand.released


def _dealt(table: Table, event: CardDealt) -> list[Hit] | None:
    """Stud and draw: a card of the next street. On the board it is BRD101."""
    hand = table.hand
    if not hand.acted_on_street or not hand.pending or hand.game.has_board or event.replaces is not None:
        return None
    if not deal.begins_street(hand, len(hand.holding.get(event.seat, ()))):
        return None
    return _closed_early(hand, f"The next street was dealt, to seat {event.seat},")


def _discarded(table: Table, event: CardsDiscarded) -> list[Hit] | None:
    hand = table.hand
    if not hand.pending or not deal.begins_draw(hand, event.seat):
        return None
    return _closed_early(hand, f"The next draw began, with seat {event.seat},")


def _closed_early(hand: Hand, what: str, seats: tuple[int, ...] = ()) -> list[Hit] | None:
    if len(hand.live) < 2 or hand.awards or hand.found("BET109") or _of_another_cause(hand):
        return None
    waiting = tuple(seat for seat in hand.sorted_seats if seat in hand.pending and seat not in hand.released)
    if not waiting:
        return None
    told = tuple(dict.fromkeys((*seats, *waiting)))
    return [Hit(f"{what} when {seats_spoken(waiting)} had still to act.", seats=told, confidence="likely")]


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


def _stud() -> Scene:
    """Third street of stud; seat 1 brings it in."""
    scene = Scene(game="stud", betting="limit").start()
    for seat in (1, 2, 3, 1, 2, 3):
        scene.card(seat)
    scene.card(1, "2c", face="up").card(2, "Kd", face="up").card(3, "Qd", face="up")
    return scene.post(1, "bring_in", 30)


ROUND_CLOSED_EARLY = Rule(
    code="BET109",
    name="round-closed-early",
    severity="major",
    source="+",
    what="Two or more hands were live, one of them had still to act, and the betting was over: a bet went back as "
    "uncalled, every hand was shown, the house took its part, or the pot was awarded; in stud and draw, the next "
    "street came. It is told at the first of these. Where a board card proves that the round was not complete, it is "
    "BRD101.",
    why="A player lost the right to bet, to call or to fold.",
    prescription="The betting round is completed before the pot is awarded.",
    observes=frozenset({"betting"}),
    triage="Did the player who was passed throw the hand away? Did the players agree to divide the pot?",
    false_positives="A fold that the feed did not report; a pot that the players divided among them.",
    checks={
        PotAwarded: _awarded,
        RakeTaken: _raked,
        ChipsReturned: _returned,
        CardsShown: _shown,
        CardDealt: _dealt,
        CardsDiscarded: _discarded,
    },
    examples=lambda: (
        flags(
            "a bet, and the pot goes to the bettor before the other player answers",
            Scene(2).opened().limp().flop().raise_to(1, 200).win(1).script(),
        ),
        flags(
            "a showdown before the last player has acted on the river",
            Scene().opened().limp().flop().checks_around().turn().checks_around().river().check(1, 2).win(1).script(),
        ),
        flags(
            "the bet goes back before the other player answers, and then the pot is paid: one finding",
            Scene(2).opened().limp().flop().raise_to(1, 200).refund_to(1, 200).award(1, 200).end().script(),
        ),
        flags(
            "both hands are shown while a bet waits for its answer",
            Scene(2).start().blinds().deal({1: "As Ad", 2: "Ks Kd"}).limp().flop().raise_to(1, 200).show(1, "As Ad")
            .show(2, "Ks Kd").script(),
        ),
        flags(
            "stud: fourth street comes when a player has not answered the bring-in",
            _stud().act(2, "call", 30).card(1, face="up").card(2, face="up").card(3, face="up").script(),
        ),
        flags(
            "draw: cards are drawn when a player has not answered the raise",
            Scene(game="draw_high", betting="limit").opened().call(3).raise_to(1, 200).call(2).draw(1).draw(2).draw(3)
            .script(),
        ),
        passes(
            "stud: fourth street comes when all have answered",
            _stud().act(2, "call", 30).act(3, "call", 30).card(1, face="up").card(2, face="up").card(3, face="up")
            .script(),
        ),
        passes(
            "draw: cards are drawn when all have answered",
            Scene(game="draw_high", betting="limit").opened().call(3, 1).check(2).draw(1).draw(2).draw(3).check(1, 2, 3)
            .script(),
        ),
        passes(
            "one shows its hand and waits for the other's answer",
            Scene(2).start().blinds().deal({1: "As Ad"}).limp().flop().raise_to(1, 200).show(1, "As Ad").call(2)
            .script(),
        ),
        passes(
            "a part of a bet that was too large goes back",
            Scene(2).opened().limp().flop().raise_to(1, 300).refund_to(1, 100, "correction").act(2, "call", 200).turn()
            .check(1, 2).script(),
        ),
        passes(
            "the big blind takes back what the small one has not matched, and they share the rest",
            Scene().opened().fold(3).refund_to(2, 50).award(1, 50).award(2, 50).end().script(),
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
    examples=lambda: (
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
