"""Reading on a cluster: the cells that the local reader sees, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import polars as pl
import pytest

from tokumei.core.randomness import Randomness
from tokumei.files.spark.table_files import SparkTable
from tokumei.tables.engines.protocol import RecodedCells
from tokumei.tables.engines.spark import SparkEngine

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


def test_two_tuples_with_one_key_are_told_apart(spark):
    rows = [("a", None), (None, "a"), ("b", "c")]
    table = SparkTable(spark.createDataFrame(rows, "x string, y string"))
    tuples = SparkEngine(table).tuples(["x", "y"])
    assert tuples.source["tokumei_key"].n_unique() == 3
    clash = tuples.source.with_columns(tokumei_key=pl.lit(0, pl.Int64))
    cells = {"x": pl.Series([f"{x}-{y}" for x, y, _ in tuples.cells.rows()])}
    for source, order in product((tuples.source, clash), (None, Randomness(1))):
        new = RecodedCells(replace(tuples, source=source), cells)
        given = SparkEngine(table, order).give(new).table.frame
        found = {(row.x, row.y) for row in given.collect()}
        assert found == {("a-None", None), ("None-a", "a"), ("b-c", "c")}
        assert given.columns == ["x", "y"]


def test_rows_are_sorted_by_their_random_key_after_the_join(spark):
    """A sort before the join would be left out by Spark, and rows would follow their parts."""
    table = SparkTable(spark.range(2000).selectExpr("id % 7 as q", "id").repartition(1, "q"))
    engine = SparkEngine(table).shuffled(Randomness(3))
    tuples = engine.tuples(["q"])
    given = engine.give(RecodedCells(tuples, {"q": tuples.cells["q"]})).table.frame
    released = [row.id for row in given.coalesce(1).collect()]
    assert sorted(released) == list(range(2000))
    ups = sum(a < b for a, b in pairwise(released))
    assert 900 < ups < 1100  # as in a random order
