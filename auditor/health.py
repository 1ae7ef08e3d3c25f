"""One port to look at the running service: `/metrics`, `/livez` and `/readyz`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

STALLED_AFTER: Final = 60.0  # seconds without a round of the loop; a round takes half a second, a commit a few
_STOP_SEEN: Final = 0.1  # seconds after which the server sees that it is to close
_PATIENCE: Final = 10  # seconds that a caller may be silent, so that half-open connections do not pile up


class Health:
    """Whether the loop goes round. Written by the loop, read by the server's threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last_round: float | None = None
        self._reading = False

    def round(self, reading: bool) -> None:
        """The loop went round; `reading`: it has partitions to read, and a broker answers."""
        self._reading = reading
        self._last_round = self._clock()

    def trouble(self) -> str | None:
        """Why the process should be started again; None while it is well, and until it has begun."""
        last = self._last_round
        if last is not None and (silent := self._clock() - last) > STALLED_AFTER:
            return f"the loop has not gone round for {silent:.0f} seconds"
        return None

    def not_ready(self) -> str | None:
        """Why nothing is audited right now; None when all is well."""
        if self._last_round is None:
            return "starting: open tables are being restored, then a broker is looked for"
        return self.trouble() or (None if self._reading else "no partition is assigned, or no broker answers")


class HealthServer:
    """Serves from a thread until closed. Raises `OSError` when the port is taken."""

    def __init__(self, port: int, registry: CollectorRegistry, health: Health, host: str = "") -> None:
        self._server = ThreadingHTTPServer((host, port), _handler(registry, health))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._serve, name="health", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        self._server.serve_forever(poll_interval=_STOP_SEEN)

    @property
    def port(self) -> int:
        """The port that it listens on: the one asked for, or a free one for 0."""
        return int(self._server.server_address[1])

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(registry: CollectorRegistry, health: Health) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = _PATIENCE

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/metrics":
                encode, kind = choose_encoder(self.headers.get("Accept", ""))
                self._answer(200, kind, encode(registry))
            elif path == "/livez":
                self._say(health.trouble())
            elif path == "/readyz":
                self._say(health.not_ready())
            else:
                self._answer(404, "text/plain; charset=utf-8", b"there is /metrics, /livez and /readyz\n")

        def _say(self, trouble: str | None) -> None:
            words = f"{trouble or 'ok'}\n".encode()
            self._answer(503 if trouble else 200, "text/plain; charset=utf-8", words)

        def _answer(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # http.server names it
            """A scrape every few seconds is no news."""

    return Handler
