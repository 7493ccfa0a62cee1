"""How the values of each released column are distributed, before and after.

Only columns that leave are shown, and of the rows before only values of columns that are not
masked; values are the most frequent ones, the rest is one sum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tokumei.apps.studio.store.records import PlainData

if TYPE_CHECKING:
    import polars as pl

MOST_VALUES = 6
MAX_COLUMNS = 40


def compare_distributions(
    before: pl.DataFrame, after: pl.DataFrame, masked: Sequence[str]
) -> list[PlainData]:
    """By released column its most frequent values with their rows, before and after."""
    names = [name for name in after.columns if name in before.columns and name not in masked]
    return [
        {
            "name": name,
            "before": count_values(before[name].to_list()),
            "after": count_values(after[name].to_list()),
        }
        for name in names[:MAX_COLUMNS]
    ]


def count_values(cells: Iterable[object]) -> list[list[object]]:
    """Value, rows and share of all rows; None stands for all other values together."""
    counts = Counter("–" if cell is None else str(cell) for cell in cells)
    total = counts.total()
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    rows: list[list[object]] = [[value, n, n / total] for value, n in ordered[:MOST_VALUES]]
    rest = total - sum(n for _, n in ordered[:MOST_VALUES])
    return [*rows, [None, rest, rest / total]] if rest else rows
