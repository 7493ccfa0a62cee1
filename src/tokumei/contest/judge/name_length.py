"""`name-length`: pseudonyms and invoices short enough for every attacker's file."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW, cell_faults

LONGEST = 64
_WRONG = Text(f"is longer than {LONGEST} characters", f"は {LONGEST} 文字を超えています")


def name_length_faults(rows: pl.DataFrame, columns: Sequence[str]) -> list[Fault]:
    """Every cell of these columns that is too long, by line."""
    lines = rows.with_row_index(ROW)
    faults = [
        fault
        for name in columns
        for fault in cell_faults(
            lines.filter(pl.col(name).str.len_bytes() > LONGEST),
            name,
            rule="name-length",
            wrong=_WRONG,
        )
    ]
    return sorted(faults, key=lambda fault: fault.line or 0)
