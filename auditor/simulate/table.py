"""One table of the card room: hand after hand, with the comings and goings between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple, cast

from auditor.events import Betting, DealerChanged, Deck, Event, TableOpened, topic_of
from auditor.house import HouseRules, RakeRule
from auditor.simulate.beat import Beat, Script, Sequel, won_and_lost
from auditor.simulate.betting import MOST_LIMIT_RAISES
from auditor.simulate.dealer import deal_hand
from auditor.simulate.deck import PlayingDeck
from auditor.simulate.mistakes import botch
from auditor.simulate.mistakes.deck import inspect_stub
from auditor.simulate.plan import HandPlan
from auditor.simulate.seating import Seating
from auditor.simulate.setting import OBSERVES, draw_setting
from auditor.simulate.truth import Fault, Truth, told
from auditor.wire import dump

_DEALERS_A_TABLE = 3
_PLAYERS_A_TABLE = 1000  # room for the numbers of a table's players
_SHIFT = 30  # hands, more or less
_INSPECTION_RATE = 0.01  # of the hands: the floor counts the stub
_BETWEEN_HANDS = 4.0  # seconds


#: After a hand with one of these, more than one seat can be right for the button, or nobody knows where it was: it is
#: not put wrong again then.
_UNSETTLING = ("BTN101", "BTN102", "FEED101", "FEED103", "FEED105", "RUL110")
#: After these, nobody can say what the stacks should be.
_UNCOUNTED = ("FEED101", "FEED103", "FEED105", "POT101", "POT108")
#: Events behind its place after which an event is too late for every reader.
_TOO_LATE = 300
#: Of so many tables, one is dealt by its players, and one plays short deck.
_TABLES_A_PIT = 8
_PLAYER_DEALT = 3
_SHORT_DECK = 2
_MOST_SHORT = 6


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
        pit_place = number % _TABLES_A_PIT
        player_dealt = pit_place == _PLAYER_DEALT
        least, most = order.players
        # A short deck has no cards for many players, and for the mistakes that are made with them.
        short_deck = pit_place == _SHORT_DECK and least <= _MOST_SHORT
        players = (least, min(most, _MOST_SHORT)) if short_deck else order.players
        self._setting = draw_setting(
            rng, f"T{number:03}", order.betting, players[1], player_dealt=player_dealt, short_deck=short_deck
        )
        self._seating = Seating(self._setting, rng, players, number * _PLAYERS_A_TABLE + 1)
        table_id = self._setting.table_id
        self._decks = [PlayingDeck(f"{table_id}-{back[0].upper()}", back, short=short_deck) for back in ("red", "blue")]
        self._dealers = [f"D{(number - 1) * _DEALERS_A_TABLE + i + 1:03}" for i in range(_DEALERS_A_TABLE)]
        self._dealer_id = self._dealers[0]
        self._clock = opens + timedelta(milliseconds=rng.randrange(60_000))
        self._seq = 0
        self._hand_number = 0
        self._button_settled = False
        self._hands_left = 0
        self._last_deck = self._decks[0]
        self._counted: frozenset[str] = frozenset()  # players whose stacks follow from the last hand
        self._sequel: Sequel | None = None
        self._late: list[tuple[int, Line]] = []  # events that are late, and the number behind which they come

    def lines(self) -> Iterator[Line]:
        """Everything that happens at the table, in the order of its time."""
        yield from self._sent([self._opening(), *self._seating.open(), *self._change_dealer()])
        button = self._seating.next_button
        until_relief = self._shift()
        for left in reversed(range(self._order.hands)):
            # On the last hand a wrong button is no mistake to make: no hand would follow to put it right.
            self._button_settled = self._button_settled and left > 0
            self._hands_left = left
            self._seating.button = button
            yield from self._hand(button)
            until_relief -= 1
            if until_relief == 0:
                yield from self._sent(self._change_dealer())
                until_relief = self._shift()
            yield from self._sent(self._seating.between_hands())
            button = self._seating.next_button

    def _shift(self) -> int:
        return self._rng.randint(_SHIFT - 5, _SHIFT + 5)

    def _opening(self) -> Beat:
        setting = self._setting
        fields = {
            "game": "short_deck" if setting.short_deck else "holdem",
            "betting": setting.betting,
            "stakes": setting.stakes,
            "max_seats": setting.max_seats,
            "observes": OBSERVES,
            "decks": tuple(Deck(deck_id=deck.deck_id, back=deck.back) for deck in self._decks),
            "house_rules": self._house_rules(),
            "location": setting.location,
            "currency": "USD",
            "scale": 2,
        }
        return Beat(TableOpened, fields, 0.0)

    def _house_rules(self) -> HouseRules:
        setting = self._setting
        return HouseRules(
            button_rule="moving",
            three_person_shuffle=setting.player_dealt,
            alternate_decks=True,
            raise_cap=MOST_LIMIT_RAISES if setting.betting == "limit" else 0,
            odd_chip_unit=1,
            rake=RakeRule(percent=setting.rake_percent, cap=setting.rake_cap),
        )

    def _change_dealer(self) -> Iterator[Beat]:
        self._dealer_id = self._rng.choice([d for d in self._dealers if d != self._dealer_id])
        if not self._setting.player_dealt:
            yield Beat(DealerChanged, {"dealer_id": self._dealer_id}, 15.0)

    def _hand(self, button: int) -> Iterator[Line]:
        """One hand, and where it is misdealt the hand that is dealt in its place."""
        if self._decks[0] is self._last_deck:
            self._decks.reverse()
        script, faults = self._deal(self._plan(button))
        self._button_settled = True
        yield from self._played(script, faults)
        if script.ending == "misdeal":
            redeal, faults = self._follow(script.redeal, self._plan(button, script.plan.hand_id))
            yield from self._played(redeal, faults)

    def _played(self, script: Script, faults: list[Fault]) -> Iterator[Line]:
        rules = {fault.rule for fault in faults}
        self._last_deck = script.plan.deck
        self._seating.button = script.plan.right_button
        self._sequel = script.sequel
        void = script.ending in ("void", "carried")
        self._button_settled = self._button_settled and not void and rules.isdisjoint(_UNSETTLING)
        counted = script.ending == "played" and rules.isdisjoint(_UNCOUNTED)
        self._counted = frozenset(h.player_id for h in script.plan.holders) if counted else frozenset()
        self._seating.pay(won_and_lost(script.beats))
        self._seating.pay(script.chips_moved)
        if script.newcomer is not None:
            self._seating.replace(script.newcomer)
        script.beats[0].wait += _BETWEEN_HANDS
        yield from self._sent(script.beats)
        for fault in faults:
            self._tell(told(fault, self._setting.table_id, script.plan.hand_id))

    def _follow(self, sequel: Sequel | None, plan: HandPlan) -> tuple[Script, list[Fault]]:
        """A hand that comes as another one left it."""
        sequel = sequel or Sequel()
        sequel.plan(plan)
        script = deal_hand(plan, self._rng)
        return script, sequel.make(script)

    def _deal(self, plan: HandPlan) -> tuple[Script, list[Fault]]:
        rng, order = self._rng, self._order
        if self._sequel is not None:
            return self._follow(self._sequel, plan)
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
            counted=self._counted,
            hands_left=self._hands_left,
            newcomer=self._seating.newcomer,
        )

    def _sent(self, beats: Iterable[Beat]) -> Iterator[Line]:
        """Number the beats, give them their time, and write those that arrive."""
        for beat in beats:
            beat.seq = self._seq = self._seq + (beat.fate in ("sent", "lost", "late"))
            self._clock += timedelta(milliseconds=round(1000 * beat.wait))
            if beat.fate == "late":
                self._late.append((self._seq + _TOO_LATE, self._line(beat)))
            elif beat.fate != "lost":
                yield self._line(beat)
            while self._late and self._late[0][0] <= self._seq:
                yield self._late.pop(0)[1]._replace(at=self._clock)

    def _line(self, beat: Beat) -> Line:
        seq = beat.seq + (beat.fate == "spoilt")  # the number of the event that it should have been
        event = cast(Event, beat.model(table_id=self._setting.table_id, seq=seq, at=self._clock, **beat.fields))
        raw = dump(event)
        return Line(self._clock, event.table_id, topic_of(event), beat.spoil(raw) if beat.spoil else raw)
