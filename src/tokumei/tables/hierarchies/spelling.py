"""Values and leaves compared as canonical text, fast where a million of them are codes or names."""

from __future__ import annotations

import polars as pl

from tokumei.core.cells import canonical

_RESPELLED = r"^-?[0-9]+[^0-9]"
"""Only text that begins so can be a number or time that is written in another way."""


def spelled(series: pl.Series) -> pl.Series:
    """What `canonical` gives, looking only at the cells that it could change."""
    if series.dtype != pl.String:
        return canonical(series)
    suspects = series.str.contains(_RESPELLED).fill_null(False)
    if not suspects.any():
        return series
    return series.clone().scatter(suspects.arg_true(), canonical(series.filter(suspects)))
