"""Sensitive columns in measures: frequencies of texts, and association of columns.

Pearson's correlation of two numbers, Cramér's V of two texts, the correlation ratio of a text and a
number; each over the rows that have both.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import CellShape, canonicalize_column
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numeric_columns import missing_mask, scale_for_squares
from tokumei.tables.data.table import Table


class ValueShares(NamedTuple):
    """The values of a text column: which row has which value, and how much of it.

    A cell that stands for several values has equal parts of them; suppressed cells and gaps none.
    """

    row: np.ndarray
    value: np.ndarray
    share: np.ndarray


def paired_texts(case: Comparison, name: str) -> tuple[pl.Series, pl.Series]:
    """A column of both sides as canonical text, missing where the other side is."""
    before, after = (
        canonicalize_column(table.frame[name]) for table in (case.original, case.released)
    )
    if not case.linked:
        return before, after
    is_known = before.is_not_null().to_numpy()
    is_shown = after.is_not_null().to_numpy()
    kept = is_known.copy()
    kept[case.link] &= is_shown
    return _cells_or_null(before, kept), _cells_or_null(after, is_known[case.link])


def _cells_or_null(cells: pl.Series, keep: np.ndarray) -> pl.Series:
    return pl.select(pl.when(pl.Series(keep)).then(cells)).to_series()


def value_shares(case: Comparison, name: str) -> tuple[ValueShares, ValueShares]:
    """The parts of both sides; equal values have equal numbers."""
    reader = ColumnReader.of(
        case.original.frame[name], case.released.frame[name], case.hierarchies.get(name)
    )
    places = {text: place for text, place in reader.places.items() if text is not None}
    before, after = paired_texts(case, name)
    for text in after.unique().drop_nulls().sort():
        if reader.read(text).shape in (CellShape.PLAIN, CellShape.UNREAD):
            places.setdefault(text, len(reader.places) + len(places))
    left = _plain_shares(before, places, case.original_counts)
    return left, _spread_shares(after, reader, places, case.released_counts)


def _plain_shares(
    cells: pl.Series, places: dict[str, int], counts: np.ndarray | None
) -> ValueShares:
    row = np.flatnonzero(cells.is_not_null().to_numpy())
    value = np.array([places[text] for text in cells.drop_nulls()], dtype=np.int64)
    return ValueShares(row, value, np.ones(len(row)) if counts is None else counts[row])


def _spread_shares(
    cells: pl.Series, reader: ColumnReader, places: dict[str, int], counts: np.ndarray | None
) -> ValueShares:
    inside = {text: _covered_values(text, reader, places) for text in cells.unique().drop_nulls()}
    row, value, share = (list[int](), list[int](), list[float]())
    for position, text in enumerate(cells):
        values = inside.get(text, [])
        weight = 1.0 if counts is None else float(counts[position])
        row += [position for _ in values]
        value += values
        share += [weight / len(values) for _ in values]
    return ValueShares(
        np.array(row, np.int64), np.array(value, np.int64), np.array(share, np.float64)
    )


def _covered_values(text: str, reader: ColumnReader, places: dict[str, int]) -> list[int]:
    if text in places:
        return [places[text]]
    cell = reader.read(text)
    if cell.shape is CellShape.SUPPRESSED:
        return []
    covered = np.flatnonzero(reader.covered(cell))
    gap = reader.places.get(None)
    return [int(place) for place in covered if place != gap]


def total_variation_distances(
    left: ValueShares, right: ValueShares, cells: tuple[np.ndarray, np.ndarray], number: int
) -> np.ndarray:
    """Per cell of a cross table half the L1 distance of the frequencies; of nothing they are 0.

    Shares are summed up before they are divided: the same values in another order are 0 apart.
    """
    keys = [
        np.column_stack([cell[side.row], side.value])
        for side, cell in zip((left, right), cells, strict=True)
    ]
    distinct, key_index = np.unique(np.concatenate(keys), axis=0, return_inverse=True)
    side_indices = np.split(key_index.ravel(), [len(left.row)])
    frequencies = []
    for side, indices in zip((left, right), side_indices, strict=True):
        sums = np.bincount(indices, side.share, minlength=len(distinct))
        total = np.bincount(distinct[:, 0], sums, minlength=number)[distinct[:, 0]]
        frequencies.append(sums / np.where(total == 0, 1.0, total))
    differences = np.abs(frequencies[0] - frequencies[1])
    return np.asarray(np.bincount(distinct[:, 0], differences, minlength=number) / 2)


def cramers_v(first: np.ndarray, second: np.ndarray, counts: np.ndarray | None) -> float:
    """√(χ² / (n · (the lesser number of values − 1))); 0 where a column is constant."""
    _, first = np.unique(first, return_inverse=True)
    _, second = np.unique(second, return_inverse=True)
    width = int(second.max(initial=-1)) + 1
    least = min(int(first.max(initial=-1)), width - 1)
    if least < 1:
        return 0.0
    weights = np.ones(len(first)) if counts is None else counts.astype(np.float64)
    rows, columns = np.bincount(first, weights), np.bincount(second, weights)
    keys, pair_index = np.unique(first * width + second, return_inverse=True)
    observed, n = np.bincount(pair_index, weights), float(weights.sum())
    # Σ (O − E)² / E = Σ O² / E − n, so that only pairs that occur need to be looked at.
    chi = float((observed**2 / (rows[keys // width] * columns[keys % width])).sum()) * n - n
    return float(np.sqrt(max(chi, 0.0) / (n * least)))


def correlation_ratio(
    texts: np.ndarray, values: np.ndarray, counts: np.ndarray | None, floor: float
) -> float:
    """√(spread of the means of the texts / spread of all); 0 where that is at most `floor`."""
    weights = np.ones(len(values)) if counts is None else counts.astype(np.float64)
    n = float(weights.sum())
    if not n:
        return 0.0
    _, codes = np.unique(texts, return_inverse=True)
    mean = float((weights * values).sum() / n)
    size, sums = np.bincount(codes, weights), np.bincount(codes, weights * (values - mean))
    total = float((weights * (values - mean) ** 2).sum())
    if total <= floor**2 * n:
        return 0.0
    return float(np.sqrt(min((sums**2 / size).sum() / total, 1.0)))


CONSTANT_TOLERANCE = 1e-12
"""Rounding leaves a constant column a spread of some 1e-16 of its size; that is not a signal."""


def condensed_associations(
    table: Table, names: list[str], numbers: list[str], counts: np.ndarray | None = None
) -> np.ndarray:
    """One figure for every pair of columns i < j, in order; row i counts `counts[i]` times."""
    values, gaps = scale_for_squares(table.numbers(numbers)), missing_mask(table.frame, names)
    all_correlations = correlations(values, counts)
    place = {name: j for j, name in enumerate(numbers)}
    texts = {
        n: canonicalize_column(table.frame[n]).fill_null("").to_numpy()
        for n in names
        if n not in place
    }
    figures = []
    for i, j in combinations(range(len(names)), 2):
        first, second = names[i], names[j]
        rows = np.flatnonzero(~(gaps[:, i] | gaps[:, j]))
        row_weights = None if counts is None else counts[rows]
        if first in place and second in place:
            number_pair = [place[first], place[second]]
            if len(rows) == len(gaps):
                figures.append(float(all_correlations[number_pair[0], number_pair[1]]))
            else:
                figures.append(float(correlations(values[rows][:, number_pair], row_weights)[0, 1]))
        elif first in texts and second in texts:
            figures.append(cramers_v(texts[first][rows], texts[second][rows], row_weights))
        else:
            text, number = (first, second) if first in texts else (second, first)
            column = values[rows, place[number]]
            column = np.where(
                np.isnan(column), means_ignoring_nan(column[:, None], row_weights), column
            )
            size = float(np.abs(column).max(initial=0.0))
            figures.append(
                correlation_ratio(texts[text][rows], column, row_weights, CONSTANT_TOLERANCE * size)
            )
    return np.array(figures)


def means_ignoring_nan(values: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """Mean of each column without its NaN, 0 if nothing is left; row i counts `counts[i]` times."""
    is_known = ~np.isnan(values)
    if counts is None:
        return np.asarray(values.sum(axis=0, where=is_known) / np.maximum(is_known.sum(axis=0), 1))
    weights = counts[:, None] * is_known
    return np.asarray(
        np.where(is_known, values * weights, 0.0).sum(axis=0) / np.maximum(weights.sum(axis=0), 1)
    )


def correlations(values: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """Pearson correlations of the columns, 0 where one is constant; NaN counts as the mean.

    Row i counts `counts[i]` times.
    """
    centred = values - means_ignoring_nan(values, counts)
    centred = np.where(np.isnan(centred), 0.0, centred)
    rows = len(values) if counts is None else int(counts.sum())
    if counts is not None:
        centred *= np.sqrt(counts)[:, None]
    size = np.abs(np.where(np.isnan(values), 0.0, values)).max(axis=0, initial=0.0)
    floor = CONSTANT_TOLERANCE * np.sqrt(rows) * size
    norms = np.sqrt((centred**2).sum(axis=0))
    flat = norms <= floor
    unit = np.where(flat, 0.0, centred / np.where(flat, 1.0, norms))
    return np.asarray(unit.T @ unit)
