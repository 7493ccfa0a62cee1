"""Sample uniques, distinction and separation of the release, and of every set of columns.

uniqueness(table, ["age", "sex"]).separation
identifying_columns(table, table.schema.qi, max_size=3)      # which columns identify most
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import count_class_rows, row_counts
from tokumei.tables.measures.protocol import RiskMeasure

TABLE_PER_ROW = 8
"""Up to so many possible classes per row, a table of them is faster than sorting."""


@dataclass(frozen=True)
class Uniqueness:
    """How well some columns distinguish rows; 0 for a table without rows.

    `distinction` = distinct tuples / rows; `separation` = share of row pairs that differ (0 for one
    row); `uniques` = share of rows that are alone in their class.
    """

    distinction: float
    separation: float
    uniques: float

    @classmethod
    def of(cls, sizes: np.ndarray) -> Uniqueness:
        """From the size of every class."""
        rows = int(sizes.sum())
        if not rows:
            return cls(0.0, 0.0, 0.0)
        large = sizes.astype(np.float64)
        pairs, equal = rows * (rows - 1) / 2, float((large * (large - 1) / 2).sum())
        separation = 1 - equal / pairs if pairs else 0.0
        return cls(len(sizes) / rows, separation, float((sizes == 1).sum()) / rows)


def uniqueness(
    table: Table, columns: Sequence[str], *, people: np.ndarray | None = None
) -> Uniqueness:
    """Distinction, separation and uniques of the rows by these columns.

    With `people`, the number of every row's person, rows of one person with the same cells in
    these columns count once.
    """
    table.schema.require(columns)
    if people is not None:
        return Uniqueness.of(
            count_class_members(equivalence_class_codes(table.frame, columns), people)
        )
    return Uniqueness.of(
        count_class_rows(equivalence_class_codes(table.frame, columns), row_counts(table.frame))
    )


def count_class_members(classes: np.ndarray, people: np.ndarray | None = None) -> np.ndarray:
    """How many rows every class has; with `people`, the person of every row: how many people."""
    if people is None or not len(classes):
        return np.bincount(classes)
    most = int(people.max()) + 1
    return np.bincount(np.unique(classes.astype(np.int64) * most + people) // most)


def identifying_columns(
    table: Table, columns: Sequence[str], *, max_size: int = 2, people: np.ndarray | None = None
) -> pl.DataFrame:
    """Every set of up to `max_size` columns with its figures, the most separating first.

    Ties go to the higher distinction, then to fewer columns, then to the given order. `people` as
    in `uniqueness`.
    """
    table.schema.require(columns)
    codes = {name: equivalence_class_codes(table.frame, [name]) for name in columns}
    rows: list[dict[str, object]] = []
    level: dict[tuple[str, ...], np.ndarray] = {(): np.zeros(table.rows, dtype=np.int64)}
    for size in range(1, min(max_size, len(columns)) + 1):
        level = {
            chosen: refine_classes(level[chosen[:-1]], codes[chosen[-1]])
            for chosen in combinations(columns, size)
        }
        rows += [
            {"columns": list(chosen), "size": size, **vars(Uniqueness.of(sizes))}
            for chosen, classes in level.items()
            for sizes in (count_class_members(classes, people),)
        ]
    keys = ["separation", "distinction", "size"]
    table_of_sets = pl.DataFrame(rows, schema=_SET_SCHEMA, orient="row")
    return table_of_sets.sort(keys, descending=[True, True, False], maintain_order=True)


_SET_SCHEMA: dict[str, pl.DataType] = {
    "columns": pl.List(pl.String),
    "size": pl.Int64(),
    "distinction": pl.Float64(),
    "separation": pl.Float64(),
    "uniques": pl.Float64(),
}


def refine_classes(classes: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Classes split further by another column, numbered without gaps."""
    if not len(classes):
        return classes
    most = int(codes.max()) + 1
    joint = classes.astype(np.int64) * most + codes
    possible = (int(classes.max()) + 1) * most
    if possible > TABLE_PER_ROW * len(joint):
        return np.unique(joint, return_inverse=True)[1]
    # A table of all possible pairs numbers them without sorting the rows.
    taken = np.zeros(possible, dtype=np.int64)
    taken[joint] = 1
    return np.asarray((np.cumsum(taken) - 1)[joint])


@dataclass(frozen=True)
class SampleUniques(RiskMeasure):
    """Share of the released rows that are alone in their QI class."""

    name: ClassVar[str] = "sample_uniques"
    title: ClassVar[Message] = Message("Sample uniques")
    sentence: ClassVar[Message] = Message(
        "The share of rows that are alone with their combination of quasi-identifiers."
    )
    formula: ClassVar[str] = "rows with |class| = 1 / |Y|"
    says: ClassVar[Message] = Message(
        "{value} of the rows are the only ones with their combination of quasi-identifiers."
    )
    unchanged: ClassVar[Message] = Message(
        "No row is the only one with its combination of quasi-identifiers."
    )

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(uniqueness(case.released, case.qi).uniques, sample=case.released_rows)


@dataclass(frozen=True)
class Distinction(RiskMeasure):
    """Distinct QI tuples of the release / its rows."""

    name: ClassVar[str] = "distinction"
    title: ClassVar[Message] = Message("Distinction of the QI")
    sentence: ClassVar[Message] = Message(
        "How many different combinations of quasi-identifiers there are for every row."
    )
    formula: ClassVar[str] = "classes / |Y|"
    says: ClassVar[Message] = Message(
        "The number of different combinations of quasi-identifiers is {value} of the number of "
        "rows."
    )

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(uniqueness(case.released, case.qi).distinction, sample=case.released_rows)


@dataclass(frozen=True)
class Separation(RiskMeasure):
    """Share of pairs of released rows whose QI differ."""

    name: ClassVar[str] = "separation"
    title: ClassVar[Message] = Message("Separation by the QI")
    sentence: ClassVar[Message] = Message(
        "The share of pairs of rows that differ in some quasi-identifier."
    )
    formula: ClassVar[str] = "pairs of rows that differ / pairs"
    says: ClassVar[Message] = Message("{value} of all pairs of rows differ in a quasi-identifier.")
    unit: ClassVar[Message] = Message("share of row pairs")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(uniqueness(case.released, case.qi).separation, sample=case.released_rows)
