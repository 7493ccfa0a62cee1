"""Rules about pseudonyms in periods: one per customer, one customer each."""

from __future__ import annotations

from typing import Any

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW, cell_fault


def pair_faults(rows: pl.DataFrame) -> list[Fault]:
    """`one-pseudonym` per customer and month, `one-customer` per pseudonym and month.

    The original's customer and month are in `true_customer` and `true_month`; each further
    partner is listed where it first occurs.
    """
    key = ["customer", "true_customer", "true_month"]
    pairs = rows.group_by(key).agg(pl.col(ROW).min()).sort(ROW)
    second = [_second_pseudonym(pair) for pair in _further(pairs, "true_customer")]
    return second + [_second_customer(pair) for pair in _further(pairs, "customer")]


def _further(pairs: pl.DataFrame, per: str) -> list[dict[str, Any]]:
    first = pl.exclude(per, "true_month").first().over(per, "true_month").name.prefix("first_")
    beside = pairs.with_columns(first)
    return beside.filter(pl.col(ROW) != pl.col(f"first_{ROW}")).to_dicts()


def _second_pseudonym(pair: dict[str, Any]) -> Fault:
    whose, other, month = pair["true_customer"], pair["first_customer"], pair["true_month"]
    line = pair[f"first_{ROW}"] + 1
    wrong = Text(
        f"is a second pseudonym of customer '{whose}' in {month}, who is '{other}' on line {line}",
        f"は {month} における顧客 '{whose}' の二つ目の仮名です ({line} 行目では '{other}')",
    )
    return cell_fault(pair[ROW], "customer", pair["customer"], rule="one-pseudonym", wrong=wrong)


def _second_customer(pair: dict[str, Any]) -> Fault:
    whose, other, month = pair["true_customer"], pair["first_true_customer"], pair["true_month"]
    line = pair[f"first_{ROW}"] + 1
    wrong = Text(
        f"is customer '{whose}' here, but '{other}' on line {line}, both in {month}",
        f"はここでは顧客 '{whose}'、{line} 行目では '{other}' の仮名です (どちらも {month})",
    )
    return cell_fault(pair[ROW], "customer", pair["customer"], rule="one-customer", wrong=wrong)
