"""What goes out: which findings, under which name, and how they are signed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from auditor.findings import Finding, Severity
from auditor.intake import PublishFailed
from auditor.publish.lines import LinesPublisher
from auditor.publish.minimum import AtLeast
from auditor.publish.payload import payload
from auditor.publish.signature import signed, signing_key

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def finding(name: str = "f1", severity: Severity = "major") -> Finding:
    return Finding(
        finding_id=name, rule="DCK101", name="duplicate-card", severity=severity, table_id="T1", hand_id="H1", seq=7,
        at=NOON, message="Two aces of spades.", incident=name, source_rule="RR",
    )  # fmt: skip


class Kept:
    """A publisher that keeps what it gets, and refuses what is critical."""

    to = "topic"
    refused = 0

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.closed = False

    def publish(self, findings: Sequence[Finding]) -> None:
        self.calls.append([each.finding_id for each in findings])
        self.refused += sum(each.severity == "critical" for each in findings)

    def close(self) -> None:
        self.closed = True


def test_only_what_is_grave_enough_goes_out() -> None:
    # given a publisher for what is major and above
    kept = Kept()
    publisher = AtLeast(kept, "major")
    # when
    publisher.publish([finding("a", "minor"), finding("b", "major"), finding("c", "critical")])
    publisher.publish([finding("d", "info")])
    publisher.close()
    # then
    assert kept.calls == [["b", "c"]]
    assert kept.closed
    # and it tells of itself what the publisher does
    assert (publisher.to, publisher.refused) == ("topic", 1)


def test_a_finding_has_one_name_until_it_changes() -> None:
    first, again = payload(finding()), payload(finding())
    settled = payload(finding().model_copy(update={"handled": "contrary"}))
    assert first == again
    assert first.name.startswith("f1-")
    assert settled.name.startswith("f1-")
    assert settled.name != first.name


def test_lines_are_findings() -> None:
    stream = io.StringIO()
    LinesPublisher(stream).publish([finding("a"), finding("b")])
    assert [json.loads(line)["finding_id"] for line in stream.getvalue().splitlines()] == ["a", "b"]


def test_a_stream_that_nobody_reads_is_no_acknowledgement() -> None:
    class Torn(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError(32, "Broken pipe")

    with pytest.raises(PublishFailed, match="Broken pipe"):
        LinesPublisher(Torn()).publish([finding()])


def test_the_signature_is_over_name_time_and_body() -> None:
    # given a key as Standard Webhooks writes it
    key = b"sixteen bytes and more"
    secret = "whsec_" + base64.b64encode(key).decode()
    # when
    headers = signed("f1-00", 1_767_268_800, b'{"a": 1}', signing_key(secret))
    # then
    expected = hmac.new(key, b'f1-00.1767268800.{"a": 1}', hashlib.sha256).digest()
    assert headers == {
        "webhook-id": "f1-00",
        "webhook-timestamp": "1767268800",
        "webhook-signature": "v1," + base64.b64encode(expected).decode(),
    }


def test_any_other_secret_is_the_key_itself() -> None:
    assert signing_key("correct horse battery staple") == b"correct horse battery staple"
    with pytest.raises(ValueError, match="base64"):
        signing_key("whsec_no base64!")
