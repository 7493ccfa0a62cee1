"""Texts that too few people have, and values that do not leave, on a cluster."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.release_terms import WithheldColumns
from tokumei.files.spark.table_files import SparkTable, column_by_name
from tokumei.tables.anonymization.release_terms import is_text_for_few, passing_columns
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer
from tokumei.tables.data.column_report import ColumnReport, ReleaseDecisions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MAX_MATCHES = 10_000
"""So many texts are looked for on the cluster at a time."""


@dataclass(frozen=True, eq=False)
class SparkWithheld:
    """The columns of a table on a cluster that do not leave."""

    frame: DataFrame = field(repr=False)
    names: tuple[str, ...] = ()

    def find_among(self, texts: pl.Series) -> pl.Series:
        """Those of the texts that are cells of one of the columns, but not common ones."""
        columns = tuple(
            pl.Series(name, self._cells_like(name, texts), dtype=pl.String) for name in self.names
        )
        return WithheldColumns(columns).find_among(texts)

    def _cells_like(self, name: str, texts: pl.Series) -> list[str]:
        """The cells of a column that begin like one of the texts, as few as that leaves."""
        from pyspark.sql import functions as f

        cell = column_by_name(name).cast("string")
        spelled = f.lower(f.regexp_replace(cell, r"[^\\p{L}\\p{N}]", ""))
        plain = texts.str.replace_all(r"[^\p{L}\p{N}]", "")
        heads = set(plain.str.slice(0, 3).to_list())
        rows = self.frame.select(cell.alias("text"))
        head = f.substring(spelled, 1, 3)
        if len(heads) < MAX_MATCHES:
            rows = rows.filter(head.isin(list(heads)) | cell.rlike(r"[^ -~]"))
        return [text for (text,) in rows.dropna().toLocalIterator()]


def find_rare_spark_texts(
    source: SparkTable, account: ColumnReport, consent: ReleaseDecisions, method: KAnonymizer
) -> tuple[dict[str, pl.Series], ColumnReport]:
    """The texts that too few people have, by column that passes unnamed; what is said of them."""
    from pyspark.sql import functions as f

    rare: dict[str, pl.Series] = {}
    hidden_cells: dict[str, int] = {}
    for name in passing_columns(account, consent):
        people = (
            f.countDistinct(column_by_name(method.person)) if method.person else f.count(f.lit(1))
        )
        text = column_by_name(name).cast("string").alias("text")
        counts = source.frame.groupBy(text).agg(
            people.alias("people"), f.count(f.lit(1)).alias("cells")
        )
        rows = counts.filter(f.col("text").isNotNull() & (f.col("people") < method.k)).collect()
        few = pl.DataFrame(
            [(row["text"], row["cells"]) for row in rows],
            schema={"text": pl.String, "cells": pl.Int64},
            orient="row",
        ).filter(is_text_for_few(pl.col("text")))
        if few.height:
            rare[name], hidden_cells[name] = few["text"], int(few["cells"].sum())
    return rare, account.with_hidden_cells(hidden_cells)
