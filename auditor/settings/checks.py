"""What each setting allows by itself, and what does not go together."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.cluster import TlsUnusable
from auditor.feeds.properties import PropertyRefused, consumer_arguments
from auditor.settings.cluster import cluster_of
from auditor.settings.model import Settings

#: A setting that is at fault, and what is wrong with it.
Problem = tuple[str, str]


def conflicts(settings: Settings) -> Iterator[Problem]:
    """All that is wrong with settings that are each well-formed. Reads the files for TLS."""
    yield from _sasl(settings)
    yield from _tls(settings)
    yield from _topics(settings)
    yield from _properties(settings)
    if settings.webhook and settings.webhook_secret is None:
        yield "webhook_secret", "is missing: whoever gets the posts must be able to tell them from forged ones"


def _sasl(settings: Settings) -> Iterator[Problem]:
    given = {name: getattr(settings, name) for name in ("sasl_mechanism", "sasl_username", "sasl_password")}
    wanted = settings.security_protocol.startswith("SASL")
    for name, value in given.items():
        if wanted and value is None:
            yield name, f"is missing: security_protocol {settings.security_protocol} needs it"
        elif not wanted and value is not None:
            yield name, f"has no use: security_protocol is {settings.security_protocol}"


def _tls(settings: Settings) -> Iterator[Problem]:
    given = [name for name in ("tls_cafile", "tls_certfile", "tls_keyfile") if getattr(settings, name) is not None]
    if not settings.security_protocol.endswith("SSL"):
        yield from ((name, f"has no use: security_protocol is {settings.security_protocol}") for name in given)
        return
    if settings.tls_keyfile is not None and settings.tls_certfile is None:
        yield "tls_keyfile", "has no use without tls_certfile"
    try:
        cluster_of(settings).arguments()
    except TlsUnusable as error:
        yield error.setting, str(error)


def _topics(settings: Settings) -> Iterator[Problem]:
    read = {settings.dealing_topic, settings.betting_topic, settings.tables_topic}
    for name in ("findings_topic", "dead_letter_topic"):
        if getattr(settings, name) in read:
            yield name, "is a topic that is read: what is sent there would come back"


def _properties(settings: Settings) -> Iterator[Problem]:
    for name, value in settings.property.items():
        try:
            consumer_arguments({name: value})
        except PropertyRefused as error:
            yield f"property.{name}", str(error)
