"""Groups of rows with similar sensitive values: in the whole table, or inside classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.tables.data.numbers import SQUARABLE, are_numbers
from tokumei.tables.data.table import Table

MARKED = 16
"""So many of the values of a text are told apart when similar rows are sought."""


def groups_in_classes(values: np.ndarray, classes: np.ndarray, k: int) -> np.ndarray:
    """Groups of k to 2k − 1 similar rows inside every class; a number per row.

    A class of fewer than 2k rows is one group. Similar means so in the whole table: columns are
    scaled to mean 0 and sd 1 there, constant ones to 0.
    """
    values = tamed(values)
    sd = values.std(axis=0)
    scaled = (values - values.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    groups = np.empty(len(values), dtype=np.int64)
    order = np.argsort(classes, kind="stable")
    ends = np.flatnonzero(np.diff(classes[order])) + 1
    number = 0
    with meter(Text("grouping", "グループ化中"), total=len(values)) as advance:
        for rows in np.split(order, ends):
            found = groups_of_scaled(scaled[rows], k)
            groups[rows] = number + found
            number += int(found.max(initial=-1)) + 1
            advance(len(rows))
    return groups


def mdav_groups(values: np.ndarray, k: int) -> np.ndarray:
    """Groups of k to 2k − 1 similar rows by MDAV; a number per row, on columns scaled to sd 1.

    Domingo-Ferrer and Torra (2005): take the row farthest from the mean and the k − 1 rows nearest
    to it, then the same from the row farthest from that one; repeat on what is left.
    """
    return groups_in_classes(values, np.zeros(len(values), dtype=np.int64), k)


def tamed(values: np.ndarray) -> np.ndarray:
    """The columns; those of numbers too large to be squared divided by their largest."""
    largest = np.abs(values).max(axis=0, initial=0.0)
    return np.asarray(values / np.where(largest > SQUARABLE, largest, 1.0))


def points_of(table: Table, names: Sequence[str]) -> np.ndarray:
    """Sensitive columns as numbers: gaps as the mean with a mark beside, texts as marks.

    A text has a mark for each of its most frequent values.
    """
    numbers = [name for name in names if are_numbers(table.frame[name])]
    values = table.numbers(numbers)
    gaps = np.isnan(values)
    if gaps.any():
        means = np.ma.array(values, mask=gaps).mean(axis=0).filled(0.0)
        values = np.column_stack([np.where(gaps, means, values), gaps[:, gaps.any(axis=0)]])
    texts = [_marks(table.frame[name]) for name in names if name not in numbers]
    return np.column_stack([values, *texts]) if texts else values


def _marks(series: pl.Series) -> np.ndarray:
    texts = series.cast(pl.String).alias("text")
    counted = texts.value_counts(name="rows").sort("rows", "text", descending=[True, False])
    marks = [texts.eq_missing(text).to_numpy() for text in counted["text"].head(MARKED)]
    return np.column_stack(marks).astype(np.float64)


def groups_of_scaled(scaled: np.ndarray, k: int) -> np.ndarray:
    """MDAV on columns that are scaled already."""
    groups = np.zeros(len(scaled), dtype=np.int64)
    left = np.arange(len(scaled))
    number = 0
    while len(left) >= 3 * k:
        first = _farthest(scaled[left], scaled[left].mean(axis=0))
        far = scaled[left[first]]
        left = _take(scaled, left, first, k, groups, number)
        left = _take(scaled, left, _farthest(scaled[left], far), k, groups, number + 1)
        number += 2
    if len(left) >= 2 * k:
        first = _farthest(scaled[left], scaled[left].mean(axis=0))
        left = _take(scaled, left, first, k, groups, number)
        number += 1
    groups[left] = number
    return groups


def _farthest(points: np.ndarray, center: np.ndarray) -> int:
    return int(np.argmax(((points - center) ** 2).sum(axis=1)))


def _take(
    scaled: np.ndarray, left: np.ndarray, at: int, k: int, groups: np.ndarray, number: int
) -> np.ndarray:
    distance = ((scaled[left] - scaled[left[at]]) ** 2).sum(axis=1)
    distance[at] = -1.0
    near = np.argpartition(distance, k - 1)[:k]
    groups[left[near]] = number
    return np.delete(left, near)
