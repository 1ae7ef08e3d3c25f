"""POT104 names the seats that it is about: who won what was not theirs, and who lacks it."""

from __future__ import annotations

import pytest

from auditor.audit import audit
from auditor.rules.scene import Scene

#: Hands by strength, and stacks that make a main pot of 4,000, and side pots of 6,000 and 4,000.
HANDS = {1: "As Ad", 2: "Ks Kd", 3: "Qs Qd", 4: "4s 4d"}
STACKS = {1: 1_000, 2: 3_000, 3: 5_000, 4: 5_000}


def _all_in() -> Scene:
    scene = Scene(4, short=STACKS).start().blinds().deal(HANDS).raise_to(3, 5_000, all_in=True).call(4)
    scene.call_short(1).call_short(2).burn().board("2c", "7d", "9h").burn().board("3c").burn().board("Tc")
    for seat, cards in HANDS.items():
        scene.show(seat, cards)
    return scene


@pytest.mark.parametrize(
    ("awards", "seats"),
    [
        ({1: 4_000, 2: 6_000, 4: 4_000}, (4, 3)),
        ({1: 4_000, 2: 6_000, 3: 2_000, 4: 2_000}, (4, 3)),
        ({1: 4_000, 3: 10_000}, (3, 2)),
        ({4: 14_000}, (4, 2, 1, 3)),
    ],
    ids=["the last side pot", "half of it", "the first side pot", "everything"],
)
def test_seats_that_got_what_was_theirs_are_not_named(awards: dict[int, int], seats: tuple[int, ...]) -> None:
    # given a showdown for three pots
    scene = _all_in()
    # when a part of them goes to a hand that is worse
    for seat, chips in awards.items():
        scene.award(seat, chips)
    (finding,) = audit(scene.end().script())
    # then it names that seat, and those who lack it, whoever lacks most first
    assert (finding.rule, finding.seats) == ("POT104", seats)
