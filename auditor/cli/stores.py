"""Opening the store from a command: what can be wrong with it, in plain words and with the right exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from auditor.cli.exits import DAMAGED, UNAVAILABLE, USAGE, fail

if TYPE_CHECKING:
    from auditor.store.opening import StoreDamaged
    from auditor.store.reader import Reader
    from auditor.store.writer import Store


@contextmanager
def open_store(path: Path) -> Iterator[Store]:
    """The store for writing, made where it is missing."""
    from auditor.store.writer import Store

    with _plain_exits(), Store.open(path) as store:
        yield store


@contextmanager
def open_live_store(path: Path, *, rebuild: bool) -> Iterator[Store]:
    """The same for the service. One that is damaged is set aside and begun anew, if the user wants to `rebuild` it.

    Damage that shows only while the service works ends it all the same: what it knows of the tables came from there.
    """
    from auditor.store.opening import StoreDamaged
    from auditor.store.writer import Store

    with _plain_exits():
        try:
            store = Store.open(path)
        except StoreDamaged as damage:
            _set_aside(path, damage, rebuild)
            store = Store.open(path)
        try:
            with store:
                yield store
        except StoreDamaged as damage:
            _set_aside(path, damage, rebuild)
            fail(UNAVAILABLE, "the next start builds the store anew from the topics")


def _set_aside(path: Path, damage: StoreDamaged, wanted: bool) -> None:
    """Put a damaged store out of the way, or leave with the word on how to."""
    from auditor.store.damage import set_aside

    if not wanted:
        fail(DAMAGED, f"{damage}\n`auditor run --rebuild` renames it and builds it anew from the topics.")
    try:
        aside = set_aside(path)
    except OSError as error:
        fail(DAMAGED, f"{damage}\nIt cannot be set aside: {error}")
    typer.echo(f"auditor: {damage}\nauditor: it is now {aside}; the topics are read from the start", err=True)


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
