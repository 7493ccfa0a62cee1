"""A: k-anonymity by strict, hierarchy-free Mondrian."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.anonymizers.mondrian_kernel import partition
from tokumei.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.anonymizers.render import class_cells
from tokumei.data.cells import bounds
from tokumei.data.randomness import Randomness
from tokumei.data.release import Claim
from tokumei.engine.local import LocalEngine
from tokumei.engine.protocol import Engine, Frequencies
from tokumei.errors import UsageError
from tokumei.text import Text


@dataclass(frozen=True)
class Mondrian(TableMethod):
    """Every QI vector occurs at least k times: numbers become `[a;b]`, categories `{x;y}`.

    Protects against linking by the QI alone. Sensitive values are untouched: whoever knows them
    still finds the row, and a class whose members share a value gives it away.
    """

    name: ClassVar[str] = "mondrian"
    title: ClassVar[Text] = Text("k-anonymize", "k-匿名化")

    k: int = 5

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Generalize the QI."""
        table, qi = step.table, step.table.schema.qi
        require_k(self.k, table.rows)
        require_columns(self.name, qi, Text("quasi-identifier (QI)", "準識別子"))
        frame = k_anonymous(table.frame, qi, self.k, LocalEngine())
        claim = Claim("k-anonymity", {"k": self.k, "columns": list(qi)})
        return Step(table.with_frame(frame), step.link, (*step.claims, claim))


def k_anonymous(frame: pl.DataFrame, qi: list[str], k: int, engine: Engine) -> pl.DataFrame:
    """The frame with its QI generalized, on any engine."""
    found = engine.frequencies(frame, qi)
    positions = [column_positions(found, j) for j in range(len(qi))]
    classes = partition(found.codes, found.counts, positions, k)
    cells = {name: class_cells(found, j, classes) for j, name in enumerate(qi)}
    changed: pl.DataFrame = engine.recode(frame, found, cells)
    return changed


def column_positions(found: Frequencies, j: int) -> np.ndarray:
    """Where each code lies between 0 and 1: by value for numbers, by rank for categories.

    A missing value lies a whole width below the lowest, so that it is cut off first.
    """
    values = found.values[j]
    at = np.arange(len(values), dtype=np.float64)
    if values.dtype.is_numeric() or values.dtype.is_temporal():
        at = bounds(values)[0]
    known = at[values.is_not_null().to_numpy()]
    width = float(known.max(initial=-np.inf) - known.min(initial=np.inf)) if len(known) else 0.0
    scaled = (at - known.min(initial=np.inf)) / width if width > 0 else np.zeros(len(values))
    if values.null_count():
        scaled[0] = -1.0
    return scaled


def require_k(k: int, rows: int) -> None:
    """Fail unless 2 ≤ k ≤ rows."""
    if k < 2:
        raise UsageError(
            Text(f"k must be at least 2, not {k}", f"k は 2 以上でなければなりません ({k})")
        )
    if k > rows:
        raise UsageError(
            Text(
                f"k = {k} is more than the {rows} rows there are",
                f"k = {k} が行数 {rows} を超えています",
            )
        )
