"""The reading side: what `explain` asks for, and free SQL that can do no harm."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_kit import evening, event, filled, finding, outcomes, raw

from auditor.store.reader import FindingUnknown, QueryRefused, QueryTimeout, Reader
from auditor.store.writer import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.duckdb"


@pytest.fixture(scope="module")
def evening_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("evening") / "room.duckdb"
    with filled(path):
        return path


@pytest.fixture
def reader(evening_store: Path, path: Path) -> Iterator[Reader]:
    shutil.copy(evening_store, path)
    with Reader.open(path) as reader:
        yield reader


def test_a_finding_is_found_by_the_beginning_of_its_id(reader: Reader) -> None:
    # Given a finding, when its id or a beginning that no other shares is asked for, then it comes back as it was
    assert reader.finding(finding().finding_id) == finding()
    assert reader.finding(finding().finding_id[:8]) == finding()


def test_a_beginning_that_fits_none_or_several_is_told(reader: Reader) -> None:
    # When the beginning fits none, or several, then the error says which
    with pytest.raises(FindingUnknown, match="no finding has an id that begins with 'zz'"):
        reader.finding("zz")
    with pytest.raises(FindingUnknown, match="more than one finding"):
        reader.finding("")


def test_a_hand_comes_with_its_findings_and_its_events(reader: Reader) -> None:
    # Given a hand with three findings, when it is asked for
    found = reader.findings_of_hand("T1", "h1")
    raws = reader.events_of_hand("T1", "h1")
    # Then both are in the order of the events
    assert [one.rule for one in found] == ["DEAL112", "DEAL106", "RUL102"]
    assert raws == [raw(one) for one in evening().events[1:6]]


def test_a_late_event_is_no_part_of_the_hand_as_it_was_audited(reader: Reader) -> None:
    # Given a hand with an event that came too late, when its events are asked for, then that one is not among them
    assert [b'"seq": 3' in raw for raw in reader.events_of_hand("T2", "h9")] == [False, False]


def test_the_openings_of_a_table_before_a_hand(path: Path) -> None:
    # Given a table opened twice, with hands after each
    opened = [event(seq, "table_opened", hand=None) for seq in (1, 5, 9)]
    with Store.open(path) as store:
        store.commit(outcomes(events=[opened[0], event(2), opened[1], event(6), opened[2]]), {})
    # When the openings before the second hand are asked for, then they are the first two, in order
    with Reader.open(path) as reader:
        assert reader.table_opened_before("T1", 6) == [raw(opened[0]), raw(opened[1])]
        assert reader.table_opened_before("T9", 6) == []


HARMFUL = [
    "INSERT INTO offsets VALUES ('x', 0, 1)",
    "WITH gone AS (DELETE FROM findings RETURNING finding_id) FROM gone",
    "WITH more AS (INSERT INTO offsets VALUES ('x', 0, 1) RETURNING *) FROM more",
    "WITH out AS (COPY findings TO 'stolen.csv') SELECT 1",
    "UPDATE findings SET severity = 'info'",
    "DELETE FROM findings",
    "DROP TABLE findings",
    "TRUNCATE findings",
    "CREATE TABLE mine (a INTEGER)",
    "COPY findings TO 'stolen.csv'",
    "COPY findings TO '/dev/stdout'",
    "COPY offsets FROM '/etc/passwd'",
    "COPY offsets TO 'room.duckdb'",
    "COPY offsets TO './room.duckdb.wal'",
    "COPY offsets TO 'room.duckdb.wal.recovery'",
    "COPY offsets TO 'room.duckdb.wal.checkpoint'",
    "COPY offsets TO 'room.duckdb.tmp/x.csv'",
    "EXPORT DATABASE 'stolen'",
    "IMPORT DATABASE 'stolen'",
    "ATTACH 'other.duckdb' AS other",
    "ATTACH 'room.duckdb' AS again",
    "INSTALL httpfs",
    "LOAD httpfs",
    "FROM read_csv('/etc/passwd')",
    "FROM read_text('/etc/passwd')",
    "FROM read_blob('/etc/passwd')",
    "FROM read_blob('room.duckdb')",
    "FROM '/etc/passwd'",
    "FROM glob('/etc/*')",
    "FROM sniff_csv('/etc/passwd')",
    "FROM read_csv('https://example.org/x.csv')",
    "SET enable_external_access = true",
    "RESET enable_external_access",
    "SET lock_configuration = false",
    "PRAGMA enable_profiling",
    "CALL enable_logging(storage_path = 'logs')",
    "CREATE PERSISTENT SECRET s (TYPE s3)",
    "SELECT getenv('HOME')",
    "FROM HARMFUL",
    "SELECT 1; DELETE FROM findings",
    "",
    "nonsense",
]


def _footprint(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.mark.parametrize("sql", HARMFUL)
def test_sql_that_would_write_or_reach_outside_is_refused(
    reader: Reader, path: Path, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given a store and everything beside it
    monkeypatch.chdir(path.parent)
    (path.parent / "room.duckdb.tmp").mkdir()  # where DuckDB would put temporary files
    before = _footprint(path.parent)
    # When the statement is run, then it is refused
    with pytest.raises(QueryRefused):
        list(reader.run(sql))
    # And nothing has changed, neither the file nor what is beside it
    reader.connection.close()
    assert _footprint(path.parent) == before


@pytest.mark.parametrize(
    "sql",
    [
        "FROM findings",
        "SUMMARIZE hands",
        "DESCRIBE events",
        "SHOW TABLES",
        "EXPLAIN SELECT count(*) FROM hands",
        "PIVOT findings ON severity USING count(*)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) FROM n",
        "SELECT raw ->> '$.type', json_extract(raw, '$.seat') FROM events",
        'SELECT time_bucket(INTERVAL 1 HOUR, "at"), count(*) FROM events GROUP BY 1',
    ],
)
def test_sql_that_reads_the_store_is_answered(reader: Reader, sql: str) -> None:
    # When a statement only reads the store, of whatever kind, then it has an answer
    assert list(reader.run(sql))


def test_times_come_back_in_utc(reader: Reader) -> None:
    # Given events stored at 20:00 UTC, when the clock of the machine is another, then they are read in UTC
    [(text, at)] = reader.run('SELECT min("at")::VARCHAR, min("at") FROM events')
    assert text == "2026-01-31 20:00:01+00"
    assert at.isoformat() == "2026-01-31T20:00:01+00:00"


def test_the_limit_cuts_an_answer_and_says_so(reader: Reader) -> None:
    # When there are more rows than the limit, then the answer is cut and says so
    cut = reader.run("FROM events", limit=3)
    assert len(list(cut)) == 3
    assert cut.more
    # And when there are just as many, it does not
    whole = reader.run("FROM events", limit=10)
    assert len(list(whole)) == 10
    assert not whole.more


def test_a_query_that_takes_too_long_is_stopped_and_the_next_one_runs(reader: Reader) -> None:
    # Given a query of hours, when it has a timeout, then it is stopped
    with pytest.raises(QueryTimeout, match="longer than its timeout"):
        list(reader.run("SELECT sum(a.i * b.i) FROM range(10000000) a(i), range(10000000) b(i)", timeout=0.2))
    # And the reader goes on
    assert list(reader.run("SELECT 1", timeout=5)) == [(1,)]


def test_a_slow_reader_of_rows_is_stopped_too(reader: Reader) -> None:
    # Given an endless answer, when it is read past the timeout, then it is stopped
    with pytest.raises(QueryTimeout):
        for _ in reader.run("FROM range(1000000000000)", timeout=0.2):
            pass


def test_a_column_named_twice_is_numbered(reader: Reader) -> None:
    # When two columns have one name, then each is to be told from the other
    assert reader.run("SELECT 1 AS a, 2 AS A, 3 AS b").columns == ["a", "A_2", "b"]


@pytest.mark.parametrize("sql", ["SELECT max(at) FROM events", "SELECT offset FROM events"])
def test_a_reserved_word_gets_a_hint(reader: Reader, sql: str) -> None:
    # When a reserved name is used without its quotes, then the error says how to write it
    with pytest.raises(QueryRefused, match="write them in double quotes"):
        reader.run(sql)


def test_a_store_whose_writer_was_killed_is_read_with_its_last_commit(path: Path) -> None:
    # Given a writer that was killed right after a commit, its log not yet folded into the file
    code = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from store_kit import evening
from auditor.store.writer import Store
Store.open(sys.argv[1]).commit(evening(), {{}})
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", code, path], check=False)
    # When the store is read before any writer has opened it again, then the commit is there
    with Reader.open(path) as reader:
        assert list(reader.run("SELECT count(*) FROM events")) == [(10,)]
