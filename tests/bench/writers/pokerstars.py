"""PokerStars text, cash: the file of the player who was dealt the first card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from tests.bench.writers.play import STREETS, Hand, Step, hands_of, money
from tests.bench.writers.tables import Table

_BLANK = "\n\n\n"  # lines between two hands
_POSTS = {"small_blind": "posts small blind", "big_blind": "posts big blind"}


def text(tables: Sequence[Table], first: int = 1) -> str:
    """The hands of all tables, numbered from `first`."""
    hands = chain.from_iterable(hands_of(table.events) for table in tables)
    return "".join("\n".join([*_lines(hand, number), _BLANK]) for number, hand in enumerate(hands, first))


def _lines(hand: Hand, number: int) -> Iterator[str]:
    """One hand; `number` is the room's."""
    stakes = f"${money(hand.small)}/${money(hand.big)} USD"
    when = f"{hand.at:%Y/%m/%d %H:%M:%S}"
    yield f"PokerStars Hand #{number}:  Hold'em No Limit ({stakes}) - {when} ET"
    yield f"Table 'Vega' {hand.max_seats}-max Seat #{hand.button} is the button"
    for seat in hand.seats:
        yield f"Seat {seat.seat}: {seat.name} (${money(seat.stack)} in chips) "
    posts = [step for step in hand.steps if step.verb in _POSTS]
    for step in posts:
        yield f"{hand.name[step.seat]}: {_POSTS[step.verb]} ${money(step.amount)}"
    hero, cards = next(iter(hand.holes.items()))
    yield "*** HOLE CARDS ***"
    yield f"Dealt to {hand.name[hero]} [{' '.join(cards)}]"
    yield from _play(hand, hand.steps[len(posts) :])
    yield from _summary(hand)


def _play(hand: Hand, steps: Sequence[Step]) -> Iterator[str]:
    lying: list[str] = []
    side_pots = max((step.pot for step in steps), default=0)
    shown = False
    for step in steps:
        if step.verb in ("show", "muck") and not shown:
            shown = True
            yield "*** SHOW DOWN ***"
        if step.verb == "board":
            lying += step.cards
            yield f"*** {STREETS[len(lying)].upper()} *** {_board(lying, len(step.cards))}"
        elif step.verb == "return":
            yield f"Uncalled bet (${money(step.amount)}) returned to {hand.name[step.seat]}"
        elif step.verb == "win":
            yield f"{hand.name[step.seat]} collected ${money(step.amount)} from {_pot(step.pot, side_pots)}"
        else:
            yield f"{hand.name[step.seat]}: {_deed(step)}"
    if not shown:
        yield f"{hand.name[steps[-1].seat]}: doesn't show hand "


def _deed(step: Step) -> str:
    end = " and is all-in" if step.all_in else ""
    match step.verb:
        case "call" | "bet":
            return f"{step.verb}s ${money(step.amount)}{end}"
        case "raise":
            return f"raises ${money(step.over)} to ${money(step.to)}{end}"
        case "show":
            return f"shows [{' '.join(step.cards)}] (high card)"
        case "muck":
            return "mucks hand "
        case _:
            return f"{step.verb}s "


def _board(lying: Sequence[str], new: int) -> str:
    parts = [lying[:-new], lying[-new:]] if len(lying) > new else [lying]
    return " ".join(f"[{' '.join(part)}]" for part in parts)


def _pot(number: int, side_pots: int) -> str:
    if not side_pots:
        return "pot"
    side = "side pot" if side_pots == 1 else f"side pot-{number}"
    return side if number else "main pot"


def _summary(hand: Hand) -> Iterator[str]:
    yield "*** SUMMARY ***"
    yield f"Total pot ${money(hand.pot)} | Rake $0 "
    if hand.board:
        yield f"Board [{' '.join(hand.board)}]"
    shown = {step.seat: step.cards for step in hand.steps if step.verb in ("show", "muck")}
    for seat in hand.seats:
        won = sum(step.amount for step in hand.steps if step.verb == "win" and step.seat == seat.seat)
        cards = " ".join(shown.get(seat.seat, ()))
        if won:
            end = f"showed [{cards}] and won (${money(won)}) with high card" if cards else f"collected (${money(won)})"
        else:
            end = f"mucked [{cards}]" if cards else "folded"
        yield f"Seat {seat.seat}: {seat.name} {'(button) ' * (seat.seat == hand.button)}{end}"
