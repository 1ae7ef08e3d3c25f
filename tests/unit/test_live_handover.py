"""What is told of the tables, and up to where all is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from auditor.feeds.tables import Known, Moved
from auditor.intake import TableRecord
from auditor.live import handover
from auditor.live.handover import Handover


def table(name: str, *, boundary: int = 0, next_seq: int = 1) -> TableRecord:
    return TableRecord(
        table_id=name, partition=0, location=None, game="holdem", betting="no_limit", open=True, boundary_seq=boundary,
        next_seq=next_seq, duplicates=0, late=(), memory=b"{}",
    )  # fmt: skip


class Told:
    """The topic, as a list of what was said."""

    def __init__(self) -> None:
        self.tables: list[str] = []
        self.complete: dict[str, int] = {}

    def publish(self, partition: int, tables: Iterable[Moved], complete: Mapping[str, int]) -> None:
        self.tables = sorted(moved.record.table_id for moved in tables)
        self.complete = dict(complete)

    def forget(self, partition: int) -> None:
        pass


class Room:
    """The tables as they are."""

    def __init__(self, *tables: TableRecord) -> None:
        self.tables = {each.table_id: each for each in tables}

    def look(self, name: str) -> tuple[TableRecord, list[tuple[int, bytes]]] | None:
        return self.tables[name], []

    def change(self, name: str, **how: int) -> TableRecord:
        self.tables[name] = replace(self.tables[name], **how)
        return self.tables[name]


def test_a_table_is_told_when_it_is_new_and_when_its_hand_has_ended() -> None:
    # given a partition that nobody has told of
    topic, room = Told(), Room(table("A"), table("B"))
    told = Handover(topic)
    told.take_over(0, None, room.tables.values(), {"d": 10}, room.look)
    assert (topic.tables, topic.complete) == (["A", "B"], {"d": 10})
    # when A goes on in the same hand, then nothing is told, and all is complete as far as A was told
    told.tell(0, [room.change("A", next_seq=5)], {"d": 20}, room.look)
    assert (topic.tables, topic.complete) == ([], {"d": 10})
    # and when its hand has ended, A is told, and all is complete
    told.tell(0, [room.change("A", boundary_seq=7)], {"d": 30}, room.look)
    assert (topic.tables, topic.complete) == (["A"], {"d": 30})


def test_a_table_that_stays_in_its_hand_for_long_is_told_again() -> None:
    topic, room = Told(), Room(table("A"), table("B"))
    told = Handover(topic)
    told.take_over(0, None, room.tables.values(), {"d": 0}, room.look)
    told.tell(0, [room.change("A", next_seq=5)], {"d": 10}, room.look)
    # when so many records of other tables have come that a new owner would have far to read for A alone
    told.tell(0, [], {"d": handover._FAR + 1}, room.look)
    assert (topic.tables, topic.complete) == (["A"], {"d": handover._FAR + 1})


def test_what_others_have_told_is_not_told_again_unless_it_has_changed() -> None:
    # given that A was told as it is, and B as it was before it went on
    room = Room(table("A", next_seq=9), table("B", next_seq=9))
    known = Known(
        {"A": Moved(table("A", next_seq=9), (), {"d": 3}), "B": Moved(table("B", next_seq=4), (), {"d": 4})}, {"d": 8}
    )
    topic = Told()
    # when they come here
    Handover(topic).take_over(0, known, room.tables.values(), {"d": 20}, room.look)
    # then neither is told, and all is complete as far as it was when B was told: up to the last marker
    assert (topic.tables, topic.complete) == ([], {"d": 8})
