"""SHF103, SHF104 and SHF105: how the deck is shuffled and cut."""

from __future__ import annotations

from typing import Any

from auditor.events import DeckCut, DeckShuffled
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import deck
from auditor.table.preparation import UNNAMED, Riffles, shuffled_by_player
from auditor.table.shape import DealSettled
from auditor.table.table import Table


def _seats(event: DeckShuffled | DeckCut) -> tuple[int, ...]:
    return () if event.seat is None else (event.seat,)


def _by_player(table: Table, event: DeckShuffled | DeckCut) -> bool:
    """A player did it; where nobody says who, whoever made the last shuffle tells what kind of game it is."""
    by_player = shuffled_by_player(event)
    return table.memory.preparation.by_player if by_player is None else by_player


def _few_riffles(table: Table, event: DeckCut | DealSettled) -> list[Hit] | None:
    """At the cut, or where nobody cuts, when the deck was dealt: a shuffle may be reported in parts until then."""
    made = table.memory.preparation
    if not made.riffles:
        return None
    least = table.memory.house.least_riffles
    decks = made.riffles if isinstance(event, DeckCut) else (made.deck, UNNAMED)
    found = [made.riffles[named] for named in decks if named in made.riffles]
    return [_short_of(least, riffles) for riffles in found if riffles.count < least]


def _few_within_hand(table: Table, event: DeckShuffled) -> list[Hit] | None:
    """The deck is shuffled again in the middle of a hand."""
    if event.hand_id is None or event.riffles is None or deck.is_prepared(table.hand, event):
        return None
    least = table.memory.house.least_riffles
    if event.riffles >= least or not _by_player(table, event):
        return None
    return [_short_of(least, Riffles(event.riffles, event.seat, event.seq, event.at))]


def _short_of(least: int, riffles: Riffles) -> Hit:
    times = "once" if riffles.count == 1 else f"{riffles.count} times"
    return Hit(
        f"The deck was riffled {times}; at least {least} riffles are called for.",
        seats=() if riffles.seat is None else (riffles.seat,),
        seq=riffles.seq,
        at=riffles.at,
    )


def _shallow(table: Table, event: DeckCut) -> list[Hit] | None:
    least = table.memory.house.least_packet
    if not event.packets or min(event.packets) >= least or not _by_player(table, event):
        return None
    packets = " and ".join(map(str, event.packets))
    return [
        Hit(f"The deck was cut into {packets} cards; at least {least} must lie in each packet.", seats=_seats(event))
    ]


def _unprotected(table: Table, event: DeckCut) -> list[Hit] | None:
    if event.cut_card is not False or not _by_player(table, event):
        return None
    return [
        Hit("The deck was cut without a cut card: its bottom card may be seen during the deal.", seats=_seats(event))
    ]


def _shuffled(riffles: int, **fields: Any) -> Scene:
    made = {"by": "player", "seat": 1, **fields}
    return Scene().add(DeckShuffled, hand_id=None, riffles=riffles, **made)


def _cut(**fields: Any) -> Scene:
    return _shuffled(4).add(DeckCut, hand_id=None, **{"by": "player", "seat": 3, **fields})


TOO_FEW_RIFFLES = Rule(
    code="SHF103",
    name="too-few-riffles",
    severity="minor",
    source="Seed A, shuffle and cut, 2",
    what="A player shuffled the deck with fewer than four riffles, or what the house calls for, until it was cut or "
    "dealt. A dealer of the house and a machine have procedures of their own.",
    why="Cards of the last hand stay together.",
    prescription="None prescribed. A complaint must be made before the player looks at the hand or the betting begins.",
    triage="Once, or whenever this player shuffles?",
    false_positives="A camera that misses a riffle.",
    checks={DeckCut: _few_riffles, DealSettled: _few_riffles, DeckShuffled: _few_within_hand},
    examples=lambda: (
        flags("three riffles", _shuffled(3).opened().walk().script()),
        flags("four, where the house calls for seven", Scene(house={"least_riffles": 7})
              .add(DeckShuffled, hand_id=None, riffles=4, by="player", seat=1).opened().walk().script()),
        flags("three riffles, and a cut", _shuffled(3).add(DeckCut, hand_id=None, by="player", seat=3).opened().walk()
              .script()),
        flags("three riffles of a deck that is shuffled again in the middle of a hand", _shuffled(4).opened().limp()
              .burn().board("As", "7c", "2d", "9h").back("As", "7c", "2d", "9h")
              .add(DeckShuffled, by="player", seat=1, riffles=3).add(DeckCut, by="player", seat=3)
              .board("3c", "3h", "4d").check(1, 2, 3).script(), also=("BRD102",)),
        passes("two and two again", _shuffled(2).add(DeckShuffled, hand_id=None, riffles=2, by="player", seat=1)
               .opened().walk().script()),
        passes("a machine shuffles it after all", _shuffled(2).add(DeckShuffled, hand_id=None, by="machine")
               .opened().walk().script()),
        passes("four riffles", _shuffled(4).opened().walk().script()),
        passes("a dealer of the house", _shuffled(3, by="dealer", seat=None).opened().walk().script()),
        passes("a machine does not riffle", _shuffled(0, by="machine", seat=None).opened().walk().script()),
        passes("nobody says who shuffled", _shuffled(3, by=None, seat=None).opened().walk().script()),
    ),
)  # fmt: skip

SHALLOW_CUT = Rule(
    code="SHF104",
    name="shallow-cut",
    severity="major",
    source="Seed A, shuffle and cut, 2",
    what="A player's cut leaves fewer than four cards in a packet, or than what the house calls for.",
    why="A cut of a card or two changes next to nothing: a stacked deck stays stacked.",
    prescription="None prescribed: the cut is made again. A complaint must be made before the player looks at the hand "
    "or the betting begins.",
    triage="Who shuffled, and who won?",
    false_positives="A camera that counts the cards of a packet by its height.",
    checks={DeckCut: _shallow},
    examples=lambda: (
        flags("three cards off the top", _cut(packets=(3, 49)).opened().walk().script()),
        flags("all but two", _cut(packets=(50, 2)).opened().walk().script()),
        passes("four cards off the top", _cut(packets=(4, 48)).opened().walk().script()),
        passes("the packets were not counted", _cut().opened().walk().script()),
        passes("a dealer of the house", _cut(packets=(3, 49), by="dealer", seat=None).opened().walk().script()),
    ),
)  # fmt: skip

BOTTOM_UNPROTECTED = Rule(
    code="SHF105",
    name="bottom-unprotected",
    severity="minor",
    source="Seed A, shuffle and cut, 3",
    what="A player cut the deck without a cut card. A joker may serve as one.",
    why="Whoever sees the bottom card knows one that nobody else does.",
    prescription="None prescribed: a cut card is put under the deck.",
    triage="From which seats can the bottom be seen?",
    false_positives="A feed that does not know a joker for a cut card.",
    checks={DeckCut: _unprotected},
    examples=lambda: (
        flags("no cut card", _cut(cut_card=False).opened().walk().script()),
        passes("a cut card", _cut(cut_card=True).opened().walk().script()),
        passes("nobody says whether there was one", _cut().opened().walk().script()),
        passes("a dealer of the house", _cut(cut_card=False, by="dealer", seat=None).opened().walk().script()),
    ),
)  # fmt: skip

RULES = (TOO_FEW_RIFFLES, SHALLOW_CUT, BOTTOM_UNPROTECTED)
