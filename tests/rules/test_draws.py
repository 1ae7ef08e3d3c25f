"""Games with draws: rounds of betting between them, discards, and a deck that runs out."""

from __future__ import annotations

from typing import Any

from auditor import Audit, audit
from auditor.cards import STANDARD_DECK
from auditor.events import CardDealt, CardsDiscarded, DeckShuffled
from auditor.rules.scene import EVERYTHING, Scene

_UNSHUFFLED = tuple(c for c in EVERYTHING if c not in ("shuffle", "burns"))


def found(scene: Scene) -> list[str]:
    return sorted(finding.rule for finding in audit(scene.script()))


def streets(scene: Scene) -> list[str]:
    """The street of the open hand behind each event."""
    core, seen = Audit(), []
    for event in scene.script():
        core.take_event(event)  # type: ignore[arg-type]
        seen.append(core._desks["T1"].table.hand.street_name)
    return seen


def triple_draw(**table: Any) -> Scene:
    """Heads-up, dealt and called."""
    scene = Scene(2, game="triple_draw_27", betting="limit", **table).start().blinds()
    return scene.deal({1: "2c 3d 4h 7s Kd", 2: "2h 3s 5d 8c Qh"}).call(2).check(1)


def test_three_draws_with_bets_between_them_give_no_finding() -> None:
    # given a legal hand whose bets double behind the second draw
    scene = triple_draw().burn()
    scene.draw(1, "Kd", "Qd").draw(2, "Qh", "9c").raise_to(1, 100).call(2).burn()
    scene.draw(1, "Qd", "Js").draw(2).raise_to(1, 200).raise_to(2, 400).call(1).burn()
    scene.draw(1).draw(2).check(1).raise_to(2, 200).call(1)
    # when the better low is shown and wins
    scene.show(1, "2c 3d 4h 7s Js").show(2, "2h 3s 5d 8c 9c").win(2)
    # then nothing is wrong
    assert found(scene) == []


def test_everybody_stands_pat_and_each_round_is_still_one_of_its_own() -> None:
    scene = triple_draw()
    for _ in range(3):
        scene.burn().draw(1).draw(2).check(1, 2)
    seen = streets(scene)
    assert [seen.count(name) for name in ("first draw", "second draw", "third draw")] == [5, 5, 4]


def test_players_who_are_all_in_draw_three_times() -> None:
    scene = Scene(2, game="triple_draw_27", betting="limit", stack=100).start().blinds()
    scene.deal({1: "2c 3d 4h 7s Kd", 2: "2h 3s 5d 8c Qh"}).call(2)
    scene.draw(1, "Kd", "Qd").draw(2, "Qh", "9c")
    scene.draw(1, "Qd", "Js").draw(2)
    scene.draw(1).draw(2)
    assert streets(scene)[-1] == "third draw"
    assert found(scene.show(1, "2c 3d 4h 7s Js").show(2, "2h 3s 5d 8c 9c").win(2)) == []


def test_a_bet_of_the_small_size_behind_the_second_draw_is_too_little() -> None:
    scene = triple_draw()
    scene.burn().draw(1).draw(2).check(1, 2)
    scene.burn().draw(1).draw(2).raise_to(1, 100).call(2)
    assert found(scene) == ["BET105"]


def test_a_draw_while_a_player_still_has_to_act_is_a_round_closed_early() -> None:
    scene = triple_draw()
    scene.burn().draw(1).draw(2).raise_to(1, 100)
    scene.burn().draw(1).draw(2).check(1, 2)
    assert found(scene) == ["BET109"]


def test_a_drawn_card_that_is_read_late_belongs_to_its_draw() -> None:
    # given a draw of which one card is reported when the first player has bet already
    scene = triple_draw().burn().draw(1).draw(2, "Qh").raise_to(1, 100)
    scene.add(CardDealt, seat=2, card="9c", draw=True).call(2)
    # then the round goes on
    assert streets(scene)[-1] == "first draw"
    assert found(scene) == []


def test_the_worse_low_takes_the_pot() -> None:
    scene = triple_draw()
    for _ in range(3):
        scene.burn().draw(1).draw(2).check(1, 2)
    assert found(scene.show(1, "2c 3d 4h 7s Kd").show(2, "2h 3s 5d 8c Qh").win(1)) == ["POT104"]


def test_badugi_goes_by_suits_and_ranks() -> None:
    scene = Scene(2, game="badugi", betting="limit").start().blinds().deal({1: "2s 4c 6d 9h", 2: "3s 5d 7c 8h"})
    scene.call(2).check(1)
    for _ in range(3):
        scene.burn().draw(1).draw(2).check(1, 2)
    assert found(scene.show(1, "2s 4c 6d 9h").show(2, "3s 5d 7c 8h").win(2)) == []


def test_discards_that_were_not_read_leave_a_hand_of_the_right_size() -> None:
    scene = Scene(2, game="badugi", betting="limit").start().blinds().deal({1: "?? ?? ?? ??", 2: "?? ?? ?? ??"})
    scene.call(2).check(1).add(CardsDiscarded, seat=1, count=2)
    scene.add(CardDealt, seat=1, draw=True).add(CardDealt, seat=1, draw=True).add(CardsDiscarded, seat=2, count=0)
    core = Audit()
    for event in scene.script():
        core.take_event(event)  # type: ignore[arg-type]
    assert len(core._desks["T1"].table.hand.holding[1]) == 4


# --- the deck runs out ----------------------------------------------------------------------------------------------


def drawn_out(*, shuffle: bool, observes: tuple[Any, ...] = EVERYTHING, players: int = 6) -> Scene:
    """Everybody changes as many cards as there are: six players leave one in the deck. On the next draw, a card that
    seat 1 discarded comes to seat 2."""
    scene = Scene(players, game="triple_draw_27", observes=observes, betting="limit").opened()
    scene.call(*scene.order[2:], scene.order[0]).check(scene.order[1])
    dealt = [event for event in scene.events if isinstance(event, CardDealt)]
    held = {seat: [event.card for event in dealt if event.seat == seat] for seat in scene.order}
    rest = sorted(STANDARD_DECK - {event.card for event in dealt})
    gone = held[1][0]
    for seat in scene.order:
        count = min(5, len(rest) - 1)
        scene.draw(seat, " ".join(held[seat][:count]), " ".join(rest[:count]))
        held[seat][:count], rest = rest[:count], rest[count:]
    if shuffle:
        scene.add(DeckShuffled, includes=("stub", "muck"))
    scene.checks_around()
    return scene.draw(1).draw(2, held[2][0], gone)


def test_a_discard_that_was_shuffled_in_again_is_no_duplicate() -> None:
    assert "DCK101" not in found(drawn_out(shuffle=True))


def test_a_discard_that_comes_again_with_no_shuffle_is_one() -> None:
    assert "DCK101" in found(drawn_out(shuffle=False))


def test_a_feed_that_sees_no_shuffle_allows_it_once_the_deck_has_run_out() -> None:
    assert "DCK101" not in found(drawn_out(shuffle=False, observes=_UNSHUFFLED))


def test_and_not_before() -> None:
    assert "DCK101" in found(drawn_out(shuffle=False, observes=_UNSHUFFLED, players=4))
