"""Days, times and prices as a file of 2017 spells them: 2011/1/31, 9:05, 8.5."""

from __future__ import annotations

import numpy as np
import polars as pl


def day_text(days: np.ndarray) -> pl.Series:
    """Days since 1970 without leading zeros."""
    dates = pl.Series("day", days.astype(np.int32)).cast(pl.Date)
    return dates.dt.strftime("%Y/%-m/%-d")


def time_text(minutes: np.ndarray) -> pl.Series:
    """Minutes since midnight: hours without, minutes with a leading zero."""
    clock = pl.DataFrame({"hour": minutes // 60, "minute": minutes % 60})
    minute = pl.col("minute").cast(pl.String).str.zfill(2)
    return clock.select(pl.format("{}:{}", "hour", minute).alias("time")).to_series()


def price_text(prices: np.ndarray) -> pl.Series:
    """At most two decimals, none that is needless."""
    cents = np.rint(prices * 100).astype(np.int64)
    spelled = pl.DataFrame({"whole": cents // 100, "cents": cents % 100})
    decimals = pl.col("cents").cast(pl.String).str.zfill(2)
    with_cents = pl.format("{}.{}", "whole", decimals.str.strip_chars_end("0"))
    text = pl.when(pl.col("cents") == 0).then(pl.col("whole").cast(pl.String)).otherwise(with_cents)
    return spelled.select(text.alias("price")).to_series()


def quantity_text(quantities: np.ndarray) -> pl.Series:
    """Whole numbers."""
    return pl.Series("quantity", np.rint(quantities).astype(np.int64)).cast(pl.String)
