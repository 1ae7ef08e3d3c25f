"""BRD102 and BRD103: too many or too few board cards."""

from __future__ import annotations

from auditor.cards import spoken
from auditor.events import BoardDealt, CardBurned, HandEnded, PlayerActed, face
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import board
from auditor.table.table import Table


def _surplus(table: Table, event: BoardDealt) -> tuple[int, int] | None:
    """The street, and how many of the cards are too many for it; None where the count is right."""
    hand = table.hand
    if event.rabbit or event.board != 1:
        return None
    turned = board.read(hand, event)
    too_many = len(event.cards) - turned.due
    return (turned.street, too_many) if too_many > 0 else None


def _flop(table: Table, event: BoardDealt) -> list[Hit] | None:
    surplus = _surplus(table, event)
    if surplus is None or surplus[0] != 1:
        return None
    cards = tuple(face(item) for item in event.cards)
    return [
        Hit(
            f"The flop has {3 + surplus[1]} cards: {', '.join(map(spoken, (*table.hand.board, *cards)))}.",
            cards=(*table.hand.board, *cards),
        )
    ]


def _later_street(table: Table, event: BoardDealt) -> list[Hit] | None:
    surplus = _surplus(table, event)
    if surplus is None or surplus[0] == 1:
        return None
    cards = tuple(face(item) for item in event.cards)
    street = table.hand.game.streets[surplus[0]].name
    return [Hit(f"The {street} has {1 + surplus[1]} cards: {', '.join(map(spoken, cards))}.", cards=cards)]


def _short(table: Table, event: PlayerActed | CardBurned | HandEnded) -> list[Hit] | None:
    hand = table.hand
    if not hand.street or hand.gap or not board.is_short(hand):
        return None
    if isinstance(event, HandEnded) and not hand.awarded:
        return None  # a deal that was stopped owes no card
    lying = len(hand.board)
    return [
        Hit(f"The {hand.street_name} was played with {lying} board cards.", cards=tuple(hand.board)),
    ]


FLOP_TOO_MANY_CARDS = Rule(
    code="BRD102",
    name="flop-too-many-cards",
    severity="major",
    source="Seed B, rule 2",
    what="The flop has more than three cards, even where it is known which one is too many.",
    why="Nobody can say which three cards should have been the flop.",
    prescribes="redeal_flop",
    prescription="The board cards go back, the burn stays, the deck is reshuffled and cut, and a new flop is dealt "
    "with no burn.",
    games=BOARD_GAMES,
    triage="See that the flop was redealt, after a shuffle and a cut, with no burn.",
    false_positives="A feed that reports flop and turn in one event.",
    checks={BoardDealt: _flop},
    examples=lambda: (
        flags(
            "four cards at once",
            Scene().opened().limp().burn().board("As", "7c", "2d", "9h").announce()
            .back("As", "7c", "2d", "9h").reshuffle().board("3c", "3h", "4d").check(1, 2, 3).script(),
        ),
        flags(
            "a fourth card right behind the flop, with no burn between",
            Scene().opened().limp().flop().board("9h").check(1, 2, 3).script(),
        ),
        passes("three cards", Scene().opened().limp().flop().check(1, 2, 3).script()),
        passes("one by one", Scene().opened().limp().burn().board("As").board("7c").board("2d").check(1).script()),
    ),
)  # fmt: skip

WRONG_BOARD_COUNT = Rule(
    code="BRD103",
    name="wrong-board-count",
    severity="major",
    source="Seed B, rules 2 and 7",
    what="The flop has too few cards, or the turn or the river more than one.",
    why="The board decides every hand: one card more or less changes who wins.",
    prescribes="correct_burns",
    prescription="Put right if it is found before betting on the street begins; the cards to come are those that would "
    "have come had there been no error.",
    games=BOARD_GAMES,
    triage="Count the board on camera.",
    false_positives="A feed that reports turn and river in one event.",
    checks={BoardDealt: _later_street, PlayerActed: _short, CardBurned: _short, HandEnded: _short},
    examples=lambda: (
        flags(
            "two cards on the turn",
            Scene().opened().limp().flop().checks_around().burn().board("9h", "9s").check(1, 2, 3).script(),
        ),
        flags(
            "a flop of two cards is played",
            Scene().opened().limp().burn().board("9h", "9s").check(1, 2, 3).script(),
        ),
        passes(
            "one card each on turn and river",
            Scene().opened().limp().flop().checks_around().turn().checks_around().river().checks_around().win(1).script(),
        ),
        passes(
            "the flop is lost in a gap",
            Scene(2).opened().limp().flop().check(1, 2).turn().check(1, 2).lose(12).script(),
            also=("FEED101",),
        ),
        passes(
            "the third flop card is turned late, but before any action",
            Scene().opened().limp().burn().board("9h", "9s").board("2c").check(1, 2, 3).script(),
        ),
    ),
)  # fmt: skip

RULES = (FLOP_TOO_MANY_CARDS, WRONG_BOARD_COUNT)
