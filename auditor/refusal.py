"""Why a broker does not let us in.

Kafka's client tells a broker that hangs up from one that is away only now and then: of a handshake that failed it says
that time ran out, and an answer that comes together with the end of the connection is lost to it. So, when it could
not connect, what it did is done once more here, by hand, on each address; a user who mistyped a password shall not
be told to wait for the broker.
"""

from __future__ import annotations

import socket
import ssl
import struct
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from typing import Final

from kafka.errors import AuthorizationError, SaslAuthenticationFailedError, UnsupportedSaslMechanismError
from kafka.net.sasl import get_sasl_mechanism

from auditor.cluster import Cluster, Sasl, Tls, tls_words

_SECONDS: Final = 3.0  # for each step
_LONGEST_ANSWER: Final = 64 << 10  # bytes; a port that speaks something else answers with any number

# Kafka's protocol, https://kafka.apache.org/protocol: two requests in their plainest versions.
_SASL_HANDSHAKE: Final = (17, 1)
_SASL_AUTHENTICATE: Final = (36, 0)
_NOT_OFFERED: Final = (33, 34)  # not this mechanism; no password at all on this port
_AUTHENTICATION_FAILED: Final = 58


def refusal(cluster: Cluster, error: BaseException) -> str | None:
    """Why the brokers do not let us in, in plain words; None where they may only be away. Takes seconds."""
    if isinstance(error, SaslAuthenticationFailedError) and cluster.sasl is not None:
        return f"{cluster.bootstrap} {_not_let_in(cluster.sasl)}"
    if isinstance(error, UnsupportedSaslMechanismError) and cluster.sasl is not None:
        return f"{cluster.bootstrap} {_not_offered(cluster.sasl)}"
    if isinstance(error, AuthorizationError):
        return f"{cluster.bootstrap} does not allow it: {error}"
    for host, port in _addresses(cluster.bootstrap):
        if words := _trouble_at(cluster, host, port):
            return f"{host}:{port} {words}"
    return None


def _addresses(bootstrap: str) -> Iterator[tuple[str, int]]:
    for server in bootstrap.split(","):
        host, _, port = server.strip().rpartition(":")
        if port.isdecimal():
            yield host.strip("[]"), int(port)


def _trouble_at(cluster: Cluster, host: str, port: int) -> str | None:
    try:
        with ExitStack() as stack:
            connection = stack.enter_context(closing(socket.create_connection((host, port), timeout=_SECONDS)))
            if cluster.tls is not None:
                try:
                    connection = stack.enter_context(closing(_wrapped(connection, host, cluster.tls)))
                    if cluster.sasl is None:
                        _listen(connection)
                except ssl.SSLCertVerificationError as error:
                    return f"shows a certificate that is not trusted: {error.verify_message}"
                except (ssl.SSLEOFError, ConnectionError):
                    return "hangs up on TLS: does the port speak it?"
                except ssl.SSLError as error:
                    return f"does not shake hands over TLS: {tls_words(error)}"
            if cluster.sasl is not None and (words := _sasl_trouble(connection, cluster, cluster.sasl)):
                return words
        return "speaks TLS: its security protocol is SSL or SASL_SSL" if _should_be_tls(cluster, host, port) else None
    except OSError:
        return None  # nobody is there, which is another matter


def _wrapped(connection: socket.socket, host: str, tls: Tls) -> ssl.SSLSocket:
    return tls.context().wrap_socket(connection, server_hostname=host)


def _listen(connection: socket.socket) -> None:
    """Wait for the server to object: of our certificate it says so only after TLS 1.3's handshake is over."""
    try:
        connection.recv(1)
    except TimeoutError:
        return  # it waits for us to speak


def _should_be_tls(cluster: Cluster, host: str, port: int) -> bool:
    if cluster.tls is not None:
        return False
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname = False
    anybody.verify_mode = ssl.CERT_NONE
    with socket.create_connection((host, port), timeout=_SECONDS) as connection:
        try:
            anybody.wrap_socket(connection, server_hostname=host).close()
        except OSError:
            return False
    return True


# --- a user and a password -----------------------------------------------------------------------------------------


def _not_let_in(sasl: Sasl) -> str:
    return f"does not let in the user {sasl.username!r} by {sasl.mechanism}: a wrong name or password"


def _not_offered(sasl: Sasl) -> str:
    return f"does not take a password by {sasl.mechanism}"


def _sasl_trouble(connection: socket.socket, cluster: Cluster, sasl: Sasl) -> str | None:
    numbers = count(1)
    try:
        text = sasl.mechanism.encode()
        error, _ = _ask(connection, _SASL_HANDSHAKE, next(numbers), struct.pack(">h", len(text)) + text)
        if error in _NOT_OFFERED:
            return _not_offered(sasl)
        exchange = get_sasl_mechanism(sasl.mechanism)(**cluster.arguments())
        while not error and not exchange.is_done():
            token = exchange.auth_bytes()
            error, rest = _ask(connection, _SASL_AUTHENTICATE, next(numbers), struct.pack(">i", len(token)) + token)
            if error == _AUTHENTICATION_FAILED:
                return _not_let_in(sasl)
            exchange.receive(_token(rest))
    except (OSError, struct.error, ValueError):
        return None  # it hung up, or does not speak Kafka's protocol
    return None


def _ask(connection: socket.socket, what: tuple[int, int], number: int, body: bytes) -> tuple[int, bytes]:
    """One request; the error's number of its answer, and the rest."""
    request = struct.pack(">hhih", *what, number, -1) + body
    connection.sendall(struct.pack(">i", len(request)) + request)
    (length,) = struct.unpack(">i", _read(connection, 4))
    if not 6 <= length <= _LONGEST_ANSWER:
        raise ValueError("no answer of Kafka's")
    answer = _read(connection, length)
    _, error = struct.unpack_from(">ih", answer)
    return error, answer[6:]


def _token(rest: bytes) -> bytes:
    """What the other side proves with, after a message that may be null."""
    (length,) = struct.unpack_from(">h", rest)
    return rest[2 + max(0, length) + 4 :]


def _read(connection: socket.socket, size: int) -> bytes:
    parts = b""
    while len(parts) < size:
        part = connection.recv(size - len(parts))
        if not part:
            raise ConnectionError("hung up")
        parts += part
    return parts
