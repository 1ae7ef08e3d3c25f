"""Makes the tests' helpers importable, and what they run on fixtures: a broker, and real hands."""

from __future__ import annotations

import os
import sys
import tarfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from kafka_fixture import kafka

__all__ = ["kafka"]


REAL_HANDS = Path(
    os.environ.get("AUDITOR_REAL_HANDS") or Path(__file__).parents[3] / "shared" / "data" / "pokerkit-phh.tar.gz"
)


@pytest.fixture(scope="session")
def real_hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of real hands in PHH."""
    if not REAL_HANDS.exists():
        pytest.skip(f"no real hands: {REAL_HANDS} is not there (AUDITOR_REAL_HANDS: a folder or tar.gz of PHH files)")
    if REAL_HANDS.is_dir():
        return REAL_HANDS
    unpacked = tmp_path_factory.mktemp("hands")
    with tarfile.open(REAL_HANDS) as archive:
        archive.extractall(unpacked, filter="data")
    return unpacked
