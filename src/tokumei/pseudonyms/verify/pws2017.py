"""The rules of the 2017 contest for a row-aligned release A(T) of a history T.

    faults = check_release(history, read_contest("A.csv", PERIOD_COLUMNS))

    rows             as many lines as T               rows-kept        at least half not deleted
    fields           seven on every line              deleted-row      DEL and six empty fields
    pseudonym-form   letters, digits, _ and -         invoice-form     the same
    day-form         a day of the calendar            same-month       as that row of T
    time-form        a time of the day                unknown-item     every item occurs in T
    price-form       5 digits and 2 decimals          quantity-form    1 to 6 digits
    pseudonym-is-customer   no pseudonym is an id     one-pseudonym    per customer and month
                                                      one-customer     per pseudonym and month

Every violation is listed, by line. A line with another number of fields, or half deleted, is not
looked at further; with another number of rows nothing is compared with T row by row.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError, Fault
from tokumei.files.contest_faults import ROW, identifier_faults
from tokumei.files.contest_text import ContestText
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS, PeriodRows
from tokumei.pseudonyms.verify.cell_rules import day_faults, form_faults, item_faults
from tokumei.pseudonyms.verify.line_rules import (
    deleted_faults,
    row_count_faults,
    rows_kept_faults,
    standing,
)
from tokumei.pseudonyms.verify.pseudonym_rules import pair_faults


def check_release(original: PeriodHistory, release: ContestText) -> list[Fault]:
    """Every violation of the rules, those of the whole file first, then by line and column."""
    regular = pl.Series(release.fields == len(PERIOD_COLUMNS))
    rows = _beside_truth(original, release).filter(regular)
    faults = [
        *row_count_faults(original.rows.rows, release),
        *rows_kept_faults(original.rows.rows, rows),
        *release.ragged_faults(),
        *deleted_faults(rows),
    ]
    rows = standing(rows)
    faults += form_faults(rows)
    faults += day_faults(rows)
    faults += item_faults(rows, original.rows.cells["item"])
    faults += identifier_faults(rows, original.master.customers)
    if release.rows == original.rows.rows:
        faults += pair_faults(rows)
    return sorted(faults, key=_place)


def require_release(original: PeriodHistory, release: PeriodRows | ContestText, where: str) -> None:
    """Fail, listing what is broken, unless the release keeps all rules."""
    if isinstance(release, PeriodRows):
        release = ContestText(release.cells, np.full(release.rows, len(PERIOD_COLUMNS)))
    faults = check_release(original, release)
    if faults:
        raise ClaimError(
            f"{where}: breaks the rules", f"{where}: 規則に違反しています", faults=faults
        )


def _beside_truth(original: PeriodHistory, release: ContestText) -> pl.DataFrame:
    """The cells as text, beside the true ones if row stands by row (null otherwise)."""
    rows = release.frame.select(PERIOD_COLUMNS).with_row_index(ROW)
    names = ("true_customer", "true_day", "true_month")
    if release.rows != original.rows.rows:
        return rows.with_columns(pl.lit(None, dtype=pl.String).alias(name) for name in names)
    cells = original.rows.cells
    month = cells["day"].str.strptime(pl.Date, "%Y/%m/%d").dt.strftime("%Y/%-m")
    truth = (cells["customer"], cells["day"], month)
    return rows.hstack([column.alias(name) for column, name in zip(truth, names, strict=True)])


def _place(fault: Fault) -> tuple[int, int]:
    whole_file = fault.rule in ("rows", "rows-kept")
    column = PERIOD_COLUMNS.index(fault.column) if fault.column else 0
    return (0 if whole_file else fault.line or 0), column
