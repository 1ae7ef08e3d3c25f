"""The story of a hand: what a reader needs to see what happened."""

from __future__ import annotations

from auditor import audit
from auditor.events import HandEnded, PotAwarded, RakeTaken, SeatStack, Totals
from auditor.rules.scene import Scene
from auditor.story import tell


def story(scene: Scene) -> str:
    events = scene.script()
    return "\n".join(tell(events, list(audit(events))))  # type: ignore[arg-type]


def test_a_bomb_pot_on_two_boards() -> None:
    scene = Scene().start(bomb_pot=True, splash=500)
    for seat in (1, 2, 3):
        scene.post(seat, "ante", 200)
    scene.deal().flop().board("2c", "3c", "4c", board=2).checks_around()
    scene.add(RakeTaken, amount=10, kind="jackpot").add(PotAwarded, seat=1, amount=500, board=1)
    told = story(scene.add(PotAwarded, seat=2, amount=590, board=2).end())
    assert "a bomb pot" in told
    assert "500 splashed by the house" in told
    assert "jackpot 10" in told
    assert "awarded 590, on board 2" in told


def test_where_the_totals_of_a_source_differ() -> None:
    scene = Scene(stack=1_000).opened().limp().flop().checks_around().award(1)
    said = Totals(pot=300, stacks=(SeatStack(seat=1, stack=1_150),))
    told = story(scene.add(HandEnded, reported=said))
    assert "by its source: pot 300, seat 1 has 1,150" in told
    assert ">>>>  POT109" in told
    assert "seat 1 ends with 1150 by the source and with 1200 by the events" in told


def test_a_cancelled_hand() -> None:
    assert "the hand is cancelled" in story(Scene().opened().limp().add(HandEnded, cancelled=True))


def test_bets_of_each_draw_begin_at_nothing() -> None:
    scene = Scene(2, game="triple_draw_27", betting="limit").start().blinds().deal().raise_to(2, 200).call(1)
    told = story(scene.draw(1).draw(2, "5s", "9c").raise_to(1, 100).raise_to(2, 200).call(1))
    assert "stands pat" in told
    assert "raises to 200" in told
    assert "raises to 400" not in told
