"""The values of a column that a hierarchy is made from: each once, sorted, counted.

found = Values.of(series)
hierarchy_of(found, [labels of level 1, labels of level 2])      # adds the leaves and `*`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.cells import STAR
from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError
from tokumei.core.text import Text
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaves import spelled
from tokumei.tables.hierarchies.rows import LevelRows, level_frame

MISSING = ""


@dataclass(frozen=True, eq=False)
class Values:
    """Distinct values in their order, their canonical text, their rows; and the empty cells."""

    column: str
    values: pl.Series
    text: pl.Series
    counts: np.ndarray
    missing: int

    @classmethod
    def of(cls, series: pl.Series, rows: pl.Series | None = None) -> Values:
        """The values of a column, in the order of its type (text: by its characters).

        `rows`: how many each cell stands for, if not for one.
        """
        plain = series.fill_nan(None) if series.dtype.is_float() else series
        if not (plain.dtype.is_numeric() or plain.dtype.is_temporal()):
            plain = spelled(plain.cast(pl.String)).replace(MISSING, None)
        cells = pl.DataFrame({"value": plain}).group_by("value")
        if rows is not None:
            cells = pl.DataFrame({"value": plain, "len": rows}).group_by("value")
        counted = (cells.len() if rows is None else cells.sum()).sort("value")
        known = counted.drop_nulls("value")
        return cls(
            series.name,
            known["value"],
            known["value"] if known["value"].dtype == pl.String else spelled(known["value"]),
            known["len"].to_numpy().astype(np.int64),
            int(counted["len"].sum()) - int(known["len"].sum()),
        )

    def __len__(self) -> int:
        return len(self.values)


def hierarchy_of(values: Values, levels: Sequence[pl.Series]) -> Hierarchy:
    """The hierarchy with these labels between the values and `*`.

    Empty cells, if there are any, get a leaf of their own that stays empty up to `*`.
    """
    if values.missing:
        empty = pl.Series([MISSING])
        whole = [pl.concat([labels.alias(""), empty]) for labels in (values.text, *levels)]
    else:
        whole = [values.text, *levels]
    stars = pl.Series([STAR]).new_from_index(0, len(whole[0]))
    return Hierarchy.of(values.column, LevelRows(level_frame([*whole, stars])))


def unfit(values: Values, wrong: np.ndarray, says: Text) -> InputError:
    """The error that lists the values at these places, and what is wrong with them."""
    faults = []
    for place in wrong[:FAULTS_SHOWN].tolist():
        value, rows = values.text[place], values.counts[place]
        message = Text(f"'{value}' ({rows} row(s))", f"'{value}' ({rows} 行)")
        faults.append(Fault(rule="hierarchy-value", column=values.column, message=message))
    return InputError(
        f"column '{values.column}': {len(wrong)} value(s) do not fit: {says.en}",
        f"列 '{values.column}': 合わない値が {len(wrong)} 種あります ({says.ja})",
        faults=faults,
        total=len(wrong),
    )
