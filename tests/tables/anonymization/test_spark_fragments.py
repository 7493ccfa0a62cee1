"""Mondrian in fragments: cuts learned elsewhere, small leaves merged, the same kernel inside."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.randomness import Randomness
from tokumei.tables.anonymization.fragment_cuts import (
    ColumnDictionary,
    FragmentRecoder,
    learn_first_cuts,
    merge_small_leaves,
)
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN
from tokumei.tables.engines.local import CountedEngine
from tokumei.tables.engines.protocol import TupleCounts

ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(0, 9),
        st.none() | st.sampled_from(["x", "y", "z", "あ"]),
        st.sampled_from([0.5, 1.0, 2.25]),
    ),
    min_size=4,
    max_size=60,
)


def frame_of(rows):
    return pl.DataFrame(rows, schema={"a": pl.Int64, "b": pl.String, "c": pl.Float64}, orient="row")


def dictionaries_of(frame):
    cells = [frame.group_by(name).len(COUNT_COLUMN) for name in frame.columns]
    found = [CountedEngine(one).tuples([one.columns[0]]) for one in cells]
    return [
        ColumnDictionary.of(one.to_series(), each) for one, each in zip(cells, found, strict=True)
    ]


def coded(frame, dictionaries):
    codes = np.column_stack([one.coded(frame[one.name]) for one in dictionaries])
    values = tuple(one.values for one in dictionaries)
    return TupleCounts(tuple(frame.columns), values, codes, np.ones(frame.height, dtype=np.int64))


def mondrian(frame, method):
    table = Table.of(frame, qi=frame.columns, sa=[])
    return method.anonymize(table, rng=Randomness(1), shuffle=False).public.frame


def texts(frame):
    """Cells as text; a number as short as possible."""
    cells = frame.select(pl.all().cast(pl.String).str.replace(r"\.0$", "")).rows()
    return [tuple(row) for row in cells]


@given(rows=ROWS, k=st.integers(2, 4), cut=st.sampled_from(["gain", "median"]))
def test_one_fragment_is_mondrian_itself(rows, k, cut):
    frame, method = frame_of(rows), Mondrian(k=k, cut=cut)
    found = FragmentRecoder(method, tuple(dictionaries_of(frame))).recode(frame)
    assert texts(found) == texts(mondrian(frame, method))


@settings(max_examples=40)
@given(rows=ROWS, k=st.integers(2, 4), cut=st.sampled_from(["gain", "median"]))
def test_fragments_by_all_rows_give_what_mondrian_gives(rows, k, cut):
    """The first cuts, learned on all rows, are those that Mondrian makes."""
    frame, method = frame_of(rows), Mondrian(k=k, cut=cut)
    dictionaries = dictionaries_of(frame)
    tree = learn_first_cuts(coded(frame, dictionaries), dictionaries, k=k, cut=cut, most=8)
    work = FragmentRecoder(method, tuple(dictionaries))
    cells = {}
    for leaf in tree.leaves():
        assert leaf.rows >= k
        for place, row in zip(leaf.tuples, texts(work.recode(frame[leaf.tuples])), strict=True):
            cells[int(place)] = row
    assert [cells[place] for place in range(frame.height)] == texts(mondrian(frame, method))


@given(rows=ROWS, most=st.integers(1, 30))
def test_leaves_divide_the_rows_along_their_cuts(rows, most):
    frame = frame_of(rows)
    dictionaries = dictionaries_of(frame)
    found = coded(frame, dictionaries)
    tree = learn_first_cuts(found, dictionaries, k=1, cut="gain", most=most)
    leaves = tree.leaves()
    assert sorted(np.concatenate([leaf.tuples for leaf in leaves])) == list(range(len(rows)))
    for leaf in leaves:
        assert leaf.rows == len(leaf.tuples)
        assert leaf.rows <= most or len(set(map(tuple, found.codes[leaf.tuples]))) == 1
    if tree.parts:
        places = dictionaries[tree.column].places[found.codes[:, tree.column]]
        assert set(places[tree.parts[0].tuples] <= tree.border) == {True}
        assert set(places[tree.parts[1].tuples] <= tree.border) == {False}


@given(rows=st.lists(st.integers(0, 12), min_size=1), k=st.integers(1, 10))
def test_neighbours_are_merged_until_they_have_k_rows(rows, k):
    home = merge_small_leaves(rows, k)
    assert home == sorted(home)
    assert set(home) == set(range(home[-1] + 1))
    sizes = np.bincount(home, rows)
    assert (sizes >= k).all() or (len(sizes) == 1 and sum(rows) < k)


@pytest.mark.parametrize(
    ("rows", "k", "home"),
    [
        ([5, 5, 5], 5, [0, 1, 2]),
        ([1, 4, 5], 5, [0, 0, 1]),
        ([5, 1, 0], 5, [0, 0, 0]),  # the last ones join the fragment before
        ([2, 2], 5, [0, 0]),
    ],
)
def test_merged(rows, k, home):
    assert merge_small_leaves(rows, k) == home
