"""The bytes of a file, whatever its compression: plain blocks, then lines, and a plain word where they break off.

Compression and UTF-16 are told by the first bytes, never by the name. Memory is bounded on any input: a block at a
time, and of a line that is too long only its beginning.
"""

from __future__ import annotations

import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

import zstandard

#: Longest line that is read as one.
LONGEST_LINE = 16 << 20
#: Of what cannot be read, as much is kept.
KEPT = 1 << 20

_READ = 256 << 10
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)
_MAGIC_BYTES = 4

# What a decompressor is fed at once. When zstd finds the data corrupt, it takes what it made of the same piece with it:
# a small one loses little. It also bounds what a hostile file can unpack to in one step.
_PIECE = 1 << 10

_DAMAGE = (OSError, EOFError, zlib.error, zstandard.ZstdError)


class Stream:
    """Plain blocks of what `read(size)` gives, decompressed and without a byte order mark; gone through once.

    It never raises for bad data: it ends where the data can no longer be read, and then `damage` says why in plain
    words. Everything before the break has been given.
    """

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self.damage: str | None = None
        self._raw = read
        self._blocks = self._plain()
        self._pushed_back = b""

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._pushed_back:
            block, self._pushed_back = self._pushed_back, b""
            return block
        return next(self._blocks)

    def push_back(self, head: bytes) -> None:
        """Put blocks that were only looked at in front of the others again."""
        self._pushed_back = head + self._pushed_back

    def _plain(self) -> Iterator[bytes]:
        pool = bytearray()
        prefix = _BOM
        try:
            first = self._first()
            unpack = _unpacker(first)
            # Decompressed pieces are small and gathered; plain ones are handed on at once, for a pipe may be live.
            enough = 1 if unpack is _as_it_is else _READ
            for piece in _as_utf8(unpack(self._raw_pieces(first))):
                pool += piece
                while len(pool) >= enough:
                    yield bytes(pool[:_READ]).removeprefix(prefix)
                    del pool[:_READ]
                    prefix = b""
        except _DAMAGE as error:
            self.damage = _plain_words(error)
        if pool:
            yield bytes(pool).removeprefix(prefix)

    def _first(self) -> bytes:
        """Enough to tell the compression; less only where there is no more."""
        first = b""
        while len(first) < _MAGIC_BYTES and (more := self._raw(_READ)):
            first += more
        return first

    def _raw_pieces(self, first: bytes) -> Iterator[bytes]:
        block = first
        while block:
            yield block
            block = self._raw(_READ)


def _plain_words(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror or error}"
    if isinstance(error, EOFError):
        return f"cut off: {error}; everything before the break was read"
    return f"damaged: the compressed data is corrupt ({error}); everything before the break was read"


def _unpacker(first: bytes) -> Callable[[Iterator[bytes]], Iterator[bytes]]:
    if first.startswith(b"\x1f\x8b"):
        return _gunzipped
    # A skippable frame may come first: parallel compressors put their index there.
    if first.startswith(b"\x28\xb5\x2f\xfd") or (first[1:4] == b"\x2a\x4d\x18" and 0x50 <= first[0] <= 0x5F):
        return _unzstandarded
    return _as_it_is


def _as_it_is(blocks: Iterator[bytes]) -> Iterator[bytes]:
    return blocks


def _as_utf8(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The same text in UTF-8, where it begins with the byte order mark of UTF-16: some trackers on Windows write so."""
    head = b""
    for block in blocks:
        head += block
        if len(head) >= len(_UTF_16[0]):
            break
    if not head.startswith(_UTF_16):
        yield head
        yield from blocks
        return
    decoder = getincrementaldecoder("utf-16")(errors="replace")
    for block in chain((head,), blocks):
        if text := decoder.decode(block):
            yield text.encode(errors="replace")
    if text := decoder.decode(b"", final=True):
        yield text.encode(errors="replace")


def _small(blocks: Iterator[bytes]) -> Iterator[bytes]:
    for block in blocks:
        for start in range(0, len(block), _PIECE):
            yield block[start : start + _PIECE]


def _gunzipped(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Every member of a gzip stream. Raises `zlib.error` where it is corrupt, `EOFError` where it is cut off."""
    member = zlib.decompressobj(wbits=31)
    for piece in _small(blocks):
        while piece:
            if member.eof:
                piece = piece.lstrip(b"\0")  # tapes and some tools pad with zeros
                if not piece:
                    break
                member = zlib.decompressobj(wbits=31)
            before = member.copy()
            try:
                plain = member.decompress(piece)
            except zlib.error:
                yield from _up_to_the_break(before, piece)
                raise
            yield plain
            piece = member.unused_data
    if not member.eof:
        raise EOFError("the gzip stream ends before its end mark")


def _up_to_the_break(member: zlib._Decompress, piece: bytes) -> Iterator[bytes]:
    """What a piece holds before it is corrupt, or its sum is wrong: fed whole, it would be lost with the error."""
    with suppress(zlib.error):
        for place in range(len(piece)):
            yield member.decompress(piece[place : place + 1])


def _unzstandarded(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Every frame of a zstd stream. Raises `ZstdError` where it is corrupt, `EOFError` where it is cut off."""
    unpacker = zstandard.ZstdDecompressor()
    frame = unpacker.decompressobj()
    for piece in _small(blocks):
        while piece:
            if frame.eof:
                frame = unpacker.decompressobj()
            yield frame.decompress(piece)
            piece = frame.unused_data
    if not frame.eof:
        raise EOFError("the zstd stream ends in the middle of a frame")


class Unread(NamedTuple):
    """A line that cannot be given: too long, or cut off with the stream."""

    kept: bytes  # its beginning
    reason: str


class Lines(NamedTuple):
    """Whole lines without their ends, and perhaps one after them that cannot be given."""

    whole: list[bytes]
    then: Unread | None = None


def lines(stream: Stream) -> Iterator[Lines]:
    """The lines of a stream, many at a time; blank ones too, so that lines can be counted."""
    rest = b""
    kept, length = b"", 0  # of a line that is being skipped
    for block in stream:
        if length:
            end = block.find(b"\n")
            if end < 0:
                length += len(block)
                continue
            yield Lines([], _too_long(kept, length + end))
            length, block = 0, block[end + 1 :]
        text = rest + block if rest else block
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n")
        whole = text.split(b"\n")
        rest = whole.pop()
        if whole and len(whole[0]) > LONGEST_LINE:
            yield Lines([], _too_long(whole[0][:KEPT], len(whole[0])))
            del whole[0]
        yield Lines(whole)
        if len(rest) > LONGEST_LINE:
            kept, length, rest = rest[:KEPT], len(rest), b""
    if stream.damage is not None:
        yield Lines([], Unread((kept if length else rest)[:KEPT], stream.damage))
    elif length:
        yield Lines([], _too_long(kept, length))
    elif rest:
        yield Lines([rest])


def _too_long(kept: bytes, length: int) -> Unread:
    return Unread(
        kept, f"a line of {length:,} bytes, at most {LONGEST_LINE:,} are read; the first {len(kept):,} are kept"
    )
