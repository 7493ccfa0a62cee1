"""Encodes repetitive text as dictionary codes, to save memory and time.

    column = encode_dictionary(texts)
    is_dictionary_encoded(column.dtype)  # True; a category that came with the data is not

A file's columns may be read so. Each has a dictionary of its own, which must not leave with the
rows: it may hold what was generalized or deleted. So whatever is published becomes text first.
"""

from __future__ import annotations

import polars as pl
import polars.selectors as cs

_NAMESPACE = "tokumei"
_SHORT_LIMIT = 2**16


def dictionary_type(*, short: bool = False) -> pl.Categorical:
    """The type of a new compact column; `short`: of two bytes a cell and at most 65,535 words."""
    physical = pl.UInt16 if short else pl.UInt32
    return pl.Categorical(pl.Categories.random(namespace=_NAMESPACE, physical=physical))


def encode_dictionary(text: pl.Series) -> pl.Series:
    """A text column with a dictionary of its own, short if that is enough."""
    return text.cast(dictionary_type(short=text.n_unique() < _SHORT_LIMIT))


def is_dictionary_encoded(dtype: pl.DataType) -> bool:
    """Whether a column of this type was made compact here."""
    return isinstance(dtype, pl.Categorical) and dtype.categories.namespace() == _NAMESPACE


def dictionary_words(series: pl.Series) -> pl.Series:
    """The dictionary of a categorical column, by its codes; cells need not use all of it."""
    assert isinstance(series.dtype, pl.Categorical)
    return series.dtype.categories.to_series().alias(series.name)


def decode_categories(frame: pl.DataFrame) -> pl.DataFrame:
    """The same cells with categories and enumerations as plain text."""
    return frame.with_columns((cs.categorical() | cs.enum()).cast(pl.String))


def decode_foreign_categories(frame: pl.DataFrame) -> pl.DataFrame:
    """The same cells with categories and enumerations as plain text, but for compact columns."""
    encoded_columns = [name for name, dtype in frame.schema.items() if is_dictionary_encoded(dtype)]
    return frame.with_columns(decode_categories(frame.drop(encoded_columns)))
