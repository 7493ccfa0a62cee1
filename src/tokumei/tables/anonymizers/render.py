"""From classes of tuples to the cells that people read."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.cells import STAR, canonical
from tokumei.core.errors import InputError
from tokumei.tables.engines.protocol import Frequencies


def class_cells(found: Frequencies, j: int, classes: np.ndarray) -> pl.Series:
    """The cell of column j for every tuple: an interval for numbers and dates, else a set.

    A class that mixes missing and known values is suppressed; a column in which every class has
    one value keeps its type.
    """
    values, codes = found.values[j], found.codes[:, j]
    low, high = _extremes(codes, classes)
    if np.array_equal(low, high):
        return values.gather(codes)
    ordered = values.dtype.is_numeric() or values.dtype.is_temporal()
    cells = _intervals(values, low, high) if ordered else _sets(values, codes, classes)
    if values.null_count():
        mixed = (low == 0) & (high > 0)
        cells = cells.zip_with(pl.Series(~mixed), pl.Series([STAR]).new_from_index(0, len(cells)))
    return cells.gather(classes)


def one_spelling(values: pl.Series, leaves: np.ndarray) -> bool:
    """Whether no two values share a leaf, as the texts `1` and `1.0` do; all leaves occur."""
    return int(np.count_nonzero(np.bincount(leaves))) == len(values)


def _extremes(codes: np.ndarray, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    number = int(classes.max()) + 1
    low = np.full(number, np.iinfo(codes.dtype).max, dtype=codes.dtype)
    high = np.zeros(number, dtype=codes.dtype)
    np.minimum.at(low, classes, codes)
    np.maximum.at(high, classes, codes)
    return low, high


def _intervals(values: pl.Series, low: np.ndarray, high: np.ndarray) -> pl.Series:
    text = canonical(values)
    ends = pl.DataFrame({"low": text.gather(low), "high": text.gather(high), "one": low == high})
    return ends.select(
        pl.when("one").then("low").otherwise(pl.format("[{};{}]", "low", "high")).alias("cell")
    )["cell"]


def _sets(values: pl.Series, codes: np.ndarray, classes: np.ndarray) -> pl.Series:
    text = canonical(values)
    spoiled = text.filter(text.str.contains(";", literal=True).fill_null(False))
    if len(spoiled):
        raise InputError(
            f"column '{values.name}': the value '{spoiled[0]}' contains ';', "
            "which separates the members of a set; replace it first",
            f"列 '{values.name}': 値 '{spoiled[0]}' に集合の区切り ';' が含まれています。"
            "先に置き換えてください",
        )
    pairs = pl.DataFrame({"class": classes, "code": codes}).unique().sort("class", "code")
    pairs = pairs.with_columns(text=text.gather(pairs["code"])).sort("class", "text")
    joined = pairs.group_by("class", maintain_order=True).agg(
        pl.col("text").first().alias("first"), pl.col("text").str.join(";"), pl.len().alias("size")
    )
    braced = pl.concat_str(pl.lit("{"), "text", pl.lit("}"))
    return joined.select(
        pl.when(pl.col("size") == 1).then("first").otherwise(braced).alias("cell")
    )["cell"]
