"""Dates, prefixes, merged neighbours, proposals."""

import itertools
from datetime import date, datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.errors import InputError, UsageError
from tokumei.core.generalized_cells import CellShape, parse_cell
from tokumei.tables.hierarchies.choose import propose_hierarchy
from tokumei.tables.hierarchies.dates import date_hierarchy
from tokumei.tables.hierarchies.files import read_hierarchy, write_hierarchy
from tokumei.tables.hierarchies.text_hierarchies import (
    merge_hierarchy,
    merge_neighbours,
    prefix_hierarchy,
)

DAYS = st.lists(st.dates(date(1, 1, 1), date(9999, 12, 31)), min_size=1, max_size=8)


@given(DAYS)
def test_dates_by_month_quarter_year_and_decade(days):
    made = date_hierarchy(pl.Series("x", days))
    wanted = [
        (
            f"{d.year:04d}-{d.month:02d}-{d.day:02d}",
            f"{d.year:04d}-{d.month:02d}",
            f"{d.year:04d}-Q{(d.month + 2) // 3}",
            f"{d.year:04d}",
            f"{d.year // 10:03d}0s",
            "*",
        )
        for d in sorted(set(days))
    ]
    assert made.frame().rows() == wanted


@pytest.mark.parametrize("written", ["2011-01-31", "2011/01/31", "20110131", "2011年01月31日"])
def test_text_is_read_as_dates(written):
    made = date_hierarchy(pl.Series("x", [written]), levels=["year"])
    assert made.frame().rows() == [(written, "2011", "*")]


def test_times_get_a_level_of_days_and_missing_cells_stay_missing():
    times = [datetime(2011, 1, 5, 3), datetime(2011, 1, 5, 4, 30), None]
    made = date_hierarchy(pl.Series("x", times), levels=["year"])
    assert made.frame().rows() == [
        ("2011-01-05T03:00:00", "2011-01-05", "2011", "*"),
        ("2011-01-05T04:30:00", "2011-01-05", "2011", "*"),
        ("", "", "", "*"),
    ]
    assert made.leaf_codes(pl.Series(times)).tolist() == [0, 1, 2]


def test_times_may_be_text():
    made = date_hierarchy(pl.Series("x", ["2011-01-05 03:00:00", "2011-01-06"]), levels=["year"])
    assert made.frame().rows() == [
        ("2011-01-05T03:00:00", "2011-01-05", "2011", "*"),
        ("2011-01-06", "2011-01-06", "2011", "*"),
    ]


def test_what_is_no_date_is_listed():
    with pytest.raises(InputError) as caught:
        date_hierarchy(pl.Series("x", ["2011-01-31", "2011-02-31", "soon"]))
    assert [f.message.en for f in caught.value.faults] == [
        "'2011-02-31' (1 row(s))",
        "'soon' (1 row(s))",
    ]
    with pytest.raises(InputError):
        date_hierarchy(pl.Series("x", [1.5]))
    for levels in (["week"], ["year", "month"], ["year", "year"]):
        with pytest.raises(UsageError):
            date_hierarchy(pl.Series("x", [date(2000, 1, 1)]), levels=levels)


@given(
    st.lists(st.text("12ab", min_size=1, max_size=5), min_size=1, max_size=12),
    st.sets(st.integers(1, 5), min_size=1),
)
def test_prefixes_are_the_first_characters(codes, lengths):
    falling = sorted(lengths, reverse=True)
    made = prefix_hierarchy(pl.Series("x", codes), lengths=falling)
    for code, *labels, _ in made.frame().iter_rows():
        assert labels == [code[:n] + "*" if len(code) > n else code for n in falling]


@pytest.mark.parametrize("lengths", [[], [0], [1, 2], [2, 2]])
def test_prefix_lengths_must_fall(lengths):
    with pytest.raises(UsageError):
        prefix_hierarchy(pl.Series("x", ["ab"]), lengths=lengths)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=60), st.integers(2, 5))
def test_merged_groups_are_runs_that_grow_until_few_are_left(counts, fanout):
    levels = merge_neighbours(np.array(counts), fanout)
    below = np.arange(len(counts))
    for groups in levels:
        assert below.max() + 1 > fanout
        assert groups.max() < below.max()
        assert set(np.diff(groups)) <= {0, 1}
        assert groups[0] == 0
        parts = [len(set(below[groups == g])) for g in range(groups.max() + 1)]
        assert max(parts) <= 2 * fanout + 1
        below = groups
    assert below.max() + 1 <= max(fanout, 1)


def test_a_frequent_value_stays_apart():
    values = pl.Series("x", ["m"] * 900 + [chr(97 + i) for i in range(26)])
    made = merge_hierarchy(values, fanout=3)
    assert made.labels(1).to_list()[12] == "m"
    assert made.labels(1).to_list()[0].startswith("{a;b;")


def test_labels_of_merged_values():
    words = merge_hierarchy(pl.Series("x", list("abcd")), fanout=2)
    assert words.frame().rows()[0] == ("a", "{a;b}", "*")
    assert parse_cell("{a;b}").members == {"a", "b"}
    whole = merge_hierarchy(pl.Series("x", [10, 9, 100, 101]), fanout=2)
    assert whole.labels(1).to_list() == ["[9;10]", "[9;10]", "[100;101]", "[100;101]"]
    listed = merge_hierarchy(pl.Series("x", ["a;b", "c", "d", "e"]), fanout=2)
    assert listed.labels(1).to_list() == ["a;b … c"] * 2 + ["{d;e}"] * 2


def test_large_sets_show_their_ends():
    made = merge_hierarchy(pl.Series("x", [f"v{i:03d}" for i in range(200)]), fanout=5)
    assert made.label(1, 0) == "{v000;v001;v002;v003;v004}"
    assert " … " in made.label(made.height - 1, 0)


def test_a_given_order_decides_who_are_neighbours():
    values = pl.Series("x", ["high", "low", "middle", "low", "top"])
    made = merge_hierarchy(values, order=["low", "middle", "high", "top"], fanout=2)
    assert made.frame().rows() == [
        ("low", "{low;middle}", "*"),
        ("middle", "{low;middle}", "*"),
        ("high", "{high;top}", "*"),
        ("top", "{high;top}", "*"),
    ]
    with pytest.raises(InputError, match="order"):
        merge_hierarchy(values, order=["low"])
    with pytest.raises(UsageError):
        merge_hierarchy(values, fanout=1)


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
