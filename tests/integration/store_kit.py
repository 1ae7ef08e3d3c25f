"""What the tests of the store and of its queries share: small outcomes, and stores made of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from auditor.findings import Finding, HandSummary, Reject, finding_id
from auditor.intake import EventRow, Outcomes, TableRecord
from auditor.store.reader import Reader
from auditor.store.writer import Store

EVENING = datetime(2026, 1, 31, 20, 0, tzinfo=UTC)


def event(
    seq: int, type_: str = "player_acted", *, table: str = "T1", hand: str | None = "h1", **more: Any
) -> EventRow:
    """The event `seq` of a table, which came at offset `seq` unless told otherwise."""
    place = {name: more.pop(name) for name in ("disposition", "topic", "partition", "offset") if name in more}
    at = more.pop("at", EVENING + timedelta(seconds=seq))
    body = {"type": type_, "table_id": table, "hand_id": hand, "seq": seq, "at": at.isoformat(), **more}
    return (
        table,
        seq,
        hand,
        type_,
        at,
        "rfid",
        place.get("disposition", "accepted"),
        place.get("topic", "poker.dealing"),
        place.get("partition", 0),
        place.get("offset", seq),
        json.dumps(body, ensure_ascii=False),
    )


def raw(row: EventRow) -> bytes:
    """What came of a stored event."""
    return row[-1].encode()


def finding(rule: str = "DEAL106", seq: int = 5, *, table: str = "T1", hand: str | None = "h1", **more: Any) -> Finding:
    id_ = finding_id(rule, table, hand, seq)
    values: dict[str, Any] = {
        "finding_id": id_,
        "rule": rule,
        "name": "out-of-sequence",
        "severity": "major",
        "table_id": table,
        "hand_id": hand,
        "seq": seq,
        "at": EVENING + timedelta(seconds=seq),
        "street": "preflop",
        "seats": (3,),
        "cards": ("As",),
        "message": "Seat 3 got a card before seat 2.",
        "prescribed": "misdeal",
        "incident": id_,
        "dealer_id": "Ada",
        "evidence": (4, 5),
        "source_rule": "A, misdeals",
    }
    return Finding(**{**values, **more})


def hand(hand_id: str = "h1", started: int = 2, *, table: str = "T1", **more: Any) -> HandSummary:
    values: dict[str, Any] = {
        "table_id": table,
        "hand_id": hand_id,
        "started_seq": started,
        "started_at": EVENING + timedelta(seconds=started),
        "game": "holdem",
        "betting": "no_limit",
        "dealer_id": "Ada",
        "location": "Hall 1",
    }
    return HandSummary(**{**values, **more})


def table(table_id: str = "T1", **more: Any) -> TableRecord:
    values: dict[str, Any] = {
        "table_id": table_id,
        "partition": 0,
        "location": "Hall 1",
        "game": "holdem",
        "betting": "no_limit",
        "open": True,
        "boundary_seq": 0,
        "next_seq": 1,
        "duplicates": 0,
        "late": (),
        "memory": b'{"seats":{}}',
    }
    return TableRecord(**{**values, **more})


def reject(offset: int = 9, raw: bytes = b"\xff\x00", **more: Any) -> Reject:
    values: dict[str, Any] = {"source": "poker.dealing", "offset": offset, "raw": raw, "reason": "not JSON"}
    return Reject(**{**values, **more})


def outcomes(
    *,
    events: Iterable[EventRow] = (),
    rejects: Iterable[Reject] = (),
    findings: Iterable[Finding] = (),
    hands: Iterable[HandSummary] = (),
    tables: Iterable[TableRecord] = (),
) -> Outcomes:
    return Outcomes(
        events=list(events),
        rejects=list(rejects),
        findings={one.finding_id: one for one in findings},
        hands={(one.table_id, one.hand_id, one.started_seq): one for one in hands},
        tables={one.table_id: one for one in tables},
    )


def evening() -> Outcomes:
    """A little of everything: two tables, three hands, five findings, a late event, two rejects."""
    return outcomes(
        events=[
            event(1, "table_opened", hand=None, game="holdem"),
            event(2, "hand_started", seats=[]),
            event(3, "card_dealt", seat=2, card="Kd"),
            event(4, "card_dealt", seat=3, card="As"),
            event(5, seat=3, action="raise", amount=600, topic="poker.betting", offset=0),
            event(6, "hand_ended"),
            event(1, "table_opened", table="T2", hand=None, partition=1, offset=0, game="holdem"),
            event(2, "hand_started", table="T2", hand="h9", partition=1, offset=1, seats=[]),
            event(4, table="T2", hand="h9", partition=1, offset=2, seat=1, action="fold"),
            event(3, table="T2", hand="h9", partition=1, offset=3, seat=4, action="fold", disposition="late"),
        ],
        rejects=[reject(7), reject(4, b'{"type":"sneeze"}', partition=1, reason="unknown event type", kind="conflict")],
        findings=[
            finding("DEAL106", 5),
            finding("DEAL112", 4, severity="minor", handled="as_prescribed"),
            finding("RUL102", 6, handled="contrary", incident=finding("DEAL106", 5).finding_id),
            finding("FEED101", 4, table="T2", hand="h9", severity="info", dealer_id="Bram", degraded=True),
            finding("FEED108", 8, table="T2", hand=None, severity="info", dealer_id=None, at=None),
        ],
        hands=[
            hand("h1", 2, ended_seq=6, status="ended", board=("As", "Kd", "2c"), players=6),
            hand("h2", 7),
            hand("h9", 2, table="T2", dealer_id="Bram", complete=False),
        ],
        tables=[table("T1", next_seq=7), table("T2", duplicates=2, next_seq=5)],
    )


@contextmanager
def filled(path: Path) -> Iterator[Reader]:
    """A store that holds `evening()`, open for queries."""
    with Store.open(path) as store:
        store.commit(evening(), {("poker.dealing", 0): 8, ("poker.dealing", 1): 5, ("poker.betting", 0): 1})
    with Reader.open(path) as reader:
        yield reader


def rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """What the store in `path` answers."""
    with Reader.open(path) as reader:
        return list(reader.run(sql))
