"""BTN101: the button moved to a wrong seat."""

from __future__ import annotations

from auditor.events import HandStarted
from auditor.games import BUTTON_GAMES
from auditor.phrases import seats_spoken
from auditor.rules.rule import MISDEAL_PRESCRIPTION, Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.button import correcting, nearest_clockwise, rightful
from auditor.table.table import Table


def _started(table: Table, event: HandStarted) -> list[Hit] | None:
    last = table.memory.button
    if last is None or event.button_seat is None or not table.has_seat(event.button_seat):
        return None
    right = rightful(last, event, table.memory.house)
    if not right or event.button_seat in right:
        return None
    if last.attention:
        right &= frozenset(correcting(last, event))  # the seat next to the wrong one puts nothing right: BTN102
    belongs = nearest_clockwise(last.correct, right)
    where = f"seat {belongs}" if len(right) == 1 else f"one of {seats_spoken(sorted(right))}"
    stays = last.misdealt or event.redeal_of is not None
    due = f"after a misdeal it stays on {where}" if stays else f"after seat {last.seat} it belongs on {where}"
    return [
        Hit(
            f"The button is on seat {event.button_seat}; {due}.",
            seats=(event.button_seat, belongs),
        )
    ]


def _three_hands(*buttons: int, players: int = 4, house: dict[str, object] | None = None) -> Scene:
    scene = Scene(players, house=house or {})
    for button in buttons:
        scene.start(button=button).blinds().deal()
        scene.walk()
    return scene


WRONG_BUTTON = Rule(
    code="BTN101",
    name="wrong-button",
    also_known_as=("DEAL107",),
    severity="major",
    source="Seed A, irregularities 1 and misdeals; seed C, g",
    what="The button moved to another seat than the rules give: the next entitled seat clockwise of the last hand's "
    "correct button. A dead button may rest on an empty seat; after a misdeal it stays. Where the house does not say "
    "how its button moves, any seat that one of the customary ways gives is right.",
    why="A player pays the blinds twice, or not at all, and the order of action favours somebody.",
    prescribes="misdeal",
    prescription=MISDEAL_PRESCRIPTION + " Played on, the button is corrected on the next hand, so that every player "
    "gets one chance for each position on the round.",
    misdeal_ground=True,
    observes=frozenset({"button"}),
    games=BUTTON_GAMES,
    triage="Compare with the hand before. Who posted the blinds, and who would have?",
    false_positives="A hand that the feed never reported; players who changed seats unreported.",
    checks={HandStarted: _started},
    examples=lambda: (
        flags("the button skips a seat", _three_hands(1, 3).script()),
        flags("the button stays where it was", _three_hands(1, 2, 2).script()),
        passes("the button goes round", _three_hands(1, 2, 3, 4, 1).script()),
        flags("one error, corrected on the next hand, is one finding", _three_hands(1, 3, 2, 3).script()),
        flags("one error that nobody noticed is one finding", _three_hands(1, 3, 4, 1).script()),
        passes(
            "behind a bomb pot, the button stays or moves: that is the house's",
            Scene().start(button=1, bomb_pot=True).post(1, "ante", 200).post(2, "ante", 200).post(3, "ante", 200)
            .deal().flop().check(2, 3, 1).award(2).end().start(button=1).blinds().deal().walk()
            .start(button=2).blinds().deal().walk().script(),
        ),
        passes("heads-up, the button alternates", _three_hands(1, 2, 1, players=2).script()),
        passes(
            "after a misdeal it does not move",
            Scene().start(button=1).blinds().card(2, "As", exposed_by="dealer").misdeal()
            .prepare().start(button=1, redeal_of="H1").blinds().deal().walk().script(),
            also=("DEAL101",),
        ),
        passes(
            "a dead button rests on the seat of a player who left",
            Scene(4, house={"button_rule": "dead"}).start(button=4).blinds().deal().walk()
            .start(button=1, seats=(2, 3, 4), small_blind_seat=2).post(2, "small_blind", 50).post(3, "big_blind", 100)
            .deal().fold(4, 2).win(3).script(),
        ),
        passes(
            "a hand is missing from the feed",
            _three_hands(1, 2, 3).lose(*range(16, 30)).script(),
            also=("FEED101",),
        ),
        passes(
            "a feed that does not see the button",
            Scene(observes=tuple(c for c in EVERYTHING if c != "button")).start(button=1).blinds().deal().walk()
            .start(button=1).blinds().deal().walk().script(),
        ),
        passes(
            "down to two players, nobody posts the big blind twice running",
            Scene(3).start(button=1).blinds().deal().walk()
            .start(button=3, seats=(2, 3)).blinds().deal().walk().script(),
        ),
    ),
)  # fmt: skip

RULES = (WRONG_BUTTON,)
