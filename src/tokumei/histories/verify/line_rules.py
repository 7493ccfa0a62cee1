"""Rules about whole lines: how many, deleted ones."""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import STAR, cell_faults
from tokumei.files.contest_text import ContestText

_CELLS = ("day", "item", "price", "quantity")
_HALF_DELETED = Text(
    "stands for a deleted row, but other fields are left; delete all five",
    "は削除行を表しますが、ほかの欄が残っています。5 欄すべてを * にしてください",
)
_HALF_KEPT = Text(
    "is the pseudonym of a row with nothing left; a deleted row is * in all five fields",
    "の行は何も残っていません。削除行は 5 欄すべてを * にしてください",
)


def row_count_faults(original: int, release: ContestText) -> list[Fault]:
    """`rows`: as many lines as the original has."""
    if release.rows == original:
        return []
    message = Text(
        f"{release.rows} row(s), but the original has {original}; deleted rows stay as *,*,*,*,* "
        "(without that, rows cannot be compared with the original)",
        f"{release.rows} 行ありますが、元データは {original} 行です。削除行は *,*,*,*,* として"
        "残してください (行数が違うと元データとの比較はできません)",
    )
    return [Fault(rule="rows", message=message)]


def deleted_faults(rows: pl.DataFrame) -> list[Fault]:
    """`deleted-row`: all five fields are `*`, or neither the first nor all others."""
    gone = pl.col("customer") == STAR
    bare = pl.all_horizontal(pl.col(_CELLS) == STAR)
    half = cell_faults(
        rows.filter(gone & ~bare), "customer", rule="deleted-row", wrong=_HALF_DELETED
    )
    return half + cell_faults(
        rows.filter(~gone & bare), "customer", rule="deleted-row", wrong=_HALF_KEPT
    )


def standing(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows whose cells can be judged: neither deleted nor half deleted."""
    gone = pl.col("customer") == STAR
    return rows.filter(~gone & ~pl.all_horizontal(pl.col(_CELLS) == STAR))
