"""The rules of the 2017 contest for an attacker's guess: customer, p1 … pL.

faults = check_guess_table(public, master.customers, table_text("G.csv", 12), name="G.csv")

fields             L + 1 on every line        unknown-customer    a customer of M
repeated           no customer twice          missing-customer    every customer of M
unknown-pseudonym  occurs in S, or is DEL
"""

from __future__ import annotations

import dataclasses

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW, repeated_faults, unknown_faults
from tokumei.files.contest_text import ContestText
from tokumei.pseudonyms.data.rows import DELETED, PeriodRows

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
    faults = [
        *guess.ragged_faults(),
        *unknown_faults(lines, "customer", customers, rule="unknown-customer", wrong=_CUSTOMER),
    ]
    answers = pl.concat([public.people, pl.Series([DELETED])])
    for period in guess.frame.columns[1:]:
        faults += unknown_faults(lines, period, answers, rule="unknown-pseudonym", wrong=_PSEUDONYM)
    faults += repeated_faults(lines, "customer")
    faults = sorted(faults, key=lambda fault: fault.line or 0)
    faults += _missing(guess.frame["customer"], customers)
    return [_named(fault, name) for fault in faults]


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
