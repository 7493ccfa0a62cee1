"""Coarser cells of purchases: months for days, groups of items for items."""

from __future__ import annotations

import polars as pl

from tokumei.core.generalized_cells import SUPPRESSED_CELL

START, END = r"^\[?(\d{4}-\d{2}-\d{2})", r"(\d{4}-\d{2}-\d{2})\]?$"


def widen_days(cells: pl.Series) -> pl.Series | None:
    """Every day, or interval of days, as the interval of its whole months; None: no days."""
    distinct = cells.unique()
    text = distinct.cast(pl.String)
    start, end = (
        text.str.extract(pattern).str.strptime(pl.Date, "%Y-%m-%d", strict=False)
        for pattern in (START, END)
    )
    spelled = pl.DataFrame({"text": text, "start": start, "end": end}).select(
        pl.when(pl.col("start").is_null() | pl.col("end").is_null())
        .then("text")
        .otherwise(
            pl.format("[{};{}]", pl.col("start").dt.month_start(), pl.col("end").dt.month_end())
        )
    )
    if start.null_count() == len(distinct):
        return None
    new = spelled.to_series()
    return cells.replace_strict(distinct, new, return_dtype=pl.String).alias(cells.name)


def group_items(cells: pl.Series, items: pl.Series, length: int) -> pl.Series | None:
    """Every item, or set of items, as the set of all items that begin alike; None: no groups."""
    groups: dict[str, list[str]] = {}
    for item in items.unique().sort().to_list():
        groups.setdefault(str(item)[:length], []).append(str(item))
    if any(";" in item for members in groups.values() for item in members):
        return None
    distinct = cells.unique()
    spelled = [_group_cell(str(cell), groups, length) for cell in distinct.to_list()]
    return cells.replace_strict(distinct, spelled, return_dtype=pl.String).alias(cells.name)


def _group_cell(cell: str, groups: dict[str, list[str]], length: int) -> str:
    if cell == SUPPRESSED_CELL:
        return cell
    is_set = cell.startswith("{") and cell.endswith("}")
    names = cell[1:-1].split(";") if is_set else [cell]
    items = sorted({item for name in names for item in groups.get(name[:length], [name])})
    return items[0] if len(items) == 1 else "{" + ";".join(items) + "}"
