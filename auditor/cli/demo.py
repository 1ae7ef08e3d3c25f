"""`auditor demo`: a card room, live over Kafka's protocol, audited into DuckDB, on one machine in half a minute."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from auditor.cli.exits import UNAVAILABLE, fail

_TABLES = 8
_HANDS = 60
_MISTAKES = 0.08
_RATE = 2_000  # events a second: fast enough to be over soon, slow enough to watch
_IDLE = "4"  # seconds without an event after which the room has closed; before the first, for it to open


def demo(
    folder: Annotated[Path, typer.Option(help="Where the store and the truth go; made anew.")] = Path(".demo"),
    seed: Annotated[int, typer.Option(help="Another seed, another night at the tables.")] = 7,
) -> None:
    """Simulate a card room, audit it live into a DuckDB file, and show what was found.

    Starts a Kafka-compatible broker that comes with a Python wheel; where there is none for the platform, it says so
    and runs from a file. Nothing leaves the machine.

    \b
    auditor demo
    """
    from auditor.simulate.broker import NoBroker, demo_broker

    folder.mkdir(parents=True, exist_ok=True)
    store, truth = folder / "room.duckdb", folder / "truth.jsonl"
    for old in (store, store.with_name(store.name + ".wal"), truth):
        old.unlink(missing_ok=True)
    _say(f"A card room opens: {_TABLES} tables, {_HANDS} hands each; about one hand in twelve goes wrong on purpose.")
    room = [
        "simulate", "--tables", str(_TABLES), "--hands", str(_HANDS), "--mistakes", str(_MISTAKES),
        "--seed", str(seed), "--truth", str(truth),
    ]  # fmt: skip
    try:
        with demo_broker() as bootstrap:
            _say(f"A broker listens on {bootstrap}; the events go over poker.dealing and poker.betting.\n")
            _live(room, bootstrap, store)
    except NoBroker as reason:
        _say(f"No live feed: {reason}. The same room from a file instead.\n")
        _from_file(room, folder / "room.jsonl.zst", store)
    _show(store, truth)


def _live(room: list[str], bootstrap: str, store: Path) -> None:
    from auditor.simulate.sink import KafkaSink

    with KafkaSink(bootstrap, partitions=4):  # the topics are there before anybody listens
        pass
    dealing = subprocess.Popen(_call(*room, "--bootstrap", bootstrap, "--rate", str(_RATE)), stderr=subprocess.PIPE)
    try:
        _run("run", "--bootstrap", bootstrap, "--store", str(store), "--assign", "all", "--until-idle", _IDLE)
        _, said = dealing.communicate()
    finally:
        dealing.kill()
    if dealing.returncode:
        fail(UNAVAILABLE, f"the card room broke off: {said.decode(errors='replace').strip()}")


def _from_file(room: list[str], events: Path, store: Path) -> None:
    _run(*room, "--out", str(events))
    _run("audit", str(events), "--store", str(store), "--min-severity", "critical", stdout=subprocess.DEVNULL)


def _call(*words: str) -> list[str]:
    return [sys.executable, "-m", "auditor.cli.main", *words]


def _run(*words: str, stdout: int | None = None) -> None:
    done = subprocess.run(_call(*words), check=False, stdout=stdout)
    if done.returncode:
        raise typer.Exit(done.returncode)


def _show(store: Path, truth: Path) -> None:
    """What was found, beside what was done on purpose, and a few questions to the store."""
    from auditor.cli.stores import open_reader

    with open_reader(store) as reader:
        found = {
            (rule, table, hand) for rule, table, hand in reader.run("SELECT rule, table_id, hand_id FROM findings")
        }
        (worst,) = reader.run(
            "SELECT finding_id FROM findings WHERE severity = 'critical' AND handled = 'contrary' ORDER BY seq LIMIT 1"
        )
    made = [json.loads(line) for line in truth.read_text("utf-8").splitlines()]
    # A broken line names no table and no hand.
    told = sum((m["rule"], m["table_id"], m["hand_id"]) in found or m["rule"] == "FEED108" for m in made)
    _say(f"\nIrregularities made on purpose: {len(made)}. Found: {told}.\n")
    _ask("What was found, by rule", "query", "findings-by-rule", "--store", str(store))
    _ask("Which dealers err how often", "query", "dealer-error-rates", "--store", str(store))
    _ask("One finding, explained", "explain", worst[0], "--store", str(store))
    _say("\nTry next:")
    for call in (
        f"auditor query --list --store {store}",
        f"auditor query open-incidents --store {store}",
        f"auditor query 'SELECT rule, handled, count(*) FROM findings GROUP BY ALL ORDER BY 1' --store {store}",
        "auditor rules DCK101",
        "auditor simulate --tables 4 --hands 100 --mistakes 0.05 --out room.jsonl && auditor audit room.jsonl",
    ):
        _say("  " + call.replace("auditor ", f"{_prefix()}auditor "))


def _ask(title: str, *words: str) -> None:
    _say(f"\n── {title} ──  {_prefix()}auditor {shlex.join(words)}\n")
    sys.stdout.flush()
    _run(*words)


def _prefix() -> str:
    """How the command is called from this shell: by its path, unless its folder is on the PATH."""
    import shutil

    beside = Path(sys.executable).with_name("auditor")
    there = shutil.which("auditor")
    if there is not None and Path(there).resolve() == beside.resolve():
        return ""
    try:
        return f"{beside.relative_to(Path.cwd()).parent}/"
    except ValueError:
        return f"{beside.parent}/"


def _say(words: str) -> None:
    typer.echo(words)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(demo)
