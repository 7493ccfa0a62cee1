"""Values as whole numbers: places in a list of values, classes of equal rows, ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

ROW = "tokumei_row"


def codes_in(series: pl.Series, names: pl.Series) -> np.ndarray:
    """The place of every cell in `names` (-1 where it is not among them)."""
    places = pl.DataFrame({"name": names, "place": np.arange(len(names), dtype=np.int64)})
    cells = series.alias("name").to_frame()
    found = cells.join(places, on="name", how="left", maintain_order="left")
    return found["place"].fill_null(-1).to_numpy()


def class_codes(frame: pl.DataFrame, columns: Sequence[str]) -> np.ndarray:
    """A dense class number per row, by first appearance; equal vectors share it.

    No columns: one class.
    """
    codes = np.zeros(frame.height, dtype=np.int64)
    if not columns or not frame.height:
        return codes
    rows = frame.select(columns).with_row_index(ROW)
    members = rows.group_by([*columns], maintain_order=True).agg(ROW)[ROW]
    sizes = members.list.len().to_numpy()
    codes[members.explode().to_numpy()] = np.repeat(np.arange(len(sizes)), sizes)
    return codes


def rank_classes(values: np.ndarray, classes: int) -> np.ndarray:
    """The class of every value, 1 (smallest) to `classes`, all as large as ties allow.

    Equal values share the mean of their ranks r of 1…n, and the class is that of (r − ½) / n;
    if all are equal they are in the middle one.
    """
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, "left")
    upto = np.searchsorted(ordered, values, "right")
    return np.asarray(classes * (below + upto) // (2 * max(len(values), 1)) + 1)
