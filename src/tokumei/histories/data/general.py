"""A history whose rows are generalized: row i stands for row i of the original, or is deleted.

Distinct cells are stored once and rows point to them, so that a release of ten million rows is
a few arrays and text is made only when a file is written: interval `[a;b]`, set `{x;y}` sorted as
text, given up or deleted `*`, days 2011/1/31.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.cells import STAR, codes_in
from tokumei.histories.data.history import COLUMNS, MAX_DECIMALS, NUMBERS, History

DELETED = -1


@dataclass(frozen=True, eq=False)
class Spans:
    """Cells of a numeric column: row r holds the interval from low[code[r]] to high[code[r]].

    `star` marks cells that were given up (`*`).
    """

    code: np.ndarray
    low: np.ndarray
    high: np.ndarray
    star: np.ndarray


@dataclass(frozen=True, eq=False)
class ItemSets:
    """Cells of the item column: set c holds members[start[c]:start[c+1]]; an empty one is `*`.

    Members are places in `names`, ascending.
    """

    code: np.ndarray
    start: np.ndarray
    members: np.ndarray
    names: pl.Series

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many items each set holds."""
        return np.diff(self.start)

    def holds(self, items: np.ndarray) -> np.ndarray:
        """Whether row r's set holds items[r] (a place in `names`); False for `*` and deleted."""
        span = len(self.names) + 1
        owner = np.repeat(np.arange(len(self.sizes)), self.sizes)
        keys = owner * span + self.members
        wanted = self.code * span + items
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        return np.asarray((len(keys) > 0) & (self.code >= 0) & (items >= 0)) & (
            keys[place] == wanted if len(keys) else False
        )


@dataclass(frozen=True, eq=False)
class GeneralHistory:
    """Generalized rows. `person` is the place of each row's pseudonym, DELETED where it is gone."""

    person: np.ndarray
    pseudonyms: pl.Series
    day: Spans
    item: ItemSets
    price: Spans
    quantity: Spans
    decimals: int = 2

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

    def spans(self, column: str) -> Spans:
        """The cells of day, price or quantity."""
        found: Spans = getattr(self, column)
        return found


_PRICE = r"^-?\d{1,12}(\.\d{1,6})?$"
_QUANTITY = r"^-?\d{1,15}$"
_DAY = r"^\d{4}/\d{1,2}/\d{1,2}$"
MAX_SET = 100
"""The most items a cell may hold."""
PATTERNS = {"day": _DAY, "price": _PRICE, "quantity": _QUANTITY}


def history_text(history: History) -> pl.DataFrame:
    """A plain history as the contest's files write it."""
    cells = {name: plain_text(history.numbers(name), name, history.decimals) for name in NUMBERS}
    return pl.DataFrame(
        {name: cells[name] if name in cells else history.frame[name] for name in COLUMNS}
    )


def general_text(general: GeneralHistory) -> pl.DataFrame:
    """All rows, deleted ones as `*` in every column."""
    gone = pl.Series(~general.kept)
    person = general.pseudonyms.gather(np.maximum(general.person, 0)) if _any(general) else None
    cells = {"customer": person, "item": _items(general.item)}
    cells |= {name: _spans(general.spans(name), name, general.decimals) for name in NUMBERS}
    if person is None:
        return pl.DataFrame({name: pl.repeat(STAR, general.rows, eager=True) for name in COLUMNS})
    return pl.DataFrame({name: cells[name] for name in COLUMNS}).with_columns(
        pl.when(gone).then(pl.lit(STAR)).otherwise(pl.all()).name.keep()
    )


def public_text(rows: pl.DataFrame) -> pl.DataFrame:
    """What may be handed out of text rows: without deleted ones, sorted as text."""
    kept = rows.filter(pl.col("customer") != STAR)
    return kept.sort(pl.concat_str(COLUMNS, separator=","))


def parse_general(text: pl.DataFrame, names: pl.Series, *, decimals: int = 2) -> GeneralHistory:
    """Text cells as arrays; items are places in `names`, strange ones follow behind.

    Cells that do not parse become `*`: the rule checker, which reads the text, reports them.
    """
    gone = (text["customer"] == STAR).to_numpy()
    persons = text["customer"].filter(pl.Series(~gone)).unique(maintain_order=True)
    spans = {name: _parse_spans(text[name], name, decimals, gone) for name in NUMBERS}
    return GeneralHistory(
        codes_in(text["customer"], persons),
        persons,
        spans["day"],
        _parse_items(text["item"], names, gone),
        spans["price"],
        spans["quantity"],
        decimals,
    )


def plain_text(values: np.ndarray, column: str, decimals: int) -> pl.Series:
    """Numbers of a column as its text: days 2011/1/31, prices without trailing zeros."""
    series = pl.Series(values)
    if column == "day":
        return series.cast(pl.Int32).cast(pl.Date).dt.strftime("%Y/%-m/%-d")
    if column == "quantity":
        return series.cast(pl.String)
    distinct = series.unique()
    texts = [_price(int(value), decimals) for value in distinct]
    return series.replace_strict(distinct, texts, return_dtype=pl.String)


def numbers_of(text: pl.Series, column: str, decimals: int, *, up: bool = False) -> pl.Series:
    """The numbers of plain cells; null where a cell is none.

    A price finer than `decimals` becomes the next one below, or above with `up`.
    """
    good = text.str.contains(PATTERNS[column])
    text = text.set(~good.fill_null(False), None)
    if column == "day":
        return text.str.strptime(pl.Date, "%Y/%m/%d", strict=False).cast(pl.Int32).cast(pl.Int64)
    if column == "quantity":
        return text.cast(pl.Int64, strict=False)
    fine = (text.cast(pl.Float64, strict=False) * 10**MAX_DECIMALS).round().cast(pl.Int64)
    unit = 10 ** (MAX_DECIMALS - decimals)
    scaled: pl.Series = (fine + (unit - 1 if up else 0)) // unit
    return scaled


def _any(general: GeneralHistory) -> bool:
    return len(general.pseudonyms) > 0 and bool(general.kept.any())


def _price(units: int, decimals: int) -> str:
    sign = "-" if units < 0 else ""
    whole, part = divmod(abs(units), 10**decimals)
    tail = f"{part:0{decimals}d}".rstrip("0") if decimals else ""
    return f"{sign}{whole}.{tail}" if tail else f"{sign}{whole}"


def _spans(spans: Spans, column: str, decimals: int) -> pl.Series:
    low = plain_text(spans.low, column, decimals).to_frame("low")
    frame = low.with_columns(
        high=plain_text(spans.high, column, decimals), star=pl.Series(spans.star)
    )
    cells = frame.select(
        pl.when("star")
        .then(pl.lit(STAR))
        .when(pl.col("low") == pl.col("high"))
        .then("low")
        .otherwise(pl.format("[{};{}]", "low", "high"))
    ).to_series()
    return _gather(cells, spans.code)


def _items(sets: ItemSets) -> pl.Series:
    sizes = sets.sizes
    owner = np.repeat(np.arange(len(sizes)), sizes)
    members = pl.DataFrame({"set": owner, "name": sets.names.gather(sets.members)})
    joined = members.group_by("set", maintain_order=True).agg(
        pl.col("name").str.join(";"), pl.len().alias("size")
    )
    cell = pl.when(pl.col("size") > 1).then(pl.format("{{{}}}", "name")).otherwise("name")
    filled = joined.select("set", cell.alias("cell"))
    cells = np.full(len(sizes), STAR, dtype=object)
    cells[filled["set"].to_numpy()] = filled["cell"].to_numpy()
    return _gather(pl.Series(cells, dtype=pl.String), sets.code)


def _gather(cells: pl.Series, code: np.ndarray) -> pl.Series:
    if not len(cells):
        return pl.repeat(STAR, len(code), eager=True)
    return cells.gather(np.maximum(code, 0))


def _parse_spans(text: pl.Series, column: str, decimals: int, gone: np.ndarray) -> Spans:
    cells = text.filter(pl.Series(~gone)).unique(maintain_order=True)
    ends = cells.str.extract_groups(r"^\[([^;\]]*);([^;\]]*)\]$").struct.unnest()
    general = ends["1"].is_not_null()
    low = numbers_of(ends["1"].zip_with(general, cells), column, decimals)
    high = numbers_of(ends["2"].zip_with(general, cells), column, decimals, up=True)
    star = (~(low <= high).fill_null(False)).to_numpy()
    code = np.where(gone, -1, codes_in(text, cells))
    return Spans(code, low.fill_null(0).to_numpy(), high.fill_null(0).to_numpy(), star)


def _parse_items(text: pl.Series, names: pl.Series, gone: np.ndarray) -> ItemSets:
    cells = text.filter(pl.Series(~gone)).unique(maintain_order=True)
    listed = cells.str.replace(r"^\{(.+)\}$", "$1").str.split(";").list.unique()
    owner = np.repeat(np.arange(len(cells)), listed.list.len().to_numpy())
    member = listed.explode().cast(pl.String)
    broken = np.isin(owner, owner[member.is_in(["", STAR, "{}"]).to_numpy()])
    owner, member = owner[~broken], member.filter(pl.Series(~broken))
    strange = member.filter(~member.is_in(names.implode())).unique().sort()
    names = pl.concat([names, strange.alias(names.name)])
    place = codes_in(member, names)
    order = np.lexsort((place, owner))
    start = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(cells)))])
    code = np.where(gone, -1, codes_in(text, cells))
    return ItemSets(code, start.astype(np.int64), place[order], names)
