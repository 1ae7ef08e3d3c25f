"""RUL106: the card that came too early stayed on the board."""

from __future__ import annotations

from auditor.cards import spoken
from auditor.events import BoardDealt, CardsReleased, face
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, OnceStirred, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import board
from auditor.table.board import PrematurePlayed
from auditor.table.hand import Hand, Irregularity
from auditor.table.table import Table


def _played(table: Table, moment: PrematurePlayed) -> list[Hit] | None:
    hand = table.hand
    return [_hit(hand, premature.cards, premature.seq, moment.seq) for premature in hand.premature]


def _put_back(table: Table, event: BoardDealt) -> list[Hit] | None:
    """The cards that came too early were set aside, and are laid on the board again."""
    hand = table.hand
    if hand.repair is None or not board.is_put_back(hand, event):
        return None
    cards = tuple(face(item) for item in event.cards)
    return [_hit(hand, cards, hand.repair.seq, event.seq)] if _turned_early(hand, cards) is not None else None


def _hit(hand: Hand, cards: tuple[str, ...], before: int, seq: int) -> Hit:
    cause = _turned_early(hand, cards)
    return Hit(
        f"The hand went on with the {', '.join(map(spoken, cards))}, turned before the betting was complete.",
        cards=cards,
        evidence=(before, seq),
        prescribed=cause.prescribed if cause else None,
        cause=cause.incident if cause else None,
    )


def _turned_early(hand: Hand, cards: tuple[str, ...]) -> Irregularity | None:
    """The finding on these cards: there may be one for each street."""
    return next((i for i in reversed(hand.irregularities) if i.code == "BRD101" and set(i.cards) >= set(cards)), None)


PREMATURE_CARD_PLAYED = Rule(
    code="RUL106",
    name="premature-card-played",
    severity="critical",
    source="Seed B, rule 5",
    what="A board card that was turned before the betting round was complete stayed on the board, or was set aside and "
    "laid there again. While somebody still owes an action it may be taken off yet, until the pot is awarded.",
    why="A card that must not play decided the hand.",
    prescribes="redeal_flop",
    prescription="The card does not play: a flop is redealt, a turn or river repaired, after the betting is completed.",
    observes=frozenset({"betting"}),
    games=BOARD_GAMES,
    triage="Who won with the card, and would have lost without it?",
    false_positives="A card that was taken off the board without the feed seeing it.",
    checks={PrematurePlayed: _played, OnceStirred(BoardDealt): _put_back},
    examples=lambda: (
        flags(
            "the premature flop is played",
            Scene().opened().call(3, 1).premature("As", "7c", "2d").check(2).check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "the premature river stays, and the hand goes to the showdown",
            Scene(2).opened().limp().flop().checks_around().turn().check(1).premature("As").check(2).win(1).script(),
            also=("BRD101",),
        ),
        flags(
            "the premature flop is played, and a bet on it is not measured by those before the flop",
            Scene().opened().raise_to(3, 600).call(1).premature("As", "7c", "2d").call(2).new_street()
            .raise_to(1, 100).call(2, 3).script(),
            also=("BRD101",),
        ),
        flags(
            "a premature flop is redealt; the premature turn behind it is played",
            Scene().opened().call(3, 1).premature("As", "7c", "2d").announce().check(2).back("As", "7c", "2d")
            .reshuffle().board("9c", "3h", "4d").check(1, 2).premature("Ks").check(3).check(1, 2, 3).script(),
            also=("BRD101", "BRD101"),
        ),
        flags(
            "nobody comes back to the player who was passed, and the pot is won with the card",
            Scene(2).opened().limp().flop().check(1).premature("As").win(1).script(),
            also=("BRD101",),
        ),
        flags(
            "the premature turn is set aside, and laid on the board again",
            Scene().opened().limp().flop().check(1, 2).premature("As").announce().check(3).rule("card_stands")
            .back("As", to="set_aside").board("As").checks_around().river().checks_around().win(1).script(),
            also=("BRD101",),
        ),
        passes(
            "the premature turn is set aside and, shuffled in, comes as the river",
            Scene().opened().limp().flop().check(1, 2).premature("As").announce().check(3).rule("fix_turn")
            .back("As", to="set_aside").turn().checks_around().reshuffle("stub", "set_aside").board("As")
            .checks_around().win(1).script(),
            also=("BRD101",),
        ),
        passes(
            "everybody but one threw the cards away, and the feed did not see the folds",
            Scene(2).opened().limp().flop().check(1).premature("As")
            .add(CardsReleased, seat=2, manner="muck").win(1).script(),
            also=("BRD101",),
        ),
        flags(
            "only one card of the premature flop is replaced",
            Scene().opened().call(3, 1).premature("As", "7c", "2d").check(2).back("As").reshuffle().board("9c")
            .check(1, 2, 3).turn().check(1).script(),
            also=("BRD101",),
        ),
        passes(
            "the premature flop goes back, and a new one is dealt",
            Scene().opened().call(3, 1).premature("As", "7c", "2d").check(2)
            .back("As", "7c", "2d").reshuffle().board("9c", "3h", "4d").check(1, 2, 3).script(),
            also=("BRD101",),
        ),
        passes(
            "everybody folds: the card decided nothing",
            Scene().opened().raise_to(3, 300).fold(1).premature("As", "7c", "2d").fold(2).win(3).script(),
            also=("BRD101",),
        ),
    ),
)  # fmt: skip

RULES = (PREMATURE_CARD_PLAYED,)
