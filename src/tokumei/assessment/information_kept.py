"""Information kept: 1 − loss, per column and in one figure, and the share of empty cells.

The loss of a cell (docs/assess.md): width / domain width for ranges; (values − 1)/(domain − 1) for
sets and labels; 1 for `*`, a full range, all values, deleted rows and dropped columns; 0 if
unchanged; min(1, |x′ − x| / mean |x − random other x|) for a changed number; 1 for a changed
category.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.core.generalized_cells import CellShape

FULL = 1.0 - 1e-12


@dataclass(frozen=True)
class ColumnKept:
    """What is kept of one column; None where nothing explains a cell of it, or there is no link.

    `treatment` is "unchanged", "generalized", "changed", "suppressed", "dropped" or "identifier";
    `changed` are the cells that differ from the original's, those of deleted rows not included.
    """

    name: str
    treatment: str
    kept: float | None
    empty: float | None
    changed: int | None
    cells: int

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return dict(vars(self))


def measure_column(codes: ColumnCodes, link: np.ndarray | None, original_rows: int) -> ColumnKept:
    """What is kept of a column that was released; without a link only what cells say alone."""
    deleted = original_rows - len(codes.cell_code)
    width = cell_losses(codes)
    if link is None:
        losses = width[codes.cell_code]
        changes_nothing = not codes.read_otherwise and not codes.is_moved
        empty = (float((losses >= FULL).sum()) + deleted) / original_rows
        treatment = "unchanged" if changes_nothing and not deleted else "generalized"
        return ColumnKept(codes.name, treatment, None, empty, None, original_rows)
    losses, moved = _linked_losses(codes, width, link)
    changed = int((moved | (width[codes.cell_code] > 0)).sum())
    empty_cells = int((losses >= FULL).sum()) + deleted
    kept = 1 - (float(_stable_sum(losses)) + deleted) / original_rows
    return ColumnKept(
        codes.name,
        _treatment(losses, moved, changed),
        None if codes.unread_rows else kept,
        empty_cells / original_rows,
        changed,
        original_rows,
    )


def _treatment(losses: np.ndarray, moved: np.ndarray, changed: int) -> str:
    if not changed:
        return "unchanged"
    if (losses >= FULL).all():
        return "suppressed"
    return "changed" if moved.any() else "generalized"


def cell_losses(codes: ColumnCodes) -> np.ndarray:
    """By cell the loss by its width; 0 for a value."""
    numbers = codes.numbers[codes.domain]
    present = numbers[~np.isnan(numbers)]
    least, most = (present.min(), present.max()) if len(present) else (0.0, 0.0)
    others = max(len(codes.domain) - 1, 1)
    in_domain = np.zeros(len(codes.numbers), dtype=bool)
    in_domain[codes.domain] = True
    losses, texts = np.zeros(len(codes.cells)), set(codes.texts)
    for place, cell in enumerate(codes.cells):
        if cell.shape in (CellShape.SUPPRESSED, CellShape.UNREAD):
            losses[place] = 1.0
        elif cell.shape is CellShape.INTERVAL:
            low, high = max(cell.low, least), min(cell.high, most)
            low = least if np.isinf(cell.low) else min(cell.low, low)
            high = most if np.isinf(cell.high) else max(cell.high, high)
            share = (high - low) / (most - least) if most > least else float(high > low)
            losses[place] = min(
                1.0, max(share, 0.0) + (1 / others if None in cell.members else 0.0)
            )
        elif cell.shape is CellShape.SET:
            row = codes.scattered_row[place]
            inside = in_domain[codes.low[place] : codes.high[place] + 1]
            if row >= 0:
                inside = in_domain & codes.scattered[row]
            strangers = sum(1 for member in cell.members if member not in texts)
            losses[place] = min(1.0, max(int(inside.sum()) + strangers - 1, 0) / others)
    return losses


def _linked_losses(
    codes: ColumnCodes, width: np.ndarray, link: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """By released row the loss, and whether its cell is not (or does not hold) the true value."""
    true = codes.value_rank[link]
    holds = codes.covers(codes.cell_code, true, true)
    losses = width[codes.cell_code].copy()
    rows = np.flatnonzero(~holds)
    if not len(rows):
        return losses, ~holds
    cells = codes.cell_code[rows]
    value = codes.numbers[true[rows]]
    low, high = (
        np.array([getattr(cell, end) for cell in codes.cells])[cells] for end in ("low", "high")
    )
    apart = np.fmax(np.fmax(low - value, value - high), 0.0)
    scale = mean_difference(codes.numbers[codes.value_rank])
    distance = apart / scale if scale > 0 else np.ones(len(rows))
    # Texts, and a value for a gap or a gap for a value, have no distance.
    is_value = ~np.isnan(distance) & ~np.isnan(value) & ~np.isnan(low)
    distance = np.where(is_value, distance, 1.0)
    losses[rows] = np.minimum(losses[rows] + distance, 1.0)
    return losses, ~holds


def mean_difference(values: np.ndarray) -> float:
    """Mean |x − y| over all pairs of different rows, missing values left out."""
    ordered = np.sort(values[~np.isnan(values)])
    count = len(ordered)
    if count < 2:
        return 0.0
    weights = 2 * np.arange(count) - count + 1
    return float(2 * (weights * ordered).sum() / (count * (count - 1)))


def _stable_sum(losses: np.ndarray) -> float:
    values, counts = np.unique(losses, return_counts=True)
    return float((values * counts).sum())


def headline(columns: Sequence[ColumnKept], weights: Mapping[str, float]) -> float | None:
    """The weighted mean over all columns but identifiers; None where one cannot be told."""
    counted = [column for column in columns if column.treatment != "identifier"]
    kept = [column.kept for column in counted]
    if not counted or any(value is None for value in kept):
        return None
    shares = [float(value or 0.0) for value in kept]
    weight = [float(weights.get(column.name, 1.0)) for column in counted]
    return float(np.average(shares, weights=weight)) if sum(weight) > 0 else None
