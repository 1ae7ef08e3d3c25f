"""DCK109: a pot that holds money of a forfeited deal, and a player who was not in that deal gets a hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from auditor.events import Event, HandSeat, HandStarted, PlayerLeft
from auditor.phrases import seats_spoken
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.shape import DealSettled
from auditor.table.table import Table


def _dealt(table: Table, moment: DealSettled) -> list[Hit] | None:
    hand, carry = table.hand, table.memory.carry
    if not hand.carried_pot or carry is None or None in carry.values():
        return None
    entitled = set(carry.values())
    players = {seat: s.player_id for seat, s in hand.seats.items() if s.player_id is not None}
    dealt = [d for d in hand.deal if d.seat in players and players[d.seat] not in entitled]
    if not dealt:
        return None
    seats = tuple(sorted({d.seat for d in dealt}))
    return [
        Hit(
            f"{hand.carried_pot} chips of a forfeited deal are in the pot, and cards went to {seats_spoken(seats)}, "
            "not dealt in on that deal.",
            seats=seats,
            seq=dealt[0].seq,
            at=dealt[0].at,
            evidence=(hand.started_seq, dealt[0].seq),
        )
    ]


def _forfeited(observes: tuple[Any, ...] = EVERYTHING) -> Scene:
    """Three players pay 300 into a pot that is kept for the next deal. A fourth sits by."""
    scene = Scene(observes=observes).start(not_entitled=(4,)).blinds().deal().limp()
    return scene.rule("pot_carries_over").end().prepare()


def _next(scene: Scene, seats: tuple[int, ...]) -> Scene:
    scene.opened(button=1, seats=seats, carried_pot=300).limp().flop().checks_around()
    return scene.award(scene.order[0], 300 + sum(scene.pot.values())).end()


def _seated(scene: Scene, seat: int, player_id: str) -> list[Event | bytes]:
    """The script, with another player on a seat of the next deal."""
    return [
        replace(event, seats=tuple(_on(seat, player_id, s) for s in event.seats))
        if isinstance(event, HandStarted) and event.carried_pot
        else event
        for event in scene.script()
    ]


def _on(seat: int, player_id: str, s: HandSeat) -> HandSeat:
    return replace(s, player_id=player_id, stack=None) if s.seat == seat else s


FORFEITED_POT_ENTITLEMENT = Rule(
    code="DCK109",
    name="forfeited-pot-entitlement",
    severity="major",
    source="Seed A, irregularities 6",
    what="The pot starts with money of a deal that was forfeited (`carried_pot`), and a player who was not dealt in on "
    "that deal gets a hand. It knows by the hand before, of which a pot was left that nobody won, and by the players' "
    "ids.",
    why="The money belongs to those who were in that deal.",
    prescription="None by itself: only the players of the forfeited deal are eligible.",
    triage="Who won it? Compare the players of both hands.",
    false_positives="Money that the house adds to a pot, carried under the same name.",
    observes=frozenset({"hole_cards"}),
    checks={DealSettled: _dealt},
    examples=lambda: (
        flags("a fourth player is dealt in on the next deal", _next(_forfeited(), (1, 2, 3, 4)).script()),
        flags("another player has taken a seat of that deal", _seated(_next(_forfeited(), (1, 2, 3)), 3, "P9")),
        passes("the players of the forfeited deal alone", _next(_forfeited(), (1, 2, 3)).script()),
        passes("one of them has left", _next(_forfeited().add(PlayerLeft, seat=3), (1, 2)).script()),
        passes(
            "a player of that deal who has changed the seat",
            _seated(_next(_forfeited(), (1, 2, 4)), 4, "P3"),
        ),
        passes(
            "money that nobody forfeited is added to the pot",
            _next(Scene().opened().walk(), (1, 2, 3, 4)).script(),
        ),
        passes(
            "the hand with the forfeited deal has a gap",
            _next(_forfeited(), (1, 2, 3, 4)).lose(9).script(),
            also=("FEED101",),
        ),
    ),
)  # fmt: skip

RULES = (FORFEITED_POT_ENTITLEMENT,)
