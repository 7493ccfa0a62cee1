"""The rules of the 2017 contest for an attacker's guess: customer, p1 … pL.

faults = check_guess_table(public, master.customers, table_text("G.csv", 12), name="G.csv")

fields             L + 1 on every line        unknown-customer    a customer of M
repeated           no customer twice          missing-customer    every customer of M
unknown-pseudonym  occurs in S, or is DEL
"""

from __future__ import annotations

import dataclasses

import polars as pl

from tokumei.data.files.contest_text import ContestText
from tokumei.data.periods.rows import DELETED, PeriodRows
from tokumei.errors import Fault
from tokumei.text import Text
from tokumei.verify.history.cell_faults import ROW, cell_fault, cell_faults

_PSEUDONYM = Text(
    "is neither a pseudonym of the public file nor DEL",
    "は公開データにある仮名でも DEL でもありません",
)
_CUSTOMER = Text("is not among the customers", "は顧客データにない顧客です")


def check_guess_table(
    public: PeriodRows, customers: pl.Series, guess: ContestText, *, name: str = ""
) -> list[Fault]:
    """Every violation of the rules, by line; messages begin with the file's name."""
    regular = pl.Series(guess.fields == guess.frame.width)
    lines = guess.frame.with_row_index(ROW).filter(regular)
    faults = [guess.ragged_fault(int(row)) for row in guess.ragged]
    faults += _strange(lines, "customer", customers, "unknown-customer", _CUSTOMER)
    answers = pl.concat([public.people, pl.Series([DELETED])])
    for period in guess.frame.columns[1:]:
        faults += _strange(lines, period, answers, "unknown-pseudonym", _PSEUDONYM)
    faults += _repeated(lines)
    faults = sorted(faults, key=lambda fault: fault.line or 0)
    faults += _missing(guess.frame["customer"], customers)
    return [_named(fault, name) for fault in faults]


def _strange(
    lines: pl.DataFrame, column: str, known: pl.Series, rule: str, wrong: Text
) -> list[Fault]:
    bad = lines.filter(~pl.col(column).is_in(known.implode()))
    return cell_faults(bad, column, rule=rule, wrong=wrong)


def _repeated(lines: pl.DataFrame) -> list[Fault]:
    first = lines.with_columns(first=pl.col(ROW).first().over("customer"))
    again = first.filter(pl.col(ROW) != pl.col("first")).select(ROW, "customer", "first")
    return [_repeated_fault(row, name, before + 1) for row, name, before in again.iter_rows()]


def _repeated_fault(row: int, customer: str, line: int) -> Fault:
    wrong = Text(f"was answered before, on line {line}", f"は {line} 行目ですでに答えています")
    return cell_fault(row, "customer", customer, rule="repeated", wrong=wrong)


def _missing(answered: pl.Series, customers: pl.Series) -> list[Fault]:
    """The customers without a line, placed after the file's last one."""
    missing = customers.filter(~customers.is_in(answered.drop_nulls().implode()))
    return [
        Fault(
            rule="missing-customer",
            line=len(answered) + 1,
            column="customer",
            message=Text(f"no line for customer '{name}'", f"顧客 '{name}' の行がありません"),
        )
        for name in missing
    ]


def _named(fault: Fault, name: str) -> Fault:
    if not name:
        return fault
    message = Text(f"{name}: {fault.message.en}", f"{name}: {fault.message.ja}")
    return dataclasses.replace(fault, message=message)
