"""The sensitive cells of both tables as numbers that are equal where the cells are."""

from __future__ import annotations

import numpy as np

from tokumei.tables.data.codes import joint_codes
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numbers import gaps_in

GAP = float(np.finfo(np.float64).min)
"""What a missing number is here: a value of its own."""


def sensitive_cells(case: Comparison) -> tuple[np.ndarray, np.ndarray]:
    """Numbers first, then texts as codes; a gap is GAP, a suppressed number NaN."""
    tables, names = (case.original, case.released), [*case.number_sa, *case.text_sa]
    codes = [joint_codes(tables[0].frame, tables[1].frame, [name]) for name in case.text_sa]
    numbers = (case.sa_original, case.sa_released)
    before, after = (
        np.where(
            gaps_in(table.frame, names),
            GAP,
            np.column_stack([numbers[side], *(one[side] for one in codes)]),
        )
        for side, table in enumerate(tables)
    )
    return before, after
