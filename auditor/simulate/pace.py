"""Lines at a chosen rate."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_Item = TypeVar("_Item")

_LEAST_SLEEP = 0.005  # seconds: a shorter wait is saved up, for the system would make it longer anyway
_MOST_ARREARS = 1.0  # seconds: who was held up for longer does not make up for it with a burst


def paced(items: Iterable[_Item], rate: float) -> Iterator[_Item]:
    """The items, `rate` a second; as fast as they come where `rate` is 0."""
    if not rate:
        yield from items
        return
    due = time.monotonic()
    for item in items:
        now = time.monotonic()
        if due - now > _LEAST_SLEEP:
            time.sleep(due - now)
        due = max(due, now - _MOST_ARREARS) + 1 / rate
        yield item
