"""Every incident is followed to its ruling: what was prescribed at last, and whether the table did it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from auditor import audit
from auditor.events import BoardDealt, DeckCut, HandEnded, SeenCard, TableClosed
from auditor.rules.scene import EVERYTHING, Scene


def settled(scene: Scene, code: str) -> tuple[str, str]:
    """What was prescribed for the first finding of a rule, and how it was handled."""
    finding = next(f for f in audit(scene.script()) if f.rule == code)
    return finding.prescribed, finding.handled


def exposed() -> Scene:
    """A misdeal ground: the first card was exposed by the dealer."""
    return (
        Scene(4).start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(4).card(1).card(2).card(3)
        .card(4)
    )  # fmt: skip


def twins(observes: tuple[str, ...] = EVERYTHING) -> Scene:
    """Two aces of spades: all action is void. 300 are in the pot."""
    return (
        Scene(observes=observes).start().blinds().deal({1: "As Kd"}).limp().burn().board("As", "7c", "2d")
    )  # fmt: skip


def early_flop() -> Scene:
    return Scene().opened().call(3, 1).premature("As", "7c", "2d").announce().check(2)


def early_turn() -> Scene:
    return Scene().opened().limp().flop().check(1, 2).premature("As").announce().check(3)


def early_river() -> Scene:
    return Scene().opened().limp().flop().checks_around().turn().check(1, 2).premature("As").announce().check(3)


def four_on_flop() -> Scene:
    return Scene().opened().limp().burn().board("As", "7c", "2d", "9h")


def unburned_turn() -> Scene:
    """The turn came with no burn: the 9h should have been burned."""
    return Scene().opened().limp().flop().checks_around().board("9h")


def read_burns() -> Scene:
    """Two burns before the turn, and every burn is read."""
    return Scene().opened().limp().burn("Ad").board("As", "7c", "2d").checks_around().burn("Kh").burn("Kd")


def two_on_turn() -> Scene:
    """Two cards on the turn, from a deck whose order is known."""
    return Scene().cut_in_order("9h", "9s").opened().limp().flop().checks_around().burn().board("9h", "9s").announce()


def burned_twice() -> Scene:
    """Two burns before the turn."""
    return Scene().opened().limp().flop().checks_around().burn().burn("Kd")


def strange_stub() -> Scene:
    """A blue card is found in the stub of the red deck while the hand is played."""
    return Scene().opened().limp().flop().checks_around().stub(SeenCard(card="2c", back="blue"))


def wrong_button(next_button: int, *, word: bool = False) -> Scene:
    """The button skips seat 2, and then goes to `next_button`."""
    scene = Scene(4).start(button=1).blinds().deal().walk().start(button=3).blinds().deal()
    if word:
        scene.fold(2, 3).announce(rule="BTN101").fold(4).win(1)
    else:
        scene.walk()
    return scene.start(button=next_button).blinds().deal().walk()


Case = tuple[Callable[[], Scene], str, str, str]

MISDEAL: dict[str, Case] = {
    "declared in time": (lambda: exposed().misdeal(), "DEAL101", "misdeal", "as_prescribed"),
    "called in time, declared later": (
        lambda: exposed().call(3).announce().call(4, 1).rule("misdeal").refund("misdeal").end(),
        "DEAL101", "misdeal", "as_prescribed",
    ),
    "by another name": (
        lambda: exposed().announce().rule("void_action").refund().end(), "DEAL101", "misdeal", "as_prescribed",
    ),
    "declared too late": (
        lambda: exposed().call(3, 4, 1).misdeal(), "DEAL101", "play_on", "contrary",
    ),
    "voided too late": (
        lambda: exposed().call(3, 4, 1).announce().rule("void_action").refund().end(), "DEAL101", "play_on", "contrary",
    ),
    "called in time and refused": (lambda: exposed().announce().walk(), "DEAL101", "misdeal", "contrary"),
    "nobody said a word": (lambda: exposed().walk(), "DEAL101", "play_on", "as_prescribed"),
    "called too late, played on": (
        lambda: exposed().call(3, 4, 1).announce().check(2).win(1), "DEAL101", "play_on", "as_prescribed",
    ),
    "declared, and the chips went to the wrong seats": (
        lambda: exposed().announce().rule("misdeal").refund_to(1, 100, "misdeal").refund_to(2, 50, "misdeal").end(),
        "DEAL101", "misdeal", "contrary",
    ),
    "declared, and the blinds stayed": (
        lambda: exposed().announce().rule("misdeal").end(), "DEAL101", "misdeal", "contrary",
    ),
    "declared, and the room takes the hand back": (
        lambda: exposed().announce().rule("misdeal").add(HandEnded, cancelled=True), "DEAL101", "misdeal",
        "as_prescribed",
    ),
    "called in time by another name, and declared too late": (
        lambda: exposed().announce(rule="SHF103").call(3, 4, 1).misdeal(), "DEAL101", "play_on", "contrary",
    ),
    "an action out of turn was let stand, and nobody saw this": (
        lambda: exposed().call(4).announce(rule="BET101").rule("play_on").fold(3, 1).check(2).win(2),
        "DEAL101", "play_on", "as_prescribed",
    ),
    "nobody reports a ruling, and the chips go back when it is too late": (
        lambda: exposed().call(3, 4, 1).refund("misdeal").end(), "DEAL101", "play_on", "contrary",
    ),
    "declared, and overruled": (
        lambda: exposed().call(3, 4, 1).rule("misdeal").rule("play_on").check(2).win(1),
        "DEAL101", "play_on", "as_prescribed",
    ),
    "void for a fouled deck when it was too late for a misdeal": (
        lambda: Scene().start().blinds().card(1, "As", exposed_by="dealer").card(2).card(3).card(1).card(2).card(3)
        .limp().burn().board("As", "7c", "2d").rule("void_action").refund().end(),
        "DEAL101", "play_on", "not_applicable",
    ),
}  # fmt: skip

VOID: dict[str, Case] = {
    "every chip goes back": (
        lambda: twins().rule("void_action").refund().end(), "DCK101", "void_action", "as_prescribed",
    ),
    "every chip goes back without a word": (lambda: twins().refund().end(), "DCK101", "void_action", "as_prescribed"),
    "the pot is awarded": (lambda: twins().win(1), "DCK101", "void_action", "contrary"),
    "another amount goes back": (
        lambda: twins().rule("void_action").refund_to(1, 200, "void").refund_to(2, 100, "void").end(),
        "DCK101", "void_action", "contrary",
    ),
    "awarded, found out, and every chip goes back": (
        lambda: twins().award(1).announce().rule("void_action").refund().end(),
        "DCK101", "void_action", "as_prescribed",
    ),
    "and so is the award put right": (
        lambda: twins().award(1).announce().rule("void_action").refund().end(),
        "RUL103", "void_action", "as_prescribed",
    ),
    "nothing goes back": (lambda: twins().end(), "DCK101", "void_action", "unaddressed"),
    "a feed that does not see chips go back": (
        lambda: twins(tuple(c for c in EVERYTHING if c != "awards")).end(),
        "DCK101", "void_action", "not_applicable",
    ),
    "the pot is carried over, and nobody had played for it in the knowledge of the twins": (
        lambda: twins().rule("pot_carries_over").end(), "DCK101", "void_action", "contrary",
    ),
    "the pot is carried over, since a player bet in the knowledge of it": (
        lambda: twins().raise_to(1, 200).call(2, 3).announce().rule("pot_carries_over").end(),
        "DCK101", "pot_carries_over", "as_prescribed",
    ),
    "and so is the incident of that player": (
        lambda: twins().raise_to(1, 200).call(2, 3).announce().rule("pot_carries_over").end(),
        "DCK108", "pot_carries_over", "as_prescribed",
    ),
    "that player is awarded the pot": (
        lambda: twins().raise_to(1, 200).call(2, 3).win(1), "DCK108", "pot_carries_over", "contrary",
    ),
    "nothing goes back, and nothing is said": (
        lambda: twins().raise_to(1, 200).call(2, 3).end(), "DCK108", "pot_carries_over", "unaddressed",
    ),
    "the refund is not refused": (
        lambda: twins().raise_to(1, 200).call(2, 3).rule("void_action").refund().end(),
        "DCK108", "pot_carries_over", "not_applicable",
    ),
    "it came to light after the award": (
        lambda: Scene().start().blinds().deal({1: "As Kd"}).walk(end=False).board("As", "7c", "2d", rabbit=True).end(),
        "DCK101", "void_action", "not_applicable",
    ),
    "events of the hand are missing": (
        lambda: twins().checks_around().end().lose(16), "DCK101", "void_action", "not_applicable",
    ),
}  # fmt: skip

STANDS: dict[str, Case] = {
    "the result stands": (lambda: strange_stub().win(1), "DCK103", "action_stands", "as_prescribed"),
    "the action is voided": (
        lambda: strange_stub().rule("void_action").refund().end(), "DCK103", "action_stands", "contrary",
    ),
    "a misdeal is declared": (
        lambda: strange_stub().rule("misdeal").refund("misdeal").end(), "DCK103", "action_stands", "contrary",
    ),
    "void for another reason": (
        lambda: twins().stub(SeenCard(card="2c", back="blue")).rule("void_action").refund().end(),
        "DCK103", "action_stands", "not_applicable",
    ),
    "voided, and overruled": (
        lambda: strange_stub().rule("void_action").rule("action_stands").win(1),
        "RUL105", "action_stands", "as_prescribed",
    ),
}  # fmt: skip

BOARD: dict[str, Case] = {
    "flop: redealt": (
        lambda: early_flop().back("As", "7c", "2d").reshuffle().board("9c", "3h", "4d").checks_around().win(1),
        "BRD101", "redeal_flop", "as_prescribed",
    ),
    "flop: redealt with a burn": (
        lambda: early_flop().back("As", "7c", "2d").reshuffle().burn().board("9c", "3h", "4d").checks_around().win(1),
        "BRD101", "redeal_flop", "contrary",
    ),
    "flop: played": (lambda: early_flop().new_street().checks_around().win(1), "BRD101", "redeal_flop", "contrary"),
    "flop: everybody folds": (
        lambda: Scene().opened().raise_to(3, 300).fold(1).premature("As", "7c", "2d").fold(2).win(3),
        "BRD101", "redeal_flop", "not_applicable",
    ),
    "flop: a misdeal is declared instead": (
        lambda: early_flop().rule("misdeal").refund("misdeal").end(), "BRD101", "redeal_flop", "contrary",
    ),
    "flop of four: redealt": (
        lambda: four_on_flop().announce().back("As", "7c", "2d", "9h").reshuffle().board("3c", "3h", "4d")
        .checks_around().win(1),
        "BRD102", "redeal_flop", "as_prescribed",
    ),
    "flop of four: one is taken off, three stand": (
        lambda: four_on_flop().announce().rule("card_stands").back("9h").checks_around().win(1),
        "BRD102", "redeal_flop", "contrary",
    ),
    "flop of four: one is merely put back": (
        lambda: four_on_flop().back("9h").checks_around().win(1), "BRD102", "redeal_flop", "contrary",
    ),
    "flop of four on the second board: nobody minds": (
        lambda: Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().turn().river().burn()
        .board("2c", "3c", "4c", "7d", board=2).burn().board("9h", board=2).win(1),
        "BRD102", "redeal_flop", "unaddressed",
    ),
    "flop of four on the second board: redealt": (
        lambda: Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().turn().river().burn()
        .board("2c", "3c", "4c", "7d", board=2).back("2c", "3c", "4c", "7d").reshuffle("stub", "board")
        .board("3h", "4h", "7h", board=2).burn().board("9h", board=2).burn().board("9c", board=2).win(1),
        "BRD102", "redeal_flop", "as_prescribed",
    ),
    "flop: one of its cards is replaced": (
        lambda: early_flop().back("As").reshuffle().board("9c").checks_around().win(1),
        "BRD101", "redeal_flop", "contrary",
    ),
    "flop of four: nobody minds, and the board is gathered in behind the award": (
        lambda: four_on_flop().checks_around().award(1).back("As", "7c", "2d", "9h", to="muck").end(),
        "BRD102", "redeal_flop", "unaddressed",
    ),
    "flop of four: nobody minds": (
        lambda: four_on_flop().checks_around().win(1), "BRD102", "redeal_flop", "unaddressed",
    ),
    "turn: fixed": (
        lambda: early_turn().back("As", to="set_aside").turn().checks_around().reshuffle("stub", "set_aside")
        .board("4d").checks_around().win(1),
        "BRD101", "fix_turn", "as_prescribed",
    ),
    "turn: replaced, and the hand ends before the river": (
        lambda: early_turn().back("As", to="set_aside").turn().raise_to(1, 100).fold(2, 3).win(1),
        "BRD101", "fix_turn", "as_prescribed",
    ),
    "turn: replaced from a reshuffled deck": (
        lambda: early_turn().back("As", to="set_aside").reshuffle("stub", "set_aside").board("9h").checks_around()
        .win(1),
        "BRD101", "fix_turn", "contrary",
    ),
    "turn: the river is not from a reshuffled deck": (
        lambda: early_turn().back("As", to="set_aside").turn().checks_around().river().checks_around().win(1),
        "BRD101", "fix_turn", "contrary",
    ),
    "turn: played": (lambda: early_turn().checks_around().win(1), "BRD101", "fix_turn", "contrary"),
    "turn: void for a fouled deck": (
        lambda: Scene().start().blinds().deal({1: "As Kd"}).limp().flop().check(1, 2).premature("As").check(3)
        .rule("void_action").refund().end(),
        "BRD101", "fix_turn", "not_applicable",
    ),
    "river: fixed": (
        lambda: early_river().back("As").reshuffle().board("4d").checks_around().win(1),
        "BRD101", "fix_river", "as_prescribed",
    ),
    "river: the next card, with a burn": (
        lambda: early_river().back("As", to="set_aside").river().checks_around().win(1),
        "BRD101", "fix_river", "contrary",
    ),
    "river: played": (lambda: early_river().win(1), "BRD101", "fix_river", "contrary"),
    "river: everybody folds": (
        lambda: Scene().opened().limp().flop().checks_around().turn().raise_to(1, 200).fold(2).premature("As").fold(3)
        .win(1),
        "BRD101", "fix_river", "not_applicable",
    ),
}  # fmt: skip

BURNS: dict[str, Case] = {
    "no burn: the card becomes the burn": (
        lambda: unburned_turn().announce().back("9h", to="burn").burn("9h").board("4d").checks_around().win(1),
        "BRD104", "correct_burns", "as_prescribed",
    ),
    "no burn: called before action, and left": (
        lambda: unburned_turn().announce().checks_around().win(1), "BRD104", "correct_burns", "contrary",
    ),
    "no burn: nobody minds, and the card stands": (
        lambda: unburned_turn().checks_around().win(1), "BRD104", "card_stands", "as_prescribed",
    ),
    "no burn: called when somebody has acted, and the card stands": (
        lambda: unburned_turn().check(1).announce().rule("card_stands").check(2, 3).win(1),
        "BRD104", "card_stands", "as_prescribed",
    ),
    "no burn: put right when somebody has acted": (
        lambda: unburned_turn().check(1).announce().back("9h", to="burn").burn("9h").board("4d").check(2, 3).win(1),
        "BRD104", "card_stands", "contrary",
    ),
    "no burn before the flop: redealt": (
        lambda: Scene().opened().limp().board("As", "7c", "2d").announce().back("As", "7c", "2d").reshuffle()
        .board("3c", "3h", "4d").checks_around().win(1),
        "BRD104", "redeal_flop", "as_prescribed",
    ),
    "no burn before the flop: redealt without a shuffle": (
        lambda: Scene().opened().limp().board("As", "7c", "2d").announce().back("As", "7c", "2d")
        .board("3c", "3h", "4d").checks_around().win(1),
        "BRD104", "redeal_flop", "contrary",
    ),
    "no burn before the flop: its first card is made the burn": (
        lambda: Scene().opened().limp().board("As", "7c", "2d").announce().rule("correct_burns").back("As", to="burn")
        .board("3c").checks_around().win(1),
        "BRD104", "redeal_flop", "contrary",
    ),
    "no burn before a premature flop: redealt when the betting is complete": (
        lambda: Scene().opened().call(3, 1).board("As", "7c", "2d").check(2).back("As", "7c", "2d").reshuffle().burn()
        .board("3c", "3h", "4d").checks_around().win(1),
        "BRD104", "redeal_flop", "as_prescribed",
    ),
    "two burns before the flop: one goes back when the flop lies there": (
        lambda: Scene().opened().limp().burn().burn("Kd").board("As", "7c", "2d").announce().back("Kd", origin="burn")
        .checks_around().win(1),
        "BRD105", "redeal_flop", "contrary",
    ),
    "two burns: called when somebody has acted, and one is the next burn": (
        lambda: burned_twice().board("9h").check(1).announce().rule("card_stands").check(2, 3)
        .back("Kd", origin="burn").burn("Kd").board("4d").checks_around().win(1),
        "BRD105", "card_stands", "as_prescribed",
    ),
    "two burns: called when somebody has acted, and the next burn is another card": (
        lambda: read_burns().board("9h").check(1).announce().rule("card_stands").check(2, 3).burn("Qd").board("4d")
        .checks_around().win(1),
        "BRD105", "card_stands", "contrary",
    ),
    "two cards on the turn, in an order that is known: the first one goes back": (
        lambda: two_on_turn().back("9h").checks_around().win(1), "BRD103", "correct_burns", "contrary",
    ),
    "two cards on the turn, in an order that is known: the second one goes back": (
        lambda: two_on_turn().back("9s").checks_around().win(1), "BRD103", "correct_burns", "as_prescribed",
    ),
    "two burns: one goes back": (
        lambda: burned_twice().announce().back("Kd", origin="burn").board("9h").checks_around().win(1),
        "BRD105", "correct_burns", "as_prescribed",
    ),
    "two burns: called before the turn was bet, and left": (
        lambda: burned_twice().announce().board("9h").checks_around().win(1), "BRD105", "correct_burns", "contrary",
    ),
    "two burns: ruled to be put right, and nobody saw the card go back": (
        lambda: burned_twice().announce().rule("correct_burns").board("9h").checks_around().win(1),
        "BRD105", "correct_burns", "as_prescribed",
    ),
    "two burns: ruled to be put right, and another card is burned for the river": (
        lambda: read_burns().board("9h").announce().rule("correct_burns").checks_around().burn("4s").board("3s").win(1),
        "BRD105", "correct_burns", "contrary",
    ),
    "no burn: ruled to be put right, and the card is left where it is": (
        lambda: unburned_turn().announce().rule("correct_burns").checks_around().river().checks_around().win(1),
        "BRD104", "correct_burns", "contrary",
    ),
    "two burns: nobody minds": (
        lambda: burned_twice().board("9h").checks_around().win(1), "BRD105", "card_stands", "as_prescribed",
    ),
    "two burns with everybody all-in: put right before the award": (
        lambda: Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().burn().burn("Kd").announce()
        .back("Kd", origin="burn").board("9h").river().win(1),
        "BRD105", "correct_burns", "as_prescribed",
    ),
    "two burns with everybody all-in: called when the pot was awarded": (
        lambda: Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().burn().burn("Kd").board("9h").river()
        .award(1).announce().end(),
        "BRD105", "card_stands", "as_prescribed",
    ),
    "two burns: a premature river that is taken back is another matter": (
        lambda: burned_twice().board("9h").check(1, 2).premature("As").check(3).back("As").reshuffle().board("4d")
        .checks_around().win(1),
        "BRD105", "card_stands", "as_prescribed",
    ),
    "two burns: the hand is void for a fouled deck": (
        lambda: Scene().start().blinds().deal({1: "As Qd"}).limp().flop().checks_around().burn().burn("Kd").board("As")
        .rule("void_action").refund().end(),
        "BRD105", "correct_burns", "not_applicable",
    ),
}  # fmt: skip

BUTTON: dict[str, Case] = {
    "corrected on the next hand": (
        lambda: wrong_button(2), "BTN101", "correct_button_next_hand", "as_prescribed",
    ),
    "nobody noticed": (lambda: wrong_button(4), "BTN101", "correct_button_next_hand", "unaddressed"),
    "noticed, and left": (
        lambda: wrong_button(4, word=True), "BTN101", "correct_button_next_hand", "contrary",
    ),
    "a misdeal in time": (
        lambda: Scene(4).start(button=1).blinds().deal().walk().start(button=3).blinds().deal().misdeal(),
        "BTN101", "misdeal", "as_prescribed",
    ),
    "the table closes": (
        lambda: Scene(4).start(button=1).blinds().deal().walk().start(button=3).blinds().deal().walk()
        .add(TableClosed),
        "BTN101", "correct_button_next_hand", "not_applicable",
    ),
}  # fmt: skip

ALL = {**MISDEAL, **VOID, **STANDS, **BOARD, **BURNS, **BUTTON}


@pytest.mark.parametrize("title", ALL)
def test_how_it_was_handled(title: str) -> None:
    build, code, prescribed, handled = ALL[title]
    assert settled(build(), code) == (prescribed, handled)


RULED = {
    "a misdeal too late": (exposed().call(3, 4, 1).misdeal(), "RUL101"),
    "a misdeal refused": (exposed().announce().walk(), "RUL102"),
    "a void pot awarded": (twins().win(1), "RUL103"),
    "a wrong refund": (twins().rule("void_action").refund_to(1, 300, "void").end(), "RUL104"),
    "a void without cause": (strange_stub().rule("void_action").refund().end(), "RUL105"),
    "a premature card played": (early_turn().checks_around().win(1), "RUL106"),
    "a turn fixed wrongly": (early_turn().back("As", to="set_aside").board("9h").checks_around().win(1), "BRD107"),
}


@pytest.mark.parametrize("title", RULED)
def test_a_wrong_ruling_is_a_finding_of_its_own_and_names_its_cause(title: str) -> None:
    # given a table that handled an incident in another way than prescribed
    scene, code = RULED[title]
    # when it is audited
    found = {f.rule: f for f in audit(scene.script())}
    ruling = found.pop(code)
    (cause,) = found.values()
    # then the ruling is found too, belongs to the incident, and both are contrary
    assert ruling.incident == cause.finding_id == cause.incident
    assert (ruling.handled, cause.handled) == ("contrary", "contrary")


def test_a_wrong_refund_is_told_with_the_difference_of_each_seat() -> None:
    scene = twins().rule("void_action").refund_to(1, 150, "void").refund_to(2, 100, "void").end()
    (found,) = (f for f in audit(scene.script()) if f.rule == "RUL104")
    assert found.seats == (1, 3)
    assert "seat 1 got back 150 of 100 (50 too many)" in found.message
    assert "seat 3 got back 0 of 100 (100 too few)" in found.message


def test_an_incomplete_redeal_belongs_to_the_misdeal() -> None:
    scene = exposed().misdeal().opened(redeal_of="H1").walk()
    found = {f.rule: f for f in audit(scene.script())}
    assert found["RUL110"].incident == found["DEAL101"].incident
    assert found["RUL110"].hand_id == "H2"


def test_a_fixed_turn_of_another_deck_is_not_judged_by_this_ones_order() -> None:
    # given a deck whose order is known, and a second deck that a machine shuffles and cuts while the hand is played
    scene = Scene().cut_in_order("As", "7c", "9h").opened().limp().flop().check(1, 2).premature("As").check(3)
    scene.add(DeckCut, order=("As", "2c", "3d"))
    # when the turn is the fifth card of the deck in play
    scene.back("As", to="set_aside").burn("7c").board("9h").checks_around().win(1)
    # then it was fixed rightly
    assert [f.rule for f in audit(scene.script())] == ["BRD101"]


def test_a_second_board_is_not_taken_for_a_repair() -> None:
    scene = Scene(2).opened().raise_to(2, 20_000, all_in=True).call(1).flop().turn().river()
    scene.add(BoardDealt, cards=("2s",), board=2).add(BoardDealt, cards=("3s",), board=2).win(1)
    assert not [f for f in audit(scene.script()) if f.rule in ("BRD106", "BRD107", "BRD108")]
