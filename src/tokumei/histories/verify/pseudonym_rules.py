"""Rules about pseudonyms: digits, one per customer and the other way round."""

from __future__ import annotations

from typing import Any

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW, cell_fault, cell_faults

_FORM = Text("is not a pseudonym: digits only", "は仮名ではありません。数字だけで書いてください")


def pseudonym_form_faults(rows: pl.DataFrame) -> list[Fault]:
    """`pseudonym-form`: digits only."""
    bad = rows.filter(~pl.col("customer").str.contains("^[0-9]+$"))
    return cell_faults(bad, "customer", rule="pseudonym-form", wrong=_FORM)


def pseudonym_pair_faults(rows: pl.DataFrame) -> list[Fault]:
    """`one-pseudonym` per customer, `one-customer` per pseudonym: at each further one's first."""
    pairs = rows.group_by("customer", "true_customer").agg(pl.col(ROW).min()).sort(ROW)
    second = [_second_pseudonym(pair) for pair in _further(pairs, "true_customer")]
    return second + [_second_customer(pair) for pair in _further(pairs, "customer")]


def _further(pairs: pl.DataFrame, per: str) -> list[dict[str, Any]]:
    first = pairs.with_columns(pl.exclude(per).first().over(per).name.prefix("first_"))
    return first.filter(pl.col(ROW) != pl.col(f"first_{ROW}")).to_dicts()


def _second_pseudonym(pair: dict[str, Any]) -> Fault:
    whose, other = pair["true_customer"], pair["first_customer"]
    line = pair[f"first_{ROW}"] + 1
    wrong = Text(
        f"is a second pseudonym of customer '{whose}', who is '{other}' on line {line}",
        f"は顧客 '{whose}' の二つ目の仮名です ({line} 行目では '{other}')",
    )
    return cell_fault(pair[ROW], "customer", pair["customer"], rule="one-pseudonym", wrong=wrong)


def _second_customer(pair: dict[str, Any]) -> Fault:
    whose, other, line = (
        pair["true_customer"],
        pair["first_true_customer"],
        pair[f"first_{ROW}"] + 1,
    )
    wrong = Text(
        f"is customer '{whose}' here, but '{other}' on line {line}",
        f"はここでは顧客 '{whose}'、{line} 行目では '{other}' の仮名です",
    )
    return cell_fault(pair[ROW], "customer", pair["customer"], rule="one-customer", wrong=wrong)
