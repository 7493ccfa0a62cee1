"""Which sensitive columns are compared as numbers, and which as text; what is missing in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.tables.data.table import not_numbers

SQUARABLE = 1e150
"""Larger numbers have no square that a float holds."""

SPANNABLE = 2.0**1022
"""The distance of two larger numbers may be more than a float holds."""


def spannable(*sides: np.ndarray) -> tuple[np.ndarray, ...]:
    """The same numbers, all divided alike if one is so large that distances would overflow."""
    largest = max(float(np.abs(s[np.isfinite(s)]).max(initial=0.0)) for s in sides)
    return sides if largest <= SPANNABLE else tuple(side / 4 for side in sides)


def are_numbers(series: pl.Series) -> bool:
    """Whether the cells that are there, at least one, are finite numbers or ranges of them."""
    there = _there(series)
    return bool(len(there)) and not len(not_numbers(there))


def _there(series: pl.Series) -> pl.Series:
    """The cells that are not missing."""
    return series.drop_nulls() if series.null_count() else series


def is_number_column(original: pl.Series, released: pl.Series | None = None) -> bool:
    """Whether the cells that are there are finite numbers; in the release ranges are, too.

    A column without any cell is no column of numbers.
    """
    before = _there(original)
    if not len(before) or len(not_numbers(before, general=False)):
        return False
    return released is None or not len(not_numbers(_there(released)))


def gaps_in(frame: pl.DataFrame, names: Sequence[str]) -> np.ndarray:
    """Which cells of some columns are missing (rows × columns)."""
    found = [frame[name].is_null().to_numpy() for name in names]
    return np.column_stack(found) if found else np.zeros((frame.height, 0), dtype=bool)
