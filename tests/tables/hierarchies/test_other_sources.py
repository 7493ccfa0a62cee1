"""Dates, prefixes, merged neighbours, proposals."""

import itertools
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import CellShape, parse_cell
from tokumei.tables.hierarchies.choose import propose_hierarchy
from tokumei.tables.hierarchies.files import read_hierarchy, write_hierarchy


def sizes(made):
    return [len(names) for names in made.names]


def test_proposals_for_ages():
    made = propose_hierarchy(pl.Series("age", np.random.default_rng(1).integers(17, 91, 500)))
    assert made.frame().row(0) == ("17", "[15;19]", "[10;19]", "[0;19]", "*")


def test_proposals_for_crowded_numbers_are_balanced_and_hide_the_extremes():
    rng = np.random.default_rng(2)
    values = pl.Series("income", rng.lognormal(10, 2, 2000))
    made = propose_hierarchy(values)
    assert sizes(made)[1:] == [16, 8, 4, 2, 1]
    rows = np.bincount(made.up[1])
    assert rows.max() < 2 * rows.min()
    cells = [parse_cell(name) for name in made.names[1]]
    assert all(cell.shape is CellShape.INTERVAL for cell in cells)
    assert max(cell.high for cell in cells) > values.max()


def test_proposals_by_kind():
    assert propose_hierarchy(pl.Series("x", [date(1990, 1, 1), date(1991, 1, 1), None])).height == 1
    birth = pl.Series("x", [date(1980 + i // 12, i % 12 + 1, d) for i in range(60) for d in (1, 2)])
    assert sizes(propose_hierarchy(birth)) == [120, 60, 20, 5, 1]
    codes = pl.Series("x", [f"{a}{b}{c}" for a in range(5) for b in range(4) for c in range(3)])
    assert propose_hierarchy(codes).frame().row(0) == ("000", "00*", "0*", "*")
    assert propose_hierarchy(pl.Series("x", [1, 2, 3, 4])).labels(1)[0] == "[1;2]"
    assert propose_hierarchy(pl.Series("x", [True, False])).frame().rows() == [
        ("false", "*"),
        ("true", "*"),
    ]
    assert propose_hierarchy(pl.Series("x", [None], dtype=pl.String)).frame().rows() == [("", "*")]
    assert propose_hierarchy(pl.Series("x", [None], dtype=pl.Float64)).frame().rows() == [("", "*")]


def test_proposals_for_numbers_on_both_sides_of_zero():
    made = propose_hierarchy(pl.Series("x", list(range(-50, 60))))
    assert made.frame().row(0) == ("-50", "[-50;-41]", "[-60;-41]", "[-100;-1]", "*")


def test_proposals_for_crowded_numbers_far_from_zero():
    tail = np.random.default_rng(3).lognormal(3, 2, 2000)
    assert sizes(propose_hierarchy(pl.Series("x", 1e6 + tail)))[1:] == [16, 8, 4, 2, 1]


WHOLE = st.integers(-(2**60), 2**60) | st.integers(-100, 100)


REALS = st.floats(-1e300, 1e300) | st.floats(-2, 2)


ANY = st.one_of(
    st.lists(WHOLE | st.none(), min_size=1, max_size=5),
    st.lists(WHOLE, min_size=11, max_size=40, unique=True),
    st.lists(REALS | st.none(), min_size=1, max_size=5),
    st.lists(REALS, min_size=11, max_size=40, unique=True),
    st.tuples(REALS, st.lists(REALS, min_size=11, max_size=30, unique=True)).map(
        lambda parts: [parts[0]] * 50 + parts[1]
    ),
    st.lists(st.text("ab10", min_size=3, max_size=3), min_size=8, max_size=40),
    st.lists(st.text("ab10-;.", max_size=4) | st.none(), min_size=1, max_size=40),
    st.lists(st.dates(date(1600, 1, 1)) | st.none(), min_size=1, max_size=20),
)


@settings(max_examples=200)
@given(ANY)
def test_any_column_gets_a_hierarchy_that_can_be_edited(tmp_path_factory, values):
    series = pl.Series("x", values, strict=False)
    made = propose_hierarchy(series)
    codes = made.leaf_codes(series)
    assert len(codes) == len(series)
    path = tmp_path_factory.mktemp("h") / "x.csv"
    write_hierarchy(made, path)
    again = read_hierarchy(path, "x")
    assert again.frame().equals(made.frame())
    assert again.leaf_codes(series).tolist() == codes.tolist()
    levels = sizes(made)
    assert all(fine >= coarse for fine, coarse in itertools.pairwise(levels))


def test_a_column_with_a_star_cannot_have_a_hierarchy():
    with pytest.raises(InputError, match="'\\*'"):
        propose_hierarchy(pl.Series("x", ["a", "*"]))
