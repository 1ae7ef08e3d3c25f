"""Names of players replaced on the way in, by a keyed hash: one name, one pseudonym, in every file and format.

Behind it nothing of a name is left: text that cannot be read is withheld as well, for a name may stand in it.
"""

from __future__ import annotations

import re
import secrets
import stat
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from unicodedata import normalize

from auditor.events import Event, HandStarted, PlayerSeated, RulingMade
from auditor.findings import Reject
from auditor.intake import Record, record_of
from auditor.wire import EventRefused, dump, parse

#: Bytes that a key has at least.
SHORTEST_KEY = 16

_DIGEST_BYTES = 16
_PLACE = re.compile(r"line [\d,]+: ")


class KeyRefusedError(ValueError):
    """A file that is no key. Its text is the plain reason."""


class Pseudonyms:
    """Pseudonyms under one key."""

    def __init__(self, key: bytes) -> None:
        if len(key) < SHORTEST_KEY:
            raise KeyRefusedError(f"a key of {len(key)} bytes is too short: at least {SHORTEST_KEY} are needed")
        self._key = blake2b(key).digest()  # of any length

    @classmethod
    def from_file(cls, path: Path) -> Pseudonyms:
        """The key is all that the file holds. Raises `KeyRefusedError` where it is short, or others may read it."""
        try:
            open_to = stat.S_IMODE(path.stat().st_mode) & 0o077
            key = path.read_bytes()
        except OSError as error:
            raise KeyRefusedError(f"{path} cannot be read: {error.strerror}") from None
        if open_to:
            raise KeyRefusedError(f"{path} is open to others: whoever has the key knows the names; chmod 600 {path}")
        try:
            return cls(key)
        except KeyRefusedError as refused:
            raise KeyRefusedError(f"{path}: {refused}") from None

    def of(self, name: str) -> str:
        """The pseudonym of a name."""
        canonical = normalize("NFC", name).encode(errors="surrogatepass")
        return f"p-{blake2b(canonical, key=self._key, digest_size=_DIGEST_BYTES).hexdigest()}"

    def over(self, items: Iterable[Record | Reject]) -> Iterator[Record | Reject]:
        """A feed with its names replaced."""
        for item in items:
            yield withheld(item) if isinstance(item, Reject) else self._over_record(item)

    def _over_record(self, item: Record) -> Record | Reject:
        raw, source, _, offset, *_ = item
        try:
            event = parse(raw)
        except EventRefused:
            return withheld(Reject(source=source, offset=offset, raw=raw, reason=""))
        # Written anew: fields that the contract does not know may hold names too.
        return record_of(dump(self._over_event(event)), source, offset)

    def _over_event(self, event: Event) -> Event:
        if isinstance(event, HandStarted):
            seats = tuple(replace(each, player_id=self._maybe(each.player_id)) for each in event.seats)
            return replace(event, seats=seats)
        if isinstance(event, PlayerSeated):
            return replace(event, player_id=self._maybe(event.player_id))
        if isinstance(event, RulingMade) and event.reason is not None:
            return replace(event, reason="(withheld)")  # free text
        return event

    def _maybe(self, name: str | None) -> str | None:
        return None if name is None else self.of(name)


def withheld(reject: Reject) -> Reject:
    """A reject that says where it stood and how to know it again, and nothing of what it said."""
    place = _PLACE.match(reject.reason)
    digest = blake2b(reject.raw, digest_size=_DIGEST_BYTES).hexdigest()
    return reject.model_copy(
        update={
            "raw": f"{len(reject.raw)} bytes, blake2b {digest}".encode(),
            "reason": f"{place[0] if place else ''}it cannot be read; what it says is withheld, with the names in it",
        }
    )


def new_key(path: Path) -> None:
    """A new key in a new file that nobody else can read. Raises `FileExistsError` rather than write over one."""
    with path.open("xb") as file:
        path.chmod(0o600)
        file.write(secrets.token_hex(32).encode())
