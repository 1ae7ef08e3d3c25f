"""The card room: what it deals without mistakes is legal, complete and the same every time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import TypeVar

import pytest

from auditor.events import (
    BoardDealt,
    CardBurned,
    CardDealt,
    CardsShown,
    ChipsBought,
    ChipsCashed,
    ChipsReturned,
    Envelope,
    Event,
    ForcedBetPosted,
    HandEnded,
    HandStarted,
    PlayerActed,
    PlayerLeft,
    PotAwarded,
    RakeTaken,
    SeenCard,
    StubInspected,
    TableOpened,
    topic_of,
)
from auditor.simulate import open_room, play
from auditor.wire import parse

Hand = list[Event]
_E = TypeVar("_E", bound=Envelope)


def _events(hands: int = 60, players: tuple[int, int] = (2, 10), seed: int = 11, tables: int = 3) -> list[Event]:
    return [parse(raw) for raw in play(tables, hands, seed=seed, players=players)]


def _by_table(events: Iterable[Event]) -> dict[str, list[Event]]:
    tables: defaultdict[str, list[Event]] = defaultdict(list)
    for event in events:
        tables[event.table_id].append(event)
    return tables


def _hands(events: Iterable[Event]) -> list[Hand]:
    hands: defaultdict[str, Hand] = defaultdict(list)
    for event in events:
        if event.hand_id is not None:
            hands[event.hand_id].append(event)
    return list(hands.values())


def _start(hand: Hand) -> HandStarted:
    start = hand[0]
    assert isinstance(start, HandStarted)
    return start


def _order(hand: Hand) -> list[int]:
    """Entitled seats from the left of the button."""
    start = _start(hand)
    assert start.button_seat is not None
    seats = sorted(seat.seat for seat in start.seats if seat.entitled)
    return [s for s in seats if s > start.button_seat] + [s for s in seats if s <= start.button_seat]


def _of(hand: Iterable[Event], kind: type[_E]) -> list[_E]:
    return [event for event in hand if isinstance(event, kind)]


@pytest.fixture(scope="module")
def room() -> list[Event]:
    return _events()


@pytest.fixture(scope="module")
def hands(room: list[Event]) -> list[Hand]:
    return _hands(room)


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, again = (list(play(2, 20, mistakes=0.3, seed=5)) for _ in range(2))
    assert first == again


def test_another_seed_gives_another_evening() -> None:
    assert list(play(1, 5, seed=1)) != list(play(1, 5, seed=2))


def test_a_table_is_numbered_without_a_gap(room: list[Event]) -> None:
    for events in _by_table(room).values():
        assert [event.seq for event in events] == list(range(1, len(events) + 1))


def test_tables_interleave_in_the_order_of_time(room: list[Event]) -> None:
    assert all(one.at <= other.at for one, other in pairwise(room))
    assert len({event.table_id for event in room[:200]}) == 3


def test_a_line_knows_its_topic() -> None:
    for line in open_room(1, 10):
        assert line.topic == topic_of(parse(line.raw))


def test_every_hand_ends(hands: list[Hand]) -> None:
    assert len(hands) == 3 * 60
    assert all(isinstance(hand[-1], HandEnded) for hand in hands)


def test_chips_are_conserved(hands: list[Hand]) -> None:
    for hand in hands:
        paid_in = sum(event.amount for event in hand if isinstance(event, (ForcedBetPosted, PlayerActed)))
        paid_out = sum(event.amount for event in hand if isinstance(event, (PotAwarded, ChipsReturned, RakeTaken)))
        assert paid_in == paid_out


def test_stacks_follow_from_what_happened(room: list[Event]) -> None:
    for events in _by_table(room).values():
        stacks: Counter[int] = Counter()
        for event in events:
            if isinstance(event, HandStarted):
                assert {seat.seat: seat.stack for seat in event.seats} == dict(stacks)
            elif isinstance(event, (ChipsBought, ChipsReturned, PotAwarded)):
                stacks[event.seat] += event.amount
            elif isinstance(event, (ForcedBetPosted, PlayerActed, ChipsCashed)):
                stacks[event.seat] -= event.amount
                assert stacks[event.seat] >= 0
            elif isinstance(event, PlayerLeft):
                assert stacks.pop(event.seat, 0) == 0


def test_all_in_means_that_nothing_is_left(hands: list[Hand]) -> None:
    for hand in hands:
        stacks = {seat.seat: seat.stack or 0 for seat in _start(hand).seats}
        for event in hand:
            if isinstance(event, (ForcedBetPosted, PlayerActed)):
                stacks[event.seat] -= event.amount
            if isinstance(event, PlayerActed):
                assert event.all_in == (event.amount > 0 and stacks[event.seat] == 0)


def test_cards_go_round_from_the_left_of_the_button(hands: list[Hand]) -> None:
    for hand in hands:
        assert [event.seat for event in _of(hand, CardDealt)] == _order(hand) * 2


def test_a_deck_holds_every_card_once(hands: list[Hand]) -> None:
    for hand in hands:
        seen: dict[str, str | None] = {}
        for item in _all_cards(hand):
            assert item.back == _start(hand).deck_back
            if item.card != "??":
                assert seen.setdefault(item.card, item.card_id) == item.card_id
        assert len(set(seen.values())) == len(seen)


def _all_cards(hand: Hand) -> Iterable[SeenCard]:
    for event in hand:
        if isinstance(event, (CardDealt, CardBurned)):
            yield SeenCard(card=event.card, back=event.back, card_id=event.card_id)
        elif isinstance(event, (BoardDealt, CardsShown, StubInspected)):
            yield from (item for item in event.cards if isinstance(item, SeenCard))


def test_a_card_is_burned_before_every_street(hands: list[Hand]) -> None:
    for hand in hands:
        for before, event in pairwise(hand):
            if isinstance(event, BoardDealt) and not event.rabbit:
                assert isinstance(before, CardBurned)


def test_the_button_moves_to_the_next_entitled_seat(room: list[Event]) -> None:
    for events in _by_table(room).values():
        for last, start in pairwise(_of(events, HandStarted)):
            assert last.button_seat is not None
            seats = sorted(seat.seat for seat in start.seats if seat.entitled)
            later = [seat for seat in seats if seat > last.button_seat]
            assert start.button_seat == (later or seats)[0]


def test_heads_up_the_button_posts_the_small_blind_and_is_dealt_last() -> None:
    for hand in _hands(_events(hands=20, players=(2, 2), tables=1)):
        start = _start(hand)
        assert start.small_blind_seat == start.button_seat != start.big_blind_seat
        assert [event.seat for event in _of(hand, CardDealt)] == [start.big_blind_seat, start.button_seat] * 2
        first = next(iter(_of(hand, PlayerActed)))
        assert first.seat == start.button_seat


def test_ten_handed() -> None:
    for hand in _hands(_events(hands=15, players=(10, 10), tables=1)):
        assert len(_of(hand, CardDealt)) == 20


@pytest.mark.parametrize("betting", ["no_limit", "pot_limit", "limit"])
def test_every_table_plays_the_betting_that_was_asked_for(betting: str) -> None:
    opened = parse(next(iter(play(1, 1, betting=betting))))  # type: ignore[arg-type]
    assert isinstance(opened, TableOpened)
    assert opened.betting == betting


def test_limit_bets_are_the_size_of_the_street() -> None:
    for events in _by_table(parse(raw) for raw in play(2, 40, seed=2, betting="limit")).values():
        opened = events[0]
        assert isinstance(opened, TableOpened)
        for hand in _hands(events):
            streets = 0
            for event in hand:
                streets += isinstance(event, BoardDealt)
                if isinstance(event, PlayerActed) and event.action == "bet" and not event.all_in:
                    assert event.amount == (opened.stakes.small_bet if streets == 1 else opened.stakes.big_bet)


def test_all_that_is_legal_and_unusual_occurs() -> None:
    events = _events(hands=90, tables=6, seed=3)
    hands = _hands(events)
    boards = _of(events, BoardDealt)
    folds_only = [h for h in hands if all(event.action == "fold" for event in _of(h, PlayerActed))]
    assert any(board.board == 2 for board in boards), "run it twice"
    assert any(board.rabbit for board in boards), "a rabbit hunt"
    assert any(post.kind == "straddle" for post in _of(events, ForcedBetPosted)), "a straddle"
    assert any(post.kind == "ante" for post in _of(events, ForcedBetPosted)), "antes"
    assert any(card.card == "??" for card in _of(events, CardDealt)), "a card that was not read"
    assert any(card.exposed_by == "player" for card in _of(events, CardDealt)), "a card flashed by its player"
    assert any(award.pot == 1 for award in _of(events, PotAwarded)), "a side pot"
    assert folds_only, "a walk"
    assert _of(events, StubInspected), "a whole stub"
    assert any(not seat.entitled for start in _of(events, HandStarted) for seat in start.seats), "a player sitting out"
    assert {event.kind for event in _of(events, ChipsBought)} == {"buy_in", "add_on"}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"kinds": ["DCK999"]}, "no such kind"),
        ({"players": (1, 4)}, "2 to 10"),
        ({"players": (5, 3)}, "2 to 10"),
        ({"mistakes": 1.5}, "between 0 and 1"),
        ({"tables": 0}, "one table"),
    ],
)
def test_an_order_that_makes_no_sense_is_refused(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        open_room(**({"tables": 1, "hands": 1} | wrong))  # type: ignore[arg-type]
