"""`auditor query`: every format parses back, every error has its words and its exit code."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from store_kit import evening, event, filled, outcomes, reject
from typer.testing import CliRunner, Result

from auditor.cli.main import app
from auditor.store.named import catalogue
from auditor.store.writer import Store


@pytest.fixture(scope="module")
def evening_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("evening") / "room.duckdb"
    with filled(path):
        return path


@pytest.fixture
def path(evening_store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(evening_store, tmp_path / "room.duckdb"))


def _query(*args: object) -> Result:
    return CliRunner().invoke(app, ["query", *map(str, args)])


def _json(*args: object) -> list[dict[str, Any]]:
    result = _query(*args, "--format", "json")
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert isinstance(answer, list)
    return answer


def _csv(*args: object) -> list[dict[str, str]]:
    result = _query(*args, "--format", "csv")
    assert result.exit_code == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout_bytes.decode(), newline="")))


def test_json_is_an_array_of_objects_with_the_contracts_fields(path: Path) -> None:
    # When findings are asked for as JSON
    [first, *_] = _json("findings", "--store", path)
    # Then each is an object with the fields of a finding, as the contract writes them
    assert first["rule"] == "RUL102"
    assert first["at"] == "2026-01-31T20:00:06+00:00"
    assert (first["seats"], first["cards"], first["evidence"]) == ([3], ["As"], [4, 5])
    assert set(first) == set(next(iter(evening().findings.values())).model_dump())


def test_an_empty_answer_is_an_empty_array(path: Path) -> None:
    assert _json("FROM hands WHERE false", "--store", path) == []


def test_values_that_json_has_no_room_for(path: Path) -> None:
    # Given bytes that are text and bytes that are not, numbers beyond 64 bits, and what is no number
    sql = (
        "SELECT encode('é') AS text, '\\xFF\\x00'::BLOB AS bytes, 170141183460469231731687303715884105727 AS big, "
        "1.5 AS fraction, 'nan'::DOUBLE AS nan, {'a': [1, NULL]} AS object, DATE '2026-01-31' AS day, NULL AS nothing"
    )
    # When they are asked for as JSON
    [row] = _json(sql, "--store", path)
    # Then text is text, other bytes are marked base64, integers are exact, and what is no number is null
    assert row == {
        "text": "é",
        "bytes": "base64:/wA=",
        "big": 2**127 - 1,
        "fraction": 1.5,
        "nan": None,
        "object": {"a": [1, None]},
        "day": "2026-01-31",
        "nothing": None,
    }


def test_jsonl_is_an_object_a_line(path: Path) -> None:
    result = _query("findings", "--store", path, "--format", "jsonl")
    assert [json.loads(line) for line in result.stdout.splitlines()] == _json("findings", "--store", path)


def test_csv_parses_back(path: Path) -> None:
    # Given a reject with commas, quotes and line breaks
    with Store.open(path) as store:
        store.commit(outcomes(rejects=[reject(99, b'a,"b"\r\nc')]), {})
    # When it is written as CSV, then it reads back as it was
    [first, *_] = _csv("rejects", "--store", path)
    assert (first["offset"], first["raw"]) == ("99", 'a,"b"\r\nc')
    # And lists are JSON
    [first, *_] = _csv("findings", "--store", path)
    assert (json.loads(first["cards"]), first["at"]) == (["As"], "2026-01-31T20:00:06+00:00")


def test_parquet_keeps_the_types(path: Path, tmp_path: Path) -> None:
    # When every table and a column of nothing are written as Parquet, then they read back, typed
    out = tmp_path / "findings.parquet"
    assert _query("findings", "--store", path, "--format", "parquet", "--out", out).exit_code == 0
    table = pyarrow.parquet.read_table(out)
    [first, *_] = table.to_pylist()
    assert (first["rule"], first["evidence"], first["degraded"]) == ("RUL102", [4, 5], False)
    assert first["at"].isoformat() == "2026-01-31T20:00:06+00:00"
    for name in ("events", "rejects", "hands", "tables", "offsets"):
        assert _query(f"FROM {name}", "--store", path, "--format", "parquet", "--out", out).exit_code == 0
        assert pyarrow.parquet.read_table(out).num_rows == len(_json(f"FROM {name}", "--store", path))
    odd = "SELECT NULL AS n, [NULL] AS l, 2::HUGEINT AS h"
    assert _query(odd, "--store", path, "--format", "parquet", "--out", out).exit_code == 0
    assert pyarrow.parquet.read_table(out).to_pylist() == [{"n": None, "l": [None], "h": 2}]


def test_parquet_goes_to_a_pipe_as_bytes(path: Path) -> None:
    command = [sys.executable, "-m", "auditor.cli.main", "query", "FROM hands", "--format", "parquet"]
    done = subprocess.run([*command, "--store", str(path)], capture_output=True, check=True)
    assert pyarrow.parquet.read_table(pyarrow.BufferReader(done.stdout)).num_rows == 3


def test_a_table_in_a_pipe_is_plain_text(path: Path) -> None:
    # When a table is not printed on a terminal
    result = _query("tables", "--store", path)
    # Then it is columns without colour, frame or trailing blanks
    lines = result.stdout.splitlines()
    assert lines[0].split() == [
        "table_id", "location", "game", "betting", "open", "boundary_seq", "next_seq", "duplicates", "hands",
    ]  # fmt: skip
    assert [line.split()[0] for line in lines[1:]] == ["T1", "T2"]
    assert all(line == line.rstrip() and line.isascii() and "\x1b" not in line for line in lines)


def test_what_a_feed_sent_does_not_steer_the_terminal(path: Path) -> None:
    # Given a reject with control characters, and one that is longer than anybody reads
    with Store.open(path) as store:
        store.commit(outcomes(rejects=[reject(50, b"\x1b[2Jbell\x07\n" + b"x" * 5000)]), {})
    # When it is shown in a table, then it is harmless and short
    result = _query('SELECT raw FROM rejects WHERE "offset" = 50', "--store", path)
    assert "\x1b" not in result.stdout
    assert "\\x1b[2Jbell\\x07\\x0a" in result.stdout
    assert max(map(len, result.stdout.splitlines())) < 300


def test_a_table_is_cut_at_five_hundred_rows_and_says_so(path: Path) -> None:
    with Store.open(path) as store:
        store.commit(outcomes(events=[event(seq, table="T7") for seq in range(1, 1000)]), {})
    cut = _query("FROM events", "--store", path)
    assert len(cut.stdout.splitlines()) == 501
    assert "only the first 500 rows are shown" in cut.stderr
    whole = _query("FROM events", "--store", path, "--limit", 0)
    assert len(whole.stdout.splitlines()) == 1010
    assert whole.stderr == ""


def test_parameters_reach_named_queries_and_free_sql(path: Path) -> None:
    assert len(_json("findings", "--store", path, "--param", "severity=major", "--param", "table=T1")) == 2
    sql = "SELECT rule FROM findings WHERE rule = $rule"
    assert _json(sql, "--store", path, "--param", "rule=DEAL106") == [{"rule": "DEAL106"}]
    # A value is a value, whatever it looks like
    assert _json(sql, "--store", path, "--param", "rule=x' OR true --") == []


def test_an_out_file_is_whole_or_not_there(path: Path, tmp_path: Path) -> None:
    # Given a file with an earlier answer
    out = tmp_path / "answer.json"
    assert _query("overview", "--store", path, "--format", "json", "--out", out).exit_code == 0
    before = out.read_text()
    assert json.loads(before)[0]["findings"] == 5
    # When a query fails half way, then the earlier answer is still there, and nothing beside it
    slow = "SELECT i FROM range(1000000000000) t(i)"
    assert _query(slow, "--store", path, "--format", "json", "--out", out, "--timeout", 0.3).exit_code == 4
    assert out.read_text() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["answer.json", "room.duckdb"]


def test_the_list_names_every_query_and_parameter() -> None:
    result = _query("--list")
    assert result.exit_code == 0
    for query in catalogue().values():
        assert query.name in result.stdout
        assert query.title in result.stdout
        assert all(one.meaning in result.stdout for one in query.parameters)
    # And for a machine it is JSON
    listed = json.loads(_query("--list", "--format", "json").stdout)
    assert [one["name"] for one in listed] == list(catalogue())


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "which query?"),
        (["findings"], "which store?"),
        (["findings", "--store", "{path}", "--param", "severity"], "NAME=VALUE is expected"),
        (["findings", "--store", "{path}", "--param", "colour=red"], "has no parameter 'colour'"),
        (["hand", "--store", "{path}"], "needs --param table="),
        (["findigns", "--store", "{path}"], "Did you mean findings?"),
        (["overview", "--store", "{path}.gone"], "there is no store at"),
        (["SELECT nonsense FROM hands", "--store", "{path}"], 'Referenced column "nonsense" not found'),
        (["DELETE FROM findings", "--store", "{path}"], "read-only"),
        (["findings", "--store", "{path}", "--param", "since=soon"], "soon"),
        (["overview", "--store", "{path}", "--out", "{path}"], "--out is the store itself"),
        (["overview", "--store", "{path}", "--out", "{path}.d/x"], "cannot write"),
        (["overview", "--store", "{path}", "--out", "{path}.d/x", "--format", "parquet"], "cannot write"),
    ],
)
def test_a_wrong_call_exits_2_with_words_on_stderr(path: Path, args: list[str], words: str) -> None:
    before = path.read_bytes()
    result = _query(*[arg.format(path=path) for arg in args])
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""
    assert path.read_bytes() == before


def test_a_damaged_store_exits_3(path: Path) -> None:
    path.write_bytes(b"\x00" * 20_000)
    result = _query("overview", "--store", path)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "is damaged" in result.stderr


def test_a_store_in_use_exits_4_and_names_the_holder(path: Path) -> None:
    # Given this process writes the store
    with Store.open(path):
        # When another one asks it
        command = [sys.executable, "-m", "auditor.cli.main", "query", "overview", "--store", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (4, "")
    assert "in use by process" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_help_teaches_with_an_example() -> None:
    result = _query("--help")
    assert "auditor query findings-by-rule --store room.duckdb" in result.stdout


@pytest.mark.parametrize(("sql", "framed"), [("SELECT 1 AS one", True), ("FROM findings", False)])
def test_on_a_terminal_a_wide_row_becomes_a_block(path: Path, sql: str, framed: bool) -> None:
    # Given a terminal of eighty columns
    pty = pytest.importorskip("pty", reason="no pseudo-terminals on this platform")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "auditor.cli.main", "query", sql, "--store", str(path), "--limit", "1"]
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "xterm"}
    # When an answer is printed on it
    subprocess.run(command, stdout=theirs, stderr=subprocess.DEVNULL, env=environment, check=True)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    # Then a narrow one is a table with a rule under its head, and a wide one a line for each column
    assert ("row 1" in shown) is not framed
    assert max(map(len, shown.splitlines())) <= 90
