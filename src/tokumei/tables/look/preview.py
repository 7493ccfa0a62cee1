"""The first rows of a file and the frequent values of its columns, private ones as shapes.

    preview = preview_of(look("customers.csv"))
    preview.rows[0][0].text, preview.rows[0][0].masked
    preview.frequent["sex"]                                  # [("F", 512), ("M", 488)]

A column that identifies, holds personal data or free text, or is in doubt never shows a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokumei.tables.look.result import Look
from tokumei.tables.look.shapes import shape

ROWS, VALUES, LETTERS = 8, 5, 40


@dataclass(frozen=True)
class ShownCell:
    """One cell: its text, or its shape if it is `masked`; None: nothing stands there."""

    text: str | None
    masked: bool


@dataclass(frozen=True)
class Preview:
    """Rows for a person to look at, and by column the most frequent values with their counts."""

    names: tuple[str, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    frequent: Mapping[str, Sequence[tuple[str, int]]]


def preview_of(found: Look, *, rows: int = ROWS, values: int = VALUES) -> Preview:
    """What may be shown of a file that was looked at."""
    frame = found.source.frame
    open_ = {column.name for column in found.columns if column.shows_values}
    shown = tuple(
        tuple(_cell(cell, name in open_) for name, cell in zip(frame.columns, row, strict=True))
        for row in frame.head(rows).iter_rows()
    )
    frequent = {name: _frequent(found, name, values) for name in frame.columns if name in open_}
    return Preview(tuple(frame.columns), shown, frequent)


def _cell(cell: str | None, is_open: bool) -> ShownCell:
    if cell is None:
        return ShownCell(None, False)
    text = cell if is_open else shape(cell)
    return ShownCell(text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…", not is_open)


def _frequent(found: Look, name: str, most: int) -> list[tuple[str, int]]:
    counts = found.source.frame[name].drop_nulls().value_counts(sort=True, name="n")
    best = counts.sort(["n", name], descending=[True, False]).head(most)
    return [(str(value)[:LETTERS], int(n)) for value, n in best.iter_rows()]
