"""DCK113: one downcard that the antennas of two neighbouring seats read."""

from __future__ import annotations

from typing import Any

from auditor.cards import spoken
from auditor.events import CardDealt
from auditor.rules.rule import ODD_CARD, Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table import deck
from auditor.table.table import Table


def _dealt(table: Table, event: CardDealt) -> list[Hit] | None:
    hand = table.hand
    if event.card not in hand.where or not deck.is_cross_read(hand, event):
        return None
    first = hand.where[event.card]
    seats = (first.number, event.seat)
    return [
        Hit(
            f"The {spoken(event.card)} was read at seats {seats[0]} and {seats[1]}, which are neighbours: one antenna "
            "may have read the other seat's card, or the deck holds two.",
            seats=seats,
            cards=(event.card,),
            evidence=(first.seq, event.seq),
            confidence="possible",
        )
    ]


def _read(hands: dict[int, str], *, players: int = 5, stack: int = 20_000, **fields: Any) -> Scene:
    """A deal that the antennas in the table read, seat by seat; the other cards as they come."""
    scene = Scene(players, stack=stack).start().blinds()
    named = {seat: cards.split() for seat, cards in hands.items()}
    scene._reserve([card for cards in named.values() for card in cards])
    for number in range(2):
        for seat in scene.order:
            scene.card(seat, named[seat][number] if seat in named else None, read_at="seat", **fields)
    return scene


def _checked_down(scene: Scene) -> Scene:
    return scene.limp().flop().checks_around().turn().checks_around().river().checks_around()


_NEIGHBOURS = {2: "As Kd", 3: "Qc As"}

CROSS_READ = Rule(
    code="DCK113",
    name="cross-read",
    severity="major",
    source="+",
    what="The same downcard was read by the antennas of two neighbouring seats (the next occupied ones, either way), "
    "and no card ids say that they are two. Where one of the two hands is shown, the card is that seat's, and the "
    "other one's card was not read. Where both show it, or it turns up in a third place, it is DCK101.",
    why="Most likely an antenna reached too far, and one player's card is not known; but a deck that holds the card "
    "twice looks the same.",
    prescription="None by itself. Stop and look only where both seats show the card.",
    triage="See both hands on camera. The same two seats, again and again, are an antenna to be set right.",
    false_positives="None known: it says what was read. Two cards of one face are DCK101.",
    checks={ODD_CARD: _dealt},
    examples=lambda: (
        flags("two neighbours hold the ace of spades, by their antennas", _read(_NEIGHBOURS).walk().script()),
        flags(
            "nobody sits between seat 5 and seat 1",
            _read({5: "As Kd", 1: "Qc As"}).walk().script(),
        ),
        flags(
            "one of the two shows it: it is that seat's, and the pot goes by the cards that are known",
            _checked_down(_read(_NEIGHBOURS)).show(3, "Qc As").win(3).script(),
        ),
        flags(
            "the other one wins, whose card nobody knows",
            _checked_down(_read(_NEIGHBOURS)).show(3, "Qc As").win(2).script(),
        ),
        flags(
            "an antenna reads its own two cards and the neighbour's: nobody was dealt a card too many",
            _read({2: "As Kd"}).card(3, "As", read_at="seat").limp().flop().check(1, 2, 3).script(),
        ),
        flags(
            "the same, the neighbour's card first",
            Scene(2).start().blinds().card(1, "Kd", read_at="seat").card(1, "As", read_at="seat")
            .card(2, "As", read_at="seat").card(1, "7d", read_at="seat").card(2, "7c", read_at="seat").limp().flop()
            .check(1, 2).script(),
        ),
        flags(
            "one tag, read at both seats",
            Scene(2).start().blinds().card(1, "As", read_at="seat", card_id="t1")
            .card(2, "As", read_at="seat", card_id="t1").card(1).card(2).limp().flop().check(1, 2).script(),
        ),
        flags(
            "both show it: there are two",
            _checked_down(_read(_NEIGHBOURS)).show(2, "As Kd").show(3, "Qc As").rule("void_action").refund().end()
            .script(),
            also=("DCK101",),
        ),
        flags(
            "it lies on the board as well: there are two",
            _read(_NEIGHBOURS).limp().burn().board("As", "7c", "2d").rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
        passes(
            "seats that are no neighbours",
            _read({2: "As Kd", 4: "Qc As"}).rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
        passes(
            "two tags are two cards",
            Scene().start().blinds().card(1, "As", read_at="seat", card_id="t1")
            .card(2, "As", read_at="seat", card_id="t2").card(3).card(1).card(2).card(3).rule("void_action").refund()
            .end().script(),
            also=("DCK101",),
        ),
        passes(
            "a reader in the shoe sees a card once",
            Scene().start().blinds().card(1, "As", read_at="shoe").card(2, "As", read_at="shoe").card(3).card(1)
            .card(2).card(3).rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
        passes(
            "upcards are seen by everybody",
            Scene(game="stud", betting="limit").start().card(1).card(2).card(3).card(1).card(2).card(3)
            .card(1, "2c", face="up", read_at="seat").card(2, "2c", face="up", read_at="seat").card(3, face="up")
            .post(1, "bring_in", 30).rule("void_action").refund().end().script(),
            also=("DCK101",),
        ),
        flags(
            "the neighbour's card is read once more: one finding",
            _read(_NEIGHBOURS).card(3, "As", read_at="seat").walk().script(),
        ),
        passes("one antenna reads a card twice", _read({2: "As Kd"}).card(2, "As", read_at="seat").walk().script()),
    ),
)  # fmt: skip

RULES = (CROSS_READ,)
