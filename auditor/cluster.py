"""How a Kafka cluster is reached: its brokers, TLS, and who we are; the same for whatever reads or writes there."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Mechanism = Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]


class TlsUnusable(ValueError):
    """A file for TLS cannot be used. `setting` is the one at fault."""

    def __init__(self, setting: str, words: str) -> None:
        super().__init__(words)
        self.setting = setting


@dataclass(frozen=True, slots=True)
class Tls:
    """Talk over TLS, 1.2 or later. Without a `cafile` the system's certificates are trusted."""

    cafile: Path | None = None
    certfile: Path | None = None  # who we are, where the broker asks for it; may hold the key, too
    keyfile: Path | None = None
    key_password: str | None = field(default=None, repr=False)
    check_hostname: bool = True

    def context(self) -> ssl.SSLContext:
        """What both Kafka's client and we shake hands with. Raises `TlsUnusable`."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.check_hostname = self.check_hostname
        try:
            if self.cafile is None:
                context.load_default_certs()
            else:
                context.load_verify_locations(self.cafile)
        except OSError as error:  # an SSLError is one
            raise TlsUnusable("tls_cafile", f"{self.cafile} holds no certificates: {tls_words(error)}") from error
        if self.certfile is not None:
            self._load_own(context, self.certfile)
        return context

    def _load_own(self, context: ssl.SSLContext, certfile: Path) -> None:
        try:
            # An empty password where none is known: OpenSSL would ask on the terminal, and wait.
            context.load_cert_chain(certfile, self.keyfile, self.key_password or "")
        except OSError as error:
            files = f"{certfile} and {self.keyfile}" if self.keyfile else str(certfile)
            words = f"{files} are no certificate and its key, or the key's password is wrong: {tls_words(error)}"
            raise TlsUnusable("tls_certfile", words) from error


@dataclass(frozen=True, slots=True)
class Sasl:
    """Who we are, by name and password."""

    mechanism: Mechanism
    username: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where the brokers are, and how they are spoken to."""

    bootstrap: str  # HOST:PORT, or several by comma
    client_id: str = "poker-auditor"
    tls: Tls | None = None
    sasl: Sasl | None = None

    @property
    def protocol(self) -> str:
        """What Kafka calls `security.protocol`."""
        if self.sasl is None:
            return "PLAINTEXT" if self.tls is None else "SSL"
        return "SASL_PLAINTEXT" if self.tls is None else "SASL_SSL"

    def arguments(self) -> dict[str, Any]:
        """What kafka-python's consumer, producer and admin client all take. Raises `TlsUnusable`."""
        arguments: dict[str, Any] = {
            "bootstrap_servers": self.bootstrap,
            "client_id": self.client_id,
            "security_protocol": self.protocol,
        }
        if self.tls is not None:
            arguments["ssl_context"] = self.tls.context()
        if self.sasl is not None:
            arguments["sasl_mechanism"] = self.sasl.mechanism
            arguments["sasl_plain_username"] = self.sasl.username
            arguments["sasl_plain_password"] = self.sasl.password
        return arguments


def tls_words(error: OSError) -> str:
    """OpenSSL's own words, without the line of its source that says them."""
    if isinstance(error, ssl.SSLError) and error.reason:
        return error.reason.lower().replace("_", " ")
    return error.strerror or str(error)
