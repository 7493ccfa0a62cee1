"""Why an exposed row stands out: its rare cells, by how many original rows fit each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.cells import canonical
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.codes import dense_codes
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.risk.exposure import Exposed

RARE_SHARE = 0.10
"""A quasi-identifier's cell that fewer rows fit is named as a reason."""
HIGH_SHARE = 0.01
"""A sensitive value among this top share of its column is named as a reason."""
REASONS = 4


@dataclass(frozen=True)
class Rarity:
    """A cell that few original rows fit."""

    column: str
    value: str
    share: float
    text: Text


def rarities(exposed: Sequence[Exposed], case: Comparison) -> list[list[Rarity]]:
    """For every exposed row its rarest cells, rarest first."""
    public, original = case.released, case.original
    found: list[list[Rarity]] = [[] for _ in exposed]
    for name in original.schema.qi:
        cells = [row.values.get(name) for row in exposed]
        shares = _shares(case.readers[name], original.frame[name], cells)
        for reasons, cell, share in zip(found, cells, shares, strict=True):
            if share < RARE_SHARE:
                words = Text(f"{percent(share)} of rows", f"全体の {percent(share)}")
                reasons.append(Rarity(name, shown_value(cell), share, words))
    for name in public.schema.sa:
        values = public.numbers([name])[:, 0]
        for reasons, row in zip(found, exposed, strict=True):
            value = row.values.get(name)
            share = float((values >= value).mean()) if isinstance(value, int | float) else 1.0
            if share <= HIGH_SHARE:
                words = Text(f"top {percent(share)}", f"上位 {percent(share)}")
                reasons.append(Rarity(name, shown_value(value), share, words))
    return [sorted(reasons, key=lambda rarity: rarity.share)[:REASONS] for reasons in found]


def shown_value(value: object) -> str:
    """A released cell as people read it."""
    if value is None:
        return "∅"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10000 else str(value)


def _shares(reader: ColumnReader, series: pl.Series, cells: list[object]) -> list[float]:
    """The share of the original's rows that each of the given cells may stand for."""
    rows = np.bincount(dense_codes(canonical(series), reader.values), minlength=len(reader.values))
    texts = canonical(pl.Series([None if c is None else str(c) for c in cells], dtype=pl.String))
    inside = (reader.covered(reader.read(text)) for text in texts)
    return [float(rows[flags].sum()) / len(series) for flags in inside]
