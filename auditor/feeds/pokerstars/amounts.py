"""Amounts as the format writes them: `$1,234.50`, `€5`, `1500`, `Rs. 20`."""

from __future__ import annotations

import re

from auditor.feeds.chips import chips
from auditor.feeds.telling import BrokenHandError

#: The pattern of an amount: what stands for the currency, then the number as its one group.
AMOUNT = r"(?:Rs\. ?|[^\d\s()\[\]|,.:#+-]{0,3} ?)(\d[\d,]{0,30}(?:\.\d{1,18})?)(?: ?[€$£])?"

_GROUPED = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?")
_DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}")


class Money:
    """Amounts of one hand in whole chips, of which one is `scale` decimal places of the currency."""

    def __init__(self, scale: int) -> None:
        self.scale = scale

    def chips(self, text: str) -> int:
        """Raises `BrokenHandError` for what is no number, is finer than a chip, or too large."""
        return chips(_without_commas(text) if "," in text else text, self.scale)


def _without_commas(text: str) -> str:
    if _GROUPED.fullmatch(text):
        return text.replace(",", "")
    if _DECIMAL_COMMA.fullmatch(text):
        return text.replace(",", ".")
    raise BrokenHandError(f"not an amount: {text[:40]}")
