"""Hand histories told as events: what every reader of a format needs to put a hand into the words of the contract.

The events carry what the file says and what follows from it, nothing more: `observes` says so, for silence must not
be taken for evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from auditor.cards import UNREAD
from auditor.events import (
    BoardDealt,
    CardDealt,
    CardsDiscarded,
    CardsReleased,
    CardsShown,
    ChipsReturned,
    Event,
    ForcedBetPosted,
    HandEnded,
    HandSeat,
    HandStarted,
    PlayerActed,
    PotAwarded,
    RakeTaken,
    Source,
    Totals,
)  # fmt: skip
from auditor.feeds.bets import Bets
from auditor.games import Game

Forced = Literal["ante", "small_blind", "big_blind", "straddle", "bring_in", "missed_blind", "dead_blind"]

#: Forced bets that count for no bet.
DEAD = ("ante", "dead_blind")

_MILLISECOND = timedelta(milliseconds=1)


class BrokenHandError(ValueError):
    """A hand that cannot be told. Its text is the plain reason, fit for a quarantine row; `line` counts in the hand."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


def table_of(prefix: str, hand_id: str, text: bytes) -> str:
    """The name of the table that one hand makes: from its text, so that the same hand read twice is the same table."""
    key = f"{hand_id}\n".encode() + text.strip()
    return f"{prefix}-{blake2b(key, digest_size=8).hexdigest()}"


class _Draft(NamedTuple):
    model: type[Event]
    at: datetime | None
    fields: dict[str, Any]


class Script:
    """Events of one table in the making: numbered from `seq`, and timed by the millisecond where no time is told."""

    def __init__(self, table_id: str, at: datetime, *, source: Source = "import", seq: int = 1) -> None:
        self.table_id = table_id
        self._at = at
        self._source = source
        self._seq = seq
        self._drafts: list[_Draft] = []

    def tell(self, model: type[Event], *, at: datetime | None = None, **fields: Any) -> dict[str, Any]:
        """One more event. Its fields can be completed in what is returned, until the events are taken."""
        self._drafts.append(_Draft(model, at, fields))
        return fields

    def events(self) -> list[Event]:
        """The events told since this was last asked. Raises `BrokenHandError` where no event can hold what was told."""
        drafts, self._drafts = self._drafts, []
        try:
            return [self._event(draft) for draft in drafts]
        except ValidationError as error:
            # Fields that are each in order can still add up to what no event holds, such as more chips than fit.
            problem = error.errors()[0]
            where = ".".join(map(str, problem["loc"]))
            raise BrokenHandError(f"no event can hold it: {where}: {problem['msg']}") from None

    def _event(self, draft: _Draft) -> Event:
        at = draft.at or self._at
        event = draft.model(table_id=self.table_id, seq=self._seq, at=at, source=self._source, **draft.fields)
        self._seq += 1
        self._at = at + _MILLISECOND
        return event


class Telling:
    """One hand on its way into a script: follows the chips and the cards, so that readers need not.

    Amounts are chips. `at` is the time of what is told next; None lets it follow by a millisecond.
    """

    def __init__(self, script: Script, hand_id: str, game: Game, seats: Sequence[HandSeat]) -> None:
        self.at: datetime | None = None
        self.bets = Bets({each.seat: each.stack for each in seats})
        self.cards: dict[int, list[str]] = {each.seat: [] for each in seats}  # held now
        self.dealt = dict.fromkeys(self.cards, 0)
        self.board = 0  # cards, of every board
        self.awarded = 0  # chips, awards and what was taken out together
        self._script = script
        self._hand_id = hand_id
        self._game = game
        self._seats = tuple(seats)
        self._all_read = True
        self._faces = [
            face for street in game.streets for face in [*["down"] * street.down, *["up"] * street.up]
        ]  # fmt: skip

    def tell(self, model: type[Event], **fields: Any) -> dict[str, Any]:
        """One more event of the hand, of any type."""
        at, self.at = self.at, None
        return self._script.tell(model, at=at, hand_id=self._hand_id, **fields)

    def observes(self, *, betting: bool = True, awards: bool) -> tuple[str, ...]:
        """What the hand showed so far, in the contract's words: ask when all of it is told."""
        whole_deal = all(count >= self._game.starting_cards for count in self.dealt.values())
        seen = {
            "hole_cards": self._all_read and whole_deal,
            "betting": betting,
            "stacks": all(each.stack is not None for each in self._seats),
            "awards": awards,
        }
        return tuple(name for name, is_seen in seen.items() if is_seen)

    def start(self, **fields: Any) -> dict[str, Any]:
        return self.tell(HandStarted, seats=self._seats, **fields)

    # --- cards ------------------------------------------------------------------------------------------------------

    def deal(self, seat: int, cards: Iterable[str], *, draw: bool = False, **fields: Any) -> None:
        """Cards to a seat, face up where the game deals them so; `??` for one that nobody saw."""
        for card in cards:
            place = self.dealt[seat]
            self.dealt[seat] += 1
            self.cards[seat].append(card)
            self._all_read = self._all_read and card != UNREAD
            up = place < len(self._faces) and self._faces[place] == "up"
            self.tell(CardDealt, seat=seat, card=card, face="up" if up else "down", draw=draw, **fields)

    def deal_board(self, cards: Sequence[str], *, board: int = 1, rabbit: bool = False) -> None:
        self.tell(BoardDealt, cards=tuple(cards), board=board, rabbit=rabbit)
        self.board += 0 if rabbit else len(cards)

    def discard(self, seat: int, cards: Sequence[str], count: int | None = None) -> None:
        """Cards thrown away for a draw; `count` where they were not all seen."""
        held = self.cards[seat]
        for card in cards:
            # A card that was dealt unread may be known when it is thrown away.
            if card in held or UNREAD in held:
                held.remove(card if card in held else UNREAD)
        self.tell(CardsDiscarded, seat=seat, count=len(cards) if count is None else count, cards=tuple(cards))

    def show(self, seat: int, cards: Sequence[str] = ()) -> None:
        """A hand is shown: these cards, or those that were dealt."""
        self.tell(CardsShown, seat=seat, cards=tuple(cards or self.cards[seat]))

    def muck(self, seat: int) -> None:
        self.tell(CardsReleased, seat=seat)

    # --- chips ------------------------------------------------------------------------------------------------------

    def post(self, seat: int, kind: Forced, amount: int) -> None:
        """A forced bet; none where it is of no chips."""
        if amount:
            self.bets.post(seat, amount, dead=kind in DEAD)
            self.tell(ForcedBetPosted, seat=seat, kind=kind, amount=amount, all_in=self.bets.all_in(seat))

    def fold(self, seat: int) -> None:
        self.bets.fold(seat)
        self.tell(PlayerActed, seat=seat, action="fold")

    def act(self, seat: int, action: str, amount: int = 0, *, all_in: bool = False) -> None:
        """A check, call, bet, raise or completion that adds `amount` chips."""
        self.bets.bet(seat, amount)
        all_in = amount > 0 and (all_in or self.bets.all_in(seat))
        self.tell(PlayerActed, seat=seat, action=action, amount=amount, all_in=all_in)

    def give_back(self, seat: int, amount: int, reason: str = "uncalled") -> None:
        """Chips that did not stay in the pot."""
        if amount > 0:
            self.bets.take_back(seat, amount)
            self.tell(ChipsReturned, seat=seat, amount=amount, reason=reason)

    def award(self, seat: int, amount: int, **fields: Any) -> None:
        if amount:
            self.bets.win(seat, amount)
            self.awarded += amount
            self.tell(PotAwarded, seat=seat, amount=amount, **fields)

    def rake(self, amount: int, kind: str = "rake") -> None:
        """What the house took out of the pot, if anything."""
        if amount:
            self.awarded += amount
            self.tell(RakeTaken, amount=amount, kind=kind)

    def end(self, *, reported: Totals | None = None, cancelled: bool = False) -> None:
        self.tell(HandEnded, reported=reported, cancelled=cancelled)
