"""One table of the card room: hand after hand, with the comings and goings between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple, cast

from auditor.events import Betting, DealerChanged, Deck, Event, TableOpened, dump, topic_of
from auditor.house import HouseRules
from auditor.simulate.beat import Beat, Script, won_and_lost
from auditor.simulate.dealer import deal_hand
from auditor.simulate.deck import PlayingDeck
from auditor.simulate.mistakes import botch
from auditor.simulate.mistakes.deck import inspect_stub
from auditor.simulate.plan import HandPlan
from auditor.simulate.seating import Seating
from auditor.simulate.setting import OBSERVES, draw_setting
from auditor.simulate.truth import Fault, Truth, told

_DEALERS_A_TABLE = 3
_PLAYERS_A_TABLE = 1000  # room for the numbers of a table's players
_SHIFT = 30  # hands, more or less
_INSPECTION_RATE = 0.01  # of the hands: the floor counts the stub
_BETWEEN_HANDS = 4.0  # seconds


#: After a hand with one of these, more than one seat can be right for the button: it is not put wrong again then.
_UNSETTLING = ("BTN101", "FEED101")


class Line(NamedTuple):
    """One record of the feed, with what a producer has to know of it."""

    at: datetime
    table_id: str
    topic: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked of a table."""

    hands: int
    mistakes: float  # chance a hand
    seed: int
    kinds: tuple[str, ...]
    players: tuple[int, int]
    betting: Betting | None


class CardTable:
    """A table with its players, dealers and two decks. The same number and order give the same lines."""

    def __init__(self, number: int, opens: datetime, order: Order, tell: Callable[[Truth], object]) -> None:
        self._rng = rng = Random(f"{order.seed}/{number}")
        self._order = order
        self._tell = tell
        self._setting = draw_setting(rng, f"T{number:03}", order.betting, order.players[1])
        self._seating = Seating(self._setting, rng, order.players, number * _PLAYERS_A_TABLE + 1)
        table_id = self._setting.table_id
        self._decks = [PlayingDeck(f"{table_id}-R", "red"), PlayingDeck(f"{table_id}-B", "blue")]
        self._dealers = [f"D{(number - 1) * _DEALERS_A_TABLE + i + 1:03}" for i in range(_DEALERS_A_TABLE)]
        self._dealer_id = self._dealers[0]
        self._clock = opens + timedelta(milliseconds=rng.randrange(60_000))
        self._seq = 0
        self._hand_number = 0
        self._button_settled = False

    def lines(self) -> Iterator[Line]:
        """Everything that happens at the table, in the order of its time."""
        yield from self._sent([self._opening(), *self._seating.open(), self._change_dealer()])
        button = self._seating.next_button
        until_relief = self._shift()
        for left in reversed(range(self._order.hands)):
            # On the last hand a wrong button is no mistake to make: no hand would follow to put it right.
            self._button_settled = self._button_settled and left > 0
            self._seating.button = button
            yield from self._hand(button)
            until_relief -= 1
            if until_relief == 0:
                yield from self._sent([self._change_dealer()])
                until_relief = self._shift()
            yield from self._sent(self._seating.between_hands())
            button = self._seating.next_button

    def _shift(self) -> int:
        return self._rng.randint(_SHIFT - 5, _SHIFT + 5)

    def _opening(self) -> Beat:
        setting = self._setting
        fields = {
            "game": "holdem",
            "betting": setting.betting,
            "stakes": setting.stakes,
            "max_seats": setting.max_seats,
            "observes": OBSERVES,
            "decks": tuple(Deck(deck_id=deck.deck_id, back=deck.back) for deck in self._decks),
            "house_rules": HouseRules(button_rule="moving"),
            "location": setting.location,
            "currency": "USD",
            "scale": 2,
        }
        return Beat(TableOpened, fields, 0.0)

    def _change_dealer(self) -> Beat:
        self._dealer_id = self._rng.choice([d for d in self._dealers if d != self._dealer_id])
        return Beat(DealerChanged, {"dealer_id": self._dealer_id}, 15.0)

    def _hand(self, button: int) -> Iterator[Line]:
        """One hand, and where it is misdealt the hand that is dealt in its place."""
        self._decks.reverse()
        script, faults = self._deal(self._plan(button))
        self._button_settled = script.ending != "void" and not any(f.rule in _UNSETTLING for f in faults)
        yield from self._played(script)
        for fault in faults:
            self._tell(told(fault, self._setting.table_id, script.plan.hand_id))
        if script.ending == "misdeal":
            yield from self._played(deal_hand(self._plan(button, script.plan.hand_id), self._rng))

    def _played(self, script: Script) -> Iterator[Line]:
        self._seating.pay(won_and_lost(script.beats))
        script.beats[0].wait += _BETWEEN_HANDS
        yield from self._sent(script.beats)

    def _deal(self, plan: HandPlan) -> tuple[Script, list[Fault]]:
        rng, order = self._rng, self._order
        if order.kinds and rng.random() < order.mistakes:
            return botch(lambda: plan.again(rng), deal_hand, order.kinds, rng)
        script = deal_hand(plan, rng)
        if rng.random() < _INSPECTION_RATE:
            inspect_stub(script)
        return script, []

    def _plan(self, button: int, redeal_of: str | None = None) -> HandPlan:
        self._hand_number += 1
        return HandPlan(
            setting=self._setting,
            hand_id=f"{self._setting.table_id}-{self._hand_number:05}",
            dealer_id=self._dealer_id,
            deck=self._decks[0],
            other_deck=self._decks[1],
            cards=self._decks[0].shuffled(self._rng),
            holders=self._seating.holders(),
            right_button=button,
            button=button,
            redeal_of=redeal_of,
            button_settled=self._button_settled,
        )

    def _sent(self, beats: Iterable[Beat]) -> Iterator[Line]:
        """Number the beats, give them their time, and write those that arrive."""
        for beat in beats:
            beat.seq = self._seq = self._seq + (beat.fate in ("sent", "lost"))
            self._clock += timedelta(milliseconds=round(1000 * beat.wait))
            if beat.fate != "lost":
                yield self._line(beat)

    def _line(self, beat: Beat) -> Line:
        seq = beat.seq + (beat.fate == "spoilt")  # the number of the event that it should have been
        event = cast(Event, beat.model(table_id=self._setting.table_id, seq=seq, at=self._clock, **beat.fields))
        raw = dump(event)
        return Line(self._clock, event.table_id, topic_of(event), beat.spoil(raw) if beat.spoil else raw)
