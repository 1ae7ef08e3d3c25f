"""One checkpoint is one transaction: whole or not at all, and each thing once."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import duckdb
import pytest
from store_kit import EVENING, evening, event, finding, hand, outcomes, raw, reject, rows, table

from auditor.findings import Finding, HandSummary, Reject
from auditor.intake import EVENT_COLUMNS, Letter, TableRecord
from auditor.store.reader import Reader
from auditor.store.writer import AlreadyStored, Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.duckdb"


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("events", [*EVENT_COLUMNS, "ingested"]),
        ("rejects", [*Reject.model_fields, "ingested"]),
        ("findings", list(Finding.model_fields)),
        ("hands", list(HandSummary.model_fields)),
        ("tables", [field.name for field in fields(TableRecord)]),
    ],
)
def test_the_columns_of_a_table_are_the_fields_of_its_model(path: Path, name: str, names: list[str]) -> None:
    # When a store is created
    Store.open(path).close()
    # Then the columns are the model's fields, in their order, so that no field is ever left unstored
    with Reader.open(path) as reader:
        assert reader.run(f"FROM {name}").columns == names


def test_what_was_committed_comes_back_as_it_was(path: Path) -> None:
    # Given one event, reject, finding, hand and table, with everything that is unusual in them
    one_event = event(1, "table_opened", hand=None, location='Café "Ø" \u2028')
    one_reject = reject(
        raw=bytes(range(256)), key=b"\xff", at=EVENING, headers=(("trace", b"\x00"), ("empty", None))
    )  # fmt: skip
    one_finding = finding(seats=(), cards=(), evidence=(), street=None, at=None)
    one_hand = hand(pot=2**70, board=("As", "??"), button_seat=2**62)
    one_table = table("T\x00 1", memory=b'{"a":"\xc3\xa9"}', late=(7, 9))
    # When they are committed and the store is opened again
    with Store.open(path) as store:
        store.commit(
            outcomes(
                events=[one_event], rejects=[one_reject], findings=[one_finding], hands=[one_hand], tables=[one_table]
            ),
            {("poker.dealing", 0): 2},
        )
    # Then each is what it was
    assert [row[:-1] for row in rows(path, "FROM events")] == [one_event]
    headers = [{"name": "trace", "value": b"\x00"}, {"name": "empty", "value": None}]
    assert [row[:-1] for row in rows(path, "FROM rejects")] == [
        tuple({**dict(one_reject), "headers": headers}.values())
    ]
    with Store.open(path) as store:
        assert list(store.tables(closed=0)) == [(one_table, [])]
    with Reader.open(path) as reader:
        assert reader.finding(one_finding.finding_id[:6]) == one_finding
        [stored] = reader.run("FROM hands")
    assert HandSummary(**dict(zip(HandSummary.model_fields, stored, strict=True))) == one_hand


def test_a_moment_that_python_cannot_hold_is_stored_and_read(path: Path) -> None:
    # Given an event and a finding of the last hour of the year 9999, west of Greenwich: the year 10000 in UTC
    late = datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5)))
    with Store.open(path) as store:
        store.commit(outcomes(events=[event(1, at=late)], findings=[finding(at=late)]), {})
    # When it is read, then nothing fails
    with Reader.open(path) as reader:
        assert reader.finding("").at is None
        assert [str(at)[:5] for (at,) in reader.run('SELECT "at" FROM events')] == ["10000"]


def test_a_later_version_replaces_the_earlier_one(path: Path) -> None:
    # Given an open finding, an open hand and a table, committed with others
    with Store.open(path) as store:
        store.commit(evening(), {})
        # When they come again, changed, in the same process and in a later one
        store.commit(outcomes(findings=[finding(handled="contrary")], hands=[hand(ended_seq=6, status="void")]), {})
    with Store.open(path) as store:
        store.commit(outcomes(findings=[finding(handled="unaddressed")], tables=[table(next_seq=70)]), {})
    # Then each is there once, in its last version, and the others are untouched
    assert rows(path, "SELECT count(*), count(DISTINCT finding_id) FROM findings") == [(5, 5)]
    assert rows(path, "SELECT handled FROM findings WHERE rule = 'DEAL106'") == [("unaddressed",)]
    assert rows(path, "SELECT status FROM hands WHERE hand_id = 'h1'") == [("void",)]
    assert rows(path, "SELECT table_id, next_seq FROM tables ORDER BY 1") == [("T1", 70), ("T2", 5)]


@pytest.mark.parametrize(
    "broken",
    [
        outcomes(events=[(*event(7)[:-1], None)], rejects=[reject(8)]),
        outcomes(events=[event(7)], findings=[finding(seq=7)], tables=[table(memory=None)]),
    ],
    ids=["before the first row", "after everything else"],
)
def test_a_commit_that_fails_leaves_nothing_and_the_store_goes_on(path: Path, broken: object) -> None:
    # Given a store with an evening's play
    with Store.open(path) as store:
        store.commit(evening(), {("poker.dealing", 0): 7})
        # When a commit fails, then it raises and nothing of it is there
        with pytest.raises(duckdb.ConstraintException):
            store.commit(broken, {("poker.dealing", 0): 8})  # type: ignore[arg-type]
        assert store.offsets() == {("poker.dealing", 0): 7}
        # And the next one is whole
        store.commit(outcomes(events=[event(8)]), {("poker.dealing", 0): 9})
    assert rows(path, "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM rejects)") == [(11, 2)]
    assert rows(path, "SELECT next_offset FROM offsets") == [(9,)]


def test_text_and_times_come_back_as_they_were(path: Path) -> None:
    # Given events with every width of character, some with no hand or observer, at times far apart
    texts = ["ascii", "Málaga", "€ 5", "7♠", "🂡", "a\0b", "'; DROP TABLE events; --"]
    times = [
        datetime(1, 1, 2, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(2026, 1, 31, 20, 0, 0, 1, tzinfo=timezone(timedelta(hours=5, minutes=45))),
        datetime(9999, 12, 30, 23, 59, 59, 999_999, tzinfo=UTC),
    ]
    events = [
        (text, seq, None if seq % 3 else text, text, times[seq % 4], None, "accepted", text, 2**31 - 1, 2**63 - 1, text)
        for seq, text in enumerate(texts * 300)
    ]
    # And one hand among many thousand events of the table alone
    events += [
        ("T", seq, "h" if seq == 7_000 else None, "x", times[2], None, "late", "t", 0, seq, "{}")
        for seq in range(9_000)
    ]
    # When they are committed
    with Store.open(path) as store:
        store.commit(outcomes(events=events), {("t", 0): 1})
        # Then they come back as they were, in their order
        back = list(store.rows("SELECT * EXCLUDE (ingested) FROM events ORDER BY ingested"))
    assert back == events


def test_what_is_stored_already_is_refused(path: Path) -> None:
    # Given a source stored up to offset 8
    with Store.open(path) as store:
        store.commit(evening(), {("poker.dealing", 0): 8})
    # When a later process commits it from an earlier offset again, then it is refused with the two offsets
    with Store.open(path) as store, pytest.raises(AlreadyStored, match=r"stored up to offset 8; a commit up to 5"):
        store.commit(outcomes(events=[event(4)]), {("poker.dealing", 0): 5})
    assert rows(path, "SELECT count(*) FROM events") == [(10,)]


def test_offsets_are_kept_by_source_and_partition(path: Path) -> None:
    # Given commits that each move some of the offsets on
    with Store.open(path) as store:
        assert store.offsets() == {}
        store.commit(outcomes(), {("poker.dealing", 0): 3, ("poker.dealing", 1): 4})
        store.commit(outcomes(), {("poker.dealing", 1): 6, ("poker.betting", 0): 1})
    # When the store is opened again, then each is the last one
    with Store.open(path) as store:
        assert store.offsets() == {("poker.dealing", 0): 3, ("poker.dealing", 1): 6, ("poker.betting", 0): 1}


def test_the_order_of_ingestion_is_kept_over_restarts(path: Path) -> None:
    # Given events of two partitions, committed by two processes one after the other
    arrived = [event(1), event(1, table="T2", partition=1), event(2), event(2, table="T2", partition=1), event(3)]
    for part in (arrived[:2], arrived[2:]):
        with Store.open(path) as store:
            store.commit(outcomes(events=part), {})
    # Then they can be read in the order in which they came
    stored = rows(path, "SELECT table_id, seq FROM events ORDER BY ingested")
    assert stored == [one[:2] for one in arrived]


def test_a_restart_gets_each_open_table_with_the_events_after_its_boundary(path: Path) -> None:
    # Given an open table between two hands, an open one that waits for a gap and took in a late event, one without
    # events, and two closed ones
    with Store.open(path) as store:
        store.commit(
            outcomes(
                events=[event(seq) for seq in (1, 2, 3, 4)]
                + [event(6, table="T2"), event(5, table="T2"), event(3, table="T2", disposition="late")]
                + [event(4, table="T2", disposition="late"), event(1, table="T4"), event(2, table="T5")],
                tables=[
                    table("T1", boundary_seq=2),
                    table("T2", boundary_seq=2, next_seq=5, late=(4,)),
                    table("T3"),
                    table("T4", open=False),
                    table("T5", open=False, partition=1),
                ],
            ),
            {},
        )
    # When the store is opened for a restart
    with Store.open(path) as store:
        found = {record.table_id: (record, raws) for record, raws in store.tables(closed=1)}
        of_partition = [record.table_id for record, _ in store.tables(closed=1, partition=0)]
    # Then the open tables are there with the events after the boundary that took their place, in order of seq, byte
    # for byte; and of the closed ones the one that was closed last
    assert list(found) == ["T1", "T2", "T3", "T5"]
    assert found["T1"] == (table("T1", boundary_seq=2), [raw(event(3)), raw(event(4))])
    assert found["T2"][1] == [raw(event(seq, table="T2")) for seq in (4, 5, 6)]
    assert found["T3"][1] == []
    # And a partition's own tables can be had alone
    assert of_partition == ["T1", "T2", "T3", "T4"]


def test_tables_of_a_partition_are_taken_over_from_another_store(path: Path) -> None:
    # Given a store that held a partition's tables once, T1 in the middle of a hand
    with Store.open(path) as store:
        store.commit(
            outcomes(events=[event(seq) for seq in (1, 2, 3)], tables=[table("T1"), table("T2", partition=1)]),
            {("poker.dealing", 0): 4},
        )
        # When the partition comes back, with what another store has audited since
        later = [(seq, raw(event(seq))) for seq in (3, 8, 9)]
        store.adopt(
            0, {("poker.dealing", 0): 10}, [(table("T1", boundary_seq=2, next_seq=9), later), (table("T3"), [])]
        )
    # Then it goes on from there, with the events that others hold, and those that it holds itself not twice
    with Store.open(path) as store:
        assert store.offsets() == {("poker.dealing", 0): 10}
        found = {record.table_id: raws for record, raws in store.tables(closed=0)}
        assert found == {"T1": [one for _, one in later], "T2": [], "T3": []}
        # And what lies behind is dropped as the table goes on
        store.commit(outcomes(tables=[table("T1", boundary_seq=8)]), {})
    assert rows(path, "SELECT seq FROM carried") == [(9,)]
    assert rows(path, "SELECT seq FROM events ORDER BY seq") == [(1,), (2,), (3,)]


def test_what_is_to_go_out_stays_until_it_is_delivered(path: Path) -> None:
    # Given two findings, one of them in two versions, and a reject, on their way out
    first, second, bad = finding(seq=1), finding(seq=2), reject(headers=(("h", b"1"),))
    settled = finding(seq=1, handled="contrary")
    with Store.open(path) as store:
        letters = [Letter(1, first), Letter(2, second), Letter(3, bad)]
        store.commit(outcomes(findings=[first, second], rejects=[bad]), {}, letters=letters)
        store.commit(outcomes(findings=[settled]), {}, letters=[Letter(4, settled)])
    # When the process ends before any was taken, then the next one has them all, each as it is now
    with Store.open(path) as store:
        assert store.letters(after=0, most=9) == [
            Letter(1, settled),
            Letter(2, second),
            Letter(3, bad),
            Letter(4, settled),
        ]
        assert store.letters(after=1, most=1) == [Letter(2, second)]
        assert store.last_letter == 4
        # And what was taken is gone with the next checkpoint
        store.commit(outcomes(), {}, delivered=3)
        assert [number for number, _ in store.letters(after=0, most=9)] == [4]
