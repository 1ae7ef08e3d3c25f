"""BRD106, BRD107 and BRD108: a flop, turn or river that is dealt again in the wrong way.

A flop goes back into the deck, its burn stays on the table: reshuffle, cut, a new flop with no burn. For a premature
turn the next card is burned and the one after it, which would have been the fifth, is the turn; the river then comes,
with no burn, from a deck reshuffled with the premature turn in it. A premature river goes back into the deck:
reshuffle without burns and discards, cut, a new river with no burn.
"""

from __future__ import annotations

from auditor.cards import UNREAD, spoken
from auditor.events import BoardDealt, Prescription, SeenCard, face
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import board
from auditor.table.hand import Hand, Irregularity, Repair
from auditor.table.table import Table

_NAMES = {1: "flop", 2: "turn", 3: "river"}
_REPAIRS: dict[int, Prescription] = {1: "redeal_flop", 2: "fix_turn", 3: "fix_river"}


def _under_repair(table: Table, event: BoardDealt, street: int) -> Repair | None:
    """The repair of this street that the event belongs to: the new cards, or the river behind a replaced turn."""
    hand = table.hand
    repair = hand.repair
    if repair is None or repair.street != street or event.board != 1 or hand.boards:
        return None
    if board.is_for_curiosity(hand, event) or board.is_put_back(hand, event):
        return None
    turned = board.read(hand, event)
    if not turned.first or turned.surplus or turned.premature or turned.street != street + repair.replaced:
        return None
    return repair


def _cause(hand: Hand, street: int) -> Irregularity | None:
    """The last irregularity that calls for this repair."""
    causes = [i for i in hand.irregularities if i.prescribed == _REPAIRS[street] and i.code not in _CODES]
    return causes[-1] if causes else None


def _unshuffled(hand: Hand, repair: Repair) -> list[str]:
    """What is wrong with the shuffle and the cut that the new cards had to come from."""
    if "shuffle" in hand.observes:
        if not repair.shuffled:
            return ["without a shuffle"]
        if not repair.cut:
            return ["without a cut"]
    return []


def _mixed_in(repair: Repair) -> list[str]:
    wrong = []
    if "burns" in repair.shuffled_in or repair.burn_given_back:
        wrong.append("with the burn mixed back in")
    if "muck" in repair.shuffled_in:
        wrong.append("with the discards mixed in")
    return wrong


def _left_out(hand: Hand, repair: Repair) -> list[str]:
    """The card that came too early has to be in the deck, where the feed says what was shuffled."""
    place = hand.where.get(repair.card)
    if repair.shuffled_in and place is not None and place.kind in ("set_aside", "muck"):
        return [f"from a deck without the {spoken(repair.card)}"]
    return []


def _hit(hand: Hand, repair: Repair, event: BoardDealt, dealt: str, wrong: list[str]) -> list[Hit] | None:
    if not wrong:
        return None
    cause = _cause(hand, repair.street)
    ways = wrong[0] if len(wrong) == 1 else ", ".join(wrong[:-1]) + " and " + wrong[-1]
    return [
        Hit(
            f"{dealt} {ways}.",
            cards=tuple(face(item) for item in event.cards),
            evidence=(repair.seq, event.seq),
            prescribed=_REPAIRS[repair.street],
            cause=cause.finding_id if cause else None,
        )
    ]


def _flop(table: Table, event: BoardDealt) -> list[Hit] | None:
    if table.hand.repair is None:
        return None
    hand, repair = table.hand, _under_repair(table, event, 1)
    if repair is None:
        return None
    new_burn = ["with a new burn"] if repair.burned and repair.burns else []
    wrong = [*_unshuffled(hand, repair), *new_burn, *_mixed_in(repair), *_left_out(hand, repair)]
    return _hit(hand, repair, event, "The flop was dealt again", wrong or _not_on_top(hand, repair, event))


def _turn(table: Table, event: BoardDealt) -> list[Hit] | None:
    if table.hand.repair is None:
        return None
    hand, repair = table.hand, _under_repair(table, event, 2)
    if repair is None:
        return _flop_instead(table, event, 2)
    if _cause(hand, 2) is None or hand.found("BRD107"):
        return None
    if repair.replaced:
        return _hit(
            hand, repair, event, "Behind a turn that was repaired, the river came", _as_last(hand, repair, event)
        )
    return _hit(hand, repair, event, "The premature turn was replaced", _as_fifth(hand, repair, event))


def _as_fifth(hand: Hand, repair: Repair, event: BoardDealt) -> list[str]:
    """The turn has to be the card that would have been the river: set aside, burn, and the next card."""
    if repair.shuffled:
        return ["from a reshuffled deck: only the river comes from one"]
    wrong = []
    if repair.to != "set_aside":
        wrong.append("without setting it aside")
    if not repair.burns and "burns" in hand.observes:
        wrong.append("without a burn")
    return wrong or _not_the_fifth(hand, repair, event)


def _not_the_fifth(hand: Hand, repair: Repair, event: BoardDealt) -> list[str]:
    """Where the order of the deck is known: the second card behind the premature one, a burn between."""
    order, dealt = hand.deck_order, face(event.cards[0])
    if repair.card not in order or dealt == UNREAD:
        return []
    due = order.index(repair.card) + 2
    if due >= len(order) or order[due] in (dealt, UNREAD):
        return []
    return [f"with the {spoken(dealt)}, and the {spoken(order[due])} would have been the fifth card"]


def _as_last(hand: Hand, repair: Repair, event: BoardDealt) -> list[str]:
    """The last card has to come from a reshuffled deck, with no burn."""
    burn = ["with a burn"] if repair.burns else []
    wrong = [*_unshuffled(hand, repair), *burn, *_mixed_in(repair), *_left_out(hand, repair)]
    return wrong or _not_on_top(hand, repair, event)


def _not_on_top(hand: Hand, repair: Repair, event: BoardDealt) -> list[str]:
    """Where the order of the deck is known since its cut: the cards have to be those on its top."""
    top = hand.deck_order[: len(event.cards)]
    if not repair.cut or not top or repair.burns:
        return []
    dealt = [face(item) for item in event.cards]
    strange = [card for card, due in zip(dealt, top, strict=False) if UNREAD not in (card, due) and card not in top]
    return [f"with the {spoken(strange[0])}, which was not on top of the deck"] if strange else []


def _flop_instead(table: Table, event: BoardDealt, street: int) -> list[Hit] | None:
    """A flop is dealt again though nothing was wrong but a turn or a river behind it, which came too early."""
    hand, repair = table.hand, _under_repair(table, event, 1)
    cause = _cause(hand, street)
    if repair is None or cause is None or any(_cause(hand, other) for other in (1, 3) if other != street):
        return None
    return [
        Hit(
            f"The premature {_NAMES[street]} was put right with a whole new flop.",
            cards=tuple(face(item) for item in event.cards),
            evidence=(repair.seq, event.seq),
            prescribed=_REPAIRS[street],
            cause=cause.finding_id,
        )
    ]


def _river(table: Table, event: BoardDealt) -> list[Hit] | None:
    if table.hand.repair is None:
        return None
    hand, repair = table.hand, _under_repair(table, event, 3)
    if repair is None:
        return _flop_instead(table, event, 3)
    if _cause(hand, 3) is None:
        return None
    return _hit(hand, repair, event, "The premature river was replaced", _as_last(hand, repair, event))


_TRIAGE = "Watch on camera what the dealer did between the two cards: set aside, burn, shuffle, cut."
_MISSED = "A shuffle, a cut or a burn that the feed missed although it declares them."
_IDENTITY = " Which card should have come is judged only where `deck_cut` tells the order of the deck."


def _early_turn(observes: tuple[str, ...] = EVERYTHING, *, to: str = "set_aside") -> Scene:
    """A premature turn, the betting completed, and the card off the board."""
    return (
        Scene(observes=observes).opened().limp().flop().check(1, 2).premature("As").announce().check(3)
        .rule("fix_turn").back("As", to=to)
    )  # fmt: skip


def _early_river(*, to: str = "stub") -> Scene:
    """A premature river, the betting completed, and the card off the board."""
    return (
        Scene().opened().limp().flop().checks_around().turn().check(1, 2).premature("As").announce().check(3)
        .rule("fix_river").back("As", to=to)
    )  # fmt: skip


def _early_flop() -> Scene:
    return (
        Scene().opened().call(3, 1).premature("As", "7c", "2d").announce().check(2).rule("redeal_flop")
        .back("As", "7c", "2d")
    )  # fmt: skip


def _stacked_turn(turn: str) -> Scene:
    """A deck whose order is known: As came too early, then lie the burn 7c, the fifth card 9h, the burn 2c, 3d."""
    scene = Scene()
    scene.cut_in_order("As", "7c", "9h", "2c", "3d").opened().limp().flop().check(1, 2).premature("As").check(3)
    return scene.back("As", to="set_aside").burn("7c").board(turn).check(1, 2, 3)


FLOP_REDEALT_WRONGLY = Rule(
    code="BRD106",
    name="flop-redealt-wrongly",
    severity="major",
    source="Seed B, rule 6",
    what="A flop was dealt again with a new burn, without a shuffle or a cut, with the burn mixed back in, or from "
    "a deck that lacked the cards of the first."
    + _IDENTITY,
    why="A new burn moves every card to come, and a deck that is not shuffled still has its known cards on top.",
    prescribes="redeal_flop",
    prescription="The board cards are mixed with the rest of the deck, the burn stays on the table; reshuffle, cut, "
    "and a new flop with no burn.",
    games=BOARD_GAMES,
    triage=_TRIAGE,
    false_positives=_MISSED,
    checks={BoardDealt: _flop},
    examples=lambda: (
        flags(
            "a premature flop is dealt again with a new burn",
            _early_flop().reshuffle().burn().board("9c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "a flop of four is dealt again without a shuffle",
            Scene().opened().limp().burn().board("As", "7c", "2d", "9h").announce().back("As", "7c", "2d", "9h")
            .board("3c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD102",),
        ),
        flags(
            "a premature flop is dealt again without a cut",
            _early_flop().reshuffle(cut=False).board("9c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the burn is shuffled in",
            _early_flop().reshuffle("stub", "burns").board("9c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the burn goes back on the deck",
            _early_flop().back("??", origin="burn").reshuffle().board("9c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "a premature flop is left out of the shuffle",
            Scene().opened().call(3, 1).premature("As", "7c", "2d").check(2).back("As", "7c", "2d", to="set_aside")
            .reshuffle("stub").board("9c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        passes(
            "shuffled, cut, no burn",
            _early_flop().reshuffle().board("9c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        passes(
            "the shuffle takes the board cards in",
            Scene().opened().limp().burn().board("As", "7c", "2d", "9h").announce().reshuffle("stub", "board")
            .board("3c", "As", "4d").check(1, 2, 3).script(),
            also=("BRD102",),
        ),
        passes(
            "there was no burn before the flop: the new flop may have one",
            Scene().opened().limp().board("As", "7c", "2d").announce().back("As", "7c", "2d").reshuffle().burn()
            .board("3c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD104",),
        ),
        passes(
            "a feed that does not see shuffles",
            Scene(observes=tuple(c for c in EVERYTHING if c != "shuffle")).opened().limp().burn()
            .board("As", "7c", "2d", "9h").announce().back("As", "7c", "2d", "9h").board("3c", "3h", "4d")
            .check(1, 2, 3).script(),
            also=("BRD102",),
        ),
        passes(
            "the first card of the flop is boxed and set aside, and the flop comes from the same deck",
            Scene().opened().limp().burn().board(SeenCard(card="As", boxed=True)).back("As", to="set_aside")
            .board("9c", "3h", "4d").checks_around().turn().check(1, 2, 3).script(),
            also=("DCK104",),
        ),
        passes("a flop that was never dealt again", Scene().opened().limp().flop().checks_around().turn().script()),
        passes(
            "the turn behind a redealt flop has a burn again",
            _early_flop().reshuffle().board("9c", "3h", "4d").checks_around().turn().check(1, 2, 3).script(),
            also=("BRD101",),
        ),
    ),
)  # fmt: skip

TURN_FIXED_WRONGLY = Rule(
    code="BRD107",
    name="turn-fixed-wrongly",
    severity="major",
    source="Seed B, rule 7",
    what="A premature turn was put right in another way than the rules give: not set aside, replaced without a burn or "
    "from a reshuffled deck, or the river behind it dealt with a burn, from a deck that was not reshuffled and cut, or "
    "that held burns or discards, or lacked the premature card, or by a whole new flop." + _IDENTITY,
    why="The rules change the board as little as can be: the fifth card still comes, in the fourth's place.",
    prescribes="fix_turn",
    prescription="The betting on the flop is completed and the card set aside. Burn, and the next card, which would "
    "have been the fifth, is the turn. After its betting the deck is reshuffled with the card that was set aside, "
    "without burns and discards, and cut; the river comes with no burn.",
    observes=frozenset({"betting"}),
    games=BOARD_GAMES,
    triage=_TRIAGE,
    false_positives=_MISSED,
    checks={BoardDealt: _turn},
    examples=lambda: (
        flags(
            "the deck is reshuffled at once, and the turn dealt from it",
            _early_turn().reshuffle("stub", "set_aside").board("9h").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the next card is dealt without a burn",
            _early_turn().board("9h").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the card goes back on the deck",
            _early_turn(to="stub").burn().board("9h").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the river comes from the same deck, with a burn, as if nothing had happened",
            _early_turn().turn().checks_around().river().check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the river has a burn",
            _early_turn().turn().checks_around().reshuffle("stub", "set_aside").river().check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the deck is reshuffled without the card that was set aside",
            _early_turn().turn().checks_around().reshuffle("stub").board("4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "burns and discards are shuffled in",
            _early_turn().turn().checks_around().reshuffle("stub", "set_aside", "burns", "muck").board("4d")
            .check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the whole flop is dealt again",
            Scene().opened().limp().burn().board("7c", "7d", "2d").check(1, 2).premature("As").check(3)
            .rule("redeal_flop").back("7c", "7d", "2d", "As").reshuffle().board("9c", "3h", "4d").check(1, 2, 3)
            .script(),
            also=("BRD101",),
        ),
        flags("the order is known, and it is not the fifth card", _stacked_turn("3d").script(), also=("BRD101",)),
        passes(
            "set aside, burn, the next card; then reshuffled with it, cut, and the river with no burn",
            _early_turn().turn().checks_around().reshuffle("stub", "set_aside").board("4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        passes(
            "the premature card comes again as the river",
            _early_turn().turn().checks_around().reshuffle("stub", "set_aside").board("As").checks_around().win(1)
            .script(),
            also=("BRD101",),
        ),
        passes("the order is known, and it is the fifth card", _stacked_turn("9h").script(), also=("BRD101",)),
        passes(
            "a feed that sees neither burns nor shuffles",
            _early_turn(tuple(c for c in EVERYTHING if c not in ("burns", "shuffle"))).board("9h").checks_around()
            .board("4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        passes(
            "a turn with no burn that becomes the burn is no premature turn",
            Scene().opened().limp().flop().checks_around().board("9h").announce().back("9h", to="burn").burn("9h")
            .board("4d").checks_around().river().check(1).script(),
            also=("BRD104",),
        ),
        passes(
            "the premature turn stays, which is told once",
            Scene().opened().limp().flop().check(1, 2).premature("As").check(3).checks_around().river().check(1)
            .script(),
            also=("BRD101", "RUL106"),
        ),
        passes(
            "everybody folds before it is replaced",
            Scene().opened().limp().flop().raise_to(1, 200).fold(2).premature("As").back("As", to="set_aside").fold(3)
            .win(1).script(),
            also=("BRD101",),
        ),
    ),
)  # fmt: skip

RIVER_FIXED_WRONGLY = Rule(
    code="BRD108",
    name="river-fixed-wrongly",
    severity="major",
    source="Seed B, rule 7",
    what="A premature river was put right in another way than the rules give: with a burn, from a deck that was not "
    "reshuffled and cut, that held burns or discards, or that lacked the premature card, or by a whole new flop."
    + _IDENTITY,
    why="Everybody has seen the card: only a fair shuffle with it in the deck gives each hand its chance again.",
    prescribes="fix_river",
    prescription="The betting on the turn is completed. The card goes back, the deck is reshuffled without burns and "
    "discards, and cut; the river comes with no burn.",
    observes=frozenset({"betting"}),
    games=BOARD_GAMES,
    triage=_TRIAGE,
    false_positives=_MISSED,
    checks={BoardDealt: _river},
    examples=lambda: (
        flags(
            "the next card is burned and the one behind it turned",
            _early_river(to="set_aside").river().check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "reshuffled and cut, and then a burn",
            _early_river().reshuffle().river().check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "reshuffled, and not cut",
            _early_river().reshuffle(cut=False).board("4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the burns are shuffled in",
            _early_river().reshuffle("stub", "burns").board("4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "its burn goes back on the deck",
            _early_river().back("??", origin="burn").reshuffle().board("4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the premature card is left out of the deck",
            _early_river(to="set_aside").reshuffle("stub").board("4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        passes(
            "reshuffled with it, cut, and a river with no burn",
            _early_river().reshuffle().board("4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        passes(
            "set aside first, and shuffled in afterwards",
            _early_river(to="set_aside").reshuffle("stub", "set_aside").board("As").checks_around().win(1).script(),
            also=("BRD101",),
        ),
        passes(
            "the shuffle takes in the card that left the board, and not the board",
            _early_river().reshuffle("stub", "board").board("4d").checks_around().win(1).script(),
            also=("BRD101",),
        ),
        passes(
            "the river was in time, and its betting follows",
            Scene().opened().limp().flop().checks_around().turn().checks_around().river().checks_around().win(1).script(),
        ),
    ),
)  # fmt: skip

RULES = (FLOP_REDEALT_WRONGLY, TURN_FIXED_WRONGLY, RIVER_FIXED_WRONGLY)
_CODES = frozenset(rule.code for rule in RULES)
