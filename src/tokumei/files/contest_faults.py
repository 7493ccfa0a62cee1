"""Faults in contest files: cells with line and column, and rules that contests share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text

ROW = "tokumei_row"
"""The place (0-based) of a row in its file."""

STAR = "*"
_SHOWN = 80
LONGEST = 64
_ID = Text("is the identifier of a customer, not a pseudonym", "は仮名ではなく顧客の ID です")
_LONG = Text(f"is longer than {LONGEST} characters", f"は {LONGEST} 文字を超えています")


def cell_fault(row: int, column: str, cell: str, *, rule: str, wrong: Text) -> Fault:
    """The fault of one cell."""
    line = row + 1
    shown = cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}…"
    message = Text(
        f"line {line}, column '{column}': '{shown}' {wrong.en}",
        f"{line} 行目、列 '{column}': '{shown}' {wrong.ja}",
    )
    return Fault(rule=rule, line=line, column=column, message=message)


def cell_faults(bad: pl.DataFrame, column: str, *, rule: str, wrong: Text) -> list[Fault]:
    """One fault for each of the given rows."""
    pairs = bad.select(ROW, column).iter_rows()
    return [cell_fault(row, column, cell, rule=rule, wrong=wrong) for row, cell in pairs]


def unknown_faults(
    lines: pl.DataFrame, column: str, known: pl.Series, *, rule: str, wrong: Text
) -> list[Fault]:
    """One fault for each cell that is not among the known ones."""
    bad = lines.filter(~pl.col(column).is_in(known.unique().implode()))
    return cell_faults(bad, column, rule=rule, wrong=wrong)


def repeated_faults(lines: pl.DataFrame, column: str) -> list[Fault]:
    """`repeated`: one fault for each further answer about the same cell."""
    first = lines.with_columns(first=pl.col(ROW).first().over(column))
    again = first.filter(pl.col(ROW) != pl.col("first")).select(ROW, column, "first")
    faults = []
    for row, cell, before in again.iter_rows():
        at = before + 1
        wrong = Text(f"was answered before, on line {at}", f"は {at} 行目ですでに答えています")
        faults.append(cell_fault(row, column, cell, rule="repeated", wrong=wrong))
    return faults


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


def require_columns(public: pl.DataFrame, names: Sequence[str]) -> None:
    """Fail unless the rows of a public file have the columns that a rule looks at."""
    missing = [name for name in names if name not in public.columns]
    if missing:
        listed = ", ".join(missing)
        raise UsageError(
            f"a public history needs the columns {', '.join(names)}; missing: {listed}",
            f"公開履歴には {', '.join(names)} の列が必要です。ない列: {listed}",
        )


@dataclass(frozen=True)
class Deletion:
    """How a format writes a deleted row: `mark` for the customer, `blank` in all other cells.

    `left` is what is wrong with a marked row that holds more, `bare` with a blank one unmarked.
    """

    mark: str
    blank: str
    others: tuple[str, ...]
    left: Text
    bare: Text

    def row_count_faults(self, original: int, found: int, line: int | None = None) -> list[Fault]:
        """`rows`: as many lines as the original has."""
        if found == original:
            return []
        deleted = ",".join([self.mark, *(self.blank for _ in self.others)])
        message = Text(
            f"{found} row(s), but the original has {original}; deleted rows stay as {deleted} "
            "(without that, rows cannot be compared with the original)",
            f"{found} 行ありますが、元データは {original} 行です。削除行は {deleted} として"
            "残してください (行数が違うと元データとの比較はできません)",
        )
        return [Fault(rule="rows", line=line, message=message)]

    def faults(self, rows: pl.DataFrame) -> list[Fault]:
        """`deleted-row`: marked and blank, or neither."""
        gone, blank = self._gone(), self._blank()
        half = cell_faults(
            rows.filter(gone & ~blank), "customer", rule="deleted-row", wrong=self.left
        )
        return half + cell_faults(
            rows.filter(~gone & blank), "customer", rule="deleted-row", wrong=self.bare
        )

    def standing(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows whose cells can be judged: neither deleted nor half deleted."""
        return rows.filter(~self._gone() & ~self._blank())

    def _gone(self) -> pl.Expr:
        return pl.col("customer") == self.mark

    def _blank(self) -> pl.Expr:
        return pl.all_horizontal(pl.col(self.others) == self.blank)


def pair_faults(rows: pl.DataFrame, month: str | None = None) -> list[Fault]:
    """`one-pseudonym` per customer, `one-customer` per pseudonym; each within a `month`, if given.

    The original's customer is in `true_customer`, its month in the column named; each further
    partner is listed where it first occurs.
    """
    when = [month] if month else []
    pairs = rows.group_by("customer", "true_customer", *when).agg(pl.col(ROW).min()).sort(ROW)
    return [
        *(_second_pseudonym(pair, month) for pair in _further(pairs, "true_customer", when)),
        *(_second_customer(pair, month) for pair in _further(pairs, "customer", when)),
    ]


def _further(pairs: pl.DataFrame, per: str, when: list[str]) -> list[dict[str, Any]]:
    first = pl.exclude(per, *when).first().over(per, *when).name.prefix("first_")
    return pairs.with_columns(first).filter(pl.col(ROW) != pl.col(f"first_{ROW}")).to_dicts()


def _second_pseudonym(pair: dict[str, Any], month: str | None) -> Fault:
    whose, other, line = pair["true_customer"], pair["first_customer"], pair[f"first_{ROW}"] + 1
    en, ja = (f" in {pair[month]}", f" {pair[month]} における") if month else ("", "")
    wrong = Text(
        f"is a second pseudonym of customer '{whose}'{en}, who is '{other}' on line {line}",
        f"は{ja}顧客 '{whose}' の二つ目の仮名です ({line} 行目では '{other}')",
    )
    return cell_fault(pair[ROW], "customer", pair["customer"], rule="one-pseudonym", wrong=wrong)


def _second_customer(pair: dict[str, Any], month: str | None) -> Fault:
    whose, other = pair["true_customer"], pair["first_true_customer"]
    line = pair[f"first_{ROW}"] + 1
    en, ja = (f", both in {pair[month]}", f" (どちらも {pair[month]})") if month else ("", "")
    wrong = Text(
        f"is customer '{whose}' here, but '{other}' on line {line}{en}",
        f"はここでは顧客 '{whose}'、{line} 行目では '{other}' の仮名です{ja}",
    )
    return cell_fault(pair[ROW], "customer", pair["customer"], rule="one-customer", wrong=wrong)
