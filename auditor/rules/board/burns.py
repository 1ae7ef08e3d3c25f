"""BRD104 and BRD105: no burn, or two, before a street."""

from __future__ import annotations

from auditor.events import BoardDealt, CardBurned
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import board
from auditor.table.table import Table

_PUT_RIGHT = (
    "Flop: put right if no board card was exposed; if any was, reshuffle and redeal. Turn and river: put right if "
    "found before betting on the street began (with everybody all-in: before the award); once acted on, the card "
    "stands. In every case later cards are those that would have come had there been no error."
)


def _no_burn(table: Table, event: BoardDealt) -> list[Hit] | None:
    hand = table.hand
    if event.rabbit or event.board != 1 or hand.burns_since or hand.burns_due_none or hand.as_burn:
        return None
    if hand.repair is not None or hand.taken_back:
        return None  # a street that is dealt again has rules of its own
    turned = board.read(hand, event)
    if not turned.first or turned.surplus:
        return None
    street = hand.game.streets[turned.street]
    if not street.burn:
        return None
    return [
        Hit(
            f"The {street.name} was dealt with no burn.",
            prescribed="redeal_flop" if turned.street == 1 else "correct_burns",
        )
    ]


def _two_burns(table: Table, event: CardBurned) -> list[Hit] | None:
    hand = table.hand
    if hand.burns_since != 1 or hand.boards:  # a third burn is the same error; a second board has burns of its own
        return None
    return [Hit(f"Two cards were burned after the {hand.street_name}.", cards=(*hand.burns[-1:], event.card))]


MISSING_BURN = Rule(
    code="BRD104",
    name="missing-burn",
    severity="major",
    source="Seed B, rules 3 and 4; seed C, f",
    what="A board street was dealt with no burn before it.",
    why="The burn guards against a marked top card, and every later card is one place off.",
    prescribes="correct_burns",
    prescription=_PUT_RIGHT,
    observes=frozenset({"burns"}),
    games=BOARD_GAMES,
    triage="Watch the dealer's hands before the street. Was it found before anybody acted?",
    false_positives="A burn that the reader missed.",
    checks={BoardDealt: _no_burn},
    examples=lambda: (
        flags("a flop without a burn", Scene().opened().limp().board("As", "7c", "2d").check(1, 2, 3).script()),
        flags(
            "a turn without a burn",
            Scene().opened().limp().flop().checks_around().board("9h").check(1, 2, 3).script(),
        ),
        flags(
            "a turn without a burn becomes the burn, and the next card the turn",
            Scene().opened().limp().flop().checks_around().board("9h").announce().back("9h", to="burn").burn("9h")
            .board("4d").checks_around().river().check(1).script(),
        ),
        passes("a burn before each street", Scene().opened().limp().flop().checks_around().turn().check(1).script()),
        passes(
            "an exposed card serves as the burn",
            Scene().start().blinds().card(1).card(2).card(3).card(1, "As", exposed_by="dealer").card(2).card(3)
            .back("As", origin="seat", seat=1, to="burn").card(1, replaces="As").limp().board("2c", "3c", "4c")
            .check(1, 2, 3).script(),
            also=("DEAL112",),
        ),
        passes(
            "a redealt flop has no burn of its own",
            Scene().opened().limp().burn().board("As", "7c", "2d", "9h").back("As", "7c", "2d", "9h").reshuffle()
            .board("3c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD102",),
        ),
        passes(
            "a feed that does not see burns",
            Scene(observes=tuple(c for c in EVERYTHING if c != "burns")).opened().limp().board("As", "7c", "2d")
            .check(1, 2, 3).script(),
        ),
    ),
)  # fmt: skip

DOUBLE_BURN = Rule(
    code="BRD105",
    name="double-burn",
    severity="major",
    source="Seed B, rules 3 and 4",
    what="Two cards were burned before a street.",
    why="The street's card lies among the burns, and every later card is one place off.",
    prescribes="correct_burns",
    prescription=_PUT_RIGHT + " Two burned: one goes back on the deck and is the next burn.",
    observes=frozenset({"burns"}),
    games=BOARD_GAMES,
    triage="Watch the dealer's hands before the street. Did one burn go back on the deck?",
    false_positives="A burn that the reader reported twice.",
    checks={CardBurned: _two_burns},
    examples=lambda: (
        flags(
            "two burns before the flop",
            Scene().opened().limp().burn().burn().board("As", "7c", "2d").check(1).script(),
        ),
        flags(
            "two burns before the turn, one put back",
            Scene().opened().limp().flop().checks_around().burn().burn("Kd").announce()
            .back("Kd", origin="burn", to="stub").board("9h").check(1, 2, 3).script(),
        ),
        passes("one burn before each street", Scene().opened().limp().flop().checks_around().turn().check(1).script()),
        passes(
            "the exposed card is the burn, and is reported once more as it is burned",
            Scene().start().blinds().card(1).card(2).card(3).card(1, "As", exposed_by="dealer").card(2).card(3)
            .back("As", origin="seat", seat=1, to="burn").card(1, replaces="As").limp().burn("As")
            .board("2c", "3c", "4c").check(1).script(),
            also=("DEAL112",),
        ),
        passes(
            "a premature turn is repaired with a burn and the next card",
            Scene().opened().limp().flop().check(1, 2).premature("As").check(3).back("As", to="set_aside")
            .turn().check(1, 2, 3).script(),
            also=("BRD101",),
        ),
    ),
)  # fmt: skip

RULES = (MISSING_BURN, DOUBLE_BURN)
