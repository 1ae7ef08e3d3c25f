"""The service as processes on Apache Kafka, for what one process alone cannot show."""

from __future__ import annotations

import os
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

sys.path.insert(0, str(Path(__file__).parents[1] / "integration"))


class Place(NamedTuple):
    """Where a measure runs: a broker of its own, and a folder for stores."""

    bootstrap: str
    folder: Path


@contextmanager
def apache_kafka() -> Iterator[Place]:
    """A broker, and every core for the processes started meanwhile. Raises `RuntimeError` where there is none."""
    from kafka_broker import KafkaMissing, kafka_broker

    with every_core(), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            with kafka_broker(folder) as bootstrap:
                yield Place(bootstrap, folder)
        except KafkaMissing as missing:
            raise RuntimeError(str(missing)) from missing


@contextmanager
def every_core() -> Iterator[None]:
    """The measures of one core keep to one; processes inherit that, and several of them are measured on all."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    psutil.Process().cpu_affinity([])  # all that there are
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def ready(port: int) -> bool:
    """Whether the service with its metrics on this port has partitions to read."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5):
            return True
    except OSError:
        return False
