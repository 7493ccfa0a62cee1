"""Cells of 2017 in one spelling: how a number or a day is written could carry a message.

spelling = Spelling(history.rows)
spelling.of(rows)          # 2.50 → 2.5, 09:05 → 9:05, 2011/01/05 → 2011/1/5

A value that the original has too is written as there, so that the texts still agree.
"""

from __future__ import annotations

import polars as pl

from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS, PeriodRows

_SPELLED = ("day", "time", "price", "quantity")


class Spelling:
    """How the original writes its values."""

    def __init__(self, original: PeriodRows) -> None:
        self._known = {name: _spellings(original.cells[name]) for name in _SPELLED}

    def of(self, rows: PeriodRows) -> PeriodRows:
        """The rows, every value in its one spelling."""
        changed = [self._column(rows.cells[name]) for name in _SPELLED]
        return PeriodRows(rows.cells.with_columns(changed).select(PERIOD_COLUMNS))

    def _column(self, cells: pl.Series) -> pl.Series:
        distinct = cells.unique()
        plain = _plain(distinct)
        known = pl.DataFrame({"plain": plain}).join(
            self._known[cells.name], on="plain", how="left", maintain_order="left"
        )
        spelled = known["spelling"].zip_with(known["spelling"].is_not_null(), plain)
        return cells.replace_strict(distinct, spelled, return_dtype=pl.String).alias(cells.name)


def _spellings(cells: pl.Series) -> pl.DataFrame:
    """Plain form → the original's own, the first as text where it has several."""
    distinct = cells.unique().sort()
    both = pl.DataFrame({"plain": _plain(distinct), "spelling": distinct})
    return both.unique("plain", keep="first", maintain_order=True)


def _plain(cells: pl.Series) -> pl.Series:
    """Without zeros that say nothing."""
    if cells.name in ("day", "time"):
        return cells.str.replace_all(r"(^|[/])0+([0-9])", "${1}${2}")
    whole = cells.str.replace(r"^0+([0-9])", "$1")
    return whole.str.replace(r"(\.[0-9]*?)0+$", "$1").str.replace(r"\.$", "")
