"""Converts column values to positions for cuts, and classes to generalized cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, UsageError, Violation
from tokumei.core.generalized_cells import MISSING_SIGN, canonicalize_column
from tokumei.core.messages import Message
from tokumei.tables.engines.protocol import TupleCounts
from tokumei.tables.hierarchies.hierarchy import Hierarchy


def rank_values(
    tuple_counts: TupleCounts, j: int, value_order: Sequence[object] | None = None
) -> np.ndarray:
    """The place of every code of column j on its line; a missing value stays the first.

    Numbers, dates and enumerations have an order. Other categories take the `given` one, else the
    most frequent value comes first (equally frequent ones by their text): rare values then stand
    together, and the sets that hold them stay small.
    """
    values = tuple_counts.values[j]
    is_ordered = values.dtype.is_numeric() or values.dtype.is_temporal()
    if value_order is not None:
        if is_ordered:
            raise UsageError(
                "column '{column}' holds numbers or dates, which have an order of their own; "
                "read it as a category first",
                column=values.name,
            )
        return np.argsort(np.argsort(_positions_in_order(values, value_order), kind="stable"))
    if is_ordered or isinstance(values.dtype, pl.Enum):
        return np.arange(len(values))
    rows = np.bincount(tuple_counts.codes[:, j], weights=tuple_counts.counts, minlength=len(values))
    rows[: values.null_count()] = np.inf
    return np.argsort(np.argsort(-rows, kind="stable"))


def _positions_in_order(values: pl.Series, value_order: Sequence[object]) -> np.ndarray:
    """Where each value stands in the given order; −1 for the missing value."""
    words = [str(value).lower() if isinstance(value, bool) else str(value) for value in value_order]
    texts = canonicalize_column(pl.Series(words, dtype=pl.String))
    position_of = {text: number for number, text in enumerate(texts)}
    if len(position_of) < len(texts):
        repeated = sorted({text for text in texts if (texts == text).sum() > 1})
        raise _order_error(values.name, repeated, Message("'{value}' is given twice"))
    known_texts = canonicalize_column(values.drop_nulls())
    unlisted = [text for text in known_texts if text not in position_of]
    if unlisted:
        raise _order_error(values.name, unlisted, Message("'{value}' is not in the order given"))
    return np.array([-1] * values.null_count() + [position_of[text] for text in known_texts])


def _order_error(column: str, values: Sequence[str], fault: Message) -> InputError:
    violations = [
        Violation(
            rule="category-order",
            column=column,
            message=fault.fill(value=value),
        )
        for value in values[:MAX_SHOWN_VIOLATIONS]
    ]
    return InputError(
        "column '{column}': the order of its values cannot be used",
        faults=violations,
        total=len(values),
        column=column,
    )


def class_cells(tuple_counts: TupleCounts, j: int, classes: np.ndarray) -> pl.Series:
    """The cell of column j for every tuple: an interval for numbers and dates, else a set.

    A class that mixes missing and known values shows both, `{∅;[20;39]}`; a column in which every
    class has one value keeps its type.
    """
    values, codes = tuple_counts.values[j], tuple_counts.codes[:, j]
    low, high = _class_extremes(codes, classes)
    if np.array_equal(low, high):
        return values.gather(codes)
    is_ordered = values.dtype.is_numeric() or values.dtype.is_temporal()
    if not is_ordered:
        return _set_cells(values, codes, classes).gather(classes)
    if not values.null_count():
        return _interval_cells(values, low, high).gather(classes)
    is_known = codes > 0
    first = _class_extremes(np.where(is_known, codes, np.iinfo(codes.dtype).max), classes)[0]
    has_gap = pl.Series((low == 0) & (high > 0))
    cells = _interval_cells(values, np.minimum(first, high), high)
    with_gap = pl.select(
        pl.concat_str(pl.lit("{" + MISSING_SIGN + ";"), cells, pl.lit("}"))
    ).to_series()
    return with_gap.zip_with(has_gap, cells).gather(classes)


def rank_by_hierarchy(tuple_counts: TupleCounts, j: int, hierarchy: Hierarchy) -> np.ndarray:
    """Places on the line so that what shares an ancestor stands together; a missing value first.

    Among siblings the most frequent come first, as without a hierarchy.
    """
    values = tuple_counts.values[j]
    paths = hierarchy.up[:, hierarchy.leaf_codes(values)]
    rows = np.bincount(tuple_counts.codes[:, j], weights=tuple_counts.counts, minlength=len(values))
    is_known = ~values.is_null().to_numpy()
    return np.argsort(np.lexsort((-rows, *paths[1:], is_known)))


def hierarchy_cells(
    tuple_counts: TupleCounts, j: int, classes: np.ndarray, hierarchy: Hierarchy
) -> pl.Series:
    """The lowest node above all values of each tuple's class; one value stays as it is written."""
    values, codes = canonicalize_column(tuple_counts.values[j]), tuple_counts.codes[:, j]
    low, high = _class_extremes(codes, classes)
    cells = values.gather(low)
    open_classes = low != high
    for level in range(hierarchy.height + 1):
        nodes = hierarchy.up[level, hierarchy.leaf_codes(tuple_counts.values[j])]
        first, last = _class_extremes(nodes[codes], classes)
        has_common_node = open_classes & (first == last)
        cells = cells.zip_with(pl.Series(~has_common_node), hierarchy.names[level].gather(first))
        open_classes &= ~has_common_node
    return cells.gather(classes)


def _class_extremes(codes: np.ndarray, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    class_count = int(classes.max()) + 1
    low = np.full(class_count, np.iinfo(codes.dtype).max, dtype=codes.dtype)
    high = np.zeros(class_count, dtype=codes.dtype)
    np.minimum.at(low, classes, codes)
    np.maximum.at(high, classes, codes)
    return low, high


def _interval_cells(values: pl.Series, low: np.ndarray, high: np.ndarray) -> pl.Series:
    text = canonicalize_column(values)
    ends = pl.DataFrame({"low": text.gather(low), "high": text.gather(high), "one": low == high})
    return ends.select(
        pl.when("one").then("low").otherwise(pl.format("[{};{}]", "low", "high")).alias("cell")
    )["cell"]


def _set_cells(values: pl.Series, codes: np.ndarray, classes: np.ndarray) -> pl.Series:
    text = canonicalize_column(values)
    invalid_values = text.filter(text.str.contains(";", literal=True).fill_null(False))
    if len(invalid_values):
        raise InputError(
            "column '{column}': the value '{text}' contains ';', which "
            "separates the members of a set; replace it first",
            column=values.name,
            text=invalid_values[0],
        )
    pairs = pl.DataFrame({"class": classes, "code": codes}).unique().sort("class", "code")
    # A missing value first.
    pairs = pairs.with_columns(text=text.gather(pairs["code"])).sort("class", "text")
    joined = pairs.group_by("class", maintain_order=True).agg(
        pl.col("text").first().alias("first"),
        pl.col("text").fill_null(MISSING_SIGN).str.join(";"),
        pl.len().alias("size"),
    )
    braced = pl.concat_str(pl.lit("{"), "text", pl.lit("}"))
    return joined.select(
        pl.when(pl.col("size") == 1).then("first").otherwise(braced).alias("cell")
    )["cell"]
