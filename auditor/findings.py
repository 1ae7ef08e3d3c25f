"""The finding: what every output shows of one irregularity."""

from __future__ import annotations

from datetime import datetime
from hashlib import blake2b
from typing import Annotated, Literal, final

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from auditor.events import Prescription

Severity = Literal["info", "minor", "major", "critical"]
Handled = Literal["as_prescribed", "contrary", "unaddressed", "not_applicable", "open"]
Confidence = Literal["certain", "likely", "possible"]

SEVERITIES: tuple[Severity, ...] = ("info", "minor", "major", "critical")


def at_least(severity: Severity, threshold: Severity) -> bool:
    """Whether a severity reaches a threshold."""
    return SEVERITIES.index(severity) >= SEVERITIES.index(threshold)


class Finding(BaseModel):
    """One irregularity, with its evidence, the ruling that the rules prescribe and what the table did.

    `finding_id` is deterministic: the same events give the same id, whenever and wherever they are audited.
    """

    model_config = ConfigDict(frozen=True)

    finding_id: str
    rule: Annotated[str, Field(description="The rule's code, stable for ever")]
    name: str
    severity: Severity
    table_id: str | None
    hand_id: str | None
    seq: Annotated[int | None, Field(description="Sequence number of the event that proved it")]
    at: AwareDatetime | None
    street: str | None = None
    seats: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    message: Annotated[str, Field(description="One plain sentence that a floor manager understands")]
    prescribed: Prescription = "none"
    handled: Handled = "open"
    degraded: Annotated[bool, Field(description="The hand has a gap in its events")] = False
    confidence: Confidence = "certain"
    incident: Annotated[str, Field(description="The finding that is its cause, or itself")]
    dealer_id: str | None = None
    evidence: Annotated[tuple[int, ...], Field(description="Sequence numbers of the events that show it")] = ()
    source_rule: Annotated[str, Field(description="Where the rule comes from")]

    @property
    def settled(self) -> bool:
        """Whether the incident is closed: nothing that still happens at the table changes this finding."""
        return self.handled != "open"


def finding_id(rule: str, table_id: str | None, hand_id: str | None, seq: int | None, *more: object) -> str:
    """A deterministic id from what identifies a finding: 20 hexadecimal digits."""
    key = "\x1f".join(str(part) for part in (rule, table_id, hand_id, seq, *more))
    return blake2b(key.encode(), digest_size=10).hexdigest()


@final
class Reject(BaseModel):
    """Bytes that are no event, kept as they came, with where they came from and a plain reason."""

    model_config = ConfigDict(frozen=True)

    source: Annotated[str, Field(description="A topic, or a file's name")]
    partition: int = 0
    offset: Annotated[int, Field(description="The record's offset, or the line's number in its file")]
    raw: bytes
    reason: str
    kind: Literal["unreadable", "conflict"] = "unreadable"
    at: Annotated[datetime | None, Field(description="When Kafka got the record, by its own timestamp")] = None
    key: Annotated[bytes | None, Field(description="The record's key in Kafka")] = None
    headers: Annotated[tuple[tuple[str, bytes | None], ...], Field(description="The record's headers in Kafka")] = ()


class HandSummary(BaseModel):
    """One hand in brief, as it stands: a row of `hands`."""

    model_config = ConfigDict(frozen=True)

    table_id: str
    hand_id: str
    started_seq: int
    started_at: datetime
    ended_seq: int | None = None
    ended_at: datetime | None = None
    status: Literal["open", "ended", "misdeal", "void", "not_closed"] = "open"
    complete: Annotated[bool, Field(description="No event of the hand is missing")] = True
    game: str
    betting: str
    dealer_id: str | None = None
    location: str | None = None
    button_seat: int | None = None
    players: int = 0
    street: str = ""
    board: tuple[str, ...] = ()
    pot: int = 0
    redeal_of: str | None = None
