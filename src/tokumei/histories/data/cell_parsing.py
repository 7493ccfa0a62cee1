"""Parses the text cells of a released history into arrays."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import SUPPRESSED_CELL, positions_in
from tokumei.histories.data.column_parsing import MAX_DECIMALS
from tokumei.histories.data.generalized_history import (
    CELL_PATTERNS,
    GeneralHistory,
    IntervalCells,
    ItemSets,
)
from tokumei.histories.data.history import History


def parse_general_history(text: pl.DataFrame, original: History) -> GeneralHistory:
    """Text cells as arrays; items are places among the original's, strange ones follow behind.

    Cells that do not parse become `*`: the rule checker, which reads the text, reports them.
    """
    is_deleted = (text["customer"] == SUPPRESSED_CELL).to_numpy()
    persons = text["customer"].filter(pl.Series(~is_deleted)).unique(maintain_order=True)
    like, decimals = original.like, original.decimals
    spans = {
        name: _parse_intervals(text[name], like.get(name, name), decimals, is_deleted)
        for name in original.number_columns
    }
    sets = {
        name: _parse_item_sets(text[name], original.members(name), is_deleted)
        for name in ("item", *original.set_values)
    }
    cells: dict[str, IntervalCells | ItemSets] = {**spans, **sets}
    return GeneralHistory(
        positions_in(text["customer"], persons),
        persons,
        spans["day"],
        sets["item"],
        spans["price"],
        spans["quantity"],
        decimals,
        {name: cells[name] for name in like},
        like,
    )


def parse_number_cells(
    text: pl.Series, column: str, decimals: int, *, up: bool = False
) -> pl.Series:
    """The numbers of plain cells; null where a cell is none.

    A price finer than `decimals` becomes the next one below, or above with `up`.
    """
    good = text.str.contains(CELL_PATTERNS[column])
    text = text.set(~good.fill_null(False), None)
    if column == "day":
        return text.str.strptime(pl.Date, "%Y/%m/%d", strict=False).cast(pl.Int32).cast(pl.Int64)
    if column == "quantity":
        return text.cast(pl.Int64, strict=False)
    fine = (text.cast(pl.Float64, strict=False) * 10**MAX_DECIMALS).round().cast(pl.Int64)
    unit = 10 ** (MAX_DECIMALS - decimals)
    scaled: pl.Series = (fine + (unit - 1 if up else 0)) // unit
    return scaled


def _parse_intervals(
    text: pl.Series, column: str, decimals: int, is_deleted: np.ndarray
) -> IntervalCells:
    cells = text.filter(pl.Series(~is_deleted)).unique(maintain_order=True)
    ends = cells.str.extract_groups(r"^\[([^;\]]*);([^;\]]*)\]$").struct.unnest()
    is_interval = ends["1"].is_not_null()
    low = parse_number_cells(ends["1"].zip_with(is_interval, cells), column, decimals)
    high = parse_number_cells(ends["2"].zip_with(is_interval, cells), column, decimals, up=True)
    star = (~(low <= high).fill_null(False)).to_numpy()
    code = np.where(is_deleted, -1, positions_in(text, cells))
    return IntervalCells(code, low.fill_null(0).to_numpy(), high.fill_null(0).to_numpy(), star)


def _parse_item_sets(text: pl.Series, names: pl.Series, is_deleted: np.ndarray) -> ItemSets:
    cells = text.filter(pl.Series(~is_deleted)).unique(maintain_order=True)
    cell_members = cells.str.replace(r"^\{(.+)\}$", "$1").str.split(";").list.unique()
    owner = np.repeat(np.arange(len(cells)), cell_members.list.len().to_numpy())
    member = cell_members.explode().cast(pl.String)
    broken = np.isin(owner, owner[member.is_in(["", SUPPRESSED_CELL, "{}"]).to_numpy()])
    owner, member = owner[~broken], member.filter(pl.Series(~broken))
    unknown_names = member.filter(~member.is_in(names.implode())).unique().sort()
    names = pl.concat([names, unknown_names.alias(names.name)])
    place = positions_in(member, names)
    order = np.lexsort((place, owner))
    start = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(cells)))])
    code = np.where(is_deleted, -1, positions_in(text, cells))
    return ItemSets(code, start.astype(np.int64), place[order], names)
