"""Only what is grave enough goes out."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.findings import Finding, Severity, at_least
from auditor.intake import Publisher


class AtLeast:
    """A publisher that passes on the findings of a severity and above."""

    def __init__(self, publisher: Publisher, minimum: Severity) -> None:
        self._publisher = publisher
        self._minimum = minimum

    @property
    def to(self) -> str:
        """As the publisher says."""
        return self._publisher.to

    @property
    def refused(self) -> int:
        """As the publisher says."""
        return self._publisher.refused

    def publish(self, findings: Sequence[Finding]) -> None:
        """As the publisher does."""
        grave = [finding for finding in findings if at_least(finding.severity, self._minimum)]
        if grave:
            self._publisher.publish(grave)

    def close(self) -> None:
        """As the publisher does."""
        self._publisher.close()
