"""The named queries: each documented, each running on an empty and on a filled store, with the right figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from store_kit import filled

from auditor.store.named import NamedQuery, UnknownQuery, WrongParameter, catalogue, find, parse
from auditor.store.reader import QueryRefused, Reader
from auditor.store.writer import Store

QUERIES = catalogue()
REQUIRED = {"table": "T1", "hand": "h1"}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with filled(tmp_path_factory.mktemp("filled") / "room.duckdb") as reader:
        yield reader


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    path = tmp_path_factory.mktemp("empty") / "room.duckdb"
    Store.open(path).close()
    with Reader.open(path) as reader:
        yield reader


def _ask(reader: Reader, name: str, **given: str) -> list[dict[str, Any]]:
    query = find(name)
    answer = reader.run(query.sql, query.bind(given))
    return [dict(zip(answer.columns, row, strict=True)) for row in answer]


def _required(query: NamedQuery) -> dict[str, str]:
    return {one.name: REQUIRED[one.name] for one in query.parameters if one.required}


@pytest.mark.parametrize("query", QUERIES.values(), ids=list(QUERIES))
def test_each_query_is_documented(query: NamedQuery) -> None:
    # Given the file of a query, then its title, its description and each parameter's meaning are written
    assert 10 <= len(query.title) <= 80
    assert query.description.endswith(".")
    assert all(len(one.meaning) > 10 for one in query.parameters)
    # And its SQL uses just the parameters that its header names
    used = {one.name for one in query.parameters if f"${one.name}" in query.sql}
    assert used == {one.name for one in query.parameters}


@pytest.mark.parametrize("query", QUERIES.values(), ids=list(QUERIES))
def test_each_query_runs_on_an_empty_store(empty: Reader, query: NamedQuery) -> None:
    # When it is asked of a store without events, then it has columns and at most a row of noughts
    answer = empty.run(query.sql, query.bind(_required(query)))
    assert answer.columns
    assert len(list(answer)) == (1 if query.name == "overview" else 0)


@pytest.mark.parametrize("query", QUERIES.values(), ids=list(QUERIES))
def test_each_query_finds_something_in_a_filled_store(reader: Reader, query: NamedQuery) -> None:
    # When it is asked of an evening's play with its defaults, then it has an answer
    assert _ask(reader, query.name, **_required(query))


@pytest.mark.parametrize("query", QUERIES.values(), ids=list(QUERIES))
def test_each_filter_filters(reader: Reader, query: NamedQuery) -> None:
    # Given each of its filters that names a thing, when it names one that is not there, then there is nothing
    for name in {one.name for one in query.parameters} & {"table", "hand", "rule", "dealer", "source", "kind"}:
        assert _ask(reader, query.name, **{**_required(query), name: "nobody"}) == []
    # And when it ends before the evening, then there are no findings
    if "until" in {one.name for one in query.parameters}:
        assert all(row.get("findings", 0) == 0 for row in _ask(reader, query.name, until="2026-01-31"))


def test_findings_are_chosen_by_severity(reader: Reader) -> None:
    # When findings are asked for from a severity on, then the graver ones come too, newest first
    assert [row["rule"] for row in _ask(reader, "findings", severity="minor")] == ["RUL102", "DEAL106", "DEAL112"]
    assert [row["rule"] for row in _ask(reader, "findings", severity="critical")] == []
    # And a finding without a time comes last
    assert [row["rule"] for row in _ask(reader, "findings")][-1] == "FEED108"


def test_a_severity_that_does_not_exist_is_no_empty_answer(reader: Reader) -> None:
    with pytest.raises(QueryRefused, match="a severity is one of: info, minor, major, critical"):
        _ask(reader, "findings", severity="grave")


def test_a_time_may_have_any_offset(reader: Reader) -> None:
    # Given findings at 20:00:04 UTC and after, when the time is given in another zone, then it is the same moment
    assert len(_ask(reader, "findings", since="2026-01-31T21:00:05+01:00")) == 2


def test_findings_by_rule_counts_what_was_not_dealt_with(reader: Reader) -> None:
    [row] = [row for row in _ask(reader, "findings-by-rule") if row["rule"] == "RUL102"]
    assert (row["findings"], row["hands"], row["contrary"], row["open"]) == (1, 1, 1, 0)


def test_findings_by_table_has_each_table_with_its_rate(reader: Reader) -> None:
    rows = {row["table_id"]: row for row in _ask(reader, "findings-by-table")}
    assert {name: (row["hands"], row["findings"], row["major"]) for name, row in rows.items()} == {
        "T1": (2, 3, 2),
        "T2": (1, 2, 0),
    }
    assert rows["T1"]["per_thousand_hands"] == 1500.0


def test_findings_by_day_follow_the_zone(reader: Reader) -> None:
    # Given findings at 20:00 UTC, when days are those of Auckland, then it is the day after
    days = {
        zone: [row["day"] for row in _ask(reader, "findings-by-day", zone=zone)] for zone in ("UTC", "Pacific/Auckland")
    }
    assert [str(day) for day in days["UTC"]] == ["2026-01-31", "None"]
    assert [str(day) for day in days["Pacific/Auckland"]] == ["2026-02-01", "None"]


def test_dealer_error_rates_divide_the_dealers_own_errors_by_the_hands_dealt(reader: Reader) -> None:
    # Given Ada with two errors of her own in two hands (a wrong ruling is not hers), and Bram with a gap in his feed
    rates = {row["dealer_id"]: row for row in _ask(reader, "dealer-error-rates")}
    # Then the rates are per thousand hands, and Bram's is nought
    assert (rates["Ada"]["hands"], rates["Ada"]["errors"], rates["Ada"]["grave"]) == (2, 2, 1)
    assert rates["Ada"]["per_thousand_hands"] == 1000.0
    assert rates["Bram"]["per_thousand_hands"] == 0.0
    # And a dealer with too few hands can be left out
    assert [row["dealer_id"] for row in _ask(reader, "dealer-error-rates", min_hands="2")] == ["Ada"]


def test_open_incidents_are_listed_by_hand(reader: Reader) -> None:
    [row] = _ask(reader, "open-incidents")
    assert (row["table_id"], row["hand_id"], row["incidents"], row["rules"]) == ("T1", "h1", 1, ["DEAL106"])
    assert (row["worst"], row["prescribed"], row["status"]) == ("major", ["misdeal"], "ended")


def test_rulings_contrary_lists_only_those(reader: Reader) -> None:
    assert [(row["rule"], row["handled"]) for row in _ask(reader, "rulings-contrary")] == [("RUL102", "contrary")]


def test_the_timeline_of_a_hand_shows_what_was_found_where(reader: Reader) -> None:
    # When a hand's timeline is asked for
    timeline = _ask(reader, "hand-timeline", table="T1", hand="h1")
    # Then its events are in order, with what they were and what they proved
    assert [row["seq"] for row in timeline] == [2, 3, 4, 5, 6]
    assert (timeline[1]["seat"], timeline[1]["cards"]) == (2, "Kd")
    assert (timeline[3]["detail"], timeline[3]["amount"]) == ("raise", 600)
    assert timeline[3]["findings"] == ["DEAL106 out-of-sequence"]
    # And a late event is shown as such
    assert [row["disposition"] for row in _ask(reader, "hand-timeline", table="T2", hand="h9")] == [
        "accepted",
        "late",
        "accepted",
    ]


def test_feed_health_has_a_row_for_each_partition(reader: Reader) -> None:
    rows = {(row["source"], row["partition"]): row for row in _ask(reader, "feed-health")}
    assert list(rows) == [("poker.betting", 0), ("poker.dealing", 0), ("poker.dealing", 1)]
    sick = rows["poker.dealing", 1]
    names = ("next_offset", "events", "tables", "rejects", "conflicts", "gaps", "late", "duplicates")
    assert [sick[name] for name in names] == [5, 4, 1, 1, 1, 1, 1, 2]
    assert str(sick["last_at"]) == "2026-01-31 20:00:04+00:00"


def test_the_nearest_name_is_suggested() -> None:
    with pytest.raises(UnknownQuery, match=r"Did you mean findings-by-rule\?"):
        find("finding-by-rules")
    with pytest.raises(UnknownQuery, match="--list"):
        find("zzz")


def test_parameters_are_checked_before_the_query_runs() -> None:
    with pytest.raises(WrongParameter, match="needs --param table="):
        find("hand").bind({"hand": "h1"})
    with pytest.raises(WrongParameter, match="has no parameter 'tabel'; it takes: hand, table"):
        find("hand").bind({"hand": "h1", "tabel": "T1"})


@pytest.mark.parametrize(
    "text", ["SELECT 1", "-- Only a title\n\nSELECT 1", "-- A\n-- B.\n-- param x = 3 -- c\nSELECT 1"]
)
def test_a_file_without_its_header_is_no_query(text: str) -> None:
    with pytest.raises(ValueError, match="the query mine"):
        parse("mine", text)
