"""HND104: a hand with the wrong number of cards that is played."""

from __future__ import annotations

from auditor.cards import JOKER, UNREAD
from auditor.events import CardsShown, PlayerActed, PotAwarded
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import dead
from auditor.table.hand import Hand
from auditor.table.table import Table

#: What may be behind it, each a finding of its own.
_CAUSES = ("DEAL104", "DEAL105", "DEAL109", "DEAL111")


def _acted(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand = table.hand
    held = hand.holding.get(event.seat)
    if held is None or len(held) == hand.game.starting_cards or event.action == "fold":
        return None
    return _wrong(hand, event.seat, held) if hand.window_closed else None


def _shown(table: Table, event: CardsShown) -> list[Hit] | None:
    hand = table.hand
    return _wrong(hand, event.seat, hand.holding.get(event.seat, [])) if event.seat in hand.live else None


def _awarded(table: Table, event: PotAwarded) -> list[Hit] | None:
    hand = table.hand
    held = hand.holding.get(event.seat, [])
    if len(held) == hand.game.starting_cards or not dead.is_contested(hand, event.seat):
        return None
    return _wrong(hand, event.seat, held)


def _wrong(hand: Hand, seat: int, held: list[str]) -> list[Hit] | None:
    due = hand.game.starting_cards
    if not held or len(held) == due or not _sure(hand, seat, held) or dead.told(hand, "HND104", seat):
        return None
    if len(held) > due >= len(held) - _scraps(hand, seat, held):
        return None  # what is too many is a scrap of paper
    cause = next((i for i in hand.irregularities if i.code in _CAUSES and seat in i.seats), None)
    return [
        Hit(
            f"Seat {seat} plays a hand of {len(held)} cards, where {due} are right: it is dead.",
            seats=(seat,),
            cards=tuple(card for card in held if card != UNREAD),
            confidence="certain" if UNREAD not in held else "likely",
            cause=cause.incident if cause else None,
        )
    ]


def _sure(hand: Hand, seat: int, held: list[str]) -> bool:
    """Whether the count can be trusted: cards that came and went unread leave it open."""
    if UNREAD in held and (seat in hand.returned_from or hand.replaced):
        return False
    if -1 in hand.returned_from:  # a card went back from a seat that nobody named
        return False
    return not any(i.prescribed == "void_action" for i in hand.irregularities)


def _scraps(hand: Hand, seat: int, held: list[str]) -> int:
    boxed = {scrap.card for scrap in hand.boxed if scrap.seat == seat}
    return sum(card in boxed or (card == JOKER and not hand.jokers) for card in held)


def _without_the_last(game: Scene) -> Scene:
    """The deal stops one card early."""
    return game.start().blinds().card(1).card(2).card(3).card(1).card(2)


WRONG_NUMBER_OF_CARDS = Rule(
    code="HND104",
    name="wrong-number-of-cards",
    severity="major",
    source="Seed A, dead hands; seed C, d",
    what="A hand that does not hold the right number of cards for the game is played on when no misdeal can be "
    "declared any more. Stud, lowball and draw have exceptions (stud without the last card may be ruled live, too few "
    "cards before the draw are live): these games are not judged.",
    why="A player with a card more has the better of every other hand; the rules make no difference for one too few.",
    prescribes="hand_dead",
    prescription="The hand is dead. Before two players have acted, the deal itself is put right or a misdeal.",
    observes=frozenset({"hole_cards"}),
    games=BOARD_GAMES,
    triage="Count the player's cards on camera. Did the player look at them before acting?",
    false_positives="A card that a reader missed, or reported at two seats.",
    checks={PlayerActed: _acted, CardsShown: _shown, PotAwarded: _awarded},
    examples=lambda: (
        flags(
            "a hand of one card is played on the flop",
            _without_the_last(Scene()).call(3, 1).check(2).flop().check(1, 2, 3).script(),
            also=("DEAL105",),
        ),
        flags(
            "an extra card was never taken back",
            Scene().opened().card(1, "As").limp().flop().check(1, 2, 3).script(),
            also=("DEAL111",),
        ),
        passes(
            "the hand of one card is given up",
            _without_the_last(Scene()).call(3, 1).check(2).flop().check(1, 2).fold(3).script(),
            also=("DEAL105",),
        ),
        passes(
            "the extra card is taken back as the burn",
            Scene().opened().card(1, "As").back("As", origin="seat", seat=1, to="burn").limp().burn("As")
            .board("2c", "3c", "4c").check(1, 2, 3).script(),
            also=("DEAL111",),
        ),
        passes(
            "an exposed card is replaced, and nobody read the others",
            Scene().start().blinds().card(1, "??").card(2, "??").card(3, "??")
            .card(1, "As", exposed_by="dealer").card(2, "??").card(3, "??").card(1, "??", replaces="As")
            .back("As", origin="seat", seat=1, to="burn").limp().burn("As").board("2c", "3c", "4c").check(1, 2, 3)
            .script(),
            also=("DEAL112",),
        ),
        passes("everybody has two", Scene().opened().limp().flop().check(1, 2, 3).script()),
        passes(
            "a feed that does not see every hole card",
            _without_the_last(Scene(observes=tuple(c for c in EVERYTHING if c != "hole_cards"))).call(3, 1).check(2)
            .flop().check(1, 2, 3).script(),
        ),
    ),
)  # fmt: skip

RULES = (WRONG_NUMBER_OF_CARDS,)
