"""Every setting of the service, once: its name, what it takes, its default, and what it means.

A setting `batch_rows` is the option `--batch-rows`, the variable `AUDITOR_BATCH_ROWS` and the file's key `batch_rows`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from auditor.cluster import Mechanism
from auditor.findings import SEVERITIES, Severity
from auditor.publish.signature import signing_key

Protocol = Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"]

READ: Final = "What to read"
SECURITY: Final = "Security"
STORE: Final = "Where it goes"
PUBLISH: Final = "Findings, as they become known"
WATCH: Final = "Being watched"

#: Characters of a webhook's secret: one that can be guessed signs nothing.
_LEAST_SECRET: Final = 24


@dataclass(frozen=True, slots=True)
class Shown:
    """How a setting is shown and given: under which heading, what stands for its value, and how it is written.

    A `secret` has no option of its own, only one that names its file: every user of a machine can read its command
    lines. A `table` is given a key at a time.
    """

    panel: str
    metavar: str = ""
    kind: Literal["text", "flag", "secret", "table"] = "text"


def flattened(table: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """A table of tables as one, keys joined by dots, values as Kafka writes them."""
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= flattened(value, f"{before}{key}.")
        else:
            flat[before + key] = str(value).lower() if isinstance(value, bool) else str(value)
    return flat


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


def _topic(name: str) -> str:
    if not 0 < len(name) < 250 or not all(c.isascii() and (c.isalnum() or c in "._-") for c in name):
        raise ValueError("a topic's name is letters, digits, dots, dashes and underscores, 249 at most")
    return name


def _web(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("a webhook is an http:// or https:// address")
    if parts.username is not None:
        raise ValueError("an address with a password in it would show it wherever it is shown")
    return url


def _strong(secret: SecretStr) -> SecretStr:
    if len(secret.get_secret_value()) < _LEAST_SECRET:
        raise ValueError(f"a secret to sign with has at least {_LEAST_SECRET} characters")
    signing_key(secret.get_secret_value())
    return secret


Name = Annotated[str, Field(min_length=1)]
Topic = Annotated[str, AfterValidator(_topic)]
Count = Annotated[int, Field(ge=1)]
_SEVERITY: Final = "|".join(SEVERITIES)


class Settings(BaseModel):
    """All settings of `auditor run`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bootstrap: Annotated[Name, Shown(READ, "HOST:PORT")] = Field(description="A Kafka broker, or several by comma")
    dealing_topic: Annotated[Topic, Shown(READ, "TOPIC")] = Field(
        default="poker.dealing", description="Deck, dealing and officiating events"
    )
    betting_topic: Annotated[Topic, Shown(READ, "TOPIC")] = Field(default="poker.betting", description="The chips")
    group: Annotated[Name, Shown(READ, "NAME")] = Field(
        default="poker-auditor", description="The consumer group to join"
    )
    assign: Annotated[Literal["group", "all"], Shown(READ, "group|all")] = Field(
        default="group",
        description="`group`: the partitions that the group gives; `all`: every one, without a group, for one process",
    )
    tables_topic: Annotated[Topic, Shown(READ, "TOPIC")] = Field(
        default="poker.auditor.tables",
        description="Where a group's processes leave word of their tables for the next one; made when missing",
    )
    client_id: Annotated[Name, Shown(READ, "NAME")] = Field(
        default="poker-auditor", description="What the brokers' logs, metrics and quotas call this client"
    )
    property: Annotated[dict[str, str], BeforeValidator(flattened), Shown(READ, "KEY=VALUE", "table")] = Field(
        default={},
        description="A property of Kafka's consumer by its own name, such as fetch.min.bytes=1024; repeatable; several "
        "by comma in the variable, a table in the file",
    )

    security_protocol: Annotated[
        Protocol, BeforeValidator(_upper), Shown(SECURITY, "PLAINTEXT|SSL|SASL_PLAINTEXT|SASL_SSL")
    ] = Field(default="PLAINTEXT", description="How the brokers are spoken to")
    tls_cafile: Annotated[Path | None, Shown(SECURITY, "FILE")] = Field(
        default=None, description="Certificates to trust, PEM; without it, those of the system"
    )
    tls_certfile: Annotated[Path | None, Shown(SECURITY, "FILE")] = Field(
        default=None, description="The certificate to show, PEM, where the brokers ask for one"
    )
    tls_keyfile: Annotated[Path | None, Shown(SECURITY, "FILE")] = Field(
        default=None, description="The key to it, PEM, where that is a file of its own"
    )
    tls_key_password: Annotated[SecretStr | None, Shown(SECURITY, "FILE", "secret")] = Field(
        default=None, description="The password of that key"
    )
    tls_check_hostname: Annotated[bool, Shown(SECURITY, kind="flag")] = Field(
        default=True, description="Whether a broker's certificate must name the broker"
    )
    sasl_mechanism: Annotated[
        Mechanism | None, BeforeValidator(_upper), Shown(SECURITY, "PLAIN|SCRAM-SHA-256|SCRAM-SHA-512")
    ] = Field(default=None, description="How the user proves to know the password")
    sasl_username: Annotated[Name | None, Shown(SECURITY, "NAME")] = Field(default=None, description="The user")
    sasl_password: Annotated[SecretStr | None, Shown(SECURITY, "FILE", "secret")] = Field(
        default=None, description="The user's password"
    )

    store: Annotated[Path, Shown(STORE, "FILE")] = Field(description="The DuckDB file; made when missing")
    rebuild: Annotated[bool, Shown(STORE, kind="flag")] = Field(
        default=False, description="Rename a damaged store, never delete it, and build it anew from the topics"
    )
    batch_rows: Annotated[Count, Shown(STORE, "N")] = Field(default=2_000, description="Commit after so many records")
    batch_ms: Annotated[Count, Shown(STORE, "N")] = Field(
        default=250, description="Commit after so many milliseconds at the latest"
    )
    until_idle: Annotated[float | None, Field(ge=0), Shown(STORE, "SECONDS")] = Field(
        default=None,
        description="End when all is read and nothing came for so long; gaps that are open then are given up",
    )
    dead_letter_topic: Annotated[Topic | None, Shown(STORE, "TOPIC")] = Field(
        default=None, description="Send what is no event to this topic, too, as it came, with the reason"
    )

    print_findings: Annotated[bool, Shown(PUBLISH, kind="flag")] = Field(
        default=False, description="Print each on stdout, a line of JSON"
    )
    print_minimum: Annotated[Severity, Shown(PUBLISH, _SEVERITY)] = Field(
        default="info", description="The least severity that is printed"
    )
    findings_topic: Annotated[Topic | None, Shown(PUBLISH, "TOPIC")] = Field(
        default=None, description="Send each to this topic, by custom poker.findings, keyed by table"
    )
    findings_topic_minimum: Annotated[Severity, Shown(PUBLISH, _SEVERITY)] = Field(
        default="info", description="The least severity that is sent to the topic"
    )
    webhook: Annotated[Annotated[str, AfterValidator(_web)] | None, Shown(PUBLISH, "URL")] = Field(
        default=None, description="Post each to this address, signed; needs the extra `webhook` and a secret"
    )
    webhook_secret: Annotated[
        Annotated[SecretStr, AfterValidator(_strong)] | None, Shown(PUBLISH, "FILE", "secret")
    ] = Field(default=None, description="What the posts are signed with")
    webhook_minimum: Annotated[Severity, Shown(PUBLISH, _SEVERITY)] = Field(
        default="info", description="The least severity that is posted"
    )

    metrics_port: Annotated[Annotated[int, Field(ge=1, le=65535)] | None, Shown(WATCH, "PORT")] = Field(
        default=None, description="Serve /metrics, /livez and /readyz on this port"
    )
    progress: Annotated[bool | None, Shown(WATCH, kind="flag")] = Field(
        default=None, description="Show progress on stderr; without a word, where it is a terminal"
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, for whoever reads, shows or documents it."""

    name: str
    shown: Shown
    required: bool
    default: object
    meaning: str

    @property
    def option(self) -> str:
        """Its option; a secret's is the one that names its file."""
        return "--" + self.name.replace("_", "-") + ("-file" if self.shown.kind == "secret" else "")

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return "AUDITOR_" + self.name.upper()


def _setting(name: str) -> Setting:
    field = Settings.model_fields[name]
    (shown,) = (each for each in field.metadata if isinstance(each, Shown))
    default = None if field.is_required() else field.default
    return Setting(name, shown, field.is_required(), default, field.description or "")


#: Every setting, in the order in which help shows them.
SETTINGS: Final[Mapping[str, Setting]] = {name: _setting(name) for name in Settings.model_fields}
