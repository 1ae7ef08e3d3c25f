"""A deck as things of plastic: every card has a face, a back and an identity of its own."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from auditor.cards import RANKS, SUITS
from auditor.events import SeenCard

FACES = tuple(rank + suit for rank in RANKS for suit in SUITS)
#: Short deck: nothing below a six.
SHORT_FACES = tuple(face for face in FACES if face[0] not in "2345")


@dataclass(frozen=True, slots=True)
class PlayingCard:
    """One physical card. Two cards may bear one face; they never bear one `card_id`."""

    face: str
    back: str
    card_id: str

    @property
    def seen(self) -> SeenCard:
        """The card as an item of a list of cards."""
        return SeenCard(card=self.face, back=self.back, card_id=self.card_id)


class PlayingDeck:
    """The cards of one deck: 52, or those of a short one."""

    def __init__(self, deck_id: str, back: str, *, short: bool = False) -> None:
        self.deck_id = deck_id
        self.back = back
        self.faces = SHORT_FACES if short else FACES
        self._cards = [self._card(face) for face in self.faces]

    def _card(self, face: str) -> PlayingCard:
        return PlayingCard(face, self.back, f"{self.deck_id}-{FACES.index(face) + 1:02}")

    def shuffled(self, rng: Random) -> list[PlayingCard]:
        """All cards in a new order, the top card first."""
        return rng.sample(self._cards, len(self._cards))

    def card(self, face: str) -> PlayingCard:
        return self._cards[self.faces.index(face)]

    def stranger(self, rng: Random) -> PlayingCard:
        """A card that a short deck does not hold."""
        return self._card(rng.choice([face for face in FACES if face not in self.faces]))

    def second(self, face: str) -> PlayingCard:
        """A second card of that face and the same back, strayed in from another pack."""
        return PlayingCard(face, self.back, f"{self.deck_id}-X{FACES.index(face) + 1:02}")
