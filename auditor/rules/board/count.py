"""BRD102 and BRD103: too many or too few board cards."""

from __future__ import annotations

from auditor.cards import spoken
from auditor.events import BoardDealt, CardBurned, HandEnded, PlayerActed, SeenCard, face
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import board, deck
from auditor.table.hand import Hand
from auditor.table.table import Table


def _surplus(table: Table, event: BoardDealt) -> tuple[int, int] | None:
    """The street, and how many of the cards are too many for it; None where the count is right."""
    hand = table.hand
    if board.is_for_curiosity(hand, event):
        return None
    if event.board != 1:
        return _surplus_of_another(hand, event)
    turned = board.read(hand, event)
    too_many = len(event.cards) - turned.due
    if too_many > 0:
        too_many -= len(deck.scraps(hand, event.cards))
    return (turned.street, too_many) if too_many > 0 else None


def _surplus_of_another(hand: Hand, event: BoardDealt) -> tuple[int, int] | None:
    """The same of a board besides the first: it may begin with any street, as it is run again from there.

    A feed that sees no burns may tell of several streets at once.
    """
    if "burns" not in hand.observes:
        return None
    lying, count = len(hand.boards.get(event.board, ())), len(event.cards) - len(deck.scraps(hand, event.cards))
    if lying == 0:
        return (1, 1) if count == 4 else None
    return (2 if lying == 3 else 3, count - 1) if lying >= 3 and count > 1 else None


def _flop(table: Table, event: BoardDealt) -> list[Hit] | None:
    surplus = _surplus(table, event)
    if surplus is None or surplus[0] != 1:
        return None
    lying = table.hand.board if event.board == 1 else []
    cards = (*lying, *map(face, event.cards))
    return [Hit(f"The flop{_of(event)} has {3 + surplus[1]} cards: {', '.join(map(spoken, cards))}.", cards=cards)]


def _later_street(table: Table, event: BoardDealt) -> list[Hit] | None:
    surplus = _surplus(table, event)
    if surplus is None or surplus[0] == 1:
        return None
    hand, street = table.hand, surplus[0]
    lying = len(hand.board) - hand.surplus - hand.game.board_through[street - 1] if event.board == 1 else 0
    cards = (*hand.board[len(hand.board) - max(0, lying) :], *map(face, event.cards))  # all of this street
    street_name = f"{hand.game.streets[street].name}{_of(event)}"
    return [Hit(f"The {street_name} has {1 + surplus[1]} cards: {', '.join(map(spoken, cards))}.", cards=cards)]


def _of(event: BoardDealt) -> str:
    return "" if event.board == 1 else f" of board {event.board}"


def _short(table: Table, event: PlayerActed | CardBurned | HandEnded) -> list[Hit] | None:
    hand = table.hand
    if not hand.street or hand.gap or hand.scraps or not board.is_short(hand):
        return None  # a scrap of paper that nothing replaced is told as such
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
        passes(
            "a boxed card among four: it is a scrap of paper, and the fourth takes its place",
            Scene().opened().limp().burn().board("As", SeenCard(card="9h", boxed=True), "7c", "2d")
            .back("9h", to="set_aside").checks_around().turn().checks_around().river().checks_around().win(1).script(),
            also=("DCK104",),
        ),
        passes(
            "a joker on the flop stays there, and the next card comes beside it",
            Scene().opened().limp().burn().board("As", "Jk", "2d").board("7c").checks_around().turn().checks_around()
            .river().checks_around().win(1).script(),
            also=("DCK105",),
        ),
        flags(
            "four cards and a joker",
            Scene().opened().limp().burn().board("As", "7c", "2d", "9h", "Jk").check(1, 2, 3).script(),
            also=("DCK105",),
        ),
        flags(
            "the board is run twice, with four cards on the second flop",
            Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().turn().river().burn()
            .board("2c", "3c", "4c", "7d", board=2).burn().board("9h", board=2).script(),
        ),
        passes(
            "a whole board shown for curiosity after the award, and not reported as that",
            Scene().opened().walk(end=False).board("As", "7c", "2d", "9h", "4d").end().script(),
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
        flags(
            "the third flop card is laid after a check: the streets to come are counted from there",
            Scene().opened().limp().burn().board("9h", "9s").check(1).announce().board("2c").check(2, 3).turn()
            .checks_around().river().check(1).script(),
        ),
        flags(
            "the board is run twice, with two cards on the second turn",
            Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().turn().river().burn()
            .board("2c", "3c", "4c", board=2).burn().board("9h", "7d", board=2).script(),
        ),
        passes(
            "all-in, an unburned turn is put right behind the river: both streets are dealt again",
            Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().board("9h").burn("Kd").board("4d")
            .announce().back("9h", to="burn").back("4d").back("Kd", origin="burn").board("Kd").burn("4d").board("3c")
            .win(1).script(),
            also=("BRD104",),
        ),
        passes(
            "one card each on turn and river",
            Scene().opened().limp().flop().checks_around().turn().checks_around().river().checks_around().win(1).script(),
        ),
        passes(
            "a boxed card on the turn, and the next one in its place",
            Scene().opened().limp().flop().checks_around().burn().board(SeenCard(card="9h", boxed=True), "9s")
            .checks_around().river().checks_around().win(1).script(),
            also=("DCK104",),
        ),
        passes(
            "a boxed card on the turn is played: that is told once",
            Scene().opened().limp().flop().checks_around().burn().board(SeenCard(card="9h", boxed=True))
            .checks_around().river().checks_around().win(1).script(),
            also=("DCK104",),
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
