"""A finding as it goes out: its JSON, and a name for every version of it."""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from auditor.findings import Finding


class Payload(NamedTuple):
    """One version of a finding. The same finding in the same state has the same bytes and name, whoever sends it."""

    finding: Finding
    body: bytes
    version: str  # differs when anything about the finding does: 16 hexadecimal digits

    @property
    def name(self) -> str:
        """What a receiver tells copies by."""
        return f"{self.finding.finding_id}-{self.version}"


def payload(finding: Finding) -> Payload:
    """A finding, ready to go out."""
    body = finding.model_dump_json().encode()
    return Payload(finding, body, blake2b(body, digest_size=8).hexdigest())
