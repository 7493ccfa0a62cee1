"""Quasi-identifiers and sensitive values as numbers, for models that see both sides.

    features = build_features(case, hierarchies)
    features.original, features.released        # rows × features, the same columns

A generalized cell is the mean of its leaves: of numbers, or of the indicators of categories.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tokumei.core.generalized_cells import canonicalize_column
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cell_spans import ColumnSpans, Hierarchies, build_column_spans

MOST_CATEGORIES = 40
"""The commonest categories of a column that have an indicator; the others share none."""


class Features(NamedTuple):
    """The features of both sides, in the same columns; numbers as deviations of the original."""

    original: np.ndarray
    released: np.ndarray


def build_features(
    case: Comparison, hierarchies: Hierarchies, *, names: Sequence[str] | None = None
) -> Features:
    """The features of the QI and of the sensitive columns, or of some QI; no constant ones."""
    spans = zip(case.qi, build_column_spans(case, hierarchies), strict=True)
    pairs = [
        pair
        for name, column in spans
        if names is None or name in names
        for pair in _column_features(column)
    ]
    if names is None:
        pairs += [*_number_features(case), *_text_features(case)]
    pairs = [pair for pair in pairs if np.ptp(np.concatenate(pair)) > 0]
    if not pairs:
        return Features(np.zeros((case.original.rows, 0)), np.zeros((case.released.rows, 0)))
    original, released = (np.column_stack(side) for side in zip(*pairs, strict=True))
    centre, spread = original.mean(axis=0), original.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    return Features((original - centre) / spread, (released - centre) / spread)


Pair = tuple[np.ndarray, np.ndarray]


def _column_features(column: ColumnSpans) -> Iterator[Pair]:
    """The number of a QI, or an indicator of each of its commonest leaves but one."""
    if column.places is not None and not np.isnan(column.places).any():
        yield column.places[column.original], _span_means(column, column.places)[column.released]
        return
    leaves = np.argsort(-np.bincount(column.original, minlength=column.leaves), kind="stable")
    for leaf in leaves[1:MOST_CATEGORIES]:
        is_leaf = (np.arange(column.leaves) == leaf).astype(np.float64)
        yield is_leaf[column.original], _span_means(column, is_leaf)[column.released]


def _span_means(column: ColumnSpans, values: np.ndarray) -> np.ndarray:
    """Of every span, the mean of its leaves (of all if it covers none)."""
    return np.array([(values[leaves] if len(leaves) else values).mean() for leaves in column.spans])


def _number_features(case: Comparison) -> Iterator[Pair]:
    """Sensitive numbers; a gap counts as the original's mean."""
    for x, y in zip(case.sa_original.T, case.sa_released.T, strict=True):
        mean = float(np.nanmean(x)) if (~np.isnan(x)).any() else 0.0
        yield np.where(np.isnan(x), mean, x), np.where(np.isnan(y), mean, y)


def _text_features(case: Comparison) -> Iterator[Pair]:
    """Indicators of the commonest sensitive texts but one."""
    for name in case.text_sa:
        before, after = (
            canonicalize_column(table.frame[name]).fill_null("")
            for table in (case.original, case.released)
        )
        counts = before.value_counts(sort=True, name="tokumei_count")
        for text in counts[name].to_list()[1:MOST_CATEGORIES]:
            yield tuple((side == text).to_numpy().astype(np.float64) for side in (before, after))
