"""How the deck of the coming hand was prepared, and who is to deal it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from auditor.events import DeckCut, DeckShuffled, HandStarted

#: A deck that nobody named.
UNNAMED = ""
#: A shuffle or a cut by somebody who sits on no seat, or on one that was not told.
NOBODY = -1


@dataclass(slots=True)
class Riffles:
    """The riffles that players gave a deck since it was cut or dealt from, and the last shuffle of them."""

    count: int
    seat: int | None
    seq: int
    at: datetime


@dataclass(slots=True)
class Preparation:
    """What was done since the deck was last dealt from. Two decks may be in use: one is shuffled while the other is
    dealt, so a shuffle holds for its own deck."""

    known: bool = False  # the last hand is known, and nothing was missed since it ended
    after_misdeal: bool = False
    by_player: bool = False  # a player made the last shuffle
    shuffled: dict[str, int] = field(default_factory=dict)  # deck → the seat that shuffled it, or NOBODY
    riffles: dict[str, Riffles] = field(default_factory=dict)  # deck → its riffles, where they were counted
    cut: bool = False
    cutter: int = NOBODY
    # of the open hand
    deck: str = UNNAMED
    dealer_seat: int | None = None
    # which decks were used, hand after hand
    last_deck: str | None = None
    alternated: int = 0  # times running that a hand had another deck than the one before

    def shuffle(self, event: DeckShuffled) -> None:
        by_player = shuffled_by_player(event)
        if by_player is not None:
            self.by_player = by_player
        deck = event.deck_id or UNNAMED
        self.shuffled[deck] = NOBODY if event.seat is None else event.seat
        before = self.riffles.pop(deck, None)
        if event.riffles is not None and self.by_player:
            count = event.riffles + (before.count if before is not None else 0)
            self.riffles[deck] = Riffles(count, event.seat, event.seq, event.at)

    def cut_deck(self, event: DeckCut) -> None:
        self.riffles.clear()
        self.cut = True
        self.cutter = NOBODY if event.seat is None else event.seat

    def start(self, event: HandStarted, deck_id: str | None) -> None:
        """A hand is to be dealt."""
        self.deck, self.dealer_seat = deck_id or UNNAMED, event.dealer_seat
        if event.redeal_of is not None:
            self.last_deck = event.deck_id or self.last_deck  # the deck stays, or is changed out of its turn
            return
        turned = event.deck_id is not None and self.last_deck not in (None, event.deck_id)
        self.alternated = self.alternated + 1 if turned else 0
        self.last_deck = event.deck_id

    def deal(self) -> None:
        """The deck is dealt from: for the next hand it must be prepared anew."""
        for deck in (self.deck, UNNAMED):
            self.shuffled.pop(deck, None)
            self.riffles.pop(deck, None)
        if self.deck == UNNAMED:
            self.shuffled.clear()
        self.cut, self.cutter = False, NOBODY

    def shuffler(self) -> int | None:
        """The seat that shuffled the deck of the open hand, or NOBODY; None where nobody shuffled it."""
        found = self.shuffled.get(self.deck, self.shuffled.get(UNNAMED))
        if found is None and self.deck == UNNAMED and self.shuffled:
            return next(reversed(self.shuffled.values()))
        return found

    def within_hand(self, *, cards_out: bool, deck_id: str | None) -> bool:
        """Whether a shuffle within a hand prepares a deal, and does not put the deck of this hand right."""
        return not cards_out or (deck_id is not None and self.deck not in (UNNAMED, deck_id))

    def lose(self) -> None:
        """Events are missing: there may have been a shuffle among them."""
        self.known = False
        self.shuffled.clear()
        self.riffles.clear()
        self.cut, self.cutter = False, NOBODY
        self.last_deck, self.alternated = None, 0


def shuffled_by_player(event: DeckShuffled | DeckCut) -> bool | None:
    """Whether a player did it: not the house's dealer, nor a machine; None where nobody says."""
    if event.by is None:
        return True if event.seat is not None else None
    return event.by == "player"
