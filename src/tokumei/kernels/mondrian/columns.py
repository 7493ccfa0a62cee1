"""The columns that Mondrian cuts: where their codes lie, and what a cell costs.

columns = Columns.of([Line(positions), Line(positions, values=5)])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled


@dataclass(frozen=True, eq=False)
class Line:
    """A column: where each code lies between 0 and 1.

    `values`: how many a set can have, 0 for numbers; `missing`: code 0 is the missing value.
    """

    positions: np.ndarray
    values: int = 0
    missing: bool = False


class Columns(NamedTuple):
    """All lines as arrays; the positions of column j begin at `starts[j]`."""

    positions: np.ndarray
    starts: np.ndarray
    values: np.ndarray
    missing: np.ndarray

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Columns:
        """The lines one after the other."""
        sizes = [len(line.positions) for line in lines]
        return cls(
            np.concatenate([line.positions for line in lines]).astype(np.float64),
            np.cumsum([0, *sizes[:-1]]),
            np.array([line.values for line in lines], dtype=np.int64),
            np.array([line.missing for line in lines], dtype=np.bool_),
        )


@compiled
def width(present: np.ndarray, first: int, last: int, columns: Columns, j: int) -> float:
    """What the cell of these codes costs: the share of the column that it covers."""
    if first == last:
        return 0.0
    if columns.missing[j] and present[first] == 0:
        return 1.0
    if columns.values[j]:
        return float((last - first + 1) / columns.values[j])
    start = columns.starts[j]
    low, high = columns.positions[start + present[first]], columns.positions[start + present[last]]
    return float(high - low)
