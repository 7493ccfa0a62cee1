"""Normalizations: each a rule with a name, a count and a switch; never silent.

They are applied where cells are compared, generalized or measured; the cells of a file stay as
they came. `--no-normalize RULE` switches one off, `all` every one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import polars as pl

from tokumei.core.errors import UnknownNameError
from tokumei.core.text import Text
from tokumei.core.written.dates import Style
from tokumei.tables.look.column_cells import ColumnCells

RULES = {
    "nfkc": Text("full-width and half-width forms made one", "全角・半角の統一"),
    "thousands": Text("separators of thousands taken out", "桁区切りの除去"),
    "decimal-comma": Text("decimal commas read as points", "小数点のコンマを点として読む"),
    "currency": Text("signs of money taken off", "通貨記号・円の除去"),
    "unit": Text("units taken off", "単位の除去"),
    "negative": Text("▲, △ and brackets read as minus", "▲・△・括弧を負数として読む"),
    "integer-as-float": Text("3.0 read as 3", "3.0 を 3 として読む"),
    "missing": Text("marks of missing values read as missing", "欠損を表す記号・語を欠損とする"),
    "era": Text("Japanese eras read as years", "和暦を西暦として読む"),
    "date": Text("dates in other forms read as dates", "様々な書き方の日付を読む"),
    "postal": Text("postal codes written alike", "郵便番号の書き方の統一"),
    "phone": Text("telephone numbers compared by digits", "電話番号を数字だけで比べる"),
    "excel-serial": Text("Excel's numbers of days read as dates", "Excel の日付番号を日付とする"),
    "bom": Text("the byte order mark left out", "BOM の除外"),
    "title-rows": Text("title lines left out", "表題の行の除外"),
    "total-row": Text("total and remark lines left out", "合計・注記の行の除外"),
}
"""What every rule does."""


def switched_off(names: Iterable[str]) -> frozenset[str]:
    """The rules that are off, `all` meaning every one; fails on a name that is none."""
    given = [name for name in names if name]
    for name in given:
        if name != "all" and name not in RULES:
            raise UnknownNameError(Text("rule", "規則"), name, ["all", *RULES])
    return frozenset(RULES) if "all" in given else frozenset(given)


def count_rules(cells: ColumnCells, kind: str, type: str, style: Style) -> dict[str, int]:
    """How many cells of a column each rule would touch; rules that touch none are left out."""
    of_all: dict[str, pl.Series] = {}
    if "nfkc" not in cells.off:
        of_all["nfkc"] = cells.raw != cells.text
    if "missing" not in cells.off:
        of_all["missing"] = cells.missing & (cells.text != "")
    counts = {rule: int(cells.counts.filter(mask).sum()) for rule, mask in of_all.items()}
    for rule, mask in _of_values(cells, kind, type, style).items():
        counts[rule] = int(cells.weights.filter(mask).sum())
    return {rule: counts[rule] for rule in RULES if counts.get(rule)}


def _of_values(cells: ColumnCells, kind: str, type: str, style: Style) -> Mapping[str, pl.Series]:
    """Which filled cells each rule touches."""
    if kind == "numeric":
        return cells.numbers.touched
    if kind == "date":
        read = cells.days(style)["rule"]
        return {rule: read == rule for rule in ("era", "date", "excel-serial")}
    if type == "postal" and "postal" not in cells.off:
        usual = cells.filled.str.contains(r"^\d{3}-\d{4}$")
        return {"postal": ~usual & cells.filled.str.contains(r"^〒?\d{1,3}-?\d{1,4}$|^\d{5,7}$")}
    if type == "phone" and "phone" not in cells.off:
        return {"phone": ~cells.filled.str.contains(r"^\d+$")}
    return {}
