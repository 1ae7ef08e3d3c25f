"""HND109 and HND110: a hand, or its chips, given back without ground."""

from __future__ import annotations

from auditor.events import CardsReleased, CardsRetrieved, ChipsReturned
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import dead
from auditor.table.hand import Hand
from auditor.table.table import Table


def _retrieved(table: Table, event: CardsRetrieved) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if event.reason != "none" or hand.awards or seat in hand.let_live or _killed(hand, seat):
        return None  # when the pot has been awarded, nothing is left to win: the hand is shown
    if seat not in hand.folded and not _gave_up(hand, seat):
        return None
    cause = dead.found_dead(hand, seat)
    return [
        Hit(
            f"Seat {seat} got its cards back, and neither false information nor the interest of the game asked for it.",
            seats=(seat,),
            cause=cause.incident if cause else None,
        )
    ]


def _gave_up(hand: Hand, seat: int) -> bool:
    release = hand.released.get(seat)
    if release is None:
        return seat in hand.dead
    # Cards thrown forward are not gone before somebody acts behind them.
    return not dead.throws_away(hand, seat, release)


def _killed(hand: Hand, seat: int) -> bool:
    death = hand.dead.get(seat)
    release = hand.released.get(seat)
    unprotected = release is None or not release.protected
    return death is not None and death.cause == "killed_by_dealer" and unprotected


def _hand_back(table: Table, event: CardsRetrieved) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if not _killed(hand, seat) or hand.awards:
        return None
    return [_redress(hand, seat, "got the hand back")]


def _chips_back(table: Table, event: ChipsReturned) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if event.reason == "uncalled" or not event.amount or not (hand.dead or hand.fouled):
        return None
    if not (_killed(hand, seat) or seat in hand.fouled) or _all_void(hand) or dead.told(hand, "HND110", seat):
        return None
    return [_redress(hand, seat, f"got {event.amount} back")]


def _all_void(hand: Hand) -> bool:
    """The whole hand is void: everybody gets everything back."""
    if hand.voided or hand.void_returns:
        return True
    return any(i.prescribed == "void_action" or i.misdeal_ground for i in hand.irregularities)


def _redress(hand: Hand, seat: int, did: str) -> Hit:
    death, release = hand.dead.get(seat), hand.released.get(seat)
    how = "was fouled" if death is None else "was killed by the dealer"
    known = release is not None and release.protected is False
    return Hit(
        f"The hand of seat {seat}, which it did not protect, {how}, and seat {seat} {did}: there is no redress.",
        seats=(seat,),
        confidence="certain" if known else "likely",
    )


RETRIEVED_WITHOUT_CAUSE = Rule(
    code="HND109",
    name="retrieved-without-cause",
    severity="major",
    source="Seed A, dead hands; seed C, last paragraphs",
    what="A hand that had been given up was retrieved before the pot was awarded, though its player had not been given "
    "false information and the interest of the game did not ask for it.",
    why="A player who may take a folded hand back plays with more information than the others.",
    prescribes="hand_dead",
    prescription="The hand stays dead. A clearly identifiable hand may be retrieved by a ruling, in the interest of "
    "the game, above all when its player was given false information.",
    observes=frozenset({"officiating"}),
    triage="Ask who allowed it and why. Was the hand clearly identifiable?",
    false_positives="A good reason that nobody entered.",
    checks={CardsRetrieved: _retrieved},
    examples=lambda: (
        flags(
            "a player takes the folded hand back",
            Scene().opened().raise_to(3, 600).fold(1).add(CardsRetrieved, seat=1, by="player").script(),
        ),
        flags(
            "the dealer gives a mucked hand back at the showdown",
            Scene(2).opened().limp().flop().checks_around().turn().checks_around().river().checks_around()
            .add(CardsReleased, seat=2).add(CardsRetrieved, seat=2, by="dealer").script(),
        ),
        passes(
            "the player folded on false information",
            Scene().opened().raise_to(3, 600).fold(1)
            .add(CardsRetrieved, seat=1, by="floor", reason="misinformation").call(1).script(),
        ),
        passes(
            "a folded hand is taken from the muck when the pot has been awarded, to be shown",
            Scene().start().blinds().deal({2: "6h Qs"}).limp().flop().raise_to(1, 300).fold(2)
            .add(CardsReleased, seat=2).fold(3).refund_to(1, 300).award(1, 300)
            .add(CardsRetrieved, seat=2, by="player").show(2, "6h Qs").end().script(),
        ),
        passes(
            "the floor ruled the hand live first",
            Scene().opened().raise_to(3, 600).fold(1).rule("action_stands", seat=1, reason="wrong seat was folded")
            .add(CardsRetrieved, seat=1, by="dealer").call(1).script(),
        ),
        passes(
            "cards thrown forward are taken back before anybody acts",
            Scene().opened().limp().flop().add(CardsReleased, seat=1, manner="forward_motion")
            .add(CardsRetrieved, seat=1, by="player").check(1, 2, 3).script(),
        ),
        passes(
            "a player picks up a card that fell",
            Scene().opened().add(CardsReleased, seat=3, manner="dropped").add(CardsRetrieved, seat=3, by="player")
            .call(3, 1).check(2).script(),
        ),
        passes(
            "a feed that does not see what officials say",
            Scene(observes=tuple(c for c in EVERYTHING if c != "officiating")).opened().raise_to(3, 600).fold(1)
            .add(CardsRetrieved, seat=1, by="player").script(),
        ),
    ),
)  # fmt: skip

UNPROTECTED_HAND_REDRESS = Rule(
    code="HND110",
    name="unprotected-hand-redress",
    severity="major",
    source="Seed A, irregularities 2",
    what="A hand that its owner did not protect was fouled by other cards, or killed by the dealer by mistake, and its "
    "owner got the hand or chips back. Not: chips that nobody had called. Where `cards_released.protected` says that "
    "the hand was protected, there is no finding.",
    why="A player must protect the hand; redress comes out of the other players' pot.",
    prescribes="hand_dead",
    prescription="The hand is dead, and nothing goes back to its owner but what nobody had called.",
    triage="See on camera whether a chip or a hand lay on the cards.",
    false_positives="A hand that was protected, and the feed does not say so.",
    checks={CardsRetrieved: _hand_back, ChipsReturned: _chips_back},
    examples=lambda: (
        flags(
            "the dealer kills a hand, and its owner gets the bet back",
            Scene().opened().raise_to(3, 600).add(CardsReleased, seat=1, manner="killed_by_dealer", protected=False)
            .call(2).refund_to(1, 50, "correction").flop().check(2, 3).script(),
        ),
        flags(
            "the dealer kills a hand and gives it back",
            Scene().opened().raise_to(3, 600).add(CardsReleased, seat=1, manner="killed_by_dealer")
            .add(CardsRetrieved, seat=1, by="dealer").call(1, 2).script(),
        ),
        passes(
            "the dealer kills a hand, and that is that",
            Scene().opened().raise_to(3, 600).add(CardsReleased, seat=1, manner="killed_by_dealer").call(2).flop()
            .check(2, 3).script(),
        ),
        passes(
            "nobody had called its raise: that goes back",
            Scene().opened().raise_to(3, 600).add(CardsReleased, seat=3, manner="killed_by_dealer")
            .refund_to(3, 500).script(),
        ),
        passes(
            "a protected hand is given back",
            Scene().opened().raise_to(3, 600).add(CardsReleased, seat=1, manner="killed_by_dealer", protected=True)
            .add(CardsRetrieved, seat=1, by="floor", reason="interest_of_game").call(1, 2).script(),
        ),
        passes(
            "the whole hand is void",
            Scene().start().blinds().deal({1: "As Kd", 3: "Qc As"}).call(3)
            .add(CardsReleased, seat=1, manner="killed_by_dealer").rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
    ),
)  # fmt: skip

RULES = (RETRIEVED_WITHOUT_CAUSE, UNPROTECTED_HAND_REDRESS)
