"""The distinct values of a column, sorted and counted, from which a hierarchy is built.

values = Values.of(series)
build_hierarchy(values, [labels of level 1, labels of level 2])      # adds the leaves and `*`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, Violation
from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.messages import Message
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaf_lookup import canonicalize_text, count_value_rows
from tokumei.tables.hierarchies.level_rows import LevelRows, level_frame

MISSING_LABEL = ""


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """Distinct values in their order, their canonical text, their rows; and the empty cells."""

    column: str
    values: pl.Series
    text: pl.Series
    counts: np.ndarray
    missing: int

    @classmethod
    def of(cls, series: pl.Series, rows: pl.Series | None = None) -> ColumnValues:
        """The values of a column, in the order of its type (text: by its characters).

        `rows`: how many each cell stands for, if not for one.
        """
        plain = series.fill_nan(None) if series.dtype.is_float() else series
        if not (plain.dtype.is_numeric() or plain.dtype.is_temporal()):
            plain = canonicalize_text(plain.cast(pl.String)).replace(MISSING_LABEL, None)
        cells = pl.DataFrame({"value": plain}).group_by("value")
        if rows is not None:
            cells = pl.DataFrame({"value": plain, "len": rows}).group_by("value")
        counted = (cells.len() if rows is None else cells.sum()).sort("value")
        present = counted.drop_nulls("value")
        return cls(
            series.name,
            present["value"],
            present["value"]
            if present["value"].dtype == pl.String
            else canonicalize_text(present["value"]),
            present["len"].to_numpy().astype(np.int64),
            int(counted["len"].sum()) - int(present["len"].sum()),
        )

    def __len__(self) -> int:
        return len(self.values)


def build_hierarchy(values: ColumnValues, levels: Sequence[pl.Series]) -> Hierarchy:
    """The hierarchy with these labels between the values and `*`.

    Empty cells, if there are any, get a leaf of their own that stays empty up to `*`.
    """
    if values.missing:
        empty = pl.Series([MISSING_LABEL])
        all_levels = [pl.concat([labels.alias(""), empty]) for labels in (values.text, *levels)]
    else:
        all_levels = [values.text, *levels]
    stars = pl.Series([SUPPRESSED_CELL]).new_from_index(0, len(all_levels[0]))
    return Hierarchy.of(values.column, LevelRows(level_frame([*all_levels, stars])))


def unfit_values_error(
    values: ColumnValues, wrong_places: np.ndarray, problem: Message
) -> InputError:
    """The error that lists the values at these places, and what is wrong with them."""
    faults = []
    for place in wrong_places[:MAX_SHOWN_VIOLATIONS].tolist():
        value, rows = values.text[place], values.counts[place]
        message = count_value_rows(value, rows)
        faults.append(Violation(rule="hierarchy-value", column=values.column, message=message))
    message = Message(
        "column '{column}': {count} value does not fit: {problem}",
        plural="column '{column}': {count:,} values do not fit: {problem}",
        count=len(wrong_places),
        column=values.column,
        problem=problem,
    )
    return InputError(message, faults=faults, total=len(wrong_places))
