"""Frames on their way back: what a user's frame was, and rows in that form again.

form = Native.of(pandas_frame)
form.give(polars_frame)            # pandas, with the types of its columns where the cells allow

Nothing of the rows is kept: the library, and the names and types of the columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

from tokumei.files.compact import as_text

Library = Literal["polars", "pandas", "arrow"]


@dataclass(frozen=True)
class Native:
    """The library a frame came from; of pandas also the types of its columns."""

    library: Library = "polars"
    types: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, frame: Any) -> Native:
        """What a frame is; all that is not pandas or PyArrow gets Polars back."""
        home = type(frame).__module__.split(".")[0]
        if home == "pandas":
            return cls("pandas", {str(name): dtype for name, dtype in frame.dtypes.items()})
        return cls("arrow") if home == "pyarrow" else cls()

    def give(self, frame: pl.DataFrame) -> Any:
        """The rows as the user's library has them."""
        if self.library == "pandas":
            return as_pandas(frame, self.types)
        return as_text(frame).to_arrow() if self.library == "arrow" else frame.clone()


def as_pandas(frame: pl.DataFrame, types: Mapping[str, Any]) -> Any:
    """A pandas frame with a fresh index; each column has its type of `types` if its cells fit."""
    import pandas as pd

    plain = as_text(frame)
    columns = {name: _plain(pd, plain[name]) for name in plain.columns}
    given = {
        name: _typed(pd, cells, types[name]) if name in types else cells
        for name, cells in columns.items()
    }
    return pd.DataFrame(given, columns=list(columns))


def _plain(pd: Any, cells: pl.Series) -> Any:
    """A column as pandas would read it from a file."""
    if cells.dtype.is_numeric() and not cells.null_count():
        return pd.Series(cells.to_numpy())
    if cells.dtype.is_integer():
        return pd.array(cells.to_list(), dtype="Int64")
    if cells.dtype.is_float():
        return pd.Series(cells.to_list(), dtype="float64")
    return pd.Series(cells.to_list())


def _typed(pd: Any, cells: Any, dtype: Any) -> Any:
    """The cells in a type; as they are if a cell has become a range, a set or a star."""
    if isinstance(dtype, pd.CategoricalDtype):
        return _category(pd, cells, dtype)
    if isinstance(dtype, pd.StringDtype):
        return pd.Series(cells).astype(dtype)
    texts = pd.api.types.is_string_dtype(cells) or pd.api.types.is_object_dtype(cells)
    held = {type(one) for one in pd.Series(cells).dropna()} if texts else set()
    if str in held and not pd.api.types.is_object_dtype(dtype):
        return cells
    try:
        return pd.Series(cells).astype(dtype)
    except (ValueError, TypeError, OverflowError):
        return cells


def _category(pd: Any, cells: Any, dtype: Any) -> Any:
    """Categories that occur in the cells; those of the original that do not are its secret."""
    present = pd.Series(cells).dropna().unique()
    known = [one for one in dtype.categories if one in set(present)]
    new = sorted({str(one) for one in present} - {str(one) for one in known})
    if not new:
        return pd.Categorical(cells, categories=known, ordered=dtype.ordered)
    texts = pd.Series(cells).map(lambda one: str(one), na_action="ignore")
    return pd.Categorical(texts, categories=[*(str(one) for one in known), *new])
