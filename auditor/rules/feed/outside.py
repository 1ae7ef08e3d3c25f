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
    ForcedBetPosted,
    PlayerLeft,
    PlayerReturned,
    PlayerSatOut,
    PlayerSeated,
    PotAwarded,
)
from auditor.rules.rule import ODDLY, Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.table import Table


def _of_hand(table: Table, event: Any) -> list[Hit] | None:
    """A seat that does something in a hand sits in it, or at least at the table."""
    hand, seat = table.hand, event.seat
    if seat in hand.seats or seat is None or seat in table.memory.seated or not hand.seats:
        return None
    return [Hit(f"There is nobody on seat {seat} ({event.type.replace('_', ' ')}).", seats=(seat,))]


def _of_table(table: Table, event: Any) -> list[Hit] | None:
    """A seat of the table is one that the table has."""
    if event.seat <= table.memory.max_seats:
        return None
    return [Hit(f"The table has {table.memory.max_seats} seats, and no seat {event.seat}.", seats=(event.seat,))]


EVENT_OUTSIDE_HAND = Rule(
    code="FEED106",
    name="event-outside-hand",
    severity="minor",
    source="+",
    what="An event of a hand came while that hand was not open, or for a table that was never opened. Of one such hand "
    "the first event is told.",
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
        passes("a hand whose start was lost in a gap", Scene().opened().walk().lose(2).script(), also=("FEED101",)),
    ),
)  # fmt: skip

UNKNOWN_SEAT = Rule(
    code="FEED107",
    name="unknown-seat",
    severity="minor",
    source="+",
    what="An event names a seat that the table does not have, or where nobody sits.",
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
        **dict.fromkeys(
            (
                ForcedBetPosted, ODDLY, PotAwarded, ChipsReturned, CardsShown, CardsReleased, CardsRetrieved,
                CardsDiscarded, CardExposed, BoardPlayed, ClockCalled, ClockExpired,
            ),
            _of_hand,
        ),
    },
    examples=lambda: (
        flags("a seat that the table does not have", Scene().opened().act(99, "check").walk().script()),
        flags("the pot goes to an empty seat", Scene().opened().fold(3, 1).win(7).script()),
        flags("a player takes a seat that is not there", Scene().add(PlayerSeated, seat=42, player_id="P42").script()),
        passes("every seat is known", Scene().opened().walk().script()),
        passes(
            "a player at the table who is not in the hand",
            Scene().add(PlayerSeated, seat=5, player_id="P5").opened().add(CardsShown, seat=5, cards=()).walk()
            .script(),
        ),
    ),
)  # fmt: skip

INVALID_EVENT = Rule(
    code="FEED108",
    name="invalid-event",
    severity="major",
    source="+",
    what="What came is no event of the contract. It is kept in quarantine with its raw bytes and a plain reason.",
    why="Something happened at a table that the audit could not read.",
    prescription="None: mend the producer, and audit the hand again.",
    triage="Read the reason and the bytes: `auditor query rejects`.",
    false_positives="None known.",
    examples=lambda: (
        flags("a line that is not JSON", [*Scene().opened().script(), b'{"type": "card_dealt", "seat": ']),
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
