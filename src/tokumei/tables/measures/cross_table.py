"""The cross table behind U2 and U3: cells of the chosen QI, on either side."""

from __future__ import annotations

import numpy as np

from tokumei.tables.data.codes import joint_codes
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.counted import sizes_of


def cross_cells(case: Comparison) -> tuple[np.ndarray, np.ndarray, int]:
    """Cell number of every original and released row, and how many cells there are."""
    left, right = joint_codes(case.original.frame, case.released.frame, case.cross)
    number = int(max(left.max(initial=-1), right.max(initial=-1))) + 1
    return left, right, number


def cell_means(
    cells: np.ndarray, values: np.ndarray, number: int, counts: np.ndarray | None = None
) -> np.ndarray:
    """Mean of a column per cell, 0 for an empty cell; NaN values are left out.

    Row i counts `counts[i]` times.
    """
    known = ~np.isnan(values)
    weights = None if counts is None else counts[known]
    weighted = values[known] if weights is None else values[known] * weights
    sums = np.bincount(cells[known], weights=weighted, minlength=number)
    means: np.ndarray = sums / np.maximum(sizes_of(cells[known], weights, classes=number), 1)
    return means
