"""RUL103 and RUL104: chips that should have gone back to whoever wagered them, and did not, or not so many."""

from __future__ import annotations

from auditor.cards import UNREAD
from auditor.events import HandEnded, PotAwarded, Prescription
from auditor.rules.rule import Hit, OnceStirred, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Hand
from auditor.table.remedies import fouled, ground_in_time, refund_differences
from auditor.table.table import Table


def _due(hand: Hand) -> tuple[Prescription, str | None] | None:
    """Why every chip has to go back, and the finding that it follows from; None where the hand is one to be won."""
    cause = fouled(hand)
    if cause is not None:
        return "void_action", cause.incident
    if not hand.voided:
        return None
    origin = hand.found("RUL101") or hand.found("RUL105") or ground_in_time(hand)
    return "misdeal" if hand.verdict == "misdeal" else "void_action", origin.incident if origin else None


def _awarded(table: Table, event: PotAwarded) -> list[Hit] | None:
    hand = table.hand
    if hand.found("RUL103"):
        return None
    due = _due(hand)
    if due is None or hand.found("RUL101") or hand.found("RUL105"):
        return None  # a ruling that should not have been made: to award the pot all the same is right
    if fouled(hand) is None and hand.verdict is None:
        return None  # chips went back to somebody, and the hand is played on
    return [
        Hit(
            f"Seat {event.seat} was awarded {event.amount} of a pot that is void: every chip should have gone back to "
            "the player who wagered it.",
            seats=(event.seat,),
            evidence=tuple(sorted({*_proof(hand), event.seq})),
            prescribed=due[0],
            cause=due[1],
        )
    ]


def _proof(hand: Hand) -> list[int]:
    cause = fouled(hand) or ground_in_time(hand)
    return [cause.seq] if cause else [seq for _, seq in hand.rulings[-1:]]


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    if hand.awarded or hand.void_returns or "awards" not in hand.observes or _carries_over(hand):
        return None
    due = _due(hand)
    left = sum(hand.total.values()) - sum(hand.returned.values())  # what nobody wagered goes back to nobody
    if due is None or left <= 0:
        return None
    return [
        Hit(
            f"The action is void, and none of the {left} chips in the pot went back.",
            evidence=tuple(sorted({*_proof(hand), event.seq})),
            prescribed=due[0],
            cause=due[1],
        )
    ]


def _carries_over(hand: Hand) -> bool:
    """The refund was refused, and it may have been right to: a player seems to have known of the defect."""
    if hand.verdict != "pot_carries_over":
        return False
    seen = hand.observes >= {"betting", "hole_cards"} and not any(UNREAD in held for held in hand.holding.values())
    return fouled(hand) is None or not seen or hand.found("DCK108") is not None


def _differs(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    if not hand.returned or hand.awarded or _carries_over(hand):
        return None
    due = _due(hand)
    if due is None or hand.found("RUL103") or not (differences := refund_differences(hand)):
        return None
    told = ", ".join(
        f"seat {seat} got back {hand.returned.get(seat, 0)} of {hand.total.get(seat, 0)} "
        f"({abs(chips)} too {'many' if chips > 0 else 'few'})"
        for seat, chips in differences.items()
    )
    return [
        Hit(
            f"The action is void, and the refund is not what each player wagered: {told}.",
            seats=tuple(differences),
            evidence=(*_proof(hand), *(refund.seq for refund in hand.refunds), event.seq),
            prescribed=due[0],
            cause=due[1],
        )
    ]


REFUND_MISSING = Rule(
    code="RUL103",
    name="refund-missing",
    severity="critical",
    source="Seed A, irregularities 3 and 4",
    what="A fouled deck voids all action, or the hand was declared a misdeal or void, and the pot was awarded, or "
    "nothing was returned; to carry it over is right only where a player knew of the defect (DCK108). A pot that is "
    "given back after the award is put right.",
    why="A player won chips in a hand that does not count, or the house kept them.",
    prescribes="void_action",
    prescription="Every chip in the pot goes back to the player who wagered it.",
    triage="Work out what each seat wagered, and put it right before the players leave.",
    false_positives="The defect was seen only by the feed: nobody at the table could know.",
    checks={OnceStirred(PotAwarded): _awarded, HandEnded: _ended},
    examples=lambda: (
        flags(
            "a duplicate card, and the pot is awarded",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").checks_around()
            .win(1).script(),
            also=("DCK101",),
        ),
        flags(
            "a blue card, and nobody gets anything back",
            Scene().start().blinds().card(1).card(2, back="blue").card(3).card(1).card(2).card(3).end().script(),
            also=("DCK102",),
        ),
        flags(
            "a duplicate card, nobody had played for the pot in the knowledge of it, and it is carried over",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").announce()
            .rule("pot_carries_over").end().script(),
            also=("DCK101",),
        ),
        passes(
            "a duplicate card, a player bets in the knowledge of it, and the pot is carried over",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").raise_to(1, 200)
            .call(2, 3).announce().rule("pot_carries_over").end().script(),
            also=("DCK101", "DCK108"),
        ),
        passes(
            "a duplicate card, the pot is carried over, and hands that were not read may have seen it",
            Scene().start().blinds().deal({1: "As Kd", 2: "?? ??"}).limp().burn().board("As", "7c", "2d").announce()
            .rule("pot_carries_over").end().script(),
            also=("DCK101",),
        ),
        passes(
            "a duplicate card, and every chip goes back",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").rule("void_action")
            .refund().end().script(),
            also=("DCK101",),
        ),
        passes(
            "every chip that a player wagered goes back, and the house keeps its splash",
            Scene().start(splash=500).blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d")
            .rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
        passes(
            "the hand is cancelled",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d")
            .add(HandEnded, cancelled=True).script(),
            also=("DCK101",),
        ),
        passes(
            "the duplicate came to light after the award",
            Scene().start().blinds().deal({1: "As Kd"}).walk(end=False).board("As", "7c", "2d", rabbit=True)
            .end().script(),
            also=("DCK101",),
        ),
        passes("no defect, and the pot is awarded", Scene().opened().walk().script()),
        flags(
            "a misdeal is declared with ground, and the blinds stay in the pot",
            Scene().start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).announce().rule("misdeal").end()
            .script(),
            also=("DEAL101",),
        ),
        passes(
            "the action was ruled void, which was overruled, and the pot is awarded",
            Scene().start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(1).card(2).card(3)
            .call(3, 1).check(2).rule("misdeal").rule("play_on").win(1).script(),
            also=("DEAL101", "RUL101"),
        ),
        passes(
            "every chip goes back, for whatever reason the feed gives",
            Scene().start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).announce().rule("misdeal")
            .refund("uncalled").end().script(),
            also=("DEAL101",),
        ),
    ),
)  # fmt: skip

REFUND_WRONG = Rule(
    code="RUL104",
    name="refund-wrong",
    severity="critical",
    source="Seed A, irregularities 3 and 4, and misdeals",
    what="The action was void, or the hand a misdeal, and a player got back another amount than was wagered. The "
    "message gives the difference for each seat. Where chips that were carried over from another hand went back too, "
    "only who got back less is judged.",
    why="One player's chips went to another, or to the house.",
    prescribes="void_action",
    prescription="Every chip in the pot goes back to the player who wagered it, forced bets included.",
    observes=frozenset({"betting", "awards"}),
    triage="Put the stacks right by the differences, before the players leave.",
    false_positives="A bet that the feed missed; a refund that was rounded to the chips in play.",
    checks={HandEnded: _differs},
    examples=lambda: (
        flags(
            "a duplicate card, and one player's chips go to another",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").rule("void_action")
            .refund_to(1, 150, "void").refund_to(2, 100, "void").refund_to(3, 50, "void").end().script(),
            also=("DCK101",),
        ),
        flags(
            "a misdeal, and the small blind stays in the pot: told once",
            Scene().start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).announce().rule("misdeal")
            .refund_to(2, 100, "misdeal").end().script(),
            also=("DEAL101",),
        ),
        flags(
            "a pot with chips carried over, and the big blind gets 50 of its 100 back",
            Scene(2).start(carried_pot=300).blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d")
            .rule("void_action").refund_to(1, 150, "void").refund_to(2, 50, "void").end().script(),
            also=("DCK101",),
        ),
        passes(
            "the chips that were carried over go back to the players besides",
            Scene(2).start(carried_pot=300).blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d")
            .rule("void_action").refund_to(1, 250, "void").refund_to(2, 250, "void").end().script(),
            also=("DCK101",),
        ),
        passes(
            "an uncalled bet went back before, and the rest behind it",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").raise_to(1, 200)
            .fold(2, 3).refund_to(1, 200).rule("void_action").refund_to(1, 100, "void").refund_to(2, 100, "void")
            .refund_to(3, 100, "void").end().script(),
            also=("DCK101", "DCK108"),
        ),
        passes(
            "each player's chips go back in two lots",
            Scene().start().blinds().card(1).card(2, back="blue").card(3).card(1).card(2).card(3).rule("void_action")
            .refund_to(1, 20, "void").refund_to(2, 100, "void").refund_to(1, 30, "void").end().script(),
            also=("DCK102",),
        ),
        passes(
            "the pot was awarded in spite of it, which is told once",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").raise_to(1, 200)
            .fold(2, 3).refund_to(1, 200).award(1, 300).end().script(),
            also=("DCK101", "DCK108", "RUL103"),
        ),
        passes(
            "an uncalled bet in a hand that is won",
            Scene().opened().raise_to(3, 600).fold(1, 2).refund_to(3, 500).award(3, 250).end().script(),
        ),
    ),
)  # fmt: skip

RULES = (REFUND_MISSING, REFUND_WRONG)
