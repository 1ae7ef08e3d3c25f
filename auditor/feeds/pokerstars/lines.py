"""One line of a hand taken apart: who does what, with how many chips and which cards.

Names may hold anything, spaces, colons and brackets too: they are told by the players who have a seat, the longest
name first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from auditor.cards import UNREAD
from auditor.feeds.pokerstars.amounts import AMOUNT, Money
from auditor.feeds.telling import BrokenHandError


class Line(NamedTuple):
    """What one line says. `verb` is the contract's word where it has one, else this format's."""

    verb: str
    seat: int = -1
    amount: int = 0  # chips; of a raise, what it makes it on this street
    cards: tuple[str, ...] = ()
    number: int = 0  # of a pot, a street's board, or cards that are thrown away
    all_in: bool = False
    line: int = 0  # in the hand, from 1


#: A line that says nothing about chips and cards.
TALK = Line("talk")

_CARD = re.compile(r"(?:(10|[2-9TJQKAtjqka])([cdhsCDHS])|XX|xx|\?\?|-{1,2})")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")

_ALL_IN = r"(?P<all_in>(?: and is all[- ]in| and has reached the \S+ cap)*)(?: \(disconnect\))?"
_POST = re.compile(
    rf"posts (?:(?:the |a |an )?(?P<kind>ante|small blind|big blind|small (?:&|and) big blinds|button blind|straddle"
    rf"|button straddle|missed blind|dead blind|dead) )?{AMOUNT}{_ALL_IN}"
)
_STRADDLE = re.compile(rf"straddles? (?:to )?{AMOUNT}{_ALL_IN}")
_BRING_IN = re.compile(rf"brings[- ]in(?: low)? for {AMOUNT}{_ALL_IN}")
_BET = re.compile(rf"(?P<verb>calls|bets) {AMOUNT}{_ALL_IN}")
_RAISE = re.compile(rf"(?:raises|completes)(?: it)?(?: {AMOUNT})? to {AMOUNT}{_ALL_IN}")
_DISCARD = re.compile(r"discards (\d) cards?(?: \[([^\[\]]*)\])?")
_CASH_OUT = re.compile(rf"(?P<verb>Receives|Pays) Cashout(?: \w+)? \({AMOUNT}\)")
_DEPOSIT = re.compile(rf"Table deposit {AMOUNT}")
_INSURANCE = re.compile(rf"(?:Pays All-in Insurance premium|pay premium of all-in insurance) \({AMOUNT}\)")

_UNCALLED = re.compile(rf"Uncalled bet \({AMOUNT}\) returned to (.+)")
_COLLECTED = re.compile(
    rf"(.+) collected {AMOUNT} from (?:the )?(?P<pot>pot|main pot|side pot(?:[ -]?(?P<number>\d{{1,2}}))?)"
)
_CASHED_OUT = re.compile(rf"(.+?):? cashed out the hand for {AMOUNT}(?: \| Cash Out Fee {AMOUNT})?", re.IGNORECASE)
_SPLASH = re.compile(rf"(?:STP added|Cash Drop to Pot ?: total):? {AMOUNT}")
_BOUGHT = re.compile(
    rf"(.+) (?:re-buys and receives|takes the add-on and receives|adds) {AMOUNT}(?: chips)?(?: (?:for |\().+)?"
)
_SHOWS = re.compile(r"(.+) shows (\[.+)")
_CANCELLED = re.compile(r"\**\s*Hand cancelled\s*\**", re.IGNORECASE)

_NTH = {"FIRST": 1, "SECOND": 2, "THIRD": 3, "3RD": 3, "4TH": 4, "5TH": 5, "6TH": 6}
_STREET = re.compile(r"\*\*\* (?:(?P<nth>FIRST|SECOND|THIRD|3rd|4th|5th|6th) )?(?P<name>[A-Z -]+?) \*\*\*(?P<cards>.*)")
_STREETS = {
    "HOLE CARDS": "deal", "DEALING HANDS": "deal", "FLOP": "flop", "TURN": "turn", "RIVER": "river", "DRAW": "draw",
    "STREET": "street", "BOMB POT": "bomb_pot", "SHOW DOWN": "showdown", "SHOWDOWN": "showdown", "SUMMARY": "summary",
}  # fmt: skip

_STATUS = re.compile(
    r"(?:is|has been) (?:sitting out|disconnected|connected|reconnected|back|allowed to play.*)|sits (?:out|in|down).*"
    r"|has (?:returned|reconnected|timed out.*|left the table|\d+ seconds? .*)|leaves the table|joins the table.*"
    r"|will be allowed to play.*|(?:was|were|is) removed from the table.*|has requested TIME|stands up|is feeling \w+"
    r"|finished the tournament.*|wins the tournament.*|(?:wins|split) the .+ bounty for .*|wins .+ for .*eliminati.*"
    r"|wins an? .*|(?:also )?(?:receives|received|earned|is awarded) an? .*|Chooses to .*Cashout.*|doesn't show hand"
    r"|get an all-in insurance .*"
)
_TALK = re.compile(
    r"#.*|Table leave user|\*{5,}.*|Betting is capped|No low hand qualified|Pair on board - a double bet is allowed"
    r"|The deck (?:is|was) (?:re)?shuffled|Hand was run .*|Transcript for .*"
)
# What a line that is not known must not have to be passed over.
_CARRIES = re.compile(
    r"(?:^|[^\w])\d|[$€£¥₹\[\]]|\b(?:folds?|checks?|calls?|bets?|raises?|posts?|collect(?:s|ed)|wins?|won|shows?"
    r"|mucks?|discards?|pays|dealt|returned|pot|rake|all[- ]in)\b",
    re.IGNORECASE,
)

_POSTS: Mapping[str, str] = {
    "ante": "ante", "small blind": "small_blind", "big blind": "big_blind", "small & big blinds": "both_blinds",
    "small and big blinds": "both_blinds",
    "button blind": "button_blind", "straddle": "straddle", "button straddle": "straddle",
    "missed blind": "blind", "dead blind": "dead_blind", "dead": "dead_blind",
}  # fmt: skip


def cards_of(text: str, line: int | None = None) -> tuple[str, ...]:
    """The cards between two brackets. Raises `BrokenHandError` for what is none."""
    return tuple(_card(word, line) for word in text.split())


def _card(word: str, line: int | None) -> str:
    found = _CARD.fullmatch(word)
    if found is None:
        raise BrokenHandError(f"not a card: {word[:20]}", line)
    if found[1] is None:
        return UNREAD
    return ("T" if found[1] == "10" else found[1].upper()) + found[2].lower()


class Reader:
    """Reads the lines of one hand, whose players are known."""

    def __init__(self, seats: Mapping[str, int], money: Money) -> None:
        self._seats = seats
        self._money = money
        self._names = sorted(seats, key=len, reverse=True)
        self._plain = not any(": " in name for name in seats)

    def line(self, text: str, number: int) -> Line:
        """What a line says; `TALK` where it is nothing of chips and cards.

        Raises `BrokenHandError` for a line that is not understood and may say something of them.
        """
        try:
            return self._line(text)._replace(line=number)
        except BrokenHandError as broken:
            raise BrokenHandError(str(broken), number) from None

    def _line(self, text: str) -> Line:
        if text.startswith("*** ") and (street := self._street(text)) is not None:
            return street
        if ' said, "' in text or not text:
            return TALK
        seat, rest = self._actor(text)
        told = self._action(seat, rest) if seat >= 0 else None
        if told is None:
            told = self._dealt(text[9:]) if text.startswith("Dealt to ") else self._other(text)
        return told if told is not None else self._not_known(rest)

    def seat_of(self, name: str) -> int:
        """Raises `BrokenHandError` for one who has no seat."""
        seat = self._seats.get(name)
        if seat is None:
            raise BrokenHandError(f"{name[:40]!r} has no seat in this hand")
        return seat

    def named(self, text: str, end: str) -> tuple[int, str]:
        """The seat of whose name, with `end` behind it, a text begins, and the rest of it; -1 where of none."""
        for name in self._names:
            if text.startswith(name) and text.startswith(end, len(name)):
                return self._seats[name], text[len(name) + len(end) :]
        return -1, text

    def _actor(self, text: str) -> tuple[int, str]:
        if not self._plain:
            return self.named(text, ": ")
        name, _, rest = text.partition(": ")
        seat = self._seats.get(name, -1)
        return (seat, rest) if seat >= 0 else (-1, text)

    # --- lines of the hand ------------------------------------------------------------------------------------------

    def _street(self, text: str) -> Line | None:
        found = _STREET.fullmatch(text)
        verb = _STREETS.get(found["name"]) if found is not None else None
        if found is None or verb is None:
            return None
        brackets = _BRACKETS.findall(found["cards"])
        # A turn and a river repeat the board before their own card.
        alone = verb in ("turn", "river") and len(brackets) == 1 and " " in brackets[0].strip()
        if found["cards"].count("[") != len(brackets) or alone:
            raise BrokenHandError("the cards are cut off")
        return Line(
            verb, cards=cards_of(brackets[-1]) if brackets else (), number=_NTH.get((found["nth"] or "").upper(), 0)
        )

    def _dealt(self, text: str) -> Line | None:
        """`number` counts the cards that the player had already."""
        for name in self._names:
            if text == name:
                return TALK
            if text.startswith(name + " [") and text.endswith("]"):
                brackets = _BRACKETS.findall(text[len(name) :])
                if len(brackets) in (1, 2):
                    kept = len(cards_of(brackets[0])) if len(brackets) == 2 else 0
                    return Line("dealt", self._seats[name], cards=cards_of(brackets[-1]), number=kept)
        return None

    def _other(self, text: str) -> Line | None:
        """A line that begins with no player who acts."""
        if found := _COLLECTED.fullmatch(text):
            number = int(found["number"] or 1) if found["pot"].startswith("side") else 0
            return Line("wins", self.seat_of(found[1]), self._money.chips(found[2]), number=number)
        if found := _UNCALLED.fullmatch(text):
            return Line("uncalled", self.seat_of(found[2]), self._money.chips(found[1]))
        if found := _CASHED_OUT.fullmatch(text):
            return Line("cashes_out", self.seat_of(found[1]), self._money.chips(found[2]))
        if _CANCELLED.fullmatch(text):
            return Line("cancelled")
        if found := _SPLASH.fullmatch(text):
            return Line("splash", amount=self._money.chips(found[1]))
        if (found := _BOUGHT.fullmatch(text)) and found[1] in self._seats:
            return Line("buys", self._seats[found[1]], self._money.chips(found[2]))
        if (found := _SHOWS.fullmatch(text)) and found[1] in self._seats:
            return self._action(self._seats[found[1]], "shows " + found[2])
        return None

    def _not_known(self, text: str) -> Line:
        _, rest = self.named(text, " ")
        if _TALK.fullmatch(text) or any(_STATUS.fullmatch(part) for part in _tails(rest)) or not _CARRIES.search(rest):
            return TALK
        raise BrokenHandError(f"not understood: {text[:80]}")

    # --- what a player does -----------------------------------------------------------------------------------------

    def _action(self, seat: int, rest: str) -> Line | None:
        match rest.split(" ", 1)[0]:
            case "folds":
                return self._fold(seat, rest)
            case "checks":
                return Line("check", seat)
            case "calls" | "bets":
                found = _BET.fullmatch(rest)
                return found and Line(
                    found["verb"][:-1], seat, self._money.chips(found[2]), all_in=found["all_in"] != ""
                )
            case "raises" | "completes":
                found = _RAISE.fullmatch(rest)
                return found and Line("raise", seat, self._money.chips(found[2]), all_in=found["all_in"] != "")
            case "posts" | "straddle" | "straddles" | "brings" | "brings-in":
                return self._post(seat, rest)
            case "shows" | "mucks":
                return self._hand(seat, rest)
            case "discards" | "stands":
                return self._draw(seat, rest)
            case "Receives" | "Pays" | "pay" | "Table":
                return self._settle(seat, rest)
        return None

    def _settle(self, seat: int, rest: str) -> Line | None:
        """Chips between a player and the house, outside the pot."""
        if found := _CASH_OUT.fullmatch(rest):
            verb = "cashes_out" if found["verb"] == "Receives" else "pays_out"
            return Line(verb, seat, self._money.chips(found[2]))
        if found := _INSURANCE.fullmatch(rest):
            return Line("insures", seat, self._money.chips(found[1]))
        if found := _DEPOSIT.fullmatch(rest):
            return Line("buys", seat, self._money.chips(found[1]))
        return None

    def _fold(self, seat: int, rest: str) -> Line | None:
        cards = _BRACKETS.search(rest)
        return Line("fold", seat, cards=cards_of(cards[1]) if cards else ())

    def _post(self, seat: int, rest: str) -> Line | None:
        for pattern, kind in ((_POST, ""), (_STRADDLE, "straddle_to"), (_BRING_IN, "bring_in")):
            if found := pattern.fullmatch(rest):
                kind = kind or _POSTS.get(found["kind"] or "", "blind")
                amount = found[2] if pattern is _POST else found[1]
                return Line(kind, seat, self._money.chips(amount), all_in=found["all_in"] != "")
        return None

    def _hand(self, seat: int, rest: str) -> Line | None:
        cards = _BRACKETS.search(rest)
        if "[" in rest and cards is None:
            return None
        verb = "show" if rest.startswith("shows") else "muck"
        return Line(verb, seat, cards=cards_of(cards[1]) if cards else ())

    def _draw(self, seat: int, rest: str) -> Line | None:
        if rest.startswith("stands pat"):
            return Line("discard", seat)
        found = _DISCARD.fullmatch(rest)
        return found and Line("discard", seat, cards=cards_of(found[2] or ""), number=int(found[1]))


def _tails(text: str) -> Iterable[str]:
    """What may be a status, whoever it is of: the whole, and what follows each space."""
    yield text
    place = text.find(" ")
    while place >= 0:
        yield text[place + 1 :]
        place = text.find(" ", place + 1)
