"""POT106: the odd chip of a split pot."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from auditor.events import HandEnded, PotAwarded
from auditor.rules.pot.contest import Contest, contest, on_each_board, smallest_chip
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.hand import Hand
from auditor.table.pots import Pot
from auditor.table.table import Table


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    hand = table.hand
    if len({award.pot for award in hand.awards}) == len(hand.awards) or hand.button is None or hand.found("POT104"):
        return None  # no pot was split
    held = contest(table)
    if held is None or len(held.sides) > 1:
        return None  # who gets the odd chip between high and low is settled in many ways
    for each in on_each_board(hand, held):
        hits = _on_board(table, each) if each.boards == 1 else None  # as it is between boards
        if hits:
            return hits
    return None


def _on_board(table: Table, held: Contest) -> list[Hit] | None:
    hand = table.hand
    for number, pot in enumerate(held.pots):
        shares = _shares(hand, held, number)
        if len(shares) > 1 and _tied(held, pot, shares):
            hit = _misplaced(table, pot, shares)
            if hit:
                return [hit]
    return None


def _shares(hand: Hand, held: Contest, number: int) -> dict[int, int]:
    """What each seat got of a pot, clockwise from the left of the button; nothing where nobody can say of which."""
    if len(held.pots) > 1 and not any(award.pot for award in hand.awards):
        return {}
    shares: dict[int, int] = {}
    awards = [award for award in hand.awards if award.pot == number and held.board in (0, award.board)]
    for seat in _clockwise(hand):
        chips = sum(award.amount for award in awards if award.seat == seat)
        if chips:
            shares[seat] = chips
    return shares


def _clockwise(hand: Hand) -> list[int]:
    assert hand.button is not None
    button, seats = hand.button, hand.sorted_seats
    return [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]


def _tied(held: Contest, pot: Pot, shares: dict[int, int]) -> bool:
    """Every winner is known, all are as strong, and no hand is better."""
    if not all(seat in held.hands and seat in pot.seats for seat in shares):
        return False
    (keys,) = held.parts(pot)
    return {keys.get(seat) for seat in shares} == {min(keys.values())}


def _misplaced(table: Table, pot: Pot, shares: dict[int, int]) -> Hit | None:
    hand, house = table.hand, table.memory.house
    seqs = tuple(award.seq for award in hand.awards)
    seats = list(shares)
    if house.odd_chip == "left_of_button":
        for seat, after in pairwise(seats):
            if shares[after] > shares[seat]:
                return Hit(
                    f"Seats {seat} and {after} tie: the odd chip belongs to seat {seat}, first to the left of the "
                    f"button, and seat {after} got {shares[after] - shares[seat]} more.",
                    seats=(after, seat),
                    evidence=seqs,
                )
    unit = smallest_chip(table)
    apart = max(shares.values()) - min(shares.values())
    if not unit or apart <= unit + sum(shares.values()) % unit:
        return None  # chips below the unit may go with an odd chip
    return Hit(
        f"{sum(shares.values())} was split among {len(shares)} seats that tie, and their shares are {apart} apart: the "
        f"smallest chip is {unit}.",
        seats=tuple(sorted(shares)),
        evidence=seqs,
    )


def _run_twice(*shares: int) -> list[Any]:
    """Three of a kind are on the second board only: seats 1 and 2 tie on the first, and share half of 1,050."""
    told = Scene(3, short={1: 500, 2: 500}).start().post(3, "ante", 50).blinds()
    told.deal({1: "As Kd", 2: "Ac Kh", 3: "7c 2d"}).fold(3).raise_to(1, 500, all_in=True).call(2)
    told.burn().board("3c", "4h", "9s").burn().board("9d").burn().board("Qc")
    told.burn().board("Kc", board=2).burn().board("Ks", board=2).show(1, "As Kd").show(2, "Ac Kh")
    for board, (seat, chips) in zip((1, 1, 2, 2), zip((1, 2, 1, 2), shares, strict=True), strict=True):
        told.add(PotAwarded, seat=seat, board=board, amount=chips)
    return told.end().script()


def _tie(*, ante: int = 25, **scene: object) -> Scene:
    """Seats 1 and 2 tie for a pot of 325: one odd chip of 25."""
    told = Scene(4, **scene)  # type: ignore[arg-type]
    told.start().post(4, "ante", ante).blinds().deal({1: "As Kd", 2: "Ac Kh"}).call(3).fold(4).call(1).check(2)
    told.burn().board("3c", "4h", "9s").check(1, 2, 3).burn().board("9d").check(1, 2, 3).burn().board("Qc")
    return told.check(1, 2, 3).show(1, "As Kd").show(2, "Ac Kh")


ODD_CHIP_WRONG = Rule(
    code="POT106",
    name="odd-chip-wrong",
    severity="minor",
    source="+",
    what="Hands that tie shared a pot, and the odd chip went to another seat than the first of them to the left of the "
    "button, or the shares differ by more than the smallest chip. A pot is split in units of the smallest chip in "
    "play: how large that is, the house (`odd_chip_unit`) or the stakes (`smallest_chip`, more than one) say; where "
    "neither does, only who got the larger share is judged. Boards run twice are judged where the feed says "
    "which award is of which board; high and low, and stud, are not.",
    why="It is the players' money, and a habit shows in it.",
    prescription="The odd chip goes to the first seat to the left of the button among those that tie.",
    observes=frozenset({"betting", "awards", "button"}),
    triage="See in which chips the pot was split.",
    false_positives="A house with another rule for the odd chip (`odd_chip`).",
    checks={HandEnded: _ended},
    examples=lambda: (
        flags("it goes to the later seat", _tie().award(1, 150).award(2, 175).end().script()),
        flags(
            "three chips are no odd chip",
            _tie(house={"odd_chip_unit": 25}).award(1, 200).award(2, 125).end().script(),
        ),
        passes("it goes to the first seat left of the button", _tie().award(1, 175).award(2, 150).end().script()),
        passes(
            "an odd chip of 25, where nobody says what the smallest chip is",
            _tie().award(1, 175).award(2, 150).end().script(),
        ),
        passes(
            "an odd chip of 25, and a chip less that makes no whole one",
            _tie(ante=26, house={"odd_chip_unit": 25}).award(1, 176).award(2, 150).end().script(),
        ),
        flags("run twice: the odd chip of a board goes to the later seat", _run_twice(263, 262, 262, 263)),
        passes("run twice: the odd chip of each board goes to the first seat", _run_twice(263, 262, 263, 262)),
        passes("no odd chip", _tie(ante=30).award(1, 165).award(2, 165).end().script()),
        passes(
            "the house gives it to any seat",
            _tie(house={"odd_chip": "any"}).award(1, 150).award(2, 175).end().script(),
        ),
    ),
)  # fmt: skip

RULES = (ODD_CHIP_WRONG,)
