"""Frames that users hand over: pandas, Polars, Arrow."""

from __future__ import annotations

from typing import Any

import polars as pl

from tokumei.core.errors import InputError


def to_polars(frame: Any) -> pl.DataFrame:
    """Any supported frame as Polars, without its pandas index."""
    if isinstance(frame, pl.DataFrame):
        return frame
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    import narwhals as nw

    try:
        polars: pl.DataFrame = nw.from_native(frame, eager_only=True).to_polars()
    except TypeError:
        raise InputError(
            f"a {type(frame).__name__} is not a table: give a pandas, Polars or Arrow frame",
            f"{type(frame).__name__} は表ではありません。"
            "pandas・Polars・Arrow の表を渡してください",
        ) from None
    return polars
