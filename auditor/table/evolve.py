"""evolve(table, event): what the table looks like after each event. Total: it never raises on an event."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from auditor.events import (
    BoardDealt,
    BoardPlayed,
    CardBurned,
    CardDealt,
    CardExposed,
    CardReturned,
    CardsDiscarded,
    CardsReleased,
    CardsRetrieved,
    CardsShown,
    ChipsBought,
    ChipsCashed,
    ChipsReturned,
    ClockExpired,
    DealerChanged,
    DeckCut,
    DeckShuffled,
    ForcedBetPosted,
    HandEnded,
    HandStarted,
    IrregularityAnnounced,
    PlayerActed,
    PlayerLeft,
    PlayerSatOut,
    PlayerSeated,
    PotAwarded,
    RakeTaken,
    RulingMade,
    StubInspected,
    TableClosed,
    TableOpened,
    face,
)
from auditor.games import GAMES
from auditor.table import betting, blinds, board, dead, deal, deck, stacks
from auditor.table.hand import EXPOSURE_CODES, Attention, Award, Hand, Irregularity, LateClaim
from auditor.table.memory import ButtonMemory, Missed, Session, TableMemory
from auditor.table.preparation import Preparation
from auditor.table.remedies import called
from auditor.table.table import NO_HAND, Table

#: Rulings that say nothing of what they are about.
_LETS_STAND = ("play_on", "action_stands", "card_stands", "none")
#: Codes by which a wrong button is called.
_WRONG_BUTTON = ("BTN101", "DEAL107")


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
    memory.decks, memory.preparation = len(event.decks), Preparation()
    memory.stacks, memory.sessions, memory.sessions_lost = {}, {}, False
    memory.away, memory.carry, memory.carried = {}, None, 0
    memory.tags = {}  # another deck may have come, or this one been read in anew


def _table_closed(table: Table, event: TableClosed) -> None:
    table.memory.closed = True
    table.memory.button = None


def _dealer_changed(table: Table, event: DealerChanged) -> None:
    table.memory.dealer_id = event.dealer_id
    table.memory.preparation.by_player = False  # a dealer of the house


def _player_seated(table: Table, event: PlayerSeated) -> None:
    memory, seat = table.memory, event.seat
    memory.seated[seat] = event.player_id
    _leave(memory, seat)
    memory.sessions[seat] = Session(event.player_id)


def _player_left(table: Table, event: PlayerLeft) -> None:
    table.memory.seated.pop(event.seat, None)
    _leave(table.memory, event.seat)
    _miss_deal(table.hand, event.seat)


def _leave(memory: TableMemory, seat: int) -> None:
    memory.stacks.pop(seat, None)
    memory.sessions.pop(seat, None)
    memory.away.pop(seat, None)


def _player_sat_out(table: Table, event: PlayerSatOut) -> None:
    table.memory.away.setdefault(event.seat, Missed())
    _miss_deal(table.hand, event.seat)


def _miss_deal(hand: Hand, seat: int) -> None:
    if hand.open and not hand.deal_settled:
        hand.away.add(seat)


def _chips_bought(table: Table, event: ChipsBought) -> None:
    memory, seat = table.memory, event.seat
    if event.kind == "buy_in" and event.reason == "purchase" and not table.has_chips(seat):
        session = memory.sessions.setdefault(seat, Session())
        stacks.buy(session, event, stacks.full_buy_in(memory.betting, memory.stakes, memory.house))
    if seat in memory.stacks:
        memory.stacks[seat].chips += event.amount


def _chips_cashed(table: Table, event: ChipsCashed) -> None:
    if event.seat in table.memory.stacks:
        table.memory.stacks[event.seat].chips -= event.amount


def _deck_cut_at_table(table: Table, event: DeckCut) -> None:
    table.memory.preparation.cut_deck(event)
    table.memory.deck_order = event.order


def _announced_at_table(table: Table, event: IrregularityAnnounced) -> None:
    if event.rule in _WRONG_BUTTON:
        _call_to_button(table)


def _ruled_at_table(table: Table, event: RulingMade) -> None:
    if event.ruling == "correct_button_next_hand":
        _call_to_button(table)


def _call_to_button(table: Table) -> None:
    """Between two hands, attention is called to the wrong button of the one before."""
    last = table.memory.button
    if last is not None and last.seat != last.correct and not table.hand.open:
        last.attention = True


def _deck_changed(table: Table, event: DeckShuffled) -> None:
    table.memory.preparation.shuffle(event)
    if event.deck_id is not None:
        table.memory.deck_id = event.deck_id
    table.memory.deck_order = ()


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
    hand.deck_order, memory.deck_order = memory.deck_order, ()
    hand.jokers, hand.tags = memory.jokers, memory.tags
    hand.window = memory.house.misdeal_window
    hand.carried_pot, hand.splash, hand.redeal_of = event.carried_pot, event.splash, event.redeal_of
    hand.bomb_pot = event.bomb_pot
    hand.preparation = memory.preparation
    memory.preparation.start(event, memory.deck_id)
    stacks.sit_in(memory.stacks, memory.sessions, event.seats)
    _take_seats(table, hand, event)
    hand.away.update(memory.away)
    table.hand = hand
    memory.lost_track = False
    memory.told_stray = None


def _take_seats(table: Table, hand: Hand, event: HandStarted) -> None:
    if event.button_seat is not None and table.has_seat(event.button_seat):
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
    hand.tags = memory.tags
    hand.deal_settled = hand.deal_judged = True
    table.hand = hand
    memory.lost_track = False


def lose_track(table: Table) -> None:
    """Something of this table is missing: what argues from silence stays silent, and the last hand is forgotten."""
    memory = table.memory
    memory.button = None
    memory.preparation.lose()
    memory.stacks, memory.sessions, memory.sessions_lost = {}, {}, True
    memory.away, memory.carry, memory.carried = {}, None, 0
    if table.hand.open:
        table.hand.gap = True
        table.hand.observes = frozenset()


def close_hand(table: Table, *, ended: bool = True) -> None:
    """The hand is over: the table remembers its button and forgets the rest."""
    hand, memory = table.hand, table.memory
    memory.last_hand_id = hand.hand_id
    memory.clock_told = False
    stacks.settle(memory.stacks, hand, ended=ended)
    whole = ended and not hand.gap
    memory.preparation.known, memory.preparation.after_misdeal = whole, hand.verdict == "misdeal"
    memory.misdeal_incident = _behind_misdeal(hand) if memory.preparation.after_misdeal else None
    memory.carry = _carried(memory.carry, hand) if whole else None
    waits = whole and hand.verdict == "pot_carries_over" and "betting" in hand.observes
    memory.carried = _left_over(hand) if waits else 0
    known = whole and hand.button is not None and bool(hand.entitled)
    if known and memory.away and not hand.voided and not hand.bomb_pot:
        blinds.pass_by(memory.away, memory.button, hand)
    memory.button = _remember_button(memory.button, hand) if known else None
    table.hand = NO_HAND


def _behind_misdeal(hand: Hand) -> str | None:
    """The incident for which the hand was a misdeal."""
    return next((i.incident for i in hand.irregularities if i.misdeal_ground or i.code == "RUL101"), None)


def _carried(before: dict[int, str | None] | None, hand: Hand) -> dict[int, str | None] | None:
    """Who was dealt in on the deal whose pot is carried over to the next hand."""
    over = hand.verdict == "pot_carries_over"
    if hand.voided and not over:
        return before if hand.carried_pot else None
    if _left_over(hand) <= 0 or (hand.awarded and not over):
        return None
    dealt = {seat: s.player_id for seat, s in hand.seats.items() if seat in (hand.holding or hand.entitled)}
    if hand.carried_pot and before is not None:
        return {seat: player for seat, player in dealt.items() if player in before.values()}
    return dealt


def _left_over(hand: Hand) -> int:
    return hand.pot - sum(hand.returned.values()) - sum(hand.awarded.values()) - hand.taken


def _remember_button(last: ButtonMemory | None, hand: Hand) -> ButtonMemory:
    assert hand.button is not None
    wrong = hand.found("BTN101")
    correct = wrong.seats[1] if wrong is not None and len(wrong.seats) > 1 else hand.button
    if hand.redeal_of is not None and last is not None and wrong is None:
        correct = last.correct
    small_blind, big_blind = hand.small_blind, hand.big_blind
    if hand.found("BTN103") is not None and len(hand.order) > 2:
        small_blind, big_blind = hand.order[:2]  # a blind posted by a wrong seat moves no button
    if small_blind is None and last is not None and not hand.bomb_pot:
        small_blind = last.big_blind  # a dead small blind: the seat that had the big blind, gone or not
    return ButtonMemory(
        seat=hand.button,
        correct=correct,
        small_blind=small_blind,
        big_blind=big_blind,
        players=tuple(sorted(hand.entitled)),
        hand_id=hand.hand_id,
        misdealt=hand.verdict == "misdeal",
        voided=hand.voided or hand.bomb_pot,
        attention=wrong is not None and _attention_to_button(hand, wrong),
        refused=wrong is not None and called(hand, wrong, in_time=True) is not None,
    )


def _attention_to_button(hand: Hand, wrong: Irregularity) -> bool:
    """Whether it was called to a wrong button: of two grounds for a misdeal, to the one that was named."""
    if hand.ruled("correct_button_next_hand"):
        return True
    attention = called(hand, wrong)
    if attention is None or hand.verdict != "misdeal":
        return attention is not None
    return attention.rule is not None or not any(i.misdeal_ground and i is not wrong for i in hand.irregularities)


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
    if hand.out == 0 or hand.voided or (hand.preparation.shuffled and not hand.reshuffled):
        hand.preparation.cut_deck(event)  # the deck that is to be dealt next
    hand.cut = True
    if hand.out == 0 or hand.reshuffled:
        hand.deck_order = event.order
    if hand.repair is not None:
        hand.repair.cut = True


def _cards_released(hand: Hand, event: CardsReleased) -> None:
    if event.cards:
        deck.tag_all(hand, event.cards)
        for item in event.cards:
            deal.reveal(hand, event.seat, face(item), event.seq)
    dead.release(hand, event)


def _cards_shown(hand: Hand, event: CardsShown) -> None:
    deck.tag_all(hand, event.cards)
    shown = hand.shown.setdefault(event.seat, [])
    for item in event.cards:
        card = face(item)
        if card not in shown:
            shown.append(card)
        deal.reveal(hand, event.seat, card, event.seq)


def _forced_bet(hand: Hand, event: ForcedBetPosted) -> None:
    hand.moved.append(event)
    betting.post(hand, event)


def _player_acted(hand: Hand, event: PlayerActed) -> None:
    if hand.street or hand.premature:
        if board.plays_on(hand, event):
            board.play_on_with_premature(hand)
        elif board.is_short(hand):
            board.stop_short(hand)
        if hand.premature:
            board.note_ahead(hand, event)
    if hand.released:
        dead.act_behind(hand, event)
    if event.amount:
        hand.moved.append(event)
    betting.act(hand, event)


def _chips_returned(hand: Hand, event: ChipsReturned) -> None:
    hand.moved.append(event)
    hand.returned[event.seat] = hand.returned.get(event.seat, 0) + event.amount
    if event.seat in hand.stack:
        hand.stack[event.seat] += event.amount
    if event.reason != "uncalled":
        hand.refunds.append(event)
    if event.reason in ("void", "misdeal"):
        hand.void_returns += event.amount
    elif event.reason == "correction":
        if hand.betting_started:
            betting.take_back(hand, event.seat, event.amount)
        else:
            betting.take_back_post(hand, event.seat, event.amount)


def _pot_awarded(hand: Hand, event: PotAwarded) -> None:
    hand.awarded[event.seat] = hand.awarded.get(event.seat, 0) + event.amount
    hand.awards.append(Award(event.seat, event.amount, event.pot, event.share, event.seq, event.board))
    hand.moved.append(event)


def _rake_taken(hand: Hand, event: RakeTaken) -> None:
    if event.kind == "rake":
        hand.rake += event.amount
    else:
        hand.fees += event.amount


def _board_played(hand: Hand, event: BoardPlayed) -> None:
    if event.seat not in hand.released:  # afterwards it is too late
        hand.played_board.add(event.seat)


def _announced(hand: Hand, event: IrregularityAnnounced) -> None:
    if event.looked and event.seat is not None and (event.rule in EXPOSURE_CODES or event.rule is None):
        hand.late_claims.append(LateClaim(event.seat, event.card, event.seq))
    concerned = event.seat if event.by not in (None, "player") else None  # a player's seat is the one who complains
    hand.attentions.append(_attention(hand, event.seq, event.rule, concerned, event.card))


def _ruling_made(hand: Hand, event: RulingMade) -> None:
    made = _attention(hand, event.seq, None, event.seat, event.card)._replace(ruling=event.ruling)
    if hand.attentions and hand.attentions[-1].ruling is None:
        asked = hand.attentions[-1]
        hand.attentions[-1] = asked._replace(answer=event.ruling)
        if event.ruling in _LETS_STAND:
            made = made._replace(
                rule=asked.rule,
                seat=asked.seat if made.seat is None else made.seat,
                card=made.card or asked.card,
            )
    hand.attentions.append(made)
    hand.rulings.append((event.ruling, event.seq))
    if event.seat is not None:
        dead.rule_on(hand, event, event.seat)


def _attention(hand: Hand, seq: int, rule: str | None, seat: int | None, card: str | None) -> Attention:
    return Attention(seq, rule, seat, card, not hand.window_closed, hand.actions, bool(hand.awarded))


# --- which event does what ------------------------------------------------------------------------------------------

_TABLE_STEPS: dict[type[Any], Callable[[Table, Any], None]] = {
    TableOpened: _table_opened,
    TableClosed: _table_closed,
    DealerChanged: _dealer_changed,
    PlayerSeated: _player_seated,
    PlayerLeft: _player_left,
    PlayerSatOut: _player_sat_out,
    ChipsBought: _chips_bought,
    ChipsCashed: _chips_cashed,
    DeckCut: _deck_cut_at_table,
    DeckShuffled: _deck_changed,
    IrregularityAnnounced: _announced_at_table,
    RulingMade: _ruled_at_table,
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
    CardsDiscarded: deal.discard,
    CardsShown: _cards_shown,
    ForcedBetPosted: _forced_bet,
    PlayerActed: _player_acted,
    ChipsReturned: _chips_returned,
    PotAwarded: _pot_awarded,
    RakeTaken: _rake_taken,
    CardsReleased: _cards_released,
    CardsRetrieved: dead.retrieve,
    ClockExpired: dead.expire,
    StubInspected: deck.inspect,
    BoardPlayed: _board_played,
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
            table.hand.cancelled = event.cancelled
            close_hand(table)
        else:
            within = HAND_STEPS.get(kind)
            if within is not None:
                within(table.hand, event)
