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
    if hand.found("RUL108") or hand.voided:
        return None
    hits = [
        _kept_hit(exposed, event.seq)
        for exposed in hand.irregularities
        if exposed.code == "DEAL112" and _is_kept(hand, exposed.seats[0], exposed.cards[0])
    ]
    return hits or None


def _kept_hit(exposed: Irregularity, seq: int) -> Hit:
    seat, card = exposed.seats[0], exposed.cards[0]
    return Hit(
        f"Seat {seat} kept the exposed {spoken(card)}, which was to be replaced and burned.",
        seats=(seat,),
        cards=(card,),
        evidence=(exposed.seq, seq),
        confidence="certain" if card != UNREAD else "likely",
        cause=exposed.incident,
    )


def _is_kept(hand: Hand, seat: int, card: str) -> bool:
    return _is_in(hand, seat) and _still_there(hand, seat, card)


def _is_in(hand: Hand, seat: int) -> bool:
    """Whether the hand is known to be in: a feed that does not see the betting does not see a fold."""
    return seat in hand.live and ("betting" in hand.observes or seat in hand.shown)


def _still_there(hand: Hand, seat: int, card: str) -> bool:
    if card == UNREAD and (seat in hand.returned_from or -1 in hand.returned_from or hand.replaced):
        return False
    return card in hand.holding.get(seat, ())


def _not_burned(table: Table, event: BoardDealt) -> list[Hit] | None:
    hand = table.hand
    if hand.board or event.rabbit or hand.found("RUL109") or hand.voided:
        return None
    due = [i for i in hand.irregularities if i.code in _BURN_CARD]
    if any(i.cards[0] in hand.burns for i in due):
        return None  # of several, one can be the burn
    hits = [_hit(i, event.seq) for i in due if _went_astray(hand, i)]
    return hits or None


def _went_astray(hand: Hand, due: Irregularity) -> bool:
    """The card left the hand, and is known not to be the burn."""
    card = due.cards[0]
    if card == UNREAD or not due.seats or card in hand.burns:
        return False
    if card in hand.holding.get(due.seats[0], ()):
        return False  # kept, or not taken back: another matter
    place = hand.where.get(card)
    if place is None:
        return UNREAD not in hand.burns or _is_buried(hand, card)
    if place.kind == "muck":
        return True
    # Put aside, or where the burn lies, it may be burned yet: unless another card was, and was read.
    return place.kind in ("set_aside", "burn") and bool(hand.burns) and UNREAD not in hand.burns


def _is_buried(hand: Hand, card: str) -> bool:
    """Another card has been dealt since this one went back into the deck: it does not lie on top, and is not burned.

    A hand that is shown gets its cards late, from whenever they were dealt.
    """
    back = next((back.seq for back in hand.withdrawn if back.card == card), None)
    if back is None or hand.shown:
        return False
    return any(lies.kind == "seat" and lies.seq > back for lies in hand.where.values())


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
            "a feed that does not see who folds",
            Scene(observes=tuple(c for c in EVERYTHING if c != "betting")).start().card(1).card(2).card(3)
            .card(1, "As", exposed_by="dealer").card(2).card(3).award(3, 250).end().script(),
            also=("DEAL112",),
        ),
        flags(
            "a feed that does not see who folds, and the hand is shown",
            Scene(observes=tuple(c for c in EVERYTHING if c != "betting")).start().card(1, "Ks").card(2).card(3)
            .card(1, "As", exposed_by="dealer").card(2).card(3).show(1, "Ks As").award(1, 250).end().script(),
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
    what="A card that was exposed, or one too many, was taken back, and did not become the burn: it went into the "
    "muck or into the deck, or another card was burned. Where it went back on the deck, no card was dealt since, and "
    "nobody read the burn, it may be that card.",
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
        flags(
            "the extra card goes back to be the burn, and another is burned",
            Scene().opened().card(1, "As").back("As", origin="seat", seat=1, to="burn").limp().burn("Kd")
            .board("2c", "3c", "4c").check(1, 2, 3).script(),
            also=("DEAL111",),
        ),
        passes(
            "the extra card goes back to be the burn, and no other burn is reported",
            Scene().opened().card(1, "As").back("As", origin="seat", seat=1, to="burn").limp()
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
            "back on the deck, and nobody read the burn: it may be that card",
            Scene().opened().card(1, "As").back("As", origin="seat", seat=1, to="stub").limp().flop().check(1, 2, 3)
            .script(),
            also=("DEAL111",),
        ),
        passes(
            "replaced, put back on the deck, and nobody read the burn",
            _exposed().card(1, replaces="As").back("As", origin="seat", seat=1, to="stub").limp().flop()
            .check(1, 2, 3).script(),
            also=("DEAL112",),
        ),
        flags(
            "back in the deck before it is replaced: it does not lie on top",
            _exposed().back("As", origin="seat", seat=1, to="stub").card(1, replaces="As").limp().flop()
            .check(1, 2, 3).script(),
            also=("DEAL112",),
        ),
        flags(
            "back in the deck, and another card is burned",
            Scene().opened().card(1, "As").back("As", origin="seat", seat=1, to="stub").limp().burn("Kd")
            .board("2c", "3c", "4c").check(1, 2, 3).script(),
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
