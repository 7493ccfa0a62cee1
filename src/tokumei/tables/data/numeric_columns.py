"""Separates sensitive columns compared as numbers from those compared as text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.core.errors import InputError
from tokumei.tables.data.table import non_numeric_rows

MAX_SQUARABLE = 1e150
"""Larger numbers have no square that a float holds."""

MAX_SPANNABLE = 2.0**1022
"""The distance of two larger numbers may be more than a float holds."""


def scale_for_distances(*sides: np.ndarray) -> tuple[np.ndarray, ...]:
    """The same numbers, all divided alike if one is so large that distances would overflow."""
    largest = max(float(np.abs(s[np.isfinite(s)]).max(initial=0.0)) for s in sides)
    return sides if largest <= MAX_SPANNABLE else tuple(side / 4 for side in sides)


def scale_for_sums(*sides: np.ndarray, terms: int) -> tuple[tuple[np.ndarray, ...], float]:
    """The same numbers by a unit in which sums of so many of their distances do not overflow.

    The unit is a power of two, so that nothing is rounded, and 1 unless numbers are very large.
    """
    largest = max(float(np.abs(s[np.isfinite(s)]).max(initial=0.0)) for s in sides)
    unit = 4.0 * 2 ** int(terms).bit_length()
    if largest <= MAX_SPANNABLE / unit:
        return sides, 1.0
    return tuple(side / unit for side in sides), unit


def scale_for_squares(values: np.ndarray) -> np.ndarray:
    """The columns, each divided by its largest number if that has no square; NaN stays."""
    largest = np.where(np.isfinite(values), np.abs(values), 0.0).max(axis=0, initial=0.0)
    return np.asarray(values / np.where(largest > MAX_SQUARABLE, largest, 1.0))


def require_finite(value: float, where: str) -> float:
    """A figure, if a float holds it."""
    if np.isfinite(value):
        return value
    raise InputError(
        "{where}: the sensitive columns hold numbers so large that the result cannot be written "
        "as a number",
        where=where,
    )


def has_only_numbers(series: pl.Series) -> bool:
    """Whether the cells that are there, at least one, are finite numbers or ranges of them."""
    cells = _non_missing(series)
    return bool(len(cells)) and not len(non_numeric_rows(cells))


def _non_missing(series: pl.Series) -> pl.Series:
    """The cells that are not missing."""
    return series.drop_nulls() if series.null_count() else series


def is_number_column(original: pl.Series, released: pl.Series | None = None) -> bool:
    """Whether the cells that are there are finite numbers; in the release ranges are, too.

    A column without any cell is no column of numbers.
    """
    before = _non_missing(original)
    if not len(before) or len(non_numeric_rows(before, general=False)):
        return False
    return released is None or not len(non_numeric_rows(_non_missing(released)))


def missing_mask(frame: pl.DataFrame, names: Sequence[str]) -> np.ndarray:
    """Which cells of some columns are missing (rows × columns)."""
    masks = [frame[name].is_null().to_numpy() for name in names]
    return np.column_stack(masks) if masks else np.zeros((frame.height, 0), dtype=bool)
