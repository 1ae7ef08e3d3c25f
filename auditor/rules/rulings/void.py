"""RUL105: action voided for what lets it stand."""

from __future__ import annotations

from auditor.cards import UNREAD
from auditor.events import HandEnded, RulingMade, SeenCard
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.hand import Hand, Irregularity
from auditor.table.remedies import STANDS, chopped, fouled, ground_in_time, stopped_over
from auditor.table.table import Table

#: What a feed must see before "there was no defect" means more than "we saw none".
_SEES_EVERY_DEFECT = frozenset({"hole_cards", "backs", "burns", "exposure", "stub"})


def _ruled(table: Table, event: RulingMade) -> list[Hit] | None:
    if event.ruling != "void_action" or table.hand.found("RUL105"):
        return None
    return _without_cause(table.hand, event.seq)


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    """Nobody ruled, and the chips went back all the same."""
    hand = table.hand
    if not hand.void_returns or hand.awarded or hand.verdict is not None or chopped(hand):
        return None
    voided = [refund for refund in hand.refunds if refund.reason == "void"]
    return _without_cause(hand, voided[0].seq) if voided else None


def _without_cause(hand: Hand, seq: int) -> list[Hit] | None:
    if hand.gap or fouled(hand) is not None or ground_in_time(hand) is not None:
        return None  # a misdeal that goes by another name is a misdeal
    if hand.twin_in_stub or any(i.prescribed == "void_action" or i.code == "DCK112" for i in hand.irregularities):
        return None
    cause = stopped_over(hand)
    return [_hit(cause, seq)] if cause is not None else _nothing_seen(hand, seq)


def _hit(cause: Irregularity, seq: int) -> Hit:
    if cause.misdeal_ground:
        why = f"a ground for a misdeal ({cause.code}) to which nobody called attention in time: the hand is played on"
    elif cause.code in STANDS:
        why = f"a defect that lets it stand ({cause.code})"
    else:
        why = f"an irregularity that is put right in another way ({cause.code}: {cause.prescribed.replace('_', ' ')})"
    return Hit(
        f"All action was voided for {why}.",
        seats=cause.seats,
        cards=cause.cards,
        evidence=(cause.seq, seq),
        prescribed="play_on" if cause.misdeal_ground else "action_stands",
        confidence="certain" if cause.code in STANDS or cause.misdeal_ground else "likely",
        cause=cause.incident,
    )


def _nothing_seen(hand: Hand, seq: int) -> list[Hit] | None:
    if hand.irregularities or not hand.observes >= _SEES_EVERY_DEFECT:
        return None
    unread = any(UNREAD in held for held in hand.holding.values()) or UNREAD in hand.board or UNREAD in hand.burns
    if unread or hand.boxed:
        return None  # the defect may lie in a card that was not read
    return [Hit("All action was voided, and the deck shows no defect.", evidence=(seq,), confidence="likely")]


VOID_WITHOUT_CAUSE = Rule(
    code="RUL105",
    name="void-without-cause",
    severity="critical",
    source="Seed A, irregularities 3, 7, 8 and missing cards",
    what="All action was voided for a defect that lets it stand: a wrong back that lay in the stub, a missing card, a "
    "single boxed card, a joker; or for an irregularity that is put right in another way; or with no defect in "
    "evidence, where the feed sees every one and read every card.",
    why="It takes the pot from the player who won it, or was going to.",
    prescribes="action_stands",
    prescription="All action stands, and the hand is played to its end.",
    triage="Who asked for it, and who was behind in the hand?",
    false_positives="A defect that only the players saw: a card on the floor, a marked card.",
    checks={RulingMade: _ruled, HandEnded: _ended},
    examples=lambda: (
        flags(
            "a blue card is found in the stub, and the action voided",
            Scene().opened().limp().flop().checks_around().stub(SeenCard(card="2c", back="blue")).rule("void_action")
            .refund().end().script(),
            also=("DCK103",),
        ),
        flags(
            "a card is missing from the deck, and the action voided",
            Scene().opened().limp().flop().checks_around().stub(short=1).rule("void_action").refund().end().script(),
            also=("DCK107",),
        ),
        flags(
            "a misdeal ground comes to light when everybody has acted, and the action is voided",
            Scene().start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(1).card(2).card(3)
            .limp().announce().rule("void_action").refund().end().script(),
            also=("DEAL101",),
        ),
        flags(
            "a premature turn, and the action is voided instead of the turn repaired",
            Scene().opened().limp().flop().check(1, 2).premature("As").announce().check(3).rule("void_action").refund()
            .end().script(),
            also=("BRD101",),
        ),
        flags(
            "the action is voided, and every card that came was right",
            Scene().opened().limp().rule("void_action").refund().end().script(),
        ),
        flags(
            "a player acted on a joker, and the action is voided",
            Scene().start().blinds().card(1).card(2).card(3, "Jk").card(1).card(2).card(3).limp().announce()
            .rule("void_action").refund().end().script(),
            also=("DCK105", "DCK106"),
        ),
        passes(
            "two aces of spades",
            Scene().start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d").rule("void_action")
            .refund().end().script(),
            also=("DCK101",),
        ),
        passes(
            "a misdeal in time, by another name",
            Scene().start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).rule("void_action").refund()
            .end().script(),
            also=("DEAL101",),
        ),
        passes(
            "the twin of a card that was dealt lies in the stub",
            Scene().start().blinds().deal({1: "As Kd"}).limp().stub("As").rule("void_action").refund().end().script(),
        ),
        passes(
            "no defect was seen, and a burn was not read",
            Scene().opened().limp().flop().rule("void_action").refund().end().script(),
        ),
        passes(
            "no defect was seen by a feed that sees no backs",
            Scene(observes=tuple(c for c in EVERYTHING if c != "backs")).opened().limp().rule("void_action").refund()
            .end().script(),
        ),
        passes(
            "a blue card is found in the stub, and the result stands",
            Scene().opened().walk(end=False).stub(SeenCard(card="2c", back="blue")).rule("action_stands").end()
            .script(),
            also=("DCK103",),
        ),
    ),
)  # fmt: skip

RULES = (VOID_WITHOUT_CAUSE,)
