"""Collects the distinct cells of a column with their counts, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from tokumei.core.release_terms import NOT_A_TEXT, ReleaseTerms
from tokumei.release_gate.findings import Finding

TEXT, CELLS = "text", "cells"
SHORT_NUMBER = r"^[-+]?\d{0,7}(?:\.\d*)?(?:[eE][-+]?\d+)?$|^[-+]?0\.\d+(?:[eE][-+]?\d+)?$"
"""Numbers that are nobody's: amounts, ages, shares."""
_MERGED_BATCHES = 8


class ColumnBatch(NamedTuple):
    """Distinct texts of a column, and how many cells have them."""

    name: str
    counts: pl.DataFrame


def is_candidate(cells: pl.Expr) -> pl.Expr:
    """Whether a cell is no short number."""
    return ~cells.str.contains(SHORT_NUMBER)


class ColumnCells:
    """The distinct cells of a column with their counts, batch by batch."""

    def __init__(self, name: str, terms: ReleaseTerms) -> None:
        self._name = name
        self._counts_texts = bool(terms.k) and name in terms.passing
        self._k = terms.k
        self._batches: list[pl.DataFrame] = []
        self._is_name = False

    def add(self, series: pl.Series) -> None:
        """Count the cells of a batch that may identify somebody."""
        if series.dtype.is_float() or series.dtype == pl.Boolean:
            return
        texts = series.cast(pl.String).alias(TEXT).drop_nulls()
        self._is_name = self._is_name or bool((texts == self._name).any())
        wanted = (
            ~pl.col(TEXT).str.contains(SHORT_NUMBER)
            if self._counts_texts
            else is_candidate(pl.col(TEXT))
        )
        self.add_counts(texts.to_frame().filter(wanted).group_by(TEXT).len(CELLS))

    def add_counts(self, counts: pl.DataFrame) -> None:
        """Add cells that were counted elsewhere."""
        self._is_name = self._is_name or self._name in counts[TEXT]
        self._batches.append(counts)
        if len(self._batches) >= _MERGED_BATCHES:
            self._batches = [self._merged()]

    def _merged(self) -> pl.DataFrame:
        if not self._batches:
            return pl.DataFrame(schema={TEXT: pl.String, CELLS: pl.UInt32})
        if len(self._batches) == 1:
            return self._batches[0]
        return pl.concat(self._batches).group_by(TEXT).agg(pl.col(CELLS).sum())

    def candidates(self) -> pl.DataFrame:
        """The distinct cells that may identify somebody."""
        return self._merged().filter(is_candidate(pl.col(TEXT)))

    def has_its_name_as_cell(self) -> bool:
        """Whether some cell is what the column is called."""
        return self._is_name

    def rare_texts(self) -> Iterator[Finding]:
        """Texts of a column that passes which fewer than k rows have."""
        if not self._counts_texts:
            return
        counts = self._merged()
        rare = counts.filter((pl.col(CELLS) < self._k) & ~pl.col(TEXT).str.contains(NOT_A_TEXT))
        if rare.height:
            yield Finding("rare-text", int(rare[CELLS].sum()), self._name)
