"""Tests of tokumei.tables.hierarchies.text_hierarchies."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import InputError, UsageError
from tokumei.core.generalized_cells import parse_cell
from tokumei.tables.hierarchies.text_hierarchies import (
    merge_hierarchy,
    merge_neighbours,
    prefix_hierarchy,
)


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
