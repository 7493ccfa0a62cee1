"""The rules of the 2018 contest for an attacker's guess (F′): lines `pid,cid`.

faults = check_guess(read_public("A1.csv"), history.customers, read_guess("F1.csv"))

fields     two on every line        unknown-pseudonym   pid occurs in the public file
repeated   no pid twice             unknown-customer    cid occurs in the original
"""

from __future__ import annotations

import polars as pl

from tokumei.data.files.contest_text import ContestText
from tokumei.errors import Fault
from tokumei.text import Text
from tokumei.verify.history.cell_faults import ROW, cell_fault, cell_faults

_PSEUDONYM = Text("is no pseudonym of the public file", "は公開データにない仮名です")
_CUSTOMER = Text("is no customer of the original", "は元データにない顧客です")


def check_guess(public: pl.DataFrame, customers: pl.Series, guess: ContestText) -> list[Fault]:
    """Every violation of the rules, by line."""
    regular = pl.Series(guess.fields == guess.frame.width)
    lines = guess.frame.rename(dict(zip(guess.frame.columns, ("pid", "cid"), strict=True)))
    lines = lines.with_row_index(ROW).filter(regular)
    faults = [guess.ragged_fault(int(row)) for row in guess.ragged]
    faults += _strange(lines, "pid", public["customer"], "unknown-pseudonym", _PSEUDONYM)
    faults += _strange(lines, "cid", customers, "unknown-customer", _CUSTOMER)
    return sorted([*faults, *_repeated(lines)], key=lambda fault: fault.line or 0)


def _strange(
    lines: pl.DataFrame, column: str, known: pl.Series, rule: str, wrong: Text
) -> list[Fault]:
    bad = lines.filter(~pl.col(column).is_in(known.unique().implode()))
    return cell_faults(bad, column, rule=rule, wrong=wrong)


def _repeated(lines: pl.DataFrame) -> list[Fault]:
    first = lines.with_columns(first=pl.col(ROW).first().over("pid"))
    again = first.filter(pl.col(ROW) != pl.col("first")).select(ROW, "pid", "first")
    return [_repeated_fault(row, pid, before + 1) for row, pid, before in again.iter_rows()]


def _repeated_fault(row: int, pid: str, line: int) -> Fault:
    wrong = Text(f"was answered before, on line {line}", f"は {line} 行目ですでに答えています")
    return cell_fault(row, "pid", pid, rule="repeated", wrong=wrong)
