"""Main and side pots from what each seat put in, beside pokerkit's."""

from __future__ import annotations

from auditor.events import Event
from auditor.rules.scene import Scene
from auditor.table import pots
from auditor.table.evolve import evolve
from auditor.table.pots import Pot
from auditor.table.table import Table


def divided(scene: Scene) -> list[Pot]:
    return pots.divide(table(scene).hand)


def table(scene: Scene) -> Table:
    found = Table("T1")
    for event in scene.events:
        assert isinstance(event, Event)
        evolve(found, event)
    return found


def test_one_pot_where_everybody_put_in_the_same() -> None:
    assert divided(Scene().opened().limp()) == [Pot(300, (1, 2, 3))]


def test_chips_of_players_who_folded_are_in_it() -> None:
    scene = Scene(4).opened().raise_to(3, 600).fold(4).call(1).fold(2)
    assert divided(scene) == [Pot(1_300, (1, 3))]


def test_each_all_in_makes_a_side_pot_of_what_the_others_put_in_besides() -> None:
    # given three all-ins of three sizes, and a caller of them all
    scene = Scene(4, short={1: 200, 2: 500, 3: 1_000}).opened()
    scene.raise_to(3, 1_000, all_in=True).call(4).call_short(1).call_short(2)
    # then the least of them plays for four times what it put in, and so on
    assert divided(scene) == [Pot(800, (1, 2, 3, 4)), Pot(900, (2, 3, 4)), Pot(1_000, (3, 4))]


def test_what_nobody_called_stands_alone_until_it_goes_back() -> None:
    scene = Scene(2, short={1: 500}).opened().raise_to(2, 800).call_short(1)
    assert pots.uncalled(table(scene).hand) == (2, 300)
    assert divided(scene) == [Pot(1_000, (1, 2)), Pot(300, (2,))]
    assert divided(scene.refund_to(2, 300)) == [Pot(1_000, (1, 2))]


def test_antes_dead_blinds_and_carried_chips_are_in_the_main_pot() -> None:
    scene = Scene(3, short={1: 200}).start(carried_pot=70).post(2, "ante", 100).post(3, "dead_blind", 30).blinds()
    scene.deal().raise_to(3, 400).call_short(1).call(2)
    assert divided(scene) == [Pot(800, (1, 2, 3)), Pot(400, (2, 3))]


def test_the_house_splashes_the_main_pot() -> None:
    scene = Scene(3, short={1: 200}).start(splash=500).blinds().deal().raise_to(3, 400).call_short(1).call(2)
    assert divided(scene) == [Pot(1_100, (1, 2, 3)), Pot(400, (2, 3))]


def test_in_a_bomb_pot_a_short_ante_plays_for_as_much_of_the_others() -> None:
    scene = Scene(3, short={2: 150}).start(bomb_pot=True).post(1, "ante", 200).post(2, "ante", 150)
    scene.post(3, "ante", 200).deal().flop().raise_to(1, 300).call(3)
    assert divided(scene) == [Pot(450, (1, 2, 3)), Pot(700, (1, 3))]


def test_nobody_can_say_how_the_antes_are_divided_when_one_of_them_is_short() -> None:
    scene = Scene(3, short={1: 10}).start().post(1, "ante", 10, all_in=True).post(2, "ante", 25).post(3, "ante", 25)
    scene.post(2, "big_blind", 100).deal().call(3).check(2)
    assert divided(scene) == []
