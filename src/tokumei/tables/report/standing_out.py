"""Why an exposed row stands out: its rare cells, by how many original rows fit each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.cells import canonical, parse_cell
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.tables.data.table import Table
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


def rarities(exposed: Sequence[Exposed], public: Table, original: Table) -> list[list[Rarity]]:
    """For every exposed row its rarest cells, rarest first."""
    found: list[list[Rarity]] = [[] for _ in exposed]
    for name in original.schema.qi:
        cells = [row.values.get(name) for row in exposed]
        shares = _shares(original.frame[name], cells)
        for reasons, cell, share in zip(found, cells, shares, strict=True):
            if share < RARE_SHARE:
                reasons.append(_rare(name, cell, share))
    for name in public.schema.sa:
        values = public.numbers([name])[:, 0]
        for reasons, row in zip(found, exposed, strict=True):
            reasons += _high(name, row.values.get(name), values)
    return [sorted(reasons, key=lambda rarity: rarity.share)[:REASONS] for reasons in found]


def _rare(name: str, value: object, share: float) -> Rarity:
    shown = percent(share)
    return Rarity(name, shown_value(value), share, Text(f"{shown} of rows", f"全体の {shown}"))


def _high(name: str, value: object, values: np.ndarray) -> list[Rarity]:
    if not isinstance(value, int | float):
        return []
    share = float((values >= value).mean())
    shown = percent(share)
    high = Rarity(name, shown_value(value), share, Text(f"top {shown}", f"上位 {shown}"))
    return [high] if share <= HIGH_SHARE else []


def shown_value(value: object) -> str:
    """A released cell as people read it."""
    if value is None:
        return "∅"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10000 else str(value)


def _shares(series: pl.Series, cells: list[object]) -> list[float]:
    """The share of the original's rows that each of the given cells may stand for."""
    counted = canonical(series).fill_null("").alias("value").value_counts(name="n")
    shares = {value: n / len(series) for value, n in counted.iter_rows()}
    texts = canonical(pl.Series([None if c is None else str(c) for c in cells], dtype=pl.String))
    return [_fitting(text or "", shares) for text in texts.to_list()]


def _fitting(text: str, shares: dict[str, float]) -> float:
    cell = parse_cell(text)
    return sum(share for value, share in shares.items() if value == text or cell.covers(value))
