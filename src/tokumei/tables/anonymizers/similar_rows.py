"""Groups rows with similar sensitive values, in the whole table or inside classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.tables.data.numeric_columns import MAX_SQUARABLE, has_only_numbers
from tokumei.tables.data.table import Table

MAX_TEXT_INDICATORS = 16
"""So many of the values of a text are told apart when similar rows are sought."""


def group_within_classes(values: np.ndarray, classes: np.ndarray, k: int) -> np.ndarray:
    """Groups of k to 2k − 1 similar rows inside every class; a number per row.

    A class of fewer than 2k rows is one group. Similar means so in the whole table: columns are
    scaled to mean 0 and sd 1 there, constant ones to 0.
    """
    values = scale_down_large(values)
    sd = values.std(axis=0)
    scaled = (values - values.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    groups = np.empty(len(values), dtype=np.int64)
    order = np.argsort(classes, kind="stable")
    ends = np.flatnonzero(np.diff(classes[order])) + 1
    next_group = 0
    with progress_bar(Message("grouping"), total=len(values)) as advance:
        for rows in np.split(order, ends):
            class_groups = mdav_on_scaled(scaled[rows], k)
            groups[rows] = next_group + class_groups
            next_group += int(class_groups.max(initial=-1)) + 1
            advance(len(rows))
    return groups


def mdav_groups(values: np.ndarray, k: int) -> np.ndarray:
    """Groups of k to 2k − 1 similar rows by MDAV; a number per row, on columns scaled to sd 1.

    Domingo-Ferrer and Torra (2005): take the row farthest from the mean and the k − 1 rows nearest
    to it, then the same from the row farthest from that one; repeat on what is left.
    """
    return group_within_classes(values, np.zeros(len(values), dtype=np.int64), k)


def scale_down_large(values: np.ndarray) -> np.ndarray:
    """The columns; those of numbers too large to be squared divided by their largest."""
    largest = np.abs(values).max(axis=0, initial=0.0)
    return np.asarray(values / np.where(largest > MAX_SQUARABLE, largest, 1.0))


def encode_points(table: Table, names: Sequence[str]) -> np.ndarray:
    """Sensitive columns as numbers: gaps as the mean with a mark beside, texts as marks.

    A text has a mark for each of its most frequent values.
    """
    numbers = [name for name in names if has_only_numbers(table.frame[name])]
    values = table.numbers(numbers)
    is_gap = np.isnan(values)
    if is_gap.any():
        means = np.ma.array(values, mask=is_gap).mean(axis=0).filled(0.0)
        values = np.column_stack([np.where(is_gap, means, values), is_gap[:, is_gap.any(axis=0)]])
    text_indicators = [_text_indicators(table.frame[name]) for name in names if name not in numbers]
    return np.column_stack([values, *text_indicators]) if text_indicators else values


def _text_indicators(series: pl.Series) -> np.ndarray:
    texts = series.cast(pl.String).alias("text")
    text_counts = texts.value_counts(name="rows").sort("rows", "text", descending=[True, False])
    indicators = [
        texts.eq_missing(text).to_numpy() for text in text_counts["text"].head(MAX_TEXT_INDICATORS)
    ]
    return np.column_stack(indicators).astype(np.float64)


def mdav_on_scaled(scaled: np.ndarray, k: int) -> np.ndarray:
    """MDAV on columns that are scaled already."""
    groups = np.zeros(len(scaled), dtype=np.int64)
    remaining = np.arange(len(scaled))
    next_group = 0
    while len(remaining) >= 3 * k:
        start_index = _farthest_row(scaled[remaining], scaled[remaining].mean(axis=0))
        farthest_point = scaled[remaining[start_index]]
        remaining = _take_group(scaled, remaining, start_index, k, groups, next_group)
        remaining = _take_group(
            scaled,
            remaining,
            _farthest_row(scaled[remaining], farthest_point),
            k,
            groups,
            next_group + 1,
        )
        next_group += 2
    if len(remaining) >= 2 * k:
        start_index = _farthest_row(scaled[remaining], scaled[remaining].mean(axis=0))
        remaining = _take_group(scaled, remaining, start_index, k, groups, next_group)
        next_group += 1
    groups[remaining] = next_group
    return groups


def _farthest_row(points: np.ndarray, center: np.ndarray) -> int:
    return int(np.argmax(((points - center) ** 2).sum(axis=1)))


def _take_group(
    scaled: np.ndarray,
    remaining: np.ndarray,
    start_index: int,
    k: int,
    groups: np.ndarray,
    group_number: int,
) -> np.ndarray:
    distance = ((scaled[remaining] - scaled[remaining[start_index]]) ** 2).sum(axis=1)
    distance[start_index] = -1.0
    nearest = np.argpartition(distance, k - 1)[:k]
    groups[remaining[nearest]] = group_number
    return np.delete(remaining, nearest)
