"""How strongly sensitive columns go together: numbers, texts, and a text with a number.

Pearson's correlation of two numbers, Cramér's V of two texts, the correlation ratio of a text and a
number; each over the rows that have both.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tokumei.core.cells import canonical
from tokumei.tables.data.numbers import gaps_in
from tokumei.tables.data.table import Table
from tokumei.tables.measures.text_values import correlation_ratio, cramers_v

FLAT = 1e-12
"""Rounding leaves a constant column a spread of some 1e-16 of its size; that is not a signal."""


def associations(
    table: Table, names: list[str], numbers: list[str], counts: np.ndarray | None = None
) -> np.ndarray:
    """One figure for every pair of columns i < j, in order; row i counts `counts[i]` times."""
    values, gaps = table.numbers(numbers), gaps_in(table.frame, names)
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
            column = filled_column(values[rows, place[number]], some)
            size = float(np.abs(column).max(initial=0.0))
            found.append(correlation_ratio(texts[text][rows], column, some, FLAT * size))
    return np.array(found)


def filled_column(values: np.ndarray, counts: np.ndarray | None) -> np.ndarray:
    """A column with its mean in place of suppressed cells."""
    return np.where(np.isnan(values), known_means(values[:, None], counts), values)


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
