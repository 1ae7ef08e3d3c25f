"""`auditor run` on an Apache Kafka with TLS, SCRAM, PLAIN and client certificates: it gets in, or says why not."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from kafka import KafkaConsumer
from kafka.errors import KafkaTimeoutError
from kafka_broker import KafkaMissing, required
from live_kit import WAIT, Message, Topics, free_port, messages, new_topics, room, running, select, send
from secured_kit import KEY_PASSWORD, PASSWORD, USER, Secured, secured_broker

from auditor.cluster import Cluster, Sasl, Tls
from auditor.findings import Finding
from auditor.intake import PublishFailed
from auditor.publish.kafka import KafkaPublisher
from auditor.refusal import refusal

pytestmark = pytest.mark.kafka


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    try:
        with secured_broker(tmp_path_factory.mktemp("secured")) as broker:
            yield broker
    except KafkaMissing as missing:
        if required():
            pytest.fail(f"AUDITOR_REQUIRE_KAFKA=1, but {missing}")
        pytest.skip(str(missing))


@pytest.fixture
def topics(secured: Secured) -> Topics:
    """A room's events, sent through the open port."""
    topics = new_topics(secured.plain)
    send(topics, messages(topics, room(tables=2, hands=3)))
    return topics


def password_file(folder: Path, password: str = PASSWORD) -> str:
    path = folder / "password"
    path.write_text(password + "\n", "utf-8")
    return str(path)


def with_password(
    secured: Secured, folder: Path, password: str = PASSWORD, mechanism: str = "SCRAM-SHA-512"
) -> list[str]:
    return [
        "--security-protocol", "SASL_SSL", "--tls-cafile", str(secured.folder / "ca.pem"),
        "--sasl-mechanism", mechanism, "--sasl-username", USER, "--sasl-password-file", password_file(folder, password),
    ]  # fmt: skip


def run(bootstrap: str, topics: Topics, store: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`auditor run` through one of the guarded ports, to its end."""
    with running(topics._replace(bootstrap=bootstrap), store, "--until-idle", "0.5", *options) as process:
        out, words = process.communicate(timeout=WAIT)
    return subprocess.CompletedProcess(process.args, process.returncode, out, words)


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256", "SCRAM-SHA-512", "PLAIN"])
def test_a_password_over_tls_lets_it_in(mechanism: str, secured: Secured, topics: Topics, tmp_path: Path) -> None:
    # given a group, a client id and properties of the user's own, too
    store = tmp_path / "store.duckdb"
    own = ["--group", topics.dealing, "--client-id", "table-watch", "--property", "fetch.max.wait.ms=100"]
    # when
    ended = run(secured.sasl, topics, store, *with_password(secured, tmp_path, mechanism=mechanism), *own)
    # then
    assert ended.returncode == 0, ended.stderr
    assert select(store, "SELECT count(*) FROM events") == [(len(room(2, 3)),)]
    assert PASSWORD not in ended.stderr


def test_a_certificate_lets_it_in(secured: Secured, topics: Topics, tmp_path: Path) -> None:
    # given our own certificate, with a key that has a password of its own
    (tmp_path / "key_password").write_text(KEY_PASSWORD)
    files = {name: str(secured.folder / f"{name}.pem") for name in ("ca", "client", "client_key")}
    options = [
        "--security-protocol", "SSL", "--tls-cafile", files["ca"], "--tls-certfile", files["client"],
        "--tls-keyfile", files["client_key"], "--tls-key-password-file", str(tmp_path / "key_password"),
    ]  # fmt: skip
    # when
    ended = run(secured.mutual, topics, tmp_path / "store.duckdb", *options, "--assign", "all")
    # then
    assert ended.returncode == 0, ended.stderr


def refused(ended: subprocess.CompletedProcess[str], words: str) -> None:
    assert ended.returncode == 2, ended.stderr
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_wrong_password_is_refused(secured: Secured, topics: Topics, tmp_path: Path) -> None:
    options = with_password(secured, tmp_path, "wrong")
    refused(run(secured.sasl, topics, tmp_path / "s", *options), f"does not let in the user '{USER}'")


def test_a_broker_that_somebody_else_vouches_for_is_refused(secured: Secured, topics: Topics, tmp_path: Path) -> None:
    options = [*with_password(secured, tmp_path), "--tls-cafile", str(secured.folder / "other_ca.pem")]
    refused(run(secured.sasl, topics, tmp_path / "s", *options), "shows a certificate that is not trusted")


def reason(bootstrap: str, tls: Tls | None = None, sasl: Sasl | None = None) -> str | None:
    """What is said when the client could not connect, for whatever reason."""
    return refusal(Cluster(bootstrap, tls=tls, sasl=sasl), KafkaTimeoutError())


def test_each_way_to_be_refused_has_its_own_words(secured: Secured) -> None:
    # given certificates and users that are right, and ports
    tls = Tls(secured.folder / "ca.pem")
    sasl = Sasl("SCRAM-SHA-256", USER, PASSWORD)
    under_another_name = secured.sasl.replace("127.0.0.1", "localhost")
    words = {
        "certificate that is not trusted: Hostname mismatch": reason(under_another_name, tls, sasl),
        "does not shake hands over TLS": reason(secured.mutual, tls),
        "speaks TLS": reason(secured.sasl),
        "does the port speak it?": reason(secured.plain, tls, sasl),
        "does not take a password by SCRAM-SHA-256": reason(secured.plain, None, sasl),
    }
    # then
    for expected, said in words.items():
        assert said is not None
        assert expected in said


def test_who_would_be_let_in_is_not_called_refused(secured: Secured) -> None:
    tls = Tls(secured.folder / "ca.pem")
    sasl = Sasl("SCRAM-SHA-512", USER, PASSWORD)
    assert reason(secured.sasl, tls, sasl) is None
    assert reason(secured.sasl.replace("127.0.0.1", "localhost"), Tls(tls.cafile, check_hostname=False), sasl) is None
    assert reason(secured.plain) is None
    assert reason(f"127.0.0.1:{free_port()}") is None


def test_findings_and_dead_letters_go_the_same_way(secured: Secured, topics: Topics, tmp_path: Path) -> None:
    # given noise among the events, and two topics for what comes of it
    send(topics, [Message(topics.dealing, b"noise", b"T9")])
    out = new_topics(secured.plain, partitions=1)
    # when
    options = [*with_password(secured, tmp_path), "--findings-topic", out.dealing, "--dead-letter-topic", out.betting]
    ended = run(secured.sasl, topics, tmp_path / "store.duckdb", *options, "--assign", "all")
    # then
    assert ended.returncode == 0, ended.stderr
    consumer = KafkaConsumer(
        out.dealing, out.betting, bootstrap_servers=secured.plain, auto_offset_reset="earliest",
        consumer_timeout_ms=2_000,
    )  # fmt: skip
    with closing(consumer):
        records = {record.topic: record for record in consumer}
    assert Finding.model_validate_json(records[out.dealing].value).rule == "FEED108"
    assert (records[out.betting].key, records[out.betting].value) == (b"T9", b"noise")


def test_a_publisher_says_why_it_is_not_let_in(secured: Secured) -> None:
    # given
    cluster = Cluster(secured.sasl, tls=Tls(secured.folder / "ca.pem"), sasl=Sasl("SCRAM-SHA-256", USER, "wrong"))
    finding = Finding(
        finding_id="f1", rule="DCK101", name="duplicate-card", severity="major", table_id="T1", hand_id="H1", seq=7,
        at=datetime(2026, 1, 1, tzinfo=UTC), message="Two aces of spades.", incident="f1", source_rule="RR",
    )  # fmt: skip
    # when, then
    with closing(KafkaPublisher(cluster, "poker.findings")) as publisher, pytest.raises(PublishFailed) as failed:
        publisher.publish([finding])
    assert f"does not let in the user '{USER}'" in str(failed.value)
