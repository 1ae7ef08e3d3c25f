"""Dead hands, scraps of paper and cards that were to be the burn: what was prescribed, and whether it was done."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from auditor import audit
from auditor.events import CardsReleased, CardsRetrieved, ClockExpired, SeenCard
from auditor.findings import Finding
from auditor.rules.scene import Scene

Played = Callable[[Scene], Scene]


def found(scene: Scene) -> dict[str, Finding]:
    return {finding.rule: finding for finding in audit(scene.script())}


def settled(scene: Scene, code: str) -> tuple[str, str]:
    finding = found(scene)[code]
    return finding.prescribed, finding.handled


def timed_out() -> Scene:
    """Seat 3 raises, and the clock runs out on seat 1."""
    return Scene().start().blinds().deal({1: "?? ??"}).raise_to(3, 600).add(ClockExpired, seat=1)


def won_by_seat_3(scene: Scene) -> Scene:
    return scene.fold(2).refund_to(3, 500).award(3, 250).end()


def one_card() -> Scene:
    """Seat 3 has one card, and plays it on the flop."""
    return (
        Scene().start().blinds().card(1, "??").card(2, "??").card(3).card(1, "??").card(2, "??").call(3, 1).check(2)
        .flop().check(1, 2, 3)
    )  # fmt: skip


def with_joker() -> Scene:
    return Scene().start().blinds().deal({1: "?? ??", 2: "?? ??", 3: "Jk Kd"})


def exposed() -> Scene:
    """The dealer exposes the fourth card of the deal, the ace of spades to seat 1."""
    return Scene().start().blinds().card(1).card(2).card(3).card(1, "As", exposed_by="dealer").card(2).card(3)


def shown_down(scene: Scene) -> Scene:
    """The hand is checked down."""
    return scene.turn().checks_around().river().checks_around()


@pytest.mark.parametrize(
    ("handled", "scene"),
    [
        ("as_prescribed", won_by_seat_3(timed_out().fold(1))),
        ("as_prescribed", won_by_seat_3(timed_out().rule("hand_dead", seat=1))),
        ("as_prescribed", won_by_seat_3(timed_out())),
        ("contrary", timed_out().rule("play_on", seat=1).call(1).fold(2).award(3, 1_300).end()),
        ("contrary", timed_out().call(1).fold(2).award(1, 1_300).end()),
        ("contrary", timed_out().call(1).announce(rule="HND106").fold(2).award(3, 1_300).end()),
        ("unaddressed", timed_out().call(1).fold(2).award(3, 1_300).end()),
        (
            "unaddressed",
            timed_out().call(1).fold(2).flop().raise_to(3, 600).fold(1).refund_to(3, 600).award(3, 1_300).end(),
        ),
        ("contrary", won_by_seat_3(timed_out().rule("play_on", seat=1).fold(1))),
        ("as_prescribed", won_by_seat_3(timed_out().call(1).rule("hand_dead", seat=1))),
        ("as_prescribed", won_by_seat_3(timed_out().rule("action_stands", seat=1))),
        ("not_applicable", timed_out().rule("void_action").refund().end()),
    ],
)
def test_a_hand_that_timed_out(scene: Scene, handled: str) -> None:
    assert settled(scene, "HND106") == ("hand_dead", handled)


def test_a_dead_hand_that_plays_is_judged_apart_and_belongs_to_its_cause() -> None:
    # given a hand that timed out, and calls and wins all the same
    findings = found(timed_out().call(1).fold(2).award(1, 1_300).end())
    # then all that follows is one incident
    assert set(findings) == {"HND106", "HND108", "RUL107"}
    assert {finding.incident for finding in findings.values()} == {findings["HND106"].finding_id}
    assert {finding.handled for finding in findings.values()} == {"contrary"}


def test_a_hand_of_one_card_is_dead_when_no_misdeal_can_be_declared() -> None:
    lost = found(shown_down(one_card()).win(1))
    assert (lost["HND104"].handled, lost["HND104"].incident) == ("unaddressed", lost["DEAL105"].finding_id)
    assert settled(one_card().rule("hand_dead", seat=3).turn().check(1, 2).fold(1).win(2), "HND104") == (
        "hand_dead",
        "as_prescribed",
    )
    won = found(shown_down(one_card()).win(3))
    assert won["HND104"].handled == "contrary"
    assert {won[code].incident for code in ("HND104", "HND108", "RUL107")} == {won["DEAL105"].finding_id}


def test_a_folded_hand_that_wins_is_one_incident() -> None:
    scene = Scene().start().blinds().deal(dict.fromkeys((1, 2, 3), "?? ??")).fold(3).call(1).check(2).flop()
    findings = found(scene.check(1, 2).turn().check(1, 2).river().check(1, 2).win(3))
    assert set(findings) == {"HND108", "POT105"}
    assert findings["POT105"].incident == findings["HND108"].finding_id
    assert findings["HND108"].handled == findings["POT105"].handled == "contrary"


def test_a_hand_given_back_without_cause() -> None:
    back = Scene().opened().raise_to(3, 600).fold(1).add(CardsRetrieved, seat=1, by="player")
    assert settled(back.fold(1).fold(2).refund_to(3, 500).award(3, 250).end(), "HND109")[1] == "as_prescribed"
    back = Scene().opened().raise_to(3, 600).fold(1).add(CardsRetrieved, seat=1, by="player")
    assert settled(back.call(1).fold(2).award(3, 1_300).end(), "HND109")[1] == "unaddressed"
    back = Scene().opened().raise_to(3, 600).fold(1).add(CardsRetrieved, seat=1, by="player").call(1).fold(2).flop()
    assert settled(back.check(1).raise_to(3, 600).fold(1).refund_to(3, 600).award(3, 1_300).end(), "HND109")[1] == (
        "unaddressed"
    )


def test_a_thrown_hand_that_is_given_back_after_false_information_is_dead_no_more() -> None:
    scene = Scene(4).opened().limp().flop().add(CardsReleased, seat=1, manner="forward_motion").check(2)
    back = scene.add(CardsRetrieved, seat=1, by="floor", reason="misinformation").check(1, 3, 4).turn()
    findings = found(back.raise_to(1, 300).fold(2, 3, 4).refund_to(1, 300).award(1, 400).end())
    assert {code: finding.handled for code, finding in findings.items()} == {"HND102": "not_applicable"}


def test_a_muck_and_the_fold_that_it_was_are_one_action() -> None:
    # given two players who muck, each of them reported as folding behind it
    scene = Scene(4).opened().add(CardsReleased, seat=3).fold(3).add(CardsReleased, seat=4).fold(4)
    # when a misdeal is declared
    findings = found(scene.misdeal())
    # then it comes too late
    assert "RUL101" in findings


def test_hands_that_are_thrown_in_for_a_misdeal_are_no_action() -> None:
    scene = Scene(4).start().blinds().card(1, exposed_by="dealer").card(2).card(3).card(4).card(1).card(2).card(3)
    scene.card(4).announce()
    for seat in (3, 4, 1, 2):
        scene.add(CardsReleased, seat=seat)
    findings = found(scene.rule("misdeal").refund("misdeal").end())
    assert {code: finding.handled for code, finding in findings.items()} == {"DEAL101": "as_prescribed"}


def test_a_thrown_hand_is_out_of_the_betting() -> None:
    # given cards that are thrown forward on the flop, and players behind who act on it
    scene = Scene().opened().limp().flop().add(CardsReleased, seat=1, manner="forward_motion").check(2, 3)
    # when the hand goes on without them
    findings = found(scene.turn().check(2, 3).river().check(2).fold(3).win(2))
    # then nothing is missing from the betting
    assert set(findings) == {"HND102"}
    assert findings["HND102"].handled == "as_prescribed"


@pytest.mark.parametrize(
    ("code", "handled", "scene"),
    [
        ("DCK105", "as_prescribed", with_joker().card(3, replaces="Jk").limp().flop().check(1, 2).fold(3)),
        ("DCK105", "as_prescribed", with_joker().card(3).limp()),
        ("DCK105", "unaddressed", with_joker().limp()),
        ("DCK105", "contrary", with_joker().announce(rule="DCK105").rule("play_on").limp()),
        ("DCK105", "contrary", with_joker().rule("misdeal").refund("misdeal")),
        ("DCK105", "as_prescribed", with_joker().call(3).rule("hand_dead", seat=3).call(1).check(2)),
        ("DCK105", "contrary", with_joker().call(3).rule("void_action").refund()),
        ("DCK106", "unaddressed", with_joker().limp()),
        ("DCK106", "as_prescribed", with_joker().call(3).rule("hand_dead", seat=3).call(1).check(2)),
    ],
)
def test_jokers(code: str, handled: str, scene: Scene) -> None:
    assert found(scene.end())[code].handled == handled


@pytest.mark.parametrize(
    ("handled", "played"),
    [
        ("as_prescribed", lambda s: s.back("As", to="set_aside").board("4d")),
        ("unaddressed", lambda s: s),
        ("contrary", lambda s: s.announce(rule="DCK104")),
    ],
)
def test_a_boxed_card_on_the_board(handled: str, played: Played) -> None:
    scene = Scene().opened().limp().flop().checks_around().burn().board(SeenCard(card="As", boxed=True))
    assert settled(played(scene).check(1, 2, 3).end(), "DCK104") == ("scrap_card", handled)


@pytest.mark.parametrize(
    ("handled", "played"),
    [
        (
            "as_prescribed",
            lambda s: s.back("As", origin="seat", seat=1, to="burn").card(1, replaces="As").limp().burn("As")
            .board("2c", "3c", "4c"),
        ),
        ("unaddressed", lambda s: s.limp().flop()),
        ("contrary", lambda s: s.announce(rule="DEAL112").limp().flop()),
        ("contrary", lambda s: s.back("As", origin="seat", seat=1, to="muck").card(1, replaces="As").limp().flop()),
        ("not_applicable", lambda s: s.fold(3, 1)),
    ],
)  # fmt: skip
def test_an_exposed_card_is_the_burn(handled: str, played: Played) -> None:
    assert settled(played(exposed()).end(), "DEAL112") == ("use_as_burn", handled)


def test_an_exposed_card_that_was_kept_belongs_to_its_exposure() -> None:
    findings = found(exposed().limp().flop().check(1, 2, 3).end())
    assert findings["RUL108"].incident == findings["DEAL112"].finding_id
    assert findings["RUL108"].handled == "contrary"
