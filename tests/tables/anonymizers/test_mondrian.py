"""Mondrian: every class has k rows, every cell covers its original, the cuts are those promised."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.anonymizers.mondrian_helpers import TEXT_ORDER, positions, table, tables
from tokumei.core.errors import InputError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.data.table import Release, Table

RNG = Randomness(1)


def release(source: Table, k: int, *, shuffle: bool = False, **params: Any) -> Release:
    return Mondrian(k, **params).anonymize(source, rng=RNG, shuffle=shuffle)


def classes(made: Release) -> dict[tuple[Any, ...], list[int]]:
    """Original rows by released QI vector."""
    groups = defaultdict(list)
    qi = made.public.frame.select(made.public.schema.qi)
    for cells, origin in zip(qi.iter_rows(), made.link.tolist(), strict=True):
        groups[cells].append(origin)
    return groups


def covered(cell: Any, value: Any) -> bool:
    """Whether a cell stands for a value, read without the library's parser."""
    if cell == "*" or cell == value:
        return True
    if str(cell).startswith("{∅;"):
        known = str(cell)[3:-1]
        braced = f"{{{known}}}" if ";" in known and not known.startswith("[") else known
        return value is None or covered(braced, value)
    if cell is None or value is None:
        return False
    if str(cell).startswith("["):
        low, high = str(cell)[1:-1].split(";")
        return type(value)(low) <= value <= type(value)(high)
    if str(cell).startswith("{"):
        return str(value) in str(cell)[1:-1].split(";")
    return str(cell) == str(value) or float(cell) == value


@given(columns=tables, k=st.integers(2, 4), cut=st.sampled_from(["gain", "median", "relaxed"]))
def test_classes_cells_and_sensitive_values(columns: dict[str, Any], k: int, cut: str) -> None:
    source = table(**columns)
    made = release(source, k, shuffle=True, cut=cut)
    assert sorted(made.link.tolist()) == list(range(source.rows))
    assert min(len(rows) for rows in classes(made).values()) >= k
    original = source.frame[made.link]
    assert made.public.frame["s"].equals(original["s"])
    for name in source.schema.qi:
        cells = zip(made.public.frame[name], original[name], strict=True)
        assert all(covered(cell, value) for cell, value in cells)


@given(columns=tables, k=st.integers(2, 4), cut=st.sampled_from(["gain", "median", "relaxed"]))
def test_cells_are_no_wider_than_their_class(columns: dict[str, Any], k: int, cut: str) -> None:
    source = table(**columns)
    for cells, rows in classes(release(source, k, cut=cut)).items():
        for name, cell in zip(source.schema.qi, cells, strict=True):
            values = source.frame[name][rows]
            assert cell_of(values) == (None if cell is None else _number_text(cell))


def cell_of(values: pl.Series) -> str | None:
    distinct = set(values.to_list())
    if len(distinct) == 1:
        return None if None in distinct else _number_text(distinct.pop())
    if None in distinct:
        known = cell_of(values.drop_nulls()) or ""
        return "{∅;" + known.strip("{}") + "}"
    if values.dtype == pl.String:
        return "{" + ";".join(sorted(distinct)) + "}"
    return f"[{_number_text(min(distinct))};{_number_text(max(distinct))}]"


def _number_text(value: Any) -> str:
    if isinstance(value, float):
        return str(int(value)) if value == int(value) else str(value)
    return str(value)


def slow_mondrian(columns: list[list[float]], rows: list[int], k: int) -> list[frozenset[int]]:
    def spread(j: int) -> float:
        return max(columns[j][i] for i in rows) - min(columns[j][i] for i in rows)

    for j in sorted(range(len(columns)), key=lambda j: -spread(j)):
        cuts = []
        for border in sorted({columns[j][i] for i in rows})[:-1]:
            below = [i for i in rows if columns[j][i] <= border]
            above = [i for i in rows if columns[j][i] > border]
            if min(len(below), len(above)) >= k:
                cuts.append((abs(len(below) - len(above)), below, above))
        if cuts:
            _, below, above = min(cuts, key=lambda cut: cut[0])
            return slow_mondrian(columns, below, k) + slow_mondrian(columns, above, k)
    return [frozenset(rows)]


@settings(max_examples=200)
@given(columns=tables, k=st.integers(2, 4))
def test_the_partition_is_that_of_the_slow_mondrian(columns: dict[str, Any], k: int) -> None:
    source = table(**columns)
    placed = [positions(source.frame[name].to_list()) for name in source.schema.qi]
    wanted = slow_mondrian(placed, list(range(source.rows)), k)
    made = release(source, k, cut="median", order=TEXT_ORDER)
    found = [frozenset(rows) for rows in classes(made).values()]
    assert Counter(found) == Counter(wanted)


def by_frequency(values: list[Any]) -> list[Any]:
    """Numbers as they are, categories by falling frequency; missing ones first."""
    known = Counter(v for v in values if v is not None)
    if any(isinstance(v, str) for v in known):
        order = sorted(known, key=lambda v: (-known[v], v))
        return [-1 if v is None else order.index(v) for v in values]
    return [float("-inf") if v is None else v for v in values]


def cell_width(values: set[Any], column: list[Any]) -> float:
    """What `gcp_sets` counts for a cell that holds these values."""
    if len(values) == 1:
        return 0.0
    known = {v for v in column if v is not None}
    if any(isinstance(v, str) for v in known):
        return min(len(values) / len(known), 1.0)
    low, wide = min(known), (max(known) - min(known)) or 1
    scaled = [(v - low) / wide for v in values if v is not None]
    gap = 1 / max(len(known) - 1, 1) if None in values else 0.0
    return min(max(scaled) - min(scaled) + gap, 1.0)


def slow_gain(columns: list[list[Any]], rows: list[int], k: int) -> list[frozenset[int]]:
    best = None
    for column in columns:
        at = by_frequency(column)
        for border in sorted({at[i] for i in rows})[:-1]:
            halves = [i for i in rows if at[i] <= border], [i for i in rows if at[i] > border]
            if min(map(len, halves)) < k:
                continue
            whole, low, high = (
                cell_width({column[i] for i in part}, column) * len(part)
                for part in (rows, *halves)
            )
            gain = whole - low - high
            if best is None or gain > best[0]:
                best = gain, halves
    if best is None:
        return [frozenset(rows)]
    return [part for half in best[1] for part in slow_gain(columns, half, k)]


@settings(max_examples=200)
@given(columns=tables, k=st.integers(2, 4))
def test_the_partition_is_that_of_the_slow_gain(columns: dict[str, Any], k: int) -> None:
    source = table(**columns)
    values = [source.frame[name].to_list() for name in source.schema.qi]
    wanted = slow_gain(values, list(range(source.rows)), k)
    found = [frozenset(rows) for rows in classes(release(source, k)).values()]
    assert Counter(found) == Counter(wanted)


def test_a_relaxed_cut_divides_equal_rows() -> None:
    made = release(table(q=[1, 2, 2, 2, 2, 3]), 3, cut="relaxed")
    assert made.public.frame["q"].to_list() == ["[1;2]"] * 3 + ["[2;3]"] * 3
    assert release(table(q=[1, 2, 2, 2, 2, 3]), 3).public.frame["q"].to_list() == ["[1;3]"] * 6


@pytest.mark.parametrize(
    ("values", "k", "cells"),
    [
        # numbers: cut at the median
        ([1, 2, 3, 4], 2, ["[1;2]", "[1;2]", "[3;4]", "[3;4]"]),
        ([1, 2, 3], 2, ["[1;3]"] * 3),
        # nothing to generalize: the type stays
        ([5, 5, 7, 7], 2, [5, 5, 7, 7]),
        ([5, 5, 5], 3, [5, 5, 5]),  # constant, k = n
        ([1, 9], 2, ["[1;9]", "[1;9]"]),  # k = n
        # floats: whole numbers lose their .0
        ([0.5, 1.0, 2.0, 2.5], 2, ["[0.5;1]", "[0.5;1]", "[2;2.5]", "[2;2.5]"]),
        # categories
        (["b", "a", "a", "b"], 3, ["{a;b}"] * 4),
        (["b", "a", "a", "b"], 2, ["b", "a", "a", "b"]),
        # booleans
        ([True, False, False], 2, ["{false;true}"] * 3),
        # missing values: their own class if there are enough, else a member of the cell
        ([None, None, 1, 2], 2, [None, None, "[1;2]", "[1;2]"]),
        ([None, 1, 1, 1], 2, ["{∅;1}"] * 4),
        ([None, 1, 2, 3], 2, ["{∅;1}", "{∅;1}", "[2;3]", "[2;3]"]),
        ([None, 1, 2, 9], 4, ["{∅;[1;9]}"] * 4),
        ([None, "b", "a"], 2, ["{∅;a;b}"] * 3),
        ([None, None], 2, [None, None]),
        # dates
        (
            [dt.date(2024, 1, 1), dt.date(2024, 2, 1), dt.date(2025, 1, 1), dt.date(2025, 1, 1)],
            2,
            ["[2024-01-01;2024-02-01]"] * 2 + ["2025-01-01"] * 2,
        ),
    ],
)
def test_cells(values: list[Any], k: int, cells: list[Any]) -> None:
    assert release(table(q=values), k).public.frame["q"].to_list() == cells


def test_dates_and_times_are_cut_by_distance() -> None:
    days = [dt.datetime(2024, 1, 1, 8), dt.datetime(2024, 1, 1, 9), dt.datetime(2030, 1, 1)] * 2
    made = release(table(q=sorted(days)), 2)
    assert {len(rows) for rows in classes(made).values()} == {2}


def test_ordered_categories_follow_their_order() -> None:
    sizes = pl.Series(["S", "M", "L", "XL"], dtype=pl.Enum(["S", "M", "L", "XL"]))
    cells = release(table(q=sizes), 2).public.frame["q"].to_list()
    assert cells == ["{M;S}", "{M;S}", "{L;XL}", "{L;XL}"]


def test_a_given_order() -> None:
    sizes, order = ["L", "S", "XL", "M"], {"q": ["S", "M", "L", "XL", "XXL"]}
    cells = release(table(q=sizes), 2, order=order).public.frame["q"].to_list()
    assert cells == ["{L;XL}", "{M;S}", "{L;XL}", "{M;S}"]


def test_without_an_order_rare_values_stand_together() -> None:
    values = ["b"] * 4 + ["a", "c"]
    assert release(table(q=values), 2).public.frame["q"].to_list() == ["b"] * 4 + ["{a;c}"] * 2


def test_an_order_must_name_every_value_once() -> None:
    with pytest.raises(InputError, match="'c' is not in the order given"):
        release(table(q=["a", "b", "c", "a"]), 2, order={"q": ["a", "b"]})
    with pytest.raises(InputError, match="'a' is given twice"):
        release(table(q=["a", "b", "b", "a"]), 2, order={"q": ["a", "b", "a"]})
    with pytest.raises(UsageError, match="numbers or dates"):
        release(table(q=[1, 2, 3, 4]), 2, order={"q": [4, 3, 2, 1]})
    with pytest.raises(UsageError, match="Did you mean 'size'"):
        release(table(size=["a", "b"] * 2), 2, order={"sizes": ["a", "b"]})


@pytest.mark.parametrize(
    ("k", "message"),
    [
        (1, "k must be at least 2, not 1"),
        (0, "k must be at least 2, not 0"),
        (5, "k = 5 is more than the 4 rows there are"),
    ],
)
def test_impossible_k(k: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        release(table(q=[1, 2, 3, 4]), k)


def test_one_row_cannot_be_hidden() -> None:
    with pytest.raises(UsageError, match="k = 2 is more than the 1 rows"):
        release(table(q=[1]), 2)


def test_no_quasi_identifier() -> None:
    source = Table.of(pl.DataFrame({"s": [1, 2]}), qi=[], sa=["s"])
    with pytest.raises(UsageError, match="mondrian: name at least one"):
        release(source, 2)


def test_text_with_a_semicolon_is_refused_with_its_value() -> None:
    with pytest.raises(InputError, match="column 'q': the value 'a;b' contains ';'"):
        release(table(q=["a;b", "c", "d"]), 2)
    # where no set is made the text may hold anything
    kept = release(table(q=["a;b", "a;b", "c", "c"]), 2).public.frame["q"].to_list()
    assert kept == ["a;b", "a;b", "c", "c"]


def test_nan_is_a_missing_value() -> None:
    made = release(table(q=[float("nan"), 1.0, 2.0, 3.0]), 2)
    assert made.public.frame["q"].to_list() == ["{∅;1}", "{∅;1}", "[2;3]", "[2;3]"]
