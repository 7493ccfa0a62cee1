"""The shape of a cell: letters and digits by their kind, so that no value is shown.

shape("山田 太郎")      # CC CC
shape("090-1234-5678")  # 999-9999-9999
"""

from __future__ import annotations

import re
from collections import Counter

from tokumei.tables.look.column_cells import ColumnCells

_KINDS = (
    (re.compile(r"[0-9]"), "9"),
    (re.compile(r"[A-Z]"), "A"),
    (re.compile(r"[a-z]"), "a"),
    (re.compile(r"[ぁ-ゖ]"), "あ"),
    (re.compile(r"[ァ-ヺー]"), "ア"),
    (re.compile(r"[^\W\d_9Aaあア]"), "C"),
)
_RUN = re.compile(r"([Aaあア])\1{4,}|(C)\2{4,}|(9)\3{12,}")
_LONGEST = 28
_SAMPLE = 2_000


def shape(cell: str) -> str:
    """A cell (after NFKC) as its shape; long runs are shortened."""
    for pattern, sign in _KINDS:
        cell = pattern.sub(sign, cell)
    cell = _RUN.sub(lambda run: run[0][:2] + "+", " ".join(cell.split()))
    return cell if len(cell) <= _LONGEST else cell[: _LONGEST - 1] + "…"


def top_shapes(cells: ColumnCells, most: int = 3) -> list[tuple[str, float]]:
    """The most frequent shapes with their shares of the filled cells."""
    text, weights = (series.head(_SAMPLE) for series in cells.sample)
    counts: Counter[str] = Counter()
    for cell, weight in zip(text, weights, strict=True):
        counts[shape(cell)] += weight
    total = max(int(weights.sum()), 1)
    return [(form, count / total) for form, count in counts.most_common(most)]
