"""Whether a release holds the rows of its source as they are."""

from __future__ import annotations

import polars as pl

from tokumei.files.compact import as_text
from tokumei.tables.data.counted import COUNT
from tokumei.tables.data.table import Table


def same_rows(source: Table, public: Table) -> bool:
    """Whether the public table holds the source's rows (in its own columns) as they are."""
    names = public.schema.names
    before, after = source.frame.select(names), public.frame
    if before.height != after.height:
        return False
    # Rows that differ mostly differ in a QI alone, which is much quicker to see; above all if
    # its numbers have become text.
    numeric = [
        {name: frame.schema[name].is_numeric() for name in names} for frame in (before, after)
    ]
    qi = sorted(public.schema.qi, key=lambda name: numeric[0][name] == numeric[1][name])
    for name in qi:
        # Cells that the source does not have are seen without counting.
        new = after[name].unique().cast(pl.String)
        if not new.is_in(before[name].unique().cast(pl.String).implode(), nulls_equal=True).all():
            return False
    for name in [*qi, *names]:
        if not _counts(before.select(name)).equals(_counts(after.select(name))):
            return False
    return _counts(before).equals(_counts(after))


def _counts(frame: pl.DataFrame) -> pl.DataFrame:
    """Every distinct row with its number, sorted."""
    return as_text(frame.group_by(frame.columns).len(COUNT)).sort(frame.columns)
