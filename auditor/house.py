"""House rules: what the rule book leaves to the card room, as data, with the book's value as default."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=1, le=100)]


class HouseRules(BaseModel):
    """Carried on `table_opened.house_rules`. A key that this version does not know is ignored."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    button_rule: Literal["moving", "dead", "simplified"] | None = Field(
        default=None,
        description="How the button moves. Undeclared: a button that any of the three would give is right.",
    )
    misdeal_window: Count = Field(default=2, description="Player actions after which no misdeal can be declared.")
    misdeal_exposed_cards: Count = Field(default=2, description="Cards exposed by the dealer that make a misdeal.")
    misdeal_boxed_cards: Count = Field(
        default=2, description="Boxed cards that make a misdeal (two or more; some books say more than two: 3)."
    )
    misdeal_extra_cards: Count = Field(default=2, description="Extra cards in the starting hands that make a misdeal.")
    raise_cap: Annotated[int, Field(ge=0, le=100)] = Field(
        default=0, description="Raises allowed in one limit betting round with three or more players; 0: no cap."
    )


BOOK = HouseRules()
