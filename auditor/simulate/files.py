"""Lines into a file or to stdout, compressed as the file's name says."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

#: The name that means stdout.
STDOUT = "-"


@contextmanager
def open_lines(name: str) -> Iterator[BinaryIO]:
    """A file to write lines to: `-` is stdout, `.gz` and `.zst` are compressed. Raises `OSError`.

    Nothing but the lines goes into the bytes, no name and no date: the same lines make the same file.
    """
    if name == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with Path(name).open("wb") as raw:
        if name.endswith(".gz"):
            with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
                yield cast(BinaryIO, packed)
        elif name.endswith(".zst"):
            with zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False) as packed:
                yield cast(BinaryIO, packed)
        else:
            yield raw
