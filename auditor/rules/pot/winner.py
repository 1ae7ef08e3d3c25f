"""POT104: the pot went to another hand than the best one shown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from auditor.events import CardReturned, ChipsReturned, ClockExpired, HandEnded, PotAwarded
from auditor.rules.pot.contest import Contest, at_most_an_odd_chip, contest, on_each_board, paid, smallest_chip
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import pots
from auditor.table.hand import Hand
from auditor.table.pots import Pot
from auditor.table.table import Table


class _Share(NamedTuple):
    """What a seat has coming of the pots, to the fraction of a chip, and what odd chips never come to."""

    chips: Fraction = Fraction(0)
    odd: Fraction = Fraction(0)  # nothing, where all that it has coming is whole pots


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
    shares = _shares(table, held)
    beaten = tuple(seat for seat in sorted(won) if _beaten(held, seat) and _better(held, seat))
    passed_over = tuple(seat for seat in sorted(held.shown.difference(won)) if _passed_over(held, won, seat))
    passed_over = tuple(seat for seat in passed_over if _is_payable(hand, held, shares, seat))
    if beaten:
        return [_wrong(hand, held, shares, beaten)]
    if passed_over:
        got = f"seat {passed_over[0]} got nothing of it, though its hand is no worse"
        at_its_cost = [seat for seat in sorted(won) if won[seat] > shares.get(seat, _Share()).chips] or sorted(won)
        told = f"The pot{_on_board(held)} went to {_listed(won)}, and {got}."
        return [_hit(hand, told, (*at_its_cost, *passed_over))]
    return _too_large_a_share(hand, held, shares)


def _plainly_right(hand: Hand, held: Contest) -> bool:
    """As nearly always: one pot, one board, one winner, and every other hand that is known is worse."""
    if len(held.pots) != 1 or held.boards != 1 or len(held.sides) != 1 or len(hand.awarded) != 1:
        return False
    if held.called_back[1]:
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


def _is_payable(hand: Hand, held: Contest, shares: dict[int, _Share], seat: int) -> bool:
    """The seat has something coming, and what it lacks of it is not so little that there may be no chip for it."""
    if seat not in shares:
        return not shares  # another one has it coming; or nobody can say who
    share = shares[seat]
    return share.chips - paid(hand, held).get(seat, 0) - hand.taken >= share.odd


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


def _shares(table: Table, held: Contest) -> dict[int, _Share]:
    """What each seat has coming; nothing where nobody is known to contest a part of a pot.

    Of n shares, the largest is less than n - 1 chips larger than its exact part: all the odd chips, and what makes no
    whole one. The others are less than a chip smaller.
    """
    chip = at_most_an_odd_chip(table)
    unit = smallest_chip(table) or chip
    tied = unit if len(held.sides) > 1 else chip  # of hands that tie for one side, POT106 judges how they share it
    shares: dict[int, _Share] = {}
    for pot in held.pots:
        for board in range(held.boards):
            sides = list(held.sides_of(pot, board))
            parts = held.boards * len(sides)
            for keys in sides:
                if not keys:
                    return {}
                best = min(keys.values())
                winners = [seat for seat, key in keys.items() if key == best]
                chips = Fraction(pot.amount, parts * len(winners))
                odd = Fraction((held.shared_by * parts - 1) * unit, len(winners)) + (len(winners) - 1) * tied
                for seat in winners:
                    so_far = shares.get(seat, _Share())
                    shares[seat] = _Share(so_far.chips + chips, so_far.odd + odd)
    return shares


def _too_large_a_share(hand: Hand, held: Contest, shares: dict[int, _Share]) -> list[Hit] | None:
    """More than the shares of a seat, by more than an odd chip can make."""
    won = paid(hand, held)
    if not shares or any(seat not in held.hands for seat in won):
        return None
    for seat, chips in sorted(won.items()):
        share = shares.get(seat, _Share())
        if chips > share.chips and chips >= share.chips + share.odd:
            others = tuple(sorted(shares.keys() - {seat}))
            told = f"Seat {seat} won {chips} of the pot{_on_board(held)}, and its share is {-(-share.chips // 1)}."
            return [_hit(hand, told, (seat, *others))]
    return None


def _on_board(held: Contest) -> str:
    return f" on board {held.board}" if held.board else ""


def _wrong(hand: Hand, held: Contest, shares: dict[int, _Share], beaten: tuple[int, ...]) -> Hit:
    seat, won = beaten[0], paid(hand, held)
    better = sorted({other for loser in beaten for other in _better(held, loser)})
    # Those of the better hands that lack what went to another, whoever lacks most first; all, if nobody can say.
    lacks = {other: shares.get(other, _Share()).chips - won.get(other, 0) for other in better}
    better = sorted((other for other in better if lacks[other] > hand.taken), key=lambda o: -lacks[o]) or better
    told = f"Seat {seat} won {won[seat]}{_on_board(held)}"
    if seat == held.called_back[0]:
        told = f"Seat {seat} got back {held.called_back[1]} that had been called"
    hit = _hit(hand, f"{told}, and the hand that seat {better[0]} showed is better.", (*beaten, *better))
    back = [each.seq for each in hand.moved if isinstance(each, ChipsReturned) and each.seat == held.called_back[0]]
    return hit._replace(evidence=(*back, *hit.evidence))


def _listed(won: dict[int, int]) -> str:
    return ", ".join(f"seat {seat} ({chips})" for seat, chips in sorted(won.items()))


def _hit(hand: Hand, message: str, seats: tuple[int, ...]) -> Hit:
    return Hit(message, seats=tuple(dict.fromkeys(seats)), evidence=tuple(award.seq for award in hand.awards))


def _to_the_river(hands: dict[int, str], board: str, players: int = 3, **scene: Any) -> Scene:
    """A hand that is checked down on a board that the script names."""
    cards = board.split()
    told = Scene(players, **scene).start().blinds().deal(hands).limp().burn().board(*cards[:3]).checks_around()
    return told.burn().board(cards[3]).checks_around().burn().board(cards[4]).checks_around()


def _run_twice(stack: int = 20_000, ante: int = 0, **scene: Any) -> Scene:
    """Aces and kings are all-in for 20,000 each. The aces win the first board, the kings the second."""
    told = Scene(2, stack=stack + ante, **scene).start()
    if ante:
        told.post(2, "ante", ante)
    told.blinds().deal({1: "As Ad", 2: "Ks Kd"}).raise_to(2, stack, all_in=not ante).call(1)
    told.burn().board("2c", "7d", "9h").burn().board("3c").burn().board("4c")
    return told.burn().board("2s", board=2).burn().board("Kh", board=2).show(1, "As Ad").show(2, "Ks Kd")


def _award_on(scene: Scene, *awards: tuple[int, int, int]) -> list[Any]:
    """Awards by seat, board and chips."""
    for seat, board, chips in awards:
        scene.add(PotAwarded, seat=seat, board=board, amount=chips)
    return scene.end().script()


def _called_on_the_river(bet: int = 500, short: int = 20_000) -> Scene:
    """Kings bet on the river, and aces call, for all that they have left."""
    told = Scene(3, short={1: short}).start().blinds().deal(_ACES_AND_KINGS).limp().burn().board("3c", "4h", "9s")
    told.checks_around().burn().board("9d").checks_around().burn().board("Qc").check(1).raise_to(2, bet).fold(3)
    told = told.call(1) if short > bet else told.call_short(1)
    return told.show(1, "As Ad").show(2, "Ks Kd")


def _three_pots() -> Scene:
    """Aces are all-in for 1,000, kings for 3,000; queens and fours play on for a second side pot of 4,000."""
    told = Scene(4, short={1: 1_000, 2: 3_000, 3: 5_000, 4: 5_000}).start().blinds()
    told.deal({1: "As Ad", 2: "Ks Kd", 3: "Qs Qd", 4: "4s 4d"}).raise_to(3, 5_000, all_in=True).call(4).call_short(1)
    told.call_short(2).burn().board("2c", "7d", "9h").burn().board("3c").burn().board("Tc")
    return told.show(1, "As Ad").show(2, "Ks Kd").show(3, "Qs Qd").show(4, "4s 4d")


def _high_and_low(**scene: Any) -> Scene:
    """Omaha eight or better, for 300: seat 3 has the high, seats 1 and 2 share the low."""
    hands = {1: "As 2d 9c Td", 2: "Ah 2s 9d Ts", 3: "Kh Ks Jd Js"}
    told = _to_the_river(hands, "3c 4h 7s Kd Qc", game="omaha_hilo", **scene)
    for seat, cards in hands.items():
        told.show(seat, cards)
    return told


def _premature_turn() -> Scene:
    """The turn comes before seat 3 has acted, and is dealt again; aces and kings are shown."""
    told = Scene().start().blinds().deal(_ACES_AND_KINGS).limp().burn().board("3c", "4h", "9s").check(1, 2)
    told.premature("Qh").announce().check(3).add(CardReturned, from_="board", card="Qh", to="set_aside")
    told.burn().board("9d").checks_around().reshuffle("stub", "set_aside").board("Qc").checks_around()
    return told.show(1, "As Ad").show(2, "Ks Kd")


def _exposed() -> Scene:
    """A card of seat 3 is exposed in the deal, and it keeps it; aces and kings are shown."""
    told = Scene().start().blinds().card(1, "As").card(2, "Ks").card(3, "7c").card(1, "Ad").card(2, "Kd")
    told.card(3, "2d", exposed_by="dealer").limp().burn().board("3c", "4h", "9s").checks_around().burn()
    return told.board("9d").checks_around().burn().board("Qc").checks_around().show(1, "As Ad").show(2, "Ks Kd")


def _out_of_time() -> Scene:
    """The clock runs out on seat 4, which faces a bet: its hand is out. Aces and kings are shown."""
    told = Scene(4).start().blinds().deal(_ACES_AND_KINGS).raise_to(3, 300).add(ClockExpired, seat=4).fold(4).call(1, 2)
    told.burn().board("3c", "4h", "9s").check(1, 2, 3).burn().board("9d").check(1, 2, 3).burn().board("Qc")
    return told.check(1, 2, 3).show(1, "As Ad").show(2, "Ks Kd")


_ACES_AND_KINGS = {1: "As Ad", 2: "Ks Kd", 3: "7c 2d"}
_LOW_BOARD = "3c 4h 9s 9d Qc"

WRONG_WINNER = Rule(
    code="POT104",
    name="wrong-winner",
    severity="critical",
    source="+",
    what="At a showdown, chips went to a hand that another one shown beats (awarded, or given back as uncalled though "
    "they had been called), a hand that ties with the winner got nothing, or a seat got more than its share and odd "
    "chips can come to: by the game's own ranking, on every board, in the pots that a seat has a stake in. Boards, and "
    "high and low, are split in chips of the smallest size; where neither the house (`odd_chip_unit`) nor the stakes "
    "(`smallest_chip`, more than one) say how large that is, it may be as large as the small blind or the ante. Only "
    "hands that were shown can claim a pot; where a hand that won chips is not known, it is not judged, nor where an "
    "irregularity that was not put right, or a hand that is dead and played on, decides who wins.",
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
        flags("a loser of the last side pot shares it", _three_pots().award(1, 4_000).award(2, 6_000).award(3, 2_000)
              .award(4, 2_000).end().script()),
        flags("a bet was called, and goes back to the loser", _called_on_the_river().refund_to(2, 500).award(1, 800)
              .end().script()),
        flags("more goes back than nobody called", _called_on_the_river(700, 600).refund_to(2, 300).award(1, 1_200)
              .end().script()),
        flags("high and low: a quarter is due, and half is paid", _high_and_low().award(1, 150).award(2, 75)
              .award(3, 75).end().script()),
        flags(
            "high and low, in chips of 5: the low gets 15 too much",
            _high_and_low(house={"odd_chip_unit": 5}).award(3, 135).award(1, 90).award(2, 75).end().script(),
        ),
        flags("a premature turn was put right, and kings take the pot from aces", _premature_turn().win(2).script(),
              also=("BRD101",)),
        flags("a card was exposed and kept, and kings take the pot from aces", _exposed().win(2).script(),
              also=("DEAL112", "RUL108")),
        flags("a hand is out by the clock, and kings take the pot from aces", _out_of_time().win(2).script(),
              also=("HND106",)),
        flags(
            "a hand was ruled dead, and kings take the pot from aces",
            Scene().start().blinds().deal(_ACES_AND_KINGS).limp().rule("hand_dead", seat=3).burn()
            .board("3c", "4h", "9s").check(1, 2).burn().board("9d").check(1, 2).burn().board("Qc").check(1, 2)
            .show(1, "As Ad").show(2, "Ks Kd").win(2).script(),
        ),
        passes(
            "the aces were ruled dead, at the showdown",
            _to_the_river(_ACES_AND_KINGS, _LOW_BOARD).show(1, "As Ad").show(2, "Ks Kd").rule("hand_dead", seat=1)
            .win(2).script(),
        ),
        passes(
            "a hand was ruled dead, and nobody says which",
            _to_the_river(_ACES_AND_KINGS, _LOW_BOARD).show(1, "As Ad").show(2, "Ks Kd").rule("hand_dead").win(2)
            .script(),
        ),
        passes("a premature turn was put right, and aces win", _premature_turn().win(1).script(), also=("BRD101",)),
        passes("high and low, and a tie for the low", _high_and_low().award(3, 150).award(1, 75).award(2, 75).end()
               .script()),
        passes(
            "the low's odd chip of 50",
            _high_and_low(house={"odd_chip_unit": 50}).award(3, 150).award(1, 100).award(2, 50).end().script(),
        ),
        passes("what nobody called goes back, and aces win the rest", _called_on_the_river(700, 600)
               .refund_to(2, 200).award(1, 1_300).end().script()),
        passes("a called bet goes back, to put something right", _called_on_the_river()
               .refund_to(2, 500, "correction").award(1, 800).end().script()),
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
        flags(
            "run twice in chips of 25, and one board gets a chip too many",
            _award_on(_run_twice(500, 25, house={"odd_chip_unit": 25}), (1, 1, 550), (2, 2, 475)),
        ),
        passes(
            "run twice in chips of 25: the first board gets the odd one",
            _award_on(_run_twice(500, 25, house={"odd_chip_unit": 25}), (1, 1, 525), (2, 2, 500)),
        ),
        passes(
            "the same, where nobody says what the smallest chip is",
            _award_on(_run_twice(500, 25), (1, 1, 525), (2, 2, 500)),
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
