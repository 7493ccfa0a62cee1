"""A table that is not anonymous fails a test, and the message says what to do, not whom it hits."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd
import polars as pl
import pytest

import tokumei as tk
from conftest import missing
from support.sql_tables import MODELS, random_question, random_table, verified_models
from tokumei.core.language import language_context
from tokumei.testing import NotAnonymousError, assert_k_anonymous
from tokumei.testing.assertions import count_rows_below

PEOPLE = pl.DataFrame(
    {
        "age": [31, 31, 31, 44, 44, 58],
        "town": ["Osaka", "Osaka", "Kyoto", "Kyoto", "Kyoto", "Nara"],
        "illness": ["flu", "cold", "flu", "flu", "flu", "cold"],
        "customer": ["a", "A", "b", "c", "d", "e"],
    }
)


def failure(data: Any, **asked: Any) -> NotAnonymousError:
    """The error of an assertion that must fail."""
    with pytest.raises(NotAnonymousError) as caught:
        assert_k_anonymous(data, **asked)
    return caught.value


def test_what_holds_passes_in_every_frame() -> None:
    held = PEOPLE.head(5)
    for data in (held, held.to_pandas(), held.to_arrow(), tk.Table.of(held), held.lazy()):
        assert_k_anonymous(data, qi="age", k=2)
        assert_k_anonymous(data, qi=["age"], k=2, t=0.4, sa="illness", person="customer")


def test_a_release_is_asserted_by_what_is_public() -> None:
    people = tk.sample_table(200, seed=1)
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    assert_k_anonymous(release, qi=people.schema.qi, k=5)
    assert failure(people, qi=people.schema.qi, k=5).checks


def test_the_message_counts_and_names_rows_but_shows_no_cell() -> None:
    message = str(failure(PEOPLE, qi=["age", "town"], k=2))
    assert message.splitlines() == [
        "This does not hold for 2 classes, for example those of the rows 2, 5 (counted from 0): "
        "every combination of age, town occurs in at least 2 rows",
        "2 of 6 rows are in classes of fewer than 2 rows.",
        "Without the column 'age' it would be 1 row.",
    ]
    assert "Kyoto" not in message
    shown = str(failure(PEOPLE, qi=["age", "town"], k=2, show_values=True))
    assert "town=Nara" in shown


def test_people_are_counted_not_rows() -> None:
    assert_k_anonymous(PEOPLE.head(2), qi="age", k=2)
    error = failure(PEOPLE.head(2), qi="age", k=2, person="customer")
    assert [checked.claim.rule for checked in error.checks if checked.faults] == ["k-per-person"]


def test_messages_are_in_the_language_in_force() -> None:
    with language_context("ja"):
        message = str(failure(PEOPLE, qi=["age", "town"], k=2))
    assert "6 行のうち 2 行が、2 行に満たない" in message


@pytest.mark.parametrize("seed", range(8))
def test_the_assertion_is_the_verifier(seed: int) -> None:
    frame, asked = random_table(seed), random_question(seed)
    wanted = dict(zip(MODELS, verified_models(frame, asked), strict=True))
    if all(wanted.values()):
        assert_k_anonymous(frame, **asked)
        return
    rules = {"k-anonymity": "k", "k-per-person": "people", "l-diversity": "l", "t-closeness": "t"}
    checks = failure(frame, **asked).checks
    assert {rules[one.claim.rule]: not one.faults for one in checks} == wanted


def test_a_relation_of_duckdb_is_asserted_by_the_columns_that_are_needed() -> None:
    try:
        import duckdb
    except ImportError:
        missing("duckdb", "no DuckDB: pip install duckdb")
    with duckdb.connect() as database:
        database.register("people", PEOPLE.rename({"town": 'to"wn'}))
        # A column that cannot be converted does not matter.
        relation = database.sql("select *, [1, 2] as many from people")
        assert_k_anonymous(relation.limit(5), qi="age", k=2)
        assert failure(relation, qi=["age", 'to"wn'], k=2).checks
        with pytest.raises(tk.UsageError, match="nobody"):
            assert_k_anonymous(relation, qi="nobody", k=2)


def test_what_cannot_be_asserted_is_a_wrong_use_and_no_failure() -> None:
    with pytest.raises(tk.InputError, match="no rows"):
        assert_k_anonymous(PEOPLE.clear(), qi="age", k=2)
    with pytest.raises(tk.UsageError, match="at least 2"):
        assert_k_anonymous(PEOPLE, qi="age", k=1)
    with pytest.raises(tk.UsageError):
        assert_k_anonymous(PEOPLE, qi="age", k=2, l=2)
    with pytest.raises(tk.InputError, match="is not a table"):
        assert_k_anonymous([1, 2], qi="age", k=2)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(6))
def test_rows_below_are_those_of_small_classes(seed: int) -> None:
    frame, asked = random_table(seed), random_question(seed)
    rows = frame.select(asked["qi"]).rows()
    sizes = Counter(rows)
    slow = sum(sizes[row] < asked["k"] for row in rows)
    assert count_rows_below(frame, asked["qi"], asked["k"]) == slow


def test_pandas_is_read_as_elsewhere() -> None:
    frame = pd.DataFrame({"age": [1, 1, None], "x": [1, 2, 3]})
    assert failure(frame, qi="age", k=2).checks[0].faults[0].line == 4
