"""Claims as words beside a committed offset."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from auditor.feeds.claims import Claim, read, write

OFFSETS = st.integers(0, 2**62)
CLAIMS = st.dictionaries(
    st.from_regex(r"[0-9a-f]{10}", fullmatch=True),
    st.builds(lambda first, more: Claim(first, first + more), OFFSETS, st.integers(0, 10_000)),
    max_size=20,
)


@given(CLAIMS)
def test_what_is_written_is_read(claims: dict[str, Claim]) -> None:
    assert read(write(claims)) == claims


def test_what_somebody_else_has_written_is_nothing() -> None:
    for text in (None, "", "their own words", "auditor/2 a=1-2"):
        assert read(text) == {}


def test_where_there_is_no_room_the_oldest_is_left_out() -> None:
    # given more claims than a broker takes
    many = {f"{number:010x}": Claim(10**12 + number, 10**12 + number + 1) for number in range(500)}
    # when they are written
    text = write(many)
    # then they fit, and those that are kept are the newest
    assert len(text) <= 4_096
    kept = read(text)
    assert list(kept) == list(many)[-len(kept) :]
    assert len(kept) > 50
