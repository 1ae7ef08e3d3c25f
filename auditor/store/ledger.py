"""Files that were audited whole, by their content: what a big job need not read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from auditor.store.writer import Store

_FETCH_ROWS = 10_000


class Ledger:
    """The ledger of one store, which stays open as long as this is used."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def digests(self) -> dict[str, bool]:
        """The content of every file that was audited whole, and whether it was damaged."""
        return dict(self._store.rows("SELECT digest, damaged FROM files"))

    def table_ids(self) -> Iterator[str]:
        """Every table that the store holds."""
        for (table_id,) in self._store.rows("SELECT table_id FROM tables"):
            yield table_id

    def known_tables(self, table_ids: Iterable[str]) -> set[str]:
        """Those of the tables that the store holds."""
        query = "SELECT table_id FROM tables WHERE table_id IN (SELECT unnest($1::VARCHAR[]))"
        return {table_id for (table_id,) in self._store.rows(query, [list(table_ids)])}
