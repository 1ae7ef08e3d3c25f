"""FEED106, FEED107 and FEED108: events that have no place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from auditor.events import (
    BoardPlayed,
    CardDealt,
    CardExposed,
    CardsDiscarded,
    CardsReleased,
    CardsRetrieved,
    CardsShown,
    ChipsBought,
    ChipsCashed,
    ChipsReturned,
    ClockCalled,
    ClockExpired,
    Event,
    ForcedBetPosted,
    HandStarted,
    IrregularityAnnounced,
    PlayerLeft,
    PlayerReturned,
    PlayerSatOut,
    PlayerSeated,
    PotAwarded,
    RulingMade,
)
from auditor.intake import FARTHEST
from auditor.rules.rule import ODDLY, Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.table import Table
from auditor.wire import dump


def _of_hand(table: Table, event: Any) -> list[Hit] | None:
    """A seat that does something in a hand sits in it, or at least at the table."""
    hand, seat = table.hand, event.seat
    if seat in hand.seats or seat is None or seat in table.memory.seated or not hand.seats:
        return None
    return [Hit(f"There is nobody on seat {seat} ({event.type.replace('_', ' ')}).", seats=(seat,))]


def _of_table(table: Table, event: Any) -> list[Hit] | None:
    """A seat of the table is one that the table has."""
    seat = event.seat
    if seat is None or seat <= table.memory.max_seats or table.has_seat(seat):
        return None
    return [_no_seat(table, seat)]


def _no_seat(table: Table, seat: int) -> Hit:
    return Hit(f"The table has {table.memory.max_seats} seats, and no seat {seat}.", seats=(seat,))


def _of_start(table: Table, event: HandStarted) -> list[Hit] | None:
    """The seats that a hand starts with, those of button, blinds and dealer among them."""
    most, strange = table.memory.max_seats, set()
    for listed in event.seats:
        if listed.seat > most:
            strange.add(listed.seat)
    for seat in (event.button_seat, event.small_blind_seat, event.big_blind_seat, event.dealer_seat):
        if seat is not None and seat > most:
            strange.add(seat)
    return [_no_seat(table, seat) for seat in sorted(strange) if not table.has_seat(seat)] if strange else None


def _of_release(table: Table, event: CardsReleased) -> list[Hit] | None:
    """The seat that threw its cards away, and the one into whose hand it threw them."""
    into = event.into_seat
    if into is not None and not table.has_seat(into):
        return [_no_seat(table, into)]
    return _of_hand(table, event)


def _three_hands() -> list[Event]:
    scene = Scene()
    for button in (3, 1, 2):
        scene.opened(button=button).walk()
    return [event for event in scene.script() if not isinstance(event, bytes)]


def _unstarted() -> list[Event | bytes]:
    """Three hands, of which the second has no start; no number is missing."""
    events = _three_hands()
    _, second, _ = [event for event in events if isinstance(event, HandStarted)]
    return [replace(e, seq=e.seq - 1) if e.seq > second.seq else e for e in events if e is not second]


def _misnamed(hand_id: str) -> list[Event | bytes]:
    """Three hands; a card of the second comes under another hand's name."""
    events = _three_hands()
    _, second, _ = [event for event in events if isinstance(event, HandStarted)]
    card = next(e for e in events if isinstance(e, CardDealt) and e.hand_id == second.hand_id)
    return [replace(e, hand_id=hand_id) if e is card else e for e in events]


EVENT_OUTSIDE_HAND = Rule(
    code="FEED106",
    name="event-outside-hand",
    severity="minor",
    source="+",
    what="An event of a hand came while that hand was not open, or for a table that was never opened. Of one such hand "
    "the first event is told. A hand that passed unaudited is a gap: what argues from the hand before is not flagged "
    "in the next, and a hand that was open meanwhile is incomplete. A rabbit hunt comes after its hand, and may.",
    why="It changed no state: whatever it reports is not part of any audited hand.",
    prescription="None.",
    triage="See whether the hand's start was lost, or its end reported too early.",
    false_positives="A feed that shows cards after it has closed the hand.",
    examples=lambda: (
        flags(
            "cards are shown after the hand ended",
            Scene().opened().walk().show(2, "As Ad").script(),
        ),
        flags(
            "a table that was never opened",
            [replace(e, seq=e.seq - 1) for e in Scene().opened().walk().script()[1:] if not isinstance(e, bytes)],
        ),
        passes(
            "cards are shown before the hand ends",
            Scene().opened().walk(end=False).show(2, "As Ad").end().script(),
        ),
        passes(
            "the cards that would have come are shown after the hand",
            Scene().opened().walk().board("As", "7c", "2d", rabbit=True).opened(button=1).walk().script(),
        ),
        flags("the next hand never started", _unstarted()),
        flags("an event of the hand has another's name", _misnamed("H9")),
        flags("an event of the hand has the name of the hand before", _misnamed("H1")),
        passes("a hand whose start was lost in a gap", Scene().opened().walk().lose(2).script(), also=("FEED101",)),
    ),
)  # fmt: skip

UNKNOWN_SEAT = Rule(
    code="FEED107",
    name="unknown-seat",
    severity="minor",
    source="+",
    what="An event names a seat that the table does not have, or, in a hand, one where nobody sits. A button on a seat "
    "that is not there is not taken for one: nothing is said of whose turn it is.",
    why="Chips or cards went to nobody, or the seat is wrong.",
    prescription="None.",
    triage="Compare with the seats as the hand started.",
    false_positives="A feed whose seats are behind the table.",
    checks={
        PlayerSeated: _of_table,
        PlayerLeft: _of_table,
        PlayerSatOut: _of_table,
        PlayerReturned: _of_table,
        ChipsBought: _of_table,
        ChipsCashed: _of_table,
        CardDealt: _of_table,  # to a seat that exists but is empty: DEAL109
        IrregularityAnnounced: _of_table,  # of whoever stands by, too
        RulingMade: _of_table,
        HandStarted: _of_start,
        CardsReleased: _of_release,
        **dict.fromkeys(
            (
                ForcedBetPosted, ODDLY, PotAwarded, ChipsReturned, CardsShown, CardsRetrieved, CardsDiscarded,
                CardExposed, BoardPlayed, ClockCalled, ClockExpired,
            ),
            _of_hand,
        ),
    },
    examples=lambda: (
        flags("a seat that the table does not have", Scene().opened().act(99, "check").walk().script()),
        flags("the pot goes to an empty seat", Scene().opened().fold(3, 1).win(7).script()),
        flags("a player takes a seat that is not there", Scene().add(PlayerSeated, seat=42, player_id="P42").script()),
        flags(
            "the button is on a seat that the table does not have",
            Scene().opened().walk().start(button=77).blinds().deal().walk().opened(button=1).walk().script(),
        ),
        flags(
            "a small blind that is due from a seat that the table does not have",
            Scene().start(small_blind_seat=77).blinds().deal().walk().script(),
        ),
        flags("a ruling on a seat that is not there", Scene().opened().rule("none", seat=77).walk().script()),
        flags(
            "an irregularity is announced of a seat that the table does not have",
            Scene().opened().add(IrregularityAnnounced, seat=77).walk().script(),
        ),
        flags(
            "cards go into a hand that is not there",
            Scene().opened().add(CardsReleased, seat=3, manner="into_other_hand", into_seat=77).fold(3).walk().script(),
            also=("HND107",),
        ),
        passes("every seat is known", Scene().opened().walk().script()),
        passes(
            "how many seats the table has was told in a gap",
            Scene(2).lose(1).add(PlayerSeated, seat=12, player_id="P12").opened().walk().script(),
            also=("FEED101",),
        ),
        passes(
            "a player at the table who is not in the hand",
            Scene().add(PlayerSeated, seat=5, player_id="P5").opened().add(CardsShown, seat=5, cards=()).walk()
            .script(),
        ),
    ),
)  # fmt: skip


def _far_off() -> list[Event | bytes]:
    """Two hands; in the first, a card comes under a number that the table will never reach."""
    events = Scene().opened().walk().opened(button=1).walk().script()
    card = next(event for event in events if isinstance(event, CardDealt))
    return [*events[:9], dump(replace(card, seq=10**12)), *events[9:]]


INVALID_EVENT = Rule(
    code="FEED108",
    name="invalid-event",
    severity="major",
    source="+",
    what="What came is no event of the contract, or its number is more than "
    f"{FARTHEST:,} beyond the next one of its table. It is kept in quarantine with its raw bytes and a plain reason.",
    why="Something happened at a table that the audit could not read.",
    prescription="None: mend the producer, and audit the hand again.",
    triage="Read the reason and the bytes: `auditor query rejects`.",
    false_positives="None known.",
    examples=lambda: (
        flags("a line that is not JSON", [*Scene().opened().script(), b'{"type": "card_dealt", "seat": ']),
        flags("a number that is far beyond the table's next one", _far_off()),
        flags("an unknown type", [*Scene().opened().script(), b'{"type":"card_eaten","table_id":"T1","seq":11}']),
        passes(
            "a field that the contract does not know",
            [
                b'{"type":"table_opened","table_id":"T1","seq":1,"at":"2026-01-01T20:00:00Z","game":"holdem","felt":"blue"}'
            ],
        ),
    ),
)  # fmt: skip

RULES = (EVENT_OUTSIDE_HAND, UNKNOWN_SEAT, INVALID_EVENT)
