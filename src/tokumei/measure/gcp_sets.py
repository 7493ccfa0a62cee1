"""gcp_sets: how wide the generalized QI cells are (the older form used by other tools)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.data.cells import Shape, canonical, parse_cell
from tokumei.data.comparison import Comparison
from tokumei.data.infer import kind_of
from tokumei.data.schema import Kind
from tokumei.measure.protocol import Goal, Score
from tokumei.text import Text


@dataclass(frozen=True)
class GcpSets:
    """Mean over QI cells: numbers (max − min)/range; categories 0 for one value, else
    |set|/|domain|; a suppressed cell 1 (Xu et al. 2006, sets instead of hierarchies)."""

    name: ClassVar[str] = "gcp_sets"
    title: ClassVar[Text] = Text("Width of the QI cells (GCP)", "準識別子の一般化幅 (GCP)")
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    unit: ClassVar[Text] = Text("share of the domain", "値域に対する割合")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.qi or not case.released.rows:
            return Score(0.0)
        widths = [column_width(case.original.frame[q], case.released.frame[q]) for q in case.qi]
        return Score(float(np.mean(widths)), sample=case.released.rows)


def column_width(original: pl.Series, released: pl.Series) -> float:
    """Mean width of one released column's cells."""
    counted = canonical(released).drop_nulls().value_counts(name="tokumei_count")
    domain = max(canonical(original).n_unique(), 1)
    ordered = kind_of(original) is not Kind.CATEGORY
    low, high = _range(original) if ordered else (0.0, 0.0)
    total = 0.0
    for text, count in counted.iter_rows():
        cell = parse_cell(text)
        if cell.shape is Shape.SUPPRESSED:
            total += count
        elif ordered and cell.is_general:
            total += count * (cell.high - cell.low) / (high - low) if high > low else 0.0
        elif cell.shape is Shape.SET:
            total += count * len(cell.members) / domain
    return total / max(len(released), 1)


def _range(series: pl.Series) -> tuple[float, float]:
    from tokumei.data.cells import bounds

    values = bounds(series.drop_nulls())[0]
    return float(np.nanmin(values)), float(np.nanmax(values))
