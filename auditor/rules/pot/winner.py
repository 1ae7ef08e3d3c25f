"""POT104: the pot went to another hand than the best one shown."""

from __future__ import annotations

from typing import Any

from auditor.events import HandEnded, PotAwarded
from auditor.rules.pot.contest import Contest, contest, on_each_board, paid
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import pots
from auditor.table.hand import Hand
from auditor.table.pots import Pot
from auditor.table.table import Table


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    held = contest(table)
    if held is None or _plainly_right(table.hand, held):
        return None
    for each in on_each_board(table.hand, held):
        hits = _judge(table, each)
        if hits:
            return hits
    return None


def _judge(table: Table, held: Contest) -> list[Hit] | None:
    hand = table.hand
    won = {seat: chips for seat in hand.live if (chips := _won(hand, held, seat)) > 0}
    beaten = tuple(seat for seat in sorted(won) if _beaten(held, seat) and _better(held, seat))
    passed_over = tuple(seat for seat in sorted(held.shown.difference(won)) if _passed_over(held, won, seat))
    if beaten:
        return [_wrong(hand, held, beaten, _better(held, beaten[0]))]
    if passed_over:
        got = f"seat {passed_over[0]} got nothing of it, though its hand is no worse"
        return [
            _hit(hand, f"The pot{_on_board(held)} went to {_listed(won)}, and {got}.", (*sorted(won), *passed_over))
        ]
    return _too_large_a_share(table, held)


def _plainly_right(hand: Hand, held: Contest) -> bool:
    """As nearly always: one pot, one board, one winner, and every other hand that is known is worse."""
    if len(held.pots) != 1 or held.boards != 1 or len(held.sides) != 1 or len(hand.awarded) != 1:
        return False
    (winner,) = hand.awarded
    if winner not in held.hands:
        return False
    (keys,) = held.parts(held.pots[0])
    own = keys.get(winner)
    return own is not None and all(own < key for seat, key in keys.items() if seat != winner)


def _won(hand: Hand, held: Contest, seat: int) -> int:
    """Chips that a seat won, apart from its own that nobody called."""
    owner, chips = pots.uncalled(hand)
    own = max(0, chips - hand.returned.get(seat, 0)) if seat == owner else 0
    return paid(hand, held).get(seat, 0) - own


def _contested(held: Contest, seat: int) -> list[Pot]:
    return [pot for pot in held.pots if seat in pot.seats]


def _beaten(held: Contest, seat: int) -> bool:
    """A hand that was shown is better, on every board and side of every pot that the seat had a stake in."""
    if seat not in held.hands:
        return False
    for pot in _contested(held, seat):
        for keys in held.parts(pot):
            best = min((key for other, key in keys.items() if other in held.shown and other != seat), default=None)
            own = keys.get(seat)
            if own is not None and (best is None or own <= best):
                return False
        if len(pot.seats) == 1:
            return False
    return True


def _passed_over(held: Contest, won: dict[int, int], seat: int) -> bool:
    """Part of a pot was this seat's: no hand that won chips beats it there. All of them must be known."""
    for pot in _contested(held, seat):
        winners = [other for other in pot.seats if other in won]
        if not winners or not all(other in held.hands for other in winners):
            continue
        for keys in held.parts(pot):
            own = keys.get(seat)
            if own is not None and all(other not in keys or own <= keys[other] for other in winners):
                return True
    return False


def _better(held: Contest, seat: int) -> tuple[int, ...]:
    """Hands shown that beat this one on some part of a pot that both contest."""
    found: set[int] = set()
    for pot in _contested(held, seat):
        for keys in held.parts(pot):
            own = keys.get(seat)
            found.update(other for other in held.shown.intersection(keys) if own is None or keys[other] < own)
    return tuple(sorted(found - {seat}))


def _too_large_a_share(table: Table, held: Contest) -> list[Hit] | None:
    """More than the shares of a seat, by more than an odd chip can make."""
    hand, awarded = table.hand, paid(table.hand, held)
    if any(seat not in held.hands for seat in awarded):
        return None
    stakes = hand.stakes
    odd = 2 * max(1, stakes.smallest_chip, stakes.small_blind, stakes.ante, table.memory.house.odd_chip_unit)
    due: dict[int, int] = {}
    splits: dict[int, int] = {}
    for pot in held.pots:
        parts = list(held.parts(pot))
        for keys in parts:
            if not keys:
                return None  # nobody is known to contest it
            best = min(keys.values())
            winners = [seat for seat, key in keys.items() if key == best]
            for seat in winners:
                due[seat] = due.get(seat, 0) + -(-pot.amount // (len(parts) * len(winners)))
                splits[seat] = splits.get(seat, 0) + (len(parts) * len(winners) > 1)
    for seat, chips in sorted(awarded.items()):
        share = due.get(seat, 0)
        if chips > share + odd * splits.get(seat, 0):
            others = tuple(sorted(due.keys() - {seat}))
            return [
                _hit(
                    hand,
                    f"Seat {seat} won {chips} of the pot{_on_board(held)}, and its share is {share}.",
                    (seat, *others),
                )
            ]
    return None


def _on_board(held: Contest) -> str:
    return f" on board {held.board}" if held.board else ""


def _wrong(hand: Hand, held: Contest, beaten: tuple[int, ...], better: tuple[int, ...]) -> Hit:
    seat = beaten[0]
    chips = paid(hand, held)[seat]
    return _hit(
        hand,
        f"Seat {seat} won {chips}{_on_board(held)}, and the hand that seat {better[0]} showed is better.",
        (*beaten, *better),
    )


def _listed(won: dict[int, int]) -> str:
    return ", ".join(f"seat {seat} ({chips})" for seat, chips in sorted(won.items()))


def _hit(hand: Hand, message: str, seats: tuple[int, ...]) -> Hit:
    return Hit(message, seats=tuple(dict.fromkeys(seats)), evidence=tuple(award.seq for award in hand.awards))


def _to_the_river(hands: dict[int, str], board: str, players: int = 3, **scene: Any) -> Scene:
    """A hand that is checked down on a board that the script names."""
    cards = board.split()
    told = Scene(players, **scene).start().blinds().deal(hands).limp().burn().board(*cards[:3]).checks_around()
    return told.burn().board(cards[3]).checks_around().burn().board(cards[4]).checks_around()


def _run_twice() -> Scene:
    """Aces and kings are all-in for 20,000 each. The aces win the first board, the kings the second."""
    told = Scene(2).start().blinds().deal({1: "As Ad", 2: "Ks Kd"}).raise_to(2, 20_000, all_in=True).call(1)
    told.burn().board("2c", "7d", "9h").burn().board("3c").burn().board("4c")
    return told.burn().board("2s", board=2).burn().board("Kh", board=2).show(1, "As Ad").show(2, "Ks Kd")


def _award_on(scene: Scene, *awards: tuple[int, int, int]) -> list[Any]:
    """Awards by seat, board and chips."""
    for seat, board, chips in awards:
        scene.add(PotAwarded, seat=seat, board=board, amount=chips)
    return scene.end().script()


_ACES_AND_KINGS = {1: "As Ad", 2: "Ks Kd", 3: "7c 2d"}
_LOW_BOARD = "3c 4h 9s 9d Qc"

WRONG_WINNER = Rule(
    code="POT104",
    name="wrong-winner",
    severity="critical",
    source="+",
    what="At a showdown, chips went to a hand that another one shown beats, a hand that ties with the winner got "
    "nothing, or a seat got far more than its share: by the game's own ranking, on every board, in the pots that a "
    "seat has a stake in. Only hands that were shown can claim a pot; where a hand that won chips is not known, it is "
    "not judged.",
    why="The cards speak: the chips belong to the best hand.",
    prescription="None by itself: the pot belongs to the best hand shown, until the next hand begins.",
    observes=frozenset({"betting", "awards"}),
    triage="Read the board and the hands on camera, and put it right before the next hand begins.",
    false_positives="A hand that was thrown away after it had been shown; an agreement among the players.",
    checks={HandEnded: _ended},
    examples=lambda: (
        flags(
            "kings take the pot from aces",
            _to_the_river(_ACES_AND_KINGS, _LOW_BOARD).show(1, "As Ad").show(2, "Ks Kd").win(2).script(),
        ),
        flags(
            "a tie, and one of the two gets it all",
            _to_the_river({1: "As Kd", 2: "Ac Kh", 3: "7c 2d"}, _LOW_BOARD).show(1, "As Kd").show(2, "Ac Kh").win(1)
            .script(),
        ),
        flags(
            "the pot is split, and there was no tie",
            _to_the_river(_ACES_AND_KINGS, _LOW_BOARD).show(1, "As Ad").show(2, "Ks Kd").award(1, 150)
            .award(2, 150).end().script(),
        ),
        flags(
            "a tie, and the parts are far from equal",
            _to_the_river({1: "As Kd", 2: "Ac Kh", 3: "7c 2d"}, _LOW_BOARD).show(1, "As Kd").show(2, "Ac Kh")
            .award(1, 280).award(2, 20).end().script(),
        ),
        flags(
            "the winner's hand was read, and not shown",
            _to_the_river(_ACES_AND_KINGS, _LOW_BOARD).show(1, "As Ad").win(2).script(),
        ),
        flags(
            "short deck: a full house takes the pot from a flush",
            _to_the_river({1: "As Ks", 2: "Qc Qd", 3: "7c 6d"}, "9s 7s Qs 9d Kh", game="short_deck").show(1, "As Ks")
            .show(2, "Qc Qd").win(2).script(),
        ),
        flags(
            "the second board is another player's, and one takes it all",
            Scene(2).start().blinds().deal({1: "As Ad", 2: "Ks Kd"}).raise_to(2, 20_000, all_in=True).call(1)
            .burn().board("2c", "7d", "9h").burn().board("3c").burn().board("4c")
            .burn().board("2s", board=2).burn().board("Kh", board=2).show(1, "As Ad").show(2, "Ks Kd").win(1).script(),
        ),
        passes(
            "the best hand wins",
            _to_the_river(_ACES_AND_KINGS, _LOW_BOARD).show(1, "As Ad").show(2, "Ks Kd").win(1).script(),
        ),
        passes(
            "a better hand was thrown away without being shown",
            _to_the_river(_ACES_AND_KINGS, _LOW_BOARD).show(2, "Ks Kd").win(2).script(),
        ),
        passes(
            "the hand that won was never read: nobody can say",
            _to_the_river({1: "As Ad", 2: "?? ??", 3: "7c 2d"}, _LOW_BOARD).show(1, "As Ad").win(2).script(),
        ),
        passes(
            "a hand of which one card was shown claims nothing",
            _to_the_river(_ACES_AND_KINGS, _LOW_BOARD).show(1, "As").win(2).script(),
        ),
        passes(
            "a hand that folded would have won",
            Scene().start().blinds().deal(_ACES_AND_KINGS).call(3).fold(1).check(2).flop().check(2, 3).turn()
            .check(2, 3).river().check(2, 3).show(2, "Ks Kd").show(1, "As Ad").win(2).script(),
        ),
        passes(
            "the pot is split, with an odd chip",
            Scene(4).start().post(4, "ante", 25).blinds().deal({1: "As Kd", 2: "Ac Kh"}).call(3).fold(4).call(1)
            .check(2).burn().board("3c", "4h", "9s").check(1, 2, 3).burn().board("9d").check(1, 2, 3).burn()
            .board("Qc").check(1, 2, 3).show(1, "As Kd").show(2, "Ac Kh").award(1, 175).award(2, 150).end().script(),
        ),
        passes(
            "the board plays: three seats share",
            _to_the_river({1: "2c 3d", 2: "2h 4s", 3: "7c 2d"}, "Ah Kh Qh Jh Th").show(1, "2c 3d").show(2, "2h 4s")
            .show(3, "7c 2d").award(1, 100).award(2, 100).award(3, 100).end().script(),
        ),
        passes(
            "the short stack has the best hand, and the side pot goes to another",
            Scene(short={1: 500}).start().blinds().deal({1: "As Ad", 2: "Ks Kd", 3: "Qs Qd"}).raise_to(3, 1_500)
            .call_short(1).call(2).burn().board("3c", "4h", "9s").check(2, 3).burn().board("9d").check(2, 3).burn()
            .board("2c").check(2, 3).show(1, "As Ad").show(2, "Ks Kd").award(1, 1_500).award(2, 2_000).end().script(),
        ),
        passes(
            "the board is run twice, and each player wins one",
            Scene(2).start().blinds().deal({1: "As Ad", 2: "Ks Kd"}).raise_to(2, 20_000, all_in=True).call(1)
            .burn().board("2c", "7d", "9h").burn().board("3c").burn().board("4c")
            .burn().board("2s", board=2).burn().board("Kh", board=2).show(1, "As Ad").show(2, "Ks Kd")
            .award(1, 20_000).award(2, 20_000).end().script(),
        ),
        flags(
            "run twice, each gets half, and each that of the other's board",
            _award_on(_run_twice(), (2, 1, 20_000), (1, 2, 20_000)),
        ),
        flags(
            "run twice, and the first board is paid with more than its half",
            _award_on(_run_twice(), (1, 1, 30_000), (2, 2, 10_000)),
        ),
        passes("run twice, and each board to its winner", _award_on(_run_twice(), (1, 1, 20_000), (2, 2, 20_000))),
        passes(
            "an uncalled bet is paid to its owner, who lost the rest",
            Scene(2, short={1: 500}).start().blinds().deal({1: "As Ad", 2: "Ks Kd"}).raise_to(2, 800).call_short(1)
            .burn().board("3c", "4h", "9s").burn().board("9d").burn().board("2c").show(1, "As Ad").show(2, "Ks Kd")
            .award(1, 1_000).award(2, 300).end().script(),
        ),
        passes(
            "short deck: a flush beats a full house",
            _to_the_river({1: "As Ks", 2: "Qc Qd", 3: "7c 6d"}, "9s 7s Qs 9d Kh", game="short_deck").show(1, "As Ks")
            .show(2, "Qc Qd").win(1).script(),
        ),
        passes(
            "a feed that does not see the awards",
            _to_the_river(
                _ACES_AND_KINGS, _LOW_BOARD, observes=tuple(c for c in EVERYTHING if c != "awards")
            ).show(1, "As Ad").show(2, "Ks Kd").win(2).script(),
        ),
    ),
)  # fmt: skip

RULES = (WRONG_WINNER,)
