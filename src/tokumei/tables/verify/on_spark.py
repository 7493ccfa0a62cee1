"""Rules recomputed on the cluster, from the rows as they stand in the files that were written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from tokumei.core.claims import Found
from tokumei.core.errors import LISTED
from tokumei.core.release import Claim
from tokumei.files.spark.files import SparkTable, minus_zeros, quoted, with_minus_zeros
from tokumei.tables.data.counted import COUNT
from tokumei.tables.data.table import simple_frame
from tokumei.tables.verify.class_rule import SIZE
from tokumei.tables.verify.elsewhere import SmallClasses, elsewhere_faults

_ROWS = "tokumei_all"


@dataclass(frozen=True)
class SparkRows:
    """A table on a cluster, counted there for each rule anew."""

    table: SparkTable

    @property
    def names(self) -> Sequence[str]:
        """The columns."""
        return self.table.frame.columns

    @property
    def where(self) -> str:
        """The path."""
        return self.table.where

    def counted(self, columns: Sequence[str]) -> pl.DataFrame:
        """The distinct rows of some columns, as they stand there, with how often each occurs."""
        from pyspark.sql import functions as f

        frame = self.table.frame
        names = [quoted(name) for name in columns] + minus_zeros(frame, columns)
        rows = frame.groupBy(names).agg(f.count("*").alias(COUNT))
        found = with_minus_zeros(pl.DataFrame(pl.from_arrow(rows.toArrow())))
        return simple_frame(found.select(columns)).with_columns(found[COUNT])

    def small(self, columns: Sequence[str], k: int, person: str = "") -> SmallClasses:
        """The classes with fewer than k rows, or persons, the smallest first."""
        from pyspark.sql import functions as f

        names = [quoted(name) for name in columns] + minus_zeros(self.table.frame, columns)
        size = f.count_distinct(quoted(person)) if person else f.count("*")
        classes = self.table.frame.groupBy(names).agg(f.count("*").alias(_ROWS), size.alias(SIZE))
        small = f.col(SIZE) < k
        found = classes.agg(f.coalesce(f.sum(_ROWS), f.lit(0)), f.count_if(small)).head()
        assert found is not None
        # Without any, nothing is sorted once more.
        order = [quoted(name) for name in columns]
        listed = classes.where(small).orderBy(SIZE, *order).limit(LISTED if found[1] else 0)
        shown = with_minus_zeros(pl.DataFrame(pl.from_arrow(listed.drop(_ROWS).toArrow())))
        return SmallClasses(shown, found[1], found[0])


def spark_faults(table: SparkTable, claims: Iterable[Claim]) -> Found:
    """The violations of all claims."""
    return elsewhere_faults(SparkRows(table), claims)


def require_spark_claims(table: SparkTable, claims: Iterable[Claim], *, rows: int) -> None:
    """Fail, naming the smallest offending groups, unless every claim holds of so many rows."""
    spark_faults(table, claims).require(rows)
