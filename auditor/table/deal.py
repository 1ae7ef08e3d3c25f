"""The starting hands as they are dealt, and the moment when the deal is over."""

from __future__ import annotations

from auditor.cards import JOKER, UNREAD
from auditor.events import CardDealt, CardExposed, CardsDiscarded, face
from auditor.table import betting, deck
from auditor.table.hand import Exposure, Hand, Scrap, Withdrawn


def is_reread(hand: Hand, event: CardDealt) -> bool:
    """The same physical card read a second time, not a second card.

    It lies at this seat already, and no card is due there: it follows its first reading directly, or the hand is full.
    """
    place = hand.where.get(event.card)
    if place is None or place.kind != "seat":
        return False
    if place.number != event.seat and event.seat not in hand.cross_reads.get(event.card, ()):
        return False
    held = hand.holding[event.seat]
    return len(held) >= hand.game.starting_cards or (bool(hand.deal) and hand.deal[-1].seat == event.seat)


def deal_card(hand: Hand, event: CardDealt) -> None:
    """One card to a seat."""
    seat, card = event.seat, event.card
    if card in hand.where:
        if is_reread(hand, event):
            return
        _leave_other_seat(hand, event)
    hand.out += 1
    held = hand.holding.get(seat)
    if held is None:
        held = hand.holding[seat] = []
    if event.replaces is not None:
        _replace(hand, held, event.replaces, event.seq)
    elif not hand.deal_judged:
        hand.deal.append(event)
    elif not hand.game.has_board:
        _deal_later_street(hand, len(held))
    held.append(card)
    if event.read_at is None or not _is_cross_read(hand, event):
        deck.lay(hand, card, "seat", seat, event.seq)
    if event.card_id is not None:
        deck.tag(hand, card, event.card_id)
    if event.back is not None and event.back not in hand.deck_backs and hand.deck_backs:
        hand.foreign_backs.add(seat)
    if event.boxed:
        hand.boxed.append(Scrap(seat, card, event.seq, event.at))
    if not hand.deal_settled and exposed_by_house(hand, event):
        hand.exposures.append(Exposure(seat, card, len(hand.deal), event.seq, event.at))


def _leave_other_seat(hand: Hand, event: CardDealt) -> None:
    """The same physical card by its own id, which the dealer took from one seat and gave to another."""
    card, lies = event.card, hand.where[event.card]
    if lies.kind != "seat" or event.card_id is None or hand.tag_of.get(card) != event.card_id:
        return
    held = hand.holding.get(lies.number, [])
    if event.read_at is None and lies.number != event.seat and card in held:
        held.remove(card)
        hand.out -= 1
        if not hand.deal_settled:
            hand.withdrawn.append(Withdrawn(lies.number, card, event.seq))


def _is_cross_read(hand: Hand, event: CardDealt) -> bool:
    """Whether another seat's antenna has read the card already; then nobody knows where it lies."""
    card, seat = event.card, event.seat
    if deck.is_cross_read(hand, event):
        hand.cross_reads[card] = (hand.by_antenna[card], seat)
        return True
    if event.read_at == "seat" and event.face == "down" and card != UNREAD:
        hand.by_antenna.setdefault(card, seat)
    return False


def _replace(hand: Hand, held: list[str], replaced: str, seq: int) -> None:
    hand.replaced.add(replaced)
    if replaced in held:
        held.remove(replaced)
        # It lies beside the deck until something says where it went: set aside, or made the burn.
        deck.lay(hand, replaced, "set_aside", 0, seq)


def begins_street(hand: Hand, held: int) -> bool:
    """Whether a card to a seat that holds so many begins the next street, behind a round that is over or broken off.

    In stud each hand gets one of it; in draw games it does where no discard was reported that it takes the place of.
    """
    if hand.street + 1 == len(hand.game.streets) or not (hand.round_complete or hand.acted_on_street):
        return False
    if hand.game.button:
        in_draw = hand.game.streets[hand.street].draw
        return held >= hand.game.starting_cards and (not in_draw or hand.acted_on_street)
    return held + 1 - hand.game.starting_cards > hand.street


def begins_draw(hand: Hand, seat: int) -> bool:
    """Whether a discard begins the next draw.

    It is the first one behind a round of betting; or, where the round was broken off or nobody was left to bet, the
    second one of its seat.
    """
    street = hand.street + 1
    if street == len(hand.game.streets) or not hand.game.streets[street].draw:
        return False
    if hand.game.streets[hand.street].draw and seat not in hand.drawn:
        return hand.round_complete and hand.acted_on_street  # otherwise it belongs to the draw that is under way
    return hand.round_complete or hand.acted_on_street


def _deal_later_street(hand: Hand, held: int) -> None:
    if begins_street(hand, held):
        betting.open_next_street(hand, hand.street + 1)


def discard(hand: Hand, event: CardsDiscarded) -> None:
    """Cards are thrown away for a draw; none where the player stands pat."""
    seat = event.seat
    if begins_draw(hand, seat):
        betting.open_next_street(hand, hand.street + 1)
    hand.drawn.add(seat)
    held = hand.holding.get(seat, [])
    for item in event.cards:
        card = face(item)
        deck.see_at(hand, card, seat, event.seq)
        if card in held or UNREAD in held:
            held.remove(card if card in held else UNREAD)
        deck.lay(hand, card, "muck", seat, event.seq)
    for _ in range((event.count or 0) - len(event.cards)):
        if UNREAD in held:
            held.remove(UNREAD)


def exposed_by_house(hand: Hand, event: CardDealt) -> bool:
    """Whether a card was exposed as it was dealt, and not by its player."""
    if event.boxed or (event.card == JOKER and not hand.jokers):
        return False  # a scrap of paper, with rules of its own
    if event.exposed_by is not None:
        return event.exposed_by != "player"
    return event.off_table or (event.face == "up" and not hand.game.streets[0].up)


def expose(hand: Hand, event: CardExposed) -> None:
    """A card is shown by accident."""
    seat, card = event.seat, event.card
    if seat is not None:
        reveal(hand, seat, card, event.seq)
    if hand.deal_settled or event.by not in ("dealer", "software"):
        return
    if any(scrap.card == card != UNREAD for scrap in hand.boxed) or (card == JOKER and not hand.jokers):
        return  # a scrap of paper
    lies = hand.where.get(card)
    if seat is None and lies is not None and lies.kind == "seat":
        seat = lies.number
    if any(e.seat == seat and e.card == card != UNREAD for e in hand.exposures):
        return  # reported with the card already
    hand.exposures.append(Exposure(seat, card, _ordinal(hand, seat, card), event.seq, event.at))


def _ordinal(hand: Hand, seat: int | None, card: str) -> int:
    for ordinal, dealt in enumerate(hand.deal, 1):
        if dealt.seat == seat and dealt.card == card != UNREAD:
            return ordinal
    theirs = [ordinal for ordinal, dealt in enumerate(hand.deal, 1) if dealt.seat == seat]
    return theirs[-1] if theirs else 0


def reveal(hand: Hand, seat: int, card: str, seq: int) -> None:
    """A card of a hand becomes known: it takes the place of one that was not read."""
    if card in (UNREAD, JOKER) or card in hand.where:
        deck.see_at(hand, card, seat, seq)
        return
    held = hand.holding.setdefault(seat, [])
    if UNREAD in held:
        held[held.index(UNREAD)] = card
    deck.lay(hand, card, "seat", seat, seq)


def lacks_top_card(hand: Hand) -> bool:
    """Whether every card came in its turn but the last one: the top card, in proper sequence, completes the deal."""
    due = hand.order * hand.game.starting_cards
    return len(hand.deal) + 1 == len(due) and [dealt.seat for dealt in hand.deal] == due[:-1]


def judge(hand: Hand) -> None:
    """The deal has been measured: its events need not live as long as the hand."""
    hand.deal_judged = True
    hand.preparation.deal()
    hand.deal.clear()


def settle(hand: Hand) -> None:
    """The deal is over: whoever holds cards is in, and the first betting round opens."""
    hand.deal_settled = True
    if hand.deal:
        # Cards at a seat that is entitled to none give no turn to anybody, unless the player does act.
        dealt_in = {dealt.seat for dealt in hand.deal if dealt.seat in hand.entitled}
        thrown = hand.released.keys() - hand.live
        hand.live = dealt_in.difference(hand.folded, hand.dead, thrown)
    if not hand.raise_size:
        hand.raise_size = betting.least_bet(hand)
    betting.open_round(hand)
    hand.betting_started = True
