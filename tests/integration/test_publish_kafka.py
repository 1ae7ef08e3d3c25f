"""Findings and dead letters to topics of an Apache Kafka."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest
from kafka import KafkaConsumer
from live_kit import Topics, free_port, new_topics

from auditor import __version__
from auditor.cluster import Cluster
from auditor.findings import Finding, Reject
from auditor.intake import PublishFailed
from auditor.publish.dead_letters import KafkaDeadLetters
from auditor.publish.kafka import KafkaPublisher
from auditor.publish.payload import payload

pytestmark = pytest.mark.kafka

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def topics(kafka: str) -> Topics:
    return new_topics(kafka, partitions=3)


def finding(name: str, table: str | None = "T1") -> Finding:
    return Finding(
        finding_id=name, rule="DCK101", name="duplicate-card", severity="critical", table_id=table, hand_id="H1", seq=7,
        at=NOON, message="Two aces of spades.", incident=name, source_rule="RR",
    )  # fmt: skip


def read(topics: Topics, topic: str) -> list[Any]:
    consumer = KafkaConsumer(
        topic, bootstrap_servers=topics.bootstrap, auto_offset_reset="earliest", consumer_timeout_ms=1_500
    )
    with closing(consumer):
        return list(consumer)


def test_findings_are_keyed_by_table_and_named(topics: Topics) -> None:
    # given findings of two tables, and one of none
    findings = [finding("f1", "T1"), finding("f2", "T2"), finding("f3", "T1"), finding("f4", None)]
    # when
    with closing(KafkaPublisher(Cluster(topics.bootstrap), topics.dealing)) as publisher:
        publisher.publish(findings)
    # then
    records = {dict(record.headers)["finding_id"].decode(): record for record in read(topics, topics.dealing)}
    assert [Finding.model_validate_json(records[f.finding_id].value) for f in findings] == findings
    assert [records[f.finding_id].key for f in findings] == [b"T1", b"T2", b"T1", None]
    assert (records["f1"].partition, records["f1"].offset) < (records["f3"].partition, records["f3"].offset)
    assert records["f1"].partition == records["f3"].partition
    assert dict(records["f1"].headers) == {
        "finding_id": b"f1",
        "version": payload(findings[0]).version.encode(),
        "rule": b"DCK101",
        "severity": b"critical",
        "content-type": b"application/json",
    }


def test_a_finding_that_is_too_long_is_refused_and_costs_the_others_nothing(topics: Topics) -> None:
    # given a finding that is longer than the broker takes any record, between two that are not
    findings = [finding("f1"), finding("f2").model_copy(update={"message": "x" * (20 << 20)}), finding("f3")]
    # when
    with closing(KafkaPublisher(Cluster(topics.bootstrap), topics.dealing)) as publisher:
        publisher.publish(findings)
        assert publisher.refused == 1
    # then
    arrived = [dict(record.headers)["finding_id"] for record in read(topics, topics.dealing)]
    assert arrived == [b"f1", b"f3"]


def test_a_topic_that_is_not_there_is_named(topics: Topics) -> None:
    with (
        closing(KafkaPublisher(Cluster(topics.bootstrap), "nowhere")) as publisher,
        pytest.raises(PublishFailed, match=r"no topic nowhere at .+: create it, or name another"),
    ):
        publisher.publish([finding("f1")])


def test_a_broker_that_is_away_is_no_acknowledgement() -> None:
    with (
        closing(KafkaPublisher(Cluster(f"127.0.0.1:{free_port()}"), "poker.findings")) as publisher,
        pytest.raises(PublishFailed, match="did not take what was sent"),
    ):
        publisher.publish([finding("f1")])


def test_a_reject_arrives_as_it_came_with_the_reason(topics: Topics) -> None:
    # given a record with a key and a header of its own, and one that has neither
    rejects = [
        Reject(source="poker.dealing", partition=2, offset=41, raw=b"{not json", reason="no JSON", key=b"T1", at=NOON,
               headers=(("trace", b"abc"), ("empty", None))),
        Reject(source="poker.betting", partition=0, offset=9, raw=b"", reason="a tombstone"),
    ]  # fmt: skip
    # when
    with closing(KafkaDeadLetters(Cluster(topics.bootstrap), topics.dealing)) as dead_letters:
        dead_letters.send(rejects)
    # then
    records = {record.value: record for record in read(topics, topics.dealing)}
    assert records.keys() == {b"{not json", b""}
    assert [records[reject.raw].key for reject in rejects] == [b"T1", None]
    assert dict(records[b"{not json"].headers) == {
        "trace": b"abc",
        "empty": b"",
        "__auditor.errors.topic": b"poker.dealing",
        "__auditor.errors.partition": b"2",
        "__auditor.errors.offset": b"41",
        "__auditor.errors.timestamp": b"2026-01-01T12:00:00+00:00",
        "__auditor.errors.kind": b"unreadable",
        "__auditor.errors.message": b"no JSON",
        "__auditor.errors.auditor.version": __version__.encode(),
    }


def test_a_reject_that_is_too_long_goes_without_its_value(topics: Topics) -> None:
    # given one record that the broker takes, and one that is longer than it takes any
    rejects = [
        Reject(source="poker.dealing", offset=offset, raw=raw, reason="no JSON", key=b"T1")
        for offset, raw in enumerate((b"short", b"x" * (20 << 20)))
    ]
    # when
    with closing(KafkaDeadLetters(Cluster(topics.bootstrap), topics.dealing)) as dead_letters:
        dead_letters.send(rejects)
        assert dead_letters.refused == 0
    # then
    short, long = sorted(
        read(topics, topics.dealing), key=lambda record: dict(record.headers)["__auditor.errors.offset"]
    )
    assert (short.value, long.value) == (b"short", b"")
    assert dict(long.headers)["__auditor.errors.value.omitted"].startswith(b"20971520 bytes")


def test_a_reject_whose_very_headers_are_too_long_is_refused(topics: Topics, caplog: pytest.LogCaptureFixture) -> None:
    # given one such record, and one that the broker takes
    rejects = [
        Reject(source="poker.dealing", partition=1, offset=offset, raw=b"noise", reason="no JSON", headers=headers)
        for offset, headers in enumerate(((), (("trace", b"x" * (20 << 20)),)))
    ]
    # when
    with closing(KafkaDeadLetters(Cluster(topics.bootstrap), topics.dealing)) as dead_letters:
        dead_letters.send(rejects)
        assert dead_letters.refused == 1
    # then the other one is there, and the log names the place of the first
    (record,) = read(topics, topics.dealing)
    assert dict(record.headers)["__auditor.errors.offset"] == b"0"
    assert "does not even take the headers of poker.dealing, partition 1, offset 1" in caplog.text
