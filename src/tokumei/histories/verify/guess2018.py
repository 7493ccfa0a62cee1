"""The rules of the 2018 contest for an attacker's guess (F′): lines `pid,cid`.

faults = check_guess(read_public("A1.csv"), history.customers, read_guess("F1.csv"))

fields     two on every line        unknown-pseudonym   pid occurs in the public file
repeated   no pid twice             unknown-customer    cid occurs in the original
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW, repeated_faults, unknown_faults
from tokumei.files.contest_text import ContestText

_PSEUDONYM = Text("is not a pseudonym of the public file", "は公開データにない仮名です")
_CUSTOMER = Text("is not a customer of the original", "は元データにない顧客です")


def check_guess(public: pl.DataFrame, customers: pl.Series, guess: ContestText) -> list[Fault]:
    """Every violation of the rules, by line."""
    regular = pl.Series(guess.fields == guess.frame.width)
    lines = guess.frame.rename(dict(zip(guess.frame.columns, ("pid", "cid"), strict=True)))
    lines = lines.with_row_index(ROW).filter(regular)
    pids = public["customer"]
    faults = [
        *guess.ragged_faults(),
        *unknown_faults(lines, "pid", pids, rule="unknown-pseudonym", wrong=_PSEUDONYM),
        *unknown_faults(lines, "cid", customers, rule="unknown-customer", wrong=_CUSTOMER),
        *repeated_faults(lines, "pid"),
    ]
    return sorted(faults, key=lambda fault: fault.line or 0)
