from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.tables.data.schema import ColumnKind, Role
from tokumei.tables.data.table import Table, require_numbers
from tokumei.tables.datasets.household_members import AGE_BANDS, LARGEST_HOUSEHOLD
from tokumei.tables.datasets.households import CROSS_COLUMNS, HOUSEHOLD_SCHEMA, sample_table

QI = [
    "household_size",
    "earners",
    "head_sex",
    "dwelling_ownership",
    "dwelling_type",
    "city_class",
    "head_age_band",
    "children_under_18",
    "elderly_members",
    "occupation",
    "industry",
    "region",
    "income_band",
]


SA = [
    "food",
    "utilities",
    "housing",
    "furniture",
    "clothing",
    "medical",
    "transport",
    "education",
    "recreation",
    "communication",
    "gifts",
    "other",
]


SEEDS = range(5)


@pytest.fixture(scope="module", params=SEEDS)
def table(request: pytest.FixtureRequest) -> Table:
    return sample_table(seed=request.param)


def test_the_shape_is_the_papers(table: Table) -> None:
    assert table.frame.shape == (8333, 25)


def test_names_and_roles_are_thirteen_qi_then_twelve_sa(table: Table) -> None:
    assert table.frame.columns == QI + SA
    assert table.schema.qi == QI
    assert table.schema.sa == SA
    assert tuple(QI[:6]) == CROSS_COLUMNS


def test_kinds_agree_with_the_cells(table: Table) -> None:
    for column in table.schema.columns:
        text = table.frame[column.name].dtype == pl.String
        assert column.kind is (ColumnKind.CATEGORY if text else ColumnKind.INTEGER), column.name


def test_every_reason_is_in_both_languages() -> None:
    for column in HOUSEHOLD_SCHEMA.columns:
        assert column.reason.show("en").isascii()
        assert not column.reason.show("ja").isascii()


def test_the_same_seed_gives_the_same_table() -> None:
    assert sample_table(200, seed=3).frame.equals(sample_table(200, seed=3).frame)


def test_other_seeds_and_no_seed_give_other_tables() -> None:
    tables = [sample_table(200, seed=seed).frame for seed in (1, 2, None, None)]
    assert not any(a.equals(b) for a, b in itertools.combinations(tables, 2))


@pytest.mark.parametrize("rows", [1, 2, 7])
def test_few_rows_work(rows: int) -> None:
    assert sample_table(rows, seed=0).frame.shape == (rows, 25)


@pytest.mark.parametrize("rows", [0, -5])
def test_no_rows_is_refused_in_both_languages(rows: int) -> None:
    with pytest.raises(UsageError) as error:
        sample_table(rows)
    assert error.value.message.show("en") == f"a sample needs at least 1 row, not {rows}"
    assert f"({rows} は使えません)" in error.value.message.show("ja")


def test_column_15_is_dense_and_column_21_is_mostly_zeros(table: Table) -> None:
    assert (table.frame[:, 14] > 0).all()
    assert (table.frame[:, 20] == 0).mean() == pytest.approx(0.76, abs=0.015)


def test_spending_is_skewed_and_rarely_tied(table: Table) -> None:
    spending = table.frame.select(SA)
    assert sum(skew > 1 for skew in spending.select(pl.all().skew()).row(0)) >= 10
    for column in spending:
        paid = column.filter(column > 0)
        assert paid.n_unique() / len(paid) > 0.9, column.name


def test_spendings_correlate_moderately(table: Table) -> None:
    pairs = np.corrcoef(table.numbers(SA).T)[np.triu_indices(len(SA), 1)]
    assert 0.1 < pairs.mean() < 0.6
    assert pairs.min() > -0.1
    assert pairs.max() < 0.9


@pytest.mark.parametrize(
    ("spending", "cause"),
    [
        ("food", "household_size"),
        ("recreation", "income_band"),
        ("medical", "elderly_members"),
        ("education", "children_under_18"),
        ("gifts", "head_age_band"),
    ],
)
def test_spending_follows_the_household(table: Table, spending: str, cause: str) -> None:
    ranks = table.frame.select(pl.corr(spending, cause, method="spearman")).item()
    assert ranks > 0.1


def test_ownership_grows_with_age(table: Table) -> None:
    owned = (
        table.frame.group_by("head_age_band")
        .agg((pl.col("dwelling_ownership") == "owned").mean().alias("owned"))
        .sort("head_age_band")["owned"]
    )
    assert owned[0] < owned[1] < owned[2] < owned[3]


def test_classes_of_six_qi_are_many_rows_and_of_thirteen_about_two(table: Table) -> None:
    assert 20 <= _mean_class(table, CROSS_COLUMNS) <= 60
    assert 1.3 <= _mean_class(table, QI) <= 2.5


@pytest.mark.long
def test_a_million_rows_are_made() -> None:
    assert sample_table(1_000_000, seed=1).rows == 1_000_000


@settings(max_examples=40, deadline=None)
@given(rows=st.integers(1, 400), seed=st.integers(0, 2**64))
def test_every_household_is_possible(rows: int, seed: int) -> None:
    table = sample_table(rows, seed=seed)
    size, children, elderly, age = (
        pl.col(name)
        for name in ("household_size", "children_under_18", "elderly_members", "head_age_band")
    )
    working, employed = pl.col("occupation") != "no job", pl.col("industry") != "no industry"
    possible = {
        "size": size.is_between(1, LARGEST_HOUSEHOLD),
        "children": children.is_between(0, size - 1),
        "members": children + elderly <= size,
        "old head": (age < 70) | (elderly >= 1),
        "young head": (age >= 60) | (elderly <= size - 1),
        "earners": pl.col("earners").is_between(0, size - children),
        "jobs": working == employed,
        "working head": ~working | (pl.col("earners") >= 1),
        "ages": age.is_in(AGE_BANDS),
        "bands": pl.col("income_band").is_between(1, 4) & pl.col("city_class").is_between(1, 3),
        "spending": pl.min_horizontal(SA) >= 0,
    }
    held = table.frame.select(rule.all().alias(name) for name, rule in possible.items())
    assert all(held.row(0)), held
    require_numbers(table, SA)


@settings(max_examples=20, deadline=None)
@given(rows=st.integers(1, 100), seed=st.integers(0, 2**64))
def test_rows_and_seed_decide_everything(rows: int, seed: int) -> None:
    table = sample_table(rows, seed=seed)
    assert table.rows == rows
    assert table.frame.null_count().row(0) == (0,) * 25
    assert table.frame.equals(sample_table(rows, seed=seed).frame)


def test_roles_are_set_not_guessed() -> None:
    assert {c.role for c in sample_table(1, seed=0).schema.columns} == {Role.QI, Role.SA}


def _mean_class(table: Table, columns: tuple[str, ...] | list[str]) -> float:
    return table.rows / (int(equivalence_class_codes(table.frame, columns).max()) + 1)
