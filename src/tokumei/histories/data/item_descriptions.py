"""What items are: descriptions from a file, or from the sales themselves."""

from __future__ import annotations

import polars as pl

from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, input_error
from tokumei.files.reading import read_frame
from tokumei.histories.data.history import History

NAMES = (("item", "description"), ("StockCode", "Description"))
"""Column names that are understood: ours, and those of UCI Online Retail."""


def read_descriptions(
    path: AnyPath, *, sep: str | None = None, encoding: str = "auto"
) -> pl.DataFrame:
    """Item and its most frequent description (ties: the first in text order)."""
    frame = read_frame(path, sep=sep, encoding=encoding)
    for item, description in NAMES:
        if item in frame.columns and description in frame.columns:
            return most_frequent(frame.select(item=item, description=description))
    raise input_error(
        path,
        Text(
            "columns item and description (or StockCode and Description) are needed",
            "列 item と description (または StockCode と Description) が必要です",
        ),
    )


def most_frequent(frame: pl.DataFrame) -> pl.DataFrame:
    """One description for each item; codes are compared without case and outer spaces."""
    text = frame.select(
        pl.col("item").cast(pl.String).str.strip_chars().str.to_uppercase(),
        pl.col("description").cast(pl.String).str.strip_chars(),
    ).filter(pl.col("description").is_not_null() & (pl.col("description") != ""))
    counted = text.group_by("item", "description").len()
    ordered = counted.sort(["item", "len", "description"], descending=[False, True, False])
    return ordered.unique("item", keep="first", maintain_order=True).drop("len")


def described(history: History, items: pl.DataFrame | None = None) -> pl.DataFrame:
    """Every item of a history with its description (null where there is none)."""
    known = items if items is not None else history.items
    names = history.item_names.to_frame("item")
    if known is None:
        return names.with_columns(description=pl.lit(None, dtype=pl.String))
    keyed = most_frequent(known).rename({"item": "key"})
    joined = names.with_columns(key=pl.col("item").str.to_uppercase())
    return joined.join(keyed, on="key", how="left", maintain_order="left").drop("key")
