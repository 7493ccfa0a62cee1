"""Whether a column's cells can be what its name announces, and how sure that makes us."""

from __future__ import annotations

from tokumei.tables.look import fits_people, fits_values
from tokumei.tables.look.cell_signs import Fit
from tokumei.tables.look.column_cells import ColumnCells

_RULES = {**fits_people.RULES, **fits_values.RULES}


def fit(announced: str, cells: ColumnCells) -> Fit:
    """What the cells make of a type that the column's name announces; None: something else."""
    rule = _RULES.get(announced)
    return rule(cells) if rule else None
