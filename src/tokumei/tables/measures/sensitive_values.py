"""Sensitive columns in measures: how frequencies of texts moved, how strongly columns go together.

Pearson's correlation of two numbers, Cramér's V of two texts, the correlation ratio of a text and a
number; each over the rows that have both.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import polars as pl

from tokumei.core.cells import Shape, canonical
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numbers import gaps_in, squarable
from tokumei.tables.data.table import Table


class Parts(NamedTuple):
    """The values of a text column: which row has which value, and how much of it.

    A cell that stands for several values has equal parts of them; suppressed cells and gaps none.
    """

    row: np.ndarray
    value: np.ndarray
    share: np.ndarray


def text_pairs(case: Comparison, name: str) -> tuple[pl.Series, pl.Series]:
    """A column of both sides as canonical text, missing where the other side is."""
    before, after = (canonical(one.frame[name]) for one in (case.original, case.released))
    if not case.linked:
        return before, after
    there = before.is_not_null().to_numpy()
    shown = after.is_not_null().to_numpy()
    kept = there.copy()
    kept[case.link] &= shown
    return _where(before, kept), _where(after, there[case.link])


def _where(cells: pl.Series, keep: np.ndarray) -> pl.Series:
    return pl.select(pl.when(pl.Series(keep)).then(cells)).to_series()


def parts_of(case: Comparison, name: str) -> tuple[Parts, Parts]:
    """The parts of both sides; equal values have equal numbers."""
    reader = ColumnReader.of(
        case.original.frame[name], case.released.frame[name], case.hierarchies.get(name)
    )
    places = {text: place for text, place in reader.places.items() if text is not None}
    before, after = text_pairs(case, name)
    for text in after.unique().drop_nulls().sort():
        if reader.read(text).shape in (Shape.PLAIN, Shape.UNREAD):
            places.setdefault(text, len(reader.places) + len(places))
    left = _plain(before, places, case.original_counts)
    return left, _spread(after, reader, places, case.released_counts)


def _plain(cells: pl.Series, places: dict[str, int], counts: np.ndarray | None) -> Parts:
    row = np.flatnonzero(cells.is_not_null().to_numpy())
    value = np.array([places[text] for text in cells.drop_nulls()], dtype=np.int64)
    return Parts(row, value, np.ones(len(row)) if counts is None else counts[row])


def _spread(
    cells: pl.Series, reader: ColumnReader, places: dict[str, int], counts: np.ndarray | None
) -> Parts:
    inside = {text: _values(text, reader, places) for text in cells.unique().drop_nulls()}
    row, value, share = (list[int](), list[int](), list[float]())
    for at, text in enumerate(cells):
        found = inside.get(text, [])
        weight = 1.0 if counts is None else float(counts[at])
        row += [at for _ in found]
        value += found
        share += [weight / len(found) for _ in found]
    return Parts(np.array(row, np.int64), np.array(value, np.int64), np.array(share, np.float64))


def _values(text: str, reader: ColumnReader, places: dict[str, int]) -> list[int]:
    if text in places:
        return [places[text]]
    cell = reader.read(text)
    if cell.shape is Shape.SUPPRESSED:
        return []
    known = np.flatnonzero(reader.covered(cell))
    gap = reader.places.get(None)
    return [int(place) for place in known if place != gap]


def half_distances(
    left: Parts, right: Parts, cells: tuple[np.ndarray, np.ndarray], number: int
) -> np.ndarray:
    """Per cell of a cross table half the L1 distance of the frequencies; of nothing they are 0.

    Shares are summed up before they are divided: the same values in another order are 0 apart.
    """
    keys = [
        np.column_stack([cell[side.row], side.value])
        for side, cell in zip((left, right), cells, strict=True)
    ]
    found, place = np.unique(np.concatenate(keys), axis=0, return_inverse=True)
    places = np.split(place.ravel(), [len(left.row)])
    frequencies = []
    for side, at in zip((left, right), places, strict=True):
        sums = np.bincount(at, side.share, minlength=len(found))
        total = np.bincount(found[:, 0], sums, minlength=number)[found[:, 0]]
        frequencies.append(sums / np.where(total == 0, 1.0, total))
    apart = np.abs(frequencies[0] - frequencies[1])
    return np.asarray(np.bincount(found[:, 0], apart, minlength=number) / 2)


def cramers_v(one: np.ndarray, other: np.ndarray, counts: np.ndarray | None) -> float:
    """√(χ² / (n · (the lesser number of values − 1))); 0 where a column is constant."""
    _, one = np.unique(one, return_inverse=True)
    _, other = np.unique(other, return_inverse=True)
    width = int(other.max(initial=-1)) + 1
    least = min(int(one.max(initial=-1)), width - 1)
    if least < 1:
        return 0.0
    weights = np.ones(len(one)) if counts is None else counts.astype(np.float64)
    rows, columns = np.bincount(one, weights), np.bincount(other, weights)
    keys, place = np.unique(one * width + other, return_inverse=True)
    seen, n = np.bincount(place, weights), float(weights.sum())
    # Σ (O − E)² / E = Σ O² / E − n, so that only pairs that occur need to be looked at.
    chi = float((seen**2 / (rows[keys // width] * columns[keys % width])).sum()) * n - n
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


FLAT = 1e-12
"""Rounding leaves a constant column a spread of some 1e-16 of its size; that is not a signal."""


def associations(
    table: Table, names: list[str], numbers: list[str], counts: np.ndarray | None = None
) -> np.ndarray:
    """One figure for every pair of columns i < j, in order; row i counts `counts[i]` times."""
    values, gaps = squarable(table.numbers(numbers)), gaps_in(table.frame, names)
    whole = correlations(values, counts)
    place = {name: j for j, name in enumerate(numbers)}
    texts = {n: canonical(table.frame[n]).fill_null("").to_numpy() for n in names if n not in place}
    found = []
    for i, j in combinations(range(len(names)), 2):
        one, other = names[i], names[j]
        rows = np.flatnonzero(~(gaps[:, i] | gaps[:, j]))
        some = None if counts is None else counts[rows]
        if one in place and other in place:
            both = [place[one], place[other]]
            if len(rows) == len(gaps):
                found.append(float(whole[both[0], both[1]]))
            else:
                found.append(float(correlations(values[rows][:, both], some)[0, 1]))
        elif one in texts and other in texts:
            found.append(cramers_v(texts[one][rows], texts[other][rows], some))
        else:
            text, number = (one, other) if one in texts else (other, one)
            column = values[rows, place[number]]
            column = np.where(np.isnan(column), known_means(column[:, None], some), column)
            size = float(np.abs(column).max(initial=0.0))
            found.append(correlation_ratio(texts[text][rows], column, some, FLAT * size))
    return np.array(found)


def known_means(values: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """Mean of each column without its NaN, 0 if nothing is left; row i counts `counts[i]` times."""
    known = ~np.isnan(values)
    if counts is None:
        return np.asarray(values.sum(axis=0, where=known) / np.maximum(known.sum(axis=0), 1))
    weights = counts[:, None] * known
    return np.asarray(
        np.where(known, values * weights, 0.0).sum(axis=0) / np.maximum(weights.sum(axis=0), 1)
    )


def correlations(values: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """Pearson correlations of the columns, 0 where one is constant; NaN counts as the mean.

    Row i counts `counts[i]` times.
    """
    centred = values - known_means(values, counts)
    centred = np.where(np.isnan(centred), 0.0, centred)
    rows = len(values) if counts is None else int(counts.sum())
    if counts is not None:
        centred *= np.sqrt(counts)[:, None]
    size = np.abs(np.where(np.isnan(values), 0.0, values)).max(axis=0, initial=0.0)
    floor = FLAT * np.sqrt(rows) * size
    norms = np.sqrt((centred**2).sum(axis=0))
    flat = norms <= floor
    unit = np.where(flat, 0.0, centred / np.where(flat, 1.0, norms))
    return np.asarray(unit.T @ unit)
