"""The amounts of a hand in whole chips. In the file they are decimals of the currency."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any

from auditor.feeds.chips import MOST_CHIPS, shown
from auditor.feeds.telling import BrokenHandError

#: Decimals that a chip may have.
MOST_PLACES = 8
#: Decimals of a currency's smallest coin.
_COIN = 2

_MONEY = frozenset(
    ("starting_stack", "amount", "rake", "jackpot", "win_amount", "cashout_amount", "cashout_fee", "bonus_amount",
     "small_blind_amount", "big_blind_amount", "ante_amount")
)  # fmt: skip
#: Objects that speak of other money than the hand's.
_APART = frozenset(("tournament_info", "tournament_bounties"))

# Programs that reckon in binary write 0.30000000000000004: fifteen digits are what such a number holds for certain.
_BINARY_DIGITS = Context(prec=15, rounding=ROUND_HALF_EVEN)
_NUMBER = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?")


class Amounts:
    """Scaled by the smallest power of ten that makes all of a hand's amounts whole; by 100 at least for real money."""

    def __init__(self, fields: dict[str, Any], *, money: bool) -> None:
        places = max((_places(value) for value in _numbers(fields)), default=0)
        self.scale = max(places, _COIN) if money else places

    def chips(self, value: object, where: str, *, signed: bool = False) -> int:
        """An amount in chips, 0 where the file has none. Raises `BrokenHandError` for what is no amount."""
        if value is None:
            return 0
        number = _number(value)
        if number is None:
            raise BrokenHandError(f"{where}: a number is expected, not {shown(value)}")
        if number < 0 and not signed:
            raise BrokenHandError(f"{where}: less than nothing: {shown(value)}")
        _places(number)  # it is in bounds
        chips = int(number.scaleb(self.scale)) if number else 0
        if abs(chips) > MOST_CHIPS:
            raise BrokenHandError(f"{where}: an amount is too large: {shown(value)}")
        return chips


def _numbers(node: object) -> Iterator[Decimal]:
    """Every amount of the hand."""
    if isinstance(node, list):
        for item in node:
            yield from _numbers(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in _MONEY and (number := _number(value)) is not None:
                yield number
            elif key not in _APART:
                yield from _numbers(value)


def _number(value: object) -> Decimal | None:
    # A truth value is an int to Python.
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = Decimal(value)
    if isinstance(value, int):
        return Decimal(value)
    if not isinstance(value, Decimal):
        return None
    return _BINARY_DIGITS.plus(value) if len(value.as_tuple().digits) > _BINARY_DIGITS.prec else value


def _places(number: Decimal) -> int:
    """Decimals that a number really has: 2.50 has one."""
    if not number:
        return 0
    # 1e-999999999 would take a gigabyte to write out.
    if abs(number.adjusted()) > 2 * _BINARY_DIGITS.prec:
        raise BrokenHandError(f"an amount is too large or too small: {shown(number)}")
    places = len(f"{number:f}".partition(".")[2].rstrip("0"))
    if places > MOST_PLACES:
        raise BrokenHandError(f"an amount has {places} decimals, at most {MOST_PLACES}: {shown(number)}")
    return places
