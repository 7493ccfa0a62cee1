"""Counts of class sizes, which estimators of population uniques use.

SampleClasses.of(table, ["age", "sex"])         # or SampleClasses.from_sizes(sizes)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import count_class_rows, row_counts


@dataclass(frozen=True, eq=False)
class SampleClasses:
    """Distinct class sizes, ascending, and how many classes have each."""

    sizes: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, table: Table, columns: Sequence[str]) -> SampleClasses:
        """The classes of a table's rows by the columns."""
        codes = equivalence_class_codes(table.frame, columns)
        return cls.from_sizes(count_class_rows(codes, row_counts(table.frame)))

    @classmethod
    def from_sizes(cls, sizes: np.ndarray) -> SampleClasses:
        """From the size of every class."""
        return cls(*np.unique(sizes[sizes > 0], return_counts=True))

    @property
    def rows(self) -> int:
        """n, the rows of the sample."""
        return int(self.sizes @ self.counts)

    @property
    def classes(self) -> int:
        """u, the classes of the sample."""
        return int(self.counts.sum())

    def of_size(self, size: int) -> int:
        """How many classes have this size."""
        return int(self.counts[self.sizes == size].sum())


@dataclass(frozen=True)
class ModelEstimate:
    """Estimated number of population uniques by one model, and whether its solver converged.

    `uniques` is NaN where the model has no solution for the sample; `parameters` were fitted.
    """

    model: str
    uniques: float
    converged: bool
    parameters: dict[str, float] = field(default_factory=dict)

    @property
    def usable(self) -> bool:
        """Whether the figure can be used."""
        return self.converged and bool(np.isfinite(self.uniques))


def require_population(sample: SampleClasses, population: int) -> None:
    """Fail unless the population is at least as large as the sample, and the sample not empty."""
    if not sample.rows or population < sample.rows:
        raise UsageError(
            "the population ({population}) must have at least as many rows as the sample ({rows}), "
            "and the sample at least one",
            population=population,
            rows=sample.rows,
        )
