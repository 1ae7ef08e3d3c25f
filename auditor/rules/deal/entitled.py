"""DEAL109 and DEAL110: who is dealt in."""

from __future__ import annotations

from auditor.events import PlayerLeft, PlayerSatOut
from auditor.phrases import seats_spoken
from auditor.rules.rule import MISDEAL_PRESCRIPTION, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.shape import DealSettled
from auditor.table.table import Table


def _ineligible(table: Table, moment: DealSettled) -> list[Hit] | None:
    dealt = [d for d in moment.ineligible if d.seat <= table.memory.max_seats]
    if not dealt:
        return None
    hand, seats = table.hand, tuple(sorted({d.seat for d in dealt}))
    seated = [seat for seat in seats if seat in hand.seats or seat in table.memory.seated]
    who = "a player who is not entitled to a hand" if seated else "an empty seat"
    return [
        Hit(
            f"Cards were dealt to {who}: {seats_spoken(seats)}.",
            seats=seats,
            cards=tuple(d.card for d in dealt),
            seq=dealt[0].seq,
            at=dealt[0].at,
            evidence=tuple(d.seq for d in dealt),
        )
    ]


def _undealt(table: Table, moment: DealSettled) -> list[Hit] | None:
    hand = table.hand
    if not moment.undealt or not hand.deal:
        return None
    last = hand.deal[-1]
    seats = tuple(moment.undealt)
    return [
        Hit(
            f"No cards were dealt to {seats_spoken(seats)}, entitled to a hand.",
            seats=seats,
            seq=last.seq,
            at=last.at,
            evidence=(hand.started_seq, last.seq),
            behind="DEAL109",  # whose cards those may have been
        )
    ]


DEALT_TO_INELIGIBLE = Rule(
    code="DEAL109",
    name="dealt-to-ineligible",
    severity="major",
    source="Seed A, misdeals; seed C, i",
    what="Cards were dealt to an empty seat, or to a player who is not entitled to a hand.",
    why="The order of the deck is changed for everybody behind that seat.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    misdeal_ground=True,
    triage="See who sat there, and whether the player had posted a blind or an ante.",
    false_positives="A feed whose list of seats is behind the table.",
    checks={DealSettled: _ineligible},
    examples=lambda: (
        flags(
            "an empty seat is dealt in",
            Scene().start().blinds().card(1).card(2).card(3).card(5).card(1).card(2).card(3).card(5).misdeal().script(),
        ),
        flags(
            "a player who is not entitled gets a hand",
            Scene().start(not_entitled=(4,)).blinds().deal(seats=[1, 2, 3, 4]).misdeal().script(),
        ),
        flags(
            "a player who is not entitled gets a hand, nobody says so, and the hand is played without",
            Scene().start(not_entitled=(4,)).blinds().deal(seats=[1, 2, 3, 4]).limp().flop().checks_around()
            .win(1).script(),
        ),
        passes("everybody who is dealt in is entitled", Scene().opened().walk().script()),
        passes(
            "a player who is not entitled gets nothing",
            Scene().start(not_entitled=(4,)).blinds().deal().walk().script(),
        ),
    ),
)  # fmt: skip

ENTITLED_NOT_DEALT = Rule(
    code="DEAL110",
    name="entitled-not-dealt",
    severity="major",
    source="Seed A, misdeals; seed C, j",
    what="A player entitled to a hand got none. The player must be present at the table, or have posted: one who left "
    "or sits out is passed over by right.",
    why="Everybody who pays for the hand must be dealt in.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION,
    misdeal_ground=True,
    observes=frozenset({"hole_cards"}),
    triage="See whether the player was at the table, and when attention was called.",
    false_positives="Two hole cards that the reader missed.",
    checks={DealSettled: _undealt},
    examples=lambda: (
        flags(
            "the dealer passes seat 3 in both rounds",
            Scene(4).start().blinds().deal(seats=[1, 2, 4]).misdeal().script(),
        ),
        flags(
            "seat 4's cards went to an empty seat: one incident",
            Scene(4).start().blinds().deal(seats=[1, 2, 3, 7]).misdeal().script(),
            also=("DEAL109",),
        ),
        flags(
            "the big blind sits out, and is passed over",
            Scene(4).start().blinds().add(PlayerSatOut, seat=2, hand_id=None).deal(seats=[1, 3, 4]).misdeal().script(),
        ),
        passes("everybody is dealt in", Scene(4).opened().walk().script()),
        passes(
            "the player left before the first card",
            Scene(4).start().blinds().add(PlayerLeft, seat=3, hand_id=None).deal(seats=[1, 2, 4]).fold(4, 1).award(2)
            .end().script(),
        ),
        passes(
            "the player sits out, and the list of the hand does not know",
            Scene(4).add(PlayerSatOut, seat=1).start().post(2, "small_blind", 50).post(3, "big_blind", 100)
            .deal(seats=[2, 3, 4]).fold(4, 2).award(3).end().script(),
        ),
        passes(
            "a feed that does not see hole cards",
            Scene(observes=tuple(c for c in EVERYTHING if c != "hole_cards")).start().blinds().walk().script(),
        ),
        passes(
            "a deal that a misdeal stops before it reached seat 4",
            Scene(4).start().blinds().card(1, "As", exposed_by="dealer").card(2).misdeal().script(),
            also=("DEAL101",),
        ),
    ),
)  # fmt: skip

RULES = (DEALT_TO_INELIGIBLE, ENTITLED_NOT_DEALT)
