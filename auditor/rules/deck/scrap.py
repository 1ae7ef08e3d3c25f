"""DCK104 and DCK105: boxed cards and jokers, which count as scraps of paper."""

from __future__ import annotations

from auditor.cards import JOKER, spoken
from auditor.events import BoardDealt, CardBurned, CardDealt, SeenCard, StubInspected, face
from auditor.rules.rule import ODD_CARD, Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.shape import DealSettled
from auditor.table.table import Table

_REPLACED = (
    "The card is a meaningless scrap of paper, and is replaced by the next card below it; where that one already went "
    "face down to another player and was mixed in, after all other cards of the round."
)


def _is_joker(table: Table, card: str) -> bool:
    """A joker that is no card of the game: boxed or not, it is told as one."""
    return card == JOKER and not table.hand.jokers


def _boxed_hit(card: str, where: str, seats: tuple[int, ...] = ()) -> Hit:
    return Hit(
        f"The {spoken(card)}, {where}, lay faced the wrong way in the deck: it is a scrap of paper.",
        seats=seats,
        cards=(card,),
    )


def _boxed_in_deal(table: Table, moment: DealSettled) -> list[Hit] | None:
    boxed = table.hand.boxed
    if not boxed or len(boxed) >= table.memory.house.misdeal_boxed_cards:
        return None  # so many are a misdeal: DEAL103
    return [
        _boxed_hit(scrap.card, f"dealt to seat {scrap.seat}", (scrap.seat,))._replace(seq=scrap.seq, at=scrap.at)
        for scrap in boxed
        if scrap.seat is not None and not _is_joker(table, scrap.card)
    ]


def _boxed_later(table: Table, event: CardDealt) -> list[Hit] | None:
    if not event.boxed or not table.hand.deal_settled or _is_joker(table, event.card):
        return None
    return [_boxed_hit(event.card, f"dealt to seat {event.seat}", (event.seat,))]


def _boxed_burn(table: Table, event: CardBurned) -> list[Hit] | None:
    return [_boxed_hit(event.card, "burned")] if event.boxed and not _is_joker(table, event.card) else None


def _boxed_on_board(table: Table, event: BoardDealt) -> list[Hit] | None:
    if event.rabbit:
        return None
    hits = [
        _boxed_hit(item.card, "on the board")
        for item in event.cards
        if isinstance(item, SeenCard) and item.boxed and not _is_joker(table, item.card)
    ]
    return hits or None


def _boxed_in_stub(table: Table, event: StubInspected) -> list[Hit] | None:
    told = [i.cards[0] for i in table.hand.irregularities if i.code == "DCK104"]
    boxed = [item.card for item in event.cards if isinstance(item, SeenCard) and item.boxed and item.card != JOKER]
    return [_boxed_hit(card, "in the stub") for card in boxed if card not in told] or None


def _joker_dealt(table: Table, event: CardDealt) -> list[Hit] | None:
    if event.card != JOKER or table.hand.jokers:
        return None
    return [_joker(f"was dealt to seat {event.seat}", (event.seat,))]


def _joker_burned(table: Table, event: CardBurned) -> list[Hit] | None:
    return [_joker("was burned")] if event.card == JOKER and not table.hand.jokers else None


def _joker_on_board(table: Table, event: BoardDealt) -> list[Hit] | None:
    if table.hand.jokers or event.rabbit or all(face(item) != JOKER for item in event.cards):
        return None
    return [_joker("came on the board")]


def _joker(how: str, seats: tuple[int, ...] = ()) -> Hit:
    return Hit(f"A joker {how} in a game that uses none: it is a scrap of paper.", seats=seats, cards=(JOKER,))


BOXED_CARD = Rule(
    code="DCK104",
    name="boxed-card",
    severity="minor",
    source="Seed A, irregularities: a card found face up in the deck",
    what="A card was found faced the wrong way in the deck. As many as the house calls a misdeal are DEAL103.",
    why="Everybody has seen it, so that it cannot be dealt; nobody is the worse for it if it is replaced.",
    prescribes="scrap_card",
    prescription=_REPLACED,
    triage="See that the card was replaced by the right one, and how the deck was shuffled.",
    false_positives="A card that the dealer turned in dealing is exposed, not boxed.",
    checks={
        DealSettled: _boxed_in_deal,
        ODD_CARD: _boxed_later,
        CardBurned: _boxed_burn,
        BoardDealt: _boxed_on_board,
        StubInspected: _boxed_in_stub,
    },
    examples=lambda: (
        flags(
            "a boxed card in the deal, replaced by the next",
            Scene().start().blinds().card(1).card(2, "As", boxed=True).card(2, replaces="As").card(3)
            .card(1).card(2).card(3).walk().script(),
        ),
        flags(
            "a boxed card on the turn, set aside for the next",
            Scene().opened().limp().flop().checks_around().burn().board(SeenCard(card="As", boxed=True))
            .back("As", to="set_aside").board("4d").check(1, 2, 3).script(),
        ),
        flags(
            "a boxed card is burned",
            Scene().opened().limp().burn("As", boxed=True).board("2c", "3c", "4c").check(1, 2, 3).script(),
        ),
        flags(
            "a boxed card is found when the stub is inspected, and found again: one finding",
            Scene().opened().walk(end=False).stub(SeenCard(card="2c", boxed=True))
            .stub(SeenCard(card="2c", boxed=True)).end().script(),
        ),
        passes(
            "two in one deal are a misdeal",
            Scene().start().blinds().card(1).card(2, "As", boxed=True).card(2, replaces="As").card(3)
            .card(1, "Kd", boxed=True).card(1, replaces="Kd").card(2).card(3).misdeal().script(),
            also=("DEAL103",),
        ),
        passes(
            "a boxed joker is a joker",
            Scene().start().blinds().card(1).card(2, "Jk", boxed=True).card(2, replaces="Jk").card(3).card(1).card(2)
            .card(3).walk().script(),
            also=("DCK105",),
        ),
        passes("every card lies face down", Scene().opened().walk().script()),
    ),
)  # fmt: skip

JOKER_FOUND = Rule(
    code="DCK105",
    name="joker-found",
    severity="minor",
    source="Seed A, irregularities: a joker in a game that uses none",
    what="A joker was dealt, burned or turned in a game that uses none. A joker in the stub may be the cut card.",
    why="It is no card of the game; finding it is no misdeal, and it is replaced.",
    prescribes="scrap_card",
    prescription=_REPLACED + " It is not a misdeal.",
    triage="Count the deck: somebody left the joker in when it was opened.",
    false_positives="A game with a joker whose table does not say so (`jokers`).",
    checks={ODD_CARD: _joker_dealt, CardBurned: _joker_burned, BoardDealt: _joker_on_board},
    examples=lambda: (
        flags(
            "a joker is dealt and replaced",
            Scene().start().blinds().card(1).card(2, "Jk").card(2, replaces="Jk").card(3).card(1).card(2).card(3)
            .limp().script(),
        ),
        flags(
            "a joker on the flop is set aside, and the next card comes in its place",
            Scene().opened().limp().burn().board("2c", "3c", "Jk").back("Jk", to="set_aside").board("4c")
            .check(1, 2, 3).script(),
        ),
        passes(
            "lowball with a joker in the deck",
            Scene(game="lowball_a5", betting="limit", jokers=1).start().blinds().deal({1: "Jk 2c 3c 4c 7d"})
            .limp().script(),
        ),
        passes(
            "a joker in the stub is the cut card",
            Scene().opened().walk(end=False).stub("Jk").end().script(),
            also=("DCK107",),
        ),
    ),
)  # fmt: skip

RULES = (BOXED_CARD, JOKER_FOUND)
