"""The distinct cells of one column: how often each occurs, and which say that nothing is known."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import polars as pl

from tokumei.core.parsing.dates import (
    NO_PREFERENCES,
    DatePreferences,
)
from tokumei.core.parsing.numbers import parse_numbers
from tokumei.tables.profiling.detection.cell_patterns import CELL_PATTERNS
from tokumei.tables.profiling.detection.missing_markers import (
    find_missing_markers,
    is_na_real_value,
)

MAX_PARSED_VALUES = 20_000
"""How many distinct values one by one are read as days or names; above, a random sample."""
_SAMPLE_SIZE = 4_000


@dataclass(frozen=True, eq=False)
class DistinctCells:
    """Distinct cells as they came, how often each, and after NFKC; null cells are left out."""

    name: str
    rows: int
    raw: pl.Series
    counts: pl.Series
    off: Set[str] = frozenset()
    said: DatePreferences = NO_PREFERENCES
    """What the owner says of days that no cell decides."""

    @classmethod
    def of(
        cls, series: pl.Series, off: Set[str] = frozenset(), said: DatePreferences = NO_PREFERENCES
    ) -> Self:
        """Count the cells of a text column; where hardly any repeats, each stands for itself."""
        filled = series.drop_nulls()
        if (
            len(filled) > MAX_PARSED_VALUES
            and filled.gather_every(len(filled) // 1000).n_unique() > 900
        ):
            ones = pl.Series("len", [1], pl.Int64).new_from_index(0, len(filled))
            return cls(series.name, len(series), filled, ones, off, said)
        cells = filled.alias("cell").to_frame().lazy().group_by("cell").len().sort("cell").collect()
        counts = cells["len"].cast(pl.Int64)
        return cls(series.name, len(series), cells["cell"], counts, off, said)

    @cached_property
    def text(self) -> pl.Series:
        """The distinct cells as they are compared: NFKC, no outer blanks."""
        return normalize_text(self.raw, self.off)

    @cached_property
    def missing(self) -> pl.Series:
        """Which distinct cells say that nothing is known; among numbers or days in words, too."""
        if "missing" in self.off:
            return self.text == ""
        marker_mask, word_mask = find_missing_markers(self.text)
        if not word_mask.any() or self._is_mostly_values(~marker_mask):
            return word_mask
        return (
            marker_mask & ~is_na_real_value(self.text, self.counts, marker_mask)
            if marker_mask.any()
            else marker_mask
        )

    def _is_mostly_values(self, filled: pl.Series) -> bool:
        """Whether most cells are numbers, days or of a known form."""
        text, counts = _sample_values(self.text.filter(filled), self.counts.filter(filled))
        value_pattern = "|".join(
            CELL_PATTERNS[name] for name in ("email", "phone", "postal", "ip", "date_like")
        )
        is_value = parse_numbers(text, self.off).values.is_not_null() | text.str.contains(
            value_pattern
        )
        return 2 * int(counts.filter(is_value).sum()) > int(counts.sum())

    @cached_property
    def filled(self) -> pl.Series:
        """Distinct cells that say something, after NFKC."""
        return self.text.filter(~self.missing)

    @cached_property
    def weights(self) -> pl.Series:
        """How often each of `filled`."""
        return self.counts.filter(~self.missing)

    @cached_property
    def total(self) -> int:
        """How many cells say something."""
        return int(self.weights.sum())

    @cached_property
    def distinct(self) -> int:
        """How many different values, after NFKC."""
        return int(self.filled.n_unique())

    @property
    def unique_share(self) -> float:
        """Different values per filled cell."""
        return self.distinct / max(self.total, 1)

    @cached_property
    def sample(self) -> tuple[pl.Series, pl.Series]:
        """Some of the filled values, at random but always the same, with their weights."""
        return _sample_values(self.filled, self.weights)


def normalize_text(cells: pl.Series, off: Set[str] = frozenset()) -> pl.Series:
    """Cells after NFKC and without outer blanks; only outer blanks go where `nfkc` is off."""
    if "nfkc" in off:
        return cells
    if (cells.str.len_bytes() == cells.str.len_chars()).all():
        return cells.str.strip_chars()
    return cells.str.normalize("NFKC").str.strip_chars()


def _sample_values(text: pl.Series, weights: pl.Series) -> tuple[pl.Series, pl.Series]:
    if len(text) <= _SAMPLE_SIZE:
        return text, weights
    rows = pl.int_range(len(text), eager=True).sample(_SAMPLE_SIZE, seed=1)
    return text[rows], weights[rows]
