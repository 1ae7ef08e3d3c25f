"""Kafka's consumer properties, by the names that Kafka's documentation gives them, for kafka-python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, Final

_ONCE: Final = "the store holds the offsets, and says when a record is done"
_ORDER: Final = "a table's two halves must come to one process, all that was fetched at once"
_CONNECTION: Final = "it has a setting of its own: "
_BYTES: Final = "the auditor takes the raw bytes, so that a poison record costs no other"


class PropertyRefused(ValueError):
    """A property that cannot be given. Its text says why, and names the property."""


def consumer_arguments(properties: Mapping[str, str]) -> dict[str, Any]:
    """Kafka's properties as kafka-python's arguments. Raises `PropertyRefused`."""
    return {name.replace(".", "_"): _value(name, text) for name, text in properties.items()}


def _value(name: str, text: str) -> object:
    if name in _OWNED:
        raise PropertyRefused(f"{name} is not yours to set: {_OWNED[name]}")
    if name not in SETTABLE:
        near = get_close_matches(name.replace("_", "."), [*SETTABLE, *_OWNED], n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise PropertyRefused(f"{name} is no property of a consumer that can be set here{hint}")
    try:
        return SETTABLE[name](text.strip())
    except ValueError as error:
        raise PropertyRefused(f"{name} is {error}, not {text!r}") from error


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError("a whole number, 0 or more")
    return int(text)


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError("true or false")
    return text.lower() == "true"


def _word(text: str) -> str:
    if not text:
        raise ValueError("a word")
    return text


#: What may be set, and how its value is read. kafka-python has each under the same name with underscores.
SETTABLE: Final[Mapping[str, Callable[[str], object]]] = {
    "check.crcs": _flag,
    "client.dns.lookup": _word,
    "client.rack": _word,
    "connections.max.idle.ms": _count,
    "fetch.max.bytes": _count,
    "fetch.max.wait.ms": _count,
    "fetch.min.bytes": _count,
    "group.instance.id": _word,
    "heartbeat.interval.ms": _count,
    "max.partition.fetch.bytes": _count,
    "max.poll.interval.ms": _count,
    "metadata.max.age.ms": _count,
    "metrics.num.samples": _count,
    "metrics.sample.window.ms": _count,
    "receive.buffer.bytes": _count,
    "reconnect.backoff.max.ms": _count,
    "reconnect.backoff.ms": _count,
    "request.timeout.ms": _count,
    "retry.backoff.ms": _count,
    "send.buffer.bytes": _count,
    "session.timeout.ms": _count,
}

#: What the auditor must own, and why.
_OWNED: Final[Mapping[str, str]] = {
    "allow.auto.create.topics": "a topic whose name is mistyped must be missed, not made",
    "auto.commit.interval.ms": _ONCE,
    "auto.offset.reset": "a lost position must end in a finding, not in a jump that nobody sees",
    "bootstrap.servers": _CONNECTION + "bootstrap",
    "client.id": _CONNECTION + "client_id",
    "enable.auto.commit": _ONCE,
    "group.id": _CONNECTION + "group",
    "group.protocol": "the client knows the classic protocol only",
    "isolation.level": "what a transaction took back was never dealt",
    "key.deserializer": _BYTES,
    "max.poll.records": _ORDER,
    "partition.assignment.strategy": _ORDER,
    "sasl.jaas.config": _CONNECTION + "sasl_username, and sasl_password_file",
    "sasl.mechanism": _CONNECTION + "sasl_mechanism",
    "security.protocol": _CONNECTION + "security_protocol",
    "ssl.ca.location": _CONNECTION + "tls_cafile",
    "ssl.certificate.location": _CONNECTION + "tls_certfile",
    "ssl.endpoint.identification.algorithm": _CONNECTION + "tls_check_hostname",
    "ssl.key.location": _CONNECTION + "tls_keyfile",
    "ssl.key.password": _CONNECTION + "tls_key_password_file",
    "ssl.keystore.location": _CONNECTION + "tls_certfile and tls_keyfile",
    "ssl.truststore.location": _CONNECTION + "tls_cafile",
    "value.deserializer": _BYTES,
}
