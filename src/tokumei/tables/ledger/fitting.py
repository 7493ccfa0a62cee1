"""Which classes of a release fit whom, by quasi-identifiers: several may, where they overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.cells import canonical, class_codes
from tokumei.ledger.contribution import UNKNOWN, Fits
from tokumei.tables.attackers.candidates import consistent_vector
from tokumei.tables.data.cell_reader import ColumnReader, Hierarchies

MOST = 40_000_000_000
"""Classes × different people: more are not compared, and unlinked figures stay unknown."""


@dataclass(frozen=True, eq=False)
class Fitting:
    """The pattern of every source row, the classes of each pattern, the people of each class."""

    pattern: np.ndarray
    start: np.ndarray
    classes: np.ndarray
    covered: np.ndarray
    known: bool = True

    def of_rows(self, rows: np.ndarray, *, several: np.ndarray) -> Fits | None:
        """For people whose (first) rows these are; who has several rows fits nothing known."""
        if not self.known:
            return None
        of = np.where(several, UNKNOWN, self.pattern[rows])
        return Fits(of, self.start, self.classes)


def fitting(
    source: pl.DataFrame,
    public: pl.DataFrame,
    classes: np.ndarray,
    qi: Sequence[str],
    hierarchies: Hierarchies,
) -> Fitting:
    """Every different person of the source compared with every class of the release."""
    columns = list(qi)
    text = source.select(canonical(source[name]) for name in columns)
    pattern = class_codes(text, columns)
    _, first = np.unique(pattern, return_index=True)
    _, shown = np.unique(classes, return_index=True)
    if len(first) * len(shown) > MOST:
        empty = np.zeros(0, dtype=np.int64)
        return Fitting(pattern, np.zeros(1, np.int64), empty, empty, known=False)
    readers = {
        name: ColumnReader.of(source[name], public[name], hierarchies.get(name)) for name in columns
    }
    found = consistent_vector(
        public[shown], source[first], columns, hierarchies, strict=False, readers=readers
    )
    group = found.group
    sizes = np.where(group >= 0, np.diff(found.start)[np.maximum(group, 0)], 0)
    of_class = np.repeat(np.arange(len(shown)), sizes)
    begin = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(begin[-1]) - np.repeat(begin[:-1], sizes)
    people = found.rows[np.repeat(found.start[np.maximum(group, 0)], sizes) + within]
    many = np.bincount(pattern, minlength=len(first))
    covered = np.bincount(of_class, weights=many[people], minlength=len(shown))
    order = np.argsort(people, kind="stable")
    counted = np.bincount(people, minlength=len(first))
    start = np.concatenate([[0], np.cumsum(counted)]).astype(np.int64)
    return Fitting(pattern, start, of_class[order], covered)
