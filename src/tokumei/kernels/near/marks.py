"""Marks: bytes that tell quickly that two rows are far apart.

Every code has a mark, and every number has one for each of a few gaps. A row has a range of marks
for each; another whose mark is outside differs by at least so much. What all marks together say is
at most the squared distance, in parts of `parts`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

STRIP = 512
"""Other rows whose marks are compared at once (`search.py`)."""
MOST = 250
"""The marks of a row count no more together: they are added in one byte."""
PARTS = (16, 4, 1)
"""Into how many parts a difference of 1 is divided, if the columns are few enough."""
STEPS = 255
ROOM = 1e-9
"""Gaps are taken for smaller than they are by so much, and by what a rounding may lose."""


class Marks(NamedTuple):
    """The ranges of some rows, the marks of others, what it costs to be outside, and room.

    `others` has the first mark of all rows, then the second: as many as a strip, many times.
    """

    low: np.ndarray
    span: np.ndarray
    others: np.ndarray
    costs: np.ndarray
    parts: int
    unlike: np.ndarray


def marks_of(
    codes: np.ndarray,
    numbers: np.ndarray,
    other_codes: np.ndarray,
    other_numbers: np.ndarray,
    weights: np.ndarray,
) -> Marks:
    """The marks of rows and others: codes first, as many columns as can be counted."""
    columns = codes.shape[1] + numbers.shape[1]
    parts = next((one for one in PARTS if one * columns <= MOST), 1)
    marked = min(codes.shape[1], MOST)
    axes = min(numbers.shape[1], MOST - marked)
    lows = list(codes[:, :marked].T.astype(np.uint8))
    spans = [np.zeros(len(codes), np.uint8)] * marked
    others = list(other_codes[:, :marked].T.astype(np.uint8))
    costs = [parts] * marked
    gaps = [one for one in sorted(PARTS) if one <= parts]
    for axis in range(axes):
        own, other = numbers[:, axis], other_numbers[:, axis]
        edges = np.unique(np.quantile(other, np.arange(1, STEPS) / STEPS)) if len(other) else other
        places = np.searchsorted(edges, other, "right").astype(np.uint8)
        for gap, less in zip(gaps, [0, *gaps], strict=False):
            first, last = _reach(own, edges, gap / parts, float(weights[axis]))
            lows.append(first)
            spans.append(last - first)
            others.append(places)
            costs.append(gap - less)
    return Marks(
        _bytes(lows, len(codes)).T.copy(),
        _bytes(spans, len(codes)).T.copy(),
        _bytes(others, len(other_codes)),
        np.array(costs, dtype=np.uint8),
        parts,
        np.empty(STRIP, np.uint8),
    )


def _reach(
    own: np.ndarray, edges: np.ndarray, square: float, weight: float
) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last mark of numbers whose weighted squared gap may be below a square."""
    with np.errstate(divide="ignore", over="ignore"):
        gap = np.sqrt(np.float64(square) / weight) * (1 + ROOM)
    gap = gap + 4 * np.finfo(np.float64).eps * (np.abs(own) + gap)
    first, last = (np.searchsorted(edges, own + end, "right") for end in (-gap, gap))
    return first.astype(np.uint8), last.astype(np.uint8)


def _bytes(columns: list[np.ndarray], rows: int) -> np.ndarray:
    """Columns as the rows of one array."""
    return np.stack(columns) if columns else np.zeros((0, rows), np.uint8)
