"""RUL101 and RUL102: a misdeal that should not have been declared, and one that should have been."""

from __future__ import annotations

from auditor.events import DeckShuffled, HandEnded, RulingMade
from auditor.rules.rule import MISDEAL_PRESCRIPTION, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.hand import Attention, Hand, Irregularity
from auditor.table.remedies import called, called_in_time, chopped, fouled, stopped_over
from auditor.table.table import Table

#: What a feed must see before "there was no ground" means more than "we saw none".
_SEES_EVERY_GROUND = frozenset({"deal_order", "hole_cards", "exposure", "orientation", "button"})


def _ruled(table: Table, event: RulingMade) -> list[Hit] | None:
    return _improper(table.hand) if event.ruling == "misdeal" else None


def _returned(table: Table, event: HandEnded) -> list[Hit] | None:
    """Nobody ruled, and the chips went back as for a misdeal."""
    hand = table.hand
    if not hand.void_returns or hand.awarded or hand.verdict is not None or chopped(hand):
        return None
    first = next((refund for refund in hand.refunds if refund.reason == "misdeal"), None)
    if first is None or (hand.window_closed and "officiating" not in hand.observes):
        return None  # attention may have been called in time
    hits = _improper(hand)
    return [hit._replace(seq=first.seq, at=first.at, confidence="likely") for hit in hits] if hits else None


def _improper(hand: Hand) -> list[Hit] | None:
    """What is wrong with a misdeal that is declared now."""
    if fouled(hand) is not None:
        return None  # the deck is fouled: every chip goes back all the same
    grounds = [i for i in hand.irregularities if i.misdeal_ground]
    complained = not grounds and _complained_in_time(hand)
    in_time = complained or any(called_in_time(hand, ground) for ground in grounds or (None,))
    over = grounds[0] if grounds else stopped_over(hand)
    cause = over.incident if over is not None else None
    if hand.window_closed and not hand.gap and not in_time:
        return [_too_late(hand, cause)]
    if not grounds and _sees_every_ground(hand) and not complained:
        return [Hit("A misdeal was declared, and nothing in the deal gives ground for one.", cause=cause)]
    return None


def _sees_every_ground(hand: Hand) -> bool:
    """Where nobody says where the deal should begin, it may have begun at a wrong seat."""
    return hand.observes >= _SEES_EVERY_GROUND and bool(hand.order)


def _complained_in_time(hand: Hand) -> bool:
    """Of the shuffle or the cut, before anybody had looked at a hand or bet: the deal may be made anew for that."""
    late = {i.seq for i in hand.irregularities if i.code == "SHF108"}
    return any(
        attention.rule is not None
        and attention.rule.startswith("SHF")
        and not attention.actions
        and attention.seq not in late
        for attention in hand.attentions
    )


def _too_late(hand: Hand, cause: str | None) -> Hit:
    return Hit(
        f"A misdeal was declared after {hand.actions} players had acted; the hand must be played to its end.",
        prescribed="play_on",
        cause=cause,
    )


IMPROPER_MISDEAL = Rule(
    code="RUL101",
    name="improper-misdeal",
    severity="critical",
    source="Seed A, misdeals, last paragraph",
    what="A misdeal was declared after action had occurred, or with no misdeal ground in evidence. A ruling may take "
    "a while: it is in time where attention was called to the ground before that.",
    why="It takes the pot, and a hand that could have won it, from the players.",
    prescribes="play_on",
    prescription="The hand is played to its end, and nothing is returned.",
    observes=frozenset({"betting"}),
    triage="Who gained from the redeal? Look at the hands as they were dealt.",
    false_positives="A ground that the feed does not see although it declares it. Where nobody says where the deal "
    "should begin (in stud, who deals), or a player complained of the shuffle in time, there may be ground.",
    checks={RulingMade: _ruled, HandEnded: _returned},
    examples=lambda: (
        flags(
            "declared when three players had acted",
            Scene(4).start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(4).card(1).card(2).card(3)
            .card(4).call(3, 4, 1).misdeal().script(),
            also=("DEAL101",),
        ),
        flags("declared with no ground", Scene().opened().misdeal().script()),
        flags(
            "an early complaint about the shuffle is no attention to the ground",
            _exposed_ace().announce(rule="SHF103").call(3, 4, 1).announce(rule="DEAL101").rule("misdeal")
            .refund("misdeal").end().script(),
            also=("DEAL101",),
        ),
        flags(
            "what was said early was about a joker, which was replaced",
            _exposed_ace(last="Jk").announce(card="Jk").rule("scrap_card").back("Jk", origin="seat", seat=4)
            .card(4, replaces="Jk").call(3, 4, 1).announce(rule="DEAL101").rule("misdeal").refund("misdeal").end()
            .script(),
            also=("DCK105", "DEAL101"),
        ),
        passes(
            "declared in time, with ground",
            Scene(4).start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(4).card(1).card(2).card(3)
            .card(4).call(3).misdeal().script(),
            also=("DEAL101",),
        ),
        passes(
            "attention was called in time, the ruling took a while",
            Scene(4).start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(4).card(1).card(2).card(3)
            .card(4).call(3).announce().call(4, 1).rule("misdeal").refund("misdeal").end().script(),
            also=("DEAL101",),
        ),
        passes(
            "a complaint about the shuffle before anybody had looked or bet",
            Scene().add(DeckShuffled, hand_id=None, by="player", seat=1, riffles=2).start().blinds()
            .announce(seat=2, rule="SHF103", looked=False).misdeal().script(),
            also=("SHF103",),
        ),
        flags(
            "a complaint about the shuffle, by a player who had looked",
            Scene().add(DeckShuffled, hand_id=None, by="player", seat=1, riffles=2).opened()
            .announce(seat=2, rule="SHF103", looked=True).misdeal().script(),
            also=("SHF103", "SHF108"),
        ),
        flags(
            "declared for a single boxed card: one incident",
            Scene().start().blinds().card(1).card(2, boxed=True).card(3).card(1).card(2).card(3).misdeal().script(),
            also=("DCK104",),
        ),
        flags(
            "nobody reports a ruling, and when everybody had acted the chips go back as for a misdeal",
            _exposed_ace().call(3, 4, 1).refund("misdeal").end().script(),
            also=("DEAL101",),
        ),
        passes(
            "nobody reports a ruling, and the feed does not see attention called",
            _exposed_ace(observes=tuple(c for c in EVERYTHING if c != "officiating")).call(3, 4, 1).refund("misdeal")
            .end().script(),
            also=("DEAL101",),
        ),
        passes(
            "nobody reports a ruling, and there was ground for one in time",
            _exposed_ace().call(3).refund("misdeal").end().script(),
            also=("DEAL101",),
        ),
        passes(
            "a complaint about the shuffle in time, and the ruling takes a while",
            Scene(4).opened().announce(rule="SHF103").call(3, 4, 1).rule("misdeal").refund("misdeal").end().script(),
        ),
        passes(
            "everybody folds to the blinds, who take their bets back",
            Scene(4).opened().fold(3, 4).refund("misdeal").end().script(),
        ),
        passes(
            "a ground that the feed could not see",
            Scene(observes=tuple(c for c in EVERYTHING if c != "exposure")).opened().misdeal().script(),
        ),
    ),
)  # fmt: skip


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    if not hand.attentions or not hand.irregularities or hand.voided or fouled(hand) is not None:
        return None
    if not hand.awarded and hand.verdict not in ("play_on", "action_stands"):
        return None  # it was not played on
    for ground in hand.irregularities:
        if ground.misdeal_ground and (attention := called(hand, ground, in_time=True)) is not None:
            return [_refused(hand, ground, attention, event)]
    return None


def _refused(hand: Hand, ground: Irregularity, attention: Attention, event: HandEnded) -> Hit:
    acted = {0: "nobody had acted", 1: "one player had acted"}.get(
        attention.actions, f"{attention.actions} players had acted"
    )
    return Hit(
        f"Attention was called to a ground for a misdeal ({ground.code}) when {acted}, and the hand was played on.",
        seats=ground.seats,
        cards=ground.cards,
        evidence=(ground.seq, attention.seq, event.seq),
        confidence="certain" if attention.rule is not None or attention.ruling is not None else "likely",
        cause=ground.incident,
    )


def _exposed_ace(*, last: str | None = None, observes: tuple[str, ...] = EVERYTHING) -> Scene:
    """The first card of the deal is exposed by the dealer."""
    scene = Scene(4, observes=observes).start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(4)
    return scene.card(1).card(2).card(3).card(4, last)


MISDEAL_REFUSED = Rule(
    code="RUL102",
    name="misdeal-refused",
    severity="major",
    source="Seed A, misdeals",
    what="There was ground for a misdeal, attention was called before two players had acted, and the hand was played "
    "on. Attention that names no rule is taken for the ground only where nothing else can be meant; a ruling is about "
    "what it answers.",
    why="A hand that the rules end for everybody was won by somebody.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    observes=frozenset({"officiating", "betting"}),
    triage="Who refused it, and who won the hand? Were the players content to play on?",
    false_positives="A call that was about something which the feed does not see; a misdeal that nobody reported.",
    checks={HandEnded: _ended},
    examples=lambda: (
        flags(
            "the first card is exposed, a player says so at once, and the hand is played",
            _exposed_ace().announce(rule="DEAL101").walk().script(),
            also=("DEAL101",),
        ),
        flags(
            "the floor is asked in time, and rules that the hand be played on",
            _exposed_ace().call(3).announce().rule("play_on").fold(4, 1).check(2).win(2).script(),
            also=("DEAL101",),
        ),
        flags(
            "the button was wrong, a player says so at once, and the hand is played",
            Scene(4).start(button=1).blinds().deal().walk().opened(button=3).announce(rule="DEAL107").rule("play_on")
            .walk().opened(button=2).walk().script(),
            also=("BTN101",),
        ),
        passes(
            "the button was wrong, attention comes when the hand must be played, and the next hand puts it right",
            Scene(4).start(button=1).blinds().deal().walk().opened(button=3).call(2, 3).announce(rule="BTN101")
            .fold(4).check(1).flop().check(1, 2, 3).win(1).opened(button=2).walk().script(),
            also=("BTN101",),
        ),
        passes("the misdeal is declared", _exposed_ace().announce().misdeal().script(), also=("DEAL101",)),
        passes("nobody says a word", _exposed_ace().walk().script(), also=("DEAL101",)),
        passes(
            "attention comes when three players have acted",
            _exposed_ace().call(3, 4, 1).announce(rule="DEAL101").rule("play_on").check(2).win(1).script(),
            also=("DEAL101",),
        ),
        passes(
            "attention that names another rule",
            _exposed_ace().announce(rule="SHF108").walk().script(),
            also=("DEAL101",),
        ),
        passes(
            "a ruling answers attention that names another rule",
            _exposed_ace().call(4).announce(rule="BET101").rule("play_on").fold(3, 1).check(2).win(2).script(),
            also=("BET101", "DEAL101"),
        ),
        passes(
            "somebody acts out of turn, and a player says so",
            _exposed_ace().call(4).announce().rule("play_on").fold(3, 1).check(2).win(2).script(),
            also=("BET101", "DEAL101"),
        ),
        passes(
            "the floor is asked about another card",
            _exposed_ace().announce(card="Kd").rule("play_on").walk().script(),
            also=("DEAL101",),
        ),
        flags(
            "somebody acts out of turn, and a player speaks of the exposed card",
            _exposed_ace().call(4).announce(card="As").rule("play_on").fold(3, 1).check(2).win(2).script(),
            also=("BET101", "DEAL101"),
        ),
        passes(
            "a blind is made good when the dealer has said so",
            Scene(4).start().post(1, "small_blind", 50).post(2, "big_blind", 90)
            .card(1).card(2, "As", exposed_by="dealer").card(3).card(4).card(1).card(2).card(3).card(4)
            .announce(by="dealer", seat=2).post(2, "big_blind", 10).walk().script(),
            also=("DEAL101",),
        ),
        passes(
            "the dealer tells of a blind that was not posted",
            Scene(4).start().post(2, "big_blind", 100).card(1, "As", exposed_by="dealer").card(2).card(3).card(4)
            .card(1).card(2).card(3).card(4).announce(by="dealer", seat=3).rule("play_on").walk().script(),
            also=("BTN104", "DEAL101"),
        ),
        passes(
            "one exposed card is replaced; that the button was wrong, nobody noticed",
            Scene(4).start(button=1).blinds().deal().walk().start(button=3).blinds().card(4).card(1)
            .card(2, "As", exposed_by="dealer").card(3).card(4).card(1).card(2).card(3).announce().rule("use_as_burn")
            .back("As", origin="seat", seat=2, to="burn").card(2, replaces="As").walk().script(),
            also=("BTN101", "DEAL112"),
        ),
        passes("nothing was wrong, and a player asks", Scene().opened().announce().walk().script()),
    ),
)  # fmt: skip

RULES = (IMPROPER_MISDEAL, MISDEAL_REFUSED)
