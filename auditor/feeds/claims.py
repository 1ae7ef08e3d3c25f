"""What the stores of one group claim of a partition, as words beside the group's committed offset.

A store claims a range of offsets before it stores it, by committing the end of the range to the group; with the offset
goes the last claim of every store. A store that was killed between the two finds its own claim there, and knows that
the range is its own to store, whoever has the partition now.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_MARK: Final = "auditor/1"
_ONE: Final = re.compile(r"([0-9a-f]+)=(\d+)-(\d+)")
_MOST_BYTES: Final = 4_000  # brokers take 4,096 (offset.metadata.max.bytes)


class Claim(NamedTuple):
    """The offsets from `first` up to, and without, `until`."""

    first: int
    until: int


#: The last claim of each store, by its id.
Claims = Mapping[str, Claim]


def write(claims: Claims) -> str:
    """The claims as they go beside an offset. Where they are too many, the oldest is left out."""
    kept = dict(claims)
    while len(text := " ".join([_MARK, *(f"{store}={c.first}-{c.until}" for store, c in kept.items())])) > _MOST_BYTES:
        del kept[min(kept, key=lambda store: kept[store].until)]
    return text


def read(text: str | None) -> dict[str, Claim]:
    """The claims that are written beside an offset; none where somebody else wrote there."""
    mark, *rest = (text or "").split(" ")
    if mark != _MARK:
        return {}
    return {m[1]: Claim(int(m[2]), int(m[3])) for word in rest if (m := _ONE.fullmatch(word))}
