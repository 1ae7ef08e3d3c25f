"""The contract as documents: a JSON Schema for every event and for the finding, and AsyncAPI for the two topics."""

from __future__ import annotations

import json
from typing import Any

import yaml
from pydantic import TypeAdapter

from auditor.events import EVENT_TYPES, TOPICS, Envelope
from auditor.findings import Finding

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def documents() -> dict[str, str]:
    """Every document by its file's name: `card_dealt.json` and so on, `finding.json`, `asyncapi.yaml`."""
    schemas = {f"{name}.json": _schema(name, model) for name, model in EVENT_TYPES.items()}
    schemas["finding.json"] = _schema("finding", Finding)
    written = {name: json.dumps(schema, indent=2) + "\n" for name, schema in sorted(schemas.items())}
    written["asyncapi.yaml"] = yaml.safe_dump(_asyncapi(), sort_keys=False, width=120, allow_unicode=True)
    return written


def _schema(name: str, model: type[Envelope | Finding]) -> dict[str, Any]:
    schema = TypeAdapter(model).json_schema(by_alias=True, mode="validation")
    if name in EVENT_TYPES:
        schema["required"] = ["type", *schema["required"]]
    return {"$schema": _DIALECT, "$id": f"{name}.json", **schema, "title": name}


def _asyncapi() -> dict[str, Any]:
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Poker hand auditor: the event contract",
            "version": "1.0.0",
            "description": "One event is one thing observed at a table. `seq` orders one table's events over both "
            "topics; a consumer accepts any type from either.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "channels": {_channel_name(topic): _channel(topic, models) for topic, models in TOPICS.items()},
        "operations": {
            f"receive{_channel_name(topic).title()}": {
                "action": "receive",
                "channel": {"$ref": f"#/channels/{_channel_name(topic)}"},
                "bindings": {"kafka": {"groupId": {"type": "string"}, "bindingVersion": "0.5.0"}},
            }
            for topic in TOPICS
        },
        "components": {"messages": {name: _message(name, model) for name, model in EVENT_TYPES.items()}},
    }


def _channel_name(topic: str) -> str:
    return topic.rpartition(".")[2]


def _channel(topic: str, models: tuple[type[Envelope], ...]) -> dict[str, Any]:
    names = [name for name, model in EVENT_TYPES.items() if model in models]
    return {
        "address": topic,
        "description": "Deck, dealing and officiating, and the table's and the hand's start and end."
        if topic == "poker.dealing"
        else "The chips.",
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
        "bindings": {"kafka": {"topic": topic, "bindingVersion": "0.5.0"}},
    }


def _message(name: str, model: type[Envelope]) -> dict[str, Any]:
    return {
        "name": name,
        "summary": (model.__doc__ or name.replace("_", " ").capitalize() + ".").splitlines()[0],
        "payload": {
            "schemaFormat": "application/schema+json;version=draft-2020-12",
            "schema": {"$ref": f"./{name}.json"},
        },
        "bindings": {
            "kafka": {
                "key": {"type": "string", "description": "The event's `table_id`: a table's events share a partition."},
                "bindingVersion": "0.5.0",
            }
        },
    }
