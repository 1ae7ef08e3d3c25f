"""Where findings and rejects go besides the store, as the settings say."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from auditor.cli.exits import UNAVAILABLE, fail
from auditor.publish.minimum import AtLeast

if TYPE_CHECKING:
    from auditor.intake import DeadLetters, Publisher
    from auditor.settings import Settings


class Outlets(NamedTuple):
    """Where findings go, and where rejects go."""

    publishers: list[Publisher]
    dead_letters: DeadLetters | None


@contextmanager
def open_outlets(settings: Settings) -> Iterator[Outlets]:
    """What is asked for, closed at the end."""
    with ExitStack() as stack:
        publishers = [stack.enter_context(closing(publisher)) for publisher in _publishers(settings)]
        dead_letters = _dead_letters(settings)
        if dead_letters is not None:
            stack.enter_context(closing(dead_letters))
        yield Outlets(publishers, dead_letters)


def _publishers(settings: Settings) -> Iterator[Publisher]:
    if settings.print_findings:
        from auditor.publish.lines import LinesPublisher

        yield AtLeast(LinesPublisher(sys.stdout), settings.print_minimum)
    if settings.findings_topic is not None:
        from auditor.publish.kafka import KafkaPublisher
        from auditor.settings.cluster import cluster_of

        yield AtLeast(KafkaPublisher(cluster_of(settings), settings.findings_topic), settings.findings_topic_minimum)
    if settings.webhook is not None and settings.webhook_secret is not None:
        try:
            from auditor.publish.webhook import WebhookPublisher
        except ModuleNotFoundError as error:
            fail(UNAVAILABLE, f"{error.name} is not installed: pip install 'poker-hand-auditor[webhook]' brings it")
        secret = settings.webhook_secret.get_secret_value()
        yield AtLeast(WebhookPublisher(settings.webhook, secret), settings.webhook_minimum)


def _dead_letters(settings: Settings) -> DeadLetters | None:
    if settings.dead_letter_topic is None:
        return None
    from auditor.publish.dead_letters import KafkaDeadLetters
    from auditor.settings.cluster import cluster_of

    return KafkaDeadLetters(cluster_of(settings), settings.dead_letter_topic)
