"""kill -9 in the midst of committing: every batch is whole, and what was reported committed is there."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from auditor.store.reader import Reader

KILLS = int(os.environ.get("AUDITOR_CHAOS_KILLS", "5"))
BATCH = 200  # events

# Goes on where the store left off, and prints the number of each batch once it is committed.
_COMMITTER = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from store_kit import event, finding, hand, outcomes, reject, table
from auditor.store.writer import Store

with Store.open(sys.argv[1]) as store:
    number = store.offsets().get(("poker.dealing", 0), 0) // {BATCH}
    while True:
        first = number * {BATCH}
        store.commit(
            outcomes(
                events=[event(first + i + 1, offset=first + i) for i in range({BATCH})],
                rejects=[reject(first, source="poker.betting")],
                findings=[finding(seq=number), finding(seq=max(number - 1, 0), handled="contrary")],
                hands=[hand(f"h{{number}}", number)],
                tables=[table(next_seq=first + {BATCH} + 1)],
            ),
            {{("poker.dealing", 0): first + {BATCH}}},
        )
        print(number, flush=True)
        number += 1
"""


def _commit_until_killed(path: Path, after: int, pause: float) -> int:
    """Let a process commit `after` batches and a moment more, kill it. The last batch that it reported."""
    with subprocess.Popen([sys.executable, "-c", _COMMITTER, path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(after):
            assert process.stdout.readline(), "the committing process ended by itself"
        time.sleep(pause)
        process.kill()
        reported = process.stdout.read().split()
    return int(reported[-1]) if reported else -1


def test_every_batch_is_whole_however_often_the_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "room.duckdb"
    chance = random.Random(7)
    for _ in range(KILLS):
        # Given a process that commits without pause, when it is killed at a random moment
        reported = _commit_until_killed(path, chance.randint(3, 12), chance.random() * 0.05)
        # Then the store holds whole batches, all that were reported among them
        with Reader.open(path) as reader:
            _check_whole(reader, reported)


def _check_whole(reader: Reader, reported: int) -> None:
    def one(sql: str) -> object:
        [row] = reader.run(sql)
        return row

    [(next_offset,)] = reader.run("SELECT next_offset FROM offsets")
    batches, rest = divmod(next_offset, BATCH)
    assert rest == 0
    assert batches > reported
    assert one("SELECT count(*), count(DISTINCT seq), max(seq) FROM events") == (next_offset,) * 3
    assert one('SELECT count(DISTINCT "offset"), max("offset") FROM events') == (next_offset, next_offset - 1)
    assert one("SELECT count(*), count(DISTINCT finding_id) FROM findings") == (batches, batches)
    assert one("SELECT count(*) FROM findings WHERE handled = 'contrary'") == (max(batches - 1, 1),)
    assert one("SELECT count(*), count(DISTINCT hand_id) FROM hands") == (batches, batches)
    assert one("SELECT next_seq FROM tables") == (next_offset + 1,)
    assert one("SELECT count(*) FROM rejects") == (batches,)
    # And the numbers of ingestion go on without a gap: none was given to a batch that is not there
    everything = "(SELECT ingested FROM events UNION ALL SELECT ingested FROM rejects)"
    assert one(f"SELECT count(DISTINCT ingested), max(ingested) FROM {everything}") == (next_offset + batches,) * 2
