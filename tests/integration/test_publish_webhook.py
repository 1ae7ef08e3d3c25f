"""Findings to a webhook: a real server on this machine, which fails before it works."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from webhook_kit import SILENCE, Answer, Receiver

from auditor.findings import Finding
from auditor.intake import PublishFailed
from auditor.publish.payload import payload
from auditor.publish.signature import signed, signing_key
from auditor.publish.webhook import Patience, WebhookPublisher, seconds_to_wait

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECRET = "correct horse battery staple"
HASTY = Patience(attempts=4, answer=SILENCE / 2, first_wait=0.01, longest_wait=0.05)


def finding(name: str) -> Finding:
    return Finding(
        finding_id=name, rule="DCK101", name="duplicate-card", severity="critical", table_id="T1", hand_id="H1", seq=7,
        at=NOON, message="Two aces of spades.", incident=name, source_rule="RR",
    )  # fmt: skip


def test_a_finding_is_posted_signed_and_named() -> None:
    # given
    receiver = Receiver()
    with receiver.serving() as url, closing(WebhookPublisher(url, SECRET, HASTY)) as publisher:
        # when
        publisher.publish([finding("f1")])
    # then
    ((headers, body),) = receiver.posts
    assert Finding.model_validate_json(body) == finding("f1")
    assert headers["content-type"] == "application/json"
    at = int(headers["webhook-timestamp"])
    assert signed(payload(finding("f1")).name, at, body, signing_key(SECRET)).items() <= headers.items()


@pytest.mark.parametrize("first", [Answer(500), Answer(503), Answer(429), Answer(408), Answer(0)])
def test_it_is_tried_again_under_the_same_name(first: Answer) -> None:
    receiver = Receiver(first, Answer(502))
    with receiver.serving() as url, closing(WebhookPublisher(url, SECRET, HASTY)) as publisher:
        publisher.publish([finding("f1"), finding("f2")])
    assert receiver.names == ["f1", "f1", "f1", "f2"]
    assert len({headers["webhook-id"] for headers, _ in receiver.posts}) == 2


def test_it_gives_up_after_so_many_attempts_and_goes_on_where_it_was() -> None:
    # given a receiver that takes one finding and then nothing for a while
    receiver = Receiver(Answer(204), *[Answer(500)] * HASTY.attempts)
    batch = [finding("f1"), finding("f2")]
    with receiver.serving() as url, closing(WebhookPublisher(url, SECRET, HASTY)) as publisher:
        # when
        with pytest.raises(PublishFailed, match="500"):
            publisher.publish(batch)
        assert receiver.names == ["f1", *["f2"] * HASTY.attempts]
        # then the same batch, which comes again whole, is not posted again whole
        publisher.publish(batch)
        assert receiver.names[-2:] == ["f2", "f2"]
        # and a batch that went through is forgotten: its findings may come again
        publisher.publish(batch)
        assert receiver.names[-2:] == ["f1", "f2"]


@pytest.mark.parametrize("status", [400, 401, 404, 410, 301])
def test_a_plain_no_costs_the_others_nothing(status: int, caplog: pytest.LogCaptureFixture) -> None:
    receiver = Receiver(Answer(status, {"location": "/elsewhere"}))
    with receiver.serving() as url, closing(WebhookPublisher(url, SECRET, HASTY)) as publisher:
        publisher.publish([finding("f1"), finding("f2")])
        assert publisher.refused == 1
    assert receiver.names == ["f1", "f2"]
    assert f"refused finding f1 ({status}" in caplog.text
    assert "hooks/floor" not in caplog.text  # a path may be a secret


def test_it_waits_as_long_as_it_is_asked_to() -> None:
    patience = Patience(attempts=2, first_wait=0.0, longest_wait=2.0)
    receiver = Receiver(Answer(429, {"retry-after": "1"}))
    with receiver.serving() as url, closing(WebhookPublisher(url, SECRET, patience)) as publisher:
        began = time.monotonic()
        publisher.publish([finding("f1")])
    assert time.monotonic() - began >= 1
    assert receiver.names == ["f1", "f1"]


def test_a_receiver_that_asks_for_long_is_left_alone() -> None:
    receiver = Receiver(Answer(503, {"retry-after": "60"}))
    with receiver.serving() as url, closing(WebhookPublisher(url, SECRET, HASTY)) as publisher:
        with pytest.raises(PublishFailed, match="503"):
            publisher.publish([finding("f1")])
        with pytest.raises(PublishFailed, match="asked not to be called"):
            publisher.publish([finding("f1")])
    assert receiver.names == ["f1"]


def test_nobody_there_is_not_a_no() -> None:
    with Receiver().serving() as url:
        pass
    with closing(WebhookPublisher(url, SECRET, HASTY)) as publisher:
        with pytest.raises(PublishFailed):
            publisher.publish([finding("f1")])
        assert publisher.refused == 0


def test_closing_ends_the_waiting() -> None:
    # given a publisher that would wait for a minute before its second attempt
    patience = Patience(attempts=2, longest_wait=60.0)
    receiver = Receiver(Answer(503, {"retry-after": "60"}))
    failures: list[PublishFailed] = []

    def publish(publisher: WebhookPublisher) -> None:
        try:
            publisher.publish([finding("f1")])
        except PublishFailed as failed:
            failures.append(failed)

    with receiver.serving() as url:
        publisher = WebhookPublisher(url, SECRET, patience)
        publishing = threading.Thread(target=publish, args=[publisher])
        publishing.start()
        while not receiver.posts:
            time.sleep(0.01)
        # when
        publisher.close()
        publishing.join(5)
    # then
    assert not publishing.is_alive()
    assert len(failures) == 1


def test_retry_after_is_seconds_or_a_date() -> None:
    assert seconds_to_wait("120", NOON) == 120
    assert seconds_to_wait(format_datetime(NOON + timedelta(seconds=30), usegmt=True), NOON) == 30
    assert seconds_to_wait(format_datetime(NOON - timedelta(seconds=30), usegmt=True), NOON) == 0
    assert seconds_to_wait("soon", NOON) == 0
    assert seconds_to_wait(None, NOON) == 0
