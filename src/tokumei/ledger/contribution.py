"""What a release reveals of each person; a kind builds it, the ledger stores codes of it.

A kind names here in plain cells whom a release is of, and in which class everybody is: people whom
nobody can tell apart by what the release shows of them. The ledger turns names and values into
codes; nothing of this is written as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl

UNKNOWN = -1
"""The class, row or fit of a person where it is not known."""


@dataclass(frozen=True, eq=False)
class CandidateClasses:
    """Which classes may hold a person, by what is known of everybody beforehand.

    `of[p]` is the number of person p's pattern (UNKNOWN: several rows, or nothing known);
    pattern f fits classes `classes[start[f]:start[f + 1]]`.
    """

    of: np.ndarray
    start: np.ndarray
    classes: np.ndarray

    @classmethod
    def none(cls, people: int) -> CandidateClasses:
        """Of people of whom nothing is known."""
        return cls(np.full(people, UNKNOWN), np.zeros(1, dtype=np.int64), np.zeros(0, np.int64))


@dataclass(frozen=True, eq=False)
class Contribution:
    """People by their ids, each once, with class and row; and the cells beside the classes.

    `classes[p]`: people with the same number look alike (UNKNOWN where no link is given);
    `rows[p]`: the person's (first) row in the public file. `cells`: columns that leave beside
    the quasi-identifiers, a cell per person, of which `sensitive` are the ones to protect.
    `own`: true sensitive values. `counts`: for each sensitive column (class, value, rows).
    """

    kind: str
    ids: pl.Series = field(repr=False)
    classes: np.ndarray = field(repr=False)
    rows: np.ndarray = field(repr=False)
    released_rows: int
    known: int
    """How many people there are in the source, released or not."""
    columns: Mapping[str, str] = field(default_factory=dict)
    cells: Mapping[str, pl.Series] = field(default_factory=dict, repr=False)
    sensitive: tuple[str, ...] = ()
    own: Mapping[str, pl.Series] = field(default_factory=dict, repr=False)
    counts: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    fits: CandidateClasses | None = field(default=None, repr=False)
    covered: np.ndarray | None = field(default=None, repr=False)
    """How many people of the source fit each person's class: the N of presence."""
    profile: pl.DataFrame | None = field(default=None, repr=False)
    """What somebody of a class does again and again: (column, class, value, rows), for linking."""
    repeated: int = 0
    """People with several rows."""
    labels: str = ""
    """What tells the hierarchies of one release from those of another."""

    @property
    def linked(self) -> bool:
        """Whether it is known which row is whose."""
        return bool(len(self.classes)) and bool((self.classes != UNKNOWN).all())
