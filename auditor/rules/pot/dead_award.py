"""POT105: chips for a hand that was given up."""

from __future__ import annotations

from auditor.events import BoardPlayed, CardsReleased, CardsRetrieved, PotAwarded
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import EVERYTHING, Scene
from auditor.table import dead
from auditor.table.hand import Hand
from auditor.table.table import Table


def _awarded(table: Table, event: PotAwarded) -> list[Hit] | None:
    hand, seat = table.hand, event.seat
    if not (seat in hand.folded or seat in hand.released) or not dead.is_contested(hand, seat):
        return None
    if dead.told(hand, "POT105", seat):
        return None
    if seat in hand.folded:
        played = dead.told(hand, "HND108", seat)
        return [
            Hit(
                f"Seat {seat} was awarded {event.amount}, though it had folded and another hand was in.",
                seats=(seat,),
                cause=played.incident if played else None,
            )
        ]
    return _undeclared(hand, event) if "officiating" in hand.observes else None


def _undeclared(hand: Hand, event: PotAwarded) -> list[Hit] | None:
    """The cards were thrown away, and nothing had been said of playing the board."""
    seat = event.seat
    if seat in hand.dead or seat in hand.shown or seat in hand.played_board or seat in hand.let_live:
        return None
    release = hand.released[seat]
    return [
        Hit(
            f"Seat {seat} was awarded {event.amount}, though it had thrown its cards away without a word of playing "
            "the board.",
            seats=(seat,),
            evidence=(release.seq, event.seq),
            confidence="likely",
        )
    ]


def _showdown() -> Scene:
    return (
        Scene(2).start().blinds().deal({1: "?? ??", 2: "?? ??"}).limp().flop().checks_around().turn().checks_around()
        .river().checks_around()
    )  # fmt: skip


AWARD_TO_DEAD_HAND = Rule(
    code="POT105",
    name="award-to-dead-hand",
    severity="critical",
    source="Seed B, rule 8; seed A, dead hands",
    what="A pot was awarded to a hand that was given up while another was in: folded, or thrown away without a word of "
    "playing the board. Hands that are dead for another reason are HND108.",
    why="Whoever gives the hand up has no claim to the pot: the chips belong to a hand that is in.",
    prescribes="hand_dead",
    prescription="The pot goes to the best live hand. A player who plays the board must say so before the cards are "
    "thrown away.",
    also_known_as=("BRD110",),
    observes=frozenset({"awards"}),
    triage="See on camera whether the player said that the board plays, or showed the cards.",
    false_positives="A hand that was shown, or a word that was said, and not reported, or reported late.",
    checks={PotAwarded: _awarded},
    examples=lambda: (
        flags(
            "a folded hand gets the pot",
            Scene().opened().fold(3).call(1).check(2).flop().check(1, 2).turn().check(1, 2).river().check(1, 2).win(3)
            .script(),
            also=("HND108",),
        ),
        flags(
            "the board plays, and who threw the cards away without saying so gets half",
            _showdown().show(1, "7c 7d").add(CardsReleased, seat=2).award(1, 100).award(2, 100).end().script(),
        ),
        flags(
            "the player throws the cards away, and then says that the board plays",
            _showdown().add(CardsReleased, seat=1).add(BoardPlayed, seat=1).show(2, "7c 7d").award(1, 100)
            .award(2, 100).end().script(),
        ),
        passes(
            "the player says that the board plays, and throws the cards away",
            _showdown().show(1, "7c 7d").add(BoardPlayed, seat=2).add(CardsReleased, seat=2).award(1, 100)
            .award(2, 100).end().script(),
        ),
        passes(
            "shown hands are taken in before the pot is paid",
            _showdown().show(1, "7c 7d").show(2, "9c 9d").add(CardsReleased, seat=1).add(CardsReleased, seat=2).win(2)
            .script(),
        ),
        passes(
            "the last hand that is left is not shown",
            Scene().opened().raise_to(3, 600).fold(1, 2).add(CardsReleased, seat=3).refund_to(3, 500).award(3, 250)
            .end().script(),
        ),
        passes(
            "one gives up at the showdown, and the other throws the winning hand away unseen",
            _showdown().add(CardsReleased, seat=1).add(CardsReleased, seat=2).win(2).script(),
        ),
        passes(
            "thrown away and given back on false information",
            _showdown().show(1, "7c 7d").add(CardsReleased, seat=2)
            .add(CardsRetrieved, seat=2, by="floor", reason="misinformation").show(2, "9c 9d").win(2).script(),
        ),
        passes(
            "a feed that does not hear what is said",
            Scene(2, observes=tuple(c for c in EVERYTHING if c != "officiating")).start().blinds()
            .deal({1: "?? ??", 2: "?? ??"}).limp().flop().checks_around().turn().checks_around().river()
            .checks_around().show(1, "7c 7d").add(CardsReleased, seat=2).award(1, 100).award(2, 100).end().script(),
        ),
    ),
)  # fmt: skip

RULES = (AWARD_TO_DEAD_HAND,)
