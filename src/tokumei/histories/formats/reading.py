"""Purchase histories from files, and what a file can hold of them.

    history = read_history("T.csv", format="pws2018")
    history = read_history("sales.csv", columns={"customer": "CustomerID", "day": "Date"})
    general = read_general("A.csv", history)

    history = read_history("T.csv", format="pws2017", master="M.csv")      # a PeriodHistory

`pws2018` files have no header: cid,yyyy/m/d,item,price,quantity. `pws2017` files neither:
cid,invoice,yyyy/m/d,h:mm,item,price,quantity, and the customers in a file of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Literal, overload

import polars as pl

from tokumei.core.cell_faults import cell_fault
from tokumei.core.cells import STAR
from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError, UnknownNameError, UsageError
from tokumei.core.text import Text
from tokumei.files.containers import MAX_BYTES, AnyPath, input_error
from tokumei.files.contest_text import ContestText, read_contest
from tokumei.files.reading import load, read_frame
from tokumei.histories.data.cell_text import PATTERNS, parse_general
from tokumei.histories.data.general import GeneralHistory
from tokumei.histories.data.history import COLUMNS, NUMBERS, History
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.formats.pws2017 import read_period_history

if TYPE_CHECKING:
    from tokumei.histories.formats.online_retail import Cleaned

FORMATS = ("table", "pws2018", "online-retail")
PERIODS = "pws2017"
GUESS_COLUMNS = ("pid", "cid")

_IMPOSSIBLE = {
    "pws2018": (r'[,;{}"\r\n]', Text(', ; { } " or a line break', ', ; { } " や改行')),
    "table": (r"[;{}]", Text("; { or }", "; { }")),
}
_STRICT = {
    "day": Text(
        "is not a date such as 2011/1/31 (pws2018)", "は 2011/1/31 のような日付ではありません"
    ),
    "price": Text("is not a price such as 2.95", "は 2.95 のような価格ではありません"),
    "quantity": Text("is not a whole number", "は整数ではありません"),
}


@overload
def read_history(
    path: AnyPath, *, format: Literal["pws2017"], master: AnyPath, encoding: str = "auto"
) -> PeriodHistory: ...


@overload
def read_history(
    path: AnyPath,
    *,
    format: str = "table",
    columns: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
) -> History: ...


def read_history(
    path: AnyPath,
    *,
    format: str = "table",
    master: AnyPath | None = None,
    columns: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
) -> History | PeriodHistory:
    """The purchases in a file; all cells that cannot be read are listed.

    `columns` names the columns of a `table` that are not called customer, day, item, price,
    quantity. `online-retail` is the public data set, cleaned (see `read_online_retail`). `pws2017`
    needs the `master`: the file of the customers.
    """
    if format == PERIODS and master is not None:
        return read_period_history(path, master, encoding=encoding)
    if format == PERIODS or master is not None:
        raise UsageError(
            Text(
                "format 'pws2017' and a file of customers (master) go together",
                "形式 'pws2017' と顧客ファイル (master) は一緒に指定してください",
            )
        )
    require_options(format, columns or {}, sep)
    if format == "pws2018":
        return contest_history(read_contest(path, COLUMNS, encoding=encoding), where=path)
    if format == "online-retail":
        return read_online_retail(path, sep=sep, encoding=encoding)[0]
    loaded = load(path, sep, encoding, MAX_BYTES)
    return History.of(loaded.frame, where=str(path), line_of=loaded.line_of, **(columns or {}))


def read_online_retail(
    path: AnyPath,
    *,
    keep: Collection[str] = (),
    also: Collection[str] = (),
    sep: str | None = None,
    encoding: str = "auto",
) -> tuple[History, Cleaned]:
    """The Online Retail data set as purchases, and what cleaning removed by which rule."""
    from tokumei.histories.formats.online_retail import clean_online_retail

    frame = read_frame(path, sep=sep, encoding=encoding)
    cleaned = clean_online_retail(frame, keep=keep, also=also)
    return History.of(cleaned.purchases, items=cleaned.items, where=str(path)), cleaned


def contest_history(text: ContestText, *, where: AnyPath = "") -> History:
    """The lines of a pws2018 file as purchases; strict in what the format allows."""
    text.require_regular(where)
    wrong = {name: _wrong(text.frame[name], name) for name in NUMBERS}
    total = sum(len(rows) for rows in wrong.values())
    if total:
        faults = [
            _strict_fault(text, name, row)
            for name, rows in wrong.items()
            for row in rows[:FAULTS_SHOWN]
        ]
        faults.sort(key=lambda fault: fault.line or 0)
        raise input_error(where, _unreadable(total), faults=faults, total=total)
    return History.of(text.frame, where=str(where), line_of=text.line_of)


def read_general(path: AnyPath, original: History, *, encoding: str = "auto") -> GeneralHistory:
    """A row-aligned release (A) of `original`; the rule checker tells whether it keeps the rules.

    Cells that are none count as `*`.
    """
    text = read_contest(path, COLUMNS, encoding=encoding)
    text.require_regular(path)
    if text.rows != original.rows:
        reason = Text(
            f"{text.rows} row(s), but the original has {original.rows}",
            f"{text.rows} 行ありますが、元データは {original.rows} 行です",
        )
        raise input_error(path, reason)
    return parse_general(text.frame, original.item_names, decimals=original.decimals)


def read_public(path: AnyPath, *, encoding: str = "auto") -> pl.DataFrame:
    """A public release (A′) as text cells."""
    text = read_contest(path, COLUMNS, encoding=encoding)
    text.require_regular(path)
    return text.frame


def read_guess(path: AnyPath, *, encoding: str = "auto") -> ContestText:
    """An attacker's lines `pid,cid`, as they are: `check_guess` tells what is wrong with them."""
    return read_contest(path, GUESS_COLUMNS, encoding=encoding)


def require_writable(history: History, format: str) -> None:
    """Fail, listing them, if items have names that a file of generalized cells cannot hold."""
    pattern, signs = _IMPOSSIBLE["pws2018" if format == "pws2018" else "table"]
    names = history.item_names
    bad = names.filter(names.str.contains(pattern) | (names == STAR))
    if not len(bad):
        return
    reason = Text(
        f"{len(bad)} item(s) cannot be written in this format: their names hold {signs.en}, or "
        "are '*'. Map items to codes or categories first",
        f"この形式で書けない商品名が {len(bad)} 種類あります ({signs.ja} を含むか、'*' です)。"
        "先に商品をコードかカテゴリーに置き換えてください",
    )
    faults = [_item_fault(name) for name in bad.head(FAULTS_SHOWN)]
    raise InputError(reason, faults=faults, total=len(bad))


def require_options(format: str, columns: Mapping[str, str], sep: str | None) -> None:
    """Fail on options that do not go with a format."""
    if format not in FORMATS:
        raise UnknownNameError(Text("format of histories", "履歴の形式"), format, FORMATS)
    for own in columns:
        if own not in COLUMNS:
            raise UnknownNameError(Text("column of a history", "履歴の列"), own, COLUMNS)
    if columns and format != "table":
        raise UsageError(
            Text(
                f"the columns of format '{format}' are fixed; names are for format 'table'",
                f"形式 '{format}' の列は決まっています。列名は形式 'table' でだけ指定できます",
            )
        )
    if sep not in (None, ",") and format == "pws2018":
        raise UsageError(
            Text(
                "the separator of format 'pws2018' is always a comma",
                "形式 'pws2018' の区切り文字は常にコンマです",
            )
        )


def _wrong(text: pl.Series, name: str) -> list[int]:
    good = text.str.contains(PATTERNS[name]).fill_null(False)
    if name == "day":
        good &= text.str.strptime(pl.Date, "%Y/%m/%d", strict=False).is_not_null()
    return (~good).arg_true().to_list()


def _strict_fault(text: ContestText, name: str, row: int) -> Fault:
    wrong = _STRICT[name]
    return cell_fault(text.frame[name], row, text.line_of, rule=f"history-{name}", wrong=wrong)


def _unreadable(total: int) -> Text:
    return Text(
        f"{total} cell(s) cannot be read as purchases", f"読めないセルが {total} 個あります"
    )


def _item_fault(name: str) -> Fault:
    return Fault(rule="item-name", column="item", message=Text(f"item {name!r}", f"商品 {name!r}"))
