"""DEAL104, DEAL105 and DEAL111: too many or too few cards in the starting hands."""

from __future__ import annotations

from auditor.cards import spoken
from auditor.games import BOARD_GAMES
from auditor.phrases import seats_spoken
from auditor.rules.rule import MISDEAL_PRESCRIPTION, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.shape import DealSettled
from auditor.table.table import Table


def _two_extra(table: Table, moment: DealSettled) -> list[Hit] | None:
    extra = moment.extra
    limit = table.memory.house.misdeal_extra_cards
    if len(extra) < limit:
        return None
    proof = extra[limit - 1]
    seats = tuple(sorted({dealt.seat for dealt in extra}))
    return [
        Hit(
            f"{len(extra)} cards too many were dealt in the starting hands, to {seats_spoken(seats)}.",
            seats=seats,
            cards=tuple(dealt.card for dealt in extra),
            seq=proof.seq,
            at=proof.at,
            evidence=tuple(dealt.seq for dealt in extra),
        )
    ]


def _one_extra(table: Table, moment: DealSettled) -> list[Hit] | None:
    # One card that went to a wrong seat is a wrong count there and at the seat that lacks it, not an extra card; one
    # that came before everybody had a hand has turned the deal behind it, and is told as a card out of its turn.
    if not moment.extra or len(moment.extra) >= table.memory.house.misdeal_extra_cards or moment.short:
        return None
    turned, exposures = moment.out_of_sequence, table.hand.exposures
    return [
        Hit(
            f"Seat {extra.seat} was dealt one card too many, the {spoken(extra.card)}: it goes back and is the burn.",
            seats=(extra.seat,),
            cards=(extra.card,),
            seq=extra.seq,
            at=extra.at,
            behind="DEAL112" if any(e.card == extra.card and e.seat == extra.seat for e in exposures) else None,
        )
        for extra in moment.extra
        if turned is None or turned.seat != extra.seat
    ]


def _short(table: Table, moment: DealSettled) -> list[Hit] | None:
    if not moment.short or (not moment.interrupted and "hole_cards" not in table.hand.observes):
        return None
    hand = table.hand
    due = hand.game.starting_cards
    wrong = list(moment.short)
    if len(moment.extra) < table.memory.house.misdeal_extra_cards:
        wrong.extend(dealt.seat for dealt in moment.extra)  # where the missing card went
    had = {seat: sum(dealt.seat == seat for dealt in hand.deal) for seat in sorted(wrong)}
    told = ", ".join(f"seat {seat} has {count} of {due}" for seat, count in had.items())
    last = hand.deal[-1]
    return [
        Hit(
            f"A starting hand has the wrong number of cards: {told}.",
            seats=tuple(had),
            seq=last.seq,
            at=last.at,
            evidence=tuple(dealt.seq for dealt in hand.deal if dealt.seat in had),
        )
    ]


TWO_EXTRA_CARDS = Rule(
    code="DEAL104",
    name="two-extra-cards",
    severity="major",
    source="Seed A, misdeals (two or more); seed C, d (more than two); seed B, rule 1",
    what="Two or more extra cards were dealt in the starting hands. The house sets the number.",
    why="One extra card can serve as the burn; two have changed the order of the deck for everybody.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    misdeal_ground=True,
    triage="Count each player's cards on camera. Was attention called before two players had acted?",
    false_positives="A reader that reports a card at two seats.",
    checks={DealSettled: _two_extra},
    examples=lambda: (
        flags("two seats get a third card", Scene().opened().card(1).card(2).misdeal().script()),
        passes(
            "one extra card",
            Scene().opened().card(1, "As").back("As", origin="seat", seat=1, to="burn").limp().burn("As")
            .board("2c", "3c", "4c").check(1, 2, 3).script(),
            also=("DEAL111",),
        ),
        passes("every hand is whole", Scene().opened().walk().script()),
    ),
)  # fmt: skip


def _one_card_early() -> Scene:
    """Seat 3, the last one, has one card."""
    return Scene().start().blinds().card(1).card(2).card(3).card(1).card(2)


WRONG_CARD_COUNT = Rule(
    code="DEAL105",
    name="wrong-card-count",
    severity="major",
    source="Seed A, misdeals; seed C, e",
    what="A player's starting hand has too few cards, and the top card, dealt in proper sequence, did not complete it; "
    "with it goes the hand that got the card. A deal that was stopped on its way round has no wrong count yet.",
    why="A hand with the wrong number of cards cannot be played fairly.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    misdeal_ground=True,
    observes=frozenset({"hole_cards"}),
    triage="Count the player's cards on camera. Was attention called before two players had acted?",
    false_positives="A hole card that the reader missed.",
    checks={DealSettled: _short},
    examples=lambda: (
        flags(
            "the dealer passes seat 2 in the second round",
            Scene().start().blinds().card(1).card(2).card(3).card(1).card(3).misdeal().script(),
        ),
        flags(
            "the dealer passes seat 3 at the end, and the hand is played",
            _one_card_early().walk().script(),
        ),
        flags(
            "seat 2's card went to seat 3: two hands have the wrong number of cards",
            Scene(4).start().blinds().card(1).card(2).card(3).card(4).card(1).card(3).card(3).card(4).misdeal()
            .script(),
        ),
        passes("the top card completes the last hand", Scene().opened().walk().script()),
        flags(
            "the deal stops one card early, and a misdeal is declared when one player has acted",
            _one_card_early().call(3).misdeal().script(),
        ),
        flags(
            "the deal stops one card early, and is completed when two players have acted",
            _one_card_early().call(3, 1).card(3).check(2).flop().checks_around().win(1).script(),
        ),
        passes(
            "the deal stops one card early, and the top card completes it when one player has acted",
            _one_card_early().call(3).card(3).call(1).check(2).flop().checks_around().win(1).script(),
        ),
        passes(
            "a feed that does not see every hole card",
            Scene(observes=tuple(c for c in EVERYTHING if c != "hole_cards")).start().blinds()
            .card(1).card(2).card(3).card(1).card(2).walk().script(),
        ),
        passes(
            "a deal that a misdeal stops in its second round",
            Scene().start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(1).misdeal().script(),
            also=("DEAL101",),
        ),
        passes(
            "seat 2 is passed in the second round, and the deal is stopped at once: a card out of its turn",
            Scene(4).start().blinds().card(1).card(2).card(3).card(4).card(1).card(3).misdeal().script(),
            also=("DEAL106",),
        ),
    ),
)  # fmt: skip

ONE_EXTRA_CARD = Rule(
    code="DEAL111",
    name="one-extra-card",
    severity="minor",
    source="Seed A, irregularities: one additional card before the first betting round; seed B, rule 1",
    what="Before the first betting round, one card too many was dealt. Not: one that came before everybody had a hand; "
    "the rest of the deal was out of its order then.",
    why="It harms nobody if it goes back to the deck: it is the card that would have been burned.",
    prescribes="use_as_burn",
    prescription="The card goes back to the deck and is used as the burn. More than one is a misdeal.",
    games=BOARD_GAMES,
    triage="See that the card was burned before the flop, and that nobody looked at it.",
    false_positives="A reader that reports a card at two seats.",
    checks={DealSettled: _one_extra},
    examples=lambda: (
        flags(
            "the first player gets a third card after everybody has two",
            Scene().opened().card(1, "As").back("As", origin="seat", seat=1, to="burn").limp().burn("As")
            .board("2c", "3c", "4c").check(1, 2, 3).script(),
        ),
        flags(
            "it was exposed as well: one incident",
            Scene().opened().card(1, "As", exposed_by="dealer").back("As", origin="seat", seat=1, to="burn").limp()
            .burn("As").board("2c", "3c", "4c").check(1, 2, 3).script(),
            also=("DEAL112",),
        ),
        flags(
            "two, where the house calls three a misdeal: each goes back",
            Scene(house={"misdeal_extra_cards": 3}).opened().card(1, "As").card(2, "Kd")
            .back("As", origin="seat", seat=1, to="burn").back("Kd", origin="seat", seat=2, to="stub").walk().script(),
            also=("DEAL111",),
        ),
        passes("two extra cards are a misdeal", Scene().opened().card(1).card(2).misdeal().script(), also=("DEAL104",)),
        passes(
            "a second card in the first round turns the rest of the deal",
            Scene().start().blinds().card(1).card(2).card(2).card(3).card(1).card(2).card(3).misdeal().script(),
            also=("DEAL106",),
        ),
        passes(
            "an exposed card goes back before its replacement comes, which does not say what it is",
            Scene().start().blinds().card(1).card(2).card(3).card(1).card(2, "As", exposed_by="dealer").card(3)
            .back("As", origin="seat", seat=2, to="burn").card(2).limp().burn("As").board("2c", "3c", "4c")
            .check(1, 2, 3).script(),
            also=("DEAL112",),
        ),
        passes(
            "the same card read twice at the same seat",
            Scene().start().blinds().deal({1: "As Kd"}).card(1, "As").walk().script(),
        ),
    ),
)  # fmt: skip

RULES = (TWO_EXTRA_CARDS, WRONG_CARD_COUNT, ONE_EXTRA_CARD)
