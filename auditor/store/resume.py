"""A restart: bring an audit to where the store left it."""

from __future__ import annotations

from auditor.audit import CLOSED_DESKS, Audit
from auditor.store.writer import Store


def resume(audit: Audit, store: Store, partition: int | None = None) -> None:
    """Restore every open table with its open hand, and the closed ones as far as an audit that ran on would know them.

    `partition`: only the tables whose events come over it.
    """
    for table_id, next_seq in store.closed_tables(partition):
        audit.retire(table_id, next_seq)
    for table, raws in store.tables(CLOSED_DESKS, partition):
        audit.restore(table, raws)
