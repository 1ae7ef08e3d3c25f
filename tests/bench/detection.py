"""`python -m tests.bench.detection [--hands N] [--seeds 1,2,3]`: every rule's recall and precision, by injected faults.

Two sources. A simulated card room deals legal hands and makes one mistake of one kind in about half of them, at a
random place, at tables of two to ten players and every betting structure; it writes the truth beside its events. Real
hands, hold'em and stud, get one irregularity each by an edit of their events. The audit sees the events alone, and what
it finds is held against the truth, hand by hand. Hands in which nothing was done wrong go in untouched, of both: in
them nothing may be found. Neither the simulator nor the edits nor this benchmark share code with the rules.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from auditor.audit import Audit
from auditor.events import TableOpened
from auditor.feeds.files import open_feed
from auditor.findings import Finding, Reject
from auditor.intake import Record
from auditor.simulate import MISTAKES, Truth, play
from auditor.wire import parse
from tests.bench.inject import CONSEQUENCES, INJECTORS, hands_of, injected
from tests.bench.material import real_hands

TABLES = 5  # of a room: each has its own stakes, customs and number of players
DRAIN = 5_000  # records between two drains
SHOWN = 2  # of the cases that went wrong in the same way
UNPLACED = "FEED108"  # a line that is no event names no table and no hand: it is counted

Case = tuple[str, str | None, str | None]  # rule, table, hand


@dataclass
class Tally:
    """What was done wrong, what was found, over all hands of a source."""

    source: str
    kinds: int
    hands: int = 0
    untouched: int = 0
    told: Counter[str] = field(default_factory=Counter)
    hit: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    judged: int = 0  # cases where the truth says how the table handled them
    misjudged: int = 0
    wrong: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # (verdict, rule) → where

    def hold(self, where: str, truths: list[Truth], findings: list[Finding]) -> None:
        """Hold what was found in a room against what was done there."""
        told = Counter(_case(t.rule, t.table_id, t.hand_id) for t in truths)
        found = Counter(_case(f.rule, f.table_id, f.hand_id) for f in findings)
        for case, count in told.items():
            self.told[case[0]] += count
            self.hit[case[0]] += min(count, found[case])
        self._count(self.missed, "missed", where, told - found)
        self._count(self.false, "false", where, found - told)
        self._judge(where, truths, findings)

    def hold_one(self, where: str, rule: str, findings: list[Finding]) -> None:
        """Hold what was found in one hand against the one irregularity that is in it, and what it may bring."""
        told = Counter[Case]({(rule, None, None): 1})
        found = Counter[Case]((f.rule, None, None) for f in findings if f.rule not in CONSEQUENCES.get(rule, ()))
        self.told[rule] += 1
        self.hit[rule] += min(1, found[rule, None, None])
        self._count(self.missed, "missed", where, told - found)
        self._count(self.false, "false", where, found - told)

    def _count(self, tally: Counter[str], verdict: str, where: str, cases: Counter[Case]) -> None:
        for (rule, _, hand), count in cases.items():
            tally[rule] += count
            self._note(verdict, rule, f"hand {hand}, {where}")

    def _note(self, verdict: str, rule: str, where: str) -> None:
        self.wrong.setdefault((verdict, rule), []).append(where)

    def _judge(self, where: str, truths: list[Truth], findings: list[Finding]) -> None:
        """Whether each incident was followed to its ruling as it was, where the truth is certain of it."""
        found = {_case(f.rule, f.table_id, f.hand_id): f for f in findings}
        for truth in truths:
            finding = found.get(_case(truth.rule, truth.table_id, truth.hand_id))
            if finding is None or (truth.handled is None and truth.prescribed is None):
                continue
            self.judged += 1
            right = truth.handled in (None, finding.handled) and truth.prescribed in (None, finding.prescribed)
            if not right:
                self.misjudged += 1
                told = f"{finding.prescribed} {finding.handled}, not {truth.prescribed} {truth.handled}"
                self._note("misjudged", truth.rule, f"hand {truth.hand_id}, {where}: {told}")


def _case(rule: str, table: str | None, hand: str | None) -> Case:
    return (rule, None, None) if rule == UNPLACED else (rule, table, hand)


def audited(items: Iterable[Record | Reject]) -> tuple[list[Finding], int]:
    """The findings in a feed, as they stand at last, and the hands in it."""
    core, findings, hands = Audit(), dict[str, Finding](), 0
    for number, item in enumerate(items, 1):
        core.take(item)
        if number % DRAIN == 0:
            out = core.drain()
            findings.update(out.findings)
            hands += out.hands_closed
    core.finish()
    out = core.drain()
    findings.update(out.findings)
    return list(findings.values()), hands + out.hands_closed


def records(lines: Iterable[bytes]) -> Iterator[Record]:
    return (Record(line, "room", 0, number) for number, line in enumerate(lines))


def inject(tally: Tally, seed: int, hands: int) -> None:
    """One room for each kind of mistake."""
    a_table = max(4, hands // len(MISTAKES) // TABLES)
    for kind in sorted(MISTAKES):
        truths: list[Truth] = []
        lines = play(tables=TABLES, hands=a_table, mistakes=0.5, seed=seed, kinds=[kind], tell=truths.append)
        findings, played = audited(records(lines))
        tally.hands += played
        tally.hold(f"seed {seed}, kind {kind}", truths, findings)


def leave_alone(tally: Tally, seed: int, hands: int) -> None:
    """A room where nothing goes wrong."""
    findings, played = audited(records(play(tables=TABLES, hands=max(1, hands // TABLES), seed=seed)))
    tally.untouched += played
    tally.hold(f"seed {seed}, untouched", [], findings)


def take_real_hands(tally: Tally, seeds: list[int], hands: int) -> bool:
    """Real hands, dealt by people: as they are, where nothing was said to be wrong, and each with an irregularity.

    False where there are none here.
    """
    with tempfile.TemporaryDirectory() as name:
        files = [*real_hands(Path(name), hands), *real_hands(Path(name), hands, "wsop")]
        if not files:
            return False
        findings, played = audited(open_feed(files))
        real = [lines for lines in hands_of(open_feed(files)) if _can_be_edited(lines)]
    tally.untouched += played
    tally.hold("a real hand", [], findings)
    for seed in seeds:
        core = Audit()
        for number, (lines, rule) in enumerate(injected(real, seed)):
            core.take_all(records(lines))
            core.finish()
            tally.hands += 1
            tally.hold_one(f"real hand {number}, seed {seed}", rule, list(core.drain().findings.values()))
    return True


def _can_be_edited(lines: list[bytes]) -> bool:
    """Hold'em and stud: their cards stay where they were dealt."""
    opened = parse(lines[0])
    assert isinstance(opened, TableOpened)
    return opened.game in ("holdem", "stud", "razz", "stud_hilo")


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "–"


def print_table(tally: Tally) -> None:
    print(f"\n### {tally.source}\n")
    print("| rule | cases | found | missed | false | recall | precision |\n|---|---:|---:|---:|---:|---:|---:|")
    for rule in sorted({*tally.told, *tally.false}):
        _row(rule, tally.told[rule], tally.hit[rule], tally.missed[rule], tally.false[rule])
    totals = (sum(counter.values()) for counter in (tally.told, tally.hit, tally.missed, tally.false))
    _row("all", *totals)


def _row(rule: str, told: int, hit: int, missed: int, false: int) -> None:
    print(f"| {rule} | {told} | {hit} | {missed} | {false} | {share(hit, told)} | {share(hit, hit + false)} |")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.detection", description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=2_000, help="hands with mistakes, and without, for each seed")
    parser.add_argument("--seeds", default="1,2,3", help="numbers, with commas between them")
    options = parser.parse_args(arguments)
    seeds = [int(seed) for seed in options.seeds.split(",")]
    room = Tally("A simulated card room", len(MISTAKES))
    for seed in seeds:
        inject(room, seed, options.hands)
        leave_alone(room, seed, options.hands)
    real = Tally("Real hands", len(INJECTORS))
    there = take_real_hands(real, seeds, options.hands)
    for tally in (room, real) if there else (room,):
        print_table(tally)
        print_summary(tally, options.seeds)
    if not there:
        print("\nno real hands here")
    return 1 if room.wrong or real.wrong else 0


def print_summary(tally: Tally, seeds: str) -> None:
    print(
        f"\n{tally.hands:,} hands with {sum(tally.told.values()):,} irregularities, {tally.kinds} kinds, seeds {seeds}"
    )
    print(f"{tally.untouched:,} hands untouched")
    if tally.judged:
        print(
            f"{share(tally.judged - tally.misjudged, tally.judged)} of {tally.judged:,} incidents judged as they were"
        )
    for (verdict, rule), places in sorted(tally.wrong.items()):
        more = f"; and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
        print(f"{verdict}: {rule} in {'; '.join(places[:SHOWN])}{more}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
