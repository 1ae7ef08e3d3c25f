"""The open hand: what is known of it so far. Mutable, and owned by its table alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal, NamedTuple

from auditor.events import (
    CardDealt,
    ChipsReturned,
    ForcedBetPosted,
    HandSeat,
    PlayerActed,
    PotAwarded,
    Prescription,
    Stakes,
)
from auditor.findings import Severity
from auditor.games import Game
from auditor.table.preparation import Preparation

PlaceKind = Literal["seat", "board", "burn", "muck", "set_aside", "rabbit", "loose"]


class Place(NamedTuple):
    """Where a card lies: at which seat, on which board. `seq` is the event that put it there."""

    kind: PlaceKind
    number: int
    seq: int


#: A place of its three parts, at a third of the cost of calling the class: every card that is read gets one.
place: Callable[[tuple[PlaceKind, int, int]], Place] = partial(tuple.__new__, Place)


class Exposure(NamedTuple):
    """A card shown during the deal by the dealer's or the software's fault."""

    seat: int | None
    card: str
    ordinal: int  # which card of the deal it was, from 1; 0 where that is not known
    seq: int
    at: datetime


class Scrap(NamedTuple):
    """A boxed card or a joker: it counts as a scrap of paper."""

    seat: int | None
    card: str
    seq: int
    at: datetime


class Withdrawn(NamedTuple):
    """A card that left a hand while the starting hands were dealt."""

    seat: int
    card: str
    seq: int


class Release(NamedTuple):
    """Cards that a player let go of."""

    manner: str
    seq: int
    owed: bool  # the player still owed an action
    protected: bool | None  # a chip or a hand lay on the cards, where the feed says so
    street: int
    ahead: set[int]  # seats that were to act before its player, and have not acted yet


DeathCause = Literal["ruled", "clock", "thrown_away", "upcards", "into_other_hand", "killed_by_dealer"]


class Death(NamedTuple):
    """Why a hand is dead, other than that it was folded. `seq` is the event that killed it."""

    cause: DeathCause
    seq: int


#: Codes that a claim of an exposed card may name.
EXPOSURE_CODES = ("DEAL101", "DEAL102", "DEAL112", "DEAL113")


class LateClaim(NamedTuple):
    """A claim that a card was exposed, made by a player who had looked at it."""

    seat: int
    card: str | None
    seq: int


class Raised(NamedTuple):
    """What was to be matched before the last bet or raise of the street, and by whom: it may be made up, or go back."""

    seat: int  # that bet or raised
    pending: set[int]
    bet: int
    full_bet: int
    raise_size: int
    raises: int


class Premature(NamedTuple):
    """Board cards turned before the betting round was complete."""

    street: int
    cards: tuple[str, ...]
    seq: int


@dataclass(slots=True)
class Repair:
    """A street that is dealt again: what the dealer has done for it since its cards left the board.

    A premature turn takes two steps: its replacement, and then a river from a reshuffled deck (`replaced`).
    """

    street: int  # index of the street that came wrongly
    card: str  # the card that left the board, the last of several
    to: str  # and where it went
    seq: int
    burned: bool  # a burn for this street lies on the table
    replaced: bool = False
    burns: int = 0  # what follows: since the card left the board, or since it was replaced
    shuffled: bool = False
    cut: bool = False
    shuffled_in: tuple[str, ...] = ()  # parts of the deck that the shuffle took in, where the feed says so
    burn_given_back: bool = False


class Turned(NamedTuple):
    """What a board event deals, seen from the board as it lies."""

    street: int  # index of the street that the cards belong to
    first: bool  # they begin that street
    due: int  # cards that the street still lacked
    surplus: bool  # the street was whole already
    premature: bool  # the betting round before is not complete


@dataclass(slots=True)
class Irregularity:
    """An irregularity that was found in this hand, as later events and rules see it."""

    code: str
    finding_id: str
    severity: Severity
    prescribed: Prescription
    seq: int
    seats: tuple[int, ...]
    cards: tuple[str, ...]
    misdeal_ground: bool
    street: int
    after_award: bool  # it came to light when the pot had been awarded already
    incident: str = ""  # the finding that is its cause, or its own
    actions: int = 0  # actions of the hand when it was found

    @property
    def family(self) -> str:
        return self.code.rstrip("0123456789")


class Award(NamedTuple):
    """Chips of a pot for a seat."""

    seat: int
    amount: int
    pot: int
    share: str
    seq: int
    board: int = 0  # where it is run more than once; 0: not told


#: Events that move chips between a stack and the pot.
ChipsMoved = ForcedBetPosted | PlayerActed | ChipsReturned | PotAwarded


class Attention(NamedTuple):
    """Attention called to an irregularity, or a ruling on one.

    A ruling that lets things stand is about what it answers: it has the rule, the seat and the card from there.
    """

    seq: int
    rule: str | None  # the code that was named, if any
    seat: int | None  # whose cards, or what it did; who complains is none
    card: str | None
    in_time: bool  # before the window closed: a misdeal could still be declared
    actions: int  # actions of the hand by then
    after_award: bool
    ruling: Prescription | None = None  # what was ruled, where it is a ruling
    answer: Prescription | None = None  # and, where it is not, the ruling that came of it


class PutRight(NamedTuple):
    """A card taken off the board or out of the burns."""

    seq: int
    street: int
    actions: int  # actions of the hand by then
    card: str
    premature: bool  # it had been turned too early, which has a remedy of its own
    from_board: bool
    lying: int  # board cards that lay there by then


#: Rulings on a hand as a whole, and those of them that end it with nobody winning the pot.
_DECISIVE = ("misdeal", "void_action", "play_on", "action_stands", "pot_carries_over")
_ENDS_HAND = ("misdeal", "void_action", "pot_carries_over")


class Hand:
    """One hand, from `hand_started` to `hand_ended`."""

    __slots__ = (
        "acted",
        "acted_on_street",
        "actions",
        "ahead",
        "all_in",
        "as_burn",
        "attentions",
        "awarded",
        "awards",
        "away",
        "bet",
        "betting",
        "betting_started",
        "big_blind",
        "board",
        "boards",
        "bomb_pot",
        "boxed",
        "burns",
        "burns_due_none",
        "burns_since",
        "button",
        "by_antenna",
        "cancelled",
        "carried_pot",
        "commit",
        "cross_reads",
        "cut",
        "dead",
        "dead_chips",
        "deal",
        "deal_judged",
        "deal_settled",
        "dealer_id",
        "deck_backs",
        "deck_order",
        "drawn",
        "dropped",
        "entitled",
        "exposures",
        "fees",
        "flop_at",
        "folded",
        "foreign_backs",
        "fouled",
        "full_bet",
        "game",
        "gap",
        "given_back",
        "hand_id",
        "holding",
        "irregularities",
        "jokers",
        "last_blind",
        "late_claims",
        "let_live",
        "live",
        "moved",
        "observes",
        "open",
        "order",
        "out",
        "out_of_order",
        "pending",
        "played_board",
        "posts",
        "premature",
        "preparation",
        "put_right",
        "raise_size",
        "raised",
        "raises",
        "rake",
        "redeal_of",
        "refunds",
        "released",
        "repair",
        "replaced",
        "reshuffled",
        "returned",
        "returned_from",
        "rulings",
        "scraps",
        "scraps_burned",
        "seats",
        "shown",
        "small_blind",
        "sorted_seats",
        "splash",
        "stack",
        "stakes",
        "started_at",
        "started_seq",
        "straddled",
        "street",
        "surplus",
        "tag_of",
        "tags",
        "taken_back",
        "total",
        "turn",
        "turn_after_skip",
        "turned",
        "twin_in_stub",
        "void_returns",
        "where",
        "window",
        "withdrawn",
    )  # fmt: skip

    def __init__(self, hand_id: str, game: Game, betting: str, stakes: Stakes, seq: int, at: datetime) -> None:
        self.hand_id = hand_id
        self.game = game
        self.betting = betting
        self.stakes = stakes
        self.started_seq = seq
        self.started_at = at
        self.open = True
        self.gap = False  # an event of this hand is missing
        self.cancelled = False  # the room took it back
        self.bomb_pot = False  # antes in place of the blinds, and no betting before the flop
        self.dealer_id: str | None = None
        self.observes: frozenset[str] = frozenset()
        self.redeal_of: str | None = None
        self.window = 2  # player actions after which no misdeal can be declared

        # seats
        self.button: int | None = None
        self.small_blind: int | None = None
        self.big_blind: int | None = None
        self.seats: dict[int, HandSeat] = {}
        self.sorted_seats: list[int] = []  # every seat that takes part, in the order of their numbers
        self.order: list[int] = []  # entitled seats, clockwise from the left of the button
        self.entitled: frozenset[int] = frozenset()
        self.away: set[int] = set()  # seats whose player sits out, or left before the deal was over

        # the deck
        self.deck_backs: frozenset[str] = frozenset()  # backs that are right; empty where it is not known
        self.jokers = 0  # jokers that the game uses
        self.where: dict[str, Place] = {}  # every card that was read, where it lies
        self.out = 0  # physical cards out of the stub
        self.tags: dict[str, tuple[str, ...]] = {}  # the faces that each physical card's id was read with; the table's
        self.tag_of: dict[str, str] = {}  # and the id of each face, in this hand
        self.by_antenna: dict[str, int] = {}  # downcards that an antenna in the table read, and at which seat first
        #: Downcards that two neighbouring antennas read, and nobody has seen since: card → the two seats.
        self.cross_reads: dict[str, tuple[int, int]] = {}
        self.foreign_backs: set[int] = set()  # seats that were dealt a card with a wrong back
        self.twin_in_stub = False  # the stub was seen to hold a card of a face that lies on the table, or two alike
        self.reshuffled = False
        self.cut = False
        self.deck_order: tuple[str, ...] = ()  # from the top as it was cut last, where the feed knows it
        self.preparation = Preparation()  # the table's: how the deck was prepared for this hand

        # the deal
        self.deal: list[CardDealt] = []  # the starting hands as they were dealt, replacements left out
        self.deal_settled = False  # whoever holds cards is in, and play may begin
        self.deal_judged = False  # and no card can complete it any more
        self.holding: dict[int, list[str]] = {}
        self.exposures: list[Exposure] = []
        self.boxed: list[Scrap] = []
        self.replaced: set[str] = set()
        self.returned_from: set[int] = set()  # seats that gave a card back
        self.withdrawn: list[Withdrawn] = []  # and what went back before the deal was over
        self.as_burn: set[str] = set()  # cards given back to serve as the burn
        self.drawn: set[int] = set()  # seats that have discarded on this street

        # the board
        self.street = 0  # the betting street, an index into the game's streets
        self.board: list[str] = []
        self.boards: dict[int, list[str]] = {}  # the second board and on, when it is run more than once
        self.surplus = 0  # board cards beyond (or, negative, short of) what the streets dealt so far call for
        self.turned: Turned | None = None  # what the board event under way deals
        self.taken_back = False  # cards of the current street left the board, and others are to come in their place
        self.burns: list[str] = []
        self.burns_since = 0  # burns since the last board card
        self.scraps: list[str] = []  # scraps of paper on the board, in the place of cards that are to come
        self.scraps_burned: list[str] = []  # and those that lie with the burns since the last board card
        self.burns_due_none = False  # a redealt street after a reshuffle is dealt with no burn
        self.flop_at: datetime | None = None  # when its first cards were turned
        self.premature: list[Premature] = []  # turned too early and still on the board
        self.ahead: set[int] = set()  # seats that acted on such a card, from the first that no longer owed an action
        self.acted_on_street = False
        self.put_right: list[PutRight] = []
        self.repair: Repair | None = None  # a street that is being dealt again

        # the betting
        self.posts: list[ForcedBetPosted] = []
        self.stack: dict[int, int] = {}  # what is left behind, where stacks are known
        self.commit: dict[int, int] = {}  # chips in on this street
        self.total: dict[int, int] = {}  # chips in during the hand
        self.dead_chips: dict[int, int] = {}  # of these, antes and dead blinds: they count for no bet
        self.bet = 0  # the street total to match
        self.full_bet = 0  # the last street total that was a full bet or raise
        self.raise_size = 0  # least amount a full raise adds
        self.raises = 0  # raises on this street; the bet itself is none, nor an all-in of less than half a raise
        self.last_blind = -1  # the seat that posted the highest blind or straddle; the next one opens
        self.straddled = False
        self.live: set[int] = set()  # seats with a hand
        self.folded: set[int] = set()
        self.all_in: set[int] = set()
        self.pending: set[int] = set()  # seats that still owe an action on this street
        self.turn = -1  # whose action it is; -1: nobody's, or not known
        self.turn_after_skip = -1  # whose action it is if an action out of turn is let stand
        #: Seats that were passed, or acted ahead of their turn: they may act when the action is theirs by rights.
        self.out_of_order: set[int] = set()
        self.raised: Raised | None = None  # the last bet or raise of this street
        self.acted: set[int] = set()  # seats that acted on this street
        self.actions = 0  # actions in turn since the forced bets
        self.betting_started = False  # the first round has been opened

        # hands that were given up or killed, besides those that were folded
        self.released: dict[int, Release] = {}  # seats that let go of their cards, and did not get them back
        self.dead: dict[int, Death] = {}
        self.fouled: set[int] = set()  # seats into whose hands other cards were thrown
        self.dropped: dict[int, tuple[str, ...]] = {}  # cards that a player dropped, where they were read
        self.given_back: dict[int, int] = {}  # seats whose hand was given back with good cause → the last event of it
        self.let_live: set[int] = set()  # seats whose hand was ruled live, or may have been
        self.played_board: set[int] = set()  # seats that said in time that they play the board

        # the pot
        self.carried_pot = 0
        self.splash = 0  # chips that the house put in
        self.moved: list[ChipsMoved] = []
        self.returned: dict[int, int] = {}
        self.void_returns = 0
        self.refunds: list[ChipsReturned] = []  # chips given back for another reason than that nobody called them
        self.awarded: dict[int, int] = {}
        self.awards: list[Award] = []
        self.shown: dict[int, list[str]] = {}  # cards that a seat showed
        self.rake = 0
        self.fees = 0  # what else was taken: for a jackpot, say

        # officiating
        self.attentions: list[Attention] = []
        self.late_claims: list[LateClaim] = []
        self.rulings: list[tuple[Prescription, int]] = []
        self.irregularities: list[Irregularity] = []

    @property
    def window_closed(self) -> bool:
        """Action has occurred: a misdeal can no longer be declared."""
        return self.actions >= self.window

    @property
    def round_complete(self) -> bool:
        """Nobody owes an action on this street."""
        return not self.pending

    @property
    def street_name(self) -> str:
        return self.game.streets[self.street].name

    @property
    def pot(self) -> int:
        """All chips put in, with what was carried over and what the house added."""
        return sum(self.total.values()) + self.carried_pot + self.splash

    @property
    def taken(self) -> int:
        """All that the house took out of the pot."""
        return self.rake + self.fees

    @property
    def decided(self) -> bool:
        """The pot is won: one hand is left, or nothing remains of it. Cards that come now are for curiosity."""
        if not self.awarded:
            return len(self.live) == 1 and bool(self.folded)
        given = sum(self.awarded.values()) + sum(self.returned.values()) + self.taken
        return len(self.live) < 2 or 0 < self.pot <= given

    def lies_on_board(self, card: str) -> bool:
        """Whether it lies on any of the boards."""
        return card in self.board or any(card in again for again in self.boards.values())

    def absent(self, seat: int) -> bool:
        """Whether a seat on the list takes no part: its player is away, has posted nothing and was dealt nothing."""
        return seat in self.away and seat not in self.total and seat not in self.holding

    def contribution(self, seat: int) -> int:
        """Chips that a seat put in during the hand, forced bets included."""
        return self.total.get(seat, 0)

    def ruled(self, ruling: Prescription) -> bool:
        return any(made == ruling for made, _ in self.rulings)

    @property
    def verdict(self) -> Prescription | None:
        """The ruling on the hand as a whole. The last one counts: a ruling can be overruled."""
        for made, _ in reversed(self.rulings):
            if made in _DECISIVE:
                return made
        return None

    @property
    def voided(self) -> bool:
        """Nobody won this hand: it was ruled so, the room took it back, or the chips went back and no pot was won."""
        if self.cancelled or self.verdict in _ENDS_HAND:
            return True
        return self.void_returns > 0 and not self.awarded

    def found(self, code: str) -> Irregularity | None:
        """The first irregularity of this code in the hand, if there is one."""
        for irregularity in self.irregularities:
            if irregularity.code == code:
                return irregularity
        return None
