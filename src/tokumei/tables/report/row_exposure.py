"""Explains why a row is exposed: its rare cells, with the number of original rows that fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.messages import Message
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.column_encoding import dense_codes
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.risk.exposure import ExposedRow

RARE_SHARE = 0.10
"""A quasi-identifier's cell that fewer rows fit is named as a reason."""
HIGH_SHARE = 0.01
"""A sensitive value among this top share of its column is named as a reason."""
MAX_REASONS = 4


@dataclass(frozen=True)
class RareCell:
    """A cell that few original rows fit."""

    column: str
    value: str
    share: float
    text: Message


def find_rare_cells(exposed: Sequence[ExposedRow], case: Comparison) -> list[list[RareCell]]:
    """For every exposed row its rarest cells, rarest first."""
    public, original = case.released, case.original
    reasons_by_row: list[list[RareCell]] = [[] for _ in exposed]
    for name in original.schema.qi:
        cells = [row.values.get(name) for row in exposed]
        shares = _fitting_shares(case.readers[name], original.frame[name], cells)
        for reasons, cell, share in zip(reasons_by_row, cells, shares, strict=True):
            if share < RARE_SHARE:
                words = Message("{share:percent} of rows", share=share)
                reasons.append(RareCell(name, format_value(cell), share, words))
    for name in public.schema.sa:
        values = public.numbers([name])[:, 0]
        for reasons, row in zip(reasons_by_row, exposed, strict=True):
            value = row.values.get(name)
            share = float((values >= value).mean()) if isinstance(value, int | float) else 1.0
            if share <= HIGH_SHARE:
                words = Message("top {share:percent}", share=share)
                reasons.append(RareCell(name, format_value(value), share, words))
    return [
        sorted(reasons, key=lambda rarity: rarity.share)[:MAX_REASONS] for reasons in reasons_by_row
    ]


def format_value(value: object) -> str:
    """A released cell as people read it."""
    if value is None:
        return "∅"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10000 else str(value)


def _fitting_shares(reader: ColumnReader, series: pl.Series, cells: list[object]) -> list[float]:
    """The share of the original's rows that each of the given cells may stand for."""
    rows = np.bincount(
        dense_codes(canonicalize_column(series), reader.values), minlength=len(reader.values)
    )
    texts = canonicalize_column(
        pl.Series([None if c is None else str(c) for c in cells], dtype=pl.String)
    )
    inside = (reader.covered(reader.read(text)) for text in texts)
    return [float(rows[flags].sum()) / len(series) for flags in inside]
