"""Makes the live tests' helpers importable, and their broker a fixture."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from kafka_fixture import kafka

__all__ = ["kafka"]
