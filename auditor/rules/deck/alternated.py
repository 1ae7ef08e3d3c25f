"""DCK111: a table that uses its two decks turn about used one twice running."""

from __future__ import annotations

from typing import Any

from auditor.events import HandStarted
from auditor.rules.rule import Hit, Rule, flags, passes
from auditor.rules.scene import Scene
from auditor.table.table import Table

#: A table that changed its deck so many times running changes it after every hand.
_HABIT = 3


def _started(table: Table, event: HandStarted) -> list[Hit] | None:
    memory = table.memory
    used = memory.preparation
    if event.deck_id is None or event.deck_id != used.last_deck or event.redeal_of is not None:
        return None
    if memory.decks != 2 or used.after_misdeal or not used.known:
        return None
    declared = memory.house.alternate_decks
    if declared is False or (declared is None and used.alternated < _HABIT):
        return None
    return [Hit(f"Deck {event.deck_id} is used for a second hand running; it was the other deck's turn.")]


def _decks(*decks: str | None, house: dict[str, Any] | None = None) -> Scene:
    scene = Scene(house=house or {})
    for number, deck in enumerate(decks):
        back = "blue" if deck == "blue-1" else "red"
        scene.start(button=(3, 1, 2)[number % 3], deck_id=deck, deck_back=back).blinds()
        for seat in scene.order * 2:
            scene.card(seat, back=back)
        scene.walk()
    return scene


_RED, _BLUE = "red-1", "blue-1"
_ALTERNATE = {"alternate_decks": True}

DECK_NOT_ALTERNATED = Rule(
    code="DCK111",
    name="deck-not-alternated",
    severity="info",
    source="+",
    what="A table with two decks used the same one for two hands running, though it uses them turn about: the house "
    "declares it (`alternate_decks`), or the table changed its deck after each of the last three hands. After a "
    "misdeal the deck stays.",
    why="The deck was not shuffled while the other one was in play: was it shuffled at all?",
    prescription="None: the result stands.",
    triage="See whether the deck was shuffled between the two hands, and what was wrong with the other one.",
    false_positives="A deck that was taken out of use.",
    checks={HandStarted: _started},
    examples=lambda: (
        flags("the same deck twice, where the house says turn about", _decks(_RED, _RED, house=_ALTERNATE).script()),
        flags("red, blue, red, blue, and blue again", _decks(_RED, _BLUE, _RED, _BLUE, _BLUE).script()),
        passes("turn about", _decks(_RED, _BLUE, _RED, _BLUE, _RED).script()),
        passes("a second deck that lies in reserve", _decks(_RED, _RED, _RED, _BLUE, _BLUE).script()),
        passes("the house says that it does not", _decks(
            _RED, _BLUE, _RED, _BLUE, _BLUE, house={"alternate_decks": False}).script()),
        passes("nobody says which deck", _decks(_RED, None, _RED, house=_ALTERNATE).script()),
        passes(
            "the hand after a misdeal is dealt from the same deck",
            Scene(house=_ALTERNATE).start().blinds().card(1, "As", exposed_by="dealer").misdeal().prepare()
            .opened(redeal_of="H1").walk().script(),
            also=("DEAL101",),
        ),
        passes(
            "a misdeal is redealt from the other deck, and the hand after it from the first",
            Scene(house=_ALTERNATE).start().blinds().card(1, "As", exposed_by="dealer").misdeal().prepare()
            .start(redeal_of="H1", deck_id="blue-1").blinds().card(1, back="blue").card(2, back="blue")
            .card(3, back="blue").card(1, back="blue").card(2, back="blue").card(3, back="blue").walk()
            .opened(button=1).walk().script(),
            also=("DEAL101",),
        ),
        passes(
            "the hand between them is lost in a gap",
            _decks(_RED, _BLUE, _RED, house=_ALTERNATE).lose(*range(14, 26)).script(),
            also=("FEED101",),
        ),
    ),
)  # fmt: skip

RULES = (DECK_NOT_ALTERNATED,)
