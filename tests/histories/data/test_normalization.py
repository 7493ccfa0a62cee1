"""Cells of histories as people write them: read, counted, switched off, or named where they are."""

from __future__ import annotations

import polars as pl
import pytest

from tokumei.core.errors import InputError
from tokumei.histories.data.normalization import normalize_cells

CASES = [
    # own, cells, in plain form, what was touched
    ("price", ["￥1,415", "¥80", "1,200円"], [1415, 80, 1200], {"nfkc": 1, "currency": 3}),
    ("price", ["1.234,50", "3,5", "0,75"], [1234.5, 3.5, 0.75], {"decimal-comma": 3}),
    ("quantity", ["3個", "12個", "1個"], [3, 12, 1], {"unit": 3}),
    ("day", ["令和7年5月1日", "令和元年12月24日"], ["2025-05-01", "2019-12-24"], {"era": 2}),
    ("day", ["13/4/2021", "3/4/2021 09:15"], ["2021-04-13", "2021-04-03"], {"date": 2}),
]


@pytest.mark.parametrize(("own", "cells", "plain", "touched"), CASES)
def test_plain_form(
    own: str, cells: list[str], plain: list[object], touched: dict[str, int]
) -> None:
    frame, counts = normalize_cells(pl.DataFrame({"x": cells}), {own: "x"})
    read = frame["x"].to_list() if own == "day" else frame["x"].cast(float).to_list()
    assert read == plain
    assert {rule: counts["x"][rule] for rule in touched} == touched


@pytest.mark.parametrize(
    ("own", "cells"),
    [
        ("price", ["2.95", "10"]),  # nothing to do
        ("price", ["cheap", "dear"]),  # no number
    ],
)
def test_left_as_it_is(own: str, cells: list[str]) -> None:
    frame = pl.DataFrame({"x": cells})
    same, counts = normalize_cells(frame, {own: "x"})
    assert same.equals(frame)
    assert not counts


def test_days_that_no_cell_decides_are_a_question() -> None:
    frame = pl.DataFrame({"x": ["3/4/2021", "5/6/2021"]})
    with pytest.raises(InputError, match='date_order="dmy" or mdy'):
        normalize_cells(frame, {"day": "x"})
