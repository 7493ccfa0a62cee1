"""Violations in contest files: cells with line and column, and rules that contests share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import polars as pl

from tokumei.core.errors import UsageError, Violation
from tokumei.core.messages import Message, join_messages

ROW_COLUMN = "tokumei_row"
"""The place (0-based) of a row in its file."""

SUPPRESSED_CELL = "*"
_MAX_SHOWN_CHARACTERS = 80
MAX_NAME_BYTES = 64
_IS_IDENTIFIER = Message("'{cell}' is the identifier of a customer, not a pseudonym")
_IS_TOO_LONG = Message("'{cell}' is longer than {most} characters").fill(most=MAX_NAME_BYTES)


def contest_cell_violation(
    row: int, column: str, cell: str, *, rule: str, wrong: Message
) -> Violation:
    """The fault of one cell; `wrong` says it, with a place for the {cell}."""
    line = row + 1
    cell_text = cell if len(cell) <= _MAX_SHOWN_CHARACTERS else f"{cell[:_MAX_SHOWN_CHARACTERS]}…"
    message = Message(
        "line {line}, column '{column}': {problem}",
        line=line,
        column=column,
        problem=wrong.fill(cell=cell_text),
    )
    return Violation(rule=rule, line=line, column=column, message=message)


def contest_cell_violations(
    bad: pl.DataFrame, column: str, *, rule: str, wrong: Message
) -> list[Violation]:
    """One fault for each of the given rows."""
    pairs = bad.select(ROW_COLUMN, column).iter_rows()
    return [
        contest_cell_violation(row, column, cell, rule=rule, wrong=wrong) for row, cell in pairs
    ]


def unknown_value_violations(
    lines: pl.DataFrame, column: str, known: pl.Series, *, rule: str, wrong: Message
) -> list[Violation]:
    """One fault for each cell that is not among the known ones."""
    bad = lines.filter(~pl.col(column).is_in(known.unique().implode()))
    return contest_cell_violations(bad, column, rule=rule, wrong=wrong)


def repeated_answer_violations(lines: pl.DataFrame, column: str) -> list[Violation]:
    """`repeated`: one fault for each further answer about the same cell."""
    first = lines.with_columns(first=pl.col(ROW_COLUMN).first().over(column))
    repeats = first.filter(pl.col(ROW_COLUMN) != pl.col("first")).select(
        ROW_COLUMN, column, "first"
    )
    faults = []
    for row, cell, first_row in repeats.iter_rows():
        wrong = Message("'{cell}' was answered before, on line {line}").fill(line=first_row + 1)
        faults.append(contest_cell_violation(row, column, cell, rule="repeated", wrong=wrong))
    return faults


def name_length_violations(rows: pl.DataFrame, columns: Sequence[str]) -> list[Violation]:
    """`name-length`: every cell of these columns that is too long, by line."""
    lines = rows.with_row_index(ROW_COLUMN)
    faults = [
        fault
        for name in columns
        for fault in contest_cell_violations(
            lines.filter(pl.col(name).str.len_bytes() > MAX_NAME_BYTES),
            name,
            rule="name-length",
            wrong=_IS_TOO_LONG,
        )
    ]
    return sorted(faults, key=lambda fault: fault.line or 0)


def identifier_violations(rows: pl.DataFrame, customers: pl.Series) -> list[Violation]:
    """`pseudonym-is-customer`: no pseudonym is the identifier of any customer."""
    same = rows.filter(pl.col("customer").is_in(customers.implode()))
    return contest_cell_violations(
        same, "customer", rule="pseudonym-is-customer", wrong=_IS_IDENTIFIER
    )


def require_columns(public: pl.DataFrame, names: Sequence[str]) -> None:
    """Fail unless the rows of a public file have the columns that a rule looks at."""
    missing = [name for name in names if name not in public.columns]
    if missing:
        raise UsageError(
            "a public history needs the columns {columns}; missing: {missing}",
            columns=join_messages(names),
            missing=join_messages(missing),
        )


@dataclass(frozen=True)
class DeletedRowFormat:
    """How a format writes a deleted row: `mark` for the customer, `blank` in all other cells.

    `left` is what is wrong with a marked row that holds more, `bare` with a blank one unmarked.
    """

    mark: str
    blank: str
    others: tuple[str, ...]
    left: Message
    bare: Message

    def row_count_faults(
        self, original: int, row_count: int, line: int | None = None
    ) -> list[Violation]:
        """`rows`: as many lines as the original has."""
        if row_count == original:
            return []
        deleted = ",".join([self.mark, *(self.blank for _ in self.others)])
        message = Message(
            "{count} row, but the original has {original}; deleted rows stay as {deleted} "
            "(without that, rows cannot be compared with the original)",
            plural="{count} rows, but the original has {original}; deleted rows stay as {deleted} "
            "(without that, rows cannot be compared with the original)",
            count=row_count,
            original=original,
            deleted=deleted,
        )
        return [Violation(rule="rows", line=line, message=message)]

    def faults(self, rows: pl.DataFrame) -> list[Violation]:
        """`deleted-row`: marked and blank, or neither."""
        is_deleted, blank = self._is_marked_deleted(), self._is_blank()
        marked_not_blank = contest_cell_violations(
            rows.filter(is_deleted & ~blank), "customer", rule="deleted-row", wrong=self.left
        )
        return marked_not_blank + contest_cell_violations(
            rows.filter(~is_deleted & blank), "customer", rule="deleted-row", wrong=self.bare
        )

    def standing(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows whose cells can be judged: neither deleted nor half deleted."""
        return rows.filter(~self._is_marked_deleted() & ~self._is_blank())

    def _is_marked_deleted(self) -> pl.Expr:
        return pl.col("customer") == self.mark

    def _is_blank(self) -> pl.Expr:
        return pl.all_horizontal(pl.col(self.others) == self.blank)


def pseudonym_pair_violations(rows: pl.DataFrame, month: str | None = None) -> list[Violation]:
    """`one-pseudonym` per customer, `one-customer` per pseudonym; each within a `month`, if given.

    The original's customer is in `true_customer`, its month in the column named; each further
    partner is listed where it first occurs.
    """
    month_keys = [month] if month else []
    pairs = (
        rows.group_by("customer", "true_customer", *month_keys)
        .agg(pl.col(ROW_COLUMN).min())
        .sort(ROW_COLUMN)
    )
    return [
        *(
            _second_pseudonym_violation(pair, month)
            for pair in _later_partners(pairs, "true_customer", month_keys)
        ),
        *(
            _second_customer_violation(pair, month)
            for pair in _later_partners(pairs, "customer", month_keys)
        ),
    ]


_Pair: TypeAlias = dict[str, Any]
"""A customer and a pseudonym, the row, and the first of each (`first_…`)."""


def _later_partners(pairs: pl.DataFrame, per: str, month_keys: list[str]) -> list[_Pair]:
    first = pl.exclude(per, *month_keys).first().over(per, *month_keys).name.prefix("first_")
    return (
        pairs.with_columns(first)
        .filter(pl.col(ROW_COLUMN) != pl.col(f"first_{ROW_COLUMN}"))
        .to_dicts()
    )


def _second_pseudonym_violation(pair: _Pair, month: str | None) -> Violation:
    wrong = Message(
        "'{cell}' is a second pseudonym of customer '{customer}', who is '{first}' on line {line}"
    )
    if month:
        wrong = Message(
            "'{cell}' is a second pseudonym in {month} of customer '{customer}', who is '{first}' "
            "on line {line}"
        )
    wrong = wrong.fill(
        customer=pair["true_customer"],
        first=pair["first_customer"],
        line=pair[f"first_{ROW_COLUMN}"] + 1,
        month=pair[month] if month else None,
    )
    return contest_cell_violation(
        pair[ROW_COLUMN], "customer", pair["customer"], rule="one-pseudonym", wrong=wrong
    )


def _second_customer_violation(pair: _Pair, month: str | None) -> Violation:
    wrong = Message("'{cell}' is customer '{customer}' here, but '{first}' on line {line}")
    if month:
        wrong = Message(
            "'{cell}' is customer '{customer}' here, but '{first}' on line {line}, both in {month}"
        )
    wrong = wrong.fill(
        customer=pair["true_customer"],
        first=pair["first_true_customer"],
        line=pair[f"first_{ROW_COLUMN}"] + 1,
        month=pair[month] if month else None,
    )
    return contest_cell_violation(
        pair[ROW_COLUMN], "customer", pair["customer"], rule="one-customer", wrong=wrong
    )
