"""An Apache Kafka that asks who is there: TLS with certificates made for the test, passwords, client certificates."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID
from kafka_broker import kafka_broker
from live_kit import free_port

USER, PASSWORD = "auditor", "correct horse: battery staple"
KEY_PASSWORD = "the key's own"

# The usual port stays open, for the tests to fill the topics through.
_MORE = """
listeners=PLAINTEXT://127.0.0.1:{{port}},CONTROLLER://127.0.0.1:{{controller}},SASL://127.0.0.1:{sasl},MUTUAL://127.0.0.1:{mutual}
advertised.listeners=PLAINTEXT://127.0.0.1:{{port}},SASL://127.0.0.1:{sasl},MUTUAL://127.0.0.1:{mutual}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL:SASL_SSL,MUTUAL:SSL
ssl.keystore.type=PEM
ssl.keystore.location={folder}/broker.pem
ssl.truststore.type=PEM
ssl.truststore.location={folder}/ca.pem
listener.name.mutual.ssl.client.auth=required
listener.name.sasl.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.sasl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \\
    user_{user}="{password}";
listener.name.sasl.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
"""


class Secured(NamedTuple):
    """Where the broker listens, and the folder with the certificates: ca, other_ca, client, client_key."""

    plain: str
    sasl: str
    mutual: str
    folder: Path


@contextmanager
def secured_broker(folder: Path) -> Iterator[Secured]:
    """A broker with a port for passwords and one for client certificates, both over TLS."""
    _make_certificates(folder)
    sasl, mutual = free_port(), free_port()
    more = _MORE.format(sasl=sasl, mutual=mutual, folder=folder, user=USER, password=PASSWORD)
    users = [f"--add-scram=SCRAM-SHA-{bits}=[name={USER},password={PASSWORD}]" for bits in (256, 512)]
    with kafka_broker(folder, more, users) as plain:
        yield Secured(plain, f"127.0.0.1:{sasl}", f"127.0.0.1:{mutual}", folder)


def _make_certificates(folder: Path) -> None:
    ca, stranger = _Authority("ca"), _Authority("other")
    (folder / "ca.pem").write_bytes(ca.pem)
    (folder / "other_ca.pem").write_bytes(stranger.pem)
    certificate, key = ca.certify("broker", NoEncryption())
    (folder / "broker.pem").write_bytes(key + certificate)
    certificate, key = ca.certify("client", BestAvailableEncryption(KEY_PASSWORD.encode()))
    (folder / "client.pem").write_bytes(certificate)
    (folder / "client_key.pem").write_bytes(key)


class _Authority:
    """Somebody who signs certificates."""

    def __init__(self, name: str) -> None:
        self._name = _named(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        usage = x509.KeyUsage(
            digital_signature=True, content_commitment=False, key_encipherment=False, data_encipherment=False,
            key_agreement=False, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False,
        )  # fmt: skip
        builder = self._about(self._name, self._key).add_extension(x509.BasicConstraints(True, None), critical=True)
        self._own = builder.add_extension(usage, critical=True).sign(self._key, SHA256())
        self.pem = self._own.public_bytes(Encoding.PEM)

    def certify(self, name: str, encryption: KeySerializationEncryption) -> tuple[bytes, bytes]:
        """A certificate for 127.0.0.1, and for no name, with its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        certificate = self._about(_named(name), key).add_extension(address, critical=False).sign(self._key, SHA256())
        return (
            certificate.public_bytes(Encoding.PEM),
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption),
        )

    def _about(self, name: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(minutes=5))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
