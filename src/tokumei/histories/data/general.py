"""A history whose rows are generalized: row i stands for row i of the original, or is deleted.

Distinct cells are stored once and rows point to them, so that a release of ten million rows is
a few arrays and text is made only when a file is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

DELETED = -1


@dataclass(frozen=True, eq=False)
class Spans:
    """Cells of a numeric column: row r holds the interval from low[code[r]] to high[code[r]].

    `star` marks cells that were given up (`*`).
    """

    code: np.ndarray
    low: np.ndarray
    high: np.ndarray
    star: np.ndarray


@dataclass(frozen=True, eq=False)
class ItemSets:
    """Cells of the item column: set c holds members[start[c]:start[c+1]]; an empty one is `*`.

    Members are places in `names`, ascending.
    """

    code: np.ndarray
    start: np.ndarray
    members: np.ndarray
    names: pl.Series

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many items each set holds."""
        return np.diff(self.start)

    def holds(self, items: np.ndarray) -> np.ndarray:
        """Whether row r's set holds items[r] (a place in `names`); False for `*` and deleted."""
        span = len(self.names) + 1
        owner = np.repeat(np.arange(len(self.sizes)), self.sizes)
        keys = owner * span + self.members
        wanted = self.code * span + items
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        return np.asarray((len(keys) > 0) & (self.code >= 0) & (items >= 0)) & (
            keys[place] == wanted if len(keys) else False
        )


@dataclass(frozen=True, eq=False)
class GeneralHistory:
    """Generalized rows. `person` is the place of each row's pseudonym, DELETED where it is gone."""

    person: np.ndarray
    pseudonyms: pl.Series
    day: Spans
    item: ItemSets
    price: Spans
    quantity: Spans
    decimals: int = 2

    @property
    def rows(self) -> int:
        """How many rows, deleted ones included."""
        return len(self.person)

    @property
    def kept(self) -> np.ndarray:
        """Which rows are not deleted."""
        return np.asarray(self.person != DELETED)

    @property
    def rows_kept(self) -> float:
        """The share of rows that are not deleted."""
        return float(self.kept.mean()) if self.rows else 1.0

    def spans(self, column: str) -> Spans:
        """The cells of day, price or quantity."""
        found: Spans = getattr(self, column)
        return found
