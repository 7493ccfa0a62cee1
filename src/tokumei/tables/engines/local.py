"""Rows in this machine's memory, in Polars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import polars as pl

from tokumei.files.compact import compacted, is_compact
from tokumei.tables.data.codes import coded, number_tuples
from tokumei.tables.engines.protocol import Frequencies, NewCells


@dataclass(frozen=True, eq=False)
class LocalEngine:
    """The default engine: one machine, all cores through Polars."""

    name: ClassVar[str] = "local"

    frame: pl.DataFrame

    def tuples(self, columns: Sequence[str]) -> Frequencies:
        """Distinct tuples of `columns` with counts."""
        values, codes = zip(*(coded(self.frame[name]) for name in columns), strict=True)
        rows, number = number_tuples(codes, [len(found) for found in values])
        one_of = np.empty(number, dtype=np.int64)
        one_of[rows] = np.arange(self.frame.height)
        used = [
            _occurring(found, column[one_of]) for found, column in zip(values, codes, strict=True)
        ]
        return Frequencies(
            tuple(columns),
            tuple(found for found, _ in used),
            np.column_stack([column for _, column in used]),
            np.bincount(rows, minlength=number),
            rows.astype(np.int32),
        )

    def give(self, new: NewCells) -> Self:
        """The rows with new cells.

        Beside compact text the new text is compact too, with a dictionary of its own.
        """
        places, frame = new.places(), self.frame
        if len(places) != frame.height:
            raise ValueError("these are not the tuples of these rows")
        if new.kept is not None:
            frame, places = frame.filter(places >= 0), places[places >= 0]
        compact = any(is_compact(dtype) for dtype in frame.dtypes)
        rows = pl.Series(places)
        return type(self)(
            frame.with_columns(
                (compacted(cell) if compact and cell.dtype == pl.String else cell)
                .gather(rows)
                .alias(name)
                for name, cell in new.cells.items()
            )
        )


def _occurring(values: pl.Series, codes: np.ndarray) -> tuple[pl.Series, np.ndarray]:
    """The values that have a code, and the codes among those."""
    present, places = np.unique(codes, return_inverse=True)
    return values.gather(present), places.astype(np.int32)
