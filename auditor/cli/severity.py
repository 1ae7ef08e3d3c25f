"""Severities as options."""

from __future__ import annotations

from enum import StrEnum


class SeverityOption(StrEnum):
    """How grave a finding is."""

    INFO = "info"
    MINOR = "minor"
    MAJOR = "major"
    CRITICAL = "critical"
