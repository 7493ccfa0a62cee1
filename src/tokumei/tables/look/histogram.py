"""Counts of a column's numbers or years in equal steps, for a small picture; no value is kept."""

from __future__ import annotations

import polars as pl

from tokumei.core.written.dates import Style
from tokumei.tables.look.column_cells import ColumnCells

STEPS = 16


def bins_of(cells: ColumnCells, kind: str, role: str, style: Style) -> tuple[int, ...]:
    """How many cells lie in each of the steps between the smallest and largest value."""
    if role in ("identifier", "person") or not cells.total:
        return ()
    if kind == "numeric":
        values = cells.numbers.values
    elif kind == "date":
        values = cells.days(style)["day"].to_physical().cast(pl.Float64)
    else:
        return ()
    known = values.is_not_null()
    return _counts(values.filter(known), cells.weights.filter(known))


def _counts(values: pl.Series, weights: pl.Series) -> tuple[int, ...]:
    if not len(values):
        return ()
    low, high = float(values.min()), float(values.max())  # type: ignore[arg-type]
    if low == high:
        return ()
    places = ((values - low) / (high - low) * STEPS).floor().clip(0, STEPS - 1).cast(pl.Int64)
    sums = pl.DataFrame({"place": places, "n": weights}).group_by("place").agg(pl.col("n").sum())
    found = dict(sums.iter_rows())
    return tuple(found.get(step, 0) for step in range(STEPS))
