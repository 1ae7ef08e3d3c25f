"""Mistakes of the feed itself: events lost, contradicted, out of place, or broken."""

from __future__ import annotations

from random import Random

from auditor.cards import UNREAD
from auditor.events import (
    CardExposed,
    CardsReleased,
    CardsShown,
    ClockCalled,
    DeckCut,
    HandEnded,
    HandStarted,
    PlayerActed,
    PotAwarded,
)
from auditor.simulate.beat import Beat, Script
from auditor.simulate.mistakes.floor import behind, put
from auditor.simulate.truth import Fault


def lose_event(script: Script, rng: Random) -> list[Fault]:
    """FEED101: an event never arrives. One is lost that nothing else hangs on, so that the gap is all there is."""
    index = rng.choice(script.all_of(CardsShown, CardsReleased, CardExposed) or script.all_of(DeckCut)[:1])
    lost = script.beats[index]
    lost.fate = "lost"
    name = lost.model.model_fields["type"].default
    return [Fault("FEED101", script.beats[index + 1], f"the event before it ({name}) was lost")]


def contradict(script: Script, rng: Random) -> list[Fault]:
    """FEED102: a second event under one number says something else."""
    index = rng.choice(script.all_of(PlayerActed, PotAwarded))
    original = script.beats[index]
    twin = original.copy(amount=original.amount + script.plan.setting.big_blind)
    twin.fate = "twin"
    behind(script, original, twin)
    return [Fault("FEED102", original, "a second event under this number gives another amount", (original.seat,))]


def speak_after_end(script: Script, rng: Random) -> list[Fault]:
    """FEED106: an event of the hand comes when the hand has ended."""
    seat = rng.choice(script.plan.dealt)
    late = rng.choice(
        (
            script.beat(CardsReleased, 2.0, seat=seat, manner="muck"),
            script.beat(CardExposed, 2.0, seat=seat, card=UNREAD, by="player"),
            script.beat(PlayerActed, 2.0, seat=seat, action="check"),
        )
    )
    behind(script, script.beats[script.first_of(HandEnded)], late)
    return [Fault("FEED106", late, "an event of the hand came after its end", (seat,))]


def name_no_seat(script: Script, rng: Random) -> list[Fault]:
    """FEED107: an event of a seat that the table does not have."""
    seat = script.plan.setting.max_seats + rng.randint(1, 5)
    stray = rng.choice(
        (
            script.beat(CardsReleased, 1.0, seat=seat, manner="muck"),
            script.beat(ClockCalled, 1.0, seat=seat, seconds=60),
            script.beat(CardExposed, 1.0, seat=seat, card=UNREAD, by="player"),
        )
    )
    put(script, script.beats[rng.randint(script.after_deal, script.end_of_play)], stray)
    return [Fault("FEED107", stray, f"the table has no seat {seat}", (seat,))]


def break_line(script: Script, rng: Random) -> list[Fault]:
    """FEED108: bytes that are no event, and then the event that they should have been."""
    started = script.first_of(HandStarted)
    good = script.beats[rng.randrange(started, len(script.beats))]
    how, spoil = rng.choice(_SPOILS)
    broken = Beat(good.model, dict(good.fields), good.wait, fate="spoilt", spoil=spoil)
    put(script, good, broken)
    return [Fault("FEED108", None, f"a line is {how}")]


def _cut_off(raw: bytes) -> bytes:
    return raw[: len(raw) * 2 // 3]


def _unknown_type(raw: bytes) -> bytes:
    return raw.replace(b'"type":"', b'"type":"not_', 1)


def _number_in_quotes(raw: bytes) -> bytes:
    head, _, tail = raw.partition(b'"seq":')
    number, _, rest = tail.partition(b",")
    return b'%s"seq":"%s",%s' % (head, number, rest)


def _no_utf8(raw: bytes) -> bytes:
    return raw.replace(b'"table_id":"', b'"table_id":"\xff', 1)


_SPOILS = (
    ("cut off in the middle", _cut_off),
    ("of a type that nobody knows", _unknown_type),
    ("an event with its number in quotes", _number_in_quotes),
    ("no UTF-8", _no_utf8),
)
