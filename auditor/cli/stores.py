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
    """The store for questions only; what can go wrong with a question ends the command in plain words, too."""
    from auditor.store import reader

    with _plain_exits():
        try:
            with reader.Reader.open(path) as opened:
                yield opened
        except reader.QueryTimeout as error:
            fail(UNAVAILABLE, str(error))
        except (reader.QueryRefused, reader.FindingUnknown) as error:
            fail(USAGE, str(error))


@contextmanager
def _plain_exits() -> Iterator[None]:
    from auditor.store import opening

    try:
        yield
    except (opening.StoreMissing, opening.StoreForeign) as error:
        fail(USAGE, str(error))
    except opening.StoreDamaged as error:
        fail(DAMAGED, str(error))
    except opening.StoreError as error:
        fail(UNAVAILABLE, str(error))
