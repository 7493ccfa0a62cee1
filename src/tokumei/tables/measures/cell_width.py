"""NCP, Prec and gcp_sets: width and level of the released QI cells.

Ncp().score(case); Ncp(hierarchies={"age": ages}).score(case)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import Cell, CellShape, canonicalize_column
from tokumei.core.measure import Goal, Limits, Score
from tokumei.core.messages import Message
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.column_kinds import kind_from_dtype
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.schema import ColumnKind
from tokumei.tables.data.weighted_rows import row_count_column
from tokumei.tables.measures.cell_spans import Hierarchies, build_column_spans, relative_width
from tokumei.tables.measures.protocol import Measure


@dataclass(frozen=True)
class HierarchyMeasure(Measure):
    """A figure of every QI cell, along its hierarchy if there is one; measured on request."""

    needs: ClassVar[tuple[str, ...]] = ("qi",)
    from_counts: ClassVar[bool] = True
    on_request: ClassVar[bool] = True

    hierarchies: Hierarchies = field(default_factory=dict)

    def mean(self, case: Comparison, figure: Literal["losses", "levels"]) -> float:
        """Mean over the original's rows and the QI; a deleted row counts 1."""
        columns, rows = build_column_spans(case, self.hierarchies), case.original_rows
        row_counts = 1 if case.released_counts is None else case.released_counts
        sums = [
            float(np.sum(getattr(column, figure)[column.released] * row_counts))
            for column in columns
        ]
        deleted = rows - case.released_rows
        return float(np.mean([(part + deleted) / rows for part in sums])) if sums else 0.0


@dataclass(frozen=True)
class Ncp(HierarchyMeasure):
    """Mean over QI cells of the normalized certainty penalty; a suppressed or deleted row counts 1.

    With a hierarchy (leaves under the node − 1)/(leaves − 1); numbers without (max − min)/range;
    categories without (values in the set − 1)/(values in the column − 1).
    """

    name: ClassVar[str] = "ncp"
    title: ClassVar[Message] = Message("Width of the QI cells (NCP)")
    sentence: ClassVar[Message] = Message(
        "How wide the published quasi-identifier cells are, along their hierarchies if there are "
        "any."
    )
    formula: ClassVar[str] = "mean_cells (leaves(cell) − 1) / (leaves − 1)"
    says: ClassVar[Message] = Message(
        "A quasi-identifier cell covers {value} of its column's domain on average (NCP)."
    )
    limits: ClassVar[Limits] = Limits(0.10, 0.30)
    """As for `gcp_sets`, which measures the same: 10 % and 30 % of a column's domain."""
    unit: ClassVar[Message] = Message("share of the domain")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(self.mean(case, "losses"), sample=case.original_rows)


@dataclass(frozen=True)
class Prec(HierarchyMeasure):
    """1 − Σ_ij h_ij/H_j / (N·|A|); a suppressed or deleted row counts as `*` in every QI.

    A QI without a hierarchy has two levels, the value and everything else. A label on several
    levels counts as the lowest that holds the row's true value. An interval or set counts as the
    lowest node that holds all of it.
    """

    name: ClassVar[str] = "prec"
    title: ClassVar[Message] = Message("Precision (Prec)")
    sentence: ClassVar[Message] = Message("How much of the hierarchies' precision is left.")
    formula: ClassVar[str] = "1 − mean_cells level(cell) / height"
    says: ClassVar[Message] = Message("{value} of the precision of the hierarchies is kept (Prec).")
    limits: ClassVar[Limits] = Limits(0.90, 0.70, more_is_better=True)
    """The other side of NCP's limits: 10 % and 30 % of the levels lost."""
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Message] = Message("share of the levels")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(1 - self.mean(case, "levels"), sample=case.original_rows)


@dataclass(frozen=True)
class GcpSets(Measure):
    """Mean over QI cells: numbers (max − min)/range; categories 0 for one value, else
    |set|/|domain|; a suppressed cell 1, which is also the most (Xu et al. 2006, sets instead of
    hierarchies)."""

    name: ClassVar[str] = "gcp_sets"
    title: ClassVar[Message] = Message("Width of the QI cells (GCP)")
    sentence: ClassVar[Message] = Message(
        "How wide the published quasi-identifier cells are, sets counted by their values."
    )
    formula: ClassVar[str] = "mean_cells width(cell) / width(domain)"
    says: ClassVar[Message] = Message(
        "A quasi-identifier cell covers {value} of its column's domain on average."
    )
    unchanged: ClassVar[Message] = Message("No quasi-identifier is published as a range or a set.")
    heading: ClassVar[Message] = Message("QI width")
    limits: ClassVar[Limits] = Limits(0.10, 0.30)
    """10 % and 30 % of a column's domain."""
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    unit: ClassVar[Message] = Message("share of the domain")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.qi or not case.released_rows:
            return Score(0.0)
        widths = [column_width(case, name) for name in case.qi]
        return Score(float(np.mean(widths)), sample=case.released_rows)


def column_width(case: Comparison, name: str) -> float:
    """Mean width of one released column's cells; a missing one of the original's has none."""
    reader, released = case.readers[name], case.released.frame[name]
    counts = row_count_column(case.released.frame)
    row_counts = (
        pl.repeat(1, len(released), dtype=pl.Int64, eager=True) if counts is None else counts
    )
    cells = pl.DataFrame({"cell": canonicalize_column(released), "count": row_counts})
    # Sorted, so that the sum has the same bits in every run.
    counted = cells.group_by("cell").agg(pl.sum("count")).sort("cell")
    original = case.original.frame[name].drop_nulls()
    width = relative_width
    if kind_from_dtype(original) is ColumnKind.CATEGORY:
        width = partial(_value_share, values=original.n_unique())
    parsed = reader.read_cells(released)
    total: float = sum(count * width(reader, parsed[text]) for text, count in counted.iter_rows())
    return total / int(row_counts.sum())


def _value_share(reader: ColumnReader, cell: Cell, values: int) -> float:
    """The share of the values that a cell of categories may stand for; 0 for a single one."""
    if cell.shape is CellShape.SUPPRESSED:
        return 1.0
    size = reader.count_covered(cell)
    return min(size / max(values, 1), 1.0) if size > 1 else 0.0
