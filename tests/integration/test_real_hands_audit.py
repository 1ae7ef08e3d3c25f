"""All real hands: none of them is an irregularity, and each one is audited."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from auditor import Audit
from auditor.feeds.files import open_feed


@pytest.mark.realhands
def test_no_real_hand_is_flagged(real_hands: Path) -> None:
    # given every hand of the archive, when they are audited
    core = Audit()
    core.take_all(open_feed([real_hands]))
    core.finish()
    outcomes = core.drain()
    # then nothing is found in them, and those that have no game in the contract are kept aside
    found = Counter(finding.rule for finding in outcomes.findings.values())
    assert set(found) <= {"FEED108"}
    assert all("has no game in the event contract" in reject.reason for reject in outcomes.rejects)
    assert outcomes.hands_closed + len(outcomes.rejects) == sum(1 for _ in real_hands.rglob("*.phh"))
