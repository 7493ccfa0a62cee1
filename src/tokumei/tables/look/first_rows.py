"""A look at the first rows of a large table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.written.dates import UNSAID, Days

if TYPE_CHECKING:
    from tokumei.tables.look.result import Look

LOOKED_AT = 20_000
"""The first rows of a large table, which tell what its columns are."""


def looked_at(frame: pl.DataFrame, off: Sequence[str] = (), days: Days = UNSAID) -> Look:
    """A look at the first rows; people and personal data inside texts are sought in all rows."""
    from tokumei.tables.look.look import look, looked_through

    some = frame.head(LOOKED_AT)
    found = look(some, no_normalize=off, date_order=days.order or None, two_digit_years=days.latest)
    return found if frame.height <= LOOKED_AT else looked_through(found, frame)
