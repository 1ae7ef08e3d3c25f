"""PHH: written by the product's own writer."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.feeds.phh.write import Hands, Written, sections
from tests.bench.writers.tables import Table, events_of


def text(tables: Sequence[Table]) -> str:
    hands = Hands()
    whole = (hand for event in events_of(tables) for hand in hands.take(event))
    return "\n".join(each.text for each in sections(whole) if isinstance(each, Written))
