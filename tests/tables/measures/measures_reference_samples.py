"""What the tests split from test_measures_reference share."""

from __future__ import annotations

from collections import Counter
from typing import Any

from support.small_tables import Small, middle, small_tables

GENERAL = small_tables(rows=7, general_qi=True, general_sa=True, nulls=True)


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def known(values: list[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def texts(case: Small, row: list[Any]) -> tuple[str | None, ...]:
    return tuple(None if cell is None else str(cell) for cell in case.qi_of(row))


def u2(case: Small) -> float:
    def cell_mean(rows: list[list[Any]], cell: tuple[Any, ...], j: int) -> float:
        return mean(known([middle(case.sa_of(r)[j]) for r in rows if texts(case, r) == cell]))

    cells = {texts(case, row) for row in [*case.original, *case.released]}
    return mean(
        [
            abs(cell_mean(case.original, cell, j) - cell_mean(case.released, cell, j))
            for cell in cells
            for j in range(len(case.sa))
        ]
    )


def u3(case: Small) -> float:
    left = Counter(texts(case, row) for row in case.original)
    right = Counter(texts(case, row) for row in case.released)
    return mean([abs(left[cell] - right[cell]) for cell in {*left, *right}])
