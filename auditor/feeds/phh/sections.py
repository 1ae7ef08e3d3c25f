"""The text of a PHH file cut into hands, one at a time, so that a file of millions of hands needs no memory."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from auditor.feeds.streams import Stream, lines
from auditor.feeds.telling import BrokenHandError

#: Longest text that is read as one hand.
LONGEST_HAND = 1 << 20

# A section is a hand. Not `[_notes]`: an underscore marks what is the user's own; not `[1.notes]`: a part of a hand.
_HEADER = re.compile(rb"""\s*\[\s*["']?([A-Za-z0-9-][\w -]*)["']?\s*\]\s*(?:\#.*)?""")
_TOML_LINE = re.compile(r"\(at line ([0-9]+),")


@dataclass(frozen=True, slots=True)
class Section:
    """One hand's text, as far as it could be had."""

    name: str  # of its header; empty where the file is one hand
    line: int  # the number of its first line in the file, header included
    text: bytes  # without the header
    broken: str | None = None  # why this is not the whole text

    def fields(self) -> dict[str, object]:
        """The hand's TOML, decimal numbers exact. Raises `BrokenHandError` with a plain reason."""
        if self.broken is not None:
            raise BrokenHandError(self.broken)
        try:
            return tomllib.loads(self.text.decode(), parse_float=_exact)
        except UnicodeDecodeError as error:
            raise BrokenHandError(f"not UTF-8: {error.reason} at byte {error.start + 1:,} of the hand") from None
        except RecursionError:
            raise BrokenHandError("not TOML: nested too deeply") from None
        except ValueError as error:  # TOML errors, and numbers too long to be read
            raise BrokenHandError(f"not TOML: {self._in_file(str(error))}") from None

    def _in_file(self, message: str) -> str:
        """The message with the line's number in the file, not in the hand."""
        above = self.line - 1 + (1 if self.name else 0)
        return _TOML_LINE.sub(lambda found: f"(at line {int(found[1]) + above},", message)


def _exact(number: str) -> Decimal:
    try:
        return Decimal(number)
    except InvalidOperation:
        raise ValueError(f"a number out of all bounds: {number[:40]}") from None


def sections(stream: Stream) -> Iterator[Section]:
    """The hands of a file in order."""
    gathered = _Gathered("", 1)
    number = 0
    for batch in lines(stream):
        for line in batch.whole:
            number += 1
            if line.lstrip()[:1] == b"[" and (header := _HEADER.fullmatch(line)):
                yield from gathered.section()
                gathered = _Gathered(header[1].decode().strip(), number)
            else:
                gathered.add(line)
        if batch.then is not None:
            number += 1
            gathered.add(batch.then.kept)
            gathered.broken = gathered.broken or batch.then.reason
    yield from gathered.section()


class _Gathered:
    """The lines of a hand as they come, up to a bound."""

    def __init__(self, name: str, line: int) -> None:
        self.broken: str | None = None
        self._name = name
        self._line = line
        self._lines: list[bytes] = []
        self._size = 0

    def add(self, line: bytes) -> None:
        self._size += len(line) + 1
        if self._size <= LONGEST_HAND:
            self._lines.append(line)
        elif self.broken is None:
            self.broken = f"longer than a hand may be: at most {LONGEST_HAND:,} bytes are read"

    def section(self) -> Iterator[Section]:
        """The hand, if there is one: what stands above the first header may be a comment only."""
        says_nothing = all(not line.strip() or line.lstrip().startswith(b"#") for line in self._lines)
        if self._name or self.broken is not None or not says_nothing:
            yield Section(self._name, self._line, b"\n".join(self._lines), self.broken)
