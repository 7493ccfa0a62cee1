"""What no pseudonym may be: too long for every attacker's file, or somebody's identifier."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW, cell_faults

LONGEST = 64
_ID = Text("is the identifier of a customer, not a pseudonym", "は仮名ではなく顧客の ID です")
_LONG = Text(f"is longer than {LONGEST} characters", f"は {LONGEST} 文字を超えています")


def name_length_faults(rows: pl.DataFrame, columns: Sequence[str]) -> list[Fault]:
    """`name-length`: every cell of these columns that is too long, by line."""
    lines = rows.with_row_index(ROW)
    faults = [
        fault
        for name in columns
        for fault in cell_faults(
            lines.filter(pl.col(name).str.len_bytes() > LONGEST),
            name,
            rule="name-length",
            wrong=_LONG,
        )
    ]
    return sorted(faults, key=lambda fault: fault.line or 0)


def identifier_faults(rows: pl.DataFrame, customers: pl.Series) -> list[Fault]:
    """`pseudonym-is-customer`: no pseudonym is the identifier of any customer."""
    same = rows.filter(pl.col("customer").is_in(customers.implode()))
    return cell_faults(same, "customer", rule="pseudonym-is-customer", wrong=_ID)
