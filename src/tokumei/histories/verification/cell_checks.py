"""Checks cells: numbers plain, `*` or `[a;b]` with the true one; items plain, `*` or `{x;y}`.

Values are whole numbers (days, millionths of the currency unit, pieces), so that 2.50 is 2.5 and
nothing is rounded. A cell that is the name of an item of the original is plain, whatever signs the
name holds.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Violation
from tokumei.core.messages import Message
from tokumei.files.contest_violations import (
    ROW_COLUMN,
    SUPPRESSED_CELL,
    contest_cell_violation,
    contest_cell_violations,
)

PRICE_DECIMALS = 6
_DAY_PATTERN = "^[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}$"
_PRICE_PATTERN = r"^-?([0-9]{1,12})(?:\.([0-9]{1,6}))?$"
_QUANTITY_PATTERN = "^-?[0-9]{1,15}$"
_FORM_ERRORS = {
    "day": Message(
        "'{cell}' is neither a day such as 2011/1/31 nor * nor an interval [2011/1/1;2011/1/31]"
    ),
    "price": Message(
        "'{cell}' is neither a price such as 2.95 (at most {decimals} decimals) nor * nor an "
        "interval [0.85;2.95]"
    ).fill(decimals=PRICE_DECIMALS),
    "quantity": Message("'{cell}' is neither a whole number nor * nor an interval [1;12]"),
}
_ORDER_ERROR = Message("'{cell}' is an interval whose ends are the wrong way round")
_TRUTH_ERROR = Message("'{cell}' does not contain the true value of that row of the original")


def number_cell_violations(rows: pl.DataFrame, column: str, like: str = "") -> list[Violation]:
    """`day-form` (and so on), `interval-order`, `true-value`.

    The true values are in the column `true_day` (and so on), null where they are not known. `like`
    is the column in whose form the cells are written, if not this one.
    """
    like = like or column
    rows = rows.filter(pl.col(column) != SUPPRESSED_CELL)
    if rows.is_empty():
        return []
    parsed = rows.join(_parse_interval_numbers(rows[column].unique(), like), on=column, how="left")
    low, high, true = pl.col("low"), pl.col("high"), pl.col(f"true_{column}")
    formless = low.is_null() | high.is_null()
    checks = (
        (f"{like}-form", formless, _FORM_ERRORS[like]),
        ("interval-order", low > high, _ORDER_ERROR),
        ("true-value", (low <= high) & ((true < low) | (true > high)), _TRUTH_ERROR),
    )
    return [
        fault
        for rule, broken, message in checks
        for fault in contest_cell_violations(
            parsed.filter(broken), column, rule=rule, wrong=message
        )
    ]


def _interval_ends(cells: pl.Series) -> pl.DataFrame:
    """Both ends of the cells as text; a plain cell is both of its own."""
    cell = pl.col(cells.name)
    single = cell.str.count_matches(";", literal=True) == 1
    general = cell.str.starts_with("[") & cell.str.ends_with("]") & single
    ends = cell.str.slice(1).str.head(-1).str.split_exact(";", 1)
    low, high = (pl.when(general).then(ends.struct[end]).otherwise(cell) for end in (0, 1))
    return cells.to_frame().select(cell, low=low, high=high)


def _parse_interval_numbers(cells: pl.Series, like: str) -> pl.DataFrame:
    """Both ends of the cells as numbers, null where they are none."""
    ends = _interval_ends(cells)
    distinct = pl.concat([ends["low"], ends["high"].alias("low")]).unique()
    values = distinct.to_frame().select(_parse_number(pl.col("low"), like)).to_series()
    parsed = pl.col("low", "high").replace_strict(distinct, values, return_dtype=pl.Int64)
    return ends.with_columns(parsed)


def _parse_number(text: pl.Expr, column: str) -> pl.Expr:
    if column == "day":
        day = pl.when(text.str.contains(_DAY_PATTERN)).then(text)
        days = day.str.strptime(pl.Date, "%Y/%m/%d", strict=False)
        return days.cast(pl.Int32).cast(pl.Int64)
    if column == "quantity":
        return pl.when(text.str.contains(_QUANTITY_PATTERN)).then(text).cast(pl.Int64)
    whole = text.str.extract(_PRICE_PATTERN, 1).cast(pl.Int64) * 10**PRICE_DECIMALS
    decimals = text.str.extract(_PRICE_PATTERN, 2).fill_null("")
    part = decimals.str.pad_end(PRICE_DECIMALS, "0").cast(pl.Int64)
    return pl.when(text.str.starts_with("-")).then(-(whole + part)).otherwise(whole + part)


MAX_SET_MEMBERS = 100
_SET_PATTERN = r"^\{((?s:.*))\}$"
_ITEM_FORM_ERROR = Message("'{cell}' is neither an item nor * nor a set {{x;y}}")
_EMPTY_MEMBER_ERROR = Message("'{cell}' is a set with an empty member or none")
_REPEATED_MEMBER_ERROR = Message("'{cell}' is a set that contains an item twice")
_SET_SIZE_ERROR = Message("'{cell}' is a set of more than {limit} items").fill(
    limit=MAX_SET_MEMBERS
)
_TRUE_ITEM_ERROR = Message("'{cell}' does not contain the true item of that row of the original")


def item_cell_violations(
    rows: pl.DataFrame, names: pl.Series, column: str = "item"
) -> list[Violation]:
    """`item-form`, `set-empty`, `set-repeated`, `set-size`, `unknown-item`, `true-value`.

    `names` are the items of the original; a row's own is in the column `true_item`. So it is of
    another column that is like the items.
    """
    cell, true = pl.col(column).alias("item"), pl.col(f"true_{column}").alias("true_item")
    rows = rows.select(ROW_COLUMN, cell, true).filter(pl.col("item") != SUPPRESSED_CELL)
    known = pl.col("item").is_in(names.implode())
    inside = pl.col("item").str.extract(_SET_PATTERN, 1)
    cells = rows.select(pl.col("item").unique()).select(
        "item", known=known, inside=pl.when(~known).then(inside)
    )
    members = (
        cells.filter(pl.col("inside").is_not_null())
        .select("item", member=pl.col("inside").str.split(";"))
        .explode("member")
    )
    formless = rows.join(cells.filter(_is_malformed_item()), on="item", how="semi")
    return [
        *_cell_violations(
            column, ("item-form", formless, _ITEM_FORM_ERROR), *_broken_set_rules(rows, members)
        ),
        *_unknown_item_violations(rows, cells, members, names, column),
        *_cell_violations(
            column, ("true-value", _cells_without_true_item(rows, cells, members), _TRUE_ITEM_ERROR)
        ),
    ]


def _is_malformed_item() -> pl.Expr:
    """Neither a known item nor a set, and nothing that could be an item's name."""
    return pl.col("item").str.contains("^$|[;{}]") & pl.col("inside").is_null() & ~pl.col("known")


_BrokenRule = tuple[str, pl.DataFrame, Message]
"""A rule, the rows that break it, and what is wrong with them."""


def _cell_violations(column: str, *broken: _BrokenRule) -> list[Violation]:
    return [
        fault
        for rule, broken_rows, message in broken
        for fault in contest_cell_violations(
            broken_rows.rename({"item": column}), column, rule=rule, wrong=message
        )
    ]


def _broken_set_rules(rows: pl.DataFrame, members: pl.DataFrame) -> list[_BrokenRule]:
    member = pl.col("member")
    filled = member.filter(member != "")
    checks = {
        "set-empty": ((member == "").any(), _EMPTY_MEMBER_ERROR),
        "set-repeated": (filled.n_unique() < filled.len(), _REPEATED_MEMBER_ERROR),
        "set-size": (filled.n_unique() > MAX_SET_MEMBERS, _SET_SIZE_ERROR),
    }
    sets = members.group_by("item").agg(broken.alias(rule) for rule, (broken, _) in checks.items())
    return [
        (rule, rows.join(sets.filter(rule), on="item", how="semi"), message)
        for rule, (_, message) in checks.items()
    ]


def _unknown_item_violations(
    rows: pl.DataFrame, cells: pl.DataFrame, members: pl.DataFrame, names: pl.Series, column: str
) -> list[Violation]:
    plain = cells.filter(~pl.col("known") & pl.col("inside").is_null() & ~_is_malformed_item())
    named_items = pl.concat([members, plain.select("item", member="item")])
    unknown = (
        named_items.filter((pl.col("member") != "") & ~pl.col("member").is_in(names.implode()))
        .group_by("item")
        .agg(pl.col("member").min())
    )
    faults = []
    for row, cell, member in (
        rows.join(unknown, on="item").select(ROW_COLUMN, "item", "member").iter_rows()
    ):
        message = Message("'{cell}' is not an item of the original")
        if cell != member:
            message = Message("'{cell}' contains '{member}', which is not an item of the original")
        message = message.fill(member=member)
        faults.append(contest_cell_violation(row, column, cell, rule="unknown-item", wrong=message))
    return faults


def _cells_without_true_item(
    rows: pl.DataFrame, cells: pl.DataFrame, members: pl.DataFrame
) -> pl.DataFrame:
    plain = cells.filter("known").select("item", member="item")
    holding = pl.concat([members, plain])
    judged = rows.filter(pl.col("true_item").is_not_null()).join(holding, on="item", how="semi")
    return judged.join(
        holding, left_on=("item", "true_item"), right_on=("item", "member"), how="anti"
    )
