"""House rules: what the rule book leaves to the card room, as data, with the book's value as default."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=1, le=100)]


class RakeRule(BaseModel):
    """What the house takes of a pot: a percentage, up to a cap."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    percent: Annotated[float, Field(ge=0, le=100, description="Of the pot without what nobody called; two decimals")]
    cap: Annotated[int, Field(ge=0, le=2**53, description="The most that is taken of a hand; 0: no cap")] = 0
    no_flop_no_drop: Annotated[bool, Field(description="Nothing is taken of a hand that sees no flop")] = True
    unit: Annotated[int, Field(ge=1, le=2**53, description="The smallest chip of the rake")] = 1
    rounding: Annotated[Literal["down", "up", "either"], Field(description="Of the percentage, to the unit")] = "down"


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
    limit_buy_in_bets: Annotated[int, Field(ge=0, le=10_000)] = Field(
        default=10, description="A full buy-in at limit poker, in largest bets of the game; 0: any will do."
    )
    buy_in_big_blinds: Annotated[int, Field(ge=0, le=10_000)] = Field(
        default=40, description="A full buy-in at pot-limit and no-limit, in big blinds; 0: any will do."
    )
    stack_tolerance: Annotated[int, Field(ge=0, le=2**53)] = Field(
        default=0,
        description="Chips by which a stack may change between two hands with no event: tips, a charge for the seat.",
    )
    least_riffles: Annotated[int, Field(ge=0, le=100)] = Field(
        default=4, description="Riffles of a shuffle by a player, at least."
    )
    least_packet: Annotated[int, Field(ge=0, le=26)] = Field(
        default=4, description="Cards that a cut by a player leaves in each packet, at least."
    )
    three_person_shuffle: bool = Field(
        default=False,
        description="In player-dealt games the player on the new dealer's left shuffles, the one on the right cuts.",
    )
    alternate_decks: bool | None = Field(
        default=None,
        description="Two decks are used turn about. Undeclared: a table that has done so for some hands does so.",
    )
    missed_blinds: bool = Field(
        default=True, description="A player who comes back after the blinds went past must post them."
    )
    raise_cap: Annotated[int, Field(ge=0, le=100)] = Field(
        default=0, description="Raises allowed in one limit betting round with three or more players; 0: no cap."
    )
    short_all_in: Literal["full_raise", "half_raise", "any"] | None = Field(
        default=None,
        description="How large an all-in raise must be to let a player who has acted raise again. Undeclared: half a "
        "raise in limit games, a full raise in the others.",
    )
    pot_limit_small_blind: Literal["as_posted", "as_big_blind"] | None = Field(
        default=None,
        description="What the small blind counts for in the size of the pot before the flop, in pot-limit games. "
        "Undeclared: the larger is allowed.",
    )
    odd_chip: Literal["left_of_button", "any"] = Field(
        default="left_of_button", description="Who gets the odd chip of a split pot in button games."
    )
    odd_chip_unit: Annotated[int, Field(ge=0, le=2**53)] = Field(
        default=0,
        description="The smallest chip that a split pot is divided into; 0: the stakes' smallest chip, where it is "
        "more than one.",
    )
    short_deck_ranking: Literal["straight_over_trips", "trips_over_straight"] = Field(
        default="straight_over_trips", description="What wins in short deck, where a flush beats a full house."
    )
    rake: RakeRule | None = Field(default=None, description="What the house takes of a pot. Undeclared: not audited.")


BOOK = HouseRules()
