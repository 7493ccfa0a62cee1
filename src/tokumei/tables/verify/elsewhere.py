"""Rules recomputed where rows are not in memory: in a file, on a cluster, as they were written.

    found = elsewhere_faults(DiskRows(source), claims)
    found.faults, found.total, found.rows

Classes are counted where the rows are. Rules that compare distributions see the distinct rows of
their columns as a table whose rows stand for many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import polars as pl

from tokumei.core.claims import Found
from tokumei.core.errors import LISTED, Fault
from tokumei.core.release import Claim
from tokumei.files.spark.files import SparkTable, minus_zeros, quoted, with_minus_zeros
from tokumei.tables.data.column_kinds import schema_for
from tokumei.tables.data.counted import COUNT, rows_of
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.data.table import Table, simple_frame
from tokumei.tables.engines.stream_files import Streamed
from tokumei.tables.registry import rules
from tokumei.tables.verify.claims import claim_faults
from tokumei.tables.verify.class_rule import SIZE, merge_spelling, small_classes
from tokumei.tables.verify.columns import NoIdentifiers
from tokumei.tables.verify.k_anonymity import KAnonymity, KPerPerson

_ROWS = "tokumei_all"


@dataclass(frozen=True, eq=False)
class SmallClasses:
    """Classes with too few rows or persons: the first of them, how many there are; all rows."""

    shown: pl.DataFrame
    total: int
    rows: int


class ElsewhereRows(Protocol):
    """Rows that are read where they are."""

    @property
    def names(self) -> Sequence[str]:
        """The columns."""

    @property
    def where(self) -> str:
        """The path, for messages."""

    def counted(self, columns: Sequence[str]) -> pl.DataFrame:
        """The distinct rows of some columns, as they stand there, with how often each occurs."""

    def small(self, columns: Sequence[str], k: int, person: str = "") -> SmallClasses:
        """The classes with fewer than k rows, or persons, the smallest first."""


def elsewhere_faults(rows: ElsewhereRows, claims: Iterable[Claim]) -> Found:
    """The violations of all claims."""
    found = [_check(rows, claim) for claim in claims]
    return Found(
        [fault for one in found for fault in one.faults],
        sum(one.total for one in found),
        next((one.rows for one in found if one.rows is not None), None),
    )


def _check(rows: ElsewhereRows, claim: Claim) -> Found:
    rule: Any = rules.build(claim.rule, claim.params)
    schema = Schema(tuple(Column(name, Role.OTHER, ColumnKind.CATEGORY) for name in rows.names))
    if isinstance(rule, NoIdentifiers):
        empty = pl.DataFrame(schema=dict.fromkeys(rows.names, pl.String))
        return _all(rule.check(Table(empty, schema)), None)
    persons = isinstance(rule, KPerPerson) and rule.sees_persons(rows.names)
    beside = [rule.person] if persons else getattr(rule, "sensitive", ())
    schema.require([*rule.columns, *beside], where=rows.where)
    if isinstance(rule, KAnonymity):
        return _small(rows, rule, persons=persons)
    counted = rows.counted(list(dict.fromkeys([*rule.columns, *beside])))
    faults = claim_faults(Table(counted, schema_for(counted, qi=list(rule.columns))), [claim])
    return _all([replace(fault, line=None) for fault in faults], rows_of(counted))


def _small(rows: ElsewhereRows, rule: KAnonymity, *, persons: bool) -> Found:
    if not isinstance(rule, KPerPerson) or persons:
        found = rows.small(rule.columns, rule.k, getattr(rule, "person", ""))
        return Found(rule.faults(found.shown), found.total, found.rows)
    found = rows.small(rule.columns, rule.k)
    few = KAnonymity(rule.k, rule.columns).faults(found.shown)
    faults = rule.faults_without_persons(few, found.rows)
    return Found(faults, found.total + len(faults) - len(few), found.rows)


def _all(faults: list[Fault], rows: int | None) -> Found:
    return Found(faults, len(faults), rows)


@dataclass(frozen=True)
class DiskRows:
    """A file, counted for each rule anew."""

    source: Streamed

    @property
    def names(self) -> Sequence[str]:
        """The columns."""
        return self.source.names

    @property
    def where(self) -> str:
        """The path."""
        return str(self.source.path)

    def counted(self, columns: Sequence[str]) -> pl.DataFrame:
        """The distinct rows of some columns as they stand there, with how often each occurs."""
        names = list(columns)
        # Not by a scan of its own: to count lines, Polars maps the whole file into memory.
        counted = self.source.texts().group_by(names).agg(pl.len().alias(COUNT))
        return counted.collect(engine="streaming").sort(names)

    def small(self, columns: Sequence[str], k: int, person: str = "") -> SmallClasses:
        """The classes with fewer than k rows, or persons, the smallest first."""
        counted = self.counted([*columns, *([person] if person else [])])
        small = small_classes(counted, tuple(columns), k, person)
        return SmallClasses(small, small.height, rows_of(counted))


def streamed_faults(source: Streamed, claims: Iterable[Claim]) -> list[Fault]:
    """The violations of all claims."""
    return elsewhere_faults(DiskRows(source), claims).faults


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
        size = f.count("*")
        if person:
            # Merged by a function on the workers: Spark cannot normalize texts (NFKC) itself.
            merged = f.udf(lambda text: merge_spelling(text), "string")
            size = f.count_distinct(merged(quoted(person).cast("string")))
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
