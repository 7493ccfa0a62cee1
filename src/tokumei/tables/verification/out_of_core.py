"""Checks claims where rows are not in memory: in a file or on a cluster.

    result = out_of_core_violations(DiskRows(source), claims)
    result.faults, result.total, result.rows

Classes are counted where the rows are. Rules that compare distributions see the distinct rows of
their columns as a table whose rows stand for many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import polars as pl

from tokumei.core.claims import VerificationResult
from tokumei.core.errors import MAX_LISTED_VIOLATIONS, Violation
from tokumei.core.provenance import Claim
from tokumei.files.spark.table_files import (
    SparkTable,
    column_by_name,
    minus_zero_flags,
    restore_minus_zeros,
)
from tokumei.tables.data.column_kinds import schema_for
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.data.simple_frame import require_simple_frame
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN, total_rows
from tokumei.tables.engines.stream_files import StreamedFile
from tokumei.tables.registry import claim_checks
from tokumei.tables.verification.claims import claim_violations
from tokumei.tables.verification.class_check_base import SIZE_COLUMN, small_classes
from tokumei.tables.verification.column_checks import NoIdentifiers
from tokumei.tables.verification.k_anonymity import KAnonymity, KPerPerson
from tokumei.tables.verification.merged_spellings import merge_spelling

_ALL_ROWS = "tokumei_all"


@dataclass(frozen=True, eq=False)
class SmallClasses:
    """Classes with too few rows or persons: the first of them, how many there are; all rows."""

    shown: pl.DataFrame
    total: int
    rows: int


class OutOfCoreRows(Protocol):
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


def out_of_core_violations(rows: OutOfCoreRows, claims: Iterable[Claim]) -> VerificationResult:
    """The violations of all claims."""
    results = [_check_claim(rows, claim) for claim in claims]
    return VerificationResult(
        [fault for result in results for fault in result.faults],
        sum(result.total for result in results),
        next((result.rows for result in results if result.rows is not None), None),
    )


def _check_claim(rows: OutOfCoreRows, claim: Claim) -> VerificationResult:
    rule: Any = claim_checks.build(claim.rule, claim.params)
    schema = Schema(tuple(Column(name, Role.OTHER, ColumnKind.CATEGORY) for name in rows.names))
    if isinstance(rule, NoIdentifiers):
        empty = pl.DataFrame(schema=dict.fromkeys(rows.names, pl.String))
        return _complete_result(rule.check(Table(empty, schema)), None)
    persons = isinstance(rule, KPerPerson) and rule.sees_persons(rows.names)
    other_columns = [rule.person] if persons else getattr(rule, "sensitive", ())
    schema.require([*rule.columns, *other_columns], where=rows.where)
    if isinstance(rule, KAnonymity):
        return _check_class_sizes(rows, rule, persons=persons)
    counted = rows.counted(list(dict.fromkeys([*rule.columns, *other_columns])))
    faults = claim_violations(Table(counted, schema_for(counted, qi=list(rule.columns))), [claim])
    return _complete_result([replace(fault, line=None) for fault in faults], total_rows(counted))


def _check_class_sizes(
    rows: OutOfCoreRows, rule: KAnonymity, *, persons: bool
) -> VerificationResult:
    if not isinstance(rule, KPerPerson) or persons:
        small = rows.small(rule.columns, rule.k, getattr(rule, "person", ""))
        return VerificationResult(rule.faults(small.shown), small.total, small.rows)
    small = rows.small(rule.columns, rule.k)
    few_violations = KAnonymity(rule.k, rule.columns).faults(small.shown)
    faults = rule.violations_without_persons(few_violations, small.rows)
    return VerificationResult(faults, small.total + len(faults) - len(few_violations), small.rows)


def _complete_result(faults: list[Violation], rows: int | None) -> VerificationResult:
    return VerificationResult(faults, len(faults), rows)


@dataclass(frozen=True)
class DiskRows:
    """A file, counted for each rule anew."""

    source: StreamedFile

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
        counted = self.source.texts().group_by(names).agg(pl.len().alias(COUNT_COLUMN))
        return counted.collect(engine="streaming").sort(names)

    def small(self, columns: Sequence[str], k: int, person: str = "") -> SmallClasses:
        """The classes with fewer than k rows, or persons, the smallest first."""
        counted = self.counted([*columns, *([person] if person else [])])
        small = small_classes(counted, tuple(columns), k, person)
        return SmallClasses(small, small.height, total_rows(counted))


def streamed_violations(source: StreamedFile, claims: Iterable[Claim]) -> list[Violation]:
    """The violations of all claims."""
    return out_of_core_violations(DiskRows(source), claims).faults


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
        names = [column_by_name(name) for name in columns] + minus_zero_flags(frame, columns)
        rows = frame.groupBy(names).agg(f.count("*").alias(COUNT_COLUMN))
        distinct = restore_minus_zeros(pl.DataFrame(pl.from_arrow(rows.toArrow())))
        return require_simple_frame(distinct.select(columns)).with_columns(distinct[COUNT_COLUMN])

    def small(self, columns: Sequence[str], k: int, person: str = "") -> SmallClasses:
        """The classes with fewer than k rows, or persons, the smallest first."""
        from pyspark.sql import functions as f

        names = [column_by_name(name) for name in columns] + minus_zero_flags(
            self.table.frame, columns
        )
        size = f.count("*")
        if person:
            # Merged by a function on the workers: Spark cannot normalize texts (NFKC) itself.
            merged = f.udf(lambda text: merge_spelling(text), "string")
            size = f.count_distinct(merged(column_by_name(person).cast("string")))
        classes = self.table.frame.groupBy(names).agg(
            f.count("*").alias(_ALL_ROWS), size.alias(SIZE_COLUMN)
        )
        small = f.col(SIZE_COLUMN) < k
        totals = classes.agg(f.coalesce(f.sum(_ALL_ROWS), f.lit(0)), f.count_if(small)).head()
        assert totals is not None
        # Without any, nothing is sorted once more.
        order = [column_by_name(name) for name in columns]
        listed = (
            classes.where(small)
            .orderBy(SIZE_COLUMN, *order)
            .limit(MAX_LISTED_VIOLATIONS if totals[1] else 0)
        )
        shown = restore_minus_zeros(pl.DataFrame(pl.from_arrow(listed.drop(_ALL_ROWS).toArrow())))
        return SmallClasses(shown, totals[1], totals[0])


def spark_violations(table: SparkTable, claims: Iterable[Claim]) -> VerificationResult:
    """The violations of all claims."""
    return out_of_core_violations(SparkRows(table), claims)
