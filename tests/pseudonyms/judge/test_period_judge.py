"""Tests of tokumei.pseudonyms.judge.period_judge."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from apps.contest.judge.spelling_helpers import rows_of
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS
from tokumei.pseudonyms.judge.period_judge import CanonicalSpelling

ZEROS = st.sampled_from(["", "0", "00"])


WHOLE = st.builds(lambda zeros, number: f"{zeros}{number}", ZEROS, st.integers(0, 30))


PRICES = WHOLE | st.builds(
    lambda whole, part: f"{whole}.{part}",
    WHOLE,
    st.sampled_from(["0", "00", "5", "50", "05", "25"]),
)


DAYS = st.builds(
    lambda zero, month, other, day: f"2011/{zero}{month}/{other}{day}",
    st.sampled_from(["", "0"]),
    st.integers(1, 9),
    st.sampled_from(["", "0"]),
    st.integers(1, 9),
)


TIMES = st.builds(
    lambda zero, hour, minute: f"{zero}{hour}:{minute:02d}",
    st.sampled_from(["", "0"]),
    st.integers(0, 9),
    st.integers(0, 59),
)


ROWS = st.lists(
    st.tuples(st.just("p"), st.just("0"), DAYS, TIMES, st.just("007"), PRICES, WHOLE),
    min_size=1,
    max_size=12,
)


def meaning(name: str, cell: str):
    """A slow reference: the value behind a cell."""
    if name == "day":
        return tuple(int(part) for part in cell.split("/"))
    if name == "time":
        return tuple(int(part) for part in cell.split(":"))
    return Decimal(cell)


@given(ROWS, ROWS)
def test_equal_values_are_written_alike_and_as_in_the_original(original, released):
    spelled = CanonicalSpelling(rows_of(original)).of(rows_of(released)).cells
    for place, name in enumerate(PERIOD_COLUMNS):
        before = [row[place] for row in released]
        after = spelled[name].to_list()
        if name not in ("day", "time", "price", "quantity"):
            assert after == before
            continue
        values = [meaning(name, cell) for cell in before]
        assert [meaning(name, cell) for cell in after] == values
        assert len({*after}) == len({*values})
        known = {}
        for cell in sorted(row[place] for row in original):
            known.setdefault(meaning(name, cell), cell)
        for value, cell in zip(values, after, strict=True):
            assert known.get(value, cell) == cell
