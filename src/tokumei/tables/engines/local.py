"""Rows in this machine's memory, in Polars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.files.compact import compacted, is_compact
from tokumei.tables.data.codes import coded, number_tuples
from tokumei.tables.engines.protocol import Frequencies


@dataclass(frozen=True)
class LocalEngine:
    """The default engine: one machine, all cores through Polars."""

    name: ClassVar[str] = "local"

    def frequencies(self, frame: pl.DataFrame, columns: Sequence[str]) -> Frequencies:
        """Distinct tuples of `columns` with counts."""
        values, codes = zip(*(coded(frame[name]) for name in columns), strict=True)
        rows, number = number_tuples(codes, [len(found) for found in values])
        one_of = np.empty(number, dtype=np.int64)
        one_of[rows] = np.arange(frame.height)
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

    def recode(
        self, frame: pl.DataFrame, frequencies: Frequencies, cells: dict[str, pl.Series]
    ) -> pl.DataFrame:
        """Replace columns: tuple t gets `cells[column][t]`; rows keep their order.

        Beside compact text the new text is compact too, with a dictionary of its own.
        """
        rows = frequencies.rows
        if rows is None or len(rows) != frame.height:
            raise ValueError("these are not the frequencies of this frame")
        places = pl.Series(rows)
        compact = any(is_compact(dtype) for dtype in frame.dtypes)
        return frame.with_columns(
            (compacted(cell) if compact and cell.dtype == pl.String else cell)
            .gather(places)
            .alias(name)
            for name, cell in cells.items()
        )


def _occurring(values: pl.Series, codes: np.ndarray) -> tuple[pl.Series, np.ndarray]:
    """The values that have a code, and the codes among those."""
    present, places = np.unique(codes, return_inverse=True)
    return values.gather(present), places.astype(np.int32)
