"""Merges classes of look-alike rows until each has enough people: the remedy that always fits.

The rows are cut at medians, column by column, as long as both sides keep enough people (Mondrian).
A class then has one cell per column: what its rows had if that is the same, else the range or set
that holds them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.recode_cells import cell_text, is_ordered, set_text, text_of_cell
from tokumei.core.generalized_cells import SUPPRESSED_CELL


def merge_classes(
    columns: Mapping[str, ColumnCodes],
    people: np.ndarray,
    k: int,
    *,
    sensitive: Sequence[np.ndarray] = (),
    diverse: int = 1,
) -> dict[str, pl.Series]:
    """The columns, recoded so that at least `k` people share all their cells.

    With `sensitive` columns (the cell of every row), each class has `diverse` different ones too.
    """
    centres = {name: _centres(codes) for name, codes in columns.items()}
    is_single = int(people.max(initial=-1)) + 1 == len(people)
    needed = Needed(None if is_single else people, k, tuple(sensitive), diverse)
    parts = _cut(np.arange(len(people)), centres, needed)
    return {name: _merge_cells(codes, parts) for name, codes in columns.items()}


@dataclass(frozen=True, eq=False)
class Needed:
    """What every part must have: people (None: every row is another), and different values."""

    people: np.ndarray | None
    k: int
    sensitive: tuple[np.ndarray, ...] = ()
    diverse: int = 1

    def holds(self, rows: np.ndarray) -> bool:
        """Whether these rows have it."""
        if len(rows) < self.k:
            return False
        if self.people is not None and len(np.unique(self.people[rows])) < self.k:
            return False
        return all(len(np.unique(cells[rows])) >= self.diverse for cells in self.sensitive)


def _centres(codes: ColumnCodes) -> np.ndarray:
    """By row the place of its cell among all, from 0 to 1."""
    centre = ((codes.low + codes.high) / 2)[codes.cell_code]
    ranks = np.unique(centre, return_inverse=True)[1]
    return np.asarray(ranks / max(int(ranks.max(initial=0)), 1))


def _cut(rows: np.ndarray, centres: Mapping[str, np.ndarray], needed: Needed) -> list[np.ndarray]:
    """The parts of some rows; each has what is needed, unless all rows together have not."""
    pending, done = [rows], list[np.ndarray]()
    while pending:
        part = pending.pop()
        halves = _halve(part, centres, needed)
        if halves is None:
            done.append(part)
        else:
            pending += halves
    return done


def _halve(
    rows: np.ndarray, centres: Mapping[str, np.ndarray], needed: Needed
) -> list[np.ndarray] | None:
    if len(rows) < 2 * needed.k:
        return None
    spans = {name: float(np.ptp(centre[rows])) for name, centre in centres.items()}
    for name in sorted(spans, key=lambda name: -spans[name]):
        if spans[name] == 0:
            break
        values = centres[name][rows]
        middle = float(np.median(values))
        below = values <= middle if (values > middle).any() else values < middle
        halves = [rows[below], rows[~below]]
        if all(needed.holds(half) for half in halves):
            return halves
    return None


def _merge_cells(codes: ColumnCodes, parts: list[np.ndarray]) -> pl.Series:
    """The column with one cell per part; cells that parts have in common are made once."""
    sizes = np.array([len(rows) for rows in parts])
    order = np.concatenate(parts)
    part_of_row = np.empty(len(order), dtype=np.int64)
    part_of_row[order] = np.repeat(np.arange(len(parts)), sizes)
    keys = np.unique(part_of_row * len(codes.cells) + codes.cell_code)
    part, cell = keys // len(codes.cells), keys % len(codes.cells)
    starts = np.flatnonzero(np.concatenate([[True], part[1:] != part[:-1]]))
    texts, ordered, joined = list[str | None](), is_ordered(codes), dict[bytes, str | None]()
    for cells in np.split(cell, starts[1:]):
        key = _ends(codes, cells) if ordered and len(cells) > 1 else cells.tobytes()
        if key not in joined:
            is_single = len(cells) == 1
            joined[key] = (
                text_of_cell(codes, int(cells[0]))
                if is_single
                else _join_cells(codes, cells, ordered)
            )
        texts.append(joined[key])
    return pl.Series(codes.name, texts, dtype=pl.String).gather(part_of_row)


def _ends(codes: ColumnCodes, cells: np.ndarray) -> bytes:
    """What decides the range that holds some cells: its ends, and whether it can be told."""
    untold = codes.untold[cells].any()
    return f"{codes.low[cells].min()} {codes.high[cells].max()} {untold}".encode()


def _join_cells(codes: ColumnCodes, cells: np.ndarray, ordered: bool) -> str | None:
    """One cell that holds several."""
    if codes.untold[cells].any():
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
