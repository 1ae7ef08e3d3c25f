"""A small stage for the examples beside the rules: a table, a hand, and what goes wrong in it.

A scene is dealt legally unless its script says otherwise; it knows nothing of the auditor's state or rules.
Seats are 1 … n and the button is on the last seat, so that seat 1 is the small blind and seat 2 the big blind.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Self

from auditor.cards import RANKS, SUITS, UNREAD
from auditor.events import (
    CAPABILITIES,
    BoardDealt,
    CardBurned,
    CardDealt,
    CardReturned,
    CardsDiscarded,
    CardsShown,
    ChipsBought,
    ChipsCashed,
    ChipsReturned,
    Deck,
    DeckCut,
    DeckShuffled,
    Event,
    ForcedBetPosted,
    HandEnded,
    HandSeat,
    HandStarted,
    IrregularityAnnounced,
    PlayerActed,
    PotAwarded,
    RakeTaken,
    RulingMade,
    Stakes,
    StubInspected,
    TableEvent,
    TableOpened,
)
from auditor.games import GAMES

_START = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)
#: The deck, dealt from its end: scripts name cards of the other ranks, so that none is dealt twice by accident.
_UNNAMED = [rank + suit for suit in SUITS for rank in RANKS if rank in "568TJ"]
_NAMED = [rank + suit for suit in SUITS for rank in RANKS if rank not in "568TJ"]

#: What adds to a seat's stack, and what takes from it.
_TO_STACK = (ChipsBought, ChipsReturned, PotAwarded)
_FROM_STACK = (ChipsCashed, ForcedBetPosted, PlayerActed)

EVERYTHING: tuple[Any, ...] = tuple(sorted(CAPABILITIES))


class Scene:
    """Builds an event sequence. Every method returns the scene, so that a script reads in the order of the deal."""

    def __init__(
        self,
        players: int = 3,
        *,
        game: Any = "holdem",
        betting: Any = "no_limit",
        observes: tuple[Any, ...] = EVERYTHING,
        house: dict[str, Any] | None = None,
        stack: int = 20_000,
        short: dict[int, int] | None = None,
        jokers: int = 0,
    ) -> None:
        self.events: list[Event | bytes] = []
        self.players = tuple(range(1, players + 1))
        self.stacks = {seat: (short or {}).get(seat, stack) for seat in range(1, 11)}
        self.game = GAMES[game]
        self.hand_number = 0
        self._seq = 0
        self.add(
            TableOpened,
            game=game,
            betting=betting,
            stakes=Stakes(small_blind=50, big_blind=100, small_bet=100, big_bet=200),
            max_seats=10,
            observes=observes,
            decks=(Deck(deck_id="red-1", back="red"), Deck(deck_id="blue-1", back="blue")),
            house_rules=house or {},
            jokers=jokers,
        )

    def add(self, model: type[Any], **fields: Any) -> Self:
        """One event, next in order."""
        self._seq += 1
        scope = {} if issubclass(model, TableEvent) else {"hand_id": self._hand_id()}
        at = _START + timedelta(seconds=self._seq)
        self.events.append(model(**{"table_id": "T1", "seq": self._seq, "at": at, **scope, **fields}))
        if model in _TO_STACK:
            self.stacks[fields["seat"]] = max(0, self.stacks.get(fields["seat"], 0) + fields.get("amount", 0))
        elif model in _FROM_STACK:
            self.stacks[fields["seat"]] = max(0, self.stacks.get(fields["seat"], 0) - fields.get("amount", 0))
        return self

    def _hand_id(self) -> str | None:
        return f"H{self.hand_number}" if self.hand_number else None

    # --- the hand ---------------------------------------------------------------------------------------------------

    def start(
        self,
        button: int | None = None,
        seats: tuple[int, ...] | None = None,
        not_entitled: tuple[int, ...] = (),
        **fields: Any,
    ) -> Self:
        """A new hand. `seats`: who is entitled to one; `not_entitled`: who sits there and is not."""
        self.hand_number += 1
        self.button = button if button is not None else self.players[-1]
        self.seats = seats if seats is not None else self.players
        self.order = [s for s in self.seats if s > self.button] + [s for s in self.seats if s <= self.button]
        self.pot: dict[int, int] = {}
        self._street: dict[int, int] = {}
        self._bet = 0
        self._left = [*_NAMED, *_UNNAMED]
        listed = tuple(
            HandSeat(seat=s, player_id=f"P{s}", stack=self.stacks[s], entitled=s not in not_entitled)
            for s in (*self.seats, *not_entitled)
        )
        values = {"button_seat": self.button, "seats": listed, "deck_id": "red-1", **fields}
        return self.add(HandStarted, **values)

    def blinds(self) -> Self:
        small = self.order[1] if len(self.order) == 2 else self.order[0]
        return self.post(small, "small_blind", 50).post(self._big_blind_seat(), "big_blind", 100)

    def _big_blind_seat(self) -> int:
        return self.order[0] if len(self.order) == 2 else self.order[1]

    def _preflop_order(self) -> list[int]:
        after = self.order.index(self._big_blind_seat()) + 1
        return [*self.order[after:], *self.order[:after]]

    def post(self, seat: int, kind: Any, amount: int, **fields: Any) -> Self:
        self._chips(seat, amount)
        if kind not in ("ante", "dead_blind"):
            self._street[seat] = self._street.get(seat, 0) + amount
            self._bet = max(self._bet, self._street[seat])
        return self.add(ForcedBetPosted, seat=seat, kind=kind, amount=amount, **fields)

    def opened(self, **fields: Any) -> Self:
        """A hand started, its blinds posted, its cards dealt."""
        return self.start(**fields).blinds().deal()

    def card(self, seat: int, card: str | None = None, **fields: Any) -> Self:
        """One card to a seat: the one named, or the next of the deck."""
        return self.add(CardDealt, seat=seat, card=self._draw(card), back=fields.pop("back", "red"), **fields)

    def deal(self, hands: dict[int, str] | None = None, seats: list[int] | None = None) -> Self:
        """The starting hands, one card at a time from the left of the button. `hands`: cards by seat, `As Kd`."""
        named = {seat: cards.split() for seat, cards in (hands or {}).items()}
        self._reserve([card for cards in named.values() for card in cards])
        for number in range(self.game.starting_cards):
            for seat in seats or self.order:
                self.card(seat, named[seat][number] if seat in named else None)
        return self

    def _reserve(self, cards: list[str]) -> None:
        self._left = [card for card in self._left if card not in cards]

    def _draw(self, card: str | None) -> str:
        if card is None:
            return self._left.pop()
        if card == UNREAD:
            self._left.pop()  # some card of the deck, though nobody read it
        self._reserve([card])
        return card

    # --- the betting ------------------------------------------------------------------------------------------------

    def act(self, seat: int, action: Any, amount: int = 0, **fields: Any) -> Self:
        self._chips(seat, amount)
        self._street[seat] = self._street.get(seat, 0) + amount
        self._bet = max(self._bet, self._street[seat])
        return self.add(PlayerActed, seat=seat, action=action, amount=amount, **fields)

    def _chips(self, seat: int, amount: int) -> None:
        self.pot[seat] = self.pot.get(seat, 0) + amount

    def fold(self, *seats: int) -> Self:
        for seat in seats:
            self.act(seat, "fold")
        return self

    def check(self, *seats: int) -> Self:
        for seat in seats:
            self.act(seat, "check")
        return self

    def call(self, *seats: int) -> Self:
        for seat in seats:
            self.act(seat, "call", self._bet - self._street.get(seat, 0))
        return self

    def call_short(self, seat: int) -> Self:
        """All-in for less than the bet."""
        return self.act(seat, "call", self.stacks[seat], all_in=True)

    def raise_to(self, seat: int, level: int, **fields: Any) -> Self:
        action = "raise" if self._bet else "bet"
        return self.act(seat, action, level - self._street.get(seat, 0), **fields)

    def limp(self) -> Self:
        """Everyone calls the big blind, who checks."""
        *callers, big = self._preflop_order()
        return self.call(*callers).check(big)

    def checks_around(self) -> Self:
        return self.check(*self.order)

    # --- the board --------------------------------------------------------------------------------------------------

    def burn(self, card: str = UNREAD, **fields: Any) -> Self:
        return self.add(CardBurned, card=self._draw(card), back=fields.pop("back", "red"), **fields)

    def board(self, *cards: Any, **fields: Any) -> Self:
        """Board cards, with no burn of their own. A new street's bets begin at nothing."""
        self._reserve([card for card in cards if isinstance(card, str)])
        return self.new_street().add(BoardDealt, cards=cards, **fields)

    def new_street(self) -> Self:
        """The bets are gathered."""
        self._street, self._bet = {}, 0
        return self

    def premature(self, *cards: str) -> Self:
        """Board cards turned while the betting round is still open."""
        self._reserve(list(cards))
        return self.burn().add(BoardDealt, cards=cards)

    def street(self, count: int) -> Self:
        """A burn and the next cards of the deck."""
        return self.burn().board(*(self._left.pop() for _ in range(count)))

    def flop(self) -> Self:
        return self.street(3)

    def turn(self) -> Self:
        return self.street(1)

    def river(self) -> Self:
        return self.street(1)

    def back(self, *cards: str, origin: Any = "board", to: Any = "stub", seat: int | None = None) -> Self:
        """Cards go back: from the board, a seat or the burns."""
        for card in cards:
            self.add(CardReturned, from_=origin, card=card, to=to, seat=seat)
        return self

    def reshuffle(self, *includes: Any, cut: bool = True) -> Self:
        self.add(DeckShuffled, includes=includes or ("stub",), riffles=4)
        return self.add(DeckCut, packets=(20, 16)) if cut else self

    def prepare(self, *, cut: bool = True) -> Self:
        """The deck is shuffled, and cut, between two hands."""
        self.add(DeckShuffled, riffles=4, hand_id=None)
        return self.add(DeckCut, packets=(26, 26), cut_card=True, hand_id=None) if cut else self

    def cut_in_order(self, *order: str) -> Self:
        """The deck is cut between two hands by a machine that knows its order, from the top on."""
        return self.add(DeckShuffled, riffles=4, hand_id=None).add(DeckCut, order=order, hand_id=None)

    def stub(self, *last: Any, short: int = 0) -> Self:
        """The stub is inspected: the rest of the deck, the `last` of its cards replaced, some of them missing."""
        rest = self._left[: len(self._left) - short]
        return self.add(StubInspected, cards=(*rest[: len(rest) - len(last)], *last))

    # --- draws ------------------------------------------------------------------------------------------------------

    def draw(self, seat: int, discards: str = "", cards: str = "") -> Self:
        """A seat discards, and gets as many; it stands pat where none are named. The bets are gathered."""
        thrown = tuple(discards.split())
        self.new_street().add(CardsDiscarded, seat=seat, cards=thrown, count=len(thrown))
        for card in cards.split():
            self.card(seat, card, draw=True)
        return self

    # --- the end ----------------------------------------------------------------------------------------------------

    def show(self, seat: int, cards: str) -> Self:
        return self.add(CardsShown, seat=seat, cards=tuple(cards.split()))

    def award(self, seat: int, amount: int | None = None) -> Self:
        return self.add(PotAwarded, seat=seat, amount=sum(self.pot.values()) if amount is None else amount)

    def refund(self, reason: Any = "void") -> Self:
        """Every chip back to whoever wagered it."""
        for seat, amount in self.pot.items():
            if amount:
                self.add(ChipsReturned, seat=seat, amount=amount, reason=reason)
        return self

    def refund_to(self, seat: int, amount: int, reason: Any = "uncalled") -> Self:
        return self.add(ChipsReturned, seat=seat, amount=amount, reason=reason)

    def rake(self, amount: int) -> Self:
        return self.add(RakeTaken, amount=amount)

    def end(self) -> Self:
        return self.add(HandEnded)

    def win(self, seat: int) -> Self:
        """The seat takes the whole pot, and the hand ends."""
        return self.award(seat).end()

    def walk(self, *, end: bool = True) -> Self:
        """Everyone folds to the big blind, who takes the pot."""
        big = self._big_blind_seat()
        self.fold(*(s for s in self._preflop_order() if s != big)).award(big)
        return self.end() if end else self

    def announce(self, by: Any = "player", **fields: Any) -> Self:
        return self.add(IrregularityAnnounced, by=by, **fields)

    def rule(self, ruling: Any, by: Any = "floor", **fields: Any) -> Self:
        return self.add(RulingMade, ruling=ruling, by=by, **fields)

    def misdeal(self) -> Self:
        """Attention is called, a misdeal declared, every chip returned."""
        return self.announce().rule("misdeal").refund("misdeal").end()

    # --- what a feed does to it -------------------------------------------------------------------------------------

    def lose(self, *seqs: int) -> Self:
        """Events that never arrive."""
        self.events = [e for e in self.events if isinstance(e, bytes) or e.seq not in seqs]
        return self

    def raw(self, line: bytes) -> Self:
        """A line that is not an event of the scene's own."""
        self.events.append(line)
        return self

    def script(self) -> list[Event | bytes]:
        """The events, in the order in which they arrive."""
        return self.events
