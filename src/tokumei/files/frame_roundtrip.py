"""Returns released rows in the form of the user's frame (pandas, Polars, Arrow).

form = Native.of(pandas_frame)
form.give(polars_frame)            # pandas, with the types of its columns where the cells allow

Nothing of the rows is kept: the library, and the names and types of the columns. Labels of an
index are not given back: in the order of the released rows they would be the secret link.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import polars as pl

from tokumei.files.column_types import decode_categories
from tokumei.files.frame_conversion import is_pandas

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    PandasCells: TypeAlias = pd.Series | pd.api.extensions.ExtensionArray

FrameLibrary = Literal["polars", "pandas", "arrow"]


@dataclass(frozen=True)
class NativeFrameType:
    """The library a frame came from, the types of its columns, and names that are not texts."""

    library: FrameLibrary = "polars"
    types: Mapping[str, object] = field(default_factory=dict, repr=False)
    names: Mapping[str, Hashable] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, frame: Any) -> NativeFrameType:
        """The type of a frame; frames that are neither pandas nor PyArrow come back as Polars."""
        if is_pandas(frame):
            return cls("pandas", _pandas_types(frame), _odd_names(frame))
        if type(frame).__module__.split(".")[0] == "pyarrow":
            return cls("arrow", pl.DataFrame(frame.slice(0, 0)).schema)
        return cls(types=frame.schema) if isinstance(frame, pl.DataFrame) else cls()

    def give(self, frame: pl.DataFrame) -> pl.DataFrame | pd.DataFrame | pa.Table:
        """The rows as the user's library has them."""
        if self.library == "pandas":
            return to_pandas(frame, self.types, self.names)
        typed = _with_types(frame, self.types)
        return decode_categories(typed).to_arrow() if self.library == "arrow" else typed.clone()


def to_pandas(
    frame: pl.DataFrame, types: Mapping[str, object], names: Mapping[str, Hashable] | None = None
) -> pd.DataFrame:
    """A pandas frame with a fresh index; each column has its type of `types` if its cells fit.

    `names` leads to those names of columns that are not texts.
    """
    import pandas as pd

    plain = decode_categories(frame)
    columns = {name: _to_pandas_column(pd, plain[name]) for name in plain.columns}
    typed = {
        name: _cast_if_possible(pd, cells, types[name]) if name in types else cells
        for name, cells in columns.items()
    }
    typed_columns = pd.DataFrame(typed, columns=list(columns))
    return typed_columns.rename(columns=dict(names)) if names else typed_columns


def _pandas_types(frame: pd.DataFrame) -> dict[str, object]:
    """The types of the columns and of the named levels of the index; those of decimals by name."""
    levels = {
        str(name): frame.index.get_level_values(number).dtype
        for number, name in enumerate(frame.index.names)
        if name is not None
    }
    types = {str(name): dtype for name, dtype in frame.dtypes.items()}
    for name in [name for name, dtype in frame.dtypes.items() if str(dtype) == "object"]:
        cells = frame[name].dropna()
        if len(cells) and isinstance(cells.iloc[0], Decimal):
            types[str(name)] = Decimal
    return levels | types


def _odd_names(frame: pd.DataFrame) -> dict[str, Hashable]:
    """Numbers and other names that are not texts, by their text."""
    names = [*frame.index.names, *frame.columns]
    return {str(name): name for name in names if name is not None and not isinstance(name, str)}


def _with_types(frame: pl.DataFrame, types: Mapping[str, object]) -> pl.DataFrame:
    """Days that came as times, and numbers that came as decimals, as such again."""
    again = {
        name: original
        for name, dtype in frame.schema.items()
        if isinstance(original := types.get(name), pl.DataType)
        and (
            (dtype == pl.Date and original == pl.Datetime)
            or (dtype.is_numeric() and original.is_decimal())
        )
    }
    return frame.with_columns(pl.col(name).cast(dtype) for name, dtype in again.items())


def _to_pandas_column(pd: ModuleType, cells: pl.Series) -> PandasCells:
    """A column as pandas would read it from a file."""
    if cells.dtype.is_numeric() and not cells.null_count():
        return pd.Series(cells.to_numpy())
    if cells.dtype.is_integer():
        return pd.array(cells.to_list(), dtype="Int64")
    if cells.dtype.is_float():
        return pd.Series(cells.to_list(), dtype="float64")
    return pd.Series(cells.to_list())


def _cast_if_possible(pd: ModuleType, cells: PandasCells, dtype: object) -> PandasCells:
    """The cells in a type; as they are if a cell has become a range, a set or a star."""
    if dtype is Decimal:
        return _decimals(pd, cells)
    if isinstance(dtype, pd.CategoricalDtype):
        return _to_categorical(pd, cells, dtype)
    if isinstance(dtype, pd.StringDtype):
        return pd.Series(cells).astype(dtype)
    is_text = pd.api.types.is_string_dtype(cells) or pd.api.types.is_object_dtype(cells)
    cell_types = {type(cell) for cell in pd.Series(cells).dropna()} if is_text else set()
    written_out = isinstance(dtype, pd.PeriodDtype) or pd.api.types.is_object_dtype(dtype)
    if str in cell_types and not written_out:
        return cells
    try:
        return pd.Series(cells).astype(dtype)
    except (ValueError, TypeError, OverflowError):
        return cells


def _decimals(pd: ModuleType, cells: PandasCells) -> PandasCells:
    """Numbers as decimals; as they are if a cell has become a text."""
    if not pd.api.types.is_numeric_dtype(pd.Series(cells)):
        return cells
    return pd.Series(cells).astype(object).map(lambda cell: Decimal(str(cell)), na_action="ignore")


def _to_categorical(pd: ModuleType, cells: PandasCells, dtype: pd.CategoricalDtype) -> PandasCells:
    """Categories that occur in the cells; those of the original that do not are its secret."""
    present = pd.Series(cells).dropna().unique()
    kept_categories = [category for category in dtype.categories if category in set(present)]
    new_categories = sorted(
        {str(category) for category in present} - {str(category) for category in kept_categories}
    )
    if not new_categories:
        return pd.Categorical(cells, categories=kept_categories, ordered=dtype.ordered)
    texts = pd.Series(cells).map(lambda category: str(category), na_action="ignore")
    return pd.Categorical(
        texts, categories=[*(str(category) for category in kept_categories), *new_categories]
    )
