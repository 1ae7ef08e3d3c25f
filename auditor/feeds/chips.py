"""Amounts of hand histories in whole chips: exactly, never as floats."""

from __future__ import annotations

from decimal import Decimal

from auditor.feeds.telling import BrokenHandError

#: Chips of one amount, so that sums over players and streets still fit what the store's integers hold.
MOST_CHIPS = 2**53


def chips(text: str, scale: int) -> int:
    """An amount, perhaps with commas and decimals, in chips of which the last decimal of `scale` is one.

    Raises `BrokenHandError` where it is none, or no whole number of chips, or beyond all bounds.
    """
    whole, _, fraction = text.replace(",", "").partition(".")
    fraction = fraction.rstrip("0")
    if not f"0{whole}{fraction}".isdecimal() or not (whole or "." in text):
        raise BrokenHandError(f"not an amount: {text[:40]!r}")
    if len(fraction) > scale:
        raise BrokenHandError(f"{text[:40]} is no whole number of chips")
    amount = int((whole or "0")[:30] + fraction.ljust(scale, "0"))
    if amount > MOST_CHIPS:
        raise BrokenHandError(f"an amount is too large: {text[:40]}")
    return amount


def shown(value: object) -> str:
    """A value of the file as a reason quotes it."""
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
