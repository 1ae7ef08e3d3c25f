"""Every game as data: what is dealt on which street, who opens, how the showdown is judged.

The state machine and the rules ask this table; none of them names a game. A new game is a new row.
Source: the games table of the rule catalogue, section 10.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from auditor.cards import SHORT_DECK, STANDARD_DECK

Opening = Literal["after_blinds", "left_of_button", "bring_in", "high_hand", "low_hand"]
Showdown = Literal[
    "high", "high_two_from_hand", "hilo_two_from_hand", "ace_to_five", "hilo", "deuce_to_seven", "badugi"
]


@dataclass(frozen=True, slots=True)
class Street:
    """One dealing step and the betting round that follows it."""

    name: str
    down: int = 0
    up: int = 0
    board: int = 0
    burn: bool = False
    draw: bool = False
    opening: Opening = "left_of_button"


@dataclass(frozen=True, slots=True)
class Game:
    """A form of poker. `button` games are dealt from the button; stud games from the dealer's left."""

    name: str
    title: str
    streets: tuple[Street, ...]
    showdown: Showdown
    button: bool = True
    deck: frozenset[str] = STANDARD_DECK
    #: Cards in a starting hand, before the first betting round.
    starting_cards: int = field(init=False)
    #: Board cards that lie when a street is whole, by the street's index.
    board_through: tuple[int, ...] = field(init=False)
    has_board: bool = field(init=False)

    def __post_init__(self) -> None:
        # Asked at every event: worked out once.
        through = tuple(accumulate(street.board for street in self.streets))
        object.__setattr__(self, "starting_cards", self.streets[0].down + self.streets[0].up)
        object.__setattr__(self, "board_through", through)
        object.__setattr__(self, "has_board", through[-1] > 0)


def _board_game(name: str, title: str, down: int, showdown: Showdown, deck: frozenset[str] = STANDARD_DECK) -> Game:
    return Game(
        name,
        title,
        streets=(
            Street("preflop", down=down, opening="after_blinds"),
            Street("flop", board=3, burn=True),
            Street("turn", board=1, burn=True),
            Street("river", board=1, burn=True),
        ),
        showdown=showdown,
        deck=deck,
    )


def _stud_game(name: str, title: str, opening: Opening, showdown: Showdown) -> Game:
    return Game(
        name,
        title,
        streets=(
            Street("third", down=2, up=1, opening="bring_in"),
            Street("fourth", up=1, burn=True, opening=opening),
            Street("fifth", up=1, burn=True, opening=opening),
            Street("sixth", up=1, burn=True, opening=opening),
            Street("seventh", down=1, burn=True, opening=opening),
        ),
        showdown=showdown,
        button=False,
    )


_ONE_DRAW = ("draw",)
_THREE_DRAWS = ("first draw", "second draw", "third draw")


def _draw_game(
    name: str, title: str, showdown: Showdown, *, cards: int = 5, draws: tuple[str, ...] = _ONE_DRAW
) -> Game:
    return Game(
        name,
        title,
        streets=(
            Street("deal", down=cards, opening="after_blinds"),
            *(Street(draw, draw=True, burn=True) for draw in draws),
        ),
        showdown=showdown,
    )


GAMES: dict[str, Game] = {
    game.name: game
    for game in (
        _board_game("holdem", "hold'em", 2, "high"),
        _board_game("short_deck", "short-deck hold'em", 2, "high", SHORT_DECK),
        _board_game("omaha", "Omaha", 4, "high_two_from_hand"),
        _board_game("omaha_hilo", "Omaha hi-lo", 4, "hilo_two_from_hand"),
        _stud_game("stud", "seven-card stud", "high_hand", "high"),
        _stud_game("razz", "razz", "low_hand", "ace_to_five"),
        _stud_game("stud_hilo", "stud hi-lo", "high_hand", "hilo"),
        _draw_game("lowball_a5", "ace-to-five lowball", "ace_to_five"),
        _draw_game("lowball_27", "deuce-to-seven lowball", "deuce_to_seven"),
        _draw_game("draw_high", "five-card draw", "high"),
        _board_game("omaha5", "five-card Omaha", 5, "high_two_from_hand"),
        _board_game("omaha5_hilo", "five-card Omaha hi-lo", 5, "hilo_two_from_hand"),
        _board_game("omaha6", "six-card Omaha", 6, "high_two_from_hand"),
        _draw_game("triple_draw_27", "deuce-to-seven triple draw", "deuce_to_seven", draws=_THREE_DRAWS),
        _draw_game("badugi", "badugi", "badugi", cards=4, draws=_THREE_DRAWS),
    )
}

BUTTON_GAMES: frozenset[str] = frozenset(g.name for g in GAMES.values() if g.button)
BOARD_GAMES: frozenset[str] = frozenset(g.name for g in GAMES.values() if g.has_board)
ALL_GAMES: frozenset[str] = frozenset(GAMES)
