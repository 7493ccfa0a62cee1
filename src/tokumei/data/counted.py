"""Frames in which a row stands for many: the column `tokumei_rows` says for how many.

    counts = counts_of(frame)           # None: every row stands for itself

So the distinct rows of a table that is too large for this machine can be handled like a table.
"""

from __future__ import annotations

import polars as pl

COUNT = "tokumei_rows"


def counts_of(frame: pl.DataFrame) -> pl.Series | None:
    """How many rows each row stands for, if the frame says so."""
    return frame[COUNT] if COUNT in frame.columns else None
