"""What a rule is, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

from auditor.events import Event, Prescription
from auditor.findings import Confidence, Severity
from auditor.games import ALL_GAMES
from auditor.intake import Gone
from auditor.table.table import Table


class Hit(NamedTuple):
    """One irregularity, as a rule reports it. What is left out is the event's own."""

    message: str
    seats: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    seq: int | None = None  # of the event that proved it, where that is an earlier one
    at: datetime | None = None
    evidence: tuple[int, ...] = ()
    prescribed: Prescription | None = None  # where the moment decides what the rules prescribe
    confidence: Confidence = "certain"
    cause: str | None = None  # the finding that it is a consequence of
    behind: str | None = None  # or the code of one that the same event brings, where that stands first


#: A check is asked before the event changes the state: it sees the table that the event came to.
Check = Callable[[Table, Any], Sequence[Hit] | None]


class Acted(NamedTuple):
    """What a check is asked about: a player's action, but only of these kinds."""

    actions: tuple[str, ...]


class OnceStirred(NamedTuple):
    """What a check is asked about: an event, but only in a hand that is no longer quiet.

    A hand is quiet until something is found in it, or announced, ruled, shown, released, given back or awarded.
    """

    event: type[Any]


class HandCancelled:
    """What a check is asked about: the end of a hand that the room took back. `HandEnded` is that of the others."""


class ActedOddly(NamedTuple):
    """What a check is asked about: a player's action, unless the action is plainly on a seat whose hand is live."""


class DealtOddly:
    """What a check is asked about: a card dealt to a seat, unless nothing is odd about it (`deck.is_plain`)."""


ODDLY = ActedOddly()
ODD_CARD = DealtOddly()
#: Bets and raises by whatever name.
RAISES = Acted(("bet", "raise", "complete"))
CALLS = Acted(("call",))
CHECKS = Acted(("check",))


@dataclass(frozen=True, slots=True)
class Example:
    """A short event sequence beside the rule. `also` names findings of other rules that belong to it."""

    title: str
    events: Sequence[Event | bytes | Gone]
    flagged: bool
    also: tuple[str, ...] = ()


def flags(title: str, events: Sequence[Event | bytes | Gone], *, also: tuple[str, ...] = ()) -> Example:
    """A sequence that must be flagged."""
    return Example(title, events, True, also)


def passes(title: str, events: Sequence[Event | bytes | Gone], *, also: tuple[str, ...] = ()) -> Example:
    """A near-miss: a sequence that looks alike and must not be flagged."""
    return Example(title, events, False, also)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the catalogue: what it detects, why, what the rules prescribe, and how to look into a finding."""

    code: str
    name: str
    severity: Severity
    source: str  # where the rule comes from; `+` where the auditor goes beyond the rule book
    what: str
    why: str
    prescription: str
    triage: str
    false_positives: str
    also_known_as: tuple[str, ...] = ()  # codes of the rule book that are reported under this one
    prescribes: Prescription = "none"
    misdeal_ground: bool = False  # misdeal while the window is open, play_on after
    observes: frozenset[str] = frozenset()  # what the feed must see for its silence to mean something
    games: frozenset[str] = ALL_GAMES
    checks: Mapping[type[Any] | Acted | ActedOddly | DealtOddly | OnceStirred, Check] = field(default_factory=dict)
    #: Made when they are asked for: an audit has no use for them, and a thousand hands take a while to make.
    examples: Callable[[], tuple[Example, ...]] = tuple
    status: Literal["preview", "stable", "removed"] = "stable"
    since: str = "0.1.0"

    @property
    def family(self) -> str:
        return self.code.rstrip("0123456789")


#: Grounds for a misdeal share what they prescribe.
MISDEAL_PRESCRIPTION = (
    "Misdeal, if attention is called before two players have acted: every bet goes back, the cards are retrieved, "
    "reshuffled, recut and redealt, and the button does not move. After that the hand is played to its end."
)
