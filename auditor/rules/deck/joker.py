"""DCK106: a hand with a joker in it is played."""

from __future__ import annotations

from auditor.cards import JOKER
from auditor.events import CardsShown, PlayerActed, face
from auditor.rules.rule import Hit, OnceStirred, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import dead
from auditor.table.hand import Hand, Irregularity
from auditor.table.table import Table

_NAMES_IT = (None, "DCK105", "DCK106", "HND105")


def _acted(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand = table.hand
    if event.action == "fold":
        return None
    found = dead.told(hand, "DCK105", event.seat)
    if found is None or not _holds(hand, event.seat) or _called(hand, found):
        return None
    return _hit(hand, event.seat, f"acted ({event.action}) on a hand that holds a joker", found)


def _holds(hand: Hand, seat: int) -> bool:
    """The joker is still a card of the hand: no other has come in its place."""
    held = hand.holding.get(seat, [])
    jokers = held.count(JOKER)
    return jokers > 0 and len(held) - jokers < hand.game.starting_cards


def _called(hand: Hand, found: Irregularity) -> bool:
    return any(a.seq > found.seq and a.rule in _NAMES_IT for a in hand.attentions)


def _shown(table: Table, event: CardsShown) -> list[Hit] | None:
    hand = table.hand
    if hand.jokers or not hand.actions or event.seat not in hand.live:
        return None
    if all(face(item) != JOKER for item in event.cards):
        return None
    found = dead.told(hand, "DCK105", event.seat)
    if found is not None and (not _holds(hand, event.seat) or _called(hand, found)):
        return None
    return _hit(hand, event.seat, "shows a joker, and had played the hand", found)


def _hit(hand: Hand, seat: int, did: str, found: Irregularity | None) -> list[Hit] | None:
    if dead.told(hand, "DCK106", seat):
        return None
    return [
        Hit(
            f"Seat {seat} {did}: nobody called attention to it, and the hand is dead.",
            seats=(seat,),
            cards=(JOKER,),
            cause=found.incident if found else None,
        )
    ]


JOKER_PLAYED = Rule(
    code="DCK106",
    name="joker-played",
    severity="major",
    source="Seed A, irregularities and dead hands; seed C, e",
    what="A player acted on a hand that holds a joker, in a game that uses none, without calling attention to it.",
    why="Whoever plays without looking at the cards answers for what is among them.",
    prescribes="hand_dead",
    prescription="The hand is dead.",
    also_known_as=("HND105",),
    triage="See on camera whether the player had looked at the cards. Did the hand win anything?",
    false_positives="A joker that was replaced, and the feed did not report it.",
    checks={OnceStirred(PlayerActed): _acted, CardsShown: _shown},
    examples=lambda: (
        flags(
            "a player raises with a joker",
            Scene().start().blinds().deal({3: "Jk Kd"}).raise_to(3, 300).call(1, 2).script(),
            also=("DCK105",),
        ),
        flags(
            "a joker that nobody had read is shown at the end",
            Scene(2).start().blinds().deal({1: "?? ??"}).limp().flop().checks_around().turn().checks_around().river()
            .checks_around().show(1, "Jk Kd").win(2).script(),
        ),
        passes(
            "the joker is replaced before its player acts",
            Scene().start().blinds().deal({3: "Jk Kd"}).announce(seat=3, card="Jk").card(3, replaces="Jk")
            .raise_to(3, 300).call(1, 2).script(),
            also=("DCK105",),
        ),
        passes(
            "the next card came in its place, and nothing was said of the joker",
            Scene().start().blinds().card(1).card(2).card(3, "Jk").card(3).card(1).card(2).card(3)
            .raise_to(3, 300).call(1, 2).script(),
            also=("DCK105",),
        ),
        passes(
            "the player calls attention to it first",
            Scene().start().blinds().deal({3: "Jk Kd"}).announce(seat=3).call(3).card(3, replaces="Jk").call(1)
            .check(2).script(),
            also=("DCK105",),
        ),
        passes(
            "the hand is folded",
            Scene().start().blinds().deal({3: "Jk Kd"}).fold(3).call(1).check(2).script(),
            also=("DCK105",),
        ),
    ),
)  # fmt: skip

RULES = (JOKER_PLAYED,)
