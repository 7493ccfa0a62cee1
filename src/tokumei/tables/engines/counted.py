"""Distinct rows with counts, gathered on this machine from wherever all rows live.

    engine = engine_of(frame)           # local, or this one if the frame has counts
    engine.tuples(["age", "sex"])

The same method then works on a table in memory, on disk or on a cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.tables.data.counted import COUNT, counts_of
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.engines.protocol import Frequencies


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
