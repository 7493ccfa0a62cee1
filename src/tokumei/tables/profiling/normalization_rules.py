"""Normalization rules, each with a name, a count and a switch.

They are applied where cells are compared, generalized or measured; the cells of a file stay as
they came. `--no-normalize RULE` switches one off, `all` every one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import polars as pl

from tokumei.core.errors import UnknownNameError
from tokumei.core.messages import Message
from tokumei.core.parsing.dates import DateStyle
from tokumei.tables.profiling.column_cells import ColumnCells

NORMALIZATION_RULES = {
    "nfkc": Message("full-width and half-width forms made one", "全角・半角の統一"),
    "thousands": Message("separators of thousands taken out", "桁区切りの除去"),
    "decimal-comma": Message("decimal commas read as points", "小数点のコンマを点として読む"),
    "currency": Message("signs of money taken off", "通貨記号・円の除去"),
    "unit": Message("units taken off", "単位の除去"),
    "negative": Message("▲, △ and brackets read as minus", "▲・△・括弧を負数として読む"),
    "integer-as-float": Message("3.0 read as 3", "3.0 を 3 として読む"),
    "missing": Message("marks of missing values read as missing", "欠損を表す記号・語を欠損とする"),
    "era": Message("Japanese eras read as years", "和暦を西暦として読む"),
    "date": Message("dates in other forms read as dates", "様々な書き方の日付を読む"),
    "postal": Message("postal codes written alike", "郵便番号の書き方の統一"),
    "phone": Message("telephone numbers compared by digits", "電話番号を数字だけで比べる"),
    "excel-serial": Message(
        "Excel's numbers of days read as dates", "Excel の日付番号を日付とする"
    ),
    "bom": Message("the byte order mark left out", "BOM の除外"),
    "title-rows": Message("title lines left out", "表題の行の除外"),
    "total-row": Message("total and remark lines left out", "合計・注記の行の除外"),
}
"""What every rule does."""


def parse_disabled_rules(names: Iterable[str]) -> frozenset[str]:
    """The rules that are off, `all` meaning every one; fails on a name that is none."""
    rule_names = [name for name in names if name]
    for name in rule_names:
        if name != "all" and name not in NORMALIZATION_RULES:
            raise UnknownNameError(Message("rule", "規則"), name, ["all", *NORMALIZATION_RULES])
    return frozenset(NORMALIZATION_RULES) if "all" in rule_names else frozenset(rule_names)


def count_normalizations(
    cells: ColumnCells, kind: str, type: str, style: DateStyle
) -> dict[str, int]:
    """How many cells of a column each rule would touch; rules that touch none are left out."""
    cell_masks: dict[str, pl.Series] = {}
    if "nfkc" not in cells.off:
        cell_masks["nfkc"] = cells.raw != cells.text
    if "missing" not in cells.off:
        cell_masks["missing"] = cells.missing & (cells.text != "")
    counts = {rule: int(cells.counts.filter(mask).sum()) for rule, mask in cell_masks.items()}
    for rule, mask in _touched_cells(cells, kind, type, style).items():
        counts[rule] = int(cells.weights.filter(mask).sum())
    return {rule: counts[rule] for rule in NORMALIZATION_RULES if counts.get(rule)}


def _touched_cells(
    cells: ColumnCells, kind: str, type: str, style: DateStyle
) -> Mapping[str, pl.Series]:
    """Which filled cells each rule touches."""
    if kind == "numeric":
        return cells.numbers.touched
    if kind == "date":
        parse_rules = cells.days(style)["rule"]
        return {rule: parse_rules == rule for rule in ("era", "date", "excel-serial")}
    if type == "postal" and "postal" not in cells.off:
        is_standard = cells.filled.str.contains(r"^\d{3}-\d{4}$")
        return {
            "postal": ~is_standard & cells.filled.str.contains(r"^〒?\d{1,3}-?\d{1,4}$|^\d{5,7}$")
        }
    if type == "phone" and "phone" not in cells.off:
        return {"phone": ~cells.filled.str.contains(r"^\d+$")}
    return {}
