"""JSON objects in a stream, one a hand: cut out of whatever holds them, and mended where the file breaks off.

A file may hold one object after the other, with or without blank lines, an array of them, or one large object with all
of them in a list. Only one hand is held at a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple, NoReturn

from auditor.feeds.streams import KEPT, Stream
from auditor.feeds.telling import BrokenHandError

#: Longest text that is read as one hand.
LONGEST_HAND = 1 << 20
_TOO_LONG = f"longer than a hand may be: at most {LONGEST_HAND:,} bytes are read"

# What may be cut off at the end of a block before more is read; also how far ahead one looks before text is rubbish.
_AHEAD = 64 << 10
# What is done with is let go from time to time: a decoder's error counts the lines from the beginning of the text.
_DONE_WITH = 16 << 10
# An error so near the end of the text means that the text breaks off: a number, a word or an escape may be begun there.
_NEAR = 16

_STRING = r'"(?:[^"\\\n]|\\.)*"'
# What stands between hands: brackets, and what a wrapping object says of itself.
# A byte order mark may stand where files were put together.
_FILLER = re.compile(
    rf"(?:[\s\0,\[\]}}]+|\xef\xbb\xbf|{_STRING}\s*:\s*(?:{_STRING}|[-+.\w]+|\[[^{{}}\[\]]*\]|(?=[\[{{])))*"
)
_OBJECT = re.compile(r"\{")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\]]')

_DECODER = json.JSONDecoder()


class Layout(NamedTuple):
    """How a format lays its hands out. Patterns are searched for in the text, byte by byte."""

    #: The beginning of an object that holds a list of hands, up to the list.
    envelope: re.Pattern[str]
    #: Where a hand begins for certain, when the one before it breaks off.
    restart: re.Pattern[str]
    #: Where one begins wherever it stands: a hand that has lost a bracket swallows those behind it.
    inside: re.Pattern[str]


class Found(NamedTuple):
    """The text of one hand, and the line of the file that it begins at, from 1; `broken` says what is wrong with it."""

    line: int
    text: bytes
    broken: str | None = None

    def parsed(self) -> tuple[dict[str, Any], bool]:
        """The object, numbers exact; and whether its text was whole. Of one that breaks off, what was complete.

        Raises `BrokenHandError` with a plain reason.
        """
        if self.broken is not None:
            raise BrokenHandError(self.broken)
        text = self.text.decode(errors="replace")
        try:
            return _loads(text), True
        except json.JSONDecodeError as error:
            if _breaks_off(error, len(text)) and (whole := _mended(text)) is not None:
                return whole, False
            raise BrokenHandError(f"not JSON: {error.msg}, column {error.colno:,}", error.lineno) from None


def objects(stream: Stream, layout: Layout) -> Iterator[Found]:
    """The hands of a file in order; what is none is found too, and `broken` or refused when it is parsed."""
    return _Cutter(stream, layout).found()


class _Cutter:
    """The stream as text, each byte a character, so that a place in the text is a place in the file."""

    def __init__(self, stream: Stream, layout: Layout) -> None:
        self._stream = stream
        self._layout = layout
        self._text = ""
        self._at = 0  # all before it is done with
        self._line = 1
        self._ended = False
        self._damage_told = False

    def found(self) -> Iterator[Found]:
        while self._skip_filler():
            if self._text[self._at] != "{":
                yield self._rubbish()
            elif not self._enter_envelope():
                hand = self._hand()
                if hand is not None:
                    yield hand
        if self._stream.damage is not None and not self._damage_told:
            yield Found(self._line, b"", self._stream.damage)

    def _enter_envelope(self) -> bool:
        envelope = self._layout.envelope.match(self._text, self._at)
        if envelope is None:
            return False
        self._pass(envelope.end())
        return True

    def _skip_filler(self) -> bool:
        """Go to where the next hand may begin; false where the file ends."""
        while True:
            filler = _FILLER.match(self._text, self._at)
            if filler is not None:
                self._pass(filler.end())
            there = len(self._text) - self._at
            if there and (self._text[self._at] == "{" or self._ended or there > _AHEAD):
                return True
            if not self._more():
                return self._at < len(self._text)

    def _hand(self) -> Found | None:
        """The object that begins here; None where it turns out to hold a list of hands."""
        wanted = 0
        while True:
            end = self._end_of_object()
            if end is not None:
                too_long = end - self._at > LONGEST_HAND
                return self._take(end, _TOO_LONG if too_long else None)
            # Read on until there is twice as much, so that long hands are not gone over again for every block.
            wanted = max(wanted, _AHEAD, 2 * (len(self._text) - self._at))
            if len(self._text) - self._at > LONGEST_HAND or not self._more(wanted):
                return self._broken_off()
            if self._enter_envelope():
                return None

    def _end_of_object(self) -> int | None:
        """Where the object ends that begins here; where it is broken in itself, its end is where the next begins."""
        try:
            end = _DECODER.raw_decode(self._text, self._at)[1]
            swallowed = self._layout.inside.search(self._text, self._at + 1, end)
            return swallowed.start() if swallowed else end
        except json.JSONDecodeError as error:
            if _breaks_off(error, len(self._text)):
                return None
        except (ValueError, RecursionError):  # a number too long to be read; brackets too deep
            pass
        again = self._layout.restart.search(self._text, self._at + 1)
        return again.start() if again else None

    def _broken_off(self) -> Found:
        """The file ends, or the hand is too long: up to where the next one begins."""
        if again := self._layout.restart.search(self._text, self._at + 1):
            return self._take(again.start())
        if self._ended:
            return self._last(None)
        return self._too_long(_TOO_LONG, self._layout.restart)

    def _rubbish(self) -> Found:
        reason = "no hand: text that is no JSON object"
        if again := _OBJECT.search(self._text, self._at):
            return self._take(again.start(), reason)
        return self._last(reason) if self._ended else self._too_long(reason, _OBJECT)

    def _last(self, reason: str | None) -> Found:
        self._damage_told = True
        return self._take(len(self._text), self._stream.damage or reason)

    def _too_long(self, reason: str, until: re.Pattern[str]) -> Found:
        """Its beginning is kept; the rest is skipped."""
        line, kept = self._line, self._text[self._at : self._at + KEPT].encode("latin-1")
        start = self._at + 1
        while not (again := until.search(self._text, start)):
            self._pass(max(start, len(self._text) - _AHEAD))
            start = 0
            if not self._more():
                self._pass(len(self._text))
                return Found(line, kept, reason)
        self._pass(again.start())
        return Found(line, kept, reason)

    def _take(self, end: int, broken: str | None = None) -> Found:
        text = self._text[self._at : end] if broken is None else self._text[self._at : min(end, self._at + KEPT)]
        found = Found(self._line, text.rstrip().encode("latin-1"), broken)
        self._pass(end)
        return found

    def _pass(self, end: int) -> None:
        self._line += self._text.count("\n", self._at, end)
        self._at = end
        if end > _DONE_WITH:
            self._text, self._at = self._text[end:], 0

    def _more(self, wanted: int = 1) -> bool:
        """Read until so much text lies ahead; false where there is no more at all."""
        blocks = [self._text[self._at :]]
        there, before = len(blocks[0]), len(blocks[0])
        while there < wanted or there == before:
            block = next(self._stream, None)
            if block is None:
                self._ended = True
                break
            blocks.append(block.decode("latin-1"))
            there += len(block)
        self._text, self._at = "".join(blocks), 0
        return there > before


# --- one object -----------------------------------------------------------------------------------------------------


def _loads(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, parse_float=_exact, parse_constant=_no_number)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise BrokenHandError("not JSON: nested too deeply") from None
    except ValueError as error:  # a number too long to be read
        raise BrokenHandError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BrokenHandError("no hand: a JSON object is expected")
    return value


def _exact(number: str) -> Decimal:
    try:
        return Decimal(number)
    except InvalidOperation:
        raise BrokenHandError(f"not JSON: a number out of all bounds: {number[:40]}") from None


def _no_number(word: str) -> NoReturn:
    raise BrokenHandError(f"not JSON: {word} is no number")


def _breaks_off(error: json.JSONDecodeError, length: int) -> bool:
    """Whether the text ends too soon, and is in order as far as it goes."""
    return error.pos > length - _NEAR or error.msg.startswith("Unterminated string")


def _mended(text: str) -> dict[str, Any] | None:
    """What a text that breaks off holds up to the last object that is complete; None where that is nothing."""
    open_brackets: list[str] = []
    end, closing = 0, ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in "{[":
            open_brackets.append("}" if sign == "{" else "]")
        elif sign in "}]":
            if not open_brackets or open_brackets.pop() != sign:
                break
            if sign == "}" and open_brackets:
                end, closing = token.end(), "".join(reversed(open_brackets))
        elif sign == '"':
            break  # a text that nothing closes
    try:
        return _loads(text[:end] + closing) if end else None
    except json.JSONDecodeError:
        return None  # it is broken elsewhere, too
