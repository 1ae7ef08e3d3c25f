"""A real HTTP server on this machine that takes webhooks, and fails as it is told to."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import NamedTuple

SILENCE = 1.0  # seconds that it keeps a caller waiting whom it does not answer


class Answer(NamedTuple):
    """What the server says to a post; status 0: nothing, and it keeps the caller waiting."""

    status: int
    headers: Mapping[str, str] = MappingProxyType({})


class Receiver:
    """A server that gives its answers in turn, then takes everything."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.posts: list[tuple[dict[str, str], bytes]] = []
        self.url = ""

    @property
    def names(self) -> list[str]:
        return [headers["webhook-id"].split("-")[0] for headers, _ in self.posts]

    @contextmanager
    def serving(self, port: int = 0) -> Iterator[str]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.posts.append(({name.lower(): value for name, value in self.headers.items()}, body))
                answer = receiver.answers.pop(0) if receiver.answers else Answer(204)
                if not answer.status:
                    time.sleep(SILENCE)
                    return
                self.send_response(answer.status)
                for name, value in {"content-length": "0", **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # http.server names it
                """Quiet."""

        with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_address[1]}/hooks/floor"
            finally:
                server.shutdown()
                thread.join()
