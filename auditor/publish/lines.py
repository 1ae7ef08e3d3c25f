"""Findings as JSON Lines on a stream: the next program in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from auditor.findings import Finding
from auditor.intake import PublishFailed


class LinesPublisher:
    """Writes each finding as a line. The stream stays open: it is not ours."""

    to = "stdout"
    refused = 0  # whatever a line says, a stream takes it

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def publish(self, findings: Sequence[Finding]) -> None:
        """Write and flush. Raises `PublishFailed` where nobody reads any more."""
        try:
            self._stream.writelines(finding.model_dump_json() + "\n" for finding in findings)
            self._stream.flush()
        except OSError as error:
            raise PublishFailed(f"findings cannot be printed: {error.strerror}") from error

    def close(self) -> None:
        """Nothing is held."""
