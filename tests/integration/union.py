"""What several stores of one group hold together: docs/exactly-once.md says how they are put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

_EVERY = {
    "events": """
        SELECT table_id, seq, hand_id, type, "at", observer, topic, "partition", "offset", raw FROM {store}.events
    """,
    "rejects": "SELECT * EXCLUDE (ingested) FROM {store}.rejects",
}
#: Of a finding, and of a hand, each store holds the version that it came to; one that is settled is the later one.
_LATEST = {
    "findings": ("finding_id", "handled = 'open'"),
    "hands": ("(table_id, hand_id, started_seq)", "status = 'open'"),
}


def union(stores: Sequence[Path]) -> dict[str, list[tuple[Any, ...]]]:
    """Events and rejects of all stores, and the latest version of each finding and hand; sorted, by table."""
    with duckdb.connect() as connection:
        for number, store in enumerate(stores):
            connection.execute(f"ATTACH '{store}' AS s{number} (READ_ONLY)")
        names = [f"s{number}" for number in range(len(stores))]
        held = {}
        for table, sql in _EVERY.items():
            every = " UNION ALL ".join(sql.format(store=name) for name in names)
            held[table] = connection.execute(f"SELECT * FROM ({every}) ORDER BY ALL").fetchall()
        for table, (key, unsettled) in _LATEST.items():
            every = " UNION ".join(f"SELECT * FROM {name}.{table}" for name in names)
            latest = f"rank() OVER (PARTITION BY {key} ORDER BY {unsettled}) = 1"
            held[table] = connection.execute(f"SELECT * FROM ({every}) QUALIFY {latest} ORDER BY ALL").fetchall()
        return held
