"""Whether two tables hold the same rows, in whatever order."""

from __future__ import annotations

import polars as pl

from tokumei.files.compact import as_text
from tokumei.tables.data.table import Table

_ROWS = "tokumei_rows"


def same_rows(source: Table, public: Table) -> bool:
    """Whether the public table holds the source's rows (in its own columns) as they are."""
    names = public.schema.names
    before, after = source.frame.select(names), public.frame
    if before.height != after.height:
        return False
    # Rows that differ mostly differ in a QI alone, which is much quicker to see; above all if
    # its numbers have become text.
    qi = sorted(
        public.schema.qi, key=lambda name: _is_number(before, name) == _is_number(after, name)
    )
    for name in [*qi, *names]:
        if not _counts(before.select(name)).equals(_counts(after.select(name))):
            return False
    return _counts(before).equals(_counts(after))


def _is_number(frame: pl.DataFrame, name: str) -> bool:
    return frame.schema[name].is_numeric()


def _counts(frame: pl.DataFrame) -> pl.DataFrame:
    """Every distinct row with its number, sorted."""
    return as_text(frame.group_by(frame.columns).len(_ROWS)).sort(frame.columns)
