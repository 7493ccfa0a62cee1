"""What the tests split from test_spark share."""

from __future__ import annotations

import polars as pl
import pytest

import tokumei as tk
from tokumei.files.spark.table_files import read_spark_table
from tokumei.tables.anonymization.in_memory import build_method, make_release
from tokumei.tables.anonymization.out_of_core import Roles
from tokumei.tables.anonymization.spark import anonymize_on_spark
from tokumei.tables.data.reading import read_table

QI = ["household_size", "head_age_band", "occupation", "region"]


SA = ["food", "medical"]


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """A table with identifiers, missing cells and a text column, as CSV."""
    frame = tk.sample_table(600, seed=1).frame.select(*QI, *SA, "head_sex")
    gaps = pl.when(pl.int_range(frame.height) % 17 != 0).then("occupation").alias("occupation")
    path = tmp_path_factory.mktemp("people") / "people.csv"
    frame.with_columns(gaps).with_row_index("id").write_csv(path)
    return path


@pytest.fixture(scope="module")
def release(spark, people):
    return on_spark(spark, people, build_method("local", {"k": 4}))


def rows_of(frame):
    """The rows as text, in an order that rows do not have of themselves."""
    return sorted(frame.select(pl.all().cast(pl.String)).rows(), key=str)


def local(people, method):
    table = read_table(people, qi=QI, sa=SA, ids=["id"])
    return make_release(table, method, seed=1)


def on_spark(spark, people, method, *, parts=3, **options):
    source = read_spark_table(spark, str(people))
    source = source.with_frame(source.frame.repartition(parts))
    return anonymize_on_spark(source, method, Roles(QI, SA, ["id"]), seed=1, **options)


def collected(release):
    return pl.DataFrame(pl.from_arrow(release.frame.toArrow()))
