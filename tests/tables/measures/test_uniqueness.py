"""Sample uniques, distinction and separation against loops over rows and pairs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.errors import UnknownNameError
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.uniqueness import (
    Distinction,
    SampleUniques,
    Separation,
    identifying_columns,
    refine_classes,
    uniqueness,
)

ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=9)
NAMES = ["a", "b", "c"]


def table(rows: list[tuple[int, ...]]) -> Table:
    return Table.of(pl.DataFrame(rows, schema=NAMES, orient="row"), qi=NAMES)


def reference(rows: list[tuple[int, ...]]) -> tuple[float, float, float]:
    pairs = list(combinations(rows, 2))
    counts = Counter(rows)
    return (
        len(counts) / len(rows),
        sum(left != right for left, right in pairs) / len(pairs) if pairs else 0.0,
        sum(counts[row] == 1 for row in rows) / len(rows),
    )


@given(rows=ROWS)
def test_equals_counting(rows: list[tuple[int, ...]]) -> None:
    found = uniqueness(table(rows), NAMES)
    assert (found.distinction, found.separation, found.uniques) == pytest.approx(reference(rows))


@settings(max_examples=50)
@given(rows=ROWS, most=st.integers(1, 4))
def test_ranked_sets_are_all_sets_with_their_figures(
    rows: list[tuple[int, ...]], most: int
) -> None:
    found = identifying_columns(table(rows), NAMES, max_size=most)
    wanted = [set_ for size in range(1, min(most, 3) + 1) for set_ in combinations(NAMES, size)]
    assert sorted(map(tuple, found["columns"].to_list())) == sorted(wanted)
    for columns, size, *figures in found.iter_rows():
        part = [tuple(row[NAMES.index(name)] for name in columns) for row in rows]
        assert size == len(columns)
        assert figures == pytest.approx(list(reference(part)))
    keys = list(found.select(-pl.col("separation"), -pl.col("distinction"), "size").iter_rows())
    assert keys == sorted(keys)


def test_by_hand() -> None:
    found = uniqueness(table([(0, 0, 0), (0, 0, 0), (0, 1, 0), (1, 1, 1)]), NAMES)
    assert (found.distinction, found.separation, found.uniques) == (0.75, 5 / 6, 0.5)


def test_measures_look_at_the_release() -> None:
    x, y = table([(0, 0, 0), (1, 1, 1), (2, 2, 2)]), table([(0, 0, 0), (0, 0, 0), (2, 2, 2)])
    case = Comparison(x, y, pl.Series([0, 1, 2]).to_numpy())
    values = [m.score(case).value for m in (SampleUniques(), Distinction(), Separation())]
    assert values == pytest.approx([1 / 3, 2 / 3, 2 / 3])


def test_unknown_columns_are_named() -> None:
    with pytest.raises(UnknownNameError, match="'d'"):
        identifying_columns(table([(0, 0, 0)]), ["d"])


@pytest.mark.data
def test_raw_adult(real_data) -> None:
    frame = pl.read_csv(real_data / "adult" / "adult.csv", separator=";")
    qi = [name for name in frame.columns if name != "occupation"]
    found = uniqueness(Table.of(frame, qi=qi), qi)
    assert round(100 * found.uniques, 2) == 29.31
    assert round(found.distinction, 6) == 0.413036
    assert round(found.separation, 6) == 0.999499


@given(
    pairs=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 200)), min_size=1, max_size=30),
)
def test_refined_classes_are_the_pairs_without_gaps(pairs: list[tuple[int, int]]) -> None:
    """Few codes go through a table, many through sorting: both number the pairs."""
    classes, codes = (np.array(part) for part in zip(*pairs, strict=True))
    found = refine_classes(classes, codes)
    assert set(found.tolist()) == set(range(len(set(pairs))))
    assert len(set(zip(pairs, found.tolist(), strict=True))) == len(set(pairs))
