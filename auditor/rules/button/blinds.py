"""BTN103, BTN104 and BTN105: who posts the blinds, and how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from auditor.events import ForcedBetPosted, PlayerReturned, PlayerSatOut, Stakes
from auditor.games import BUTTON_GAMES
from auditor.house import HouseRules
from auditor.phrases import seats_spoken
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.blinds import Due, due
from auditor.table.hand import Hand
from auditor.table.shape import DealSettled
from auditor.table.table import Table

#: What a seat may post as its big blind: a player who comes back may post it as a missed one.
_BIG = ("big_blind", "missed_blind")


def _unpaid(hand: Hand, blinds: Due) -> tuple[int | None, int | None]:
    """Of the seats that owe the blinds, those that did not post: small blind, big blind.

    A seat without chips owes nothing. Who posts another live bet in the small blind buys the button, or is the big
    blind of a table that lets two players post it.
    """
    small, big = blinds
    live = {post.seat for post in hand.posts if post.kind != "ante"} | hand.all_in
    pays_big = {post.seat for post in hand.posts if post.kind in _BIG} | hand.all_in
    return (
        None if small is None or small in live else small,
        None if big in pays_big else big,
    )


def _as_due(hand: Hand, blinds: Due) -> bool:
    small = blinds[0]
    if small is None and any(post.kind == "small_blind" for post in hand.posts):
        return False
    return _unpaid(hand, blinds) == (None, None)


def _plainly_right(hand: Hand, house: HouseRules) -> bool:
    """As nearly always: the two seats left of the button have posted."""
    order = hand.order
    if len(order) < 3 or house.button_rule == "dead" or not hand.stakes.small_blind:
        return False
    posted = {post.kind: post.seat for post in hand.posts}
    return posted.get("small_blind") == order[0] and posted.get("big_blind") == order[1]


def _wrong(table: Table, moment: DealSettled) -> Due | None:
    """The blinds that were due and were not posted as they should be; None where all is well, or nobody can say."""
    hand, memory = table.hand, table.memory
    if moment.interrupted or hand.bomb_pot or hand.found("BTN101") is not None:
        return None  # with a wrong button, the blinds are wrong too
    if _plainly_right(hand, memory.house):
        return None
    answers = due(hand, memory.button, memory.house)
    if not answers or any(_as_due(hand, blinds) for blinds in answers):
        return None
    return answers[0]


def _strangers(hand: Hand, blinds: Due) -> list[ForcedBetPosted]:
    """Blinds posted by seats that did not owe them, where a seat that did has not posted."""
    small, big = blinds
    unpaid_small, unpaid_big = _unpaid(hand, blinds)
    return [
        post
        for post in hand.posts
        if (post.kind == "small_blind" and post.seat != small and (unpaid_small is not None or small is None))
        or (post.kind == "big_blind" and post.seat != big and unpaid_big is not None)
    ]


def _wrong_seat(table: Table, moment: DealSettled) -> list[Hit] | None:
    blinds = _wrong(table, moment)
    if blinds is None:
        return None
    hand = table.hand
    wrong = _strangers(hand, blinds)
    if not wrong:
        return None
    first = wrong[0]
    posted = " and ".join(f"the {post.kind.replace('_', ' ')} by seat {post.seat}" for post in wrong)
    small, big = blinds
    owed = f"seat {big} owed the big blind"
    owed = f"seat {small} owed the small blind, and {owed}" if small is not None else f"{owed}; the small blind is dead"
    return [
        Hit(
            f"With the button on seat {hand.button}, {owed}; posted were {posted}.",
            seats=tuple(dict.fromkeys((*(post.seat for post in wrong), *(s for s in blinds if s is not None)))),
            seq=first.seq,
            at=first.at,
            evidence=(hand.started_seq, *(post.seq for post in wrong)),
        )
    ]


def _missing(table: Table, moment: DealSettled) -> list[Hit] | None:
    if table.hand.bomb_pot:
        return None
    hits = [*_blind_missing(table, moment), *_return_unpaid(table, moment)]
    return hits or None


def _blind_missing(table: Table, moment: DealSettled) -> Iterator[Hit]:
    blinds = _wrong(table, moment)
    hand = table.hand
    if blinds is None or _strangers(hand, blinds):
        return
    if not any(post.kind != "ante" for post in hand.posts) and (hand.posts or hand.redeal_of is not None):
        return  # antes in place of the blinds; or the blinds lie in the pot from before the misdeal
    small, big = _unpaid(hand, blinds)
    owed = [seat for seat in (small, big) if seat is not None]
    if not owed:
        return
    names = ("small blind" if big is None else "big blind") if len(owed) == 1 else "blinds"
    yield Hit(
        f"The {names} of {seats_spoken(owed)} {'was' if len(owed) == 1 else 'were'} not posted.",
        seats=tuple(owed),
        evidence=(hand.started_seq, moment.seq),
    )


def _return_unpaid(table: Table, moment: DealSettled) -> Iterator[Hit]:
    """Players who sat out while the blinds went past, and are dealt in without having posted them."""
    hand, memory = table.hand, table.memory
    if not memory.away or moment.interrupted or not memory.house.missed_blinds or "seating" not in hand.observes:
        return
    if hand.found("BTN101"):
        return  # with the button wrong, the blinds went past the wrong seats
    stakes = hand.stakes
    for seat, missed in memory.away.items():
        if seat not in hand.holding or seat not in hand.entitled or not (missed.big or missed.small):
            continue
        if seat in hand.all_in or seat in (hand.big_blind, hand.small_blind):
            continue
        paid = sum(post.amount for post in hand.posts if post.seat == seat and post.kind != "ante")
        owed = missed.big * stakes.big_blind + missed.small * stakes.small_blind
        if paid < owed:
            blinds = " and ".join(
                name for name, is_owed in (("a big blind", missed.big), ("a dead small blind", missed.small)) if is_owed
            )
            yield Hit(
                f"Seat {seat} missed the blinds and comes back owing {blinds}, {owed} in all, and posted {paid}.",
                seats=(seat,),
                evidence=(hand.started_seq, moment.seq),
            )


def _wrong_amounts(table: Table, moment: DealSettled) -> list[Hit] | None:
    hand = table.hand
    if hand.bomb_pot:
        return _unequal_antes(hand)
    wrong = [post for post in hand.posts if not _right_amount(hand, post)]
    if wrong:
        wrong = [post for post in _in_one(hand.posts) if not _right_amount(hand, post)]
    if not wrong or _other_stakes(hand):
        return None
    return [
        Hit(
            f"Seat {post.seat} posted {post.amount} as {_named(post)}; it is {_due_amount(hand, post)}.",
            seats=(post.seat,),
            seq=post.seq,
            at=post.at,
        )
        for post in wrong
    ]


def _in_one(posts: list[ForcedBetPosted]) -> list[ForcedBetPosted]:
    """The forced bets, one that was put in in parts as one."""
    whole: dict[tuple[int, str], ForcedBetPosted] = {}
    for post in posts:
        first = whole.get((post.seat, post.kind))
        part = post if first is None else replace(first, amount=first.amount + post.amount)
        whole[post.seat, post.kind] = part
    return list(whole.values())


def _unequal_antes(hand: Hand) -> list[Hit] | None:
    """A bomb pot: everybody posts the same ante, as far as the stack goes."""
    antes = [post for post in hand.posts if post.kind == "ante" and post.seat not in hand.all_in]
    amounts = [post.amount for post in antes]
    if len(set(amounts)) < 2:
        return None
    usual = max(amounts, key=amounts.count)
    return [
        Hit(
            f"Seat {post.seat} posted {post.amount} as its ante of the bomb pot; the others posted {usual}.",
            seats=(post.seat,),
            seq=post.seq,
            at=post.at,
        )
        for post in antes
        if post.amount != usual
    ]


def _named(post: ForcedBetPosted) -> str:
    return "a " + post.kind.replace("_", " ")


def _due_amount(hand: Hand, post: ForcedBetPosted) -> int:
    small = post.kind in ("small_blind", "dead_blind")
    return hand.stakes.small_blind if small else hand.stakes.big_blind


def _right_amount(hand: Hand, post: ForcedBetPosted) -> bool:
    right = _due_amount(hand, post)
    if post.kind in ("ante", "straddle", "bring_in") or not right or post.amount == right:
        return True
    if post.amount < right and (post.seat in hand.all_in or post.seat not in hand.stack):
        return True  # all that the player has, as far as anybody knows
    small, big = hand.stakes.small_blind, hand.stakes.big_blind
    return post.kind in ("missed_blind", "dead_blind") and post.amount in (small, big, small + big)


def _other_stakes(hand: Hand) -> bool:
    """Both blinds are right for other stakes: those changed, and nobody said so."""
    posted = {post.kind: post.amount for post in hand.posts}
    small, big = posted.get("small_blind", 0), posted.get("big_blind", 0)
    stakes = hand.stakes
    changed = small != stakes.small_blind and big != stakes.big_blind
    return bool(small and big) and changed and small * stakes.big_blind == big * stakes.small_blind


def _posts(*posts: tuple[int, Any, int], players: int = 4, **table: Any) -> Scene:
    """One hand, the button on the last seat, with these forced bets, and folded to the last of the blinds."""
    return _hand(Scene(players, **table).start(), *posts)


def _hand(scene: Scene, *posts: tuple[int, Any, int]) -> Scene:
    for seat, kind, amount in posts:
        scene.post(seat, kind, amount)
    return scene.deal()


def _bomb_pot(*antes: int, **scene: Any) -> Scene:
    """A bomb pot of so many players with these antes, as far as the flop."""
    told = Scene(len(antes), **scene).start(bomb_pot=True)
    for seat, ante in enumerate(antes, 1):
        told.post(seat, "ante", ante)
    return told.deal().flop()


def _played(scene: Scene) -> list[Any]:
    """The hand is folded round to the last big blind that was posted, or, without one, to the button."""
    big = [e.seat for e in scene.events if isinstance(e, ForcedBetPosted) and e.kind == "big_blind"]
    winner = big[-1] if big else scene.order[-1]
    start = scene.order.index(winner) + 1
    return scene.fold(*scene.order[start:], *scene.order[: start - 1]).win(winner).script()


def _left_behind(house: dict[str, Any] | None = None) -> Scene:
    """Four players; seat 3, who had the big blind, is gone on the next hand."""
    scene = Scene(4, house=house or {}).start(button=1).blinds().deal().walk()
    return scene.start(button=2, seats=(1, 2, 4))


def _back(*posts: tuple[int, Any, int], house: dict[str, Any] | None = None) -> Scene:
    """Five players. Seat 5 sits out while the blinds go past, and comes back on the button's right."""
    scene = Scene(5, house=house or {}).start(button=1).blinds().deal().walk().add(PlayerSatOut, seat=5)
    for button in (2, 3, 4):
        scene.start(button=button, seats=(1, 2, 3, 4), not_entitled=(5,)).blinds().deal().walk()
    return _hand(scene.add(PlayerReturned, seat=5).start(button=1).blinds(), *posts)


def _back_behind_dead_blind(*posts: tuple[int, Any, int]) -> Scene:
    """Five players and a dead button. Seat 3 has the big blind, sits out two hands, and comes back."""
    scene = Scene(5, house=_DEAD).start(button=1).blinds().deal().walk().add(PlayerSatOut, seat=3)
    scene.start(button=2, seats=(1, 2, 4, 5)).post(4, "big_blind", 100).deal().fold(5, 1, 2).win(4)
    scene.start(button=3, seats=(1, 2, 4, 5)).blinds().deal().walk().add(PlayerReturned, seat=3)
    return _hand(scene.start(button=4).blinds(), *posts)


_MOVING = {"button_rule": "moving"}
_DEAD = {"button_rule": "dead"}
_SEES = frozenset({"button", "betting"})

WRONG_BLIND_SEAT = Rule(
    code="BTN103",
    name="wrong-blind-seat",
    severity="major",
    source="+",
    what="A blind was posted by another seat than the one that owes it, which did not post. The small blind is on the "
    "left of the button and the big blind behind it; heads-up the button posts the small blind. With a dead button the "
    "blinds go forward by themselves, and the small blind may be dead. Extra posts, by new and returning players and "
    "straddlers, are no blinds, nor is one that goes back before the deal. Under a wrong button (BTN101) this is not "
    "told again.",
    why="A player pays twice, or not at all, and the order of action is another.",
    prescription="None prescribed: put right before anybody acts, otherwise the hand is played.",
    triage="Compare with the blinds of the hand before.",
    false_positives="A feed whose list of entitled seats is behind the table; a house with blinds of its own.",
    observes=_SEES,
    games=BUTTON_GAMES,
    checks={DealSettled: _wrong_seat},
    examples=lambda: (
        flags("both blinds are a seat too far", _played(_posts((2, "small_blind", 50), (3, "big_blind", 100)))),
        flags("the big blind skips a seat", _played(_posts((1, "small_blind", 50), (3, "big_blind", 100)))),
        flags(
            "heads-up, the button posts the big blind",
            Scene(2).start().post(1, "small_blind", 50).post(2, "big_blind", 100).deal().fold(1).win(2).script(),
        ),
        flags("a player posts the big blind twice running", _played(_hand(
            Scene(4).start(button=4).blinds().deal().walk().start(button=1), (2, "big_blind", 100)))),
        passes(
            "put right before the deal: the big blind, and the action begins behind it",
            Scene(4).start().post(1, "small_blind", 50).post(3, "big_blind", 100).refund_to(3, 100, "correction")
            .post(2, "big_blind", 100).deal().fold(3, 4, 1).script(),
        ),
        passes(
            "put right before the deal: the small blind",
            Scene(4).start().post(4, "small_blind", 50).refund_to(4, 50, "correction").post(1, "small_blind", 50)
            .post(2, "big_blind", 100).deal().fold(3, 4, 1).script(),
        ),
        passes(
            "a new player posts a big blind to come in, and opens no betting",
            Scene(5).start().blinds().post(4, "big_blind", 100).deal().fold(3).check(4).fold(5, 1).check(2).flop()
            .check(2, 4).award(2).end().start(button=1).blinds().deal().walk().script(),
        ),
        passes("each where it belongs", _played(_posts((1, "small_blind", 50), (2, "big_blind", 100)))),
        passes("heads-up", Scene(2).opened().walk().script()),
        passes(
            "a new player posts to come in, and another one straddles",
            Scene(5).start().blinds().post(4, "missed_blind", 100).post(3, "straddle", 200).deal().fold(4, 5, 1, 2)
            .win(3).script(),
        ),
        passes("a dead small blind: the last big blind has left", _played(_hand(
            _left_behind(), (4, "big_blind", 100)))),
        passes("the last big blind has left, and the blinds follow the button", _played(_hand(
            _left_behind(_MOVING), (4, "small_blind", 50), (1, "big_blind", 100)))),
        passes(
            "under a wrong button",
            _played(_hand(Scene(4).start(button=1).blinds().deal().walk().start(button=4),
                          (3, "small_blind", 50), (4, "big_blind", 100))),
            also=("BTN101",),
        ),
        passes("nobody says where the button is", _played(_posts(
            (2, "small_blind", 50), (3, "big_blind", 100), observes=tuple(c for c in EVERYTHING if c != "button")))),
    ),
)  # fmt: skip

BLIND_MISSING = Rule(
    code="BTN104",
    name="blind-missing",
    severity="major",
    source="+",
    what="A blind that is due was not posted by anybody; or a player who sat out while the blinds went past is dealt "
    "in without posting what was missed: a live big blind, and a dead small blind if that went past too, or was dead "
    "because the player sat out. No blind is due of a seat without chips, nor in a hand with antes in place of the "
    "blinds. A new player is not asked for one.",
    why="A player sees cards for nothing.",
    prescription="None prescribed: the blind is posted before anybody acts; a player who is absent gets no hand.",
    triage="Was the player at the table? Did the feed miss the chips?",
    false_positives="A house that asks no missed blinds of those who come back: `missed_blinds`.",
    observes=_SEES,
    games=BUTTON_GAMES,
    checks={DealSettled: _missing},
    examples=lambda: (
        flags("no small blind", _played(_posts((2, "big_blind", 100)))),
        flags("no big blind", _posts((1, "small_blind", 50)).fold(2, 3).raise_to(4, 300).fold(1).refund_to(4, 250)
              .award(4, 100).end().script()),
        flags("no big blind, and the seat behind it opens", _posts((1, "small_blind", 50)).raise_to(3, 300)
              .fold(4, 1, 2).refund_to(3, 250).award(3, 100).end().script()),
        flags("no blind at all", _played(_posts())),
        flags("no small blind, though the last big blind is there", _played(_hand(
            Scene(4).start(button=4).blinds().deal().walk().start(button=1), (3, "big_blind", 100)))),
        flags("a player comes back behind the blinds, and posts nothing", _back().fold(4, 5, 1, 2).win(3).script()),
        flags("posts the big blind alone", _back((5, "missed_blind", 100)).fold(4).check(5).fold(1, 2).check(3)
              .flop().check(3, 5).win(3).script()),
        flags("the last big blind sits out its small blind, which is dead, and comes back without it",
              _back_behind_dead_blind().walk().script()),
        passes("the last big blind sits out its dead small blind, and posts it to come back",
               _back_behind_dead_blind((3, "dead_blind", 50)).walk().script()),
        passes("posts both, the small one dead", _back((5, "missed_blind", 100), (5, "dead_blind", 50)).fold(4).check(5)
               .fold(1, 2).check(3).flop().check(3, 5).win(3).script()),
        passes("a house that asks nothing of those who come back",
               _back(house={"missed_blinds": False}).fold(4, 5, 1, 2).win(3).script()),
        passes(
            "comes back before the blinds have passed",
            Scene(5).start(button=1).blinds().deal().walk().add(PlayerSatOut, seat=5)
            .start(button=2, seats=(1, 2, 3, 4), not_entitled=(5,)).blinds().deal().walk()
            .add(PlayerReturned, seat=5).start(button=3).blinds().deal().walk().script(),
        ),
        passes("a bomb pot has no blinds", _bomb_pot(200, 200, 200).check(1, 2, 3).turn().check(1, 2, 3).script()),
        passes(
            "sits out while a bomb pot and no blind goes past",
            Scene(4).start(button=1).blinds().deal().walk().add(PlayerSatOut, seat=4)
            .start(button=2, seats=(1, 2, 3), not_entitled=(4,), bomb_pot=True).post(1, "ante", 200)
            .post(2, "ante", 200).post(3, "ante", 200).deal().flop().check(3, 1, 2).award(1).end()
            .add(PlayerReturned, seat=4).start(button=3).blinds().deal().walk().script(),
        ),
        passes("antes in place of the blinds", _played(_posts(
            (1, "ante", 100), (2, "ante", 100), (3, "ante", 100), (4, "ante", 100)))),
        passes("a dead small blind: the last big blind has left", _played(_hand(
            _left_behind(_DEAD), (4, "big_blind", 100)))),
        passes("the small blind's last chips went into the ante", _played(_posts(
            (1, "ante", 50), (2, "ante", 50), (3, "ante", 50), (2, "big_blind", 100), players=3, short={1: 50}))),
        passes("a feed that does not see the betting", Scene(observes=tuple(c for c in EVERYTHING if c != "betting"))
               .start().deal().win(2).script()),
    ),
)  # fmt: skip

WRONG_BLIND_AMOUNT = Rule(
    code="BTN105",
    name="wrong-blind-amount",
    severity="major",
    source="+",
    what="A blind, or a missed blind that a player posts to come back, is another amount than the stakes say; what is "
    "put in in parts is one, and what goes back before the deal does not count. A player may post less where it is all "
    "that there is. In a bomb pot, the antes differ. Where both blinds are right for other stakes, those have changed "
    "unreported: no finding.",
    why="The first bet to match, and all that follows from it, is wrong.",
    prescription="None prescribed: put right before anybody acts.",
    triage="Compare with the stakes of the table, and of the hand.",
    false_positives="Stakes that changed for one of the blinds alone, unreported.",
    observes=frozenset({"betting"}),
    games=BUTTON_GAMES,
    checks={DealSettled: _wrong_amounts},
    examples=lambda: (
        flags("a big blind too small", _played(_posts((1, "small_blind", 50), (2, "big_blind", 90)))),
        flags("a small blind too large", _played(_posts((1, "small_blind", 60), (2, "big_blind", 100)))),
        flags("a missed blind of no such amount",
              _back((5, "missed_blind", 110), (5, "dead_blind", 50)).fold(4).check(5).fold(1, 2, 3).win(5).script()),
        flags("a bomb pot with an ante that is less than the others'", _bomb_pot(200, 100, 200).check(1, 2, 3)
              .script()),
        passes("a bomb pot: the last chips of one are less", _bomb_pot(200, 100, 200, short={2: 100}).check(1, 3)
               .script()),
        passes("a blind in two parts", _played(_posts(
            (1, "small_blind", 25), (1, "small_blind", 25), (2, "big_blind", 100)))),
        passes(
            "a blind too large is put right before the deal",
            Scene(4).start().post(1, "small_blind", 100).refund_to(1, 50, "correction").post(2, "big_blind", 100)
            .deal().fold(3, 4, 1).script(),
        ),
        passes("as the stakes say", _played(_posts((1, "small_blind", 50), (2, "big_blind", 100)))),
        passes("all-in for less than the small blind", _played(_posts(
            (1, "small_blind", 30), (2, "big_blind", 100), short={1: 30}))),
        passes("the stakes of this hand are others", _played(_hand(
            Scene(4).start(stakes=Stakes(small_blind=100, big_blind=200)), (1, "small_blind", 100),
            (2, "big_blind", 200)))),
        passes("the level went up, and nobody reported it", _played(_posts(
            (1, "small_blind", 100), (2, "big_blind", 200)))),
        passes("a straddle may be any amount", Scene(4).start().blinds().post(3, "straddle", 230).deal().fold(4, 1, 2)
               .win(3).script()),
    ),
)  # fmt: skip

RULES = (WRONG_BLIND_SEAT, BLIND_MISSING, WRONG_BLIND_AMOUNT)
