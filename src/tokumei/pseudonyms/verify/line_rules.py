"""Rules about whole lines of a release of 2017: how many, how many kept, deleted ones."""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import cell_faults
from tokumei.files.contest_text import ContestText
from tokumei.pseudonyms.data.rows import DELETED

OTHERS = ("invoice", "day", "time", "item", "price", "quantity")
_LEFT = Text(
    "stands for a deleted row, but other fields are left; a deleted row is DEL,,,,,,",
    "は削除行を表しますが、ほかの欄が残っています。削除行は DEL,,,,,, としてください",
)
_EMPTY = Text(
    "is the pseudonym of a row with nothing left; a deleted row is DEL,,,,,,",
    "の行は何も残っていません。削除行は DEL,,,,,, としてください",
)


def row_count_faults(original: int, release: ContestText) -> list[Fault]:
    """`rows`: as many lines as the original has."""
    if release.rows == original:
        return []
    message = Text(
        f"{release.rows} row(s), but the original has {original}; deleted rows stay as DEL,,,,,, "
        "(without that, rows cannot be compared with the original)",
        f"{release.rows} 行ありますが、元データは {original} 行です。削除行は DEL,,,,,, として"
        "残してください (行数が違うと元データとの比較はできません)",
    )
    first_lacking = min(release.rows, original) + 1
    return [Fault(rule="rows", line=first_lacking, message=message)]


def rows_kept_faults(original: int, rows: pl.DataFrame) -> list[Fault]:
    """`rows-kept`: at least half of the original's rows are not deleted."""
    kept = rows.filter(pl.col("customer") != DELETED).height
    if 2 * kept >= original:
        return []
    message = Text(
        f"only {kept} of {original} rows are kept; at least half of them must be",
        f"{original} 行のうち {kept} 行しか残っていません。半分以上を残してください",
    )
    return [Fault(rule="rows-kept", message=message)]


def deleted_faults(rows: pl.DataFrame) -> list[Fault]:
    """`deleted-row`: DEL and nothing else, or neither DEL nor everything else empty."""
    gone, bare = _gone(), _bare()
    half = cell_faults(rows.filter(gone & ~bare), "customer", rule="deleted-row", wrong=_LEFT)
    return half + cell_faults(
        rows.filter(~gone & bare), "customer", rule="deleted-row", wrong=_EMPTY
    )


def standing(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows whose cells can be judged: neither deleted nor half deleted."""
    return rows.filter(~_gone() & ~_bare())


def _gone() -> pl.Expr:
    return pl.col("customer") == DELETED


def _bare() -> pl.Expr:
    return pl.all_horizontal(pl.col(OTHERS) == "")
