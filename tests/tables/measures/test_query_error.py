"""Count queries against going through all rows and all leaves."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.generalized_tables import Generalized, generalized_tables
from tables.measures.query_error_helpers import numbers_case
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.measures.cell_spans import build_column_spans
from tokumei.tables.measures.query_error import (
    QueryError,
    estimated_answer,
    random_queries,
    true_answer,
)


@settings(max_examples=100)
@given(made=generalized_tables(columns=3), asked=st.integers(1, 4), seed=st.integers(0, 99))
def test_answers_equal_counting(made: Generalized, asked: int, seed: int) -> None:
    columns = build_column_spans(made.case(), made.hierarchies())
    options = QueryError(queries=5, columns=asked, selectivity=0.3)
    for query in random_queries(columns, options, Randomness(seed)):
        assert len(query) == min(asked, 3)
        truth = sum(all(want[row[j]] for j, want in query.items()) for row in made.original)
        shown = 0.0
        for row in range(len(made.link)):
            part = 1.0
            for j, want in query.items():
                leaves = made.leaves(row, j)
                part *= sum(bool(want[leaf]) for leaf in leaves) / len(leaves)
            shown += part
        assert true_answer(columns, query) == truth
        assert estimated_answer(columns, query) == pytest.approx(shown)


def test_numbers_are_asked_by_ranges_and_the_error_has_a_floor() -> None:
    columns = build_column_spans(numbers_case(), {})
    options = QueryError(queries=40, columns=1, selectivity=0.4, sanity=0.5)
    queries = random_queries(columns, options, Randomness(1))
    assert columns[0].places is not None
    for query in queries:
        chosen = np.sort(columns[0].places[query[0]])
        runs = [tuple(part) for part in ([1, 2], [2, 3], [3, 4], [4, 10])]
        assert tuple(chosen) in runs
    errors = [abs(estimated_answer(columns, q) - true_answer(columns, q)) / 2.5 for q in queries]
    assert options.score(numbers_case()).value == pytest.approx(np.median(errors))
    mean = QueryError(queries=40, columns=1, selectivity=0.4, sanity=0.5, statistic="mean")
    assert mean.score(numbers_case()).value == pytest.approx(np.mean(errors))


def test_a_table_answers_for_itself_without_error_and_seeds_repeat() -> None:
    people = sample_table(300, seed=1)
    same = Comparison(people, people, np.arange(300))
    assert QueryError().score(same).value == 0
    stars = people.with_frame(people.frame.with_columns(pl.lit("*").alias(people.schema.qi[0])))
    case = Comparison(people, stars, np.arange(300))
    first = QueryError(columns=1, statistic="mean", seed=3).score(case)
    assert first.value > 0
    assert first == QueryError(columns=1, statistic="mean", seed=3).score(case)
    assert first != QueryError(columns=1, statistic="mean", seed=4).score(case)


@pytest.mark.parametrize(
    "wrong", [{"queries": 0}, {"columns": 0}, {"selectivity": 0.0}, {"sanity": -1.0}]
)
def test_impossible_parameters_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="query_error"):
        QueryError(**wrong)
