"""Checks a row-aligned release A(T) of a history T against the rules of the 2017 contest.

    faults = check_release(history, read_contest_file("A.csv", PERIOD_COLUMNS))

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

import dataclasses

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError, Violation
from tokumei.core.messages import Message
from tokumei.files.contest_files import ContestRows
from tokumei.files.contest_violations import (
    ROW_COLUMN,
    DeletedRowFormat,
    contest_cell_violations,
    identifier_violations,
    pseudonym_pair_violations,
    repeated_answer_violations,
    unknown_value_violations,
)
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.purchase_text_cells import DELETED, PERIOD_COLUMNS, PeriodRows

_DELETION = DeletedRowFormat(
    DELETED,
    "",
    PERIOD_COLUMNS[1:],
    left=Message(
        "'{cell}' stands for a deleted row, but other fields are left; a deleted row is DEL,,,,,,"
    ),
    bare=Message(
        "'{cell}' is the pseudonym of a row with nothing left; a deleted row is DEL,,,,,,"
    ),
)


def check_release(original: PeriodHistory, release: ContestRows) -> list[Violation]:
    """Every violation of the rules, those of the whole file first, then by line and column."""
    regular = pl.Series(release.fields == len(PERIOD_COLUMNS))
    rows = _join_true_values(original, release).filter(regular)
    lacking = min(release.rows, original.rows.rows) + 1
    faults = [
        *_DELETION.row_count_faults(original.rows.rows, release.rows, lacking),
        *_rows_kept_violations(original.rows.rows, rows),
        *release.ragged_faults(),
        *_DELETION.faults(rows),
    ]
    rows = _DELETION.standing(rows)
    faults += form_violations(rows)
    faults += day_violations(rows)
    items = original.rows.cells["item"]
    faults += unknown_value_violations(
        rows, "item", items, rule="unknown-item", wrong=_UNKNOWN_ITEM_ERROR
    )
    faults += identifier_violations(rows, original.master.customers)
    if release.rows == original.rows.rows:
        faults += pseudonym_pair_violations(rows, "true_month")
    return sorted(faults, key=_sort_key)


def require_release(original: PeriodHistory, release: PeriodRows | ContestRows, where: str) -> None:
    """Fail, listing what is broken, unless the release keeps all rules."""
    if isinstance(release, PeriodRows):
        release = ContestRows(release.cells, np.full(release.rows, len(PERIOD_COLUMNS)))
    faults = check_release(original, release)
    if faults:
        raise ClaimError("{path}: breaks the rules", faults=faults, path=where)


def _rows_kept_violations(original: int, rows: pl.DataFrame) -> list[Violation]:
    """`rows-kept`: at least half of the original's rows are not deleted."""
    kept = rows.filter(pl.col("customer") != DELETED).height
    if 2 * kept >= original:
        return []
    message = Message(
        "only {kept} of {original} rows are kept; at least half of them must be",
        kept=kept,
        original=original,
    )
    return [Violation(rule="rows-kept", message=message)]


def _join_true_values(original: PeriodHistory, release: ContestRows) -> pl.DataFrame:
    """The cells as text, beside the true ones if row stands by row (null otherwise)."""
    rows = release.frame.select(PERIOD_COLUMNS).with_row_index(ROW_COLUMN)
    names = ("true_customer", "true_day", "true_month")
    if release.rows != original.rows.rows:
        return rows.with_columns(pl.lit(None, dtype=pl.String).alias(name) for name in names)
    cells = original.rows.cells
    month = cells["day"].str.strptime(pl.Date, "%Y/%m/%d").dt.strftime("%Y/%-m")
    truth = (cells["customer"], cells["day"], month)
    return rows.hstack([column.alias(name) for column, name in zip(truth, names, strict=True)])


def _sort_key(fault: Violation) -> tuple[int, int]:
    whole_file = fault.rule in ("rows", "rows-kept")
    column = PERIOD_COLUMNS.index(fault.column) if fault.column else 0
    return (0 if whole_file else fault.line or 0), column


_NAME_PATTERN = "^[A-Za-z0-9_-]+$"
_DAY_PATTERN = "^[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}$"

_FORM_RULES = {
    "customer": (
        "pseudonym-form",
        _NAME_PATTERN,
        Message("'{cell}' is not a pseudonym: letters A–Z, a–z, digits, _ and - only"),
    ),
    "invoice": (
        "invoice-form",
        _NAME_PATTERN,
        Message("'{cell}' is not an invoice number: letters A–Z, a–z, digits, _ and - only"),
    ),
    "time": (
        "time-form",
        "^(?:[01]?[0-9]|2[0-3]):[0-5][0-9]$",
        Message("'{cell}' is not a time such as 9:05"),
    ),
    "price": (
        "price-form",
        r"^[0-9]{1,5}(?:\.[0-9]{1,2})?$",
        Message("'{cell}' is not a price: at most 5 digits, and at most 2 decimals after a point"),
    ),
    "quantity": (
        "quantity-form",
        "^[0-9]{1,6}$",
        Message("'{cell}' is not a quantity: 1 to 6 digits"),
    ),
}
_DAY_FORM_ERROR = Message("'{cell}' is not a day such as 2011/1/31")
_MONTH_ERROR = Message("'{cell}' is not in the month of that row of the original")
_UNKNOWN_ITEM_ERROR = Message("'{cell}' is not an item of the original")


def form_violations(rows: pl.DataFrame) -> list[Violation]:
    """`pseudonym-form`, `invoice-form`, `time-form`, `price-form`, `quantity-form`."""
    return [
        fault
        for column, (rule, pattern, message) in _FORM_RULES.items()
        for fault in contest_cell_violations(
            rows.filter(~pl.col(column).str.contains(pattern)), column, rule=rule, wrong=message
        )
    ]


def day_violations(rows: pl.DataFrame) -> list[Violation]:
    """`day-form`: a day of the calendar; `same-month`: the month of the original's row.

    The original's days are in `true_day` (null where they are not known).
    """
    parsed = rows.with_columns(released=_parse_date("day"), true=_parse_date("true_day"))
    formless = parsed.filter(pl.col("released").is_null())
    released_month, true_month = (pl.col(name).dt.month_start() for name in ("released", "true"))
    moved = parsed.filter(released_month != true_month)
    return [
        *contest_cell_violations(formless, "day", rule="day-form", wrong=_DAY_FORM_ERROR),
        *contest_cell_violations(moved, "day", rule="same-month", wrong=_MONTH_ERROR),
    ]


def _parse_date(column: str) -> pl.Expr:
    text = pl.when(pl.col(column).str.contains(_DAY_PATTERN)).then(pl.col(column))
    return text.str.strptime(pl.Date, "%Y/%m/%d", strict=False)


_UNKNOWN_PSEUDONYM_ERROR = Message("'{cell}' is neither a pseudonym of the public file nor DEL")
_UNKNOWN_CUSTOMER_ERROR = Message("'{cell}' is not among the customers")


def check_guess_table(
    public: PeriodRows, customers: pl.Series, guess: ContestRows, *, name: str = ""
) -> list[Violation]:
    """Every violation of the rules for a guess (lines customer, p1 … pL), by line.

    fields             L + 1 on every line        unknown-customer    a customer of M
    repeated           no customer twice          missing-customer    every customer of M
    unknown-pseudonym  occurs in S, or is DEL

    Messages begin with the file's name.
    """
    regular = pl.Series(guess.fields == guess.frame.width)
    lines = guess.frame.with_row_index(ROW_COLUMN).filter(regular)
    faults = [
        *guess.ragged_faults(),
        *unknown_value_violations(
            lines, "customer", customers, rule="unknown-customer", wrong=_UNKNOWN_CUSTOMER_ERROR
        ),
    ]
    answers = pl.concat([public.people, pl.Series([DELETED])])
    for period in guess.frame.columns[1:]:
        faults += unknown_value_violations(
            lines, period, answers, rule="unknown-pseudonym", wrong=_UNKNOWN_PSEUDONYM_ERROR
        )
    faults += repeated_answer_violations(lines, "customer")
    faults = sorted(faults, key=lambda fault: fault.line or 0)
    faults += _missing_customer_violations(guess.frame["customer"], customers)
    if not name:
        return faults
    return [
        dataclasses.replace(
            fault, message=Message("{path}: {reason}", path=name, reason=fault.message)
        )
        for fault in faults
    ]


def _missing_customer_violations(answered: pl.Series, customers: pl.Series) -> list[Violation]:
    """The customers without a line, placed after the file's last one."""
    missing = customers.filter(~customers.is_in(answered.drop_nulls().implode()))
    return [
        Violation(
            rule="missing-customer",
            line=len(answered) + 1,
            column="customer",
            message=Message("no line for customer '{customer}'", customer=name),
        )
        for name in missing
    ]
