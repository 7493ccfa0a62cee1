"""Pairs source rows with released rows for their owner; private cells appear as shapes.

found = rows_before_after(table, release, masked=["name"])
found.before[0], found.after[0]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.tables.data.table import Release, Table
from tokumei.tables.profiling.value_shapes import cell_shape

SHOWN_ROWS = 6
MaskedCell = tuple[str | None, bool]
"""A text (None: a gap), and whether it is a shape."""


@dataclass(frozen=True)
class BeforeAfter:
    """The same rows before and after; a column that was dropped is None after."""

    columns: tuple[str, ...]
    before: tuple[tuple[MaskedCell, ...], ...]
    after: tuple[tuple[MaskedCell | None, ...], ...]
    left_out: int
    """Rows of the source that are in no release."""

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "columns": list(self.columns),
            "before": [[list(cell) for cell in row] for row in self.before],
            "after": [[None if cell is None else list(cell) for cell in row] for row in self.after],
            "left_out": self.left_out,
        }


def rows_before_after(
    original: Table, release: Release, *, masked: Sequence[str] = (), rows: int = SHOWN_ROWS
) -> BeforeAfter:
    """The first rows of the original that are released, and their released rows."""
    link = np.asarray(release.link)
    positions = np.argsort(link, kind="stable")[:rows]
    names = tuple(original.schema.names)
    public, private = release.written.frame, {*masked, *original.schema.ids}
    before = original.frame[link[positions]].rows()
    after = public[positions].to_dicts()
    return BeforeAfter(
        names,
        tuple(
            tuple(_mask_cell(c, n in private) for n, c in zip(names, row, strict=True))
            for row in before
        ),
        tuple(
            tuple(_mask_cell(row[n], n in private) if n in row else None for n in names)
            for row in after
        ),
        original.rows - len(np.unique(link)),
    )


def _mask_cell(value: object, private: bool) -> MaskedCell:
    if value is None:
        return None, False
    return (cell_shape(str(value)), True) if private else (str(value), False)
