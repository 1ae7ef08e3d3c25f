"""BTN106: the bring-in was posted by another seat than the rules say."""

from __future__ import annotations

from auditor.cards import RANKS, SUITS, is_face, spoken
from auditor.events import CardDealt, ForcedBetPosted
from auditor.games import GAMES
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Hand
from auditor.table.table import Table

_STUD_GAMES = frozenset(name for name, game in GAMES.items() if not game.button)
#: With an ace that counts low, the king is the highest card.
_ACE_LOW = "A" + RANKS[:-1]


def _posted(table: Table, event: ForcedBetPosted) -> list[Hit] | None:
    if event.kind != "bring_in":
        return None
    hand = table.hand
    up = _upcards(hand)
    if event.seat not in up:
        return None
    high = hand.game.name == "razz"
    ranks = _ACE_LOW if high else RANKS
    ordered = sorted(up, key=lambda seat: (ranks.index(up[seat][0]), SUITS.index(up[seat][1])), reverse=high)
    due = ordered[0]
    if event.seat == due or due in hand.all_in:
        return None  # a player without chips brings nothing in: it passes on
    which = "highest" if high else "lowest"
    return [
        Hit(
            f"Seat {event.seat} brought it in with the {spoken(up[event.seat])}; the {which} card, the "
            f"{spoken(up[due])}, is on seat {due}.",
            seats=(event.seat, due),
            cards=(up[event.seat], up[due]),
        )
    ]


def _upcards(hand: Hand) -> dict[int, str]:
    """Each seat's upcard; empty where one was not read, or the deal is not the usual one."""
    up = {dealt.seat: dealt.card for dealt in hand.deal if dealt.face == "up"}
    usual = len(up) == sum(dealt.face == "up" for dealt in hand.deal) and up.keys() == hand.entitled
    return up if usual and not hand.replaced and all(map(is_face, up.values())) else {}


def _stud(*upcards: str, bring_in: int, game: str = "stud", short: dict[int, int] | None = None) -> Scene:
    scene = Scene(len(upcards), game=game, betting="limit", short=short).start()
    for seat in scene.players:
        scene.post(seat, "ante", 10)
    for _ in range(2):
        for seat in scene.players:
            scene.card(seat)
    for seat, card in zip(scene.players, upcards, strict=True):
        scene.add(CardDealt, seat=seat, card=card, face="up", back="red")
    return scene.post(bring_in, "bring_in", 30)


WRONG_BRING_IN = Rule(
    code="BTN106",
    name="wrong-bring-in",
    severity="major",
    source="+",
    what="In stud games, the bring-in was posted by another seat than the one with the lowest upcard (an ace is high; "
    "clubs are lowest, then diamonds, hearts, spades). In razz it is the highest upcard (an ace is low). Where a card "
    "was not read, or dealt otherwise than usual, nobody can say.",
    why="A player pays for a hand in another's place, and the order of action is another.",
    prescription="None prescribed: put right before the next player acts, otherwise the hand is played.",
    triage="Look at the upcards: was one misread?",
    false_positives="An upcard that the reader misread; a house that orders the suits otherwise.",
    observes=frozenset({"hole_cards", "betting"}),
    games=_STUD_GAMES,
    checks={ForcedBetPosted: _posted},
    examples=lambda: (
        flags("the deuce of spades, with the deuce of clubs on another seat",
              _stud("2s", "2c", "Kd", bring_in=1).script()),
        flags("an ace is high", _stud("Ac", "3d", "Kd", bring_in=1).script()),
        flags("razz: the queen, with a king on another seat",
              _stud("Qs", "3d", "Kd", bring_in=1, game="razz").script()),
        flags(
            "it is put right, and the round goes on from there",
            _stud("2s", "2c", "Kd", bring_in=1).refund_to(1, 30, "correction").post(2, "bring_in", 30)
            .act(3, "call", 30).act(1, "call", 30).card(1, face="up").card(2, face="up").card(3, face="up").script(),
        ),
        passes("the lowest card", _stud("2s", "2c", "Kd", bring_in=2).script()),
        passes("razz: the highest card, for an ace is low", _stud("As", "3d", "Kd", bring_in=3, game="razz").script()),
        passes("the lowest card's player put the last chips into the ante",
               _stud("2s", "3c", "Kd", bring_in=2, short={1: 10}).script()),
        passes("a card that was not read", _stud("2s", "??", "Kd", bring_in=1).script()),
    ),
)  # fmt: skip

RULES = (WRONG_BRING_IN,)
