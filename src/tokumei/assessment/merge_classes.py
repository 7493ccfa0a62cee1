"""Merges classes of look-alike rows until each has enough people: the remedy that always fits.

The rows are cut at medians, column by column, as long as both sides keep enough people (Mondrian).
A class then has one cell per column: what its rows had if that is the same, else the range or set
that holds them all.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.recode_cells import cell_text, cell_texts, is_ordered, set_text
from tokumei.core.generalized_cells import SUPPRESSED_CELL, CellShape


def merge_classes(
    columns: Mapping[str, ColumnCodes], people: np.ndarray, k: int
) -> dict[str, pl.Series]:
    """The columns, recoded so that at least `k` people share all their cells."""
    centres = {name: _centres(codes) for name, codes in columns.items()}
    parts = _cut(np.arange(len(people)), centres, people, k)
    return {name: _merge_cells(codes, parts) for name, codes in columns.items()}


def _centres(codes: ColumnCodes) -> np.ndarray:
    """By row the place of its cell among all, from 0 to 1."""
    centre = ((codes.low + codes.high) / 2)[codes.cell_code]
    ranks = np.unique(centre, return_inverse=True)[1]
    return np.asarray(ranks / max(int(ranks.max(initial=0)), 1))


def _cut(
    rows: np.ndarray, centres: Mapping[str, np.ndarray], people: np.ndarray, k: int
) -> list[np.ndarray]:
    """The parts of some rows, none with fewer than `k` people unless there are no more."""
    pending, done = [rows], list[np.ndarray]()
    while pending:
        part = pending.pop()
        halves = _halve(part, centres, people, k)
        if halves is None:
            done.append(part)
        else:
            pending += halves
    return done


def _halve(
    rows: np.ndarray, centres: Mapping[str, np.ndarray], people: np.ndarray, k: int
) -> list[np.ndarray] | None:
    if len(rows) < 2 * k:
        return None
    spans = {name: float(np.ptp(centre[rows])) for name, centre in centres.items()}
    for name in sorted(spans, key=lambda name: -spans[name]):
        if spans[name] == 0:
            break
        values = centres[name][rows]
        middle = float(np.median(values))
        below = values <= middle if (values > middle).any() else values < middle
        halves = [rows[below], rows[~below]]
        if all(len(np.unique(people[half])) >= k for half in halves):
            return halves
    return None


def _merge_cells(codes: ColumnCodes, parts: list[np.ndarray]) -> pl.Series:
    texts, ordered = cell_texts(codes), is_ordered(codes)
    merged: list[str | None] = [None] * len(codes.cell_code)
    for rows in parts:
        cells = np.unique(codes.cell_code[rows])
        text = texts[cells[0]] if len(cells) == 1 else _join_cells(codes, cells, ordered)
        for row in rows:
            merged[row] = text
    return pl.Series(codes.name, merged, dtype=pl.String)


def _join_cells(codes: ColumnCodes, cells: np.ndarray, ordered: bool) -> str | None:
    """One cell that holds several."""
    shapes = {codes.cells[cell].shape for cell in cells}
    if shapes & {CellShape.SUPPRESSED, CellShape.UNREAD} or (codes.low > codes.high)[cells].any():
        return SUPPRESSED_CELL
    low, high = int(codes.low[cells].min()), int(codes.high[cells].max())
    if ordered:
        return cell_text(codes, low, high)
    inside = np.zeros(len(codes.numbers), dtype=bool)
    for cell in cells:
        row = codes.scattered_row[cell]
        span = np.arange(codes.low[cell], codes.high[cell] + 1)
        inside[span if row < 0 else np.flatnonzero(codes.scattered[row])] = True
    members = [codes.texts[rank] for rank in np.flatnonzero(inside)] if codes.texts else [None]
    if None in members:
        return SUPPRESSED_CELL
    return set_text([str(member) for member in members])
