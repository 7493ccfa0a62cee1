"""Class numbers are equal exactly where vectors are, within and between tables."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from independent.cells import word_of
from tables.data.column_encoding_helpers import spelled_people
from tokumei.core.errors import ClaimError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.tables.data.column_encoding import (
    canonicalize_persons,
    encode_column,
    joint_codes,
    keep_occurring_values,
    number_tuples,
)
from tokumei.tables.verification.class_check_base import SIZE_COLUMN, small_classes

row = st.tuples(
    st.none() | st.integers(0, 3),
    st.none() | st.sampled_from(["a", "b", "1"]),
    st.none() | st.sampled_from([0.5, 1.0]),
)
rows = st.lists(row, max_size=12)


def frame(given_rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    schema = {"i": pl.Int64, "t": pl.String, "r": pl.Float64}
    return pl.DataFrame(given_rows, schema=schema, orient="row")


@given(rows)
def test_equal_vectors_share_a_dense_number(given_rows: list[tuple[Any, ...]]) -> None:
    codes = equivalence_class_codes(frame(given_rows), ["i", "t", "r"]).tolist()
    for i, left in enumerate(given_rows):
        for j, right in enumerate(given_rows):
            assert (codes[i] == codes[j]) == (left == right)
    assert set(codes) == set(range(len(set(given_rows))))


@given(rows, rows)
def test_numbers_are_comparable_between_tables_of_other_types(
    left: list[tuple[Any, ...]], right: list[tuple[Any, ...]]
) -> None:
    """A column that became text through one generalized cell still matches its numbers."""
    texts = frame(right).with_columns(pl.col("i", "r").cast(pl.String))
    for other in (frame(right), texts, frame(right).with_columns(pl.col("i").cast(pl.Float64))):
        a, b = joint_codes(frame(left), other, ["i", "t", "r"])
        for i, x in enumerate(left):
            for j, y in enumerate(right):
                assert (a[i] == b[j]) == (x == y)


def test_no_columns_are_one_class() -> None:
    three = pl.DataFrame({"a": [1, 2, 3]})
    assert equivalence_class_codes(three, []).tolist() == [0, 0, 0]
    assert [codes.tolist() for codes in joint_codes(three, three[:1], [])] == [[0, 0, 0], [0]]


@pytest.mark.parametrize(
    "values",
    [
        [True, False, None, True],
        pl.Series(["b", "a", None, "b"], dtype=pl.Categorical),
        pl.Series(["b", "a", None, "b"], dtype=pl.Enum(["b", "a"])),
        [float("nan"), 0.0, None, float("nan")],
    ],
)
def test_any_type_has_codes(values: Any) -> None:
    codes = equivalence_class_codes(pl.DataFrame({"q": values}), ["q"]).tolist()
    assert codes[0] == codes[3]
    assert len(set(codes)) == 3


def test_many_wide_columns_do_not_overflow() -> None:
    rng = np.random.default_rng(1)
    columns = {f"c{j}": rng.permutation(2000) for j in range(12)}
    assert len(set(equivalence_class_codes(pl.DataFrame(columns), list(columns)).tolist())) == 2000


@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1, max_size=20))
def test_tuples_are_numbered_in_their_order(given_rows: list[list[int]]) -> None:
    rows = np.array(given_rows)
    distinct, wanted = np.unique(rows, axis=0, return_inverse=True)
    found, number = number_tuples(list(rows.T), [6, 6, 6])
    assert found.tolist() == wanted.reshape(-1).tolist()
    assert number == len(distinct)


@pytest.mark.parametrize("sizes", [(3, 4, 2), (400, 3, 900), (900, 900, 900), (10**9, 10**9, 2)])
def test_tuples_are_numbered_with_and_without_sorting(sizes: tuple[int, ...]) -> None:
    """Tables of 2¹⁶ places are made; beyond that keys are sorted."""
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.integers(size, size=500) for size in sizes])
    rows[250:] = rows[:250]
    distinct, wanted = np.unique(rows, axis=0, return_inverse=True)
    found, number = number_tuples(list(rows.T), sizes)
    assert np.array_equal(found, wanted.reshape(-1))
    assert number == len(distinct)


COLUMNS = [
    pl.Series(["b", "a", None, "b", ""]),
    pl.Series(["b", "a", None, "b"], dtype=pl.Categorical),
    pl.Series(["b", "a", "b"], dtype=pl.Enum(["b", "z", "a"])),
    pl.Series([3, -2, None, 3]),
    pl.Series([127, -128, None], dtype=pl.Int8),
    pl.Series([2**63 - 1, -(2**63), 0]),
    pl.Series([-(2**63), None, 1 - 2**63]),
    pl.Series([2**64 - 1, 0], dtype=pl.UInt64),
    pl.Series([date(2024, 1, 2), None, date(1960, 1, 1)]),
    pl.Series([datetime(2024, 1, 2, 3), None]),
    pl.Series([1.5, -0.0, 0.0, None]),
    pl.Series([True, None, False]),
    pl.Series([None, None], dtype=pl.Int64),
    pl.Series([None, None], dtype=pl.String),
    pl.Series([], dtype=pl.String),
    pl.Series([], dtype=pl.Int64),
]


@pytest.mark.parametrize("series", COLUMNS)
def test_a_column_is_its_values_and_their_places(series: pl.Series) -> None:
    values, codes = encode_column(series)
    assert values.gather(codes.astype(np.int64)).to_list() == series.to_list()
    assert values.n_unique() == len(values)
    assert values.null_count() == min(series.null_count(), 1)


@pytest.mark.parametrize("series", COLUMNS)
def test_values_that_occur_are_brought_in_order(series: pl.Series) -> None:
    found, codes = keep_occurring_values(*encode_column(series))
    assert found.equals(series.unique().sort(nulls_last=False))
    assert found.gather(codes.astype(np.int64)).to_list() == series.to_list()


def test_different_people_stay_different() -> None:
    people = ["1", "2", "10", "1.5", "a1", "a01", "山田", "山本"]
    assert canonicalize_persons(pl.Series("p", people)).n_unique() == len(people)


def test_reals_and_integers_are_spelled_alike_and_blanks_are_gaps() -> None:
    numbers = canonicalize_persons(pl.Series("p", [1.0, 2.0, None]))
    assert numbers.to_list() == canonicalize_persons(pl.Series("p", [1, 2, None])).to_list()
    assert canonicalize_persons(pl.Series("p", ["", "  ", "x"])).to_list() == [None, None, "x"]


@given(st.lists(st.text("aA０01. +x", max_size=5), min_size=1, max_size=12))
def test_methods_and_verifier_merge_what_the_reference_merges(texts: list[str]) -> None:
    expected = {word_of(text, missing=()) for text in texts} - {""}
    found = canonicalize_persons(pl.Series("p", texts)).drop_nulls()
    assert set(found.to_list()) == expected
    frame = pl.DataFrame({"q": ["c"] * len(texts), "p": texts})
    classes = small_classes(frame, ("q",), len(texts) + 1, "p")
    assert classes[SIZE_COLUMN][0] == len(expected)


NAMES = ("uid", "pid", "ptid", "利用者番号", "q7")


def visits(name: str, each: int) -> pl.DataFrame:
    """Two hundred rows, so many of each identifier."""
    return pl.DataFrame(
        {
            name: [f"u{row // each:04}" for row in range(200)],
            "age": [20 + row // each % 40 for row in range(200)],
            "illness": ["abcde"[row % 5] for row in range(200)],
        }
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_repeated_identifier_stops_a_release_that_counts_rows(name: str) -> None:
    roles = {"qi": ["age"], "sa": ["illness"]}
    with pytest.raises(ClaimError) as error:
        tk.anonymize(visits(name, 5), "mondrian", k=5, ids=[name], **roles)
    assert [fault.rule for fault in error.value.faults] == ["rows-are-not-people"]
    counted = tk.anonymize(visits(name, 5), "mondrian", k=5, person=name, **roles)
    assert "k-per-person" in [claim.rule for claim in counted.claims]
    rows = tk.anonymize(visits(name, 5), "mondrian", k=5, ids=[name], person="none", **roles)
    assert "k-per-person" not in [claim.rule for claim in rows.claims]


def test_a_unique_identifier_is_dropped() -> None:
    release = tk.anonymize(
        visits("uid", 1), "mondrian", k=5, qi=["age"], sa=["illness"], ids=["uid"]
    )
    assert "uid" not in release.public.schema.names


def test_attacks_count_people_not_spellings() -> None:
    release = tk.anonymize(
        spelled_people(), "mondrian", k=3, qi=["age"], sa=["pay"], person="who", seed=1
    )
    rate = tk.attack(spelled_people(), release, methods=["E1"], expected=True)["E1"]
    assert rate.rate == pytest.approx(1 / 3)
