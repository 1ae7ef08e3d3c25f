"""evolve(table, event): what the table looks like after each event. Total: it never raises on an event."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from auditor.events import (
    BoardDealt,
    CardBurned,
    CardDealt,
    CardExposed,
    CardReturned,
    CardsDiscarded,
    CardsShown,
    ChipsReturned,
    DealerChanged,
    DeckCut,
    DeckShuffled,
    ForcedBetPosted,
    HandEnded,
    HandStarted,
    IrregularityAnnounced,
    PlayerActed,
    PlayerLeft,
    PlayerSeated,
    PotAwarded,
    RakeTaken,
    RulingMade,
    TableClosed,
    TableOpened,
    face,
)
from auditor.games import GAMES
from auditor.table import betting, board, deal, deck
from auditor.table.button import ButtonMemory
from auditor.table.hand import Attention, Hand
from auditor.table.table import NO_HAND, Table


@lru_cache(maxsize=1024)
def observed(capabilities: tuple[str, ...]) -> frozenset[str]:
    """What a feed sees, as a set: one set for all hands that declare the same."""
    return frozenset(capabilities)


# --- the table ------------------------------------------------------------------------------------------------------


def _table_opened(table: Table, event: TableOpened) -> None:
    memory = table.memory
    memory.opened, memory.closed = True, False
    memory.game, memory.betting, memory.stakes = event.game, event.betting, event.stakes
    memory.max_seats, memory.observes, memory.jokers = event.max_seats, event.observes, event.jokers
    memory.backs = {d.deck_id: d.back for d in event.decks if d.back is not None}
    memory.house, memory.location = event.house_rules, event.location
    memory.seated, memory.button = {}, None


def _table_closed(table: Table, event: TableClosed) -> None:
    table.memory.closed = True
    table.memory.button = None


def _dealer_changed(table: Table, event: DealerChanged) -> None:
    table.memory.dealer_id = event.dealer_id


def _player_seated(table: Table, event: PlayerSeated) -> None:
    table.memory.seated[event.seat] = event.player_id


def _player_left(table: Table, event: PlayerLeft) -> None:
    table.memory.seated.pop(event.seat, None)


def _deck_changed(table: Table, event: DeckShuffled) -> None:
    if event.deck_id is not None:
        table.memory.deck_id = event.deck_id


# --- the hand begins and ends ---------------------------------------------------------------------------------------


def _hand_started(table: Table, event: HandStarted) -> None:
    memory = table.memory
    hand = Hand(
        event.hand_id,
        GAMES[event.game or memory.game],
        event.betting or memory.betting,
        event.stakes or memory.stakes,
        event.seq,
        event.at,
    )
    hand.observes = observed(memory.observes if event.observes is None else event.observes)
    if event.dealer_id is not None:
        memory.dealer_id = event.dealer_id
    if event.deck_id is not None:
        memory.deck_id = event.deck_id
    hand.dealer_id = memory.dealer_id
    hand.deck_backs = _backs(table, event)
    hand.jokers = memory.jokers
    hand.window = memory.house.misdeal_window
    hand.carried_pot, hand.redeal_of = event.carried_pot, event.redeal_of
    _take_seats(hand, event)
    table.hand = hand
    memory.lost_track = False
    memory.told_stray = None


def _take_seats(hand: Hand, event: HandStarted) -> None:
    hand.button = event.button_seat
    hand.small_blind, hand.big_blind = event.small_blind_seat, event.big_blind_seat
    hand.seats = {s.seat: s for s in event.seats}
    hand.sorted_seats = sorted(hand.seats)
    entitled = [seat for seat in hand.sorted_seats if hand.seats[seat].entitled]
    hand.entitled = frozenset(entitled)
    hand.live = set(entitled)
    hand.stack = {s.seat: s.stack for s in event.seats if s.stack is not None}
    start = hand.button if hand.game.button else event.dealer_seat
    if start is not None:
        hand.order = [s for s in entitled if s > start] + [s for s in entitled if s <= start]


def _backs(table: Table, event: HandStarted) -> frozenset[str]:
    """The backs that are right in this hand: the deck's own, or, where the deck is not named, any of the table's."""
    memory = table.memory
    if event.deck_back is not None:
        return frozenset((event.deck_back,))
    if memory.deck_id is not None and memory.deck_id in memory.backs:
        return frozenset((memory.backs[memory.deck_id],))
    return frozenset(memory.backs.values())


def join_midway(table: Table, hand_id: str, seq: int, at: Any) -> None:
    """A hand whose start was lost in a gap: go on with the little that is known of it."""
    memory = table.memory
    hand = Hand(hand_id, table.game, memory.betting, memory.stakes, seq, at)
    hand.gap = True
    hand.dealer_id, hand.deck_backs, hand.jokers = memory.dealer_id, frozenset(memory.backs.values()), memory.jokers
    hand.window = 0  # nobody knows how much action there was
    hand.deal_settled = True
    table.hand = hand
    memory.lost_track = False


def lose_track(table: Table) -> None:
    """Events of this table are missing: what argues from silence stays silent, and the button is forgotten."""
    table.memory.lost_track = True
    table.memory.button = None
    if table.hand.open:
        table.hand.gap = True
        table.hand.observes = frozenset()


def close_hand(table: Table, *, ended: bool = True) -> None:
    """The hand is over: the table remembers its button and forgets the rest."""
    hand, memory = table.hand, table.memory
    memory.last_hand_id = hand.hand_id
    known = ended and not hand.gap and hand.button is not None and bool(hand.entitled)
    memory.button = _remember_button(memory.button, hand) if known else None
    table.hand = NO_HAND


def _remember_button(last: ButtonMemory | None, hand: Hand) -> ButtonMemory:
    assert hand.button is not None
    wrong = hand.found("BTN101")
    correct = wrong.seats[1] if wrong is not None and len(wrong.seats) > 1 else hand.button
    if hand.redeal_of is not None and last is not None and wrong is None:
        correct = last.correct
    small_blind = hand.small_blind
    if small_blind is None and last is not None:
        small_blind = last.big_blind  # a dead small blind: the seat that had the big blind, gone or not
    return ButtonMemory(
        seat=hand.button,
        correct=correct,
        small_blind=small_blind,
        big_blind=hand.big_blind,
        players=tuple(sorted(hand.entitled)),
        hand_id=hand.hand_id,
        misdealt=hand.ruled("misdeal"),
        voided=hand.ruled("void_action") or hand.void_returns > 0,
    )


# --- within the hand ------------------------------------------------------------------------------------------------


def _card_burned(hand: Hand, event: CardBurned) -> None:
    if board.is_short(hand):
        board.stop_short(hand)
    board.burn(hand, event)


def _board_dealt(hand: Hand, event: BoardDealt) -> None:
    if board.plays_on(hand, event):
        board.play_on_with_premature(hand)
    board.turn(hand, event)


def _deck_cut(hand: Hand, event: DeckCut) -> None:
    hand.cut = True


def _cards_discarded(hand: Hand, event: CardsDiscarded) -> None:
    held = hand.holding.get(event.seat, [])
    for item in event.cards:
        card = face(item)
        if card in held:
            held.remove(card)
        deck.lay(hand, card, "muck", event.seat, event.seq)


def _cards_shown(hand: Hand, event: CardsShown) -> None:
    for item in event.cards:
        deal.reveal(hand, event.seat, face(item), event.seq)


def _forced_bet(hand: Hand, event: ForcedBetPosted) -> None:
    if event.kind == "small_blind":
        hand.small_blind = event.seat
    elif event.kind == "big_blind":
        hand.big_blind = event.seat
    betting.post(hand, event)


def _player_acted(hand: Hand, event: PlayerActed) -> None:
    if hand.street or hand.premature:
        if board.plays_on(hand, event):
            board.play_on_with_premature(hand)
        elif board.is_short(hand):
            board.stop_short(hand)
    betting.act(hand, event)


def _chips_returned(hand: Hand, event: ChipsReturned) -> None:
    hand.returned[event.seat] = hand.returned.get(event.seat, 0) + event.amount
    if event.reason in ("void", "misdeal"):
        hand.void_returns += event.amount


def _pot_awarded(hand: Hand, event: PotAwarded) -> None:
    hand.awarded[event.seat] = hand.awarded.get(event.seat, 0) + event.amount


def _rake_taken(hand: Hand, event: RakeTaken) -> None:
    hand.rake += event.amount


def _announced(hand: Hand, event: IrregularityAnnounced) -> None:
    _call_attention(hand, event.seq, event.rule)


def _ruling_made(hand: Hand, event: RulingMade) -> None:
    _call_attention(hand, event.seq, None)
    hand.rulings.append((event.ruling, event.seq))


def _call_attention(hand: Hand, seq: int, rule: str | None) -> None:
    hand.attentions.append(Attention(seq, rule, not hand.window_closed, hand.acted_on_street))


# --- which event does what ------------------------------------------------------------------------------------------

_TABLE_STEPS: dict[type[Any], Callable[[Table, Any], None]] = {
    TableOpened: _table_opened,
    TableClosed: _table_closed,
    DealerChanged: _dealer_changed,
    PlayerSeated: _player_seated,
    PlayerLeft: _player_left,
    DeckShuffled: _deck_changed,
    HandStarted: _hand_started,
}

#: What each event does to the open hand. One that is not listed leaves the state as it is.
HAND_STEPS: dict[type[Any], Callable[[Hand, Any], None]] = {
    CardDealt: deal.deal_card,
    CardExposed: deal.expose,
    CardBurned: _card_burned,
    BoardDealt: _board_dealt,
    CardReturned: deck.give_back,
    DeckShuffled: deck.shuffle,
    DeckCut: _deck_cut,
    CardsDiscarded: _cards_discarded,
    CardsShown: _cards_shown,
    ForcedBetPosted: _forced_bet,
    PlayerActed: _player_acted,
    ChipsReturned: _chips_returned,
    PotAwarded: _pot_awarded,
    RakeTaken: _rake_taken,
    IrregularityAnnounced: _announced,
    RulingMade: _ruling_made,
}


def evolve(table: Table, event: Any) -> None:
    """Change the table as the event did. An event of another hand than the open one changes nothing."""
    kind = event.__class__
    if event.hand_id is None or kind is HandStarted:
        step = _TABLE_STEPS.get(kind)
        if step is not None:
            step(table, event)
    elif event.hand_id == table.hand.hand_id:
        if kind is HandEnded:
            close_hand(table)
        else:
            within = HAND_STEPS.get(kind)
            if within is not None:
                within(table.hand, event)
