"""Rules about single cells of a release of 2017: what each column may hold."""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import cell_faults

_NAME = "^[A-Za-z0-9_-]+$"
_DAY = "^[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}$"
_TIME = "^(?:[01]?[0-9]|2[0-3]):[0-5][0-9]$"
_PRICE = r"^[0-9]{1,5}(?:\.[0-9]{1,2})?$"
_QUANTITY = "^[0-9]{1,6}$"

_FORMS = {
    "customer": (
        "pseudonym-form",
        _NAME,
        Text(
            "is not a pseudonym: letters A–Z, a–z, digits, _ and - only",
            "は仮名ではありません。英数字と _ と - だけで書いてください",
        ),
    ),
    "invoice": (
        "invoice-form",
        _NAME,
        Text(
            "is not an invoice number: letters A–Z, a–z, digits, _ and - only",
            "は伝票番号ではありません。英数字と _ と - だけで書いてください",
        ),
    ),
    "time": (
        "time-form",
        _TIME,
        Text("is not a time such as 9:05", "は 9:05 のような時刻ではありません"),
    ),
    "price": (
        "price-form",
        _PRICE,
        Text(
            "is not a price: at most 5 digits, and at most 2 decimals after a point",
            "は価格ではありません。整数部 5 桁以内、小数部 2 桁以内で書いてください",
        ),
    ),
    "quantity": (
        "quantity-form",
        _QUANTITY,
        Text(
            "is not a quantity: 1 to 6 digits",
            "は数量ではありません。1〜6 桁の数字で書いてください",
        ),
    ),
}
_DAY_FORM = Text("is not a day such as 2011/1/31", "は 2011/1/31 のような日付ではありません")
_MONTH = Text(
    "is not in the month of that row of the original",
    "は元データのその行と同じ年月ではありません",
)
_ITEM = Text("is not an item of the original", "は元データにない商品です")


def form_faults(rows: pl.DataFrame) -> list[Fault]:
    """`pseudonym-form`, `invoice-form`, `time-form`, `price-form`, `quantity-form`."""
    return [
        fault
        for column, (rule, pattern, wrong) in _FORMS.items()
        for fault in cell_faults(
            rows.filter(~pl.col(column).str.contains(pattern)), column, rule=rule, wrong=wrong
        )
    ]


def day_faults(rows: pl.DataFrame) -> list[Fault]:
    """`day-form`: a day of the calendar; `same-month`: the month of the original's row.

    The original's days are in `true_day` (null where they are not known).
    """
    read = rows.with_columns(found=_date("day"), true=_date("true_day"))
    formless = read.filter(pl.col("found").is_null())
    found, true = pl.col("found").dt.month_start(), pl.col("true").dt.month_start()
    moved = read.filter(found != true)
    return [
        *cell_faults(formless, "day", rule="day-form", wrong=_DAY_FORM),
        *cell_faults(moved, "day", rule="same-month", wrong=_MONTH),
    ]


def item_faults(rows: pl.DataFrame, items: pl.Series) -> list[Fault]:
    """`unknown-item`: every item occurs in the original."""
    strange = rows.filter(~pl.col("item").is_in(items.unique().implode()))
    return cell_faults(strange, "item", rule="unknown-item", wrong=_ITEM)


def _date(column: str) -> pl.Expr:
    text = pl.when(pl.col(column).str.contains(_DAY)).then(pl.col(column))
    return text.str.strptime(pl.Date, "%Y/%m/%d", strict=False)
