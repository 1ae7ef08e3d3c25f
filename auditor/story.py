"""One hand as a readable story: seats, cards, actions, and where it went wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any

from auditor.events import (
    BoardDealt,
    BoardPlayed,
    CardBurned,
    CardDealt,
    CardExposed,
    CardReturned,
    CardsDiscarded,
    CardsReleased,
    CardsRetrieved,
    CardsShown,
    ChipsReturned,
    ClockCalled,
    ClockExpired,
    DeckCut,
    DeckShuffled,
    Event,
    ForcedBetPosted,
    HandEnded,
    HandStarted,
    IrregularityAnnounced,
    PlayerActed,
    PotAwarded,
    RakeTaken,
    RulingMade,
    StubInspected,
    TableOpened,
    face,
)
from auditor.findings import Finding
from auditor.games import GAMES
from auditor.rules.registry import RULES


def tell(events: Sequence[Event], findings: Sequence[Finding]) -> list[str]:
    """The story of a hand, one line an event, each finding behind the event that proved it.

    `events`: the hand's own, in order, the `table_opened` before them first where it is known.
    """
    teller = _Teller(events)
    proved: dict[int, list[Finding]] = {}
    for finding in findings:
        proved.setdefault(finding.seq or 0, []).append(finding)
    lines: list[str] = []
    for event in events:
        lines += teller.line(event)
        for finding in proved.get(event.seq, ()):
            lines.append(f"  >>>>  {finding.rule} {finding.name}: {finding.message}")
    return lines


def account(finding: Finding) -> list[str]:
    """The finding itself: what it is, what the rules prescribe, what the table did."""
    rule = RULES.get(finding.rule)
    lines = [
        f"{finding.severity.upper()}  {finding.rule} {finding.name}  ({finding.confidence}"
        + (", the hand has a gap)" if finding.degraded else ")"),
        finding.message,
        "",
    ]
    facts = [
        ("table", finding.table_id),
        ("hand", finding.hand_id),
        ("event", finding.seq),
        ("at", finding.at.isoformat() if finding.at else None),
        ("street", finding.street),
        ("dealer", finding.dealer_id),
        ("seats", ", ".join(map(str, finding.seats)) or None),
        ("cards", " ".join(finding.cards) or None),
        ("evidence", "events " + ", ".join(map(str, finding.evidence)) if finding.evidence else None),
        ("rule", finding.source_rule if finding.source_rule != "+" else "beyond the rule book"),
        ("prescribed", finding.prescribed.replace("_", " ")),
        ("the table", _HANDLED[finding.handled]),
        ("incident", None if finding.incident == finding.finding_id else f"a consequence of {finding.incident}"),
    ]
    lines += [f"{name:>10}  {value}" for name, value in facts if value is not None]
    if rule is not None:
        lines += ["", f"The rules: {rule.prescription}", f"Look into it: {rule.triage}"]
        lines += [f"It may be: {rule.false_positives}"] if rule.false_positives != "None known." else []
    return lines


_HANDLED = {
    "as_prescribed": "did as the rules prescribe",
    "contrary": "did otherwise",
    "unaddressed": "did nothing about it",
    "not_applicable": "had nothing to decide",
    "open": "has not dealt with it yet",
}


class _Teller:
    """Tells events in words; knows the players' names and the scale of the chips."""

    def __init__(self, events: Iterable[Event]) -> None:
        opened = next((e for e in events if isinstance(e, TableOpened)), None)
        self._scale = (opened.scale or 0) if opened else 0
        self._currency = (opened.currency or "") if opened else ""
        self._opened = opened
        self._players: dict[int, str] = {}
        self._street: dict[int, int] = {}
        self._acted = False  # since the street began

    def line(self, event: Event) -> list[str]:
        """The lines of one event; none for those that the story does not need."""
        if isinstance(event, HandStarted):
            return self._start(event)
        told = _TELL.get(type(event))
        if told is None:
            return []
        words = told(self, event)
        heading = [""] if isinstance(event, BoardDealt) and not event.rabbit else []
        return [*heading, f"{event.seq:>6}  {words}"]

    def _start(self, event: HandStarted) -> list[str]:
        game = GAMES[event.game or (self._opened.game if self._opened else "holdem")]
        betting = event.betting or (self._opened.betting if self._opened else "no_limit")
        stakes = event.stakes or (self._opened.stakes if self._opened else None)
        blinds = f" {self.chips(stakes.small_blind)}/{self.chips(stakes.big_blind)}" if stakes else ""
        button = f", button on seat {event.button_seat}" if event.button_seat is not None else ""
        lines = [
            f"Hand {event.hand_id} at table {event.table_id}: {betting.replace('_', '-')} {game.title}{blinds}{button}"
        ]
        lines.append(f"        {event.at.isoformat()}" + (f", redeal of {event.redeal_of}" if event.redeal_of else ""))
        begins = [
            "a bomb pot: antes, and the betting begins on the flop" if event.bomb_pot else "",
            f"{self.chips(event.splash)} splashed by the house" if event.splash else "",
            f"{self.chips(event.carried_pot)} carried over from the last pot" if event.carried_pot else "",
        ]
        lines += [f"        {each}" for each in begins if each]
        for seat in event.seats:
            self._players[seat.seat] = seat.player_id or ""
            stack = self.chips(seat.stack) if seat.stack is not None else "unknown stack"
            entitled = "" if seat.entitled else ", not entitled to a hand"
            lines.append(f"        seat {seat.seat:<2} {seat.player_id or '':12} {stack:>12}{entitled}")
        return [*lines, ""]

    def chips(self, amount: int) -> str:
        """An amount as the table counts it."""
        if not self._scale:
            return f"{amount:,}{' ' + self._currency if self._currency else ''}"
        return f"{Decimal(amount).scaleb(-self._scale):,} {self._currency}".rstrip()

    def seat(self, seat: int | None) -> str:
        if seat is None:
            return "somebody"
        name = self._players.get(seat)
        return f"seat {seat} ({name})" if name else f"seat {seat}"

    def dealt(self, event: CardDealt) -> str:
        if event.replaces is None:
            self._next_street()
        marks = [
            "face up" if event.face == "up" else "",
            "boxed" if event.boxed else "",
            f"exposed by the {event.exposed_by}" if event.exposed_by else "",
            "off the table" if event.off_table else "",
            f"in place of {event.replaces}" if event.replaces else "",
            f"read at the {event.read_at}" if event.read_at else "",
            f"{event.back} back" if event.back else "",
        ]
        marked = ", ".join(mark for mark in marks if mark)
        return f"{self.seat(event.seat)} is dealt {event.card}" + (f" ({marked})" if marked else "")

    def posted(self, event: ForcedBetPosted) -> str:
        if event.kind not in ("ante", "dead_blind"):
            self._put_in(event.seat, event.amount)
        return f"{self.seat(event.seat)} posts {event.kind.replace('_', ' ')} {self.chips(event.amount)}"

    def acted(self, event: PlayerActed) -> str:
        self._acted = True
        self._put_in(event.seat, event.amount)
        all_in = ", all-in" if event.all_in else ""
        if event.action in ("fold", "check"):
            return f"{self.seat(event.seat)} {event.action}s{all_in}"
        if event.action in ("raise", "complete"):
            level = self._street.get(event.seat, 0)
            return f"{self.seat(event.seat)} {event.action}s to {self.chips(level)}{all_in}"
        return f"{self.seat(event.seat)} {event.action}s {self.chips(event.amount)}{all_in}"

    def _next_street(self) -> None:
        """The bets are gathered, where there were any."""
        if self._acted:
            self._street, self._acted = {}, False

    def _put_in(self, seat: int, amount: int) -> None:
        self._street[seat] = self._street.get(seat, 0) + amount

    def board(self, event: BoardDealt) -> str:
        if event.rabbit:
            return f"shown for curiosity: {_cards(event.cards)}"
        self._next_street()
        return f"board{f' {event.board}' if event.board > 1 else ''}: {_cards(event.cards)}"

    def returned(self, event: ChipsReturned) -> str:
        return f"{self.chips(event.amount)} go back to {self.seat(event.seat)} ({event.reason})"

    def awarded(self, event: PotAwarded) -> str:
        share = "" if event.share == "whole" else f", the {event.share} half"
        board = f", on board {event.board}" if event.board else ""
        return f"{self.seat(event.seat)} is awarded {self.chips(event.amount)}{share}{board}"

    def ended(self, event: HandEnded) -> str:
        if event.cancelled:
            return "the hand is cancelled: every chip is where it was"
        said = event.reported
        if said is None:
            return "the hand ends"
        totals = [
            f"{name} {self.chips(amount)}"
            for name, amount in (("pot", said.pot), ("taken", said.rake))
            if amount is not None
        ]
        totals += [f"seat {each.seat} has {self.chips(each.stack)}" for each in said.stacks]
        return "the hand ends" + (f"; by its source: {', '.join(totals)}" if totals else "")

    def discarded(self, event: CardsDiscarded) -> str:
        self._next_street()
        thrown = _cards(event.cards) or (f"{event.count} cards" if event.count else "")
        return f"{self.seat(event.seat)} discards {thrown}" if thrown else f"{self.seat(event.seat)} stands pat"


def _cards(cards: Iterable[Any]) -> str:
    return " ".join(map(face, cards))


def _card_returned(_: _Teller, event: CardReturned) -> str:
    origin = f"seat {event.seat}" if event.from_ == "seat" else f"the {event.from_}"
    return f"{event.card} goes back from {origin} to the {event.to.replace('_', ' ')}"


def _announced(t: _Teller, event: IrregularityAnnounced) -> str:
    about = f" ({event.rule})" if event.rule else ""
    who = f"the {event.by}" if event.by else "somebody"
    seat = f", {t.seat(event.seat)}" if event.seat is not None else ""
    return f"attention is called by {who}{seat}{about}"


_TELL: dict[type[Any], Callable[[_Teller, Any], str]] = {
    DeckShuffled: lambda t, e: f"the deck is shuffled{f', {e.riffles} riffles' if e.riffles else ''}",
    DeckCut: lambda t, e: "the deck is cut" + (f", {' and '.join(map(str, e.packets))} cards" if e.packets else ""),
    CardDealt: _Teller.dealt,
    CardBurned: lambda t, e: f"burn{f' {e.card}' if e.card != '??' else ''}" + (f" ({e.back} back)" if e.back else ""),
    BoardDealt: _Teller.board,
    CardExposed: lambda t, e: f"{t.seat(e.seat)}: {e.card} is exposed" + (f" by the {e.by}" if e.by else ""),
    CardReturned: _card_returned,
    CardsDiscarded: _Teller.discarded,
    StubInspected: lambda t, e: f"the stub is inspected: {len(e.cards)} cards",
    ForcedBetPosted: _Teller.posted,
    PlayerActed: _Teller.acted,
    ClockCalled: lambda t, e: f"the clock is called on {t.seat(e.seat)}",
    ClockExpired: lambda t, e: f"the clock runs out on {t.seat(e.seat)}",
    CardsReleased: lambda t, e: f"{t.seat(e.seat)} releases the cards ({e.manner.replace('_', ' ')})",
    CardsRetrieved: lambda t, e: f"{t.seat(e.seat)} gets the cards back ({e.reason.replace('_', ' ')})",
    CardsShown: lambda t, e: f"{t.seat(e.seat)} shows {_cards(e.cards)}",
    BoardPlayed: lambda t, e: f"{t.seat(e.seat)} plays the board",
    ChipsReturned: _Teller.returned,
    PotAwarded: _Teller.awarded,
    RakeTaken: lambda t, e: f"{e.kind} {t.chips(e.amount)}",
    IrregularityAnnounced: _announced,
    RulingMade: lambda t, e: f"ruling: {e.ruling.replace('_', ' ')}" + (f", by the {e.by}" if e.by else ""),
    HandEnded: _Teller.ended,
}
