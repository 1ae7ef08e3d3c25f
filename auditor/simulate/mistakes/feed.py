"""Mistakes of the feed itself: events lost, contradicted, out of place, or broken."""

from __future__ import annotations

from random import Random

from auditor.cards import UNREAD
from auditor.events import (
    EVENT_TYPES,
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
from auditor.simulate.beat import Beat, Script, Sequel
from auditor.simulate.mistakes.floor import behind, put
from auditor.simulate.truth import Fault

#: So many hands hold more events than any reader waits for.
_HANDS_TO_COME = 25


def lose_event(script: Script, rng: Random) -> list[Fault]:
    """FEED101: an event never arrives. One is lost that nothing else hangs on, so that the gap is all there is."""
    index = rng.choice(script.all_of(CardsShown, CardsReleased, CardExposed) or script.all_of(DeckCut)[:1])
    lost = script.beats[index]
    lost.fate = "lost"
    name = next(name for name, model in EVENT_TYPES.items() if model is lost.model)
    return [Fault("FEED101", script.beats[index + 1], f"the event before it ({name}) was lost")]


def come_too_late(script: Script, rng: Random) -> list[Fault]:
    """FEED103: an event comes when its place has been given up, hands later: until then there is a gap."""
    if script.plan.hands_left < _HANDS_TO_COME:
        return []
    faults = lose_event(script, rng)
    late = script.beats[script.beats.index(_proof(faults[0])) - 1]
    late.fate = "late"
    return [*faults, Fault("FEED103", late, "an event came when its place had been given up")]


def _proof(fault: Fault) -> Beat:
    assert fault.proof is not None
    return fault.proof


def set_clock_back(script: Script, rng: Random) -> list[Fault]:
    """FEED104: a clock is set back in the middle of a hand."""
    proof = script.beats[rng.randint(script.start + 1, len(script.beats) - 1)]
    seconds = rng.randint(30, 300)
    proof.wait = -float(seconds)
    return [Fault("FEED104", proof, f"the event is {seconds} seconds older than the one before it")]


def leave_open(script: Script, _rng: Random) -> list[Fault]:
    """FEED105: the end of the hand is never reported, and the next one starts."""
    if not script.plan.hands_left:
        return []
    end = script.first_of(HandEnded)
    hand_id = script.plan.hand_id
    del script.beats[end]

    def next_starts(following: Script) -> list[Fault]:
        proof = following.beats[following.start]
        return [Fault("FEED105", proof, f"hand {hand_id} had not been closed", hand_id=hand_id)]

    script.sequel = Sequel(make=next_starts)
    return []


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
