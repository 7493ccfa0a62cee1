"""Protocol of engines: methods get distinct tuples with counts instead of rows.

    found = engine.tuples(["age", "sex"])               # wherever the rows are
    engine.give(RecodedCells(found, {"age": cells}))  # the rows with the cells of their tuples

An engine holds rows: in memory, counted, in a file larger than memory, or on a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.core.verification import VerifiedRelease
from tokumei.tables.data.weighted_rows import COUNT_COLUMN


@dataclass(frozen=True, eq=False)
class TupleCounts:
    """Distinct tuples of some columns, dictionary-encoded, with their counts.

    `values[j]` is column j's dictionary in ascending order (null first, if there is one);
    `codes[t, j]` indexes it; `counts[t]` says how many rows have tuple t. Tuples are in
    ascending order of their codes, so that the same rows give the same arrays on any engine.
    `rows[i]` is the tuple of row i, where rows are in memory; methods have no use for it.
    """

    columns: tuple[str, ...]
    values: tuple[pl.Series, ...]
    codes: np.ndarray
    counts: np.ndarray
    rows: np.ndarray | None = field(default=None, repr=False)
    source: pl.DataFrame | None = field(default=None, repr=False)
    """Where rows are elsewhere: the cells as they stand there; `rows` are then those of this."""

    @property
    def cells(self) -> pl.DataFrame:
        """The tuples as a frame in which a row stands for many (see `data/weighted_rows.py`)."""
        columns_by_name = {
            name: values.gather(self.codes[:, j])
            for j, (name, values) in enumerate(zip(self.columns, self.values, strict=True))
        }
        return pl.DataFrame(columns_by_name | {COUNT_COLUMN: self.counts})


@dataclass(frozen=True, eq=False)
class RecodedCells:
    """What becomes of tuples: tuple `kept[i]` gets `cells[column][i]`; rows of others are dropped.

    Without `kept` all tuples are. `on`: the columns that decide, where cells follow from some of
    them alone.
    """

    tuples: TupleCounts
    cells: Mapping[str, pl.Series]
    kept: np.ndarray | None = None
    on: Sequence[str] = ()

    def places(self) -> np.ndarray:
        """For every row of the tuples the place of its new cells; −1: it is dropped."""
        rows = self.tuples.rows
        if rows is None:
            raise ValueError("these are not the tuples of these rows")
        if self.kept is None:
            return rows
        positions = np.full(len(self.tuples.counts), -1, dtype=np.int32)
        positions[self.kept] = np.arange(len(self.kept), dtype=np.int32)
        return np.asarray(positions[rows])

    def source_and_new_cells(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The cells as they stand that are kept, each vector of `on` once, and their new ones."""
        source = self.tuples.source
        if source is None:
            raise ValueError("these are not the tuples of these rows")
        on = list(self.on or self.tuples.columns)
        positions = self.places()
        kept_rows = np.flatnonzero(positions >= 0)
        if self.on:
            first = source[kept_rows].select(pl.struct(on).is_first_distinct()).to_series()
            kept_rows = kept_rows[first.to_numpy()]
        recoded = pl.DataFrame(dict(self.cells))[positions[kept_rows]]
        other_columns = [name for name in source.columns if name not in self.tuples.columns]
        return source[kept_rows].select(*on, *other_columns), recoded


class Engine(Protocol):
    """Rows, wherever they are."""

    name: ClassVar[str]

    def tuples(self, columns: Sequence[str]) -> TupleCounts:
        """Distinct tuples of `columns` with counts."""

    def give(self, recoded: RecodedCells) -> Self:
        """The rows with new cells; those that are kept keep their order."""


@dataclass(frozen=True)
class SidecarFiles:
    """What is written with the rows: the manifest, and for the owner alone the provenance."""

    manifest: str
    provenance: str
    secret: str | None = None


VerifyWritten = Callable[[Any], VerifiedRelease[Any]]
"""Verifies rows as they were written, before they get their name."""


class OutOfCoreEngine(Engine, Protocol):
    """Rows that are not in memory: they are computed while they are written."""

    def without(self, names: Sequence[str]) -> Self:
        """The rows without some columns."""

    def shuffled(self, rng: Randomness) -> Self:
        """The rows, to be given and written in a random order."""

    def write(
        self, path: str, sidecars: SidecarFiles, *, rows: int, sep: str, verify: VerifyWritten
    ) -> None:
        """Write to hidden paths, let what was written be verified, and only then rename."""
