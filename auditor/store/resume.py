"""A restart: bring an audit to where the store left it."""

from __future__ import annotations

from auditor.audit import Audit
from auditor.store.writer import Store


def resume(audit: Audit, store: Store) -> None:
    """Restore every open table with its open hand, and of each closed one the place where its order goes on."""
    for table_id, next_seq in store.closed_tables():
        audit.retire(table_id, next_seq)
    for table, raws in store.open_tables():
        audit.restore(table, raws)
