"""The worked example of the paper (seed 003): tables 2a (X), 2b (B), 3 (D), 8 (F) and 9 (G)."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table

QI = ["QI1", "QI2", "QI3"]
SA = ["SA1", "SA2"]

_CLASSES = [(2, 1, 1), (2, 1, 1), (1, 1, 2), (1, 1, 2)]
_VALUES = [(100, 100), (200, 400), (300, 200), (400, 500)]


def _table(qi: list[tuple[int, ...]], sa: list[tuple[int, int]]) -> Table:
    rows = [(*q, *s) for q, s in zip(qi, sa, strict=True)]
    return Table.of(pl.DataFrame(rows, schema=[*QI, *SA], orient="row"), qi=QI, sa=SA)


X = _table(_CLASSES, _VALUES)
B = _table(_CLASSES, [(110, 90), (220, 390), (280, 210), (390, 520)])
D = _table([(2, 1, 1), (2, 1, 1), (1, 1, 1), (1, 1, 1)], _VALUES)
F = _table(_CLASSES, [(150, 250), (150, 250), (350, 350), (350, 350)])
G = _table(_CLASSES, [(200, 100), (100, 400), (300, 500), (400, 200)])


def against_x(released: Table) -> Comparison:
    """X against one of its releases, row i from row i."""
    return Comparison(X, released, np.arange(X.rows))
