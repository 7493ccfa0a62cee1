"""Rows in this machine's memory, in Polars: each for itself, or distinct ones with counts.

    engine = engine_of(frame)           # the one that counts, if the frame has counts
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

from tokumei.files.compact import compacted, is_compact
from tokumei.tables.data.codes import coded, number_tuples, occurring
from tokumei.tables.data.counted import COUNT, counts_of
from tokumei.tables.engines.protocol import Frequencies, NewCells


@dataclass(frozen=True, eq=False)
class LocalEngine:
    """The default engine: one machine, all cores through Polars."""

    name: ClassVar[str] = "local"

    frame: pl.DataFrame

    def tuples(self, columns: Sequence[str]) -> Frequencies:
        """Distinct tuples of `columns` with counts."""
        coded_columns = [coded(self.frame[name]) for name in columns]
        # In any order first: short columns together need few tables.
        rows, number = number_tuples(*_apart(sorted(coded_columns, key=lambda one: len(one[0]))))
        one_of = np.empty(number, dtype=np.int64)
        one_of[rows] = np.arange(self.frame.height)
        used = [occurring(values, codes[one_of]) for values, codes in coded_columns]
        place, _ = number_tuples(*_apart(used))  # of a tuple among all in ascending order
        tuples = np.empty((number, len(used)), dtype=np.int32)
        tuples[place] = np.column_stack([codes for _, codes in used])
        rows = place.astype(np.int32).take(rows)
        counts = np.bincount(rows, minlength=number)
        return Frequencies(
            tuple(columns), tuple(values for values, _ in used), tuples, counts, rows
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


def _apart(
    columns: Sequence[tuple[pl.Series, np.ndarray]],
) -> tuple[list[np.ndarray], list[int]]:
    """The codes of columns, and how many values each has."""
    return [codes for _, codes in columns], [len(values) for values, _ in columns]


@dataclass(frozen=True, eq=False)
class CountedEngine(LocalEngine):
    """Like the local engine, but a row counts as often as `tokumei_rows` says."""

    name: ClassVar[str] = "counted"

    def tuples(self, columns: Sequence[str]) -> Frequencies:
        """Distinct tuples of `columns` with counts; `rows` are the rows of the frame."""
        found = super().tuples(columns)
        assert found.rows is not None
        # Sums stay exact in floats up to 2^53 rows.
        counts = np.bincount(found.rows, self.frame[COUNT].to_numpy(), len(found.codes))
        return replace(found, counts=counts.astype(np.int64))


def engine_of(frame: pl.DataFrame) -> LocalEngine:
    """The engine that counts the rows of this frame."""
    return LocalEngine(frame) if counts_of(frame) is None else CountedEngine(frame)
