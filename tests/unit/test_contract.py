"""The contract and its documents."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from typer.testing import CliRunner

from auditor import audit
from auditor.cli.main import app
from auditor.contract import documents
from auditor.events import EVENT_TYPES, TOPICS, Envelope, topic_of
from auditor.rules.registry import RULES
from auditor.wire import EventRefused, dump, parse

ROOT = Path(__file__).parents[2]
EXAMPLES = [
    event for rule in RULES.values() for e in rule.examples() for event in e.events if isinstance(event, Envelope)
]


def test_writing_the_schemas_leaves_other_files_alone(tmp_path: Path) -> None:
    # given a folder with an old schema of ours, and files of somebody else
    old = tmp_path / "card_teleported.json"
    old.write_text('{"$schema": "x", "$id": "card_teleported.json"}')
    theirs = [tmp_path / name for name in ("openapi.yaml", "my_api.json", "broken.json")]
    for path in theirs:
        path.write_text("{")
    # when
    written = CliRunner().invoke(app, ["schema", "--out", str(tmp_path)])
    # then
    assert written.exit_code == 0
    assert not old.exists()
    assert [path.read_text() for path in theirs] == ["{"] * 3
    assert CliRunner().invoke(app, ["schema", "--check", "--out", str(tmp_path)]).exit_code == 0


def test_schemas_in_the_repository_are_those_of_the_models() -> None:
    there = {path.name: path.read_text("utf-8") for path in (ROOT / "schemas").iterdir()}
    assert there == documents(), "schemas/ is behind the models: auditor schema"


def test_every_document_is_a_valid_schema_of_its_dialect() -> None:
    for name, text in documents().items():
        if name.endswith(".json"):
            jsonschema.Draft202012Validator.check_schema(json.loads(text))


def test_the_schemas_accept_what_the_models_write() -> None:
    validators = {
        name: jsonschema.Draft202012Validator(json.loads(documents()[f"{name}.json"])) for name in EVENT_TYPES
    }
    for event in EXAMPLES[:: max(1, len(EXAMPLES) // 500)]:
        validators[event.type].validate(json.loads(dump(event)))


def test_a_finding_is_what_its_schema_says() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(documents()["finding.json"]))
    findings = [finding for rule in RULES.values() for finding in audit(rule.examples()[0].events)]
    assert findings
    for finding in findings:
        validator.validate(json.loads(finding.model_dump_json()))


def test_asyncapi_names_every_event_once_and_its_schema_file_exists() -> None:
    described = yaml.safe_load(documents()["asyncapi.yaml"])
    channels = {channel["address"]: set(channel["messages"]) for channel in described["channels"].values()}
    assert set(channels) == set(TOPICS)
    assert set.union(*channels.values()) == set(EVENT_TYPES)
    assert sum(map(len, channels.values())) == len(EVENT_TYPES)
    for message in described["components"]["messages"].values():
        assert message["payload"]["schema"]["$ref"].removeprefix("./") in documents()


def test_every_event_goes_to_the_topic_that_carries_it() -> None:
    for event in EXAMPLES:
        assert type(event) in TOPICS[topic_of(event)]


HEAD = '"table_id":"T1","hand_id":"H1","seq":7,"at":"2026-01-01T20:00:00Z"'


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "not JSON"),
        (b'{"type": "card_dealt", ', "not JSON"),
        (b'{"type":"\xff"}', "not JSON"),
        (b"[1, 2]", "JSON object is expected"),
        (b'{"seq": 1}', "`type` is missing"),
        (b'{"type":"card_eaten"}', "unknown event type 'card_eaten'"),
        (f'{{"type":"card_dealt",{HEAD}}}'.encode(), "`seat` is missing"),
        (f'{{"type":"card_dealt",{HEAD},"seat":1,"card":"1s"}}'.encode(), "`card`: a card is expected"),
        (f'{{"type":"card_dealt",{HEAD},"seat":"1"}}'.encode(), "`seat`: input should be a valid integer"),
        (
            f'{{"type":"pot_awarded",{HEAD},"seat":1,"amount":1.5}}'.encode(),
            "`amount`: input should be a valid integer",
        ),
        (f'{{"type":"pot_awarded",{HEAD},"seat":1,"amount":-1}}'.encode(), "`amount`"),
        (b'{"type":"hand_ended","table_id":"T1","hand_id":"H1","seq":0,"at":"2026-01-01T20:00:00Z"}', "`seq`"),
        (b'{"type":"hand_ended","table_id":"T1","hand_id":"H1","seq":1,"at":"2026-01-01T20:00:00"}', "`at`"),
        (b'{"type":"hand_ended","table_id":"T1","seq":1,"at":"2026-01-01T20:00:00Z"}', "`hand_id` is missing"),
        (b'{"type":"hand_ended","table_id":"","hand_id":"H1","seq":1,"at":"2026-01-01T20:00:00Z"}', "`table_id`"),
        (b" " * (1 << 20) + b"{}", "longer than an event may be"),
    ],
)
def test_what_is_no_event_is_refused_with_a_plain_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(EventRefused, match=reason.replace("(", r"\(")):
        parse(raw)


def test_unknown_fields_are_ignored() -> None:
    assert parse(f'{{"type":"hand_ended",{HEAD},"mood":"tense"}}'.encode()).type == "hand_ended"
