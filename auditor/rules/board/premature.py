"""BRD101: a board card turned before the betting round is complete."""

from __future__ import annotations

from auditor.cards import spoken
from auditor.events import BoardDealt, Prescription, face
from auditor.games import BOARD_GAMES
from auditor.phrases import seats_spoken
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import board
from auditor.table.table import Table

_REPAIR: dict[str, Prescription] = {"flop": "redeal_flop", "turn": "fix_turn", "river": "fix_river"}


def _turned(table: Table, event: BoardDealt) -> list[Hit] | None:
    hand = table.hand
    if event.board != 1 or board.is_for_curiosity(hand, event):
        return None
    turned = board.read(hand, event)
    if not turned.premature:
        return None
    street = hand.game.streets[turned.street].name
    cards = tuple(face(item) for item in event.cards)
    waiting = tuple(seat for seat in hand.sorted_seats if seat in hand.pending)
    owed = f"{seats_spoken(waiting)} still had to act" if waiting else "the street before was not dealt"
    return [
        Hit(
            f"The {street} ({', '.join(spoken(card) for card in cards)}) was turned before the betting round was "
            f"complete: {owed}. It does not play.",
            seats=waiting,
            cards=cards,
            prescribed=_REPAIR.get(street),
        )
    ]


PREMATURE_CARD = Rule(
    code="BRD101",
    name="premature-card",
    severity="critical",
    source="Seed B, rule 5; seed A, irregularities 15",
    what="A board card is turned before the betting round is complete.",
    why="Whoever still had to act has seen a card that nobody should have seen. It does not play, even if all later "
    "players fold, and nobody may accept or refuse it.",
    prescribes="redeal_flop",
    prescription="The betting is completed; then a flop is redealt, a turn or a river repaired in its own way "
    "(redeal_flop, fix_turn, fix_river).",
    observes=frozenset({"betting"}),
    games=BOARD_GAMES,
    triage="See who had still to act, and what they did after they had seen the card. Did the card stay?",
    false_positives="An action that the feed never reported.",
    checks={BoardDealt: _turned},
    examples=lambda: (
        flags(
            "the flop comes before the big blind has acted",
            Scene().opened().call(3, 1).premature("As", "7c", "2d").check(2)
            .back("As", "7c", "2d").reshuffle().board("9c", "3h", "4d").check(1, 2, 3).script(),
        ),
        flags(
            "the turn comes while a player faces a bet",
            Scene().opened().limp().flop().raise_to(1, 200).call(2).premature("As").call(3)
            .back("As", to="set_aside").turn().check(1, 2, 3).script(),
        ),
        flags(
            "the last player is passed, and nobody notices: one incident",
            Scene(4).opened().limp().flop().check(1, 2, 3).turn().checks_around().river().checks_around().win(1)
            .script(),
            also=("RUL106",),
        ),
        flags(
            "heads-up too",
            Scene(2).opened().limp().flop().check(1).turn().checks_around().river().checks_around().win(1).script(),
            also=("RUL106",),
        ),
        flags(
            "a player acts on the premature turn, and then it is noticed that another one was passed",
            Scene().opened().limp().flop().check(1, 2).premature("As").check(1).announce().check(3)
            .back("As", to="set_aside").turn().check(1, 2, 3).script(),
        ),
        passes(
            "everybody is all-in: the board runs out",
            Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().turn().river().win(1).script(),
        ),
        passes(
            "cards shown for curiosity after the award",
            Scene().opened().walk(end=False).board("As", "7c", "2d", rabbit=True).end().script(),
        ),
        passes(
            "a bomb pot on two boards: nobody bets before the flop",
            Scene().start(bomb_pot=True).post(1, "ante", 200).post(2, "ante", 200).post(3, "ante", 200).deal().flop()
            .board("2c", "3c", "4c", board=2).checks_around().turn().board("7d", board=2).raise_to(1, 300).call(2)
            .fold(3).river().board("9h", board=2).check(1, 2).award(1, 600).award(2, 600).end().script(),
        ),
        flags(
            "a bomb pot: the turn comes while a player faces a bet",
            Scene().start(bomb_pot=True).post(1, "ante", 200).post(2, "ante", 200).post(3, "ante", 200).deal().flop()
            .raise_to(1, 200).call(2).premature("As").call(3).back("As", to="set_aside").turn().check(1, 2, 3)
            .script(),
        ),
        passes(
            "the board is run twice",
            Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().turn().river()
            .burn().board("2s", board=2).burn().board("3s", board=2).win(1).script(),
        ),
        passes(
            "a feed that does not see the betting",
            Scene(observes=tuple(c for c in EVERYTHING if c != "betting")).opened().flop().turn().river()
            .award(1).end().script(),
        ),
        passes("the flop is turned card by card", Scene().opened().limp().burn().board("As").board("7c").board("2d")
               .check(1, 2, 3).script()),
    ),
)  # fmt: skip

RULES = (PREMATURE_CARD,)
