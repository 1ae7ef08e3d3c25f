"""Where the button belongs.

Robert's Rules leave three ways to the house: the moving button goes to the next player, the dead button follows the
blinds and may rest on an empty seat, the simplified moving button is a moving button whose blinds follow it.
"""

from __future__ import annotations

from auditor.events import HandStarted
from auditor.house import HouseRules
from auditor.table.memory import ButtonMemory


def next_clockwise(seat: int, seats: tuple[int, ...]) -> int:
    """The first of `seats` (in the order of their numbers) that comes after `seat`."""
    for candidate in seats:
        if candidate > seat:
            return candidate
    return seats[0]


def nearest_clockwise(seat: int, seats: frozenset[int]) -> int:
    """The first of some seats, the button's own last of all, clockwise of `seat`."""
    return next_clockwise(seat, tuple(sorted(seats)))


def corrects(last: ButtonMemory, event: HandStarted) -> bool:
    """Whether a hand puts the wrong button of the last one right."""
    return event.button_seat in correcting(last, event)


def correcting(last: ButtonMemory, event: HandStarted) -> tuple[int, ...]:
    """The seats that put a wrong button right: where it was due, or the one behind that.

    Heads-up the one behind is the player who has had it: only where it was due does the other one get it.
    """
    players = tuple(sorted(s.seat for s in event.seats if s.entitled))
    if not players or (len(players) == 2 and last.players == players):
        return (last.correct,)
    return (last.correct, next_clockwise(last.correct, players))


def rightful(last: ButtonMemory, event: HandStarted, house: HouseRules) -> frozenset[int]:
    """The seats where the button of this hand is right; empty where nobody can say."""
    players = tuple(sorted(s.seat for s in event.seats if s.entitled))
    if len(players) < 2 or last.hand_id == event.hand_id:
        return frozenset()
    if last.misdealt or event.redeal_of is not None:
        return frozenset((last.seat, last.correct))
    right = _after(last.correct, last, players, house)
    if last.seat != last.correct:
        # One error is one incident: the seat that corrects it, and the one next to the wrong one, are no new error.
        right |= {last.correct} | _after(last.seat, last, players, house)
    if last.voided:
        right |= {last.seat}  # whether such a hand counts for the round is left to the house
    return frozenset(right)


def _after(button: int, last: ButtonMemory, players: tuple[int, ...], house: HouseRules) -> set[int]:
    moving = next_clockwise(button, players)
    if len(players) == 2:
        return _heads_up(button, last, players)
    if house.button_rule in ("moving", "simplified"):
        return {moving}
    # Dead button: it goes to where the small blind was, though that player be gone.
    dead = {last.small_blind if last.small_blind is not None else next_clockwise(button, last.players)}
    if last.seat != button or len(last.players) == 2:
        dead.add(next_clockwise(button, last.players))
    if len(last.players) == 2:
        dead.add(moving)  # a third player came to a heads-up game
    return dead if house.button_rule == "dead" else {*dead, moving}


def _heads_up(button: int, last: ButtonMemory, players: tuple[int, ...]) -> set[int]:
    """The button posts the small blind, and nobody posts the big blind twice running."""
    if len(last.players) == 2 and last.players == players:
        return {next_clockwise(button, players)}
    right = {next_clockwise(button, players)}
    if last.big_blind is not None:
        big_blind = next_clockwise(last.big_blind, players)
        right.add(players[0] if players[1] == big_blind else players[1])
    return right
