"""The truth beside the events: which mistakes were made on purpose, where they show, what the table did."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from auditor.events import Prescription
from auditor.findings import Handled

if TYPE_CHECKING:
    from auditor.simulate.beat import Beat


@dataclass(slots=True)
class Fault:
    """A mistake in a script. `proof` is the beat that shows it; None where no event does.

    `prescribed` is None where the catalogue prescribes nothing, `handled` where opinions may differ.
    """

    rule: str
    proof: Beat | None
    what: str
    seats: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    prescribed: Prescription | None = None
    handled: Handled | None = None
    hand_id: str | None = None  # where it belongs to another hand than its proof


@dataclass(frozen=True, slots=True)
class Truth:
    """One mistake as it stands in the truth file: a line of JSON."""

    table_id: str
    hand_id: str | None  # None where it happened between two hands
    rule: str
    seq: int | None  # of the event that proves it
    seats: tuple[int, ...]
    cards: tuple[str, ...]
    prescribed: Prescription | None
    handled: Handled | None
    what: str

    def line(self) -> bytes:
        return json.dumps(asdict(self), separators=(",", ":")).encode()


def told(fault: Fault, table_id: str, hand_id: str) -> Truth:
    """The truth of a fault whose script has been numbered."""
    return Truth(
        table_id=table_id,
        hand_id=fault.hand_id or (fault.proof.fields.get("hand_id") if fault.proof else hand_id),
        rule=fault.rule,
        seq=fault.proof.seq if fault.proof else None,
        seats=fault.seats,
        cards=fault.cards,
        prescribed=fault.prescribed,
        handled=fault.handled,
        what=fault.what,
    )
