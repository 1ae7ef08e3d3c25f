"""Findings to a webhook: a signed POST each, tried again for a while, and never again after a plain no."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

import httpx
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential
from tenacity.nap import sleep_using_event
from tenacity.stop import stop_any, stop_when_event_set

from auditor import __version__
from auditor.findings import Finding
from auditor.intake import PublishFailed
from auditor.publish.payload import Payload, payload
from auditor.publish.signature import signed, signing_key

log = logging.getLogger(__name__)

#: Answers below 500 that mean "not now". Every other one is about the request, which will not change.
_NOT_NOW: Final = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)


_WITHIN_REASON: Final = 3600.0  # seconds; a receiver that asks for a year has made a mistake


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a receiver is waited for. Seconds."""

    attempts: int = 5
    answer: float = 5.0  # for one answer
    first_wait: float = 0.5  # before the second attempt at most, doubled from then on
    longest_wait: float = 10.0  # between two attempts; who asks for more is left alone so long, within reason


class WebhookPublisher:
    """Posts to one address, one finding after the other."""

    to = "webhook"

    def __init__(self, url: str, secret: str, patience: Patience | None = None) -> None:
        self._url = httpx.URL(url)
        self._where = f"{self._url.scheme}://{self._url.netloc.decode()}"  # a path may be a secret itself
        self._key = signing_key(secret)
        self._patience = patience or Patience()
        self._client = httpx.Client(
            timeout=self._patience.answer,
            headers={"content-type": "application/json", "user-agent": f"poker-hand-auditor/{__version__}"},
        )
        self._closing = threading.Event()
        self._arrived: set[str] = set()  # of a batch that failed: what need not go again
        self._left_alone_until = 0.0  # by the monotonic clock
        self.refused = 0  # findings that got a plain no

    def publish(self, findings: Sequence[Finding]) -> None:
        """Return when each was taken or refused for good. Raises `PublishFailed` when it is to be tried again."""
        if (left := self._left_alone_until - time.monotonic()) > 0:
            raise PublishFailed(f"{self._where} asked not to be called for another {left:.0f} seconds")
        for finding in findings:
            ready = payload(finding)
            if ready.name not in self._arrived:
                self._deliver(ready)
                self._arrived.add(ready.name)
        self._arrived.clear()

    def close(self) -> None:
        """End waiting, and let go of the connection."""
        self._closing.set()
        self._client.close()

    def _deliver(self, ready: Payload) -> None:
        patience = self._patience
        retrying = Retrying(
            retry=retry_if_exception(self._worth_a_wait),
            wait=self._wait,
            stop=stop_any(stop_after_attempt(patience.attempts), stop_when_event_set(self._closing)),
            sleep=sleep_using_event(self._closing),
            reraise=True,
        )
        try:
            retrying(self._post, ready)
        except _NotNow as error:
            if error.retry_after > patience.longest_wait:
                self._left_alone_until = time.monotonic() + min(error.retry_after, _WITHIN_REASON)
            raise PublishFailed(f"{self._where} did not take a finding: {error}") from error

    def _wait(self, state: RetryCallState) -> float:
        backoff = wait_random_exponential(self._patience.first_wait, self._patience.longest_wait)
        error = state.outcome.exception() if state.outcome is not None else None
        return max(backoff(state), error.retry_after if isinstance(error, _NotNow) else 0.0)

    def _worth_a_wait(self, error: BaseException) -> bool:
        return isinstance(error, _NotNow) and error.retry_after <= self._patience.longest_wait

    def _post(self, ready: Payload) -> None:
        if self._closing.is_set():
            raise _NotNow("the service is leaving")
        headers = signed(ready.name, int(time.time()), ready.body, self._key)
        try:
            answer = self._client.post(self._url, content=ready.body, headers=headers)
        except httpx.RequestError as error:
            raise _NotNow(str(error) or type(error).__name__) from error
        if answer.is_success:
            return
        said = f"{answer.status_code} {answer.reason_phrase}".rstrip()
        if answer.is_server_error or answer.status_code in _NOT_NOW:
            raise _NotNow(said, seconds_to_wait(answer.headers.get("retry-after"), datetime.now(UTC)))
        self.refused += 1
        log.error("%s refused finding %s (%s); it is not sent again", self._where, ready.finding.finding_id, said)


class _NotNow(Exception):
    """It may work later. `retry_after`: seconds that the receiver asked for."""

    def __init__(self, words: str, retry_after: float = 0.0) -> None:
        super().__init__(words)
        self.retry_after = retry_after


def seconds_to_wait(header: str | None, now: datetime) -> float:
    """What a `Retry-After` asks for: seconds, or a date. 0 where there is none, or none that can be read."""
    if header is None:
        return 0.0
    if header.strip().isdecimal():
        return float(header)
    try:
        until = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())
