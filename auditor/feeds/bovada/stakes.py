"""The stakes of a hand: what is posted, for no line of a cash game names them."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.events import Stakes
from auditor.feeds.bovada.head import Head
from auditor.feeds.bovada.lines import Line
from auditor.games import GAMES

#: Where the small blind is not half of the big one, in cents.
_SMALL_OF_BIG = {5: 2, 25: 10}
_BIG_OF_SMALL = {small: big for big, small in _SMALL_OF_BIG.items()}


def stakes_of(head: Head, lines: Sequence[Line]) -> Stakes:
    """The stakes, 0 where the hand does not tell. Raises `BrokenHandError` for an amount that is none."""
    ante = max((head.chips(line.amount) for line in lines if line.verb == "ante"), default=0)
    if not GAMES[head.game].button:
        small, big = _stud_bets(head, lines)
        brought = [line for line in lines if line.verb in ("bring_in", "big_blind")]
        return Stakes(
            ante=ante,
            bring_in=head.chips(brought[0].amount) if brought else 0,
            small_bet=small,
            big_bet=big,
        )
    small, big = _blinds(head, lines)
    limit = head.betting == "limit"
    return Stakes(
        small_blind=small, big_blind=big, ante=ante, small_bet=big if limit else 0, big_bet=2 * big if limit else 0
    )


def _blinds(head: Head, lines: Sequence[Line]) -> tuple[int, int]:
    """What was posted tells more than the level: exports are known to name one that has not begun."""
    posted = {
        line.verb: head.chips(line.amount) for line in reversed(lines) if line.verb in ("small_blind", "big_blind")
    }
    small, big = posted.get("small_blind", 0), posted.get("big_blind", 0)
    if small and big:
        return min(small, big), big
    if head.level is not None and head.level[1] and (not big or big == head.level[1]):
        return head.level
    if big:
        return _SMALL_OF_BIG.get(big, big // 2), big
    return small, _BIG_OF_SMALL.get(small, 2 * small)


def _stud_bets(head: Head, lines: Sequence[Line]) -> tuple[int, int]:
    """The small and the big bet, by the first bets of third and of fifth street."""
    street = 2
    last_dealt: dict[str, int] = {}
    bets: dict[int, int] = {}
    for line in lines:
        if line.verb == "deal":
            last_dealt[line.who] = last_dealt.get(line.who, 2) + 1
            street = max(last_dealt.values())
        elif line.verb in ("bet", "raise") and street not in bets:
            bets[street] = head.chips(line.to or line.amount)
    if third := bets.get(3):
        return third, 2 * third
    late = next((bets[street] for street in (5, 6, 7) if street in bets), 0)
    return (late // 2, late) if late else (0, 0)
