"""Rules about items: plain, `*`, or a set `{x;y}` with the true item among known ones.

A cell that is the name of an item of the original is plain, whatever signs the name holds.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW, STAR, cell_fault, cell_faults

MOST_MEMBERS = 100
_SET = r"^\{((?s:.*))\}$"
_FORM = Text(
    "is neither an item nor * nor a set {x;y}", "は商品でも * でも集合 {x;y} でもありません"
)
_EMPTY = Text("is a set with an empty member or none", "は空の要素がある、または要素のない集合です")
_REPEATED = Text("is a set that holds an item twice", "は同じ商品が重複している集合です")
_SIZE = Text(
    f"is a set of more than {MOST_MEMBERS} items", f"は商品が {MOST_MEMBERS} 種類を超える集合です"
)
_TRUTH = Text(
    "does not hold the true item of that row of the original",
    "には元データのその行の商品が含まれていません",
)


def item_faults(rows: pl.DataFrame, names: pl.Series) -> list[Fault]:
    """`item-form`, `set-empty`, `set-repeated`, `set-size`, `unknown-item`, `true-value`.

    `names` are the items of the original; a row's own is in the column `true_item`.
    """
    rows = rows.filter(pl.col("item") != STAR)
    known = pl.col("item").is_in(names.implode())
    inside = pl.col("item").str.extract(_SET, 1)
    cells = rows.select(pl.col("item").unique()).select(
        "item", known=known, inside=pl.when(~known).then(inside)
    )
    members = (
        cells.filter(pl.col("inside").is_not_null())
        .select("item", member=pl.col("inside").str.split(";"))
        .explode("member")
    )
    return [
        *_form_faults(rows, cells),
        *_set_faults(rows, members),
        *_unknown_faults(rows, cells, members, names),
        *_truth_faults(rows, cells, members),
    ]


def _formless() -> pl.Expr:
    """Neither a known item nor a set, and nothing that could be an item's name."""
    return pl.col("item").str.contains("^$|[;{}]") & pl.col("inside").is_null() & ~pl.col("known")


def _form_faults(rows: pl.DataFrame, cells: pl.DataFrame) -> list[Fault]:
    bad = rows.join(cells.filter(_formless()), on="item", how="semi")
    return cell_faults(bad, "item", rule="item-form", wrong=_FORM)


def _set_faults(rows: pl.DataFrame, members: pl.DataFrame) -> list[Fault]:
    member = pl.col("member")
    filled = member.filter(member != "")
    found = {
        "set-empty": ((member == "").any(), _EMPTY),
        "set-repeated": (filled.n_unique() < filled.len(), _REPEATED),
        "set-size": (filled.n_unique() > MOST_MEMBERS, _SIZE),
    }
    sets = members.group_by("item").agg(broken.alias(rule) for rule, (broken, _) in found.items())
    return [
        fault
        for rule, (_, wrong) in found.items()
        for fault in cell_faults(
            rows.join(sets.filter(rule), on="item", how="semi"), "item", rule=rule, wrong=wrong
        )
    ]


def _unknown_faults(
    rows: pl.DataFrame, cells: pl.DataFrame, members: pl.DataFrame, names: pl.Series
) -> list[Fault]:
    plain = cells.filter(~pl.col("known") & pl.col("inside").is_null() & ~_formless())
    named = pl.concat([members, plain.select("item", member="item")])
    strange = (
        named.filter((pl.col("member") != "") & ~pl.col("member").is_in(names.implode()))
        .group_by("item")
        .agg(pl.col("member").min())
    )
    bad = rows.join(strange, on="item").select(ROW, "item", "member")
    return [_unknown_fault(row, cell, member) for row, cell, member in bad.iter_rows()]


def _unknown_fault(row: int, cell: str, member: str) -> Fault:
    wrong = Text("is not an item of the original", "は元データにない商品です")
    if cell != member:
        wrong = Text(
            f"holds '{member}', which is not an item of the original",
            f"には元データにない商品 '{member}' が含まれています",
        )
    return cell_fault(row, "item", cell, rule="unknown-item", wrong=wrong)


def _truth_faults(rows: pl.DataFrame, cells: pl.DataFrame, members: pl.DataFrame) -> list[Fault]:
    plain = cells.filter("known").select("item", member="item")
    holding = pl.concat([members, plain])
    judged = rows.filter(pl.col("true_item").is_not_null()).join(holding, on="item", how="semi")
    bad = judged.join(
        holding, left_on=("item", "true_item"), right_on=("item", "member"), how="anti"
    )
    return cell_faults(bad, "item", rule="true-value", wrong=_TRUTH)
