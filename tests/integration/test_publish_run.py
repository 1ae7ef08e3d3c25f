"""`auditor run` sends its findings out: to a topic, to a webhook that fails at first, and to stdout."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from kafka import KafkaConsumer
from live_kit import (
    Message,
    Topics,
    free_port,
    messages,
    new_topics,
    room,
    run_to_end,
    running,
    scrape,
    select,
    send,
    wait_until,
)
from webhook_kit import Answer, Receiver

from auditor.findings import Finding

pytestmark = pytest.mark.kafka

SECRET = "correct horse battery staple"


@pytest.fixture
def topics(kafka: str) -> Topics:
    """Hands with one ace too many, and noise."""
    topics = new_topics(kafka)
    raws = [raw.replace(b'"seat":1}', b'"seat":1,"card":"As"}') for raw in room(tables=2, hands=2)]
    send(topics, [*messages(topics, raws), Message(topics.dealing, b"noise", b"T1")])
    return topics


def latest(raws: list[bytes]) -> dict[str, str]:
    """How each finding was handled, as its last version says."""
    findings = [Finding.model_validate_json(raw) for raw in raws]
    return {finding.finding_id: finding.handled for finding in findings}


def test_each_way_out_gets_what_is_grave_enough_for_it(topics: Topics, tmp_path: Path) -> None:
    # given a topic for all, a webhook for all that fails at first, and stdout for what is critical
    out = new_topics(topics.bootstrap, partitions=1).dealing
    receiver = Receiver(Answer(500), Answer(503, {"retry-after": "1"}))
    (tmp_path / "secret").write_text(SECRET)
    store = tmp_path / "store.duckdb"
    with receiver.serving() as url:
        # when
        ended = run_to_end(
            topics, store, "--assign", "all", "--until-idle", "3", "--findings-topic", out, "--print-findings",
            "--print-minimum", "critical", "--webhook", url, "--webhook-secret-file", str(tmp_path / "secret"),
        )  # fmt: skip
    # then
    stored = {name: (severity, handled) for name, severity, handled in select(
        store, "SELECT finding_id, severity, handled FROM findings"
    )}  # fmt: skip
    everything = {name: handled for name, (_, handled) in stored.items()}
    assert {severity for severity, _ in stored.values()} > {"critical"}
    assert latest([body for _, body in receiver.posts]) == everything
    assert latest(ended.stdout.encode().splitlines()) == {
        name: handled for name, (severity, handled) in stored.items() if severity == "critical"
    }
    consumer = KafkaConsumer(
        out, bootstrap_servers=topics.bootstrap, auto_offset_reset="earliest", consumer_timeout_ms=1_500
    )
    with closing(consumer):
        assert latest([record.value for record in consumer]) == everything


def test_what_could_not_go_out_goes_out_with_the_next_start(topics: Topics, tmp_path: Path) -> None:
    # given a run whose webhook takes nothing
    (tmp_path / "secret").write_text(SECRET)
    store = tmp_path / "store.duckdb"
    with Receiver().serving() as url:
        pass
    call = ["--assign", "all", "--webhook", url, "--webhook-secret-file", str(tmp_path / "secret")]
    run_to_end(topics, store, *call)
    # when the receiver is there for a run that has nothing new to audit
    receiver = Receiver()
    with receiver.serving(int(url.split(":")[2].split("/")[0])):
        ended = run_to_end(topics, store, *call, "--until-idle", "1.5")
    # then
    stored = {name for (name,) in select(store, "SELECT finding_id FROM findings")}
    assert {json.loads(body)["finding_id"] for _, body in receiver.posts} == stored
    assert "0 findings" in ended.stderr


def test_what_does_not_go_out_is_counted(topics: Topics, tmp_path: Path) -> None:
    # given a webhook that nobody answers
    (tmp_path / "secret").write_text(SECRET)
    port, hook = free_port(), free_port()
    with running(
        topics, tmp_path / "store.duckdb", "--assign", "all", "--metrics-port", str(port),
        "--webhook", f"http://127.0.0.1:{hook}/hooks/floor", "--webhook-secret-file", str(tmp_path / "secret"),
    ) as auditor:  # fmt: skip
        # when an attempt has failed, then all that was found waits
        wait_until(lambda: scrape(port).get("auditor_publish_failures_total", 0) > 0, auditor)
        seen = scrape(port)
        assert seen["auditor_outbox_letters"] >= seen["auditor_findings_total"] > 0
        assert seen["auditor_publish_refused_total"] == 0
        # when a receiver is there, and has a plain no for the first, then nothing waits, and one was refused
        with Receiver(Answer(400)).serving(hook):
            wait_until(lambda: scrape(port).get("auditor_outbox_letters") == 0, auditor)
            assert scrape(port)["auditor_publish_refused_total"] == 1
