"""Settings: which source wins, and what is said of one that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.settings import Gathered, Settings, SettingsWrong, gather, resolve
from auditor.settings.cluster import cluster_of
from auditor.settings.model import SETTINGS
from auditor.settings.sources import mistyped

NEEDED = {"bootstrap": "kafka:9092", "store": "room.duckdb"}
SECRET = "whsec_" + "c2l4dGVlbiBieXRlcyBhbmQgbW9yZQ=="


def settings_file(folder: Path, text: str) -> Path:
    path = folder / "room.toml"
    path.write_text(text)
    return path


def problems(gathered: Gathered) -> list[str]:
    with pytest.raises(SettingsWrong) as wrong:
        resolve(gathered)
    return wrong.value.problems


def test_an_option_wins_over_a_variable_and_that_over_the_file(tmp_path: Path) -> None:
    # given three sources, each with one setting of its own and some of the others'
    config = settings_file(tmp_path, 'group = "file"\nclient_id = "file"\nbatch_rows = 1\n')
    environ = {"AUDITOR_CLIENT_ID": "variable", "AUDITOR_BATCH_ROWS": "2"}
    # when
    gathered = gather({**NEEDED, "batch_rows": "3"}, environ, config)
    settings = resolve(gathered)
    # then
    assert (settings.group, settings.client_id, settings.batch_rows) == ("file", "variable", 3)
    assert gathered.origin("group") == f"{config}: group"
    assert gathered.origin("client_id") == "AUDITOR_CLIENT_ID"
    assert gathered.origin("batch_rows") == "--batch-rows"
    assert gathered.origin("batch_ms") == "default"


def test_the_file_may_be_named_by_a_variable(tmp_path: Path) -> None:
    config = settings_file(tmp_path, 'bootstrap = "kafka:9092"\nstore = "room.duckdb"\n')
    assert resolve(gather({}, {"AUDITOR_CONFIG": str(config)})).store == Path("room.duckdb")


def test_every_kind_of_value_is_read_from_text_and_from_toml(tmp_path: Path) -> None:
    config = settings_file(tmp_path, "until_idle = 1.5\nprint_findings = true\nmetrics_port = 9108\n")
    environ = {"AUDITOR_UNTIL_IDLE": "1.5", "AUDITOR_PRINT_FINDINGS": "true", "AUDITOR_METRICS_PORT": "9108"}
    assert resolve(gather(NEEDED, environ)) == resolve(gather(NEEDED, {}, config))


def test_an_empty_variable_is_not_set() -> None:
    assert resolve(gather(NEEDED, {"AUDITOR_GROUP": ""})).group == "poker-auditor"


def test_a_flag_that_is_denied_wins_over_one_that_is_given() -> None:
    gathered = gather({**NEEDED, "print_findings": False}, {"AUDITOR_PRINT_FINDINGS": "yes"})
    assert resolve(gathered).print_findings is False
    assert gathered.origin("print_findings") == "--no-print-findings"


def test_properties_are_merged_key_by_key(tmp_path: Path) -> None:
    # given properties in a table of the file, in the variable, and as options
    config = settings_file(tmp_path, "[property]\nfetch.min.bytes = 1\n'check.crcs' = true\nretry.backoff.ms = 10\n")
    environ = {"AUDITOR_PROPERTY": "fetch.min.bytes=2, fetch.max.wait.ms=200"}
    # when
    settings = resolve(gather({**NEEDED, "property": ["fetch.min.bytes=3"]}, environ, config))
    # then
    assert settings.property == {
        "fetch.min.bytes": "3",
        "fetch.max.wait.ms": "200",
        "check.crcs": "true",
        "retry.backoff.ms": "10",
    }


# --- secrets -------------------------------------------------------------------------------------------------------


def test_a_secret_may_be_in_a_file_of_its_own(tmp_path: Path) -> None:
    # given a file as an editor leaves it, and a variable that is overruled by it
    (tmp_path / "password").write_text("pass word \n")
    secured = {**NEEDED, "security_protocol": "sasl_ssl", "sasl_mechanism": "plain", "sasl_username": "ada"}
    options = {**secured, "sasl_password_file": str(tmp_path / "password")}
    # when
    settings = resolve(gather(options, {"AUDITOR_SASL_PASSWORD": "other"}))
    # then
    sasl = cluster_of(settings).sasl
    assert sasl is not None
    assert sasl.password == "pass word "
    assert "pass word" not in f"{settings!r} {sasl!r}"


def test_a_secret_is_given_once_only_by_each_source(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("one")
    environ = {"AUDITOR_SASL_PASSWORD": "two", "AUDITOR_SASL_PASSWORD_FILE": str(tmp_path / "password")}
    (words,) = gather(NEEDED, environ).problems
    assert words == "AUDITOR_SASL_PASSWORD and AUDITOR_SASL_PASSWORD_FILE: give one of the two"


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff\xfe", b"x" * 100_000])
def test_a_secret_file_that_holds_none_is_named(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "password"
    if content is not None:
        path.write_bytes(content)
    (words,) = gather(NEEDED, {"AUDITOR_SASL_PASSWORD_FILE": str(path)}).problems
    assert words.startswith(f"AUDITOR_SASL_PASSWORD_FILE: {path} ")


def test_what_is_wrong_with_a_secret_does_not_show_it() -> None:
    environ = {"AUDITOR_WEBHOOK": "https://floor.example/hook", "AUDITOR_WEBHOOK_SECRET": "whsec_tooshort"}
    (words,) = problems(gather(NEEDED, environ))
    assert words.startswith("AUDITOR_WEBHOOK_SECRET: a secret")
    assert "tooshort" not in words


# --- what is wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "at_fault"),
    [
        ({"batch_rows": "0"}, "--batch-rows: "),
        ({"batch_rows": "many"}, "--batch-rows: "),
        ({"assign": "some"}, "--assign: "),
        ({"metrics_port": "70000"}, "--metrics-port: "),
        ({"findings_topic": "poker findings"}, "--findings-topic: "),
        ({"findings_topic": "poker.betting"}, "--findings-topic: "),
        ({"dead_letter_topic": "poker.dealing"}, "--dead-letter-topic: "),
        ({"webhook": "floor.example/hook"}, "--webhook: "),
        ({"webhook": "https://ada:ace@floor.example"}, "--webhook: "),
        ({"webhook": "https://floor.example"}, "webhook_secret: is missing"),
        ({"property": ["fetch.min.bytes"]}, "--property: 'fetch.min.bytes' is not KEY=VALUE"),
        ({"property": ["fetch.min.byte=1"]}, "--property: fetch.min.byte is no property"),
        ({"sasl_username": "ada"}, "--sasl-username: has no use"),
        ({"security_protocol": "SASL_PLAINTEXT"}, "sasl_mechanism: is missing"),
        ({"tls_cafile": "ca.pem"}, "--tls-cafile: has no use"),
        ({"security_protocol": "SSL", "tls_cafile": "nowhere.pem"}, "--tls-cafile: nowhere.pem"),
        ({"security_protocol": "SSL", "tls_keyfile": "nowhere.pem"}, "--tls-keyfile: has no use without"),
        ({"security_protocol": "SSL", "tls_certfile": "nowhere.pem"}, "--tls-certfile: nowhere.pem"),
    ],
)
def test_a_wrong_setting_is_named_by_its_source(given: dict[str, object], at_fault: str) -> None:
    assert any(words.startswith(at_fault) for words in problems(gather({**NEEDED, **given}, {})))


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    config = settings_file(tmp_path, "batch_ms = 'soon'\nbootstrp = 'kafka:9092'\n")
    assert problems(gather({}, {"AUDITOR_PROGRESS": "maybe"}, config)) == [
        f"{config}: bootstrp: no such setting; did you mean bootstrap?",
        "bootstrap is missing: give --bootstrap, AUDITOR_BOOTSTRAP, or bootstrap in the file",
        "store is missing: give --store, AUDITOR_STORE, or store in the file",
        f"{config}: batch_ms: should be a valid integer, unable to parse string as an integer, not 'soon'",
        "AUDITOR_PROGRESS: should be a valid boolean, unable to interpret input, not 'maybe'",
    ]


@pytest.mark.parametrize("content", [None, b"bootstrap = ", b"\xff"])
def test_a_file_that_cannot_be_read_is_named(content: bytes | None, tmp_path: Path) -> None:
    config = tmp_path / "room.toml"
    if content is not None:
        config.write_bytes(content)
    (words,) = gather(NEEDED, {}, config).problems
    assert str(config) in words


def test_a_variable_that_is_nearly_a_setting_is_told_from_those_that_others_make() -> None:
    environ = {"AUDITOR_BATCH_ROWZ": "1", "AUDITOR_PORT_9108_TCP": "tcp://10.0.0.1:9108", "AUDITOR_STORE": "x"}
    assert list(mistyped(environ)) == ["AUDITOR_BATCH_ROWZ is no setting; did you mean AUDITOR_BATCH_ROWS?"]


def test_no_secret_has_an_option_that_would_show_it() -> None:
    secrets = [name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)]
    assert secrets
    assert all(SETTINGS[name].option.endswith("-file") for name in secrets)


def test_the_webhooks_secret_may_be_base64() -> None:
    environ = {"AUDITOR_WEBHOOK": "https://floor.example/hook", "AUDITOR_WEBHOOK_SECRET": SECRET}
    assert resolve(gather(NEEDED, environ)).webhook == "https://floor.example/hook"
