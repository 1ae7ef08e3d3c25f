"""RUL108 and RUL109: what became of the card that was exposed, or one too many."""

from __future__ import annotations

from auditor.cards import UNREAD, spoken
from auditor.events import BoardDealt, PotAwarded
from auditor.games import BOARD_GAMES
from auditor.rules.rule import Hit, OnceStirred, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table.hand import Hand, Irregularity
from auditor.table.table import Table

_BURN_CARD = ("DEAL111", "DEAL112")


def _kept(table: Table, event: BoardDealt | PotAwarded) -> list[Hit] | None:
    hand = table.hand
    exposed = hand.found("DEAL112")
    if exposed is None or not exposed.seats or hand.found("RUL108") or hand.voided:
        return None
    seat, card = exposed.seats[0], exposed.cards[0]
    if seat not in hand.live or not _still_there(hand, seat, card):
        return None
    return [
        Hit(
            f"Seat {seat} kept the exposed {spoken(card)}, which was to be replaced and burned.",
            seats=(seat,),
            cards=(card,),
            evidence=(exposed.seq, event.seq),
            confidence="certain" if card != UNREAD else "likely",
            cause=exposed.incident,
        )
    ]


def _still_there(hand: Hand, seat: int, card: str) -> bool:
    if card == UNREAD and (seat in hand.returned_from or -1 in hand.returned_from or hand.replaced):
        return False
    return card in hand.holding.get(seat, ())


def _not_burned(table: Table, event: BoardDealt) -> list[Hit] | None:
    hand = table.hand
    if hand.board or event.rabbit or hand.found("RUL109") or hand.voided:
        return None
    hits = [_hit(due, event.seq) for due in hand.irregularities if due.code in _BURN_CARD and _went_astray(hand, due)]
    return hits or None


def _went_astray(hand: Hand, due: Irregularity) -> bool:
    """The card left the hand, and is known not to be the burn."""
    card = due.cards[0]
    if card == UNREAD or not due.seats or card in hand.as_burn or card in hand.burns:
        return False
    if card in hand.holding.get(due.seats[0], ()):
        return False  # kept, or not taken back: another matter
    place = hand.where.get(card)
    if place is None or place.kind == "muck":
        return True  # back in the stub, or mucked
    return place.kind == "set_aside" and bool(hand.burns) and UNREAD not in hand.burns


def _hit(due: Irregularity, seq: int) -> Hit:
    return Hit(
        f"The {spoken(due.cards[0])} of seat {due.seats[0]} was to be the burn card, and the flop came without it.",
        seats=due.seats[:1],
        cards=due.cards[:1],
        evidence=(due.seq, seq),
        cause=due.incident,
    )


def _exposed() -> Scene:
    """The dealer exposes the fourth card of the deal."""
    return Scene().start().blinds().card(1).card(2).card(3).card(1, "As", exposed_by="dealer").card(2).card(3)


EXPOSED_CARD_KEPT = Rule(
    code="RUL108",
    name="exposed-card-kept",
    severity="major",
    source="Seed A, irregularities: exposed cards; seed B, rule 1",
    what="The player kept a card that the dealer had exposed: it was still in the hand when the flop came, or the pot "
    "was paid.",
    why="The player has no option to keep the card or to refuse it: whoever may choose has the better of it.",
    prescribes="use_as_burn",
    prescription="After the deal the card is replaced with the top card of the deck, and is the burn.",
    observes=frozenset({"hole_cards"}),
    games=BOARD_GAMES,
    triage="Ask why the card was not replaced. Did the player want to keep it?",
    false_positives="A replacement that the feed did not report.",
    checks={OnceStirred(BoardDealt): _kept, OnceStirred(PotAwarded): _kept},
    examples=lambda: (
        flags(
            "the card is kept, and the flop comes",
            _exposed().limp().flop().check(1, 2, 3).script(),
            also=("DEAL112",),
        ),
        flags(
            "the card is kept, and wins before the flop",
            _exposed().fold(3).raise_to(1, 300).fold(2).refund_to(1, 200).award(1, 200).end().script(),
            also=("DEAL112",),
        ),
        passes(
            "the card is replaced and burned",
            _exposed().back("As", origin="seat", seat=1, to="burn").card(1, replaces="As").limp().burn("As")
            .board("2c", "3c", "4c").check(1, 2, 3).script(),
            also=("DEAL112",),
        ),
        passes(
            "the hand is folded before the flop",
            _exposed().call(3).fold(1).check(2).flop().check(2, 3).script(),
            also=("DEAL112",),
        ),
        passes(
            "a card that its player flashed",
            Scene().start().blinds().card(1).card(2).card(3).card(1, "As", exposed_by="player").card(2).card(3).limp()
            .flop().check(1, 2, 3).script(),
        ),
    ),
)  # fmt: skip

NOT_USED_AS_BURN = Rule(
    code="RUL109",
    name="not-used-as-burn",
    severity="minor",
    source="Seed A, irregularities: one additional card, exposed cards; seed B, rule 1",
    what="A card that was exposed, or one too many, was taken back, and did not become the burn: it went into the stub "
    "or the muck, or another card was burned.",
    why="With another burn every card of the board is one that should not have come.",
    prescribes="use_as_burn",
    prescription="The card is the burn before the flop.",
    observes=frozenset({"burns"}),
    games=BOARD_GAMES,
    triage="See where the dealer put the card.",
    false_positives="A burn that was read as another card.",
    checks={OnceStirred(BoardDealt): _not_burned},
    examples=lambda: (
        flags(
            "the exposed card goes into the muck, and another is burned",
            _exposed().back("As", origin="seat", seat=1, to="muck").card(1, replaces="As").limp().flop()
            .check(1, 2, 3).script(),
            also=("DEAL112",),
        ),
        flags(
            "the extra card is put aside, and another is burned",
            Scene().opened().card(1, "As").back("As", origin="seat", seat=1, to="set_aside").limp().burn("Kd")
            .board("2c", "3c", "4c").check(1, 2, 3).script(),
            also=("DEAL111",),
        ),
        passes(
            "the extra card is the burn",
            Scene().opened().card(1, "As").back("As", origin="seat", seat=1, to="burn").limp().burn("As")
            .board("2c", "3c", "4c").check(1, 2, 3).script(),
            also=("DEAL111",),
        ),
        passes(
            "put aside, and nobody read the burn: it may be that card",
            Scene().opened().card(1, "As").back("As", origin="seat", seat=1, to="set_aside").limp().flop()
            .check(1, 2, 3).script(),
            also=("DEAL111",),
        ),
        passes(
            "everybody folds: no burn is due",
            _exposed().back("As", origin="seat", seat=1, to="muck").card(1, replaces="As").walk().script(),
            also=("DEAL112",),
        ),
        passes(
            "a feed that does not see burns",
            Scene(observes=tuple(c for c in EVERYTHING if c != "burns")).opened().card(1, "As")
            .back("As", origin="seat", seat=1, to="muck").limp().board("2c", "3c", "4c").check(1, 2, 3).script(),
            also=("DEAL111",),
        ),
    ),
)  # fmt: skip

RULES = (EXPOSED_CARD_KEPT, NOT_USED_AS_BURN)
