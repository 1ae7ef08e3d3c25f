"""Lends the integration tests' helpers, and their broker."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "integration"))
sys.path.insert(0, str(Path(__file__).parent))

from kafka_fixture import kafka

__all__ = ["kafka"]
