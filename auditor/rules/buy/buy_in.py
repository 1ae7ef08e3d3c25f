"""BUY101 and BUY102: buy-ins that are less than a full one."""

from __future__ import annotations

from auditor.events import ChipsBought, PlayerLeft, PlayerSeated
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.stacks import full_buy_in
from auditor.table.table import Table


def _short_of(table: Table, event: ChipsBought) -> int:
    """The full buy-in, where this purchase is a buy-in of less; otherwise 0."""
    if event.kind != "buy_in" or event.reason != "purchase" or table.has_chips(event.seat):
        return 0  # it was not bought; or who has chips left adds to them, by whatever name
    memory = table.memory
    full = full_buy_in(memory.betting, memory.stakes, memory.house)
    return full if event.amount < full else 0


def _first(table: Table, event: ChipsBought) -> list[Hit] | None:
    full, memory = _short_of(table, event), table.memory
    session = memory.sessions.get(event.seat)
    if not full or (session.buy_ins if session else memory.sessions_lost or not memory.opened):
        return None
    message = f"Seat {event.seat} bought in for {event.amount}; a full buy-in is {full}."
    return [Hit(message, seats=(event.seat,))]


def _second(table: Table, event: ChipsBought) -> list[Hit] | None:
    full, session = _short_of(table, event), table.memory.sessions.get(event.seat)
    if not full or session is None or not session.short or session.bought:
        return None
    message = (
        f"Seat {event.seat} bought in for {event.amount}, short of the full {full} once more; one short buy-in a "
        "session is allowed."
    )
    return [Hit(message, seats=(event.seat,))]


def _bust_after(bought: int) -> Scene:
    """Seat 3 buys in, loses it all in one hand, and has nothing left."""
    scene = Scene(short={3: 0}).add(PlayerSeated, seat=3, player_id="P3")
    scene.add(ChipsBought, seat=3, kind="buy_in", amount=bought).opened()
    return scene.raise_to(3, bought, all_in=True).fold(1).call(2).flop().turn().river().win(2)


SHORT_BUY_IN = Rule(
    code="BUY101",
    name="short-buy-in",
    severity="minor",
    source="Seed A, buying in, 1 and 2",
    what="A player's first buy-in of the session is below the full one: ten of the largest bets at limit, forty big "
    "blinds at pot-limit and no-limit, or what the house says. One is allowed in a session. A buy-in in parts is "
    "flagged at its first part.",
    why="One is allowed, and it is the one: the next short buy-in of this player is against the rules.",
    prescription="None: one short buy-in a session is allowed.",
    triage="Compare with the house's least buy-in at this table.",
    false_positives="A buy-in that the feed reports in parts; a house rule of another multiple, undeclared.",
    observes=frozenset({"buy_ins"}),
    checks={ChipsBought: _first},
    examples=lambda: (
        flags("39 big blinds", Scene().add(ChipsBought, seat=1, kind="buy_in", amount=3_900).script()),
        flags(
            "nine big bets at limit",
            Scene(betting="limit").add(ChipsBought, seat=1, kind="buy_in", amount=1_800).script(),
        ),
        flags(
            "another multiple of the house",
            Scene(house={"buy_in_big_blinds": 100}).add(ChipsBought, seat=1, kind="buy_in", amount=9_900).script(),
        ),
        passes(
            "chips that the house sets right are not bought",
            Scene().add(ChipsBought, seat=1, kind="buy_in", amount=100, reason="adjustment").script(),
        ),
        passes("a full buy-in", Scene().add(ChipsBought, seat=1, kind="buy_in", amount=4_000).script()),
        passes(
            "a full buy-in at limit",
            Scene(betting="limit").add(ChipsBought, seat=1, kind="buy_in", amount=2_000).script(),
        ),
        passes(
            "chips added between hands, in any amount",
            Scene().opened().walk().add(ChipsBought, seat=1, kind="add_on", amount=50).script(),
        ),
        passes(
            "a rebuy after a full buy-in: it is the one that may be short",
            _bust_after(4_000).add(ChipsBought, seat=3, kind="buy_in", amount=1_000).script(),
        ),
        passes(
            "a house that takes any buy-in",
            Scene(house={"buy_in_big_blinds": 0}).add(ChipsBought, seat=1, kind="buy_in", amount=100).script(),
        ),
        passes(
            "a feed that sees only some of the purchases",
            Scene(observes=tuple(c for c in EVERYTHING if c != "buy_ins"))
            .add(ChipsBought, seat=1, kind="buy_in", amount=100).script(),
        ),
        passes(
            "behind a gap: it may not be the player's first",
            Scene().opened().walk().lose(5).add(ChipsBought, seat=1, kind="buy_in", amount=1_000).script(),
            also=("FEED101",),
        ),
    ),
)  # fmt: skip

SECOND_SHORT_BUY_IN = Rule(
    code="BUY102",
    name="second-short-buy-in",
    severity="major",
    source="Seed A, buying in, 2",
    what="A player bought in short a second time in the same session, which ends when the player leaves the table.",
    why="Whoever has little to lose puts others to decisions for all of theirs; once is allowed.",
    prescription="None prescribed: the player makes the buy-in a full one, or leaves the table.",
    triage="See both purchases, and whether the player had left in between.",
    false_positives="A player who left and came back without the feed seeing it.",
    observes=frozenset({"buy_ins", "seating"}),
    checks={ChipsBought: _second},
    examples=lambda: (
        flags(
            "two short buy-ins with a lost hand between them",
            _bust_after(2_000).add(ChipsBought, seat=3, kind="buy_in", amount=2_000).script(),
            also=("BUY101",),
        ),
        passes(
            "a short buy-in, and then a full one",
            _bust_after(2_000).add(ChipsBought, seat=3, kind="buy_in", amount=4_000).script(),
            also=("BUY101",),
        ),
        passes(
            "a buy-in in two parts is one",
            Scene().add(ChipsBought, seat=3, kind="buy_in", amount=2_000)
            .add(ChipsBought, seat=3, kind="buy_in", amount=1_000).script(),
            also=("BUY101",),
        ),
        passes(
            "chips added to a stack, by the name of a buy-in",
            Scene(short={3: 2_000}).add(ChipsBought, seat=3, kind="buy_in", amount=0).opened().walk()
            .add(ChipsBought, seat=3, kind="buy_in", amount=500).script(),
            also=("BUY101",),
        ),
        passes(
            "the player left, and another one took the seat",
            _bust_after(2_000).add(PlayerLeft, seat=3).add(PlayerSeated, seat=3, player_id="P9")
            .add(ChipsBought, seat=3, kind="buy_in", amount=2_000).script(),
            also=("BUY101", "BUY101"),
        ),
    ),
)  # fmt: skip

RULES = (SHORT_BUY_IN, SECOND_SHORT_BUY_IN)
