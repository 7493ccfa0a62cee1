"""SUDA: minimal sample uniques, special records, and the columns that cause them.

result = suda(table, table.schema.qi, max_size=3)
result.scores               # per row; 0: no unique combination of up to max_size columns
result.contributions        # per column: share of all scores in combinations that use it

A minimal sample unique (MSU) is a set of columns on which a row is alone, and on no proper subset
of which it is. The score of an MSU of size k among A columns is Π_{i=k}^{M} (A − i) with
M = min(max_size, A − 1): fewer columns weigh more (Elliot, Manning and Ford 2002).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import prod
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.protocol import RiskMeasure
from tokumei.tables.measures.uniqueness import count_class_members, refine_classes

MAX_SIZE = 3
ColumnPositions = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SudaResult:
    """Score and number of MSUs per row; a row per column, and per set of columns with an MSU."""

    scores: np.ndarray = field(repr=False)
    msus: np.ndarray = field(repr=False)
    contributions: pl.DataFrame
    sets: pl.DataFrame


def suda(
    table: Table,
    columns: Sequence[str],
    *,
    max_size: int = MAX_SIZE,
    people: np.ndarray | None = None,
) -> SudaResult:
    """All MSUs of up to `max_size` columns, exactly.

    With `people`, the number of every row's person, a row is alone where nobody else is like it.
    """
    table.schema.require(columns)
    if max_size < 1:
        raise UsageError("max_size must be at least 1")
    codes = [equivalence_class_codes(table.frame, [name]) for name in columns]
    scores, msus = np.zeros(table.rows), np.zeros(table.rows, dtype=np.int64)
    sets: list[tuple[list[str], int, int, float]] = []
    for chosen, rows in minimal_uniques(codes, max_size, people):
        weight = msu_score(len(chosen), len(columns), max_size)
        scores[rows] += weight
        msus[rows] += 1
        sets.append(([columns[j] for j in chosen], len(chosen), len(rows), weight * len(rows)))
    sets_frame = pl.DataFrame(sets, schema=_SET_SCHEMA, orient="row")
    return SudaResult(scores, msus, _column_contributions(columns, sets_frame), sets_frame)


_SET_SCHEMA: dict[str, pl.DataType] = {
    "columns": pl.List(pl.String),
    "size": pl.Int64(),
    "msus": pl.Int64(),
    "score": pl.Float64(),
}


def msu_score(size: int, columns: int, max_size: int) -> float:
    """The weight of one MSU."""
    return float(prod(columns - i for i in range(size, min(max_size, columns - 1) + 1)))


def minimal_uniques(
    codes: list[np.ndarray], max_size: int, people: np.ndarray | None = None
) -> Iterator[tuple[ColumnPositions, np.ndarray]]:
    """Sets of columns and the rows that have an MSU there, smaller sets first.

    Only rows that are unique on no subset with one column less are looked at: whoever shares their
    values on the set shares them on these subsets, and is looked at as well.
    """
    rows = len(codes[0]) if codes else 0
    people_count = rows if people is None else len(np.unique(people))
    unique_on: dict[ColumnPositions, np.ndarray] = {(): np.full(rows, people_count == 1)}
    for size in range(1, min(max_size, len(codes)) + 1):
        next_unique_on: dict[ColumnPositions, np.ndarray] = {}
        for chosen in combinations(range(len(codes)), size):
            is_unique = np.logical_or.reduce(
                [unique_on[part] for part in combinations(chosen, size - 1)]
            )
            new_rows = _newly_unique_rows(codes, chosen, np.flatnonzero(~is_unique), people)
            if len(new_rows):
                yield chosen, new_rows
            is_unique[new_rows] = True
            next_unique_on[chosen] = is_unique
        unique_on = next_unique_on


def _newly_unique_rows(
    codes: list[np.ndarray], chosen: ColumnPositions, rows: np.ndarray, people: np.ndarray | None
) -> np.ndarray:
    """Which of the rows no other of them, or nobody else's, equals on the chosen columns."""
    classes = np.zeros(len(rows), dtype=np.int64)
    for column in chosen:
        classes = refine_classes(classes, codes[column][rows])
    sizes = count_class_members(classes, None if people is None else people[rows])
    return rows[sizes[classes] == 1] if len(rows) else rows


def _column_contributions(columns: Sequence[str], sets: pl.DataFrame) -> pl.DataFrame:
    """Per column the MSUs that use it, their score and its share of all scores."""
    total = float(sets["score"].sum())
    rows = []
    for name in columns:
        using = sets.filter(pl.col("columns").list.contains(name))
        score = float(using["score"].sum())
        rows.append((name, int(using["msus"].sum()), score, score / total if total else 0.0))
    schema = {"column": pl.String, "msus": pl.Int64, "score": pl.Float64, "share": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


@dataclass(frozen=True)
class SpecialRecords(RiskMeasure):
    """Share of released rows with a minimal sample unique of up to `max_size` QI."""

    name: ClassVar[str] = "suda"
    title: ClassVar[Message] = Message("Records unique on few columns")
    sentence: ClassVar[Message] = Message(
        "The share of rows that are unique by a few columns already."
    )
    formula: ClassVar[str] = "rows unique on ≤ max_size QI / |Y|"
    says: ClassVar[Message] = Message("{value} of the rows are already unique on a few columns.")
    unchanged: ClassVar[Message] = Message("No row is unique on a few columns.")
    from_counts: ClassVar[bool] = False

    max_size: int = MAX_SIZE

    def score(self, case: Comparison) -> Score:
        """The figure."""
        result = suda(case.released, case.qi, max_size=self.max_size)
        return Score(float((result.msus > 0).mean()), sample=case.released.rows)
