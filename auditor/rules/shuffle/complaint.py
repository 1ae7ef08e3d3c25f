"""SHF108: a complaint about the preparation of the deck that comes too late."""

from __future__ import annotations

from auditor.events import DeckCut, DeckShuffled, IrregularityAnnounced
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Hand
from auditor.table.table import Table


def _announced(table: Table, event: IrregularityAnnounced) -> list[Hit] | None:
    hand = table.hand
    if event.hand_id is None or event.rule is None or not event.rule.startswith("SHF"):
        return None
    if event.by not in ("player", None) or not (event.looked or _betting_began(hand)):
        return None
    who = "A player" if event.seat is None else f"Seat {event.seat}"
    when = "having looked at the hand" if event.looked else "when the betting had begun"
    seats = () if event.seat is None else (event.seat,)
    return [Hit(f"{who} complained of the shuffle or the cut ({event.rule}) {when}: it is too late.", seats=seats)]


def _betting_began(hand: Hand) -> bool:
    return hand.actions > 0 or hand.acted_on_street or hand.street > 0


def _player_dealt() -> Scene:
    scene = Scene().add(DeckShuffled, hand_id=None, by="player", seat=1, riffles=4)
    return scene.add(DeckCut, hand_id=None, by="player", seat=2, packets=(26, 26), cut_card=True).opened(dealer_seat=3)


LATE_COMPLAINT = Rule(
    code="SHF108",
    name="late-complaint",
    severity="info",
    source="Seed A, shuffle and cut, 4",
    what="A player complained of the shuffle, the cut or another preparation of the deal, having looked at the hand or "
    "when the betting had begun. Only a complaint that names a rule of this family (SHF…) is known for one.",
    why="A complaint made with the cards in view is made when they are bad.",
    prescribes="action_stands",
    prescription="It is too late: the action stands, and the hand is played.",
    triage="See whether the table gave in.",
    false_positives="None known.",
    checks={IrregularityAnnounced: _announced},
    examples=lambda: (
        flags(
            "the player has looked at the hand",
            _player_dealt().announce(seat=1, rule="SHF103", looked=True).walk().script(),
        ),
        flags("two players have acted", _player_dealt().call(3, 1).announce(seat=2, rule="SHF102").check(2).flop()
              .checks_around().win(1).script()),
        passes("before looking, and before any bet", _player_dealt().announce(seat=1, rule="SHF103", looked=False)
               .walk().script()),
        passes("a complaint about something else", _player_dealt().call(3, 1).announce(seat=2, rule="POT101").check(2)
               .flop().checks_around().win(1).script()),
        passes("the floor notes it, for later", _player_dealt().call(3, 1).announce("floor", rule="SHF103").check(2)
               .flop().checks_around().win(1).script()),
    ),
)  # fmt: skip

RULES = (LATE_COMPLAINT,)
