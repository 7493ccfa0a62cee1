"""A generalized history: row i generalizes row i of the original, or is deleted.

Distinct cells are stored once and rows point to them, so that a release of ten million rows is
a few arrays and text is made only when a file is written: interval `[a;b]`, set `{x;y}` sorted as
text, given up or deleted `*`, days 2011/1/31.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.histories.data.column_parsing import COLUMNS
from tokumei.histories.data.history import History

DELETED = -1


@dataclass(frozen=True, eq=False)
class IntervalCells:
    """Cells of a numeric column: row r holds the interval from low[code[r]] to high[code[r]].

    `star` marks cells that were given up (`*`).
    """

    code: np.ndarray
    low: np.ndarray
    high: np.ndarray
    star: np.ndarray


@dataclass(frozen=True, eq=False)
class ItemSets:
    """Cells of the items, or of a value like them; an empty set is `*`.

    Set c holds members[start[c]:start[c+1]], places in `names`, ascending.
    """

    code: np.ndarray
    start: np.ndarray
    members: np.ndarray
    names: pl.Series

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many items each set holds."""
        return np.diff(self.start)

    @property
    def owners(self) -> np.ndarray:
        """The set of every member."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def holds(self, items: np.ndarray) -> np.ndarray:
        """Whether row r's set holds items[r] (a place in `names`); False for `*` and deleted."""
        return self.contains(self.code, items)

    def contains(self, code: np.ndarray, items: np.ndarray) -> np.ndarray:
        """Whether the set code[r] holds items[r]; False for `*`."""
        span = len(self.names) + 1
        keys = self.owners * span + self.members
        wanted_keys = code * span + items
        place = np.minimum(np.searchsorted(keys, wanted_keys), max(len(keys) - 1, 0))
        return np.asarray((len(keys) > 0) & (code >= 0) & (items >= 0)) & (
            keys[place] == wanted_keys if len(keys) else False
        )


@dataclass(frozen=True, eq=False)
class GeneralHistory:
    """Generalized rows. `person` is the place of each row's pseudonym, DELETED where it is gone."""

    person: np.ndarray
    pseudonyms: pl.Series
    day: IntervalCells
    item: ItemSets
    price: IntervalCells
    quantity: IntervalCells
    decimals: int = 2
    values: Mapping[str, IntervalCells | ItemSets] = field(default_factory=dict)
    """The cells of further values."""
    like: Mapping[str, str] = field(default_factory=dict)
    """Which column they are like: day, price or item."""

    @property
    def rows(self) -> int:
        """How many rows, deleted ones included."""
        return len(self.person)

    @property
    def kept(self) -> np.ndarray:
        """Which rows are not deleted."""
        return np.asarray(self.person != DELETED)

    @property
    def rows_kept(self) -> float:
        """The share of rows that are not deleted."""
        return float(self.kept.mean()) if self.rows else 1.0

    def cells(self, column: str) -> IntervalCells | ItemSets:
        """The cells of any column but the customer."""
        return self.values[column] if column in self.values else vars(self)[column]

    def interval_cells(self, column: str) -> IntervalCells:
        """The cells of day, price, quantity or a value like them."""
        column_cells = self.cells(column)
        assert isinstance(column_cells, IntervalCells)
        return column_cells

    def set_cells(self, column: str) -> ItemSets:
        """The cells of the items, or of a value like them."""
        column_cells = self.cells(column)
        assert isinstance(column_cells, ItemSets)
        return column_cells


MAX_SET_SIZE = 100
"""The most items a cell may hold."""
CELL_PATTERNS = {
    "day": r"^\d{4}/\d{1,2}/\d{1,2}$",
    "price": r"^-?\d{1,12}(\.\d{1,6})?$",
    "quantity": r"^-?\d{1,15}$",
}


def format_history(history: History) -> pl.DataFrame:
    """A plain history as the contest's files write it."""
    cells = {
        name: format_numbers(history.numbers(name), history.like.get(name, name), history.decimals)
        for name in history.number_columns
    }
    return pl.DataFrame(
        {name: cells[name] if name in cells else history.frame[name] for name in history.columns}
    )


def format_general_history(general: GeneralHistory) -> pl.DataFrame:
    """All rows, deleted ones as `*` in every column."""
    columns = (*COLUMNS, *general.like)
    if not len(general.pseudonyms) or not general.kept.any():
        return pl.DataFrame(
            {name: pl.repeat(SUPPRESSED_CELL, general.rows, eager=True) for name in columns}
        )
    is_deleted = pl.Series(~general.kept)
    person = general.pseudonyms.gather(np.maximum(general.person, 0))
    cells = {name: _format_column(general, name) for name in columns[1:]}
    return pl.DataFrame({"customer": person, **cells}).with_columns(
        pl.when(is_deleted).then(pl.lit(SUPPRESSED_CELL)).otherwise(pl.all()).name.keep()
    )


def _format_column(general: GeneralHistory, column: str) -> pl.Series:
    cells = general.cells(column)
    if isinstance(cells, ItemSets):
        return _format_item_sets(cells)
    return _format_intervals(cells, general.like.get(column, column), general.decimals)


def select_public_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """What may be handed out of text rows: without deleted ones, sorted as text."""
    kept = rows.filter(pl.col("customer") != SUPPRESSED_CELL)
    return kept.sort(pl.concat_str(rows.columns, separator=","))


def format_numbers(values: np.ndarray, column: str, decimals: int) -> pl.Series:
    """Numbers of a column as its text: days 2011/1/31, prices without trailing zeros."""
    series = pl.Series(values)
    if column == "day":
        return series.cast(pl.Int32).cast(pl.Date).dt.strftime("%Y/%-m/%-d")
    if column == "quantity":
        return series.cast(pl.String)
    distinct = series.unique()
    texts = [_format_price(int(value), decimals) for value in distinct]
    return series.replace_strict(distinct, texts, return_dtype=pl.String)


def _format_price(units: int, decimals: int) -> str:
    sign = "-" if units < 0 else ""
    whole, part = divmod(abs(units), 10**decimals)
    tail = f"{part:0{decimals}d}".rstrip("0") if decimals else ""
    return f"{sign}{whole}.{tail}" if tail else f"{sign}{whole}"


def _format_intervals(spans: IntervalCells, column: str, decimals: int) -> pl.Series:
    low = format_numbers(spans.low, column, decimals).to_frame("low")
    frame = low.with_columns(
        high=format_numbers(spans.high, column, decimals), star=pl.Series(spans.star)
    )
    cells = frame.select(
        pl.when("star")
        .then(pl.lit(SUPPRESSED_CELL))
        .when(pl.col("low") == pl.col("high"))
        .then("low")
        .otherwise(pl.format("[{};{}]", "low", "high"))
    ).to_series()
    return _gather_cells(cells, spans.code)


def _format_item_sets(sets: ItemSets) -> pl.Series:
    members = pl.DataFrame({"set": sets.owners, "name": sets.names.gather(sets.members)})
    joined = members.group_by("set", maintain_order=True).agg(
        pl.col("name").str.join(";"), pl.len().alias("size")
    )
    cell = pl.when(pl.col("size") > 1).then(pl.format("{{{}}}", "name")).otherwise("name")
    filled = joined.select("set", cell.alias("cell"))
    cells = np.full(len(sets.sizes), SUPPRESSED_CELL, dtype=object)
    cells[filled["set"].to_numpy()] = filled["cell"].to_numpy()
    return _gather_cells(pl.Series(cells, dtype=pl.String), sets.code)


def _gather_cells(cells: pl.Series, code: np.ndarray) -> pl.Series:
    if not len(cells):
        return pl.repeat(SUPPRESSED_CELL, len(code), eager=True)
    return cells.gather(np.maximum(code, 0))
