"""Bovada text: every seat's cards, and positions for names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from tests.bench.writers.play import STREETS, Hand, Step, clockwise, hands_of, money
from tests.bench.writers.tables import Table

_WORDS = {"small_blind": "Small Blind", "big_blind": "Big blind", "fold": "Folds", "check": "Checks", "call": "Calls",
          "bet": "Bets", "return": "Return uncalled portion of bet"}  # fmt: skip


def text(tables: Sequence[Table]) -> str:
    hands = chain.from_iterable(hands_of(table.events) for table in tables)
    return "".join("\n".join([*_lines(hand, number), "\n\n"]) for number, hand in enumerate(hands, 4_000_000_001))


def _labels(hand: Hand) -> dict[int, str]:
    """The seats by their positions."""
    order = [each.seat for each in clockwise(hand)]
    if len(order) == 2:
        return dict(zip(order, ("Dealer", "Big Blind"), strict=True))
    late = ["UTG", *(f"UTG+{number}" for number in range(1, len(order)))]
    return dict(zip(order, ["Dealer", "Small Blind", "Big Blind", *late], strict=False))


def _lines(hand: Hand, number: int) -> Iterator[str]:
    label = _labels(hand)
    yield f"Bovada Hand #{number} TBL#77 HOLDEM No Limit - {hand.at:%Y-%m-%d %H:%M:%S}"
    for seat in hand.seats:
        yield f"Seat {seat.seat}: {label[seat.seat]} (${money(seat.stack)} in chips)"
    yield f"Dealer : Set dealer [{hand.button}]"
    dealt = False
    for step in hand.steps:
        if not dealt and not step.verb.endswith("_blind"):
            dealt = True
            yield "*** HOLE CARDS ***"
            for who, cards in hand.holes.items():
                yield f"{label[who]} : Card dealt to a spot [{' '.join(cards)}]"
        yield _board(hand, step) if step.verb == "board" else f"{label[step.seat]} : {_deed(step)}"
    yield "*** SUMMARY ***"
    yield f"Total Pot(${money(hand.pot)})"
    if hand.board:
        yield f"Board [{' '.join(hand.board)}]"
    for seat in hand.seats:
        yield f"Seat+{seat.seat}: {label[seat.seat]} [{' '.join(hand.holes[seat.seat])}]"


def _board(hand: Hand, step: Step) -> str:
    end = hand.board.index(step.cards[-1]) + 1
    before = f" [{' '.join(hand.board[: end - 1])}]" if end > 3 else ""
    return f"*** {STREETS[end].upper()} ***{before} [{' '.join(step.cards)}]"


def _deed(step: Step) -> str:
    cards = " ".join(step.cards)
    match step.verb:
        case "raise" if step.all_in:
            return f"All-in(raise) ${money(step.amount)} to ${money(step.to)}"
        case "call" | "bet" if step.all_in:
            return f"All-in ${money(step.amount)}"
        case "raise":
            return f"Raises ${money(step.amount)} to ${money(step.to)}"
        case "show":
            return f"Showdown [{cards}] (High Card)"
        case "muck":
            return f"Mucks [{cards}] (High Card)"
        case "win":
            return f"Hand result{'-Side pot' if step.pot else ''} ${money(step.amount)}"
        case verb:
            return _WORDS[verb] + (f" ${money(step.amount)}" if step.amount else "")
