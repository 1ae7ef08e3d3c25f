"""Kafka's consumer properties, by Kafka's own names."""

from __future__ import annotations

import pytest
from kafka import KafkaConsumer

from auditor.feeds.properties import SETTABLE, PropertyRefused, consumer_arguments


def test_every_property_that_may_be_set_is_one_of_the_client() -> None:
    assert {name.replace(".", "_") for name in SETTABLE} <= set(KafkaConsumer.DEFAULT_CONFIG)


def test_values_are_what_the_client_wants_them_to_be() -> None:
    arguments = consumer_arguments({"fetch.min.bytes": "1024", "check.crcs": "false", "client.rack": "north"})
    assert arguments == {"fetch_min_bytes": 1024, "check_crcs": False, "client_rack": "north"}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("fetch.min.byte", "1", "did you mean fetch.min.bytes?"),
        ("fetch_min_bytes", "1", "did you mean fetch.min.bytes?"),
        ("interceptor.classes", "x", "no property of a consumer that can be set here"),
        ("enable.auto.commit", "true", "the store holds the offsets"),
        ("group.id", "mine", "a setting of its own: group"),
        ("ssl.truststore.location", "x", "a setting of its own: tls_cafile"),
        ("fetch.min.bytes", "-1", "a whole number, 0 or more, not '-1'"),
        ("check.crcs", "maybe", "true or false, not 'maybe'"),
    ],
)
def test_a_property_that_cannot_be_set_is_refused_with_the_reason(name: str, value: str, words: str) -> None:
    with pytest.raises(PropertyRefused) as refused:
        consumer_arguments({name: value})
    assert str(refused.value).startswith(name)
    assert words in str(refused.value)
