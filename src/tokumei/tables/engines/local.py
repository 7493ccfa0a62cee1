"""Engine for rows in memory, in Polars: single rows or distinct rows with counts.

    engine = engine_for_frame(frame)           # the one that counts, if the frame has counts
    engine.tuples(["age", "sex"])

With counts, gathered from wherever all rows live, the same method works on a table on disk or on a
cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
import polars as pl

from tokumei.files.column_types import encode_dictionary, is_dictionary_encoded
from tokumei.tables.data.column_encoding import encode_column, keep_occurring_values, number_tuples
from tokumei.tables.data.weighted_rows import COUNT_COLUMN, row_count_column
from tokumei.tables.engines.protocol import RecodedCells, TupleCounts


@dataclass(frozen=True, eq=False)
class LocalEngine:
    """The default engine: one machine, all cores through Polars."""

    name: ClassVar[str] = "local"

    frame: pl.DataFrame

    def tuples(self, columns: Sequence[str]) -> TupleCounts:
        """Distinct tuples of `columns` with counts."""
        coded_columns = [encode_column(self.frame[name]) for name in columns]
        # In any order first: short columns together need few tables.
        rows, number = number_tuples(
            *_split_codes_and_sizes(sorted(coded_columns, key=lambda encoded: len(encoded[0])))
        )
        example_row = np.empty(number, dtype=np.int64)
        example_row[rows] = np.arange(self.frame.height)
        occurring_columns = [
            keep_occurring_values(values, codes[example_row]) for values, codes in coded_columns
        ]
        position, _ = number_tuples(
            *_split_codes_and_sizes(occurring_columns)
        )  # of a tuple among all in ascending order
        tuples = np.empty((number, len(occurring_columns)), dtype=np.int32)
        tuples[position] = np.column_stack([codes for _, codes in occurring_columns])
        rows = position.astype(np.int32).take(rows)
        counts = np.bincount(rows, minlength=number)
        return TupleCounts(
            tuple(columns), tuple(values for values, _ in occurring_columns), tuples, counts, rows
        )

    def give(self, recoded: RecodedCells) -> Self:
        """The rows with new cells.

        Beside compact text the new text is compact too, with a dictionary of its own.
        """
        positions, frame = recoded.places(), self.frame
        if len(positions) != frame.height:
            raise ValueError("these are not the tuples of these rows")
        if recoded.kept is not None:
            frame, positions = frame.filter(positions >= 0), positions[positions >= 0]
        compact = any(is_dictionary_encoded(dtype) for dtype in frame.dtypes)
        rows = pl.Series(positions)
        return type(self)(
            frame.with_columns(
                (encode_dictionary(cell) if compact and cell.dtype == pl.String else cell)
                .gather(rows)
                .alias(name)
                for name, cell in recoded.cells.items()
            )
        )


def _split_codes_and_sizes(
    columns: Sequence[tuple[pl.Series, np.ndarray]],
) -> tuple[list[np.ndarray], list[int]]:
    """The codes of columns, and how many values each has."""
    return [codes for _, codes in columns], [len(values) for values, _ in columns]


@dataclass(frozen=True, eq=False)
class CountedEngine(LocalEngine):
    """Like the local engine, but a row counts as often as `tokumei_rows` says."""

    name: ClassVar[str] = "counted"

    def tuples(self, columns: Sequence[str]) -> TupleCounts:
        """Distinct tuples of `columns` with counts; `rows` are the rows of the frame."""
        tuple_counts = super().tuples(columns)
        assert tuple_counts.rows is not None
        # Sums stay exact in floats up to 2^53 rows.
        counts = np.bincount(
            tuple_counts.rows, self.frame[COUNT_COLUMN].to_numpy(), len(tuple_counts.codes)
        )
        return replace(tuple_counts, counts=counts.astype(np.int64))


def engine_for_frame(frame: pl.DataFrame) -> LocalEngine:
    """The engine that counts the rows of this frame."""
    return LocalEngine(frame) if row_count_column(frame) is None else CountedEngine(frame)
