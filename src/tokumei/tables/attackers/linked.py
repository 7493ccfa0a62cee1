"""Rows that a pseudonym links are of one person: who fits one of them must fit all."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.cells import class_codes
from tokumei.tables.data.guess import ABSTAIN, Guess

MOST = 20_000_000
"""Pairs of a released row and a candidate that are looked at; above, rows stay apart."""


def are_pseudonyms(known: pl.Series, released: pl.Series) -> bool:
    """Whether a column has other words on either side, and no more of them in the release."""
    if known.dtype.is_numeric() and released.dtype.is_numeric():
        return False
    shown = released.cast(pl.String).drop_nulls().unique()
    there = known.cast(pl.String).drop_nulls().unique()
    if not len(shown) or len(shown) > len(there) or shown.str.contains(r"[\[{*;∅]").any():
        return False
    return not shown.is_in(there.implode()).any()


def narrowed(found: Guess, known: pl.Series, released: pl.Series) -> Guess:
    """The guess without people who do not fit every row of a pseudonym."""
    sizes = np.diff(found.start)
    answered = np.flatnonzero(found.answered)
    pairs = sizes[found.group[answered]]
    if found.weights is not None or int(pairs.sum()) > MOST or not len(answered):
        return found
    row = np.repeat(answered, pairs)
    first = np.repeat(found.start[found.group[answered]], pairs)
    within = np.arange(len(row)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    candidate = found.rows[first + within]
    kept = _fits_all(row, candidate, _codes(released), _codes(known))
    row, candidate = row[kept], candidate[kept]
    counts = np.bincount(row, minlength=len(found.group))
    start = np.concatenate([[0], np.cumsum(counts)])
    group = np.where(counts > 0, np.arange(len(counts)), ABSTAIN)
    return _or_before(Guess(group, start, candidate), found)


def _codes(cells: pl.Series) -> np.ndarray:
    return class_codes(cells.alias("one").to_frame(), ["one"])


def _fits_all(
    row: np.ndarray, candidate: np.ndarray, word: np.ndarray, person: np.ndarray
) -> np.ndarray:
    """Which pairs name a person who is a candidate of as many rows of the word as answered."""
    pairs = pl.DataFrame({"word": word[row], "person": person[candidate], "row": row})
    counted = pairs.with_columns(
        fits=pl.col("row").n_unique().over("word", "person"),
        needed=pl.col("row").n_unique().over("word"),
    )
    return (counted["fits"] == counted["needed"]).to_numpy()


def _or_before(narrow: Guess, before: Guess) -> Guess:
    """Where nobody fits all rows, what was guessed before."""
    lost = before.answered & ~narrow.answered
    return narrow.replaced(lost, before) if lost.any() else narrow
