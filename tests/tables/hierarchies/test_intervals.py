import itertools
import math
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import InputError, UsageError
from tokumei.core.generalized_cells import CellShape, parse_cell
from tokumei.tables.hierarchies.intervals import interval_hierarchy

WHOLE = st.lists(st.integers(-60, 60), min_size=1, max_size=15)
REALS = st.lists(
    st.floats(-50, 50, allow_nan=False).map(lambda x: round(x, 2)), min_size=1, max_size=15
)


def column(values):
    return pl.Series("x", values)


@given(WHOLE, st.integers(2, 9), st.integers(2, 4))
def test_widths_of_whole_numbers_are_multiples(values, width, times):
    made = interval_hierarchy(column(values), widths=[width, width * times])
    assert made.leaves.to_list() == [str(value) for value in sorted(set(values))]
    for leaf, *labels, star in made.frame().iter_rows():
        assert star == "*"
        for label, wide in zip(labels, (width, width * times), strict=True):
            low = math.floor(int(leaf) / wide) * wide
            assert label == f"[{low};{low + wide - 1}]"


@given(REALS, st.sampled_from(["0.1", "0.25", "3"]), st.integers(2, 5))
def test_widths_of_reals_contain_their_lower_end(values, width, times):
    widths = [width, Decimal(width) * times]
    made = interval_hierarchy(column([*values, 0.5]), widths=widths)
    for leaf, *labels, _ in made.frame().iter_rows():
        for label, wide in zip(labels, widths, strict=True):
            cell = parse_cell(label)
            assert cell.shape is CellShape.INTERVAL
            assert cell.low <= float(leaf) < cell.high
            low, high = (Decimal(end) for end in label[1:-1].split(";"))
            assert high - low == Decimal(wide)
            assert low % Decimal(wide) == 0


@given(WHOLE, st.sets(st.integers(-59, 59), max_size=6), st.data())
def test_cuts_are_half_open_and_the_last_is_closed(values, inner, data):
    fine = [-60, *sorted(inner), 60]
    kept = data.draw(st.sets(st.sampled_from(sorted(inner)))) if inner else set()
    coarse = [-60, *sorted(kept), 60]
    made = interval_hierarchy(column(values), cuts=[fine, coarse])
    for leaf, *labels, _ in made.frame().iter_rows():
        for label, cuts in zip(labels, (fine, coarse), strict=True):
            bands = list(itertools.pairwise(cuts))
            low, high = next(b for b in reversed(bands) if b[0] <= int(leaf))
            end = high if high == cuts[-1] else high - 1
            assert label == (f"[{low};{end}]" if low != end else str(low))


def test_cuts_of_reals_and_open_ends():
    made = interval_hierarchy(column([0.0, 0.5, 1.0]), cuts=[[0, 0.5, 1]])
    assert made.labels(1).to_list() == ["[0;0.5]", "[0.5;1]", "[0.5;1]"]
    wide = interval_hierarchy(column([-5, 17, 18, 200]), cuts=[["-inf", 18, "inf"]])
    assert wide.labels(1).to_list() == ["[-inf;17]", "[-inf;17]", "[18;inf]", "[18;inf]"]
    assert parse_cell("[18;inf]").covers("200")


def test_cuts_must_take_in_all_values():
    with pytest.raises(InputError) as caught:
        interval_hierarchy(column([1, 5, 5, 121]), cuts=[[2, 18, 120]])
    assert [f.message.show("en") for f in caught.value.faults] == ["'1' (1 row)", "'121' (1 row)"]
    assert "from 2 to 120" in caught.value.message.show("en")


@given(st.lists(st.integers(0, 20), min_size=1, max_size=40))
def test_quantiles_cut_where_enough_rows_lie_below(values):
    made = interval_hierarchy(column(values), quantiles=[4, 2])
    for level, groups in ((1, 4), (2, 2)):
        cuts = {min(values)}
        for i in range(1, groups):
            enough = [
                v for v in sorted(values) if sum(w < v for w in values) * groups >= i * len(values)
            ]
            cuts |= set(enough[:1])
        # The largest value closes the last band instead of opening one of its own.
        cuts = sorted(cuts - {max(values)} | {min(values)})
        for leaf, label in zip(made.leaves, made.labels(level), strict=True):
            low = max(cut for cut in cuts if cut <= int(leaf))
            later = [cut - 1 for cut in cuts if cut > low]
            high = later[0] if later else max(values)
            assert label == (f"[{low};{high}]" if low != high else str(low))


def test_every_whole_number_can_be_a_leaf():
    made = interval_hierarchy(column([3, 7, None]), widths=[5], every=True)
    assert made.leaves.to_list() == ["3", "4", "5", "6", "7", ""]
    assert made.labels(1).to_list() == ["[0;4]", "[0;4]", *["[5;9]"] * 3, ""]


def test_text_is_read_as_numbers_if_all_of_it_is():
    made = interval_hierarchy(column(["10", "9", None]), widths=[5])
    assert dict(zip(made.leaves, made.labels(1), strict=True)) == {
        "9": "[5;9]",
        "10": "[10;14]",
        "": "",
    }
    with pytest.raises(InputError) as caught:
        interval_hierarchy(column(["10", "x", "y"]), widths=[5])
    assert caught.value.total == 2


def test_great_whole_numbers_are_not_rounded():
    great = 2**60 + 1
    made = interval_hierarchy(column([great]), widths=[2])
    assert made.labels(1).to_list() == [f"[{great - 1};{great}]"]


def test_a_width_of_one_is_the_leaf_and_only_empty_cells_are_no_error():
    assert interval_hierarchy(column([1, 2]), widths=[1, 2]).height == 2
    empty = pl.Series("x", [None, None], dtype=pl.Int64)
    assert interval_hierarchy(empty, widths=[5]).frame().rows() == [("", "*")]


def test_open_bands_that_meet_on_a_coarser_level_end_the_hierarchy():
    made = interval_hierarchy(column([3, 17, 30]), widths=[2, 20], open_below=16, open_above=19)
    assert made.frame().rows()[1] == ("17", "[16;17]", "*")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"widths": [5], "quantiles": [2]},
        {"widths": [5, 12]},
        {"widths": [5, 5]},
        {"widths": [-1]},
        {"widths": ["nan"]},
        {"widths": ["wide"]},
        {"widths": ["1e-9"]},
        {"cuts": [[0]]},
        {"cuts": [[0, 100, 50]]},
        {"cuts": [[0, 50, 100], [0, 60, 100]]},
        {"cuts": [[0, 50, 100], [10, 50, 100]]},
        {"quantiles": [4, 3]},
        {"quantiles": [0]},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(UsageError):
        interval_hierarchy(column([1.5, 60.0]), **options)


@given(WHOLE, st.integers(2, 6), st.integers(2, 4), st.integers(-40, 0), st.integers(1, 40))
def test_open_bands_take_in_everything_beyond(values, width, times, below, above):
    """By the definition: a band of its own below one number, and from another one on."""
    ends = {"open_below": below, "open_above": above}
    made = interval_hierarchy(column(values), widths=[width, width * times], **ends)
    for leaf, fine, coarse, _ in made.frame().iter_rows():
        number = int(leaf)
        wide = width * times
        top, bottom = above // wide * wide, -(-below // wide) * wide
        for label, low, high in ((fine, below, above), (coarse, bottom, top)):
            if number >= high:
                assert label == f"[{high};inf]"
            elif number < low:
                assert label == f"[-inf;{low - 1}]"
            else:
                first, last = label.strip("[]").split(";") if ";" in label else (label, label)
                assert max(low, int(first)) <= number <= min(high - 1, int(last))


def test_open_ages():
    ages = column(list(range(10, 100)))
    made = interval_hierarchy(ages, widths=[5, 10], open_above=70, open_below=16)
    bands = made.names[1].to_list()
    assert (bands[0], bands[1], bands[-1], len(bands)) == ("[-inf;15]", "[16;19]", "[70;inf]", 13)


@pytest.mark.parametrize(
    "options",
    [
        {"cuts": [[0, 50, 100]], "open_above": 70},
        {"widths": [5], "open_above": 10, "open_below": 20},
    ],
)
def test_open_bands_that_cannot_be(options):
    with pytest.raises(UsageError, match="open bands"):
        interval_hierarchy(column([1, 60]), **options)


def test_every_needs_whole_numbers_not_too_far_apart():
    for values in ([1.5], [0, 10**7]):
        with pytest.raises(UsageError):
            interval_hierarchy(column(values), widths=[5], every=True)


def test_not_a_number_is_a_missing_cell():
    made = interval_hierarchy(pl.Series("x", np.array([1.5, np.nan])), widths=[1])
    assert made.leaves.to_list() == ["1.5", ""]
    with pytest.raises(InputError):
        interval_hierarchy(pl.Series("x", [math.inf]), widths=[1])
