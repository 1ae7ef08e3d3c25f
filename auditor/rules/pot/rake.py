"""POT107: what the house took."""

from __future__ import annotations

from auditor.events import HandEnded, RakeTaken
from auditor.house import RakeRule
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import pots
from auditor.table.hand import Hand
from auditor.table.table import Table


def _ended(table: Table, event: HandEnded) -> list[Hit] | None:
    rule, hand = table.memory.house.rake, table.hand
    if rule is None or not pots.paid_out(hand):
        return None
    if hand.rake == _of_the_whole(rule, hand):
        return None
    least, most = _due(rule, hand)
    if least <= hand.rake <= most:
        return None
    due = str(most) if least == most else f"{least} to {most}"
    return [Hit(f"The house took {hand.rake} of the pot: its rake is {due}.", seats=tuple(sorted(hand.awarded)))]


def _of_the_whole(rule: RakeRule, hand: Hand) -> int:
    """The rake of the whole pot, as nearly always; -1 where that is not so simple."""
    pot = hand.pot - sum(hand.returned.values())
    if pots.uncalled(hand)[1] > sum(hand.returned.values()) or (rule.no_flop_no_drop and not hand.board):
        return -1
    taken = _taken(rule, pot, up=rule.rounding == "up")
    return min(taken, rule.cap) if rule.cap else taken


def _due(rule: RakeRule, hand: Hand) -> tuple[int, int]:
    """The least and the most that is right: the rake of each pot is rounded, or that of the whole."""
    if rule.no_flop_no_drop and hand.game.has_board and not hand.board:
        return 0, 0
    seat, chips = pots.uncalled(hand)
    own = chips - hand.returned.get(seat, 0)  # what nobody called, and is still in the pot
    pot = hand.pot - sum(hand.returned.values()) - max(0, own)
    shares = [share.amount for share in pots.divide(hand)]
    if shares:
        shares[-1] -= max(0, own)
    else:
        shares = [pot]
    shares = [share for share in shares if share > 0]
    up, down = rule.rounding == "up", rule.rounding == "down"
    fresh = pot - hand.carried_pot - hand.splash  # what was carried over, or is the house's, need not be raked
    least = min(_taken(rule, fresh, up=up), _taken(rule, pot, up=up), _of_each(rule, shares, up=up))
    most = max(_taken(rule, pot, up=not down), _of_each(rule, shares, up=not down))
    return (min(least, rule.cap), min(most, rule.cap)) if rule.cap else (least, most)


def _of_each(rule: RakeRule, shares: list[int], *, up: bool) -> int:
    return sum(_taken(rule, share, up=up) for share in shares)


def _taken(rule: RakeRule, chips: int, *, up: bool) -> int:
    """The percentage of some chips, in units of the rake's smallest chip."""
    hundredths, unit = chips * round(rule.percent * 100), 10_000 * rule.unit
    return (-(-hundredths // unit) if up else hundredths // unit) * rule.unit


_HOUSE = {"rake": {"percent": 5, "cap": 300, "unit": 5}}


def _pot_of_300(house: dict[str, object] | None = None) -> Scene:
    return Scene(house=_HOUSE if house is None else house).opened().limp().flop().checks_around()


RAKE_WRONG = Rule(
    code="POT107",
    name="rake-wrong",
    severity="major",
    source="+",
    what="The house took another rake than its own rule gives: a percentage of the pot, without what nobody called, in "
    "whole chips, up to a cap, and nothing of a hand without a flop. Judged only where the house says what its rake is "
    "(`rake`: `percent`, `cap`, `no_flop_no_drop`, `unit`, `rounding`).",
    why="Too much is taken from the players, too little from the house.",
    prescription="None by itself: the difference goes to the winner, or to the house.",
    observes=frozenset({"betting", "awards"}),
    triage="Count the pot, and see whether the same dealer's hands differ in the same way.",
    false_positives="A jackpot drop reported as rake; a cap that depends on the number of players.",
    checks={HandEnded: _ended},
    examples=lambda: (
        flags("too much", _pot_of_300().rake(20).award(1, 280).end().script()),
        flags(
            "rounded up, where the house rounds down",
            Scene(house={"rake": {"percent": 4.5, "unit": 5}}).opened().limp().flop().checks_around().rake(15)
            .award(1, 285).end().script(),
        ),
        flags("nothing, and it was due", _pot_of_300().win(1).script()),
        flags(
            "no flop, no drop",
            Scene(house=_HOUSE).opened().raise_to(3, 300).fold(1, 2).refund_to(3, 200).rake(10).award(3, 240).end()
            .script(),
        ),
        flags(
            "more than the cap",
            Scene(house={"rake": {"percent": 5, "cap": 10}}).opened().limp().flop().checks_around().rake(15)
            .award(1, 285).end().script(),
        ),
        passes("five in the hundred", _pot_of_300().rake(15).award(1, 285).end().script()),
        passes(
            "a jackpot drop and a fee besides are no rake",
            _pot_of_300().rake(15).add(RakeTaken, amount=10, kind="jackpot").add(RakeTaken, amount=5, kind="fee")
            .award(1, 270).end().script(),
        ),
        passes(
            "the house's splash is not raked",
            Scene(house=_HOUSE).start(splash=500).blinds().deal().limp().flop().checks_around().rake(15)
            .award(1, 785).end().script(),
        ),
        passes("the house has not said what it takes", _pot_of_300({}).rake(40).award(1, 260).end().script()),
        passes("a walk is not raked", Scene(house=_HOUSE).opened().walk().script()),
        passes(
            "what nobody called is not raked",
            _pot_of_300().turn().raise_to(1, 1_000).fold(2, 3).rake(15).award(1, 1_285).end().script(),
        ),
        passes(
            "rounded down to the unit",
            Scene(house={"rake": {"percent": 4.5, "unit": 5}}).opened().limp().flop().checks_around().rake(10)
            .award(1, 290).end().script(),
        ),
        passes(
            "rounded up to it, where the house does",
            Scene(house={"rake": {"percent": 4.5, "unit": 5, "rounding": "up"}}).opened().limp().flop()
            .checks_around().rake(15).award(1, 285).end().script(),
        ),
    ),
)  # fmt: skip

RULES = (RAKE_WRONG,)
