"""Sensitive values as an attacker compares them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.tables.data.guess import Knowledge
from tokumei.tables.data.table import Table


def sa_values(
    public: Table, knowledge: Knowledge, columns: Sequence[str] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Known and released SA as numbers; a suppressed cell counts as the known mean."""
    names = list(columns if columns is not None else knowledge.table.schema.sa)
    known = knowledge.table.numbers(names)
    released = public.numbers(names)
    return known, np.where(np.isfinite(released), released, known.mean(axis=0))


def sa_ranges(public: Table, knowledge: Knowledge) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Known SA, and the lowest and highest value that each released cell allows."""
    names = knowledge.table.schema.sa
    low, high = public.ranges(names)
    known = knowledge.table.numbers(names)
    if low is high and not np.isnan(low).any():
        return known, low, low
    return known, np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def scales(known: np.ndarray) -> np.ndarray:
    """The standard deviation of each known column, 1 where it is constant."""
    sd = known.std(axis=0)
    return np.where(sd > 0, sd, 1.0)
