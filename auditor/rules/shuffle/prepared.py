"""SHF101, SHF102, SHF106 and SHF107: was the deck prepared for the hand, and by whom."""

from __future__ import annotations

from typing import Any

from auditor.events import DealerChanged, DeckCut, DeckShuffled
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.button import next_clockwise
from auditor.table.hand import Hand
from auditor.table.preparation import NOBODY
from auditor.table.shape import DealSettled
from auditor.table.table import Table


def _dealt_by_player(hand: Hand) -> bool:
    """A player deals: one made the last shuffle, or the dealer's seat is a player's, and the house sends no dealer."""
    made = hand.preparation
    return made.by_player or (hand.dealer_id is None and made.dealer_seat in hand.seats)


def _unprepared(hand: Hand, lacks: str) -> list[Hit] | None:
    made, first = hand.preparation, hand.deal[0]
    # After a misdeal it belongs to the redeal to shuffle and cut.
    if not made.known or made.after_misdeal or hand.redeal_of is not None or not _dealt_by_player(hand):
        return None
    message = (
        f"The first card was dealt, to seat {first.seat}, from a deck that nobody had {lacks} since the last hand."
    )
    return [Hit(message, seq=first.seq, at=first.at)]


def _not_shuffled(table: Table, moment: DealSettled) -> list[Hit] | None:
    hand = table.hand
    if not hand.deal or hand.preparation.shuffler() is not None:
        return None
    return _unprepared(hand, "shuffled")


def _not_cut(table: Table, moment: DealSettled) -> list[Hit] | None:
    hand = table.hand
    if not hand.deal or hand.preparation.cut:
        return None
    return _unprepared(hand, "cut")


def _dealer(table: Table) -> int | None:
    """The seat of the player who deals, where the table plays the three-person method."""
    hand = table.hand
    if not table.memory.house.three_person_shuffle or not hand.deal or not _dealt_by_player(hand):
        return None
    seat = hand.preparation.dealer_seat
    if seat is None and hand.game.button:
        seat = hand.button  # the button marks the dealer
    return seat


def _wrong_shuffler(table: Table, moment: DealSettled) -> list[Hit] | None:
    dealer, hand = _dealer(table), table.hand
    seat = hand.preparation.shuffler()
    if dealer is None or seat is None or seat == NOBODY:
        return None
    right = next_clockwise(dealer, tuple(sorted(hand.entitled | {seat})))
    return _by_another(hand, seat, right, f"shuffled; the player on the left of the dealer, seat {dealer}, is seat")


def _wrong_cutter(table: Table, moment: DealSettled) -> list[Hit] | None:
    dealer, hand = _dealer(table), table.hand
    seat = hand.preparation.cutter
    if dealer is None or seat == NOBODY:
        return None
    # The next one counter-clockwise.
    right = -next_clockwise(-dealer, tuple(sorted(-s for s in hand.entitled | {seat})))
    return _by_another(
        hand, seat, right, f"cut the deck; the player on the right of the dealer, seat {dealer}, is seat"
    )


def _by_another(hand: Hand, seat: int, right: int, did: str) -> list[Hit] | None:
    if seat == right:
        return None
    first = hand.deal[0]
    return [Hit(f"Seat {seat} {did} {right}.", seats=(seat, right), seq=first.seq, at=first.at)]


def _hands(*prepared: tuple[int | None, int | None], house: dict[str, Any] | None = None, **table: Any) -> Scene:
    """Hands of four players who deal themselves: the button deals. Each with who shuffled and who cut before it."""
    scene = Scene(4, house=house or {}, **table)
    for number, (shuffler, cutter) in enumerate(prepared):
        if shuffler is not None:
            scene.add(DeckShuffled, hand_id=None, by="player", seat=shuffler, riffles=4)
        if cutter is not None:
            scene.add(DeckCut, hand_id=None, by="player", seat=cutter, packets=(26, 26), cut_card=True)
        button = (4, 1, 2, 3)[number % 4]
        scene.opened(button=button, dealer_seat=button).walk()
    return scene


_PLAYER_DEALT = (
    "In games that the players deal: a player made the last shuffle, or the hand names a player's seat as the "
    "dealer's and no dealer of the house. "
)
_THREE = {"three_person_shuffle": True}

NOT_SHUFFLED = Rule(
    code="SHF101",
    name="not-shuffled",
    severity="major",
    source="Seed A, shuffle and cut, 1",
    what=_PLAYER_DEALT + "The first card of a hand is dealt, and the deck was not shuffled since it was last dealt "
    "from. Where two decks are in use, a shuffle during the hand before counts.",
    why="Whoever remembers the last hand knows what comes.",
    prescription="None prescribed. A complaint must be made before the player looks at the hand or the betting begins.",
    triage="Are cards of the last hand next to each other again?",
    false_positives="A shuffle that the feed did not see although it declares that it does.",
    observes=frozenset({"shuffle"}),
    checks={DealSettled: _not_shuffled},
    examples=lambda: (
        flags("the second hand is dealt from a deck that was only cut", _hands((1, 3), (None, 4)).script()),
        passes("shuffled and cut before each hand", _hands((1, 3), (2, 4)).script()),
        passes(
            "the other deck is shuffled while this one is dealt",
            Scene().add(DeckShuffled, hand_id=None, by="player", seat=1, deck_id="red-1", riffles=4)
            .add(DeckCut, hand_id=None, by="player", seat=2).opened(dealer_seat=3)
            .add(DeckShuffled, hand_id=None, by="player", seat=2, deck_id="blue-1", riffles=4).walk()
            .add(DeckCut, hand_id=None, by="player", seat=3)
            .start(button=1, dealer_seat=1, deck_id="blue-1").blinds()
            .card(2, back="blue").card(3, back="blue").card(1, back="blue")
            .card(2, back="blue").card(3, back="blue").card(1, back="blue").walk().script(),
        ),
        passes(
            "shuffled when the hand had started, before the first card",
            _hands((1, 3)).start(button=1, dealer_seat=1).add(DeckShuffled, by="player", seat=2, riffles=4)
            .add(DeckCut, by="player", seat=4).blinds().deal().walk().script(),
        ),
        passes(
            "a dealer of the house",
            _hands((1, 3)).add(DealerChanged, dealer_id="D1").opened(button=1).walk().script(),
        ),
        passes("nobody says that players deal", Scene().opened().walk().opened(button=1).walk().script()),
        passes("the first hand of the table", _hands((None, None)).script()),
        passes("the shuffle may be lost in a gap", _hands((1, 3), (2, 4)).lose(17).script(), also=("FEED101",)),
        passes(
            "a feed that does not see the shuffle",
            _hands((1, 3), (None, 4), observes=tuple(c for c in EVERYTHING if c != "shuffle")).script(),
        ),
    ),
)  # fmt: skip

NOT_CUT = Rule(
    code="SHF102",
    name="not-cut",
    severity="major",
    source="Seed A, shuffle and cut, 1",
    what=_PLAYER_DEALT + "The first card of a hand is dealt, and the deck was not cut since the last deal.",
    why="The cut is what keeps the shuffler from dealing a stacked deck.",
    prescription="None prescribed. A complaint must be made before the player looks at the hand or the betting begins.",
    triage="Who shuffled, and who won?",
    false_positives="A cut that the feed did not see although it declares that it does.",
    observes=frozenset({"shuffle"}),
    checks={DealSettled: _not_cut},
    examples=lambda: (
        flags("the second hand is dealt from a deck that was not cut", _hands((1, 3), (2, None)).script()),
        passes("shuffled and cut before each hand", _hands((1, 3), (2, 4)).script()),
        passes(
            "the machine's deck is not cut",
            _hands((1, 3)).add(DeckShuffled, hand_id=None, by="machine").opened(button=1).walk().script(),
        ),
        passes(
            "a redeal has a rule of its own",
            _hands().add(DeckShuffled, hand_id=None, by="player", seat=1, riffles=4)
            .add(DeckCut, hand_id=None, by="player", seat=3).start(dealer_seat=4).blinds()
            .card(1, "As", exposed_by="dealer").misdeal()
            .add(DeckShuffled, hand_id=None, by="player", seat=2, riffles=4)
            .opened(dealer_seat=4, redeal_of="H1").walk().script(),
            also=("DEAL101", "RUL110"),
        ),
    ),
)  # fmt: skip

WRONG_SHUFFLER = Rule(
    code="SHF106",
    name="wrong-shuffler",
    severity="minor",
    source="Seed A, shuffle and cut, 1",
    what=_PLAYER_DEALT + "The table plays the three-person method (`three_person_shuffle`), and another player "
    "shuffled than the one on the new dealer's left.",
    why="Three people prepare the deck so that no two of them can arrange it.",
    prescription="None prescribed. A complaint must be made before the player looks at the hand or the betting begins.",
    triage="See who shuffled, who cut and who dealt, over some hands.",
    false_positives="A player who left the table between the shuffle and the deal.",
    observes=frozenset({"shuffle"}),
    checks={DealSettled: _wrong_shuffler},
    examples=lambda: (
        flags("the dealer shuffles his own deck", _hands((1, 3), (1, 4), house=_THREE).script()),
        passes("the player on the left of each new dealer", _hands((1, 3), (2, 4), house=_THREE).script()),
        passes("the table does not play this method", _hands((1, 3), (1, 4)).script()),
        passes(
            "the shuffler left before the deal",
            _hands((1, 3), house=_THREE).add(DeckShuffled, hand_id=None, by="player", seat=2, riffles=4)
            .add(DeckCut, hand_id=None, by="player", seat=4).start(button=1, dealer_seat=1, seats=(1, 3, 4)).blinds()
            .deal().walk().script(),
        ),
        passes(
            "nobody says who shuffled",
            _hands((1, 3), house=_THREE).add(DeckShuffled, hand_id=None, by="player", riffles=4)
            .add(DeckCut, hand_id=None, by="player", seat=4).opened(button=1, dealer_seat=1).walk().script(),
        ),
    ),
)  # fmt: skip

WRONG_CUTTER = Rule(
    code="SHF107",
    name="wrong-cutter",
    severity="minor",
    source="Seed A, shuffle and cut, 1",
    what=_PLAYER_DEALT + "The table plays the three-person method (`three_person_shuffle`), and another player cut "
    "than the one on the new dealer's right.",
    why="Three people prepare the deck so that no two of them can arrange it.",
    prescription="None prescribed. A complaint must be made before the player looks at the hand or the betting begins.",
    triage="See who shuffled, who cut and who dealt, over some hands.",
    false_positives="A player who left the table between the cut and the deal.",
    observes=frozenset({"shuffle"}),
    checks={DealSettled: _wrong_cutter},
    examples=lambda: (
        flags("the shuffler cuts as well", _hands((1, 3), (2, 2), house=_THREE).script()),
        passes("the player on the right of each new dealer", _hands((1, 3), (2, 4), (3, 1), house=_THREE).script()),
        passes("the table does not play this method", _hands((1, 3), (2, 2)).script()),
        passes(
            "heads-up, the other player does both",
            Scene(2, house=_THREE).add(DeckShuffled, hand_id=None, by="player", seat=1, riffles=4)
            .add(DeckCut, hand_id=None, by="player", seat=1).opened(dealer_seat=2).walk().script(),
        ),
    ),
)  # fmt: skip

RULES = (NOT_SHUFFLED, NOT_CUT, WRONG_SHUFFLER, WRONG_CUTTER)
