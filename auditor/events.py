"""The event contract: one model an event, one adapter over all of them, fed raw bytes.

An event is one thing observed at a table. Chips are integers in the table's smallest unit. Models are strict: a
number in quotes is not a number. Unknown fields are ignored here and kept in the stored raw event.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Annotated, Literal, dataclass_transform, get_args

from pydantic import AwareDatetime, ConfigDict, Field
from pydantic.dataclasses import dataclass

from auditor.cards import CARD_PATTERN, UNREAD
from auditor.house import BOOK, HouseRules

_INT64_MAX = 2**63 - 1  # what the store's integer columns hold

Identifier = Annotated[str, Field(min_length=1, max_length=64)]
Card = Annotated[str, Field(pattern=CARD_PATTERN)]
Seat = Annotated[int, Field(ge=0, le=_INT64_MAX)]
Chips = Annotated[int, Field(ge=0, le=_INT64_MAX)]
Count = Annotated[int, Field(ge=0, le=_INT64_MAX)]

Source = Literal["rfid", "shoe", "shuffler", "camera", "software", "dealer", "floor", "surveillance", "import"]
Capability = Literal[
    "shuffle", "deal_order", "hole_cards", "orientation", "backs", "burns", "exposure", "stub", "button",
    "seating", "buy_ins", "stacks", "betting", "awards", "clock", "officiating",
]  # fmt: skip
GameName = Literal[
    "holdem", "omaha", "omaha_hilo", "stud", "razz", "stud_hilo", "lowball_a5", "lowball_27", "draw_high",
    "short_deck", "omaha5", "omaha5_hilo", "omaha6", "triple_draw_27", "badugi",
]  # fmt: skip
Betting = Literal["no_limit", "pot_limit", "limit"]
Prescription = Literal[
    "misdeal", "play_on", "void_action", "action_stands", "hand_dead", "scrap_card", "use_as_burn", "redeal_flop",
    "fix_turn", "fix_river", "correct_burns", "card_stands", "correct_button_next_hand", "pot_carries_over", "none",
]  # fmt: skip
#: Why chips came to a seat or left it: bought or cashed in, set right by the house, paid from player to player (a
#: bounty for winning with seven-deuce, say), or settled outside the pot.
ChipsReason = Literal["purchase", "adjustment", "bounty", "cash_out", "insurance"]
Official = Literal["dealer", "player", "floor", "surveillance"]
Action = Literal["fold", "check", "call", "bet", "raise", "complete"]

CAPABILITIES: frozenset[str] = frozenset(get_args(Capability))


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
class _Model:
    """A pydantic model in the form of a dataclass.

    Every rule reads the fields of every event. A `BaseModel` has a `__getattr__`, which makes each of these reads
    several times as slow as that of a plain object's attribute; a dataclass has none.
    """

    def __init_subclass__(cls) -> None:
        config = ConfigDict(
            strict=True, extra="ignore", populate_by_name=True, serialize_by_alias=True, defer_build=True
        )
        if "__doc__" in cls.__dict__ and cls.__doc__:
            config["json_schema_extra"] = {"description": cleandoc(cls.__doc__)}
        dataclass(frozen=True, kw_only=True, config=config)(cls)


class SeenCard(_Model):
    """A card with what else was seen of it: its back, which way it faced, its own physical id."""

    card: Card = UNREAD
    back: str | None = None
    boxed: bool = False
    card_id: str | None = None


#: An item of a list of cards: the bare face, or an object that says more.
CardItem = Card | SeenCard


class Stakes(_Model):
    """The stakes of a game, in chips; 0 where the game has no such thing."""

    small_blind: Chips = 0
    big_blind: Chips = 0
    ante: Chips = 0
    bring_in: Chips = 0
    small_bet: Chips = 0
    big_bet: Chips = 0
    smallest_chip: Chips = 1


class Deck(_Model):
    deck_id: Identifier
    back: str | None = None


class HandSeat(_Model):
    """A seat of the table as a hand starts; `entitled` says whether it must be dealt in."""

    seat: Seat
    player_id: str | None = None
    stack: Chips | None = None
    entitled: bool = True


class SeatStack(_Model):
    seat: Seat
    stack: Chips


class Totals(_Model):
    """What a source says of a whole hand, to hold the events against; None where it says nothing."""

    pot: Annotated[
        Chips | None, Field(description="All that was played for: with the rake, without what came back")
    ] = None
    rake: Annotated[Chips | None, Field(description="All that was taken out of it: rake, jackpot and fees")] = None
    stacks: Annotated[tuple[SeatStack, ...], Field(description="What seats had when it was over")] = ()


# --- envelopes ------------------------------------------------------------------------------------------------------


class Envelope(_Model):
    """What every event carries."""

    table_id: Identifier
    seq: Annotated[int, Field(ge=1, le=_INT64_MAX, description="Order of one table's events over both topics, +1 each")]
    at: Annotated[AwareDatetime, Field(description="When it happened: RFC 3339 with offset")]
    source: Source | None = None
    v: Annotated[int, Field(ge=1)] = 1


class TableEvent(Envelope):
    """An event of the table itself, outside any hand."""

    hand_id: None = None


class HandEvent(Envelope):
    """An event of one hand."""

    hand_id: Identifier


class EitherEvent(Envelope):
    """An event that belongs to a hand when it carries its id, and to the table otherwise."""

    hand_id: Identifier | None = None


# --- table scope ----------------------------------------------------------------------------------------------------


class TableOpened(TableEvent):
    type: Literal["table_opened"] = "table_opened"
    game: GameName
    betting: Betting = "no_limit"
    stakes: Stakes = Stakes()
    max_seats: Annotated[int, Field(ge=2, le=100)] = 10
    observes: tuple[Capability, ...] = ()
    decks: tuple[Deck, ...] = ()
    jokers: Annotated[int, Field(ge=0, le=4)] = 0
    house_rules: HouseRules = BOOK
    location: str | None = None
    currency: str | None = None
    scale: Annotated[int, Field(ge=0, le=18, description="Decimal places of the currency in one chip")] | None = None


class TableClosed(TableEvent):
    type: Literal["table_closed"] = "table_closed"


class DealerChanged(TableEvent):
    type: Literal["dealer_changed"] = "dealer_changed"
    dealer_id: Identifier


class PlayerSeated(TableEvent):
    type: Literal["player_seated"] = "player_seated"
    seat: Seat
    player_id: str | None = None


class PlayerLeft(TableEvent):
    type: Literal["player_left"] = "player_left"
    seat: Seat


class PlayerSatOut(TableEvent):
    type: Literal["player_sat_out"] = "player_sat_out"
    seat: Seat


class PlayerReturned(TableEvent):
    type: Literal["player_returned"] = "player_returned"
    seat: Seat


class ChipsBought(TableEvent):
    type: Literal["chips_bought"] = "chips_bought"
    seat: Seat
    kind: Literal["buy_in", "add_on"]
    amount: Chips
    reason: ChipsReason = "purchase"


class ChipsCashed(TableEvent):
    type: Literal["chips_cashed"] = "chips_cashed"
    seat: Seat
    amount: Chips
    reason: ChipsReason = "purchase"


# --- deck -----------------------------------------------------------------------------------------------------------

DeckPart = Literal["stub", "set_aside", "board", "burns", "muck"]


class DeckShuffled(EitherEvent):
    type: Literal["deck_shuffled"] = "deck_shuffled"
    deck_id: Identifier | None = None
    riffles: Count | None = None
    by: Literal["dealer", "machine", "player"] | None = None
    seat: Seat | None = None
    includes: tuple[DeckPart, ...] = ()


class DeckCut(EitherEvent):
    type: Literal["deck_cut"] = "deck_cut"
    packets: Annotated[tuple[Count, ...], Field(description="Cards in the packets, top then bottom")] = ()
    by: Literal["dealer", "machine", "player"] | None = None
    seat: Seat | None = None
    cut_card: bool | None = None
    order: Annotated[tuple[Card, ...], Field(description="The deck from the top, where a machine knows its order")] = ()


# --- the hand -------------------------------------------------------------------------------------------------------


class HandStarted(HandEvent):
    type: Literal["hand_started"] = "hand_started"
    button_seat: Seat | None = None
    seats: tuple[HandSeat, ...]
    game: GameName | None = None
    betting: Betting | None = None
    stakes: Stakes | None = None
    small_blind_seat: Seat | None = None
    big_blind_seat: Seat | None = None
    dealer_id: Identifier | None = None
    dealer_seat: Seat | None = None
    deck_id: Identifier | None = None
    deck_back: str | None = None
    carried_pot: Chips = 0
    splash: Annotated[Chips, Field(description="Chips that the house put into the pot")] = 0
    bomb_pot: Annotated[bool, Field(description="All post antes, and the betting begins on the flop")] = False
    redeal_of: Identifier | None = None
    observes: tuple[Capability, ...] | None = None


class CardDealt(HandEvent):
    type: Literal["card_dealt"] = "card_dealt"
    seat: Seat
    card: Card = UNREAD
    face: Literal["down", "up"] = "down"
    back: str | None = None
    boxed: bool = False
    exposed_by: Literal["dealer", "player", "software"] | None = None
    off_table: bool = False
    replaces: Annotated[Card | None, Field(description="The card that this one takes the place of")] = None
    draw: bool = False
    card_id: str | None = None
    read_at: Annotated[
        Literal["seat", "shoe"] | None,
        Field(
            description="Where a reader saw it: `seat`, an antenna in the table, which may pick up a neighbour's card"
        ),
    ] = None


class CardBurned(HandEvent):
    type: Literal["card_burned"] = "card_burned"
    card: Card = UNREAD
    back: str | None = None
    boxed: bool = False
    card_id: str | None = None


class BoardDealt(HandEvent):
    type: Literal["board_dealt"] = "board_dealt"
    cards: Annotated[tuple[CardItem, ...], Field(min_length=1)]
    board: Annotated[int, Field(ge=1, le=100, description="Which board, when it is run more than once")] = 1
    rabbit: Annotated[bool, Field(description="Shown after the hand for curiosity; no part of the board")] = False


class CardExposed(HandEvent):
    type: Literal["card_exposed"] = "card_exposed"
    seat: Seat | None = None
    card: Card = UNREAD
    by: Literal["dealer", "player", "software"] | None = None


class CardReturned(HandEvent):
    type: Literal["card_returned"] = "card_returned"
    from_: Annotated[Literal["seat", "board", "burn"], Field(alias="from")]
    seat: Seat | None = None
    card: Card = UNREAD
    to: Literal["stub", "burn", "muck", "set_aside"]


class CardsDiscarded(HandEvent):
    type: Literal["cards_discarded"] = "cards_discarded"
    seat: Seat
    count: Count | None = None
    cards: tuple[CardItem, ...] = ()


class StubInspected(HandEvent):
    type: Literal["stub_inspected"] = "stub_inspected"
    cards: tuple[CardItem, ...] = ()


class ForcedBetPosted(HandEvent):
    type: Literal["forced_bet_posted"] = "forced_bet_posted"
    seat: Seat
    kind: Literal["ante", "small_blind", "big_blind", "straddle", "bring_in", "missed_blind", "dead_blind"]
    amount: Chips
    all_in: bool = False


class PlayerActed(HandEvent):
    type: Literal["player_acted"] = "player_acted"
    seat: Seat
    action: Action
    amount: Annotated[Chips, Field(description="Chips that this action adds to the pot")] = 0
    all_in: bool = False


class ClockCalled(HandEvent):
    type: Literal["clock_called"] = "clock_called"
    seat: Seat
    seconds: Count | None = None


class ClockExpired(HandEvent):
    type: Literal["clock_expired"] = "clock_expired"
    seat: Seat


class CardsReleased(HandEvent):
    type: Literal["cards_released"] = "cards_released"
    seat: Seat
    manner: Literal[
        "muck", "forward_motion", "picked_up_upcards", "turned_down_upcards", "mixed_cards", "into_other_hand",
        "killed_by_dealer", "dropped",
    ] = "muck"  # fmt: skip
    into_seat: Seat | None = None
    cards: Annotated[tuple[CardItem, ...], Field(description="The cards that were dropped or thrown, where read")] = ()
    protected: Annotated[bool | None, Field(description="A hand, a chip or the like lay on the cards")] = None


class CardsRetrieved(HandEvent):
    type: Literal["cards_retrieved"] = "cards_retrieved"
    seat: Seat
    by: Official | None = None
    reason: Literal["misinformation", "interest_of_game", "none"] = "none"


class CardsShown(HandEvent):
    type: Literal["cards_shown"] = "cards_shown"
    seat: Seat
    cards: tuple[CardItem, ...] = ()


class BoardPlayed(HandEvent):
    type: Literal["board_played"] = "board_played"
    seat: Seat


class ChipsReturned(HandEvent):
    type: Literal["chips_returned"] = "chips_returned"
    seat: Seat
    amount: Chips
    reason: Literal["uncalled", "void", "misdeal", "correction"] = "uncalled"


class PotAwarded(HandEvent):
    type: Literal["pot_awarded"] = "pot_awarded"
    seat: Seat
    amount: Chips
    pot: Annotated[Count, Field(description="0 the main pot, then the side pots; 0 too where it is not known")] = 0
    share: Literal["whole", "high", "low"] = "whole"
    board: Annotated[Count, Field(description="The board it was won on, when run more than once; 0: not known")] = 0


class RakeTaken(HandEvent):
    type: Literal["rake_taken"] = "rake_taken"
    amount: Chips
    kind: Annotated[
        Literal["rake", "jackpot", "fee"], Field(description="`jackpot`: for a bad-beat fund; `fee`: any other charge")
    ] = "rake"


class HandEnded(HandEvent):
    type: Literal["hand_ended"] = "hand_ended"
    cancelled: Annotated[bool, Field(description="The room took the hand back: every chip is where it was")] = False
    reported: Annotated[Totals | None, Field(description="What the source itself says it came to")] = None


# --- officiating ----------------------------------------------------------------------------------------------------


class IrregularityAnnounced(EitherEvent):
    type: Literal["irregularity_announced"] = "irregularity_announced"
    by: Official | None = None
    seat: Seat | None = None
    rule: Annotated[str | None, Field(description="The rule's code, where the announcer named one")] = None
    card: Card | None = None
    looked: Annotated[bool | None, Field(description="The player had looked at the hand")] = None


class RulingMade(EitherEvent):
    type: Literal["ruling_made"] = "ruling_made"
    ruling: Prescription
    seat: Seat | None = None
    card: Card | None = None
    by: Official | None = None
    reason: str | None = None


DEALING_EVENTS = (
    TableOpened, TableClosed, DealerChanged, PlayerSeated, PlayerLeft, PlayerSatOut, PlayerReturned,
    DeckShuffled, DeckCut, HandStarted, CardDealt, CardBurned, BoardDealt, CardExposed, CardReturned,
    CardsDiscarded, StubInspected, CardsReleased, CardsRetrieved, CardsShown, BoardPlayed, HandEnded,
    IrregularityAnnounced, RulingMade,
)  # fmt: skip
BETTING_EVENTS = (
    ChipsBought, ChipsCashed, ForcedBetPosted, PlayerActed, ClockCalled, ClockExpired, ChipsReturned,
    PotAwarded, RakeTaken,
)  # fmt: skip

#: Which topic carries which events. A consumer accepts any type from either.
TOPICS: dict[str, tuple[type[Envelope], ...]] = {
    "poker.dealing": DEALING_EVENTS,
    "poker.betting": BETTING_EVENTS,
}

Event = (
    TableOpened | TableClosed | DealerChanged | PlayerSeated | PlayerLeft | PlayerSatOut | PlayerReturned
    | ChipsBought | ChipsCashed | DeckShuffled | DeckCut | HandStarted | CardDealt | CardBurned | BoardDealt
    | CardExposed | CardReturned | CardsDiscarded | StubInspected | ForcedBetPosted | PlayerActed | ClockCalled
    | ClockExpired | CardsReleased | CardsRetrieved | CardsShown | BoardPlayed | ChipsReturned | PotAwarded
    | RakeTaken | HandEnded | IrregularityAnnounced | RulingMade
)  # fmt: skip

EVENT_TYPES: dict[str, type[Envelope]] = {vars(model)["type"]: model for model in (*DEALING_EVENTS, *BETTING_EVENTS)}


def topic_of(event: Event) -> str:
    """The topic that carries this type of event."""
    return "poker.betting" if isinstance(event, BETTING_EVENTS) else "poker.dealing"


def face(item: str | SeenCard) -> str:
    """The face of an item of a list of cards."""
    return item if isinstance(item, str) else item.card
