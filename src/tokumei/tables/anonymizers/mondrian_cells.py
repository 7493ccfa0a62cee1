"""From the values of a column to the line along which they are cut, and from classes to cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.cells import GAP, canonical
from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError, UsageError
from tokumei.core.text import Text
from tokumei.tables.engines.protocol import Frequencies
from tokumei.tables.hierarchies.hierarchy import Hierarchy


def ranks(found: Frequencies, j: int, given: Sequence[Any] | None = None) -> np.ndarray:
    """The place of every code of column j on its line; a missing value stays the first.

    Numbers, dates and enumerations have an order. Other categories take the `given` one, else the
    most frequent value comes first (equally frequent ones by their text): rare values then stand
    together, and the sets that hold them stay small.
    """
    values = found.values[j]
    own = values.dtype.is_numeric() or values.dtype.is_temporal()
    if given is not None:
        if own:
            raise UsageError(
                f"column '{values.name}' holds numbers or dates, which have an order of their own; "
                "read it as a category first",
                f"列 '{values.name}' は数値か日付で、元々順序があります。"
                "先にカテゴリとして読んでください",
            )
        return np.argsort(np.argsort(_places(values, given), kind="stable"))
    if own or isinstance(values.dtype, pl.Enum):
        return np.arange(len(values))
    rows = np.bincount(found.codes[:, j], weights=found.counts, minlength=len(values))
    rows[: values.null_count()] = np.inf
    return np.argsort(np.argsort(-rows, kind="stable"))


def _places(values: pl.Series, given: Sequence[Any]) -> np.ndarray:
    """Where each value stands in the given order; −1 for the missing value."""
    words = [str(value).lower() if isinstance(value, bool) else str(value) for value in given]
    texts = canonical(pl.Series(words, dtype=pl.String))
    place = {text: number for number, text in enumerate(texts)}
    if len(place) < len(texts):
        twice = sorted({text for text in texts if (texts == text).sum() > 1})
        raise _unfit(values.name, twice, Text("given twice", "二度あります"))
    known = canonical(values.drop_nulls())
    lacking = [text for text in known if text not in place]
    if lacking:
        raise _unfit(values.name, lacking, Text("not in the order given", "順序にありません"))
    return np.array([-1] * values.null_count() + [place[text] for text in known])


def _unfit(column: str, values: Sequence[str], why: Text) -> InputError:
    faults = [
        Fault(
            rule="category-order",
            column=column,
            message=Text(f"'{value}' is {why.en}", f"'{value}' は{why.ja}"),
        )
        for value in values[:FAULTS_SHOWN]
    ]
    return InputError(
        f"column '{column}': the order of its values cannot be used",
        f"列 '{column}': 値の順序が使えません",
        faults=faults,
        total=len(values),
    )


def class_cells(found: Frequencies, j: int, classes: np.ndarray) -> pl.Series:
    """The cell of column j for every tuple: an interval for numbers and dates, else a set.

    A class that mixes missing and known values shows both, `{∅;[20;39]}`; a column in which every
    class has one value keeps its type.
    """
    values, codes = found.values[j], found.codes[:, j]
    low, high = _extremes(codes, classes)
    if np.array_equal(low, high):
        return values.gather(codes)
    ordered = values.dtype.is_numeric() or values.dtype.is_temporal()
    if not ordered:
        return _sets(values, codes, classes).gather(classes)
    if not values.null_count():
        return _intervals(values, low, high).gather(classes)
    known = codes > 0
    first = _extremes(np.where(known, codes, np.iinfo(codes.dtype).max), classes)[0]
    mixed = pl.Series((low == 0) & (high > 0))
    cells = _intervals(values, np.minimum(first, high), high)
    beside = pl.select(pl.concat_str(pl.lit("{" + GAP + ";"), cells, pl.lit("}"))).to_series()
    return beside.zip_with(mixed, cells).gather(classes)


def tree_ranks(found: Frequencies, j: int, tree: Hierarchy) -> np.ndarray:
    """Places on the line so that what shares an ancestor stands together; a missing value first.

    Among siblings the most frequent come first, as without a hierarchy.
    """
    values = found.values[j]
    paths = tree.up[:, tree.leaf_codes(values)]
    rows = np.bincount(found.codes[:, j], weights=found.counts, minlength=len(values))
    known = ~values.is_null().to_numpy()
    return np.argsort(np.lexsort((-rows, *paths[1:], known)))


def node_cells(found: Frequencies, j: int, classes: np.ndarray, tree: Hierarchy) -> pl.Series:
    """The lowest node above all values of each tuple's class; one value stays as it is written."""
    values, codes = canonical(found.values[j]), found.codes[:, j]
    low, high = _extremes(codes, classes)
    cells = values.gather(low)
    open_classes = low != high
    for level in range(tree.height + 1):
        nodes = tree.up[level, tree.leaf_codes(found.values[j])]
        first, last = _extremes(nodes[codes], classes)
        met = open_classes & (first == last)
        cells = cells.zip_with(pl.Series(~met), tree.names[level].gather(first))
        open_classes &= ~met
    return cells.gather(classes)


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
    # A missing value first.
    pairs = pairs.with_columns(text=text.gather(pairs["code"])).sort("class", "text")
    joined = pairs.group_by("class", maintain_order=True).agg(
        pl.col("text").first().alias("first"),
        pl.col("text").fill_null(GAP).str.join(";"),
        pl.len().alias("size"),
    )
    braced = pl.concat_str(pl.lit("{"), "text", pl.lit("}"))
    return joined.select(
        pl.when(pl.col("size") == 1).then("first").otherwise(braced).alias("cell")
    )["cell"]
