"""Rules about cells: numbers plain, `*` or `[a;b]` with the true one, items plain, `*` or `{x;y}`.

Values are whole numbers (days, millionths of the currency unit, pieces), so that 2.50 is 2.5 and
nothing is rounded. A cell that is the name of an item of the original is plain, whatever signs the
name holds.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import ROW, STAR, cell_fault, cell_faults

PRICE_DECIMALS = 6
_DAY = "^[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}$"
_PRICE = r"^-?([0-9]{1,12})(?:\.([0-9]{1,6}))?$"
_QUANTITY = "^-?[0-9]{1,15}$"
_FORMS = {
    "day": Text(
        "is neither a day such as 2011/1/31 nor * nor an interval [2011/1/1;2011/1/31]",
        "は 2011/1/31 のような日付でも * でも区間 [2011/1/1;2011/1/31] でもありません",
    ),
    "price": Text(
        f"is neither a price such as 2.95 (at most {PRICE_DECIMALS} decimals) nor * nor an "
        "interval [0.85;2.95]",
        f"は 2.95 のような価格 (小数 {PRICE_DECIMALS} 桁まで) でも * でも"
        "区間 [0.85;2.95] でもありません",
    ),
    "quantity": Text(
        "is neither a whole number nor * nor an interval [1;12]",
        "は整数でも * でも区間 [1;12] でもありません",
    ),
}
_ORDER = Text("is an interval whose ends are the wrong way round", "は区間の両端が逆です")
_TRUTH = Text(
    "does not hold the true value of that row of the original",
    "には元データのその行の値が含まれていません",
)


def number_faults(rows: pl.DataFrame, column: str, like: str = "") -> list[Fault]:
    """`day-form` (and so on), `interval-order`, `true-value`.

    The true values are in the column `true_day` (and so on), null where they are not known. `like`
    is the column in whose form the cells are written, if not this one.
    """
    like = like or column
    rows = rows.filter(pl.col(column) != STAR)
    if rows.is_empty():
        return []
    read = rows.join(_numbers(rows[column].unique(), like), on=column, how="left")
    low, high, true = pl.col("low"), pl.col("high"), pl.col(f"true_{column}")
    formless = low.is_null() | high.is_null()
    found = (
        (f"{like}-form", formless, _FORMS[like]),
        ("interval-order", low > high, _ORDER),
        ("true-value", (low <= high) & ((true < low) | (true > high)), _TRUTH),
    )
    return [
        fault
        for rule, broken, wrong in found
        for fault in cell_faults(read.filter(broken), column, rule=rule, wrong=wrong)
    ]


def _ends(cells: pl.Series) -> pl.DataFrame:
    """Both ends of the cells as text; a plain cell is both of its own."""
    cell = pl.col(cells.name)
    single = cell.str.count_matches(";", literal=True) == 1
    general = cell.str.starts_with("[") & cell.str.ends_with("]") & single
    ends = cell.str.slice(1).str.head(-1).str.split_exact(";", 1)
    low, high = (pl.when(general).then(ends.struct[end]).otherwise(cell) for end in (0, 1))
    return cells.to_frame().select(cell, low=low, high=high)


def _numbers(cells: pl.Series, like: str) -> pl.DataFrame:
    """Both ends of the cells as numbers, null where they are none."""
    ends = _ends(cells)
    distinct = pl.concat([ends["low"], ends["high"].alias("low")]).unique()
    values = distinct.to_frame().select(_value(pl.col("low"), like)).to_series()
    read = pl.col("low", "high").replace_strict(distinct, values, return_dtype=pl.Int64)
    return ends.with_columns(read)


def _value(text: pl.Expr, column: str) -> pl.Expr:
    if column == "day":
        day = pl.when(text.str.contains(_DAY)).then(text)
        days = day.str.strptime(pl.Date, "%Y/%m/%d", strict=False)
        return days.cast(pl.Int32).cast(pl.Int64)
    if column == "quantity":
        return pl.when(text.str.contains(_QUANTITY)).then(text).cast(pl.Int64)
    whole = text.str.extract(_PRICE, 1).cast(pl.Int64) * 10**PRICE_DECIMALS
    decimals = text.str.extract(_PRICE, 2).fill_null("")
    part = decimals.str.pad_end(PRICE_DECIMALS, "0").cast(pl.Int64)
    return pl.when(text.str.starts_with("-")).then(-(whole + part)).otherwise(whole + part)


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
_TRUE_ITEM = Text(
    "does not hold the true item of that row of the original",
    "には元データのその行の商品が含まれていません",
)


def item_faults(rows: pl.DataFrame, names: pl.Series, column: str = "item") -> list[Fault]:
    """`item-form`, `set-empty`, `set-repeated`, `set-size`, `unknown-item`, `true-value`.

    `names` are the items of the original; a row's own is in the column `true_item`. So it is of
    another column that is like the items.
    """
    cell, true = pl.col(column).alias("item"), pl.col(f"true_{column}").alias("true_item")
    rows = rows.select(ROW, cell, true).filter(pl.col("item") != STAR)
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
    formless = rows.join(cells.filter(_formless()), on="item", how="semi")
    return [
        *_faults(column, ("item-form", formless, _FORM), *_broken_sets(rows, members)),
        *_unknown_faults(rows, cells, members, names, column),
        *_faults(column, ("true-value", _untrue_cells(rows, cells, members), _TRUE_ITEM)),
    ]


def _formless() -> pl.Expr:
    """Neither a known item nor a set, and nothing that could be an item's name."""
    return pl.col("item").str.contains("^$|[;{}]") & pl.col("inside").is_null() & ~pl.col("known")


_Broken = tuple[str, pl.DataFrame, Text]
"""A rule, the rows that break it, and what is wrong with them."""


def _faults(column: str, *broken: _Broken) -> list[Fault]:
    return [
        fault
        for rule, bad, wrong in broken
        for fault in cell_faults(bad.rename({"item": column}), column, rule=rule, wrong=wrong)
    ]


def _broken_sets(rows: pl.DataFrame, members: pl.DataFrame) -> list[_Broken]:
    member = pl.col("member")
    filled = member.filter(member != "")
    found = {
        "set-empty": ((member == "").any(), _EMPTY),
        "set-repeated": (filled.n_unique() < filled.len(), _REPEATED),
        "set-size": (filled.n_unique() > MOST_MEMBERS, _SIZE),
    }
    sets = members.group_by("item").agg(broken.alias(rule) for rule, (broken, _) in found.items())
    return [
        (rule, rows.join(sets.filter(rule), on="item", how="semi"), wrong)
        for rule, (_, wrong) in found.items()
    ]


def _unknown_faults(
    rows: pl.DataFrame, cells: pl.DataFrame, members: pl.DataFrame, names: pl.Series, column: str
) -> list[Fault]:
    plain = cells.filter(~pl.col("known") & pl.col("inside").is_null() & ~_formless())
    named = pl.concat([members, plain.select("item", member="item")])
    strange = (
        named.filter((pl.col("member") != "") & ~pl.col("member").is_in(names.implode()))
        .group_by("item")
        .agg(pl.col("member").min())
    )
    faults = []
    for row, cell, member in (
        rows.join(strange, on="item").select(ROW, "item", "member").iter_rows()
    ):
        wrong = Text("is not an item of the original", "は元データにない商品です")
        if cell != member:
            wrong = Text(
                f"holds '{member}', which is not an item of the original",
                f"には元データにない商品 '{member}' が含まれています",
            )
        faults.append(cell_fault(row, column, cell, rule="unknown-item", wrong=wrong))
    return faults


def _untrue_cells(rows: pl.DataFrame, cells: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    plain = cells.filter("known").select("item", member="item")
    holding = pl.concat([members, plain])
    judged = rows.filter(pl.col("true_item").is_not_null()).join(holding, on="item", how="semi")
    return judged.join(
        holding, left_on=("item", "true_item"), right_on=("item", "member"), how="anti"
    )
