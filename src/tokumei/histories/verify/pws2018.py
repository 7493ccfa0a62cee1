"""The rules of the 2018 contest for a row-aligned release (A) of a history (T).

    faults = check_release(read_history("T.csv", format="pws2018"), read_contest("A.csv", COLUMNS))

    rows             as many lines as T                 fields           five on every line
    deleted-row      `*` in all five fields             pseudonym-form   digits only
    one-pseudonym    per customer                       one-customer     per pseudonym
    day-form         plain, `*` or `[a;b]`;             interval-order   a ≤ b
                     also price-form, quantity-form     true-value       inside the cell
    item-form        plain, `*` or `{x;y}`              set-empty        no member is empty
    set-repeated     no member twice                    set-size         at most 100 members
    unknown-item     every item occurs in T

Every violation is listed, by line. A line with another number of fields, or half deleted, is not
looked at further; with another number of rows nothing is compared with T row by row.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Fault
from tokumei.files.contest_faults import ROW
from tokumei.files.contest_text import ContestText
from tokumei.histories.data.history import COLUMNS, NUMBERS, History
from tokumei.histories.verify.cells import PRICE_DECIMALS, item_faults, number_faults
from tokumei.histories.verify.line_rules import (
    deleted_faults,
    row_count_faults,
    standing,
)
from tokumei.histories.verify.pseudonym_rules import pseudonym_form_faults, pseudonym_pair_faults


def check_release(original: History, release: ContestText) -> list[Fault]:
    """Every violation of the rules, those of the whole file first, then by line and column."""
    regular = pl.Series(release.fields == len(COLUMNS))
    rows = _beside_truth(original, release).filter(regular)
    faults = [
        *row_count_faults(original.rows, release),
        *release.ragged_faults(),
        *deleted_faults(rows),
    ]
    rows = standing(rows)
    faults += pseudonym_form_faults(rows)
    if release.rows == original.rows:
        faults += pseudonym_pair_faults(rows)
    for name in NUMBERS:
        faults += number_faults(rows, name)
    faults += item_faults(rows, original.item_names)
    return sorted(faults, key=_place)


def _beside_truth(original: History, release: ContestText) -> pl.DataFrame:
    """The cells as text, beside the true values if row stands by row (null otherwise)."""
    rows = release.frame.select(COLUMNS).with_row_index(ROW)
    truth = {name: original.frame[name] for name in ("customer", "item")}
    truth |= {name: pl.Series(original.numbers(name)) for name in NUMBERS}
    truth["price"] = truth["price"] * 10 ** (PRICE_DECIMALS - original.decimals)
    if release.rows == original.rows:
        return rows.hstack([cells.alias(f"true_{name}") for name, cells in truth.items()])
    return rows.with_columns(
        pl.lit(None, dtype=cells.dtype).alias(f"true_{name}") for name, cells in truth.items()
    )


def _place(fault: Fault) -> tuple[int, int]:
    return fault.line or 0, COLUMNS.index(fault.column) if fault.column else 0
