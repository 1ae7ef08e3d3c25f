"""The service's own loop over Apache Kafka, with the rules that it is given."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from auditor.audit import Audit
from auditor.feeds.kafka import KafkaFeed, KafkaSettings
from auditor.live import Loop, Pace
from auditor.rules.rule import Rule
from auditor.store.writer import Store
from tests.bench.service import every_core

sys.path.insert(0, str(Path(__file__).parents[1] / "integration"))

_IDLE = 0.5  # seconds that end a run; taken off its time


def loop_seconds(raws: Sequence[bytes], rule_sets: Sequence[Iterable[Rule]], rounds: int) -> list[float]:
    """Seconds from the first record to the last commit for each set of rules, in turn: the median by their ratio.

    Raises `RuntimeError` where there is no Apache Kafka to measure on.
    """
    from kafka_broker import KafkaMissing, kafka_broker
    from live_kit import messages, new_topics, send

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            with ExitStack() as stack:
                with every_core():  # the broker's: this process keeps to its one
                    bootstrap = stack.enter_context(kafka_broker(folder))
                topics = new_topics(bootstrap, partitions=1)
                send(topics, messages(topics, raws))
                settings = KafkaSettings(bootstrap, (topics.dealing, topics.betting), None)
                taken = [
                    [
                        _run(settings, folder / f"{number}-{which}.duckdb", rules)
                        for which, rules in enumerate(rule_sets)
                    ]
                    for number in range(rounds + 1)
                ][1:]  # the first warms up
        except KafkaMissing as missing:
            raise RuntimeError(str(missing)) from missing
    taken.sort(key=lambda times: times[0] / times[-1])
    return taken[len(taken) // 2]


def _run(settings: KafkaSettings, path: Path, rules: Iterable[Rule]) -> float:
    with Store.open(path) as store, closing(KafkaFeed(settings, store.offsets())) as feed:
        loop = Loop(feed, Audit(keep_events=True, rules=rules), store, Pace(until_idle=_IDLE))
        began = time.perf_counter()
        loop.run(threading.Event())
        return time.perf_counter() - began - _IDLE
