"""Byte marks that quickly show that two rows are far apart.

Every code has a mark, and every number has one for each of a few gaps. A row has a range of marks
for each; another whose mark is outside differs by at least so much. What all marks together say is
at most the squared distance, in parts of `parts`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

STRIP = 512
"""Other rows whose marks are compared at once (`search.py`)."""
MAX_MARK_SUM = 250
"""The marks of a row count no more together: they are added in one byte."""
DISTANCE_PARTS = (16, 4, 1)
"""Into how many parts a difference of 1 is divided, if the columns are few enough."""
MARK_STEPS = 255
GAP_MARGIN = 1e-9
"""Gaps are taken for smaller than they are by so much, and by what a rounding may lose."""


class RowMarks(NamedTuple):
    """The ranges of some rows, the marks of others, what it costs to be outside, and room.

    `others` has the first mark of all rows, then the second: as many as a strip, many times.
    """

    low: np.ndarray
    span: np.ndarray
    others: np.ndarray
    costs: np.ndarray
    parts: int
    unlike: np.ndarray


def build_marks(
    codes: np.ndarray,
    numbers: np.ndarray,
    other_codes: np.ndarray,
    other_numbers: np.ndarray,
    weights: np.ndarray,
) -> RowMarks:
    """The marks of rows and others: codes first, as many columns as can be counted."""
    columns = codes.shape[1] + numbers.shape[1]
    parts = next((divisor for divisor in DISTANCE_PARTS if divisor * columns <= MAX_MARK_SUM), 1)
    marked = min(codes.shape[1], MAX_MARK_SUM)
    axes = min(numbers.shape[1], MAX_MARK_SUM - marked)
    lows = list(codes[:, :marked].T.astype(np.uint8))
    spans = [np.zeros(len(codes), np.uint8)] * marked
    others = list(other_codes[:, :marked].T.astype(np.uint8))
    costs = [parts] * marked
    gaps = [divisor for divisor in sorted(DISTANCE_PARTS) if divisor <= parts]
    for axis in range(axes):
        row_numbers, other = numbers[:, axis], other_numbers[:, axis]
        edges = (
            np.unique(np.quantile(other, np.arange(1, MARK_STEPS) / MARK_STEPS))
            if len(other)
            else other
        )
        places = np.searchsorted(edges, other, "right").astype(np.uint8)
        for gap, less in zip(gaps, [0, *gaps], strict=False):
            first, last = _mark_range(row_numbers, edges, gap / parts, float(weights[axis]))
            lows.append(first)
            spans.append(last - first)
            others.append(places)
            costs.append(gap - less)
    return RowMarks(
        _stack_bytes(lows, len(codes)).T.copy(),
        _stack_bytes(spans, len(codes)).T.copy(),
        _stack_bytes(others, len(other_codes)),
        np.array(costs, dtype=np.uint8),
        parts,
        np.empty(STRIP, np.uint8),
    )


def _mark_range(
    own: np.ndarray, edges: np.ndarray, square: float, weight: float
) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last mark of numbers whose weighted squared gap may be below a square."""
    with np.errstate(divide="ignore", over="ignore"):
        gap = np.sqrt(np.float64(square) / weight) * (1 + GAP_MARGIN)
    gap = gap + 4 * np.finfo(np.float64).eps * (np.abs(own) + gap)
    first, last = (np.searchsorted(edges, own + end, "right") for end in (-gap, gap))
    return first.astype(np.uint8), last.astype(np.uint8)


def _stack_bytes(columns: list[np.ndarray], rows: int) -> np.ndarray:
    """Columns as the rows of one array."""
    return np.stack(columns) if columns else np.zeros((0, rows), np.uint8)
