"""HND102, HND103 and HND107: cards that leave their player's hand and make it dead.

HND101, the ordinary fold, is no finding: it makes the hand dead, and that is all.
"""

from __future__ import annotations

from auditor.events import CardsReleased, CardsRetrieved, PlayerActed
from auditor.games import ALL_GAMES, GAMES
from auditor.rules.rule import Hit, OnceStirred, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import dead
from auditor.table.table import Table

_STUD_GAMES = frozenset(name for name in ALL_GAMES if GAMES[name].streets[0].up)


def _acted_behind(table: Table, event: PlayerActed) -> list[Hit] | None:
    hand = table.hand
    if not hand.released:
        return None
    return [
        Hit(
            f"Seat {seat} threw its cards forward without folding, and seat {event.seat} acted behind it: the hand of "
            f"seat {seat} is dead.",
            seats=(seat,),
            evidence=(release.seq, event.seq),
        )
        for seat, release in hand.released.items()
        if seat != event.seat and dead.throws_away(hand, seat, release) and dead.is_behind(hand, event.seat, release)
    ]


def _upcards(table: Table, event: CardsReleased) -> list[Hit] | None:
    if not dead.abandons_upcards(table.hand, event):
        return None
    did = {
        "picked_up_upcards": "picked the upcards off the table",
        "turned_down_upcards": "turned the upcards face down",
    }.get(event.manner, "mixed the upcards with the downcards")
    return [Hit(f"Seat {event.seat}, facing a bet, {did}: the hand is dead.", seats=(event.seat,))]


def _into_other_hand(table: Table, event: CardsReleased) -> list[Hit] | None:
    if event.manner != "into_other_hand":
        return None
    into = "another player's hand" if event.into_seat is None else f"the hand of seat {event.into_seat}"
    seats = (event.seat,) if event.into_seat is None else (event.seat, event.into_seat)
    return [Hit(f"Seat {event.seat} threw its cards into {into}: they are dead, face up or face down.", seats=seats)]


def _thrown(seat: int, manner: str = "forward_motion") -> dict[str, object]:
    return {"seat": seat, "manner": manner}


FORWARD_MOTION_DISCARD = Rule(
    code="HND102",
    name="forward-motion-discard",
    severity="minor",
    source="Seed A, dead hands; seed C, b",
    what="A player threw the hand away in a forward motion, without a fold, and a player behind acted on it in the "
    "same round. Facing a bet or not, the hand is dead. Who had to act first anyway, or opens the next street, is not "
    "behind.",
    why="The player behind acted as if the hand were folded: it may not come back.",
    prescribes="hand_dead",
    prescription="The hand is dead.",
    observes=frozenset({"betting"}),
    triage="See on camera whether the motion could be taken for a fold.",
    false_positives="A fold that the feed did not report.",
    checks={OnceStirred(PlayerActed): _acted_behind},
    examples=lambda: (
        flags(
            "nobody has bet, the cards fly forward, and the next player checks",
            Scene().opened().limp().flop().add(CardsReleased, **_thrown(1)).check(2, 3).turn().check(2, 3)
            .script(),
        ),
        flags(
            "the first player to act throws them forward",
            Scene().opened().add(CardsReleased, **_thrown(3)).call(1).check(2).script(),
        ),
        passes(
            "the player folds, and the cards fly forward",
            Scene().opened().fold(3).add(CardsReleased, **_thrown(3)).call(1).check(2).script(),
        ),
        passes(
            "the cards fly forward, and then the player says fold",
            Scene().opened().add(CardsReleased, **_thrown(3)).fold(3).call(1).check(2).script(),
        ),
        passes(
            "the player takes the cards back before anybody acts behind",
            Scene().opened().limp().flop().add(CardsReleased, **_thrown(1)).check(1, 2, 3).turn().check(1, 2, 3)
            .script(),
        ),
        passes(
            "thrown forward out of turn: those who are ahead of it act, and then it is folded",
            Scene(4).opened().limp().flop().add(CardsReleased, **_thrown(3)).raise_to(1, 300).call(2).fold(3, 4)
            .script(),
        ),
        passes(
            "the big blind throws them forward before the action comes round",
            Scene().opened().add(CardsReleased, **_thrown(2)).call(3, 1).flop().check(1, 3).script(),
        ),
        flags(
            "thrown forward out of turn, and the action passes it",
            Scene(4).opened().limp().flop().add(CardsReleased, **_thrown(3)).check(1, 2, 4).script(),
        ),
        passes(
            "the last to act throws them forward, and the next street comes",
            Scene().opened().limp().flop().raise_to(1, 300).call(2).add(CardsReleased, **_thrown(3)).turn()
            .check(1, 2).script(),
        ),
        flags(
            "the floor lets the hand play: one throw is one finding",
            Scene(4).opened().limp().flop().add(CardsReleased, **_thrown(1)).raise_to(2, 300)
            .rule("play_on", seat=1).fold(3, 4, 1).script(),
            also=("RUL107",),
        ),
        flags(
            "the floor gives it back after false information, and it wins",
            Scene(4).opened().limp().flop().add(CardsReleased, **_thrown(1)).check(2)
            .add(CardsRetrieved, seat=1, by="floor", reason="misinformation").check(1, 3, 4).turn().raise_to(1, 300)
            .fold(2, 3, 4).refund_to(1, 300).award(1, 400).end().script(),
        ),
        passes(
            "a beaten hand is thrown away at the showdown",
            Scene(2).opened().limp().flop().checks_around().turn().checks_around().river().checks_around()
            .show(1, "7c 7d").add(CardsReleased, **_thrown(2)).win(1).script(),
        ),
        passes(
            "a feed that does not see the betting",
            Scene(observes=tuple(c for c in EVERYTHING if c != "betting")).opened().limp().flop()
            .add(CardsReleased, **_thrown(1)).check(2, 3).script(),
        ),
    ),
)  # fmt: skip

UPCARDS_ABANDONED = Rule(
    code="HND103",
    name="upcards-abandoned",
    severity="minor",
    source="Seed A, dead hands; seed C, c",
    what="Stud: a player who faces a bet picked the upcards off the table, turned them face down, or mixed them with "
    "the downcards.",
    why="It is what a player does who folds, and the upcards can no longer be told from the others.",
    prescribes="hand_dead",
    prescription="The hand is dead.",
    games=_STUD_GAMES,
    triage="See that the player took no further part in the hand.",
    false_positives="A fold that the feed reports after the cards left the table.",
    checks={CardsReleased: _upcards},
    examples=lambda: (
        flags(
            "the upcards are picked up in the face of a bet",
            Scene(game="stud", betting="limit").start().deal().post(1, "bring_in", 50)
            .act(2, "complete", 100).add(CardsReleased, **_thrown(3, "picked_up_upcards")).call(1).script(),
        ),
        passes(
            "they are picked up when nothing is to be called",
            Scene(game="stud", betting="limit").start().deal().post(1, "bring_in", 50)
            .act(2, "complete", 100).add(CardsReleased, **_thrown(2, "picked_up_upcards")).call(3).script(),
        ),
        passes(
            "the player folds first",
            Scene(game="stud", betting="limit").start().deal().post(1, "bring_in", 50)
            .act(2, "complete", 100).fold(3).add(CardsReleased, **_thrown(3, "mixed_cards")).call(1).script(),
        ),
    ),
)  # fmt: skip

THROWN_INTO_ANOTHER_HAND = Rule(
    code="HND107",
    name="thrown-into-another-hand",
    severity="major",
    source="Seed A, dead hands; seed C, last paragraph",
    what="A player's cards were thrown into another player's hand.",
    why="Nobody can say any more which cards are whose, and the other hand may be fouled with them.",
    prescribes="hand_dead",
    prescription="The cards that were thrown are dead, face up or face down.",
    triage="Tell the two hands apart on camera. Was the other player's hand protected?",
    false_positives="None known.",
    checks={CardsReleased: _into_other_hand},
    examples=lambda: (
        flags(
            "seat 3 throws its cards into the hand of seat 1",
            Scene().opened().add(CardsReleased, seat=3, manner="into_other_hand", into_seat=1).call(1).check(2)
            .script(),
        ),
        flags(
            "a hand is folded into another one",
            Scene().opened().fold(3).add(CardsReleased, seat=3, manner="into_other_hand", into_seat=1).call(1).check(2)
            .script(),
        ),
        passes(
            "a hand goes into the muck",
            Scene().opened().fold(3).add(CardsReleased, seat=3).call(1).check(2).script(),
        ),
    ),
)  # fmt: skip

RULES = (FORWARD_MOTION_DISCARD, UPCARDS_ABANDONED, THROWN_INTO_ANOTHER_HAND)
