"""Opening the store from a command: what can be wrong with it, in plain words and with the right exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.cli.exits import DAMAGED, UNAVAILABLE, USAGE, fail

if TYPE_CHECKING:
    from auditor.store.reader import Reader
    from auditor.store.writer import Store


@contextmanager
def open_store(path: Path) -> Iterator[Store]:
    """The store for writing, made where it is missing."""
    from auditor.store.writer import Store

    with _plain_exits(), Store.open(path) as store:
        yield store


@contextmanager
def open_reader(path: Path) -> Iterator[Reader]:
    """The store for questions only."""
    from auditor.store.reader import Reader

    with _plain_exits(), Reader.open(path) as reader:
        yield reader


@contextmanager
def _plain_exits() -> Iterator[None]:
    from auditor.store.opening import StoreError, StoreLocked, StoreMissing

    try:
        yield
    except StoreMissing as error:
        fail(USAGE, str(error))
    except StoreLocked as error:
        fail(UNAVAILABLE, str(error))
    except StoreError as error:
        fail(DAMAGED, str(error))
