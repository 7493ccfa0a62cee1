"""Frames of any library with types as a CSV file of the same cells has them."""

from __future__ import annotations

import datetime as dt

import polars as pl
from polars import selectors as cs

from tokumei.core.errors import InputError
from tokumei.files.frame_conversion import require_plain_names


def require_simple_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with types as a CSV file of the same cells has them, and NaN as null.

    Decimals become numbers or texts, times of day texts, times of a zone what its clocks showed,
    and times that are all midnight days. Fails on cells that are not single values and on
    unusable names.
    """
    require_plain_names(frame.columns)
    for name, dtype in frame.schema.items():
        if dtype.is_nested() or dtype in (pl.Object, pl.Binary, pl.Duration):
            raise InputError(
                "column '{name}' holds {dtype}: convert it to numbers, text, dates or booleans, or "
                "leave it out",
                name=name,
                dtype=dtype,
            )
    frame = frame.with_columns(cs.datetime(time_zone="*").dt.replace_time_zone(None))
    days = [name for name, dtype in frame.schema.items() if dtype == pl.Datetime]
    midnight = [name for name in days if _is_midnight(frame[name])]
    return frame.with_columns(
        pl.col(pl.Float32, pl.Float64).fill_nan(None),
        pl.col(pl.Time).cast(pl.String),
        pl.col(midnight).cast(pl.Date),
        *(_plain_number(frame[name]) for name, dtype in frame.schema.items() if dtype.is_decimal()),
    )


def _is_midnight(times: pl.Series) -> bool:
    """Whether times are days: all of them are midnight, and there is one."""
    return times.null_count() < len(times) and bool((times.dt.time() == dt.time()).all())


def _plain_number(decimals: pl.Series) -> pl.Series:
    """Decimals as numbers where these are written alike, else as the texts that a CSV file has."""
    whole = getattr(decimals.dtype, "scale", None) == 0
    numbers = decimals.cast(pl.Int64 if whole else pl.Float64, strict=False)
    texts = decimals.cast(pl.String)
    return numbers if numbers.cast(pl.String).equals(texts, null_equal=True) else texts
