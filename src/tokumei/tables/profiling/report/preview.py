"""Preview of a file: first rows and frequent values; private cells as shapes.

    preview = build_preview(look("customers.csv"))
    preview.rows[0][0].text, preview.rows[0][0].masked
    preview.frequent["sex"]                                  # [("F", 512), ("M", 488)]

A column that identifies, holds personal data or free text, or is in doubt never shows a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokumei.tables.profiling.profile import TableProfile
from tokumei.tables.profiling.value_shapes import cell_shape

PREVIEW_ROWS, PREVIEW_VALUES, MAX_CELL_LENGTH = 8, 5, 40


@dataclass(frozen=True)
class PreviewCell:
    """One cell: its text, or its shape if it is `masked`; None: nothing stands there."""

    text: str | None
    masked: bool


@dataclass(frozen=True)
class Preview:
    """Rows for a person to look at, and by column the most frequent values with their counts."""

    names: tuple[str, ...]
    rows: tuple[tuple[PreviewCell, ...], ...]
    frequent: Mapping[str, Sequence[tuple[str, int]]]


def build_preview(
    profile: TableProfile, *, rows: int = PREVIEW_ROWS, values: int = PREVIEW_VALUES
) -> Preview:
    """What may be shown of a file that was looked at."""
    frame = profile.source.frame
    visible_names = {column.name for column in profile.columns if column.shows_values}
    preview_rows = tuple(
        tuple(
            _preview_cell(cell, name in visible_names)
            for name, cell in zip(frame.columns, row, strict=True)
        )
        for row in frame.head(rows).iter_rows()
    )
    frequent = {
        name: _frequent_values(profile, name, values)
        for name in frame.columns
        if name in visible_names
    }
    return Preview(tuple(frame.columns), preview_rows, frequent)


def _preview_cell(cell: str | None, is_visible: bool) -> PreviewCell:
    if cell is None:
        return PreviewCell(None, False)
    text = cell if is_visible else cell_shape(cell)
    return PreviewCell(
        text if len(text) <= MAX_CELL_LENGTH else f"{text[: MAX_CELL_LENGTH - 1]}…", not is_visible
    )


def _frequent_values(profile: TableProfile, name: str, max_values: int) -> list[tuple[str, int]]:
    counts = profile.source.frame[name].drop_nulls().value_counts(sort=True, name="n")
    top_counts = counts.sort(["n", name], descending=[True, False]).head(max_values)
    return [(str(value)[:MAX_CELL_LENGTH], int(n)) for value, n in top_counts.iter_rows()]
