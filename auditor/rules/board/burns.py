"""BRD104 and BRD105: no burn, or two, before a street."""

from __future__ import annotations

from auditor.events import BoardDealt, CardBurned
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import board, deck
from auditor.table.hand import Hand
from auditor.table.table import Table

_PUT_RIGHT = (
    "Flop: put right if no board card was exposed; if any was, reshuffle and redeal. Turn and river: put right if "
    "found before betting on the street began (with everybody all-in: before the award); once acted on, the card "
    "stands. In every case later cards are those that would have come had there been no error."
)


def _no_burn(table: Table, event: BoardDealt) -> list[Hit] | None:
    hand = table.hand
    if event.board != 1 or hand.burns_since or hand.burns_due_none or hand.as_burn:
        return None
    if hand.scraps or hand.scraps_burned:
        return None  # a scrap of paper came in its place, or in that of the card that comes now
    if hand.repair is not None or hand.taken_back or board.is_for_curiosity(hand, event):
        return None  # a street that is dealt again has rules of its own
    turned = board.read(hand, event)
    if not turned.first or turned.surplus:
        return None
    street = hand.game.streets[turned.street]
    if not street.burn or _astray(hand) > 0:
        return None
    return [
        Hit(
            f"The {street.name} was dealt with no burn.",
            prescribed="redeal_flop" if turned.street == 1 else "correct_burns",
        )
    ]


def _two_burns(table: Table, event: CardBurned) -> list[Hit] | None:
    hand = table.hand
    if not hand.burns_since or hand.burns_since != 1 - min(0, _astray(hand)) or hand.decided:
        return None  # a burn beyond that is the same error
    if hand.boards and hand.bomb_pot:
        return None  # two boards from the start, which are dealt street by street: each may have burns of its own
    if deck.is_scrap(hand, event.card, event.boxed):
        return None
    coming = hand.game.streets[hand.street + 1 :]
    when = f"before the {coming[0].name}" if coming and coming[0].burn and not hand.boards else "before one street"
    return [Hit(f"More than one card was burned {when}.", cards=(*hand.burns[-1:], event.card))]


def _astray(hand: Hand) -> int:
    """Burns of the streets before beyond those they called for, or, negative, short of them: the next street makes
    them up, so that the cards come that would have come had there been no error.
    """
    if hand.reshuffled or hand.boards or (hand.found("BRD104") is None and hand.found("BRD105") is None):
        return 0
    return len(hand.burns) + len(hand.as_burn) - hand.burns_since - hand.street


MISSING_BURN = Rule(
    code="BRD104",
    name="missing-burn",
    severity="major",
    source="Seed B, rules 3 and 4; seed C, f",
    what="A board street was dealt with no burn before it, and no burn too many lay there from before.",
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
        passes(
            "two burns before the flop, and none before the turn: it is the card that would have come",
            Scene().opened().limp().burn().burn().board("As", "7c", "2d").checks_around().board("9h").checks_around()
            .river().check(1).script(),
            also=("BRD105",),
        ),
        passes(
            "cards shown for curiosity after the award, one by one, and not reported as that",
            Scene().opened().limp().flop().raise_to(1, 200).fold(2, 3).refund_to(1, 200).award(1, 300).board("9h")
            .board("4d").end().script(),
        ),
        passes(
            "cards shown for curiosity when all have folded but one, before the pot is pushed",
            Scene().opened().limp().flop().raise_to(1, 200).fold(2, 3).board("9h").board("4d").refund_to(1, 200)
            .award(1, 300).end().script(),
        ),
        passes(
            "a whole board shown for curiosity after the award, and not reported as that",
            Scene().opened().walk(end=False).board("As", "7c", "2d", "9h", "4d").end().script(),
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
    what="More than one card was burned before a street, and none had been left out before.",
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
        flags(
            "no burn before the turn, and three before the river, where two were due",
            Scene().opened().limp().flop().checks_around().board("9h").checks_around().burn().burn().burn().board("4d")
            .check(1).script(),
            also=("BRD104",),
        ),
        flags(
            "the board is run twice, with two burns before the second turn",
            Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().turn().river().burn()
            .board("2c", "3c", "4c", board=2).burn().burn().board("7d", board=2).burn().board("9h", board=2).script(),
        ),
        passes(
            "no burn before the turn, and two before the river: it is the card that would have come",
            Scene().opened().limp().flop().checks_around().board("9h").checks_around().burn().burn().board("4d")
            .check(1).script(),
            also=("BRD104",),
        ),
        passes(
            "cards shown for curiosity after the award, a burn before each",
            Scene().opened().limp().flop().raise_to(1, 200).fold(2, 3).refund_to(1, 200).award(1, 300).burn()
            .board("9h", rabbit=True).burn().board("4d", rabbit=True).end().script(),
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
            "a boxed card is burned, and the next card below it in its place",
            Scene().opened().limp().burn("Kd", boxed=True).burn().board("As", "7c", "2d").checks_around().turn()
            .check(1).script(),
            also=("DCK104",),
        ),
        passes(
            "a joker lies below the burn, and is set aside with it",
            Scene().opened().limp().burn().burn("Jk").back("Jk", origin="burn", to="set_aside").board("As", "7c", "2d")
            .checks_around().turn().check(1).script(),
            also=("DCK105",),
        ),
        flags(
            "a joker is burned, and two cards in its place",
            Scene().opened().limp().burn("Jk").burn().burn().board("As", "7c", "2d").check(1).script(),
            also=("DCK105",),
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
