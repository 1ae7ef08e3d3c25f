"""Bytes in, plain blocks and lines out: compression, breaks, long lines."""

from __future__ import annotations

import gzip
import io
import random
import tracemalloc
from collections.abc import Callable

import pytest
import zstandard

from auditor.feeds import streams
from auditor.feeds.streams import KEPT, LONGEST_LINE, Stream, Unread, lines

PLAIN = b"".join(b"line %d of some text that is packed\n" % number for number in range(20_000))


def incompressible(size: int) -> bytes:
    return bytes(random.Random(7).randbytes(size))


def stream_of(data: bytes) -> Stream:
    return Stream(io.BytesIO(data).read)


def one_byte_at_a_time(data: bytes) -> Stream:
    source = io.BytesIO(data)
    return Stream(lambda _size: source.read(1))


def seekable_zstd(data: bytes) -> bytes:
    """As parallel compressors write it: a skippable frame with an index, then frames."""
    index = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"index"
    return index + zstandard.compress(data[:1000]) + zstandard.compress(data[1000:])


@pytest.mark.parametrize(
    "pack",
    [
        pytest.param(bytes, id="plain"),
        pytest.param(gzip.compress, id="gzip"),
        pytest.param(lambda data: gzip.compress(data[:1000]) + gzip.compress(data[1000:]), id="gzip, two members"),
        pytest.param(lambda data: gzip.compress(data) + b"\0" * 512, id="gzip, padded with zeros"),
        pytest.param(zstandard.compress, id="zstd"),
        pytest.param(lambda data: zstandard.compress(data[:9]) + zstandard.compress(data[9:]), id="zstd, two frames"),
        pytest.param(seekable_zstd, id="zstd, skippable frame first"),
    ],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "with a byte order mark"])
def test_any_compression_gives_the_plain_bytes(pack: Callable[[bytes], bytes], mark: bytes) -> None:
    stream = stream_of(pack(mark + PLAIN))
    assert b"".join(stream) == PLAIN
    assert stream.damage is None


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_cut_off_file_gives_what_came_before_the_break_and_says_so(pack: Callable[[bytes], bytes]) -> None:
    data = incompressible(400_000)
    packed = pack(data)
    stream = stream_of(packed[: len(packed) // 2])
    read = b"".join(stream)
    # Compressors work in blocks of at most 128 KiB: all that lie whole before the break must be there.
    assert data.startswith(read)
    assert len(read) >= 200_000 - 128 * 1024
    assert stream.damage is not None
    assert stream.damage.startswith("cut off: ")


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_corrupt_file_gives_what_came_before_the_break_and_says_so(pack: Callable[[bytes], bytes]) -> None:
    first = pack(incompressible(300_000))
    stream = stream_of(first + pack(b"more")[:4] + b"rubbish, where a header should be" * 10)
    read = b"".join(stream)
    # What stood in the same small piece as the corrupt bytes may be lost, no more.
    assert len(read) >= 300_000 - 2 * 128 * 1024
    assert incompressible(300_000).startswith(read)
    assert stream.damage is not None
    assert stream.damage.startswith("damaged: ")


@pytest.mark.parametrize("place", [-6, -2], ids=["checksum", "length"])
def test_a_gzip_file_whose_checksum_is_wrong_is_damaged_and_read_whole(place: int) -> None:
    packed = bytearray(gzip.compress(PLAIN))
    packed[place] ^= 0xFF
    stream = stream_of(bytes(packed))
    assert b"".join(stream) == PLAIN
    assert stream.damage is not None


def test_a_disk_that_fails_is_told_in_plain_words() -> None:
    pieces = iter([b"one\n", b"two\n"])

    def read(_size: int) -> bytes:
        for piece in pieces:
            return piece
        raise OSError(5, "Input/output error")

    stream = Stream(read)
    assert b"".join(stream) == b"one\ntwo\n"
    assert stream.damage == "cannot be read: Input/output error"


def test_lines_do_not_depend_on_how_the_bytes_arrive() -> None:
    data = b"\xef\xbb\xbfone\r\ntwo\n\n\r\nfive, without an end"
    at_once = [line for batch in lines(stream_of(data)) for line in batch.whole]
    slowly = [line for batch in lines(one_byte_at_a_time(data)) for line in batch.whole]
    assert at_once == slowly == [b"one", b"two", b"", b"", b"five, without an end"]


@pytest.mark.parametrize("end", [b"\n", b""], ids=["in the middle", "at the end"])
def test_a_line_that_is_too_long_keeps_its_beginning_and_its_length(end: bytes) -> None:
    after = b"after\n" if end else b""
    data = b"before\n" + b"x" * (LONGEST_LINE + 1) + end + after
    batches = list(lines(stream_of(data)))
    unread = [batch.then for batch in batches if batch.then]
    assert [line for batch in batches for line in batch.whole] == [b"before", b"after"][: 2 if end else 1]
    assert [each.kept for each in unread] == [b"x" * KEPT]
    assert "a line of 16,777,217 bytes" in unread[0].reason


def test_the_longest_line_that_is_read_is_given_whole() -> None:
    data = b"x" * LONGEST_LINE + b"\nafter"
    whole = [line for batch in lines(stream_of(data)) for line in batch.whole]
    assert [len(line) for line in whole] == [LONGEST_LINE, 5]


def test_a_cut_off_line_is_not_given_as_a_whole_one() -> None:
    packed = gzip.compress(b"whole\nhalf a li", mtime=0)
    *_, last = lines(stream_of(packed[:-8]))  # all the data, without the end mark
    assert last.then == Unread(
        b"half a li", "cut off: the gzip stream ends before its end mark; everything before the break was read"
    )


def test_a_line_without_end_needs_no_memory() -> None:
    block, left = b"x" * (256 << 10), 1024  # 256 MiB
    reads = iter([block] * left)
    stream = Stream(lambda _size: next(reads, b""))
    tracemalloc.start()
    try:
        (unread,) = [batch.then for batch in lines(stream) if batch.then]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "268,435,456 bytes" in unread.reason
    assert peak < 5 * LONGEST_LINE


def test_a_file_that_unpacks_to_very_much_needs_no_memory() -> None:
    packed = zstandard.compress(b"x\n" * (32 << 20), level=1)
    tracemalloc.start()
    try:
        count = sum(len(batch.whole) for batch in lines(stream_of(packed)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 32 << 20
    assert peak < 60 << 20


def test_blocks_that_were_looked_at_can_be_pushed_back() -> None:
    stream = stream_of(b"abc" * 200_000)
    head = next(stream)
    stream.push_back(head)
    assert b"".join(stream) == b"abc" * 200_000
    assert len(head) == streams._READ


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_utf_16_is_read_as_the_same_text(encoding: str, pack: Callable[[bytes], bytes]) -> None:
    # given a text in UTF-16 with its mark, cut anywhere into blocks of odd length
    text = "Seat 1: Zoë (€10 in chips)\r\nSeat 2: 渡辺\r\n"
    packed = pack(("\ufeff" + text).encode(encoding))
    pieces = iter([packed[start : start + 7] for start in range(0, len(packed), 7)])
    # when it is read, it is UTF-8 without the mark
    assert b"".join(Stream(lambda _size: next(pieces, b""))).decode() == text
