"""The text cells of a released history, read into arrays."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.cells import STAR, codes_in
from tokumei.histories.data.columns import MAX_DECIMALS
from tokumei.histories.data.general import PATTERNS, GeneralHistory, ItemSets, Spans
from tokumei.histories.data.history import History


def parse_general(text: pl.DataFrame, original: History) -> GeneralHistory:
    """Text cells as arrays; items are places among the original's, strange ones follow behind.

    Cells that do not parse become `*`: the rule checker, which reads the text, reports them.
    """
    gone = (text["customer"] == STAR).to_numpy()
    persons = text["customer"].filter(pl.Series(~gone)).unique(maintain_order=True)
    like, decimals = original.like, original.decimals
    spans = {
        name: _parse_spans(text[name], like.get(name, name), decimals, gone)
        for name in original.number_columns
    }
    sets = {
        name: _parse_items(text[name], original.members(name), gone)
        for name in ("item", *original.set_values)
    }
    cells: dict[str, Spans | ItemSets] = {**spans, **sets}
    return GeneralHistory(
        codes_in(text["customer"], persons),
        persons,
        spans["day"],
        sets["item"],
        spans["price"],
        spans["quantity"],
        decimals,
        {name: cells[name] for name in like},
        like,
    )


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
