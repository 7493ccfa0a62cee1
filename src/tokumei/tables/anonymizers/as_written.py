"""Cells that a method leaves exact are written as they came: `2024-05-01 08:30`, not with a T.

Methods work with canonical text, in which equal moments and numbers are equal. A value that its
column writes in one way only gets that writing back; where two writings became one, the canonical
one stays, because the other would part rows that are alike.
"""

from __future__ import annotations

import polars as pl

from tokumei.files.compact import is_compact, words
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.leaves import spelled


def as_they_came(source: Table, released: pl.DataFrame) -> pl.DataFrame:
    """The released rows with exact texts of quasi-identifiers in the source's writing."""
    texts = [name for name in source.schema.qi if name in released.columns]
    texts = [name for name in texts if _is_text(source.frame[name]) and _is_text(released[name])]
    for name in texts:
        back = _writings(source.frame[name])
        if not back.height:
            continue
        cells = released[name].cast(pl.String)
        if cells.is_in(back["plain"].implode()).any():
            released = released.with_columns(cells.replace(back["plain"], back["text"]))
    return released


def _is_text(cells: pl.Series) -> bool:
    return cells.dtype == pl.String or is_compact(cells.dtype)


def _writings(cells: pl.Series) -> pl.DataFrame:
    """The texts whose canonical form is another one that no other text has."""
    distinct = words(cells) if is_compact(cells.dtype) else cells.unique()
    found = pl.DataFrame({"text": distinct}).drop_nulls()
    found = found.with_columns(plain=spelled(found["text"]))
    return found.filter((pl.col("text") != pl.col("plain")) & ~pl.col("plain").is_duplicated())
