"""The narrow waist: methods never need rows, only distinct tuples with counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
import polars as pl


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Distinct tuples of some columns, dictionary-encoded, with their counts.

    `values[j]` is column j's dictionary in ascending order (null first, if there is one);
    `codes[t, j]` indexes it; `counts[t]` says how many rows have tuple t. Tuples are in
    ascending order of their codes, so that the same rows give the same arrays on any engine.
    `rows[i]` is the tuple of row i, where the engine knows it; methods have no use for it.
    """

    columns: tuple[str, ...]
    values: tuple[pl.Series, ...]
    codes: np.ndarray
    counts: np.ndarray
    rows: np.ndarray | None = field(default=None, repr=False)


class Engine(Protocol):
    """Computes frequencies and applies recodings, wherever the rows are."""

    name: ClassVar[str]

    def frequencies(self, frame: Any, columns: Sequence[str]) -> Frequencies:
        """Distinct tuples of `columns` with counts."""
        ...

    def recode(self, frame: Any, frequencies: Frequencies, cells: dict[str, pl.Series]) -> Any:
        """Replace columns: tuple t gets `cells[column][t]`; rows keep their order."""
        ...
