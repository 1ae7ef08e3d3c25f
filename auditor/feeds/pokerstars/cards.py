"""What a hand's text tells of the players' cards, wherever it does: dealt, shown, or seen by the room alone."""

from __future__ import annotations

from auditor.cards import UNREAD
from auditor.feeds.pokerstars.hand import Hand
from auditor.feeds.pokerstars.lines import Line
from auditor.games import Game


class Known:
    """The cards of one hand; `??` for those that nobody tells."""

    def __init__(self, hand: Hand, game: Game) -> None:
        self._hand = hand
        self._game = game
        self._size = game.starting_cards
        self._dealt: dict[int, list[Line]] = {}
        self._opening: dict[int, tuple[str, ...]] = {}
        self._last: dict[int, tuple[str, ...]] = {}  # the cards held in the end
        drawing = False
        for line in hand.lines:
            if line.verb == "dealt":
                self._dealt.setdefault(line.seat, []).append(line)
                if not drawing and not line.number:
                    self._opening.setdefault(line.seat, line.cards)
            elif line.verb == "discard":
                drawing = True
            elif line.verb in ("show", "muck", "fold") and len(line.cards) > len(self._last.get(line.seat, ())):
                self._last[line.seat] = line.cards
        for seat, told in (hand.summary.seats if hand.summary is not None else {}).items():
            if len(told.cards) > len(self._last.get(seat, ())):
                self._last[seat] = told.cards

    def first(self, seat: int) -> tuple[str, ...]:
        """The cards of a seat before the first betting round."""
        unread = (UNREAD,) * self._size
        if seat in self._opening:
            return unread if self._hand.cards_garbled else self._opening[seat]
        last = self._last.get(seat, ())
        if len(last) > self._size or self._has_drawn(seat):
            return unread
        return (*last, *unread[len(last) :])

    def _has_drawn(self, seat: int) -> bool:
        return any(line.verb == "discard" and line.seat == seat and line.number for line in self._hand.lines)

    def drawn(self, discard: Line, place: int) -> tuple[str, ...]:
        """The cards that a seat drew; `place` is the place of the line in which it threw others away."""
        after = self._hand.lines[place + 1 : place + 2]
        for line in after:
            if line.verb == "dealt" and line.seat == discard.seat and len(line.cards) == discard.number:
                return (UNREAD,) * discard.number if self._hand.cards_garbled else line.cards
        return (UNREAD,) * discard.number

    # --- stud -------------------------------------------------------------------------------------------------------

    def down(self, seat: int) -> tuple[str, ...]:
        """The two cards that stud deals face down."""
        last = self._in_order(seat)
        return last[:2] if last else (UNREAD, UNREAD)

    def river(self, seat: int) -> str:
        """The last card of stud, face down."""
        own = [line for line in self._dealt.get(seat, ()) if line.number == 6]
        if own:
            return own[-1].cards[-1]
        last = self._in_order(seat)
        return last[6] if len(last) > 6 else UNREAD

    def _in_order(self, seat: int) -> tuple[str, ...]:
        """The cards as they were dealt, if those in the end hold the ones that lay open, in their places."""
        last = self._last.get(seat, ())
        up = tuple(card for line in self._dealt.get(seat, ()) for card in line.cards)
        return last if len(last) > 2 and last[2 : 2 + len(up)] == up else ()
