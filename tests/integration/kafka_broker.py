"""Apache Kafka for the tests: one process, KRaft, from the jars that `tests/integration/kafka/fetch.sh` brings."""

from __future__ import annotations

import base64
import os
import shutil
import socket
import subprocess
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
JARS = ROOT / ".cache" / "kafka"
LARGEST_RECORD = 16 << 20  # bytes: room for the 10 MB record that the tests send
START_SECONDS = 60

_CONFIG = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={folder}/log
auto.create.topics.enable=false
message.max.bytes={largest}
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
"""


class KafkaMissing(Exception):
    """There is no Apache Kafka to test with. Its text says what is missing and how to get it."""


def classpath() -> str:
    """What the broker is made of. Raises `KafkaMissing`."""
    if shutil.which("java") is None:
        raise KafkaMissing("no Java on the path: Apache Kafka needs Java 17")
    if not list(JARS.glob("kafka_*.jar")):
        raise KafkaMissing("Apache Kafka's jars are not here: `make kafka-jars` brings them")
    return str(JARS / "*")


class Broker:
    """One broker on a folder of its own, which may die and come back."""

    def __init__(self, jars: str, config: Path, port: int) -> None:
        self.bootstrap = f"127.0.0.1:{port}"
        self.folder = config.parent
        self._call = [*_command(jars), "kafka.Kafka", str(config)]
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns once it takes connections."""
        log = self.folder / "broker.log"
        with log.open("ab") as words:
            self._process = subprocess.Popen(self._call, stdout=words, stderr=words, start_new_session=True)
        _wait(self._process, self._port, log)

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """SIGTERM: what it holds is closed cleanly, and not looked through on the next start."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(START_SECONDS)


@contextmanager
def own_broker(folder: Path, more: str = "", formatted: Sequence[str] = ()) -> Iterator[Broker]:
    """A broker that keeps its data in `folder`, started. Raises `KafkaMissing`.

    `more`: properties that win over the usual ones, with the same placeholders. `formatted`: options of the format.
    """
    jars = classpath()
    port, controller = _free_ports(2)
    config = folder / "server.properties"
    usual = {"port": port, "controller": controller, "folder": folder, "largest": LARGEST_RECORD}
    config.write_text((_CONFIG + more).format(**usual))
    _java(
        jars, "kafka.tools.StorageTool", "format", "-t", _cluster_id(), "-c", str(config), *formatted
    ).check_returncode()
    broker = Broker(jars, config, port)
    try:
        broker.start()
        yield broker
    finally:
        broker.kill()  # its data is thrown away: a clean stop would only take time


@contextmanager
def kafka_broker(folder: Path, more: str = "", formatted: Sequence[str] = ()) -> Iterator[str]:
    """The same where only its HOST:PORT matters."""
    with own_broker(folder, more, formatted) as broker:
        yield broker.bootstrap


def _command(jars: str) -> list[str]:
    quiet = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"
    return ["java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", quiet, "-cp", jars]


def _java(jars: str, *call: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*_command(jars), *call], check=False, capture_output=True, timeout=START_SECONDS)


def _cluster_id() -> str:
    sixteen = b"\0" + uuid.uuid4().bytes[1:]  # it must not begin with a dash, which would make it an option
    return base64.urlsafe_b64encode(sixteen).rstrip(b"=").decode()


def _free_ports(count: int) -> list[int]:
    with_ports = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in with_ports]
    for each in with_ports:
        each.close()
    return ports


def _wait(broker: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Until it takes connections, which KRaft allows once the controller is elected."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if broker.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"Apache Kafka did not start:\n{log.read_text(errors='replace')[-2000:]}")


def required() -> bool:
    """Whether a missing Kafka fails the tests instead of skipping them, as it does in CI."""
    return os.environ.get("AUDITOR_REQUIRE_KAFKA") == "1"
