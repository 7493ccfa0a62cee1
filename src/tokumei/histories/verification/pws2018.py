"""Checks a row-aligned release (A) of a history (T) against the rules of the 2018 contest.

    faults = check_release(read_history("T.csv", format="pws2018"), read_contest_file("A.csv",
    COLUMNS))

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

from dataclasses import replace

import polars as pl

from tokumei.core.errors import Violation
from tokumei.core.messages import Message
from tokumei.files.contest_files import ContestRows
from tokumei.files.contest_violations import (
    ROW_COLUMN,
    SUPPRESSED_CELL,
    DeletedRowFormat,
    contest_cell_violations,
    pseudonym_pair_violations,
    repeated_answer_violations,
    unknown_value_violations,
)
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.verification.cell_checks import (
    PRICE_DECIMALS,
    item_cell_violations,
    number_cell_violations,
)

_DELETION = DeletedRowFormat(
    SUPPRESSED_CELL,
    SUPPRESSED_CELL,
    COLUMNS[1:],
    left=Message("'{cell}' stands for a deleted row, but other fields are left; delete them all"),
    bare=Message(
        "'{cell}' is the pseudonym of a row with nothing left; a deleted row is * in all fields"
    ),
)
_PSEUDONYM_FORM_ERROR = Message("'{cell}' is not a pseudonym: digits only")


def check_release(original: History, release: ContestRows) -> list[Violation]:
    """Every violation of the rules, those of the whole file first, then by line and column."""
    regular = pl.Series(release.fields == release.frame.width)
    rows = _join_true_values(original, release).filter(regular)
    deletion = replace(_DELETION, others=original.columns[1:])
    faults = [
        *deletion.row_count_faults(original.rows, release.rows),
        *release.ragged_faults(),
        *deletion.faults(rows),
    ]
    rows = deletion.standing(rows)
    nameless = rows.filter(~pl.col("customer").str.contains("^[0-9]+$"))
    faults += contest_cell_violations(
        nameless, "customer", rule="pseudonym-form", wrong=_PSEUDONYM_FORM_ERROR
    )
    if release.rows == original.rows:
        faults += pseudonym_pair_violations(rows)
    for name in original.number_columns:
        faults += number_cell_violations(rows, name, original.like.get(name, name))
    for name in ("item", *original.set_values):
        faults += item_cell_violations(rows, original.members(name), name)
    place = {name: place for place, name in enumerate(original.columns)}
    return sorted(
        faults,
        key=lambda violation: (
            violation.line or 0,
            place[violation.column] if violation.column else 0,
        ),
    )


def _join_true_values(original: History, release: ContestRows) -> pl.DataFrame:
    """The cells as text, beside the true values if row stands by row (null otherwise)."""
    rows = release.frame.select(original.columns).with_row_index(ROW_COLUMN)
    truth = {name: original.frame[name] for name in ("customer", "item", *original.set_values)}
    for name in original.number_columns:
        priced = original.like.get(name, name) == "price"
        finer = 10 ** (PRICE_DECIMALS - original.decimals) if priced else 1
        truth[name] = pl.Series(original.numbers(name)) * finer
    if release.rows == original.rows:
        return rows.hstack([cells.alias(f"true_{name}") for name, cells in truth.items()])
    return rows.with_columns(
        pl.lit(None, dtype=cells.dtype).alias(f"true_{name}") for name, cells in truth.items()
    )


_UNKNOWN_PSEUDONYM_ERROR = Message("'{cell}' is not a pseudonym of the public file")
_UNKNOWN_CUSTOMER_ERROR = Message("'{cell}' is not a customer of the original")


def check_guess(public: pl.DataFrame, customers: pl.Series, guess: ContestRows) -> list[Violation]:
    """Every violation of the rules for a guess F′ (lines `pid,cid`), by line.

    fields     two on every line        unknown-pseudonym   pid occurs in the public file
    repeated   no pid twice             unknown-customer    cid occurs in the original
    """
    regular = pl.Series(guess.fields == guess.frame.width)
    lines = guess.frame.rename(dict(zip(guess.frame.columns, ("pid", "cid"), strict=True)))
    lines = lines.with_row_index(ROW_COLUMN).filter(regular)
    pids = public["customer"]
    faults = [
        *guess.ragged_faults(),
        *unknown_value_violations(
            lines, "pid", pids, rule="unknown-pseudonym", wrong=_UNKNOWN_PSEUDONYM_ERROR
        ),
        *unknown_value_violations(
            lines, "cid", customers, rule="unknown-customer", wrong=_UNKNOWN_CUSTOMER_ERROR
        ),
        *repeated_answer_violations(lines, "pid"),
    ]
    return sorted(faults, key=lambda fault: fault.line or 0)
