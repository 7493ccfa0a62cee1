"""Text that repeats itself, as codes into a dictionary: less memory, quicker to count.

    column = compacted(texts)
    is_compact(column.dtype)                # True; a category that came with the data is not

A file's columns may be read so. Each has a dictionary of its own, which must not leave with the
rows: it may hold what was generalized or deleted. So whatever is published becomes text first.
"""

from __future__ import annotations

import polars as pl
import polars.selectors as cs

_OURS = "tokumei"
_SHORT = 2**16


def dictionary(*, short: bool = False) -> pl.Categorical:
    """The type of a new compact column; `short`: of two bytes a cell and at most 65,535 words."""
    physical = pl.UInt16 if short else pl.UInt32
    return pl.Categorical(pl.Categories.random(namespace=_OURS, physical=physical))


def compacted(text: pl.Series) -> pl.Series:
    """A text column with a dictionary of its own, short if that is enough."""
    return text.cast(dictionary(short=text.n_unique() < _SHORT))


def is_compact(dtype: pl.DataType) -> bool:
    """Whether a column of this type was made compact here."""
    return isinstance(dtype, pl.Categorical) and dtype.categories.namespace() == _OURS


def words(series: pl.Series) -> pl.Series:
    """The dictionary of a categorical column, by its codes; cells need not use all of it."""
    assert isinstance(series.dtype, pl.Categorical)
    return series.dtype.categories.to_series().alias(series.name)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """The same cells with categories and enumerations as plain text."""
    return frame.with_columns((cs.categorical() | cs.enum()).cast(pl.String))


def foreign_as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """The same cells with categories and enumerations as plain text, but for compact columns."""
    ours = [name for name, dtype in frame.schema.items() if is_compact(dtype)]
    return frame.with_columns(as_text(frame.drop(ours)))
