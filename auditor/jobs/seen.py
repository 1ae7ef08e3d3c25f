"""Which hands were met before, in memory that does not grow with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b

#: Bits of the filter: with 20 million hands in it, one new hand in a million is taken for an old one, and asked after.
_BITS = 1 << 30
_HASHES = 6
_WORD = 8


class Seen:
    """Tells tables that were met before. Hands in files are tables of their own, named after their text.

    A Bloom filter says for certain that a table is new, which it nearly always is; of the others, `stored` is asked
    which ones are there in truth.
    """

    def __init__(self, stored: Callable[[Iterable[str]], set[str]], bits: int = _BITS) -> None:
        self._stored = stored
        self._mask = bits - 1
        self._filter = bytearray(bits // 8)  # untouched pages of it take no memory

    def add(self, table_id: str) -> None:
        for bit in self._bits(table_id):
            self._filter[bit >> 3] |= 1 << (bit & 7)

    def among(self, table_ids: Iterable[str]) -> set[str]:
        """Those that were met before."""
        perhaps = [each for each in table_ids if self._perhaps(each)]
        return self._stored(perhaps) if perhaps else set()

    def _perhaps(self, table_id: str) -> bool:
        return all(self._filter[bit >> 3] & 1 << (bit & 7) for bit in self._bits(table_id))

    def _bits(self, table_id: str) -> list[int]:
        digest = blake2b(table_id.encode(), digest_size=_HASHES * _WORD).digest()
        return [
            int.from_bytes(digest[start : start + _WORD], "little") & self._mask
            for start in range(0, len(digest), _WORD)
        ]
