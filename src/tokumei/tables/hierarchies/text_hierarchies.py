"""Builds hierarchies of texts: by prefixes, or by merging neighbours in an order.

    prefix_hierarchy(series, lengths=[3, 1])                     # 5650871 → 565* → 5* → *
    merge_hierarchy(series, fanout=3)                            # a, b, c → {a;b;c} → … → *
    merge_hierarchy(series, order=["low", "middle", "high"])

Merged groups are balanced: half by rows, half by the number of values, so that a frequent value
stays apart longer and no group swallows all rare ones. Numbers are labelled by intervals, other
values by sets; of a large set only the ends, `a … z`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.messages import Message
from tokumei.tables.hierarchies.column_values import (
    ColumnValues,
    build_hierarchy,
    unfit_values_error,
)
from tokumei.tables.hierarchies.hierarchy import Hierarchy


def prefix_hierarchy(series: pl.Series, *, lengths: Sequence[int]) -> Hierarchy:
    """Codes by their first characters, `lengths` falling; a shorter code stays as it is."""
    if not lengths or min(lengths) < 1 or any(fine <= coarse for fine, coarse in pairwise(lengths)):
        raise UsageError("prefix lengths must decrease and be at least 1, as in 5,3,1")
    values = ColumnValues.of(series)
    return build_hierarchy(values, [prefix_labels(values.text, length) for length in lengths])


def prefix_labels(text: pl.Series, length: int) -> pl.Series:
    """`abc*` for a code longer than `length`, else the code."""
    cut = text.str.head(length)
    return (cut + SUPPRESSED_CELL).zip_with(text.str.len_chars() > length, text)


LARGE_SET = 32
FANOUT = 3
CODE_PATTERN = r"^[A-Za-z]{0,3}[0-9][0-9A-Za-z.-]*$"


def merge_hierarchy(
    series: pl.Series,
    *,
    fanout: int = 3,
    order: Sequence[str] | None = None,
    rows: pl.Series | None = None,
) -> Hierarchy:
    """Neighbours merged, about `fanout` at a time; `order` lists all values, else they sort.

    `rows`: how many each cell stands for, if not for one.
    """
    if fanout < 2:
        raise UsageError("fanout must be at least 2")
    values = ColumnValues.of(series, rows)
    if order is not None:
        values = _sort_values(values, order)
    numeric = order is None and values.values.dtype.is_numeric()
    levels = merge_neighbours(values.counts, fanout)
    return build_hierarchy(
        values, [_group_labels(values.text, groups, numeric) for groups in levels]
    )


def merge_neighbours(counts: np.ndarray, fanout: int) -> list[np.ndarray]:
    """The group of every value, level by level, as long as more than `fanout` groups are left."""
    share = counts / max(int(counts.sum()), 1)
    levels: list[np.ndarray] = []
    groups = np.arange(len(counts))
    size = len(counts)
    while size > fanout:
        weights = (np.bincount(groups, weights=share) + 1 / size) / 2
        middles = (np.cumsum(weights) - weights / 2) / weights.sum()
        target_groups = -(-size // fanout)
        merged = np.minimum((middles * target_groups).astype(np.int64), target_groups - 1)
        merged = np.unique(merged, return_inverse=True)[1]
        groups, size = merged[groups], int(merged[-1]) + 1
        levels.append(groups)
    return levels


def _sort_values(values: ColumnValues, order: Sequence[str]) -> ColumnValues:
    """The values in the given order; an error lists those it leaves out."""
    positions = {name: position for position, name in enumerate(order)}
    order_of_values = np.array([positions.get(name, -1) for name in values.text])
    if (order_of_values < 0).any():
        message = Message("not in the given order")
        raise unfit_values_error(values, np.flatnonzero(order_of_values < 0), message)
    rows = np.argsort(order_of_values)
    text = values.text.gather(rows)
    return ColumnValues(values.column, text, text, values.counts[rows], values.missing)


def _group_labels(text: pl.Series, groups: np.ndarray, numeric: bool) -> pl.Series:
    """A name for every value's group, which is a run of neighbours."""
    pairs = pl.DataFrame({"text": text, "group": groups})
    described = pairs.group_by("group", maintain_order=True).agg(
        pl.col("text").first().alias("first"),
        pl.col("text").last().alias("last"),
        pl.col("text").head(LARGE_SET).str.join(";").alias("all"),
        pl.col("text").str.contains(";", literal=True).any().alias("unlisted"),
        pl.len().alias("size"),
    )
    is_listable = (pl.col("size") <= LARGE_SET) & ~pl.col("unlisted")
    listed = pl.concat_str(pl.lit("{"), "all", pl.lit("}"))
    ends = pl.format("[{};{}]", "first", "last") if numeric else listed
    ends_only = ends if numeric else pl.format("{} … {}", "first", "last")
    label = (
        pl.when(pl.col("size") == 1).then("first").when(is_listable).then(ends).otherwise(ends_only)
    )
    return described.select(label.alias("label"))["label"].gather(groups)


def prefix_lengths(text: pl.Series) -> list[int]:
    """Prefix lengths, each of which at least halves the number of nodes; none if not codes."""
    if len(text) < 2 * FANOUT or not text.str.contains(CODE_PATTERN).all():
        return []
    lengths: list[int] = []
    nodes = len(text)
    for length in range(int(text.str.len_chars().max()) - 1, 0, -1):  # type: ignore[arg-type]
        node_count = prefix_labels(text, length).n_unique()
        if 1 < node_count <= nodes / 2:
            lengths.append(length)
            nodes = node_count
    return lengths
